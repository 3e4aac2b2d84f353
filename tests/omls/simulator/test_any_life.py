"""Whatever happens on a day, training is not in the person's way, by the oracle."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from metaclaw_tray.omls.simulator.figures import compare
from metaclaw_tray.omls.simulator.oracle import allowed
from metaclaw_tray.omls.simulator.running import Simulation
from metaclaw_tray.omls.simulator.spans import Spans
from metaclaw_tray.omls.simulator.timeline import (
    Charge,
    During,
    Line,
    Load,
    Meeting,
    Message,
    Person,
    Step,
    What,
    Zone,
    timeline_of,
)

BEGIN = datetime(2026, 3, 28, 12, tzinfo=UTC)  # clocks go forward in the night
_MINUTES = 26 * 60
_LATE_WORST = 10.0  # seconds: calls and the network are asked about as often

_minute = st.floats(0, _MINUTES - 1, allow_nan=False)
_stretch = st.tuples(_minute, st.floats(0.2, 400)).map(lambda each: (each[0], each[0] + each[1]))
_stretches = st.lists(_stretch, max_size=4)


def at(minute: float) -> datetime:
    return BEGIN + timedelta(minutes=minute)


def during(what: What, stretches: list[tuple[float, float]]) -> list[Line]:
    return [During(what, at(begin), at(end)) for begin, end in stretches]


@st.composite
def lives(draw: st.DrawFn) -> list[Line]:
    """Somebody with any settings, to whom anything happens; only nobody touches a machine that sleeps."""
    who = Person(
        "any",
        BEGIN,
        at(_MINUTES),
        zone=draw(st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"])),
        sleep=draw(st.sampled_from([{}, {"every": "23:00-07:00"}, {"sun": "02:30-04:00"}])),
        idle_minutes=draw(st.sampled_from([1.0, 4.0, 15.0])),
        minimum_minutes=draw(st.sampled_from([1.0, 10.0, 40.0])),
        on_battery=draw(st.booleans()),
        local=draw(st.booleans()),
    )
    asleep = Spans(draw(_stretches))
    closed = Spans((begin - 0.1, end + 0.1) for begin, end in asleep)
    lines: list[Line] = [who, *during("suspended", list(asleep))]
    lines += during("input", list(Spans(draw(st.lists(_stretch, max_size=8))) - closed))
    for what in ("locked", "occupied", "battery", "offline", "metered"):
        lines += during(what, draw(_stretches))  # type: ignore[arg-type]
    lines += [Meeting(at(begin), at(end)) for begin, end in draw(_stretches)]
    lines += [
        Message(at(minute)) for minute in draw(st.lists(_minute, max_size=5)) if closed.at(minute) is None
    ]
    lines += [Step(at(minute), draw(st.floats(-600, 600))) for minute in draw(st.lists(_minute, max_size=2))]
    lines += [Zone(at(minute), "Asia/Tokyo") for minute in draw(st.lists(_minute, max_size=1))]
    lines += [Charge(at(minute), draw(st.floats(0, 100))) for minute in draw(st.lists(_minute, max_size=4))]
    lines += [Load(at(minute), draw(st.floats(0, 2))) for minute in draw(st.lists(_minute, max_size=4))]
    return lines


@given(lives())
@settings(max_examples=40, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
def test_nothing_runs_while_somebody_is_there_past_the_reaction_time(lines: list[Line]) -> None:
    timeline = timeline_of(lines)
    found = compare(timeline, Simulation(timeline).run(), allowed(timeline))
    assert found.wrong_seconds == 0
    assert found.hasty_starts == 0
    assert found.late_worst <= _LATE_WORST
