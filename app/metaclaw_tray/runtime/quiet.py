"""Whether agents are at rest: no request open, and none begun for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from metaclaw_tray.clock import Clock


class Traffic(Protocol):
    """What the proxy counts."""

    @property
    def turns(self) -> int: ...

    @property
    def open_turns(self) -> int: ...


class QuietWatch:
    """Looks at what the proxy counts anyway, so that the hot path has nothing to do for it."""

    def __init__(self, traffic: Callable[[], Traffic], seconds: Callable[[], float], clock: Clock) -> None:
        self._traffic = traffic
        self._seconds = seconds
        self._clock = clock
        self._begun = 0
        self._busy_at = float("-inf")

    def __call__(self) -> bool:
        """Whether it is quiet. Who was not looked at for a long time may have been busy until now."""
        traffic, now = self._traffic(), self._clock.monotonic()
        if traffic.open_turns or traffic.turns != self._begun:
            self._begun = traffic.turns
            self._busy_at = now
        return not traffic.open_turns and now - self._busy_at >= self._seconds()
