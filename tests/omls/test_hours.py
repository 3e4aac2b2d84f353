"""Sleep hours are the wall clock's: across midnight, across changes of the clock, and where the person is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.omls.hours import DAYS, Hours, hours_of, next_sleep, sleep_around

AMSTERDAM = ZoneInfo("Europe/Amsterdam")
EVERY: Hours = {"every": hours_of("23:00-07:00")}


def at(text: str, zone: ZoneInfo = AMSTERDAM) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("moment", "asleep"),
    [
        ("2026-03-03 22:59", False),
        ("2026-03-03 23:00", True),
        ("2026-03-04 03:00", True),
        ("2026-03-04 06:59", True),
        ("2026-03-04 07:00", False),
    ],
)
def test_a_night_goes_across_midnight(moment: str, asleep: bool) -> None:
    assert (sleep_around(at(moment), EVERY, AMSTERDAM) is not None) is asleep


def test_a_day_of_its_own_replaces_every_days_hours() -> None:
    hours: Hours = {**EVERY, "fri": None, "sat": hours_of("01:00-09:00")}
    assert sleep_around(at("2026-03-06 23:30"), hours, AMSTERDAM) is None
    night = sleep_around(at("2026-03-07 08:59"), hours, AMSTERDAM)
    assert night is not None
    assert night.end == at("2026-03-07 09:00")


@pytest.mark.parametrize(
    ("night", "hours"), [("2026-03-29 04:00", 7), ("2026-10-25 04:00", 9), ("2026-03-10 04:00", 8)]
)
def test_a_night_with_a_change_of_the_clock_is_shorter_or_longer(night: str, hours: int) -> None:
    span = sleep_around(at(night), EVERY, AMSTERDAM)
    assert span is not None
    assert span.length == timedelta(hours=hours)


def test_hours_in_the_hour_that_is_left_out_are_no_night() -> None:
    left_out: Hours = {"every": hours_of("02:15-02:45")}
    span = sleep_around(at("2026-03-29 03:30"), left_out, AMSTERDAM)
    assert span is None or span.length <= timedelta(minutes=30)


def test_who_travels_sleeps_by_the_clock_of_the_place() -> None:
    moment = at("2026-03-04 05:00", ZoneInfo("Asia/Tokyo"))
    assert sleep_around(moment, EVERY, ZoneInfo("Asia/Tokyo")) is not None
    assert sleep_around(moment, EVERY, AMSTERDAM) is None


def test_the_next_night_is_the_first_to_begin() -> None:
    coming = next_sleep(at("2026-03-04 03:00"), EVERY, AMSTERDAM)
    assert coming is not None
    assert coming.begin == at("2026-03-04 23:00")
    assert next_sleep(at("2026-03-04 03:00"), {}, AMSTERDAM) is None


@pytest.mark.parametrize(
    "text", ["23-7", "24:00-07:00", "23:00 - 07:00", "07:00-07:00", "23:60-01:00", "night"]
)
def test_other_words_than_hours_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        hours_of(text)


_times = st.times().map(lambda each: each.replace(second=0, microsecond=0))
_night = st.one_of(st.none(), st.tuples(_times, _times).filter(lambda pair: pair[0] != pair[1]))


@given(
    st.dictionaries(st.sampled_from((*DAYS, "every")), _night),
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(["Europe/Amsterdam", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"]),
)
def test_hours_around_a_moment_hold_it_and_are_no_longer_than_a_day_and_an_hour(
    hours: Hours, moment: datetime, zone: str
) -> None:
    span = sleep_around(moment, hours, ZoneInfo(zone))
    if span is not None:
        assert span.holds(moment)
        assert timedelta() < span.length <= timedelta(hours=25)
    coming = next_sleep(moment, hours, ZoneInfo(zone))
    if coming is not None:
        assert moment < coming.begin
