"""A task of three calls with tools, by Claude Code and by Codex, on each route."""

from __future__ import annotations

from typing import Any

import pytest

from slow.real.agents import AFTER, CREDENTIAL
from slow.real.conftest import Stage
from slow.real.scene import EDIT, PASS_THROUGH, ROUTES
from slow.real.stand import Route
from slow.real.vendor import KEY

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

_OURS = {"x-metaclaw-hop"}
_OF_THE_CONNECTION = {"host", "connection"}
_OF_THE_CREDENTIAL = {"authorization", "x-api-key"}


@pytest.mark.parametrize(("client", "route"), ROUTES)
def test_a_file_is_edited_and_the_record_is_right(stage: Stage, client: str, route: Route) -> None:
    scene = stage(client, route)
    scene.run(EDIT)
    assert scene.agent.file.read_text() == AFTER
    steps = scene.agent.editing()
    assert [served.step for served in scene.vendor.turns()] == steps
    assert {served.dialect for served in scene.vendor.served} == {
        scene.client.dialect if route == "pass-through" else "chat"
    }
    turns = scene.stand.turns()
    assert [(turn["kind"], turn["outcome"], turn["model"]) for turn in turns] == [
        ("main", "ok", scene.client.model)
    ] * len(steps)
    assert len({turn["exchange"] for turn in turns}) == 1
    for turn, step in zip(turns, steps, strict=True):
        shown = scene.stand.shown(turn)
        assert (shown["input_tokens"], shown["output_tokens"]) == (step.usage.input, step.usage.output)
        assert not shown["usage_estimated"]
        assert len(shown["answer"].get("tool_calls", ())) == len(step.calls)
        assert shown["answer"]["content"] == step.text


@pytest.mark.parametrize(("client", "route"), ROUTES)
def test_a_session_is_found_again_by_the_next_run(stage: Stage, client: str, route: Route) -> None:
    scene = stage(client, route)
    scene.run(EDIT)
    scene.run("Now say goodbye.", go_on=True)
    turns = scene.stand.turns()
    assert len({turn["session"] for turn in turns}) == 1
    *first, last = [turn["exchange"] for turn in turns]
    assert set(first) == {first[0]}
    assert last not in (None, first[0])
    (session,) = scene.stand.home.listing("sessions", "list")
    assert (session["exchanges"], session["turns"]) == (2, len(turns))


@pytest.mark.parametrize("client", PASS_THROUGH)
def test_nothing_is_changed_on_the_way_but_the_credential(stage: Stage, client: str) -> None:
    scene = stage(client)
    scene.run(EDIT)
    scene.run("Now say goodbye.", go_on=True)
    passed, served = scene.hop.passed, scene.vendor.served
    assert len(passed) == len(served) == len(scene.agent.editing()) + 1
    for asked, saw in zip(passed, served, strict=True):
        assert saw.body == asked.request.body
        assert asked.body == saw.answer
        assert asked.done
        assert saw.whole
        assert asked.request.target.decode().endswith(saw.path)
        theirs = {name.decode(): _plain(value.decode()) for name, value in asked.request.headers.items()}
        seen = {name.lower(): _plain(value) for name, value in saw.headers}
        left = _OF_THE_CONNECTION | _OF_THE_CREDENTIAL
        assert _without(seen, left | _OURS) == _without(theirs, left)
        assert CREDENTIAL not in str(saw.headers)
        assert {seen[name].removeprefix("Bearer") for name in _OF_THE_CREDENTIAL if name in seen} == {KEY}


def _plain(value: str) -> str:
    """A header's value less the spaces that say nothing."""
    return value.replace(" ", "")


def _without(headers: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in headers.items() if name not in names}
