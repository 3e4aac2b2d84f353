"""A clock that moves only when told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Starts at a fixed moment; `advance` moves both readings."""

    def __init__(self, start: datetime = datetime(2026, 3, 3, 12, tzinfo=UTC)) -> None:
        self._now = start
        self._seconds = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._seconds

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._seconds += seconds
