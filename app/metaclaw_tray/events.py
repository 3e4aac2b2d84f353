"""News between the rooms of the running program, all on its one loop.

An event is a frozen struct; who publishes does not know who listens, and cannot be hurt by them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Generic, TypeVar

E = TypeVar("E")

BACKLOG = 1000  # events kept for a subscriber that does not keep up; the oldest go first


class Bus:
    """Hands each event to those who asked for its type or a base of it, in the order of publication."""

    def __init__(self) -> None:
        self._callbacks: dict[type[Any], list[Callable[[Any], None]]] = {}

    def publish(self, event: object) -> None:
        """Tell everyone, soon. Never waits; a listener that fails is reported by the loop as a bug."""
        loop = asyncio.get_running_loop()
        for kind in type(event).__mro__:
            for callback in self._callbacks.get(kind, ()):
                loop.call_soon(callback, event)

    def on(self, kind: type[E], callback: Callable[[E], None]) -> Callable[[], None]:
        """Call `callback` with each event of `kind`. Returns what ends this."""
        callbacks = self._callbacks.setdefault(kind, [])
        callbacks.append(callback)

        def end() -> None:
            if callback in callbacks:
                callbacks.remove(callback)

        return end

    def subscribe(self, kind: type[E]) -> Subscription[E]:
        """Events of `kind` from now on: `with bus.subscribe(Kind) as news: async for event in news`."""
        return Subscription(self, kind)


class Subscription(Generic[E]):
    """An endless iterator over events, open between `with` and its end."""

    def __init__(self, bus: Bus, kind: type[E]) -> None:
        self._waiting: deque[E] = deque(maxlen=BACKLOG)
        self._news = asyncio.Event()
        self._end = bus.on(kind, self._take)
        self.missed = 0
        """Events that came faster than they were read, beyond the backlog."""

    def __enter__(self) -> Subscription[E]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._end()

    async def __aiter__(self) -> AsyncIterator[E]:
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            self._news.clear()
            await self._news.wait()

    def _take(self, event: E) -> None:
        if len(self._waiting) == BACKLOG:
            self.missed += 1
        self._waiting.append(event)
        self._news.set()
