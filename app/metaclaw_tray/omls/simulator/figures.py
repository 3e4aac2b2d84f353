"""What the real decision did, held against what is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from metaclaw_tray.omls.rules import REACTION
from metaclaw_tray.omls.simulator.oracle import Allowed, allowed
from metaclaw_tray.omls.simulator.running import Outcome, Simulation, Start
from metaclaw_tray.omls.simulator.spans import Spans
from metaclaw_tray.omls.simulator.timeline import Timeline
from metaclaw_tray.omls.table import Kind

SLACK = 0.001
"""Seconds that reckoning with floats of this size may be off."""


class Figures(msgspec.Struct, frozen=True):
    """Of one year.

    Attributes:
        wrong_seconds: Used while the person was there, past the reaction time.
        late_seconds: Used while the machine forbade it (power, network, load), or in a call that began
            without a touch, past the reaction time: but for power they are asked about each 5 or 10 seconds.
        late_worst: The longest of these.
        owed_hours: What is allowed, by the oracle.
        used_share: How much of that was used, 0 to 1; None where nothing is allowed.
        starts: Windows.
        early_ends: Those that were shorter than the smallest window.
        hasty_starts: Those whose expected length was below the smallest window; none should be.
        expected_reached: Share of the windows by habits that lasted as long as expected; seven of ten should.
        minimum_said: How likely habits held those windows to reach the minimum, on average.
        minimum_reached: How many did.
        refusals: How often the person was away and no window opened, by the first reason.
        looks: Those that were taken; others were known to find the same.
    """

    kind: str
    days: float
    wrong_seconds: float
    late_seconds: float
    late_worst: float
    owed_hours: float
    used_share: float | None
    starts: int
    early_ends: int
    hasty_starts: int
    expected_reached: float | None
    minimum_said: float | None
    minimum_reached: float | None
    refusals: dict[str, int]
    looks: int


def simulate(timeline: Timeline) -> Figures:
    """Run the year and compare."""
    return compare(timeline, Simulation(timeline).run(), allowed(timeline))


def compare(timeline: Timeline, outcome: Outcome, truth: Allowed) -> Figures:
    """The figures of a year that was run."""
    reaction, minimum = REACTION.total_seconds(), timeline.person.minimum_minutes * 60
    waking = Spans((at, at + reaction) for at in truth.wakes)
    wrong = _beyond(outcome.used & truth.present, reaction) - waking
    late = _beyond(outcome.used - truth.stays, reaction) - waking - wrong
    guessed = [each for each in outcome.starts if each.enough is not None and each.closed < math.inf]
    owed = truth.owed.seconds
    return Figures(
        kind=timeline.person.kind,
        days=(timeline.end - timeline.begin) / 86_400,
        wrong_seconds=round(_beyond_slack(wrong), 3),
        late_seconds=round(_beyond_slack(late), 3),
        late_worst=round(max((end - begin for begin, end in late), default=0.0), 3),
        owed_hours=owed / 3600,
        used_share=(outcome.used & truth.owed).seconds / owed if owed else None,
        starts=len(outcome.starts),
        early_ends=sum(each.closed - each.at < minimum for each in outcome.starts),
        hasty_starts=sum(each.expected < minimum for each in outcome.starts),
        expected_reached=_share([each.closed - each.at >= each.expected for each in guessed]),
        minimum_said=_mean([each.enough for each in guessed if each.enough is not None]),
        minimum_reached=_share([_reached(each, minimum) for each in guessed]),
        refusals=dict(outcome.refusals.most_common()),
        looks=outcome.looks,
    )


def by_kind(outcome: Outcome) -> dict[Kind, int]:
    """How many windows there were of each kind."""
    return {kind: sum(each.kind is kind for each in outcome.starts) for kind in Kind}


def _beyond(spans: Spans, seconds: float) -> Spans:
    """What of each piece comes after its first seconds."""
    return Spans((begin + seconds, end) for begin, end in spans)


def _beyond_slack(spans: Spans) -> float:
    return sum(end - begin for begin, end in spans if end - begin > SLACK)


def _reached(start: Start, minimum: float) -> bool:
    return start.closed - start.at >= minimum


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def _mean(found: Sequence[float]) -> float | None:
    return math.fsum(found) / len(found) if found else None
