"""Keeping the window: the tray and its pages, in a child of their own.

Agents are served by this process and never by the window's: whatever Qt does, the proxy goes on, and nothing
that is drawn takes time from a stream. A window that crashes is started again, at most three times in ten
minutes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from metaclaw_tray.admin.api import Said, ShowWindow
from metaclaw_tray.admin.protocol import failed, read_verb
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.admin.window import (
    Agreed,
    Answered,
    Asked,
    Dropped,
    FromWindow,
    Leaving,
    News,
    Refused,
    Renewing,
    Show,
    Topic,
    ToWindow,
    Visible,
    refused,
)
from metaclaw_tray.admin.window_call import WindowCall
from metaclaw_tray.child import Child, ChildEndedError, encode, start_child
from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError, UsageError
from metaclaw_tray.runtime.changed import Changes
from metaclaw_tray.runtime.trouble import Troubles, supervise

log = logging.getLogger(__name__)

_RESTARTS, _WITHIN_SECONDS = 3, 600.0
_NEWS_SECONDS = 0.3  # between two tellings of news: a busy agent makes many turns a second
_CANNOT_START = 3  # the exit code of a window that finds no screen


class WindowKeeper:
    """Runs the window while one is wanted, and answers what it asks."""

    def __init__(
        self,
        handlers: Handlers,
        clock: Clock,
        troubles: Troubles,
        on_quit: Callable[[], None],
        command: Sequence[str] | None = None,
    ) -> None:
        """`on_quit` ends the app; `command` stands in for this program in tests."""
        self._command = command
        self._handlers = handlers
        self._clock = clock
        self._troubles = troubles
        self._on_quit = on_quit
        self._wanted = asyncio.Event()
        self._begun = asyncio.Event()
        self._service: asyncio.Task[None] | None = None
        self._child: Child[ToWindow, FromWindow] | None = None
        self._deaths: deque[float] = deque()
        self._calls: dict[int, tuple[WindowCall, asyncio.Task[None]]] = {}
        self._topics: set[Topic] = set()
        self._news = asyncio.Event()
        self._first = Show()  # what the next window is told first
        self._renews = False  # the window that ends now wants to be started again

    @property
    def pid(self) -> int | None:
        """The window's process, while there is one."""
        return self._child.pid if self._child else None

    def show(self, page: str = "", *, hidden: bool = False) -> None:
        """Bring the window to the front; start one where none runs. `hidden` is content with the tray."""
        self._deaths.clear()
        self._first = Show(page, hidden)
        self._wanted.set()
        if self._child is not None and not hidden and self._begun.is_set():
            self._child.offer(encode(self._first))

    def tell(self, *topics: Topic) -> None:
        """Something of these kinds changed."""
        self._topics.update(topics)
        self._news.set()

    async def show_window(self, verb: ShowWindow, _call: Call) -> Said:
        """The handler of `ShowWindow`."""
        self.show(verb.page, hidden=verb.hidden)
        return Said(text="The tray is there." if verb.hidden else "The window comes to the front.")

    @asynccontextmanager
    async def running(self, changes: Changes) -> AsyncIterator[None]:
        """Keep the window while the block lasts, and tell it of changes."""
        changes.listen(self.tell)
        service = supervise("window", self.run, self._clock, self._troubles)
        self._service = asyncio.create_task(service, name="window")
        try:
            yield
        finally:
            changes.listen(None)
            await self.stop()

    def begin(self) -> None:
        """Agents are served: what the window asks is answered from now on, and it may show itself. Its
        process starts before, so that both are there sooner."""
        self._begun.set()

    async def stop(self) -> None:
        """End the window, and keep none any more."""
        self._wanted.clear()
        if self._service is not None:
            self._service.cancel()
            await asyncio.gather(self._service, return_exceptions=True)

    async def run(self) -> None:
        """Keep the window until cancelled."""
        while True:
            await self._wanted.wait()
            code = await self._one_window()
            if self._renews or not self._wanted.is_set():
                self._renews = False
                continue  # the person wanted that, or left it
            if code == _CANNOT_START:
                self._wanted.clear()
                self._troubles.set("window", "The window finds no screen; agents are served without it.")
                continue
            self._count_death()
            if len(self._deaths) > _RESTARTS:
                self._wanted.clear()
                self._troubles.set(
                    "window",
                    f"The window ended {len(self._deaths)} times in ten minutes (last with code {code}). "
                    "Agents are served without it; `metaclaw-tray` opens it again, and the log says what "
                    "happened.",
                )

    async def _one_window(self) -> int:
        """Run one window to its end; its exit code."""
        log.info("the window starts")
        async with start_child(
            "window", to_child=ToWindow, from_child=FromWindow, command=self._command
        ) as child:
            self._child = child
            self._troubles.set("window", "")
            teller = asyncio.create_task(self._tell_news(child), name="window-news")
            try:
                async for message in child.messages():
                    self._take(child, message)
                code = child.returncode
            finally:
                self._child = None
                teller.cancel()
                tasks = [task for _, task in self._calls.values()]
                for task in tasks:
                    task.cancel()
                await asyncio.gather(teller, *tasks, return_exceptions=True)
                self._calls.clear()
        log.info("the window ended code=%s", code)
        return code if code is not None else 0

    def _take(self, child: Child[ToWindow, FromWindow], message: FromWindow) -> None:
        match message:
            case Asked():
                self._ask(child, message)
            case Agreed():
                if message.number in self._calls:
                    self._calls[message.number][0].answer(message)
            case Dropped():
                if message.number in self._calls:
                    self._calls[message.number][1].cancel()
            case Renewing():
                self._first, self._renews = Show(message.page, hidden=not message.page), True
            case Visible() if not self._renews:
                log.info("the window is %s", "open" if message.open else "hidden")
                self._first = Show(hidden=not message.open)
            case Leaving():
                self._wanted.clear()
                if not message.serve_on:
                    self._on_quit()

    def _ask(self, child: Child[ToWindow, FromWindow], asked: Asked) -> None:
        async def tell(message: ToWindow) -> None:
            try:
                await child.send(message)
            except ChildEndedError:
                return

        async def work(call: WindowCall) -> None:
            try:
                await self._begun.wait()
                await tell(await self._answer(call, asked))
            finally:
                self._calls.pop(asked.number, None)

        try:
            verb = read_verb(asked.verb)
        except UsageError as error:
            child.offer(encode(refused(asked.number, failed(error))))
            return
        call = WindowCall(verb, asked, child.pid, tell)
        self._calls[asked.number] = (call, asyncio.create_task(work(call), name="window-verb"))

    async def _answer(self, call: WindowCall, asked: Asked) -> Answered | Refused:
        handler = self._handlers.get(type(call.verb))
        if handler is None:
            return Refused(asked.number, "Not possible", "This app does not know that.", "Update it.")
        try:
            value: Any = await handler(call.verb, call)
        except KnownError as error:
            return refused(asked.number, failed(error))
        except Exception as error:
            log.exception("a verb of the window failed verb=%s", type(call.verb).__name__)
            return Refused(
                asked.number, "This is a bug", f"{type(error).__name__} in the app.", "See its log."
            )
        return Answered(asked.number, msgspec.json.encode(value))

    async def _tell_news(self, child: Child[ToWindow, FromWindow]) -> None:
        await self._begun.wait()
        child.offer(encode(self._first))
        while True:
            await self._news.wait()
            self._news.clear()
            topics, self._topics = sorted(self._topics), set()
            child.offer(encode(News(topics)))
            await asyncio.sleep(_NEWS_SECONDS)

    def _count_death(self) -> None:
        now = self._clock.monotonic()
        while self._deaths and now - self._deaths[0] > _WITHIN_SECONDS:
            self._deaths.popleft()
        self._deaths.append(now)
