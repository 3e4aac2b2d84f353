"""When the person was away, as it is seen look by look: what the forecast's habits are made of."""

from __future__ import annotations

from datetime import datetime, timedelta

from metaclaw_tray.omls.readings import Span, known
from metaclaw_tray.omls.rules import Rules

_EVERY = timedelta(minutes=1)


class Absences:
    """Tells once a minute that the person is away, and since when; the last minute may be missing."""

    def __init__(self) -> None:
        self._told: datetime | None = None

    def seen(self, now: datetime, idle: float | None, rules: Rules) -> Span | None:
        """The absence until now, where it is time to keep it."""
        idle = known(idle)
        if idle is None or idle < min(rules.idle, rules.sleep_idle):
            self._told = None
            return None
        if self._told is not None and now - self._told < _EVERY:
            return None
        self._told = now
        return Span(now - timedelta(seconds=idle), now)
