"""The simulator goes by looks whose outcome it knows: taking each of them comes to the same."""

from __future__ import annotations

from datetime import date

import pytest

from metaclaw_tray.omls.simulator.people import FIRST, KINDS, person
from metaclaw_tray.omls.simulator.running import Simulation
from metaclaw_tray.omls.simulator.timeline import timeline_of


def compared(kind: str, days: int, first: date = FIRST) -> None:
    timeline = timeline_of(person(kind, seed=3, days=days, first=first))
    jumping, looking = Simulation(timeline).run(), Simulation(timeline, jumping=False).run()
    assert [is_open for _, is_open in jumping.opened] == [is_open for _, is_open in looking.opened]
    assert [at for at, _ in jumping.opened] == pytest.approx([at for at, _ in looking.opened], abs=1e-3)
    assert jumping.refusals == looking.refusals
    assert len(jumping.opened) > 4
    assert jumping.looks < looking.looks / 5


@pytest.mark.parametrize("kind", ["traveller", "battery"])
def test_every_look_of_a_day_finds_what_the_simulator_found_without_it(kind: str) -> None:
    compared(kind, 2 if kind == "battery" else 1)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_for_all_kinds_of_people_over_a_week(kind: str) -> None:
    compared(kind, 7)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("first", [date(2026, 3, 27), date(2026, 10, 23)])
def test_the_same_on_nights_that_are_an_hour_shorter_or_longer(first: date) -> None:
    compared("office", 4, first)
