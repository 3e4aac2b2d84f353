"""The app in this process: its runtime on a loop in a thread, and the pipe of a window that asks it."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path
from queue import SimpleQueue

import msgspec

from metaclaw_tray.admin.protocol import failed, read_verb
from metaclaw_tray.admin.server import Handlers
from metaclaw_tray.admin.window import (
    Agreed,
    Answered,
    Asked,
    FromWindow,
    News,
    Refused,
    ToWindow,
    refused,
)
from metaclaw_tray.admin.window_call import WindowCall
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import Runtime, open_runtime
from metaclaw_tray.runtime.changed import telling
from metaclaw_tray.runtime.facade import handlers

_SECONDS = 60.0


class House:
    """Runs the app of a home while the block lasts; `receive` and `send` are the window's end of its pipe."""

    def __init__(self, home: Path) -> None:
        self.url = ""  # where it serves agents
        self._home = home
        self._to: SimpleQueue[ToWindow | None] = SimpleQueue()
        self._calls: dict[int, WindowCall] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._handlers: Handlers = {}
        self._loop = asyncio.new_event_loop()
        self._up, self._ends = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="app")
        self._broken: BaseException | None = None

    def __enter__(self) -> House:
        self._thread.start()
        if not self._up.wait(_SECONDS) or self._broken is not None:
            raise RuntimeError("the app did not start") from self._broken
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._ends.set)
        self._thread.join(_SECONDS)

    def receive(self) -> ToWindow | None:
        return self._to.get()

    def send(self, message: FromWindow) -> bool:
        if self._loop.is_closed():
            return False
        self._loop.call_soon_threadsafe(self._take, message)
        return True

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._broken = error
            raise
        finally:
            self._up.set()
            self._to.put(None)
            self._loop.close()

    async def _serve(self) -> None:
        paths = Paths.find({**os.environ, "METACLAW_TRAY_HOME": str(self._home)})
        paths.prepare()
        async with open_runtime(paths, {}) as runtime, runtime.serving(0):
            self._open(runtime)
            self.url = runtime.url
            self._up.set()
            await self._ends.wait()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _open(self, runtime: Runtime) -> None:
        runtime.changes.listen(lambda *topics: self._to.put(News(list(topics))))
        self._handlers = telling(handlers(runtime), runtime.changes)

    def _take(self, message: FromWindow) -> None:
        if isinstance(message, Asked):
            task = self._loop.create_task(self._answer(message))
            self._tasks.add(task)  # the loop itself holds them weakly
            task.add_done_callback(self._tasks.discard)
        elif isinstance(message, Agreed) and message.number in self._calls:
            self._calls[message.number].answer(message)

    async def _answer(self, asked: Asked) -> None:
        async def tell(message: ToWindow) -> None:
            self._to.put(message)

        verb = read_verb(asked.verb)
        call = self._calls[asked.number] = WindowCall(verb, asked, os.getpid(), tell)
        handler = self._handlers.get(type(verb))
        if handler is None:
            self._to.put(Refused(asked.number, "Not possible", "This app does not know that.", ""))
            return
        try:
            value = await handler(verb, call)
        except KnownError as error:
            self._to.put(refused(asked.number, failed(error)))
        else:
            self._to.put(Answered(asked.number, msgspec.json.encode(value)))
