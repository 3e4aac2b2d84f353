"""Whether the machine slept or its clock was set between two looks: two clocks tell, on every system.

Monotonic clocks stand still in sleep on Linux and macOS, so the wall clock is then ahead. On Windows they run
on: there the look itself comes far too late, since no timer fires in sleep.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

TOLERANCE = 5.0
"""Seconds by which the clocks may differ between two looks: they are corrected all the time, a little."""

LATE = 45.0
"""Seconds by which a look may be late on a machine that is only slow."""


@dataclass(frozen=True)
class Moment:
    """A look by both clocks. `wait` is for how many seconds the next one was put off."""

    wall: datetime
    monotonic: float
    wait: float = 0.0


def slept(before: Moment, wall: datetime, monotonic: float) -> timedelta | None:
    """How far the wall clock went that nobody was awake for; None where nothing of the kind happened.

    Negative where the clock was set back.
    """
    passed = monotonic - before.monotonic
    ahead = (wall - before.wall).total_seconds() - passed
    if abs(ahead) > TOLERANCE:
        return timedelta(seconds=ahead)
    late = passed - before.wait
    return timedelta(seconds=late) if late > LATE else None
