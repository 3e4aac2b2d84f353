"""A task of four calls with tools, by Claude Code and by Codex, on each route."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from slow.real.agents import AFTER, CREDENTIAL
from slow.real.plays import Step, Usage
from slow.real.scene import EDIT, PASS_THROUGH, ROUTES, Scene
from slow.real.vendor import KEY

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

_GOODBYE = "Now say goodbye."
_FAREWELL = Step("Goodbye.", usage=Usage(1600, 1450, 7))

_OURS = {"x-metaclaw-hop"}
_OF_THE_CONNECTION = {"host", "connection"}
_OF_THE_CREDENTIAL = {"authorization", "x-api-key"}


@pytest.fixture(scope="module")
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A client that has done its task in one run, and answered the person in a second one."""
    client, route = request.param
    with closing(Scene(tmp_path_factory.mktemp(client), client, route)) as scene:
        scene.run(EDIT)
        scene.vendor.plays.add(_GOODBYE, _FAREWELL)
        scene.run(_GOODBYE, go_on=True)
        yield scene


on_each_route = pytest.mark.parametrize("scene", ROUTES, ids="-".join, indirect=True)
in_pass_through = pytest.mark.parametrize("scene", PASS_THROUGH, ids="-".join, indirect=True)


@on_each_route
def test_a_file_is_edited_and_the_record_is_right(scene: Scene) -> None:
    assert scene.agent.file.read_text() == AFTER
    steps = [*scene.agent.editing(), _FAREWELL]
    assert [served.step for served in scene.vendor.turns()] == steps
    spoken = scene.client.dialect if scene.stand.route == "pass-through" else "chat"
    assert {served.dialect for served in scene.vendor.served} == {spoken}
    turns = scene.stand.turns()
    right = ("main", "ok", scene.client.model, scene.client.dialect)
    assert {(turn["kind"], turn["outcome"], turn["model"], turn["dialect"]) for turn in turns} == {right}
    for turn, step in zip(turns, steps, strict=True):
        shown = scene.stand.shown(turn)
        assert (shown["input_tokens"], shown["output_tokens"]) == (step.usage.input, step.usage.output)
        assert not shown["usage_estimated"]
        assert shown["answer"]["content"] == step.text
        called = [call[call["type"]]["name"] for call in shown["answer"].get("tool_calls", ())]
        assert called == [call.tool for call in step.calls]


@on_each_route
def test_a_session_is_found_again_by_the_next_run(scene: Scene) -> None:
    """Only the person's words open an exchange."""
    turns = scene.stand.turns()
    assert len({turn["session"] for turn in turns}) == 1
    *first, last = [turn["exchange"] for turn in turns]
    assert set(first) == {first[0]}
    assert last not in (None, first[0])
    (session,) = scene.stand.home.listing("sessions", "list")
    assert (session["exchanges"], session["turns"]) == (2, len(turns))


@in_pass_through
def test_nothing_is_changed_on_the_way_but_the_credential(scene: Scene) -> None:
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


@on_each_route
def test_the_vendor_is_shown_its_own_key_and_nothing_of_the_clients(scene: Scene) -> None:
    for saw in scene.vendor.served:
        assert CREDENTIAL not in str(saw.headers)
        assert CREDENTIAL.encode() not in saw.body
        shown = {value for name, value in saw.headers if name.lower() in _OF_THE_CREDENTIAL}
        assert {value.removeprefix("Bearer ") for value in shown} == {KEY}


def _plain(value: str) -> str:
    """A header's value less the spaces that say nothing."""
    return value.replace(" ", "")


def _without(headers: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in headers.items() if name not in names}
