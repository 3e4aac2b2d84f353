"""Speaks with the notification server of the desktop, on a thread and a loop of its own.

Where the server has buttons they are shown; where it has none, the text says where to press instead.
"""

from __future__ import annotations

import html
import logging
import sys
import threading
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from metaclaw_tray.desktop.notifications.wording import Told
from metaclaw_tray.paths import resources_dir

if TYPE_CHECKING:
    import asyncio

    from desktop_notifier import DesktopNotifier

log = logging.getLogger(__name__)

_KEPT = 20  # notifications whose buttons still count
_PATIENCE_SECONDS = 10.0  # with a server that does not answer


class Notifier(QObject):
    """Shows notifications. `pressed` tells what was pressed, `shown` and `failed` what became of a number."""

    pressed = Signal(str)
    shown = Signal(int)
    failed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._waiting: SimpleQueue[tuple[int, Told]] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None  # made on the thread, for it opens sockets
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time: asyncio.Lock | None = None
        self._notifier: DesktopNotifier | None = None
        self._thread: threading.Thread | None = None
        self._said = ""  # what went wrong last

    def show(self, number: int, told: Told) -> None:
        """Show it; never waits."""
        self._waiting.put((number, told))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="notifications", daemon=True)
            self._thread.start()
        elif self._loop is not None:
            self._loop.call_soon_threadsafe(self._take)

    def _run(self) -> None:
        import asyncio  # here: the window need not wait for it

        loop = asyncio.new_event_loop()
        self._one_at_a_time = asyncio.Lock()
        loop.call_soon(self._take)
        self._loop = loop
        loop.run_forever()

    def _take(self) -> None:
        """Begin to show all that waits; on the thread."""
        assert self._loop is not None
        while not self._waiting.empty():
            task = self._loop.create_task(self._show(*self._waiting.get()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _show(self, number: int, told: Told) -> None:
        import asyncio

        assert self._one_at_a_time is not None
        try:
            async with self._one_at_a_time, asyncio.timeout(_PATIENCE_SECONDS):
                await self._send(told)
        except Exception as error:  # noqa: BLE001 whatever a bus or a server says; it is told again later
            said = f"{type(error).__name__}: {error}"
            if said != self._said:  # it is tried again each minute
                log.warning("a notification was not shown error=%s", said)
            self._said, self._notifier = said, None
            self.failed.emit(number)
        else:
            self._said = ""
            self.shown.emit(number)

    async def _send(self, told: Told) -> None:
        from desktop_notifier import Button, Capability, DesktopNotifier, Icon, Urgency

        if self._notifier is None:
            picture = Icon(path=resources_dir() / "app" / "metaclaw-tray.png")
            self._notifier = DesktopNotifier("MetaClaw Tray", picture, notification_limit=_KEPT)
        can = await self._notifier.get_capabilities()
        text, buttons = told.text, []
        if Capability.BUTTONS in can:
            buttons = [
                Button(title=each.text, on_pressed=partial(self._press, each.does)) for each in told.buttons
            ]
        elif told.hint:
            text = f"{text}\n{told.hint}"
        await self._notifier.send(
            title=told.title,
            message=html.escape(text, quote=False) if sys.platform.startswith("linux") else text,
            urgency=Urgency.Critical if told.urgent else Urgency.Normal,
            buttons=buttons,
            on_clicked=lambda: self._press(told.click),
        )

    def _press(self, does: str) -> None:
        if does:
            self.pressed.emit(does)
