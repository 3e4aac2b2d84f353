"""How sure a figure is: intervals of 95 % around shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

_Z = 1.959964  # of the normal distribution, for 95 %


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    right: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None where there is none of anything."""
        return self.right / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.right, self.of)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.right} of {self.of} [{low:.2f}, {high:.2f}]"


def wilson(right: int, of: int) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927): good for few of few, too, and never outside 0 and 1."""
    if of <= 0:
        return 0.0, 1.0
    share, square = right / of, _Z * _Z
    middle = share + square / (2 * of)
    spread = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    scale = 1 + square / of
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
