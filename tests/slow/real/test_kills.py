"""The app is killed with -9 in the middle of an answer, and started again on the same port."""

from __future__ import annotations

import pytest

from slow.real.agents import AFTER
from slow.real.conftest import Stage
from slow.real.scene import EDIT, each_client_once
from slow.real.stand import Route
from slow.real.test_notes import blocks_of
from slow.real.vendor import Pause

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

_PATIENCE_SECONDS = 30.0  # a hang guard


@each_client_once
def test_a_kill_in_the_middle_costs_the_client_one_request(stage: Stage, client: str, route: Route) -> None:
    scene = stage(client, route, direct=True)
    scene.stand.add_skill("release-notes-version", "How release notes tell the version.", "Write words.")
    pause = scene.vendor.pause = Pause(results=1)
    run = scene.agent.begin(EDIT)
    try:
        assert pause.reached.wait(_PATIENCE_SECONDS)
        scene.stand.kill()
        scene.stand.start_again()
        pause.go_on.set()
        ran = run.end()
    finally:
        run.kill()
    assert ran.code == 0, str(ran)
    assert scene.agent.file.read_text() == AFTER
    steps = scene.agent.editing()
    read, edit, *rest = [served.step for served in scene.vendor.turns()]
    assert [read, *rest] == steps, "one request was asked twice, no other"
    assert edit == steps[1]
    scene.run("Now say goodbye.", go_on=True)
    turns = scene.stand.turns()
    assert [turn["outcome"] for turn in turns] == ["ok", "lost"] + ["ok"] * 4
    assert len({turn["session"] for turn in turns}) == 1
    assert len({turn["exchange"] for turn in turns[:-1]}) == 1
    blocks = [blocks_of(served) for served in scene.vendor.turns()]
    assert len(blocks[0]) == 1
    assert blocks == [blocks[0]] * len(blocks)
