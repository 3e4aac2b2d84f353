"""How a judge is measured: what is counted, and that a slow model does not end it."""

from __future__ import annotations

import pytest

from learning.stand_in import StandIn
from metaclaw_tray.errors import LearningError, UpstreamError
from metaclaw_tray.learning.agreement import measure_judge
from metaclaw_tray.learning.client import TooSlowError
from metaclaw_tray.learning.instruction import Reading
from metaclaw_tray.learning.judge import Vote
from metaclaw_tray.learning.labelled import counterfactuals, judged_turns

ITEMS = [each for each in judged_turns("dev") if each.case == "thanks"][:4]
SLOW = TooSlowError("The learning model did not answer in time", "It took longer than 3 seconds.", "")
SPENT = LearningError("The budget is spent", "The cap of the day is reached.", "")


class Told:
    def __init__(self) -> None:
        self.steps: list[str] = []

    async def __call__(self, text: str) -> None:
        self.steps.append(text)


def content(*failures: Exception, after: int = 0) -> StandIn:
    """A model that takes every next message for thanks; after so many it first fails so."""
    model, thanks = StandIn(), Reading("", "thanks")
    for each in (*[thanks] * after, *failures, thanks):
        model.then(Reading, each)
    return model.then(Vote, Vote("It is right.", 1, ""))


async def test_an_item_that_was_too_slow_is_asked_again_when_the_others_are_done() -> None:
    told = Told()
    found = await measure_judge(content(SLOW), ITEMS, [], 1, told)
    assert (found.scored, found.agreed, found.left_out) == (4, 4, [])
    assert f"{ITEMS[0].id}: It took longer than 3 seconds. It is left for later." in told.steps
    assert told.steps[1] == "3 of 4 done, agreed on 2 of 2 judged"


async def test_an_item_that_is_too_slow_twice_is_left_out_and_counted() -> None:
    turns = ITEMS[:1]
    found = await measure_judge(content(SLOW, SLOW), turns, [], 1, Told())
    assert (found.items, found.scored, found.left_out) == (1, 0, [turns[0].id])
    assert found.words[-1] == "1 items and pairs were left out: it did not answer in time, asked twice."


async def test_an_item_whose_second_asking_was_slow_counts_once() -> None:
    found = await measure_judge(content(SLOW, after=1), ITEMS, [], 1, Told())
    assert (found.scored, found.retested, found.left_out) == (4, 1, [])


async def test_a_budget_that_ends_on_the_way_leaves_the_figures_and_the_rest_out() -> None:
    found = await measure_judge(content(SPENT, after=2), ITEMS, counterfactuals("dev")[:2], 1, Told())
    assert found.scored == 1
    assert found.left_out == [*(each.id for each in ITEMS[1:]), f"pair {counterfactuals('dev')[0].pair}"]
    assert found.words[-1] == "4 items and pairs were left out: The cap of the day is reached."


async def test_a_model_that_may_not_be_asked_at_all_is_an_error() -> None:
    with pytest.raises(LearningError):
        await measure_judge(content(SPENT), ITEMS, [], 1, Told())
    with pytest.raises(UpstreamError):
        await measure_judge(content(UpstreamError("away", "away", "")), ITEMS, [], 1, Told())
