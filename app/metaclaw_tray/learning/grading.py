"""Which of two answers is the better one: blind, and by what the person said.

The remark is the rule. Of each answer alone it is asked whether it keeps the rule, and of one that does also
whether it does what the request asks for: the right form around the wrong thing is no success. Where the
remark shows a form and only one answer has it, code says who keeps the rule. Only where both answers keep it,
or both break it, are they compared, in both orders; what the orders do not agree on is a tie.

A server that tells how likely its words are is asked how likely "yes" is: small models grade far better that
way. Another one says a word. Whoever grades is told what the person said to another answer, never the skill,
nor which answer had it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import msgspec

from metaclaw_tray.learning.forms import forms_in, shown_in
from metaclaw_tray.learning.model import Asked, LearningModel, Message, UnusableAnswerError
from metaclaw_tray.learning.note import closed
from metaclaw_tray.learning.probes import Probe, Remark
from metaclaw_tray.learning.questions import done_or_not, lettered, pair, single

NOISE = 0.2  # two answers whose likelihoods are this near keep a rule, or break it, both
HARM_NOISE = 0.4  # the same for near requests: what is said in other words is graded up to 0.3 apart
_KEEPS = 0.5  # likelihood of "yes" from which an answer keeps a rule
_BETTER_BY = 0.6  # likelihood from which one of two answers is preferred in one order
_REASON_TOKENS = 160

_BETTER = closed({"reason": {"type": "string", "maxLength": 200}, "better": {"enum": ["A", "B", "same"]}})
_WORD = closed({"grade": {"enum": ["yes", "no"]}})


class Mark(StrEnum):
    """How the answer with the skill did against the one without."""

    WIN = "win"
    TIE = "tie"
    LOSS = "loss"
    UNSCORED = "unscored"

    @property
    def points(self) -> int:
        return {Mark.WIN: 1, Mark.LOSS: -1}.get(self, 0)


class Comparison(msgspec.Struct, frozen=True):
    """A comparison, as the model fills it in. The reason comes first, so that it is thought before."""

    reason: str
    better: Literal["A", "B", "same"]


class _Word(msgspec.Struct, frozen=True):
    grade: Literal["yes", "no"]


@dataclass(frozen=True)
class Graded:
    """A pair of answers, graded. Scores are from -1 to 1; None where nobody can say."""

    mark: Mark
    without: float | None = None
    with_skill: float | None = None
    how: str = ""  # alike, form, likelihood, word, comparison
    orders: tuple[str, ...] = ()  # which arm each order of a comparison took for the better one


class Grader:
    """Grades pairs in the way that the model's server allows."""

    def __init__(self, model: LearningModel) -> None:
        self._model = model

    async def grade(self, probe: Probe, without: str, with_skill: str) -> Graded:
        """How the answer with the skill did. Two that say the same need nobody to compare them.

        Raises UpstreamError where the model is away, LearningError where the budget ends.
        """
        if " ".join(without.split()) == " ".join(with_skill.split()):
            return Graded(Mark.TIE, 0.0, 0.0, "alike")
        try:
            if probe.remark.said:
                return await self._by_rule(probe, without, with_skill)
            return await self._by_content(probe, without, with_skill)
        except UnusableAnswerError:
            return Graded(Mark.UNSCORED)

    async def _by_rule(self, probe: Probe, *answers: str) -> Graded:
        """First without the skill, then with it: whether the rule is kept; then, where that is the same of
        both, which one is preferred."""
        formed = by_form(probe.remark, *answers)
        how, kept = "form", list[float](formed or ())
        if formed is None:
            asked = [single(probe.remark, probe.request, each) for each in answers]
            said = [await self._yes(each) for each in asked]
            how, kept = said[0][1], [likely for likely, _ in said]
        for place, answer in enumerate(answers):
            if kept[place] >= _KEEPS:
                done, _ = await self._yes(done_or_not(probe.request, answer))
                kept[place] = min(kept[place], done)
        keeps, gain = [each >= _KEEPS for each in kept], kept[1] - kept[0]
        without, with_skill = (2 * each - 1 for each in kept)
        if keeps[0] != keeps[1] and abs(gain) > NOISE:
            return Graded(Mark.WIN if keeps[1] else Mark.LOSS, without, with_skill, how)
        orders = await self._orders(probe, *answers)
        return Graded(_agreed(orders), without, with_skill, "comparison", orders)

    async def _by_content(self, probe: Probe, *answers: str) -> Graded:
        """Of a request that went well: whether each serves as well as the answer that was taken."""
        likely = [
            await _likely(self._model, single(probe.remark, probe.request, answer)) for answer in answers
        ]
        if likely[0] is not None and likely[1] is not None:
            gain = likely[1] - likely[0]
            mark = Mark.WIN if gain > HARM_NOISE else Mark.LOSS if gain < -HARM_NOISE else Mark.TIE
            return Graded(mark, likely[0], likely[1], "likelihood")
        orders = await self._orders(probe, *answers)
        mark = _agreed(orders)
        return Graded(mark, float(-mark.points), float(mark.points), "comparison", orders)

    async def _yes(self, messages: list[Message]) -> tuple[float, str]:
        """How surely "yes" is the answer, 0 to 1, and how that is known."""
        likely = await self._model.weigh(Asked("gate", messages, 8), ("yes", "no"))
        if likely is not None:
            return likely["yes"], "likelihood"
        found = await self._model.fill(Asked("gate", messages, 30), _Word, _WORD)
        return (1.0 if found.grade == "yes" else 0.0), "word"

    async def _orders(self, probe: Probe, without: str, with_skill: str) -> tuple[str, str]:
        """Which arm each order takes for the better one: without, with, or same."""
        first = await self._better(probe, without, with_skill)
        second = await self._better(probe, with_skill, without)
        return (
            {"A": "without", "B": "with"}.get(first, "same"),
            {"A": "with", "B": "without"}.get(second, "same"),
        )

    async def _better(self, probe: Probe, a: str, b: str) -> str:
        if probe.remark.said:
            asked = Asked("gate", lettered(probe.remark, probe.request, a, b), 8)
            likely = await self._model.weigh(asked, ("A", "B"))
            if likely is not None:
                return next((each for each in ("A", "B") if likely[each] >= _BETTER_BY), "same")
        asked = Asked("gate", pair(probe.remark, probe.request, a, b), _REASON_TOKENS)
        return (await self._model.fill(asked, Comparison, _BETTER)).better


def _agreed(orders: tuple[str, str]) -> Mark:
    return {("with", "with"): Mark.WIN, ("without", "without"): Mark.LOSS}.get(orders, Mark.TIE)


def by_form(remark: Remark, *answers: str) -> tuple[float, ...] | None:
    """Whether each answer has a form that the remark shows, 0 or 1; None where that tells them not apart."""
    shown = shown_in(remark.said, remark.request, remark.rejected)
    has = [bool(shown & forms_in(answer)) for answer in answers]
    return tuple(map(float, has)) if len(set(has)) > 1 else None


async def grade_alone(model: LearningModel, remark: Remark, request: str, answer: str) -> float | None:
    """How well one answer does, -1 to 1: by likelihood, or in one word where the server tells none. None
    where nobody can say."""
    messages = single(remark, request, answer)
    likely = await _likely(model, messages)
    if likely is not None:
        return likely
    try:
        found = await model.fill(Asked("gate", messages, 30), _Word, _WORD)
    except UnusableAnswerError:
        return None
    return 1.0 if found.grade == "yes" else -1.0


async def _likely(model: LearningModel, messages: list[Message]) -> float | None:
    likely = await model.weigh(Asked("gate", messages, 8), ("yes", "no"))
    return None if likely is None else 2 * likely["yes"] - 1
