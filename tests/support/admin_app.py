"""An app that is nothing but its admin socket, on a loop in a thread of its own, for tests of commands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.server import AdminServer, Call, Handlers
from metaclaw_tray.paths import Paths


@contextmanager
def admin_app(paths: Paths, handlers: Handlers, *, allow_scripted: bool = False) -> Iterator[None]:
    """Answer commands for the length of the block."""
    ready, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        with Instance.hold(paths) as instance:
            async with AdminServer(instance, handlers, allow_scripted=allow_scripted):
                ready.set()
                await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=[serve()])
    thread.start()
    try:
        assert ready.wait(30)
        yield
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()


class Answers(dict[type[Verb[Any]], Any]):
    """Handlers that give prepared answers and remember what was asked."""

    def __init__(self, answers: dict[type[Verb[Any]], Any]) -> None:
        super().__init__(dict.fromkeys(answers, self._give))
        self._answers = answers
        self.asked: list[Verb[Any]] = []

    async def _give(self, verb: Verb[Any], call: Call) -> Any:
        self.asked.append(verb)
        answer = self._answers[type(verb)]
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            return await answer(verb, call)
        return answer
