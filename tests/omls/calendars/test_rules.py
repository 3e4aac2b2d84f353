"""Which events are meetings: the table, read row by row; and how meetings become spans."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.omls.calendars.events import Event, whole_days
from metaclaw_tray.omls.calendars.rules import TABLE, is_meeting, meetings_of, rule_for
from metaclaw_tray.settings.model import Calendar

NINE = datetime(2026, 12, 1, 9, tzinfo=UTC)
HOUR, NOTHING = timedelta(hours=1), timedelta()
PLAIN = Calendar(kind="ics")


def event(minutes: float = 0, lasting: float = 60, **known: object) -> Event:
    begin = NINE + timedelta(minutes=minutes)
    return Event(uid="1", begin=begin, end=begin + timedelta(minutes=lasting), **known)  # type: ignore[arg-type]


CASES = {
    "cancelled": event(status="cancelled"),
    "declined": event(response="declined"),
    "place": event(kind="workingLocation"),
    "focus": event(kind="focusTime"),
    "whole days": whole_days("1", date(2026, 12, 1), date(2026, 12, 2)),
    "out of office": event(kind="outOfOffice"),
    "free": event(busy=False),
    "tentative": event(response="tentative"),
    "unanswered": event(response="needsAction"),
    "meeting": event(response="accepted"),
}


def test_each_row_of_the_table_has_a_case_here():
    assert list(CASES) == [row.name for row in TABLE]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_row_that_fits_decides_and_its_setting_says_otherwise(row):
    found = CASES[row.name]
    assert rule_for(found) is row
    assert is_meeting(found, PLAIN) is row.meeting
    if row.setting:
        other = Calendar(kind="ics", **{row.setting: not row.meeting})
        assert is_meeting(found, other) is not row.meeting


def test_settings_and_table_have_the_same_defaults():
    assert {row.setting: row.meeting for row in TABLE if row.setting} == {
        name: getattr(PLAIN, name)
        for name in ("focus", "all_day", "out_of_office", "free", "tentative", "unanswered")
    }


def test_a_cancelled_or_declined_event_is_no_meeting_whatever_else_it_is():
    for kind in ("outOfOffice", "focusTime", "default"):
        assert not is_meeting(event(kind=kind, status="cancelled"), PLAIN)
        assert not is_meeting(event(kind=kind, response="declined"), PLAIN)


def test_a_busy_time_of_a_whole_day_is_taken_for_an_event_of_whole_days():
    assert rule_for(event(lasting=24 * 60)).name == "whole days"


def test_a_whole_day_is_the_day_of_whoever_is_there():
    found = whole_days("1", date(2026, 12, 24), date(2026, 12, 25))
    for name, hour in (("Australia/Brisbane", 14), ("America/Los_Angeles", 8)):
        span = found.span(ZoneInfo(name))
        local = span.begin.astimezone(ZoneInfo(name))
        assert (local.date(), local.hour) == (date(2026, 12, 24), 0)
        assert span.begin.hour == hour
        assert span.length == timedelta(days=1)


def test_a_day_in_which_clocks_change_has_its_own_length():
    found = whole_days("1", date(2026, 10, 25), date(2026, 10, 26))
    assert found.span(ZoneInfo("Europe/Amsterdam")).length == timedelta(hours=25)


def test_buffers_are_taken_off_both_ends():
    (meeting,) = meetings_of([(event(), PLAIN)], UTC, timedelta(minutes=2), timedelta(minutes=5))
    assert meeting.span.begin == NINE + timedelta(minutes=2)
    assert meeting.span.end == NINE + timedelta(minutes=55)


def test_a_meeting_of_which_nothing_is_left_is_none():
    assert meetings_of([(event(lasting=5), PLAIN)], UTC, timedelta(minutes=2), timedelta(minutes=5)) == []


def test_meetings_that_follow_at_once_have_no_gap_between_them():
    found = [(event(0, 60, title="first"), PLAIN), (event(60, 30, title="second"), PLAIN)]
    (meeting,) = meetings_of(found, UTC, timedelta(minutes=2), timedelta(minutes=5))
    assert meeting.span.length == timedelta(minutes=83)
    assert meeting.title == "first, second"


def test_a_title_is_in_no_representation_of_an_event():
    assert "secret plan" not in repr(event(title="secret plan"))


_EVENTS = st.lists(
    st.builds(
        event,
        st.integers(0, 3_000),
        st.integers(0, 600),
        busy=st.booleans(),
        status=st.sampled_from(["confirmed", "tentative", "cancelled"]),
    ),
    max_size=12,
)


@given(_EVENTS, st.integers(0, 60), st.integers(0, 60))
def test_a_moment_is_in_a_meeting_exactly_where_some_event_says_so(events, begins, ends):
    after, before = timedelta(minutes=begins), timedelta(minutes=ends)
    pairs = [(each, PLAIN) for each in events]
    whole = meetings_of(pairs, UTC, NOTHING, NOTHING)
    meetings = [each.span for each in meetings_of(pairs, UTC, after, before)]
    for moment in (NINE + timedelta(minutes=at + 0.5) for at in range(0, 3_700, 37)):
        inside = [each for each in events if is_meeting(each, PLAIN) and each.begin <= moment < each.end]
        assert any(each.span.holds(moment) for each in whole) == bool(inside)
        # A buffer only ever takes away.
        assert not any(each.holds(moment) for each in meetings) or inside
    for earlier, later in itertools.pairwise(meetings):
        assert earlier.end < later.begin or (begins == ends == 0)
    for short in meetings:
        assert any(each.span.begin + after == short.begin for each in whole)
        assert any(each.span.end - before == short.end for each in whole)
