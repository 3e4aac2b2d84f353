"""The scheduler's decision through the lives of people: never in their way, and little is left unused."""

from __future__ import annotations

import os
from datetime import date

import pytest

from metaclaw_tray.omls.simulator import KINDS as NAMES
from metaclaw_tray.omls.simulator.figures import Figures, simulate
from metaclaw_tray.omls.simulator.people import FIRST, KINDS, person
from metaclaw_tray.omls.simulator.timeline import timeline_of

_LATE_WORST = 10.0  # seconds: calls and the network are asked about as often


SEEDS = range(int(os.environ.get("METACLAW_TRAY_SEEDS", "1")))  # of the years; more of them by hand


def lived(kind: str, seed: int, days: int, first: date = FIRST) -> Figures:
    found = simulate(timeline_of(person(kind, seed, days, first)))
    assert found.wrong_seconds == 0, found
    assert found.hasty_starts == 0, found
    assert found.late_worst <= _LATE_WORST, found
    assert found.used_share is not None, found
    assert found.used_share >= 0.95, found
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_some_days_of_each_kind_of_person(kind: str) -> None:
    assert lived(kind, seed=1, days=12).starts > 10


def test_the_people_that_can_be_made_up_are_those_that_a_command_names() -> None:
    assert tuple(KINDS) == NAMES


@pytest.mark.parametrize("first", [date(2026, 3, 27), date(2026, 10, 23)])
def test_the_days_around_a_change_of_the_clocks(first: date) -> None:
    lived("office", seed=2, days=4, first=first)


def test_a_flight_to_another_zone_and_the_nights_there() -> None:
    lived("traveller", seed=1, days=16)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_year_of_each_kind_of_person(kind: str, seed: int) -> None:
    lived(kind, seed, days=365)
