"""Learning, when a person wants to see it."""

from __future__ import annotations

from datetime import datetime

from metaclaw_tray.admin.api.base import Row, Verb


class LearnStatus(Row, frozen=True):
    ready: bool
    why_not: str  # why learning waits
    judging: int  # turns that wait for a verdict
    judged: int
    unscored: int
    clusters: list[str]  # kinds of failure that are gathering, with their counts
    last_run: str
    last_run_at: datetime | None


class ShowLearnStatus(Verb[LearnStatus], frozen=True, tag="learn.status"):
    pass


class LearnOutcome(Row, frozen=True):
    judged: int
    proposals: list[str]  # ids of all that wait for the person now
    notes: list[str]  # what was not done, and why


class LearnNow(Verb[LearnOutcome], frozen=True, tag="learn.now"):
    """Judge what waits and run the evolver, telling each step."""
