"""What the gate asks, of whom, and what it makes of the answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from learning.stand_in import StandIn
from metaclaw_tray.learning.client import Asked
from metaclaw_tray.learning.evolver import Draft, Support
from metaclaw_tray.learning.gate import Measured, Replay, measure, verdict_of
from metaclaw_tray.learning.paraphrase import Invented
from metaclaw_tray.skills.block import FENCE, Note, render_block
from metaclaw_tray.store.tables import ProposalOp
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialect import HEAD

BODY = "# Headings\n\nWrite headings in capital letters: like PEACOCK."
DRAFT = Draft(ProposalOp.CREATE, "zebra", f"---\nname: zebra\n---\n\n{BODY}\n", BODY, "You said so")
SAID = "Wrong. Capital letters, always."
SUPPORT = Support("x1", "Write the heading for the prices.", "Our prices", SAID, "Be brief.", "OUR PRICES")


def answers(asked: Asked) -> str:
    """As a model that follows the skill where it sees it."""
    return "IN CAPITALS" if FENCE in str(asked.messages) else "In small letters"


def grades(asked: Asked) -> float:
    return 0.95 if "IN CAPITALS" in asked.messages[-1]["content"] else 0.05


def model(**likely: Any) -> StandIn:
    made = StandIn().will(Invented("Write the heading for the boats."))
    made.answer, made.weight = answers, likely.get("weight", grades)
    return made


async def measured(by: StandIn, draft: Draft = DRAFT) -> Measured:
    async def quiet(_: str) -> None: ...

    return await measure(by, draft, [SUPPORT], quiet)


async def test_a_skill_that_helps_on_the_source_and_on_new_requests_passes() -> None:
    found = await measured(model())
    assert found.passed
    assert found.with_skill == pytest.approx(0.9)
    assert found.without_skill == pytest.approx(-0.9)
    assert {each["origin"] for each in found.details} == {"source", "paraphrase"}


async def test_whoever_grades_sees_the_persons_words_and_never_the_skill() -> None:
    by = model()
    await measured(by)
    graded = [asked for asked in by.asked if SAID in str(asked.messages)]
    assert graded
    for asked in graded:
        assert "PEACOCK" not in str(asked.messages)
        assert FENCE not in str(asked.messages)
        assert "zebra" not in str(asked.messages)


async def test_which_answer_is_graded_first_changes_but_not_from_run_to_run() -> None:
    async def order(text: str) -> list[bool]:
        by = model()
        await measured(by, Draft(ProposalOp.CREATE, "headings", text, BODY, ""))
        graded = [asked for asked in by.asked if asked.messages[-1]["content"].startswith("<remark>")]
        return ["IN CAPITALS" in asked.messages[-1]["content"] for asked in graded][::2]

    orders = [await order(f"text {number}") for number in range(8)]
    assert {first for firsts in orders for first in firsts} == {True, False}
    assert orders[0] == await order("text 0")


async def test_the_skill_is_replayed_exactly_as_it_is_injected() -> None:
    by = model()
    await measured(by)
    block = render_block([Note("zebra", BODY)])
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": SUPPORT.request}]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    injected = json.loads(CHAT.inject(CHAT.parse(body), [(HEAD, block)], None))["messages"]
    asked = [list(each.messages) for each in by.asked]
    assert injected in asked
    assert messages in asked


async def test_a_better_version_is_measured_against_the_one_in_force() -> None:
    by = model()
    await measured(by, Draft(ProposalOp.UPDATE, "headings", "text", BODY, "", replaces="# Old\n\nOLD RULE"))
    replayed = [asked for asked in by.asked if "Be brief." in str(asked.messages[0])]
    assert all(("OLD RULE" in str(a.messages)) != ("PEACOCK" in str(a.messages)) for a in replayed)


async def test_a_server_that_tells_no_likelihood_answers_in_one_word() -> None:
    found = await measured(model(weight=lambda _: None))
    assert found.unscored == found.requests, "the stand-in has no word either"
    assert not found.passed


def replay(without: float | None, with_skill: float | None, origin: str = "paraphrase") -> Replay:
    return Replay(origin, "request", "a", "b", without, with_skill)


@pytest.mark.parametrize(
    ("replays", "passed", "reason"),
    [
        ([(-0.5, 0.8), (-0.5, 0.6), (0.1, 0.9)], True, "better on 3 of 3"),
        ([(0.7, 0.7), (0.6, 0.62), (0.9, 0.91)], False, "it gains"),
        ([(0.7, 0.2), (0.6, 0.5), (0.9, 0.9)], False, "it gains"),
        ([(-0.9, 0.9), (0.6, 0.62), (0.9, 0.9), (0.5, 0.53)], False, "better on 1 of 4"),
        ([(None, 0.9), (0.4, None)], False, "could be judged"),
        ([(None, 0.9), (-0.4, 0.9)], True, "better on 1 of 1"),
        ([], False, "could be judged"),
    ],
)
def test_what_passes(replays: list[tuple[float | None, float | None]], passed: bool, reason: str) -> None:
    found = verdict_of([replay(*each) for each in replays])
    assert (found.passed, reason in found.reason) == (passed, True), found.reason


def test_no_gain_elsewhere_makes_up_for_a_source_that_got_worse() -> None:
    found = verdict_of([replay(0.8, -0.2, "source"), *[replay(-0.9, 0.9)] * 4])
    assert not found.passed
    assert "worse" in found.reason
