"""Wald's sequential probability ratio test on wins and losses (Annals of Mathematical Statistics 16, 1945).

Each untied pair is a win with probability p. After each one the log of the likelihood ratio of p1 to p0 is
compared with two bounds; the first that is passed decides, so that a clear case takes few pairs. Wald's
bounds keep the chance of a wrong "better" near alpha and that of a wrong "not better" near beta; a test that
is cut off after `most` pairs may end without a decision.

Wald's pairs are independent, and requests that were made from one exchange are not: they tend to win or lose
together. So what the test found is held against exchanges that are drawn anew as a whole (`by_chance`,
`interval`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

_RESAMPLES = 2000
_OUTSIDE = 0.025  # share of the resamples that lies beyond each end of an interval


class Decision(Enum):
    BETTER = "better"  # p1 is taken
    NOT_BETTER = "not better"  # p0 is taken
    OPEN = "open"  # more pairs are needed
    CUT_OFF = "cut off"  # as many pairs as are allowed, and no decision


@dataclass(frozen=True)
class Sprt:
    """The test, and what it has seen. Each `with_pair` makes the next one."""

    p0: float = 0.5  # share of wins where the skill makes no difference
    p1: float = 0.75  # share of wins from which a skill is worth having
    alpha: float = 0.05
    beta: float = 0.2
    most: int = 24  # untied pairs
    wins: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise ValueError("0 < p0 < p1 < 1 must hold")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError("alpha and beta must lie between 0 and 1, and their sum too")

    @property
    def ratio(self) -> float:
        """The log of the likelihood ratio of p1 to p0."""
        win, loss = math.log(self.p1 / self.p0), math.log((1 - self.p1) / (1 - self.p0))
        return self.wins * win + self.losses * loss

    @property
    def bounds(self) -> tuple[float, float]:
        """Between these the test goes on."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def decision(self) -> Decision:
        low, high = self.bounds
        if self.ratio >= high:
            return Decision.BETTER
        if self.ratio <= low:
            return Decision.NOT_BETTER
        return Decision.CUT_OFF if self.wins + self.losses >= self.most else Decision.OPEN

    def with_pair(self, won: bool) -> Sprt:
        """The test after one more untied pair. One that has decided stays as it is."""
        if self.decision is not Decision.OPEN:
            return self
        return Sprt(
            self.p0, self.p1, self.alpha, self.beta, self.most, self.wins + won, self.losses + (not won)
        )

    def with_pairs(self, won: Iterable[bool]) -> Sprt:
        test = self
        for each in won:
            test = test.with_pair(each)
        return test


def by_chance(pairs: Mapping[str, Sequence[int]]) -> float:
    """How likely as many wins net of losses are where the skill makes no difference (1 win, 0 tie, -1 loss).

    Where it makes none, all pairs of an exchange might as well have come out the other way round; so the sign
    of each exchange is drawn anew, in all ways that there are (Fisher's randomisation test, exact).
    """
    nets = [sum(group) for group in pairs.values()]
    chances = {0: 1.0}  # of each sum of the exchanges so far
    for net in nets:
        drawn: dict[int, float] = {}
        for total, chance in chances.items():
            for each in (total + net, total - net):
                drawn[each] = drawn.get(each, 0.0) + chance / 2
        chances = drawn
    return sum(chance for total, chance in chances.items() if total >= sum(nets))


def interval(pairs: Mapping[str, Sequence[int]], seed: str) -> tuple[float, float] | None:
    """95 % interval of the mean of `pairs` (1 win, 0 tie, -1 loss), by resampling whole exchanges: requests
    made from one exchange are alike, and count as one draw. None where there is but one exchange.
    """
    groups = [list(group) for _, group in sorted(pairs.items()) if group]
    if len(groups) < 2:  # one group resampled is the same group again
        return None
    rng = random.Random(seed)  # noqa: S311 it draws samples, and the same ones each time
    means = []
    for _ in range(_RESAMPLES):
        drawn = [value for group in rng.choices(groups, k=len(groups)) for value in group]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    outside = int(_OUTSIDE * _RESAMPLES)
    return means[outside], means[-1 - outside]
