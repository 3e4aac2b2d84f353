"""How far a learning model can be trusted as a judge: measured on a labelled set that goes with the program.

Whoever lets a model decide what their agent learns from should know how often it is wrong, and which way. A
*false failure* (a good answer called bad) teaches rubbish; a *missed* one only teaches nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from metaclaw_tray.learning.client import LearningModel, UnusableAnswerError
from metaclaw_tray.learning.grading import grade_alone
from metaclaw_tray.learning.intervals import Share
from metaclaw_tray.learning.judge import judge
from metaclaw_tray.learning.labelled import Counterfactual, JudgedTurn
from metaclaw_tray.learning.probes import Remark
from metaclaw_tray.learning.trajectory import opening_of

Tell = Callable[[str], Awaitable[None]]

_RETESTED = 5  # every fifth item is judged once more, from another seed


@dataclass
class Agreement:
    """What was found. Shares are of items that could be judged."""

    items: int = 0
    agreed: int = 0  # verdicts that a fair judge may give
    scored: int = 0
    good: int = 0  # items that are no failure
    false_failures: int = 0  # of these: called one
    bad: int = 0  # items that are one
    missed: int = 0  # of these: not called one
    stepped: int = 0  # failures of several steps that were called one
    named: int = 0  # of these: the step at fault was named
    retested: int = 0
    same: int = 0  # of these: the same verdict again
    pairs: int = 0  # of answers that do, and do not, what was said of another answer
    apart: int = 0  # of these: the right one was graded higher
    unscored: int = 0
    wrong: list[str] = field(default_factory=list)  # ids of items judged otherwise

    @property
    def words(self) -> list[str]:
        """The findings, a sentence each."""
        return [
            f"It agrees with the labels on {Share(self.agreed, self.scored)}.",
            f"It calls good answers bad on {Share(self.false_failures, self.good)}.",
            f"It misses failures on {Share(self.missed, self.bad)}.",
            f"It names the step at fault on {Share(self.named, self.stepped)}.",
            f"Asked again it says the same on {Share(self.same, self.retested)}.",
            f"It tells apart answers that do what was asked on {Share(self.apart, self.pairs)} pairs.",
            f"It could not judge {self.unscored} of {self.items}.",
        ]


async def measure_judge(
    model: LearningModel,
    turns: Sequence[JudgedTurn],
    pairs: Sequence[Counterfactual],
    votes: int,
    tell: Tell,
) -> Agreement:
    """Judge the items as turns of the person's are judged, and compare.

    Raises UpstreamError where the model is away, LearningError where the budget ends.
    """
    found = Agreement(items=len(turns))
    for number, item in enumerate(turns):
        await _judge_one(model, item, votes, found, retest=number % _RETESTED == 0)
        if number % 10 == 9:
            await tell(f"judged {number + 1} of {len(turns)}, agreed on {found.agreed}")
    together: dict[str, list[Counterfactual]] = {}
    for each in pairs:
        together.setdefault(each.pair, []).append(each)
    for both in together.values():
        await _grade_pair(model, both, found)
    return found


async def _judge_one(
    model: LearningModel, item: JudgedTurn, votes: int, found: Agreement, *, retest: bool
) -> None:
    ruling = await judge(model, item.conversation, votes)
    if ruling.score is None:
        if item.case != "cut":  # which is not to be judged
            found.unscored += 1
        return
    fair = ruling.score in item.fair
    found.scored += 1
    found.agreed += fair
    if not fair:
        found.wrong.append(item.id)
    if item.label == -1:
        found.bad += 1
        found.missed += ruling.score != -1
    else:
        found.good += 1
        found.false_failures += ruling.score == -1 and -1 not in item.fair
    expected = _step_at_fault(item)
    if expected and ruling.score == -1:
        found.stepped += 1
        found.named += ruling.step == expected
    if retest:
        again = await judge(model, item.conversation, votes, first_seed=votes)
        found.retested += 1
        found.same += again.score == ruling.score


async def _grade_pair(model: LearningModel, both: Sequence[Counterfactual], found: Agreement) -> None:
    """Grade the two answers as the gate does, each by itself."""
    grades: dict[int, float] = {}
    for each in both:
        remark = Remark(each.said, each.request, each.original)
        try:
            said = await grade_alone(model, remark, each.request, each.answer)
        except UnusableAnswerError:
            said = None
        if said is not None:
            grades[each.label] = said
    if len(grades) == 2:
        found.pairs += 1
        found.apart += grades[1] > grades[-1]


def _step_at_fault(item: JudgedTurn) -> int:
    """The number of the answer at fault within its exchange; 0 where there is only one."""
    if item.at_fault is None:
        return 0
    start = opening_of(item.messages)
    answers = [place for place in range(start, len(item.messages)) if _is_answer(item.messages[place])]
    return answers.index(item.at_fault) + 1 if len(answers) > 1 and item.at_fault in answers else 0


def _is_answer(message: dict[str, object]) -> bool:
    return message.get("role") == "assistant"
