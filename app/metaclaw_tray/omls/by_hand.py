"""What the person asked for by hand, as long as it holds."""

from __future__ import annotations

from datetime import datetime

from metaclaw_tray.omls.readings import Manual


class ByHand:
    """One wish at a time: a later one takes its place."""

    def __init__(self) -> None:
        self._manual = Manual.NOTHING
        self._until: datetime | None = None

    def ask(self, manual: Manual, until: datetime | None = None) -> None:
        """From now on this, until a moment or until something else is asked."""
        self._manual, self._until = manual, until

    def holds(self, now: datetime, unready: str) -> Manual:
        """What holds now. A start ends where the job has nothing (more) to do."""
        over = self._until is not None and now >= self._until
        if over or (self._manual is Manual.START and unready):
            self.ask(Manual.NOTHING)
        return self._manual
