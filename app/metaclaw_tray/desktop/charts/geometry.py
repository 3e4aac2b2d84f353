"""What all layouts are made of: boxes, points, scales and their ticks. Pixels, with y growing downwards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

_FARTHEST = 1e12
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class Point(NamedTuple):
    x: float
    y: float


class Tick(NamedTuple):
    """A place on an axis, and the value that stands there."""

    at: float
    value: float


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)


@dataclass(frozen=True)
class Scale:
    """Takes values from `low` to `high` to pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value stands; where there is but one value, it stands in the middle."""
        if self.high <= self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, wanted: int) -> tuple[Tick, ...]:
        """Round values within the scale, about so many."""
        return tuple(Tick(self.at(value), value) for value in round_values(self.low, self.high, wanted))


def is_drawn(value: float) -> bool:
    """Whether a value has a place on an axis: it is a number, and no wild one."""
    return math.isfinite(value) and abs(value) <= _FARTHEST


def round_step(span: float, wanted: int) -> float:
    """A step of 1, 2, 2.5 or 5 times a power of ten that cuts `span` into at most `wanted` pieces."""
    if span <= 0 or not math.isfinite(span):
        return 1.0
    rough = span / max(1, wanted)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))


def round_values(low: float, high: float, wanted: int, *, whole: bool = False) -> list[float]:
    """Round values from `low` to `high`; with `whole` only whole ones."""
    if not high > low:
        return [low]
    step = round_step(high - low, wanted)
    if whole:
        step = max(1.0, math.ceil(step))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def widened(low: float, high: float, wanted: int) -> tuple[float, float]:
    """The same range out to the next round values, so that no mark lies on the edge."""
    if not high > low:
        around = abs(low) / 2 or 1.0
        return low - around, high + around
    step = round_step(high - low, wanted)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def decimals(step: float) -> int:
    """How many digits behind the point a value needs to be told from its neighbour one step away."""
    if step <= 0 or not math.isfinite(step):
        return 0
    return max(0, min(6, -math.floor(math.log10(step) + 1e-9) + (1 if f"{step:e}".startswith("2.5") else 0)))
