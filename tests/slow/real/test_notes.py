"""Skills stand where each client's prompt cache wants them, and as the same bytes for the whole session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from slow.real.agents import AFTER
from slow.real.hop import Passed
from slow.real.scene import EDIT, PASS_THROUGH, ROUTES, Scene
from slow.real.vendor import Served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

_FENCE = "<metaclaw-notes"
_GOODBYE = "Now say goodbye to the gardener."


@pytest.fixture(scope="module")
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Three runs of one session: the first two are about something that there is a skill for."""
    client, route = request.param
    with closing(Scene(tmp_path_factory.mktemp(client), client, route)) as scene:
        versions = "How release notes tell the version."
        scene.stand.add_skill("release-notes-version", versions, "Write versions as words.")
        scene.stand.add_skill("goodbye-gardener", "How to say goodbye to the gardener.", "Wish them rain.")
        scene.run(EDIT)
        scene.run(_GOODBYE, go_on=True)
        scene.run("And that is all.", go_on=True)
        yield scene


on_each_route = pytest.mark.parametrize("scene", ROUTES, ids="-".join, indirect=True)


def _texts(value: Any) -> list[str]:
    """Every text in a value, in order."""
    if isinstance(value, str):
        return [value]
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else []
    return [text for each in inner for text in _texts(each)]


def blocks_of(served: Served) -> list[str]:
    """The blocks of a request, each from its fence to the end of its text."""
    return [text[text.index(_FENCE) :] for text in _texts(served.json) if _FENCE in text]


@on_each_route
def test_a_block_is_the_same_bytes_for_the_whole_session(scene: Scene) -> None:
    assert scene.agent.file.read_text() == AFTER
    steps = len(scene.agent.editing())
    turns, blocks = scene.stand.turns(), [blocks_of(served) for served in scene.vendor.turns()]
    first, second = ["release-notes-version@1"], ["goodbye-gardener@1"]
    assert [turn["skills"] for turn in turns] == [first] * steps + [first + second] * 2
    assert all(len(each) == len(turn["skills"]) for each, turn in zip(blocks, turns, strict=True))
    assert {text for each in blocks for text in each} == set(blocks[-1]), "never more than two different ones"
    assert "Write versions as words." in blocks[0][0]
    assert "Wish them rain." in "".join(set(blocks[-1]) - set(blocks[0]))
    assert {turn["outcome"] for turn in turns} == {"ok"}
    assert len({turn["session"] for turn in turns}) == 1


@on_each_route
def test_what_is_said_later_carries_its_own_block(scene: Scene) -> None:
    """At the end of the person's words, whatever shape the client gives that message in later requests."""
    bodies = [saw.json for saw in scene.vendor.served[-2:]]
    said = [
        [text for text in _texts(body.get("messages") or body["input"]) if _GOODBYE in text]
        for body in bodies
    ]
    assert said[0] == said[1]
    assert said[0][0].startswith(f"{_GOODBYE}\n\n{_FENCE}")


@pytest.mark.parametrize("scene", PASS_THROUGH[:1], ids="-".join, indirect=True)
def test_claude_code_keeps_its_cached_texts_and_its_marks(scene: Scene) -> None:
    """The block is one plain system text behind the client's own; the marks are the client's."""
    for asked, saw in _of_the_first_run(scene):
        sent, seen = json.loads(asked.request.body), saw.json
        *before, block = seen.pop("system")
        assert before == sent.pop("system")
        assert block.keys() == {"type", "text"}
        assert block["text"].startswith(_FENCE)
        assert seen == sent, "nothing else changes"
        assert saw.body.count(b'"cache_control"') == asked.request.body.count(b'"cache_control"') <= 4


@pytest.mark.parametrize("scene", PASS_THROUGH[1:], ids="-".join, indirect=True)
def test_codex_gets_one_more_instruction_behind_its_own(scene: Scene) -> None:
    for asked, saw in _of_the_first_run(scene):
        sent, seen = json.loads(asked.request.body), saw.json
        place = next(n for n, item in enumerate(sent["input"]) if item.get("role") != "developer")
        block = seen["input"].pop(place)
        assert (block["type"], block["role"]) == ("message", "developer")
        assert block["content"][0]["text"].startswith(_FENCE)
        assert seen == sent, "nothing else changes, ids neither"


def _of_the_first_run(scene: Scene) -> list[tuple[Passed, Served]]:
    both = list(zip(scene.hop.passed, scene.vendor.served, strict=True))
    return both[: len(scene.agent.editing())]
