"""The simulator goes by looks whose outcome it knows: taking each of them comes to the same."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from metaclaw_tray.omls.simulator.people import FIRST, KINDS, person
from metaclaw_tray.omls.simulator.running import Simulation
from metaclaw_tray.omls.simulator.timeline import Step, timeline_of

THURSDAY = FIRST + timedelta(days=3)


def compared(kind: str, days: int, first: date = FIRST, *steps: float) -> None:
    """`steps` are hours after which the clock is set four minutes wrong, or right again."""
    lines = person(kind, seed=3, days=days, first=first)
    begin = timeline_of(lines).person.begin
    for count, hours in enumerate(steps):
        lines.append(Step(begin + timedelta(hours=hours), -240.0 if count % 2 else 240.0))
    timeline = timeline_of(lines)
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
def test_the_same_for_all_kinds_of_people_around_a_weekend_in_which_the_clock_is_set(kind: str) -> None:
    """The traveller flies on its Sunday."""
    compared(kind, 5, THURSDAY, 31, 58.3)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("first", [date(2026, 3, 27), date(2026, 10, 23)])
def test_the_same_on_nights_that_are_an_hour_shorter_or_longer(first: date) -> None:
    compared("office", 3, first)
