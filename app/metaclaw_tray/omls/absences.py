"""When the person was away, as it is seen look by look: what the forecast's habits are made of."""

from __future__ import annotations

from datetime import datetime, timedelta

from metaclaw_tray.omls.readings import Span, known
from metaclaw_tray.omls.rules import Rules

_EVERY = timedelta(minutes=1)


class Absences:
    """Tells once a minute that the person is away, and since when; and once more when they are back, so that
    an absence ends at the last look that saw it."""

    def __init__(self) -> None:
        self._told: datetime | None = None
        self._untold: Span | None = None

    def seen(self, now: datetime, idle: float | None, rules: Rules) -> Span | None:
        """The absence until now, or the one that is over, where it is time to keep it."""
        idle = known(idle)
        if idle is None or idle < min(rules.idle, rules.sleep_idle):
            over, self._told, self._untold = self._untold, None, None
            return over
        away = Span(now - timedelta(seconds=idle), now)
        if self._told is not None and now - self._told < _EVERY:
            self._untold = away
            return None
        self._told, self._untold = now, None
        return away
