"""From graded pairs to a word that a person understands. Pure.

Only held-out and synthetic requests count, in the order in which they were asked. The sequential test says
when to stop; where it says "better" but too little of that came from the person's own requests, or where the
requests ran out first, the skill is promising at most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any

from metaclaw_tray.learning.grading import Graded, Mark
from metaclaw_tray.learning.probes import Origin, Probe
from metaclaw_tray.learning.sprt import Decision, Sprt, by_chance, interval
from metaclaw_tray.store.outcomes import Outcome

NET_LOSSES = 2
"""More losses than wins from which a skill is worse: on near requests it stops the measuring at once."""

HELD_OUT_LEAST = 2
"""Untied pairs of the person's own without which nothing is measured better: one can be luck."""

PROMISING_SHARE = 0.5
"""Of the judged requests that count, on which a promising skill must be better."""


class Stop(StrEnum):
    """Why measuring ended."""

    DECIDED = "the test decided"
    CUT_OFF = "as many pairs as are allowed"
    NO_MORE = "there were no more requests"
    HARM = "it did harm"
    SPENT = "what it was to take at most was used up"


@dataclass(frozen=True)
class Replay:
    """One request, answered without the skill and with it, and graded."""

    probe: Probe
    without: str
    with_skill: str
    graded: Graded

    def told(self) -> dict[str, Any]:
        """As it is kept beside the proposal, for the person to read."""
        return {
            "origin": self.probe.origin.value,
            "exchange": self.probe.exchange,
            "request": self.probe.request,
            "remark": self.probe.remark.said,
            "without_answer": self.without,
            "with_answer": self.with_skill,
            "without_score": self.graded.without,
            "with_score": self.graded.with_skill,
            "mark": self.graded.mark.value,
            "how": self.graded.how,
            "orders": list(self.graded.orders),
            "tools": bool(self.probe.tools),
        }


class Tally:
    """What was found so far."""

    def __init__(self, seed: str, replays: Iterable[Replay] = ()) -> None:
        """`seed` makes the interval's draws, the same ones each time."""
        self._seed = seed
        self.replays = list(replays)
        self.spent = False  # it ended before its time: the next call could take more than was said

    def add(self, replay: Replay) -> None:
        self.replays.append(replay)

    def counts(self, *origins: Origin) -> Counter[Mark]:
        return Counter(each.graded.mark for each in self.replays if each.probe.origin in origins)

    @property
    def counted(self) -> Counter[Mark]:
        return self.counts(Origin.HELD_OUT, Origin.SYNTHETIC)

    @property
    def judged(self) -> int:
        """Requests that count and could be judged."""
        counted = self.counted
        return counted.total() - counted[Mark.UNSCORED]

    @property
    def test(self) -> Sprt:
        untied = (each.graded.mark for each in self.replays if each.probe.origin.counts)
        return Sprt().with_pairs(mark is Mark.WIN for mark in untied if mark in (Mark.WIN, Mark.LOSS))

    @property
    def harms(self) -> bool:
        return _net(self.counts(Origin.NEAR)) <= -NET_LOSSES

    def stopped(self) -> Stop | None:
        """Why no more requests are needed; None where more would tell more."""
        if self.harms:
            return Stop.HARM
        if self.spent:
            return Stop.SPENT
        decision = self.test.decision
        if decision is Decision.OPEN:
            return None
        return Stop.CUT_OFF if decision is Decision.CUT_OFF else Stop.DECIDED

    @property
    def outcome(self) -> Outcome:
        counted, decision = self.counted, self.test.decision
        if self.harms:
            return Outcome.WORSE
        if decision is Decision.BETTER:
            own = self.counts(Origin.HELD_OUT)
            enough = own[Mark.WIN] + own[Mark.LOSS] >= HELD_OUT_LEAST and _net(own) > 0
            # What was cut short was not looked at for harm to the end; and a few exchanges, however many
            # requests were made of them, win or lose together by luck.
            sure = not self.spent and by_chance(self._groups()) <= self.test.alpha
            return Outcome.BETTER if enough and sure else Outcome.PROMISING
        if _net(counted) <= -NET_LOSSES:
            return Outcome.WORSE
        often = counted[Mark.WIN] >= max(1, PROMISING_SHARE * self.judged)
        if decision is not Decision.NOT_BETTER and self.test.ratio > 0 and often:
            return Outcome.PROMISING
        return Outcome.SAME

    @property
    def reason(self) -> str:
        """One sentence for the person."""
        counted, near = self.counted, self.counts(Origin.NEAR)
        if not self.judged and not near:
            return "no pair of answers could be judged"
        better = f"better on {counted[Mark.WIN]} of {self.judged} requests it was not taught on"
        if not self.counts(Origin.HELD_OUT):
            better += ", all of them invented"
        elif self.counts(Origin.SYNTHETIC):
            better += f", {self.counts(Origin.SYNTHETIC).total()} of them invented"
        if counted[Mark.LOSS]:
            better += f", worse on {counted[Mark.LOSS]}"
        said = {
            Outcome.BETTER: better,
            Outcome.PROMISING: f"promising: {better}",
            Outcome.SAME: f"no difference: {better}",
            Outcome.WORSE: f"worse: {better}",
        }[self.outcome]
        with_tools = any(each.probe.tools for each in self.replays)
        harm = f"; {_harm_said(near)}" if near or self.outcome.offered else ""
        spent = f"; it ended early: {Stop.SPENT}" if self.spent else ""
        return f"{said}{harm}{spent}{_TOOLS_SAID if with_tools else ''}"

    def figures(self) -> dict[str, Any]:
        counted, near = self.counted, self.counts(Origin.NEAR)
        return {
            "wins": counted[Mark.WIN],
            "losses": counted[Mark.LOSS],
            "ties": counted[Mark.TIE],
            "held_out": self.counts(Origin.HELD_OUT).total(),
            "synthetic": self.counts(Origin.SYNTHETIC).total(),
            "harm": {"requests": near.total(), "wins": near[Mark.WIN], "losses": near[Mark.LOSS]},
            "ratio": round(self.test.ratio, 3),
            "bounds": [round(each, 3) for each in self.test.bounds],
            "interval": self._interval(),
            "chance": round(by_chance(self._groups()), 4),
            "stop": (self.stopped() or Stop.NO_MORE).value,
            "how": sorted({each.graded.how for each in self.replays if each.graded.how}),
            "tools": sum(bool(each.probe.tools) for each in self.replays),
            "shown": self._shown(),
        }

    def means(self) -> tuple[float, float]:
        """Mean scores with the skill and without, on the requests that count; 0 where none was judged."""
        scores = [
            (each.graded.with_skill, each.graded.without)
            for each in self.replays
            if each.probe.origin.counts and each.graded.mark is not Mark.UNSCORED
        ]
        pairs = [(a, b) for a, b in scores if a is not None and b is not None]
        return (fmean(a for a, _ in pairs), fmean(b for _, b in pairs)) if pairs else (0.0, 0.0)

    def _interval(self) -> list[float] | None:
        """Of wins less losses as a share of the requests that count."""
        found = interval(self._groups(), self._seed)
        return None if found is None else [round(each, 3) for each in found]

    def _groups(self) -> dict[str, list[int]]:
        """What came of the requests that count, by the exchange that each comes from."""
        groups: dict[str, list[int]] = defaultdict(list)
        for each in self.replays:
            if each.probe.origin.counts and each.graded.mark is not Mark.UNSCORED:
                groups[each.probe.group].append(each.graded.mark.points)
        return groups

    def _shown(self) -> int | None:
        """The place of the pair that shows best what the skill does: the first that was won."""
        order = [Origin.HELD_OUT, Origin.SOURCE, Origin.SYNTHETIC, Origin.NEAR]
        won = [place for place, each in enumerate(self.replays) if each.graded.mark is Mark.WIN]
        return min(won, key=lambda at: order.index(self.replays[at].probe.origin), default=None)


_TOOLS_SAID = "; no tool was run, where there are some the next message was compared"


def _net(counts: Counter[Mark]) -> int:
    return counts[Mark.WIN] - counts[Mark.LOSS]


def _harm_said(near: Counter[Mark]) -> str:
    judged = near.total() - near[Mark.UNSCORED]
    if not judged:
        return "whether it harms others could not be seen yet"
    if near[Mark.LOSS]:
        return f"worse on {near[Mark.LOSS]} of {judged} others that went well"
    return f"no harm on {judged} {'others' if judged > 1 else 'other'}"
