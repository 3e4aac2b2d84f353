"""Absences are kept as they go on, and end where they were last seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from metaclaw_tray.omls.absences import Absences
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.rules import Rules

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def seen(absences: Absences, minute: float, idle: float | None) -> Span | None:
    """A look so many minutes after noon; minutes of idleness."""
    return absences.seen(NOON + timedelta(minutes=minute), None if idle is None else idle * 60, Rules())


def since_noon(minutes: float) -> Span:
    return Span(NOON, NOON + timedelta(minutes=minutes))


def test_an_absence_is_told_once_a_minute_while_it_goes_on() -> None:
    absences = Absences()
    assert seen(absences, 4.5, 4.5) is None
    assert seen(absences, 5, 5) == since_noon(5)
    assert seen(absences, 5.5, 5.5) is None
    assert seen(absences, 6, 6) == since_noon(6)


def test_who_is_back_was_away_until_the_last_look_that_found_nobody() -> None:
    absences = Absences()
    seen(absences, 5, 5)
    seen(absences, 5.75, 5.75)
    assert seen(absences, 5.9, 0.01) == since_noon(5.75)
    assert seen(absences, 6.9, 0.5) is None


def test_what_was_told_already_is_not_told_again_at_the_return() -> None:
    absences = Absences()
    seen(absences, 5, 5)
    assert seen(absences, 5.1, 0) is None


def test_where_idleness_can_no_longer_be_seen_an_absence_ends_at_the_last_look() -> None:
    absences = Absences()
    seen(absences, 5, 5)
    seen(absences, 5.75, 5.75)
    assert seen(absences, 5.8, None) == since_noon(5.75)
