"""CPU time by stage, in one thread in which coroutines take turns."""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Watch:
    """CPU nanoseconds of this thread, by stage. A stage inside another counts as its own only."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = {}
        self._open: list[str] = []
        self._since = 0

    def reset(self) -> None:
        """Count from nothing."""
        self.spent.clear()

    def enter(self, stage: str) -> None:
        self._count()
        self._open.append(stage)

    def leave(self) -> None:
        self._count()
        self._open.pop()

    def _count(self) -> None:
        now = time.thread_time_ns()
        if self._open:
            stage = self._open[-1]
            self.spent[stage] = self.spent.get(stage, 0) + now - self._since
        self._since = now

    def calls(self, stage: str, function: Callable[..., T]) -> Callable[..., T]:
        """The function, watched."""

        @functools.wraps(function)
        def watched(*args: Any, **named: Any) -> T:
            self.enter(stage)
            try:
                return function(*args, **named)
            finally:
                self.leave()

        return watched

    def steps(self, stage: str, function: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[T]]:
        """The coroutine function, watched while it runs and not while it waits."""

        @functools.wraps(function)
        async def watched(*args: Any, **named: Any) -> T:
            result: T = await _Steps(self, stage, function(*args, **named))
            return result

        return watched


class _Steps:
    """Awaits something else, step by step."""

    def __init__(self, watch: Watch, stage: str, awaited: Awaitable[Any]) -> None:
        self._watch, self._stage, self._awaited = watch, stage, awaited

    def __await__(self) -> Generator[Any, Any, Any]:
        steps: Any = self._awaited.__await__()
        step: Callable[[], Any] = functools.partial(steps.send, None)
        while True:
            self._watch.enter(self._stage)
            try:
                yielded = step()
            except StopIteration as stop:
                return stop.value
            finally:
                self._watch.leave()
            try:
                step = functools.partial(steps.send, (yield yielded))
            except BaseException as error:  # noqa: BLE001 - the watched coroutine answers it, cancellation too
                step = functools.partial(steps.throw, error)
