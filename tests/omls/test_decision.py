"""A window opens on each sign of absence, never under a veto, and closes on the return its kind knows."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.omls.decision import Decision, decide, next_look
from metaclaw_tray.omls.readings import Manual, Readings
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.table import SIGNALS, VETOES, Ending, Kind
from omls.looks import NOON, around, away, readings

RULES = Rules()
CLOSED = Decision.first(NOON - timedelta(hours=1))


def opened(*, by: Readings, rules: Rules = RULES) -> Decision:
    decision = decide(by, rules, CLOSED)
    assert decision.open
    return decision


SIGNS: dict[Kind, dict[str, Any]] = {
    Kind.MANUAL: {"manual": Manual.START, "idle": 0.0},
    Kind.MEETING: {"meeting": around(NOON), "idle": 0.0},
    Kind.SLEEP: {"sleep": around(NOON), "idle": 300.0},
    Kind.LOCKED: {"locked": True, "idle": 10.0},
    Kind.IDLE: {"idle": 900.0},
}
"""What makes each kind of window, and nothing else."""

RETURNS: dict[Ending, dict[str, Any]] = {
    Ending.STOP: {"manual": Manual.STOP},
    Ending.INPUT: {"idle": 0.0},
    Ending.EXCHANGE: {"exchange": 0.0},
    Ending.UNLOCKING: {"locked": False, "idle": 0.0},
    Ending.CALL: {"occupied": True},
    Ending.HOURS: {"meeting": None, "sleep": None, "idle": 0.0},
}

FORBIDDING: dict[str, dict[str, Any]] = {
    "stopped": {"manual": Manual.STOP},
    "unready": {"unready": "no key for the engine"},
    "stepped": {"stepped": True},
    "exchange": {"exchange": 119.0},
    "offline": {"online": False},
    "metered": {"metered": True},
    "battery": {"mains": False},
    "drained": {"mains": False, "battery": 20.0},
    "load": {"local": True, "load": 0.9},
    "short": {"forecast": NOON + timedelta(minutes=9)},
}


def test_every_row_of_the_table_is_tried_here() -> None:
    assert set(SIGNS) == {signal.kind for signal in SIGNALS} == set(Kind)
    assert set(FORBIDDING) == {veto.name for veto in VETOES}
    assert set(RETURNS) == set(Ending)


@pytest.mark.parametrize("kind", Kind)
def test_each_sign_of_absence_opens_a_window_of_its_kind(kind: Kind) -> None:
    decision = opened(by=away(**SIGNS[kind]))
    assert decision.kind is kind


@pytest.mark.parametrize(
    ("kind", "ending"), [(signal.kind, ending) for signal in SIGNALS for ending in signal.ended_by]
)
def test_a_window_ends_by_what_its_row_says(kind: Kind, ending: Ending) -> None:
    window = opened(by=away(**SIGNS[kind]))
    back = away(NOON + timedelta(seconds=1), **(SIGNS[kind] | RETURNS[ending]))
    assert not decide(back, RULES, window).open


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        (signal.kind, ending)
        for signal in SIGNALS
        for ending in (Ending.INPUT, Ending.CALL)
        if ending not in signal.ended_by
    ],
)
def test_a_window_is_not_ended_by_what_its_row_leaves_out(kind: Kind, other: Ending) -> None:
    """Who types notes in a meeting, or bumps the mouse of a locked screen, is still away."""
    window = opened(by=away(**SIGNS[kind]))
    still = away(NOON + timedelta(seconds=1), **(SIGNS[kind] | RETURNS[other]))
    assert decide(still, RULES, window).open


@pytest.mark.parametrize("veto", VETOES, ids=lambda veto: veto.name)
@pytest.mark.parametrize("kind", Kind)
def test_no_window_opens_under_a_veto(kind: Kind, veto: Any) -> None:
    rules = replace(RULES, on_battery=veto.name == "drained")
    forbidding = FORBIDDING[veto.name]
    if veto.name == "short" and kind in (Kind.MEETING, Kind.SLEEP):
        soon = around(NOON, after=0.1)
        forbidding = {"meeting": soon} if kind is Kind.MEETING else {"sleep": soon}
    decision = decide(away(**(SIGNS[kind] | forbidding)), rules, CLOSED)
    overruled = kind is Kind.MANUAL and veto.overruled
    assert decision.open is overruled
    assert (veto.name in decision.vetoes) is not overruled


@pytest.mark.parametrize(
    "veto", [veto for veto in VETOES if veto.name != "short"], ids=lambda veto: veto.name
)
def test_a_veto_closes_an_open_window(veto: Any) -> None:
    rules = replace(RULES, on_battery=veto.name == "drained")
    window = opened(by=away(), rules=rules)
    at = NOON + timedelta(seconds=1)
    assert not decide(away(at, **FORBIDDING[veto.name]), rules, window).open


def test_an_open_window_is_not_closed_for_being_nearly_over() -> None:
    window = opened(by=away(meeting=around(NOON), idle=0.0))
    late = away(NOON + timedelta(minutes=119), meeting=around(NOON), idle=0.0)
    assert decide(late, RULES, window).open


def test_idleness_is_dated_back_to_the_last_input() -> None:
    assert opened(by=away(idle=900.0)).away_since == NOON - timedelta(seconds=900)


def test_a_meeting_that_ends_while_nobody_is_there_goes_on_as_idleness() -> None:
    window = opened(by=away(meeting=around(NOON), idle=3600.0))
    after = decide(away(NOON + timedelta(hours=2), idle=10_800.0), RULES, window)
    assert (after.open, after.kind, after.since) == (True, Kind.IDLE, window.since)


def test_sleep_hours_do_not_win_over_a_person_at_work() -> None:
    assert not decide(away(sleep=around(NOON), idle=20.0), RULES, CLOSED).open


def test_sleep_hours_count_unseen_only_where_the_person_said_so() -> None:
    unseen = away(sleep=around(NOON), idle=None)
    assert not decide(unseen, RULES, CLOSED).open
    assert decide(replace(unseen, sleep_trusted=True), RULES, CLOSED).open


def test_after_a_flicker_of_the_mains_a_window_waits_until_it_has_settled() -> None:
    decision = opened(by=away())
    at = NOON
    seen = []
    for second in range(1, 40):
        at = NOON + timedelta(seconds=second)
        decision = decide(away(at, mains=second > 3), RULES, decision)
        seen.append(decision.open)
    assert seen.index(True) == 32  # the 33rd second: 30 after the last look without mains
    assert not any(seen[:32])
    assert decision.since == NOON + timedelta(seconds=33)


def test_a_battery_near_its_floor_neither_opens_nor_closes_a_window() -> None:
    rules = replace(RULES, on_battery=True, battery_floor=50.0)
    near = away(mains=False, battery=52.0)
    assert not decide(near, rules, CLOSED).open
    window = opened(by=away(mains=False, battery=80.0), rules=rules)
    assert decide(replace(near, at=NOON + timedelta(seconds=1)), rules, window).open


def test_who_wakes_the_machine_is_there_however_long_nobody_typed() -> None:
    woken = decide(away(idle=30_000.0, stepped=True), RULES, CLOSED)
    assert not woken.open
    later = NOON + timedelta(minutes=10)
    assert not decide(away(later, idle=30_600.0), RULES, woken).open
    later = NOON + timedelta(minutes=15)
    assert decide(away(later, idle=30_900.0), RULES, woken).open


def test_a_clock_set_back_is_taken_for_a_return() -> None:
    window = opened(by=away())
    back = decide(away(NOON - timedelta(days=1), idle=3600.0), RULES, window)
    assert not back.open
    assert back.returned_at == NOON - timedelta(days=1)


@given(readings(), st.booleans())
def test_never_open_under_a_veto_or_without_a_sign(look: Readings, was_open: bool) -> None:
    before = replace(CLOSED, open=was_open)
    decision = decide(look, RULES, before)
    if decision.open:
        assert decision.reasons
        assert not decision.vetoes
        manual = decision.kind is Kind.MANUAL
        assert manual or (look.exchange is not None and look.exchange >= 120)
        assert look.manual is not Manual.STOP
        assert not look.unready
        assert manual or look.stepped is False
        assert manual or look.mains is True
    else:
        assert decision.vetoes or not decision.reasons


UNKNOWABLE = (
    "idle",
    "locked",
    "occupied",
    "meeting",
    "sleep",
    "exchange",
    "mains",
    "battery",
    "online",
    "metered",
)


@given(readings(), st.sets(st.sampled_from((*UNKNOWABLE, "load", "forecast"))), st.booleans())
def test_a_missing_reading_never_opens_a_window(look: Readings, missing: set[str], as_nan: bool) -> None:
    look = replace(look, sleep_trusted=False)
    numbers = {"idle", "exchange", "battery", "load"}
    less = replace(look, **{name: math.nan if as_nan and name in numbers else None for name in missing})
    assert decide(look, RULES, CLOSED).open or not decide(less, RULES, CLOSED).open


@given(readings(), st.timedeltas(timedelta(days=-400), timedelta(seconds=-1)), st.booleans())
def test_a_step_of_the_clock_never_opens_a_window(look: Readings, step: timedelta, told: bool) -> None:
    before = replace(CLOSED, at=look.at - step if not told else CLOSED.at)
    decision = decide(replace(look, stepped=told), RULES, before)
    assert not decision.open or decision.kind is Kind.MANUAL


@given(st.lists(readings(), min_size=1, max_size=8))
def test_return_always_closes(looks: list[Readings]) -> None:
    """Whatever was before: a touched key or a message ends every window that nobody ordered by hand."""
    decision = CLOSED
    for second, look in enumerate(looks):
        decision = decide(replace(look, at=NOON + timedelta(seconds=second)), RULES, decision)
    back = away(NOON + timedelta(seconds=len(looks)), idle=0.0, exchange=0.0)
    assert not decide(back, RULES, decision).open


@given(readings(), readings())
def test_deciding_again_by_the_same_look_changes_nothing(first: Readings, look: Readings) -> None:
    once = decide(look, RULES, decide(first, RULES, CLOSED))
    again = decide(look, RULES, once)
    assert (again.open, again.reasons) == (once.open, once.reasons) or look.stepped
    assert again.since == once.since or look.stepped


@given(readings())
def test_the_next_look_is_soon_in_a_window_and_never_far(look: Readings) -> None:
    decision = decide(look, RULES, CLOSED)
    seconds = next_look(look, RULES, decision)
    assert 1 <= seconds <= 30
    assert not decision.open or seconds == 1


@given(st.floats(0, 2000))
def test_the_threshold_of_idleness_is_met_within_a_second(idle: float) -> None:
    """Looks come so that idleness is never seen more than a second late."""
    at, seen = NOON, idle
    decision = CLOSED
    for _ in range(200):
        look = away(at, idle=seen)
        decision = decide(look, RULES, decision)
        if decision.open:
            break
        seconds = next_look(look, RULES, decision)
        at, seen = at + timedelta(seconds=seconds), seen + seconds
    assert decision.open
    assert seen <= max(RULES.idle, idle) + 1


def test_readings_have_no_field_that_the_tests_do_not_know() -> None:
    drawn = {each.name for each in fields(Readings)}
    assert drawn == {
        *UNKNOWABLE,
        "load",
        "forecast",
        "at",
        "sleep_trusted",
        "local",
        "manual",
        "stepped",
        "unready",
    }


def test_a_decision_is_all_that_is_remembered() -> None:
    """Looks after a restart go on from the stored decision as if nothing had happened."""
    window = opened(by=away())
    copy = Decision(**{each.name: getattr(window, each.name) for each in fields(Decision)})
    look = away(NOON + timedelta(seconds=1))
    assert decide(look, RULES, copy) == decide(look, RULES, window)
    assert isinstance(copy.since, datetime)
