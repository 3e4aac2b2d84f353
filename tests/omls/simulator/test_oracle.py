"""The oracle says what is allowed, by the truth alone: days that one can reckon by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from metaclaw_tray.omls.simulator.oracle import allowed
from metaclaw_tray.omls.simulator.timeline import (
    Charge,
    During,
    Line,
    Load,
    Meeting,
    Message,
    Person,
    Step,
    Timeline,
    Zone,
    timeline_of,
)

MIDNIGHT = datetime(2026, 5, 4, tzinfo=UTC)


def at(hour: float) -> datetime:
    return MIDNIGHT + timedelta(hours=hour)


def lived(*lines: Line, **set_: object) -> Timeline:
    """A day on which keys are touched at 8:00, and from then on what the lines say."""
    who = Person("test", MIDNIGHT, at(24), **set_)  # type: ignore[arg-type]
    return timeline_of([who, During("input", at(0), at(8)), *lines])


def owed(*lines: Line, **set_: object) -> list[tuple[float, float]]:
    """In hours of the day."""
    return _hours(allowed(lived(*lines, **set_)).owed)


def _hours(spans: object) -> list[tuple[float, float]]:
    start = MIDNIGHT.timestamp()
    return [((begin - start) / 3600, (end - start) / 3600) for begin, end in spans]  # type: ignore[attr-defined]


def test_a_quarter_of_an_hour_after_the_last_touch_until_the_next() -> None:
    assert owed(During("input", at(10), at(24))) == [(8.25, 10)]


def test_in_sleep_hours_five_minutes_are_enough() -> None:
    night = owed(During("input", at(10), at(24)), sleep={"every": "07:00-09:00"})
    assert night == [(pytest.approx(8 + 5 / 60), 10)]


def test_a_stretch_shorter_than_the_smallest_window_is_not_owed() -> None:
    assert owed(During("input", at(8.4), at(24))) == []


def test_locked_is_away_at_once_and_unlocked_is_not() -> None:
    lines = During("locked", at(9), at(9.5)), During("input", at(8), at(9)), During("input", at(9.5), at(24))
    assert owed(*lines) == [(9, 9.5)]


def test_in_a_meeting_less_its_buffers_whatever_is_typed_and_not_after_a_message() -> None:
    typing = During("input", at(8), at(24))
    (window,) = owed(typing, Meeting(at(10), at(11)))
    assert window == (pytest.approx(10 + 2 / 60), pytest.approx(11 - 5 / 60))
    first, second = owed(typing, Meeting(at(10), at(11)), Message(at(10.5)))
    assert first[1] == 10.5
    assert second[0] == pytest.approx(10.5 + 2 / 60)


def test_what_agents_do_by_themselves_is_no_presence() -> None:
    assert owed(During("input", at(10), at(24)), Message(at(9), by="agent")) == [(8.25, 10)]


def test_a_call_is_presence_though_nobody_types() -> None:
    assert owed(During("input", at(12), at(24)), During("occupied", at(9), at(10))) == [(8.25, 9), (10, 12)]


@pytest.mark.parametrize("what", ["battery", "offline", "metered"])
def test_what_the_machine_forbids_it_by_must_be_over_for_half_a_minute(what: str) -> None:
    forbidden = During(what, at(9), at(10))  # type: ignore[arg-type]
    first, second = owed(During("input", at(12), at(24)), forbidden)
    assert first == (8.25, 9)
    assert second == (pytest.approx(10 + 30 / 3600), 12)


def test_a_battery_needs_some_percent_more_to_begin_than_to_go_on() -> None:
    charge = [Charge(at(8), 53), Charge(at(9), 56), Charge(at(10), 51), Charge(at(11), 49)]
    (window,) = owed(
        During("battery", at(0), at(24)), During("input", at(12), at(24)), *charge, on_battery=True
    )
    assert window == (pytest.approx(9 + 30 / 3600), 11)


def test_the_load_of_others_counts_where_the_engine_is_here() -> None:
    load = [Load(at(9), 0.6), Load(at(10), 0.7), Load(at(11), 0.1)]
    lines = [*load, During("input", at(12), at(24))]
    assert owed(*lines) == [(8.25, 12)]
    assert owed(*lines, local=True) == [(8.25, 10), (pytest.approx(11 + 30 / 3600), 12)]


def test_who_wakes_the_machine_is_there() -> None:
    lines = During("suspended", at(9), at(11)), During("input", at(13), at(24))
    assert owed(*lines) == [(8.25, 9), (11.25, 13)]


def test_who_sets_its_clock_is_there_and_sleep_hours_follow_it() -> None:
    asleep = {"every": "10:00-11:00"}
    lines = Step(at(9.9), 1800), During("input", at(10.01), at(24))
    (early,) = owed(*lines, idle_minutes=480, sleep=asleep, minimum_minutes=1)
    assert early == (pytest.approx(9.9 + 5 / 60), pytest.approx(10.01))


@pytest.mark.parametrize(("day", "first", "hours"), [("2026-03-28", 22, 7), ("2026-10-24", 21, 9)])
def test_a_night_in_which_clocks_change_is_an_hour_shorter_or_longer(
    day: str, first: int, hours: int
) -> None:
    begin = datetime.fromisoformat(f"{day}T{first}:00:00Z")
    waking = During("input", begin + timedelta(hours=1.5), begin + timedelta(hours=1.6))
    who = Person("test", begin, begin + timedelta(hours=12), zone="Europe/Berlin")
    (_, _), (_, end), *_ = allowed(_one_night(begin, who, waking)).stays
    assert end - begin.timestamp() == hours * 3600


def test_sleep_hours_are_those_of_the_place() -> None:
    day = datetime(2026, 5, 4, 12, tzinfo=UTC)
    who = Person("test", day, day + timedelta(days=1), zone="Europe/Berlin")
    timeline = _one_night(day, who, Zone(day + timedelta(hours=5), "Asia/Tokyo"))
    assert [datetime.fromtimestamp(begin, UTC).hour for begin, _ in allowed(timeline).owed] == [17]


def _one_night(day: datetime, who: Person, *lines: Line) -> Timeline:
    """A person whose keys are pressed but in the sleep hours, by truth, and for whom only those count."""
    set_ = Person(who.kind, who.begin, who.end, who.zone, {"every": "23:00-07:00"}, idle_minutes=480)
    return timeline_of([set_, *lines, During("input", day - timedelta(hours=9), day)])
