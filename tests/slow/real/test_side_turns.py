"""What clients do besides what the person asked for is told apart from it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest

from slow.real.agents import AFTER
from slow.real.conftest import Stage
from slow.real.plays import SUMMARY, Step, Usage
from slow.real.scene import EDIT, Scene, on_each_route
from slow.real.stand import Route

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

_WINDOW, _SHORTER_FROM = 40_000, 30_000  # tokens
_LONG = Usage(_SHORTER_FROM + 500, 0, 20)


@on_each_route
def test_a_sub_agent_works_beside_the_person(stage: Stage, client: str, route: Route) -> None:
    """It runs while its parent goes on; what it reports comes in the person's name, and opens nothing."""
    scene = stage(client, route)
    agent, plays = scene.agent, scene.vendor.plays
    wait = Step("I wait.", (agent.running("sleep 1"),))
    plays.add("[DELEGATE]", *agent.delegating("Look around. [LOOK]"), wait, Step("It is done."))
    plays.add("[LOOK]", Step("I look.", (agent.running("ls"),)), Step("There is one file."))
    scene.run("Have somebody look around. [DELEGATE]")
    turns = scene.stand.turns()
    assert {turn["outcome"] for turn in turns} == {"ok"}
    assert len({turn["session"] for turn in turns}) == 1
    mains = [turn for turn in turns if turn["kind"] == "main"]
    sides = [turn for turn in turns if turn["kind"] == "side"]
    assert [scene.stand.shown(turn)["answer"]["content"] for turn in sides] == [
        "I look.",
        "There is one file.",
    ]
    assert len(mains) >= 3
    assert len({turn["exchange"] for turn in mains}) == 1, "what a sub-agent reports is not the person's"
    assert {turn["exchange"] for turn in sides} == {None}


@pytest.mark.parametrize("route", get_args(Route))
def test_claude_code_makes_its_conversation_shorter(stage: Stage, route: Route) -> None:
    scene = stage("claude-code", route)
    scene.run(EDIT)
    scene.run("/compact", go_on=True)
    scene.run("Now say goodbye.", go_on=True)
    _check_shortened(scene)


@pytest.mark.parametrize("route", get_args(Route))
def test_codex_makes_its_conversation_shorter(stage: Stage, route: Route) -> None:
    """By itself, before the next turn; and once, where the vendor's figures come through as they are."""
    scene = stage("codex", route, limits=(_WINDOW, _SHORTER_FROM))
    *first, last = scene.agent.editing()
    scene.vendor.plays.add("[EDIT]", *first, replace(last, usage=_LONG))
    scene.run(EDIT)
    scene.run("Now say goodbye.", go_on=True)
    _check_shortened(scene)


def _check_shortened(scene: Scene) -> None:
    assert scene.agent.file.read_text() == AFTER
    turns, steps = scene.stand.turns(), [served.step for served in scene.vendor.turns()]
    assert steps.count(SUMMARY) == 1, "it is asked for once"
    side = steps.index(SUMMARY)
    assert [turn["kind"] for turn in turns] == ["main"] * side + ["side"] + ["main"] * (len(turns) - side - 1)
    assert len({turn["session"] for turn in turns}) == 1
    before, after = turns[side - 1], turns[-1]
    assert after["exchange"] not in (None, before["exchange"])
    assert scene.stand.shown(after)["messages"][-1]["content"] is not None


@pytest.mark.parametrize("route", get_args(Route))
def test_a_burst_of_counting_is_no_turn_at_all(stage: Stage, route: Route) -> None:
    """Claude Code counts each of its tools and texts, all at once."""
    scene = stage("claude-code", route)
    scene.run(EDIT)
    known = [turn["id"] for turn in scene.stand.turns()]
    begun = len(scene.hop.passed)
    scene.run("/context", go_on=True)
    counted = scene.hop.passed[begun:]
    assert len(counted) > 10
    assert all(b"/v1/messages/count_tokens" in each.request.target for each in counted)
    assert {each.status for each in counted} == {200}
    assert all(json.loads(each.body)["input_tokens"] > 0 for each in counted)
    assert [turn["id"] for turn in scene.stand.turns()] == known
