"""Two arms side by side: how far they differ, and how sure that is. Pure functions; intervals are of 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from metaclaw_tray.learning.intervals import wilson

# Quantiles of Student's t for two sides of 95 %, by degrees of freedom; between them the smaller one counts,
# which has the wider interval.
_T = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    12: 2.179, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980,
}  # fmt: skip


def mean_interval(values: Sequence[float]) -> tuple[float, float, float] | None:
    """Mean, and the ends of its interval (Student's t); None for fewer than two values."""
    if len(values) < 2:  # one value has no spread
        return None
    mean = fmean(values)
    reach = _t(len(values) - 1) * stdev(values) / sqrt(len(values))
    return mean, mean - reach, mean + reach


def difference(right: int, of: int, other_right: int, other_of: int) -> tuple[float, float]:
    """The interval of the first share less the second (Newcombe 1998, his method 10, from two Wilson
    intervals): from -1 to 1 where there is nothing on one side."""
    if not of or not other_of:
        return -1.0, 1.0
    share, other = right / of, other_right / other_of
    (low, high), (other_low, other_high) = wilson(right, of), wilson(other_right, other_of)
    below = sqrt((share - low) ** 2 + (other_high - other) ** 2)
    above = sqrt((high - share) ** 2 + (other - other_low) ** 2)
    return max(-1.0, share - other - below), min(1.0, share - other + above)


def _t(freedom: int) -> float:
    return _T[max(each for each in _T if each <= freedom)]
