"""What is forecast rests on calendars, sleep hours and habits, and can be counted on the fingers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.omls.forecast import MEMORY, Habits, next_window
from metaclaw_tray.omls.hours import hours_of
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.table import Kind

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
MINIMUM = timedelta(minutes=15)


def lunches(weeks: int = 6, minutes: int = 60) -> list[Span]:
    """An absence at 12:00 on each workday before MONDAY."""
    days = (MONDAY.replace(hour=12) - timedelta(days=back) for back in range(1, weeks * 7 + 1))
    return [Span(day, day + timedelta(minutes=minutes)) for day in days if day.weekday() < 5]


def test_without_a_record_an_absence_is_taken_to_last_a_while() -> None:
    lasting = Habits([], UTC, MONDAY).lasting(MONDAY, MONDAY - timedelta(minutes=15), MINIMUM)
    assert (lasting.like, lasting.left, lasting.enough) == (0, timedelta(minutes=45), 0.5)


def test_a_lunch_is_expected_to_last_as_lunches_did() -> None:
    habits = Habits(lunches(), UTC, MONDAY)
    noon = MONDAY.replace(hour=12)
    lasting = habits.lasting(noon + timedelta(minutes=15), noon, MINIMUM)
    assert lasting.left == timedelta(minutes=45)
    assert lasting.enough == 26 / 28  # all of 24, with two more of each sort


def test_who_is_mostly_back_soon_is_expected_back_soon() -> None:
    habits = Habits(lunches(minutes=20), UTC, MONDAY)
    noon = MONDAY.replace(hour=12)
    lasting = habits.lasting(noon + timedelta(minutes=15), noon, MINIMUM)
    assert lasting.left == timedelta(minutes=5)
    assert lasting.enough == 2 / 28


def test_an_absence_longer_than_any_before_falls_back_to_the_prior() -> None:
    noon = MONDAY.replace(hour=12)
    lasting = Habits(lunches(), UTC, MONDAY).lasting(noon + timedelta(hours=3), noon, MINIMUM)
    assert lasting.like == 0


def test_a_habit_is_the_next_window_where_nothing_else_comes_first() -> None:
    habits = Habits(lunches(), UTC, MONDAY)
    found = next_window(MONDAY, habits, Rules(), {}, UTC)
    assert found is not None
    assert (found.kind, found.span.begin) == (Kind.IDLE, MONDAY.replace(hour=12, minute=15))
    assert 0.6 < found.confidence < 1


def test_a_meeting_that_is_long_enough_comes_before_a_habit() -> None:
    habits = Habits(lunches(), UTC, MONDAY)
    short = Span(MONDAY + timedelta(minutes=10), MONDAY + timedelta(minutes=19))
    meeting = Span(MONDAY + timedelta(hours=1), MONDAY + timedelta(hours=2))
    found = next_window(MONDAY, habits, Rules(), {}, UTC, [meeting, short])
    assert found is not None
    assert (found.kind, found.span) == (Kind.MEETING, meeting)


def test_the_night_is_the_next_window_of_who_has_sleep_hours_only() -> None:
    found = next_window(MONDAY, Habits([], UTC, MONDAY), Rules(), {"every": hours_of("23:00-07:00")}, UTC)
    assert found is not None
    assert (found.kind, found.span.end) == (Kind.SLEEP, MONDAY.replace(day=3, hour=7))


def test_nothing_is_forecast_from_nothing() -> None:
    assert next_window(MONDAY, Habits([], UTC, MONDAY), Rules(), {}, UTC) is None


def test_old_absences_are_forgotten() -> None:
    old = [Span(MONDAY - MEMORY - timedelta(days=1), MONDAY - MEMORY - timedelta(hours=20))]
    assert Habits(old, UTC, MONDAY).lasting(MONDAY, MONDAY, MINIMUM).like == 0


_spans = st.lists(
    st.tuples(st.integers(0, 60 * 24 * 60), st.integers(1, 24 * 60)).map(
        lambda pair: Span(
            MONDAY - timedelta(minutes=pair[0]),
            MONDAY - timedelta(minutes=pair[0]) + timedelta(minutes=pair[1]),
        )
    ),
    max_size=40,
)


@given(_spans, st.integers(0, 3000), st.integers(0, 167))
def test_shares_are_shares_and_forecasts_lie_ahead(spans: list[Span], gone: int, hour: int) -> None:
    habits = Habits(spans, UTC, MONDAY)
    assert 0 < habits.away_share(MONDAY + timedelta(hours=hour)) < 1
    lasting = habits.lasting(MONDAY, MONDAY - timedelta(minutes=gone), MINIMUM)
    assert lasting.left > timedelta()
    assert 0 <= lasting.enough <= 1
    found = next_window(MONDAY, habits, Rules(), {"every": hours_of("23:00-07:00")}, UTC)
    assert found is not None
    assert found.span.begin > MONDAY
    assert found.span.length >= Rules().minimum
