"""Charts laid out as plain figures: no screen, no Qt."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.desktop.charts.bars import lay_bars
from metaclaw_tray.desktop.charts.day import Stretch, lay_day
from metaclaw_tray.desktop.charts.geometry import Box, Scale, decimals, round_values, widened
from metaclaw_tray.desktop.charts.lines import Value, lay_lines
from metaclaw_tray.desktop.charts.multiples import columns_for

BOX = Box(40, 10, 300, 100)
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
MIDNIGHT = NOON.replace(hour=0)
finite = st.floats(-1e9, 1e9, allow_nan=False)
anything = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize(
    ("low", "high", "wanted", "values"),
    [
        (0, 1, 4, [0, 0.25, 0.5, 0.75, 1]),
        (0, 0.15, 4, [0, 0.05, 0.1, 0.15]),
        (3, 97, 5, [20, 40, 60, 80]),
        (5, 5, 4, [5]),
        (-1, 1, 4, [-1, -0.5, 0, 0.5, 1]),
    ],
)
def test_ticks_stand_at_round_values(low: float, high: float, wanted: int, values: list[float]) -> None:
    assert round_values(low, high, wanted) == pytest.approx(values)


def test_steps_are_marked_at_whole_numbers_only() -> None:
    assert round_values(1, 3, 5, whole=True) == [1, 2, 3]
    assert round_values(1, 400, 5, whole=True) == [100, 200, 300, 400]


@pytest.mark.parametrize(
    ("step", "digits"), [(1, 0), (20, 0), (0.5, 1), (0.25, 2), (0.05, 2), (2.5, 1), (0.001, 3)]
)
def test_labels_have_as_many_digits_as_tell_them_apart(step: float, digits: int) -> None:
    assert decimals(step) == digits


@given(finite, finite, st.integers(1, 12))
def test_a_widened_range_holds_what_it_was_made_of(one: float, other: float, wanted: int) -> None:
    low, high = widened(min(one, other), max(one, other), wanted)
    span = max(1.0, abs(low), abs(high)) * 1e-6
    assert low <= min(one, other) + span
    assert high >= max(one, other) - span
    assert low < high


def test_a_scale_of_one_value_puts_it_in_the_middle() -> None:
    assert Scale(3, 3, 0, 100).at(3) == 50


def test_a_line_goes_from_left_to_right_and_larger_is_higher() -> None:
    laid = lay_lines([Value(1, 0.2), Value(2, 0.4), Value(3, 0.8)], BOX)
    assert laid.places[0] is not None
    assert laid.places[2] is not None
    assert (laid.places[0].x, laid.places[2].x) == (BOX.x, BOX.right)
    assert laid.places[0].y > laid.places[2].y
    assert len(laid.runs) == 1
    assert laid.bands == ()


def test_what_is_not_known_breaks_the_line() -> None:
    laid = lay_lines([Value(1, 1), Value(2, math.nan), Value(3, 1), Value(4, math.inf)], BOX)
    assert [len(run) for run in laid.runs] == [1, 1]
    assert laid.places[1] is laid.places[3] is None


def test_a_band_runs_along_its_upper_edge_and_back_along_the_lower() -> None:
    laid = lay_lines([Value(1, 5, 4, 6), Value(2, 5, 3, 7)], BOX)
    (band,) = laid.bands
    assert [point.x for point in band] == [BOX.x, BOX.right, BOX.right, BOX.x]
    assert band[0].y < band[3].y
    assert band[1].y < band[2].y


def test_a_limit_is_in_sight_however_far_off() -> None:
    laid = lay_lines([Value(1, 0.01), Value(2, 0.02)], BOX, from_zero=True, limit=0.15)
    assert laid.limit is not None
    assert BOX.y <= laid.limit < min(place.y for place in laid.places if place is not None)


@given(st.lists(st.builds(Value, finite, anything, anything | st.none(), anything | st.none()), max_size=20))
def test_every_line_stays_in_its_box(values: list[Value]) -> None:
    laid = lay_lines(values, BOX)
    points = [*(each for each in laid.places if each), *(each for run in laid.bands for each in run)]
    for each in points:
        assert BOX.x - 0.01 <= each.x <= BOX.right + 0.01
        assert BOX.y - 0.01 <= each.y <= BOX.bottom + 0.01


def test_bars_stand_on_zero_and_a_little_is_seen() -> None:
    laid = lay_bars([0, 0.001, 1.0], BOX, limit=2.0)
    nothing, little, most = laid.bars
    assert nothing.height == 0
    assert little.height == 2
    assert most.bottom == little.bottom == BOX.bottom
    assert laid.limit is not None
    assert laid.limit < most.y


@given(st.lists(anything, max_size=40), st.none() | st.floats(0, 1e6))
def test_every_bar_stays_in_its_box(values: list[float], limit: float | None) -> None:
    for each in lay_bars(values, BOX, limit=limit).bars:
        assert BOX.x - 0.01 <= each.x
        assert each.right <= BOX.right + 0.01
        assert BOX.y - 0.01 <= each.y
        assert each.bottom <= BOX.bottom + 0.01


def test_a_stretch_lies_where_its_hours_are_and_is_seen_however_short() -> None:
    laid = lay_day(
        [
            Stretch(0, NOON, NOON + timedelta(hours=6)),
            Stretch(1, NOON, NOON),
            Stretch(1, MIDNIGHT - timedelta(hours=3), MIDNIGHT + timedelta(hours=6)),
            Stretch(0, MIDNIGHT + timedelta(hours=24), MIDNIGHT + timedelta(hours=25)),
        ],
        MIDNIGHT,
        MIDNIGHT + timedelta(days=1),
        BOX,
        lanes=2,
        now=NOON,
        zone=UTC,
    )
    afternoon, moment, over_midnight, tomorrow = laid.stretches
    assert afternoon is not None
    assert (afternoon.x, afternoon.width) == (190, 75)
    assert moment is not None
    assert (moment.width, moment.y) == (3, laid.lanes[1].y)
    assert over_midnight is not None
    assert (over_midnight.x, over_midnight.width) == (BOX.x, 75)
    assert tomorrow is None
    assert laid.now == 190
    assert [hour.moment.hour for hour in laid.hours] == [0, 3, 6, 9, 12, 15, 18, 21, 0]


@pytest.mark.parametrize(("day", "hours"), [((2026, 3, 29), 23), ((2026, 10, 25), 25)])
def test_hours_are_marked_by_the_clock_on_the_wall_when_it_is_set(
    day: tuple[int, int, int], hours: int
) -> None:
    zone = ZoneInfo("Europe/Amsterdam")
    begin, end = datetime(*day, tzinfo=zone), datetime(day[0], day[1], day[2] + 1, tzinfo=zone)
    laid = lay_day([], begin, end, BOX, lanes=1, zone=zone)
    assert {hour.moment.astimezone(zone).hour % 3 for hour in laid.hours} == {0}
    assert laid.hours[0].at == BOX.x
    assert laid.hours[-1].at == BOX.right
    per_hour = BOX.width / hours
    assert laid.hours[2].at - laid.hours[1].at == pytest.approx(3 * per_hour)


def test_now_is_of_this_day_only() -> None:
    assert lay_day([], MIDNIGHT, NOON, BOX, lanes=1, now=NOON + timedelta(hours=1)).now is None


@pytest.mark.parametrize(
    ("width", "count", "columns"),
    [(200, 3, 1), (560, 3, 2), (560, 4, 2), (820, 3, 3), (2000, 2, 2), (10, 0, 1)],
)
def test_small_multiples_stand_in_full_rows(width: float, count: int, columns: int) -> None:
    assert columns_for(width, count) == columns
