"""How far a learning model can be trusted as a judge: measured on a labelled set that goes with the program.

Whoever lets a model decide what their agent learns from should know how often it is wrong, and which way. A
*false failure* (a good answer called bad) teaches rubbish; a *missed* one only teaches nothing.

A slow model is given time: an item that it does not answer is asked again when all others are done, and left
out where it fails twice. Whatever was answered is kept, so a measuring that was cut short goes on where it
was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.client import BusyError, LearningModel, TooSlowError, UnusableAnswerError
from metaclaw_tray.learning.grading import grade_alone
from metaclaw_tray.learning.intervals import Share
from metaclaw_tray.learning.judge import judge
from metaclaw_tray.learning.labelled import Counterfactual, JudgedTurn
from metaclaw_tray.learning.probes import Remark
from metaclaw_tray.learning.trajectory import opening_of

Tell = Callable[[str], Awaitable[None]]

_RETESTED = 5  # every fifth item is judged once more, from another seed
_TOLD = 3  # items after which it is told how far it is
_SLOW = (TooSlowError, BusyError)


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
    left_out: list[str] = field(default_factory=list)  # ids of items and pairs that came to no answer
    stopped: str = ""  # why not all of it was asked

    @property
    def words(self) -> list[str]:
        """The findings, a sentence each."""
        said = [
            f"It agrees with the labels on {Share(self.agreed, self.scored)}.",
            f"It calls good answers bad on {Share(self.false_failures, self.good)}.",
            f"It misses failures on {Share(self.missed, self.bad)}.",
            f"It names the step at fault on {Share(self.named, self.stepped)}.",
            f"Asked again it says the same on {Share(self.same, self.retested)}.",
            f"It tells apart answers that do what was asked on {Share(self.apart, self.pairs)} pairs.",
            f"It could not judge {self.unscored} of {self.items}.",
        ]
        if self.left_out:
            why = self.stopped or "it did not answer in time, asked twice"
            said.append(f"{len(self.left_out)} items and pairs were left out: {why}.")
        return said


@dataclass(frozen=True)
class _Task:
    """One item, or one pair of answers."""

    id: str
    ask: Callable[[], Awaitable[None]]


async def measure_judge(
    model: LearningModel,
    turns: Sequence[JudgedTurn],
    pairs: Sequence[Counterfactual],
    votes: int,
    tell: Tell,
) -> Agreement:
    """Judge the items as turns of the person's are judged, and compare.

    Where the budget ends on the way, what was found by then stands and the rest is left out. Raises
    UpstreamError where the model is away, LearningError where it cannot be asked at all.
    """
    found = Agreement(items=len(turns))
    model = About(model, ())  # nothing of the person's stands in it
    waiting = _tasks(model, turns, pairs, votes, found)
    for patience in ("left for later", "left out"):
        waiting = await _pass(waiting, found, tell, patience)
        if not waiting or found.stopped:
            break
    found.left_out = [each.id for each in waiting]
    return found


def _tasks(
    model: LearningModel,
    turns: Sequence[JudgedTurn],
    pairs: Sequence[Counterfactual],
    votes: int,
    found: Agreement,
) -> list[_Task]:
    tasks = [
        _Task(item.id, partial(_judge_one, model, item, votes, found, retest=number % _RETESTED == 0))
        for number, item in enumerate(turns)
    ]
    together: dict[str, list[Counterfactual]] = {}
    for each in pairs:
        together.setdefault(each.pair, []).append(each)
    tasks += [
        _Task(f"pair {pair}", partial(_grade_pair, model, both, found)) for pair, both in together.items()
    ]
    return tasks


async def _pass(tasks: Sequence[_Task], found: Agreement, tell: Tell, patience: str) -> list[_Task]:
    """Do each; those that came to nothing."""
    failed: list[_Task] = []
    for number, task in enumerate(tasks):
        try:
            await task.ask()
        except _SLOW as error:
            failed.append(task)
            await tell(f"{task.id}: {error.detail} It is {patience}.")
        except LearningError as error:
            if not found.scored:
                raise
            found.stopped = error.detail.rstrip(".")
            return [*failed, *tasks[number:]]
        if number % _TOLD == _TOLD - 1:
            await tell(
                f"{number + 1} of {len(tasks)} done, agreed on {found.agreed} of {found.scored} judged"
            )
    return failed


async def _judge_one(
    model: LearningModel, item: JudgedTurn, votes: int, found: Agreement, *, retest: bool
) -> None:
    ruling = await judge(model, item.conversation, votes)
    if ruling.score is None:
        if item.case != "cut":  # which is not to be judged
            found.unscored += 1
        return
    # Counted when all of it is answered: one that is asked again must not count twice.
    again = await judge(model, item.conversation, votes, first_seed=votes) if retest else None
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
    if again is not None:
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
