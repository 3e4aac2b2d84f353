"""A window's pipe to the app's own handlers on a real store, with no process between them."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import msgspec

from metaclaw_tray.admin import api
from metaclaw_tray.admin.protocol import failed, read_verb
from metaclaw_tray.admin.server import Handlers
from metaclaw_tray.admin.window import (
    Agreed,
    Answered,
    Asked,
    FromWindow,
    News,
    ToWindow,
    refused,
)
from metaclaw_tray.admin.window_call import WindowCall
from metaclaw_tray.errors import KnownError
from metaclaw_tray.runtime.changed import Changes as Told
from metaclaw_tray.runtime.changed import telling
from metaclaw_tray.runtime.facade.changes import Changes
from metaclaw_tray.runtime.facade.deciding import Deciding
from metaclaw_tray.runtime.facade.handlers import _reading
from metaclaw_tray.runtime.facade.reading import Reading
from metaclaw_tray.runtime.facade.tending import Tending
from metaclaw_tray.settings import Settings
from metaclaw_tray.store.engine import Store
from support.clock import FakeClock


class LiveApp:
    """The pipe's other end: a loop in a thread of its own that answers verbs about skills."""

    def __init__(self, home: Path) -> None:
        self.clock = FakeClock()
        self.store = Store.open(home / "store.sqlite3", self.clock)
        self.settings = Settings()
        self._to: SimpleQueue[ToWindow | None] = SimpleQueue()
        self._calls: dict[int, WindowCall] = {}
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="app", daemon=True)
        told = Told()
        told.listen(lambda *topics: self._to.put(News(list(topics))))
        self._handlers = telling(self._made(), told)
        self._thread.start()

    def close(self) -> None:
        """End it. The window's threads end with it."""
        self._closed = True
        self._to.put(None)
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()
        self.store.close()

    def receive(self) -> ToWindow | None:
        return self._to.get()

    def send(self, message: FromWindow) -> bool:
        if self._closed:
            return False
        self._loop.call_soon_threadsafe(self._take, message)
        return True

    def _made(self) -> Handlers:
        runtime: Any = SimpleNamespace(
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            library=SimpleNamespace(refresh=_nothing),
            scribe=SimpleNamespace(flush=_nothing),
            reviewing=SimpleNamespace(settle=_nothing),
        )
        changes, deciding = Changes(runtime), Deciding(runtime)
        return {
            **_reading(runtime),
            **Reading(runtime).handlers(),
            **Tending(runtime).handlers(),
            api.AddSkill: changes.add_skill,
            api.EnableSkill: changes.enable,
            api.DisableSkill: changes.disable,
            api.RetireSkill: changes.retire,
            api.TrustSkill: changes.trust,
            api.ApproveProposal: deciding.approve,
            api.EditProposal: deciding.edit,
            api.RejectProposal: deciding.reject,
            api.SnoozeProposal: deciding.snooze,
            api.TryProposal: deciding.trial,
            api.Undo: changes.undo,
        }

    def _take(self, message: FromWindow) -> None:
        if isinstance(message, Asked):
            task = self._loop.create_task(self._answer(message))
            self._tasks.add(task)  # the loop itself holds them weakly
            task.add_done_callback(self._done)
        elif isinstance(message, Agreed):
            self._calls[message.number].answer(message)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.result()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, asked: Asked) -> None:
        async def tell(message: ToWindow) -> None:
            self._to.put(message)

        verb = read_verb(asked.verb)
        call = self._calls[asked.number] = WindowCall(verb, asked, 1, tell)
        try:
            if type(verb) not in self._handlers:
                return
            value = await self._handlers[type(verb)](verb, call)
        except KnownError as error:
            self._to.put(refused(asked.number, failed(error)))
        else:
            self._to.put(Answered(asked.number, msgspec.json.encode(value)))


async def _nothing(*_args: object) -> None:
    return None
