"""A vendor that is busy, or breaks off: the clients come to their end as they would without the app."""

from __future__ import annotations

import pytest

from slow.real.agents import AFTER
from slow.real.conftest import Stage
from slow.real.scene import EDIT, each_client_once
from slow.real.stand import Route
from slow.real.vendor import Pause, Refusal

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@each_client_once
def test_an_answer_that_breaks_off_is_asked_for_again(stage: Stage, client: str, route: Route) -> None:
    """It never looks like a whole one: clients carry out what they have of such."""
    scene = stage(client, route)
    scene.vendor.pause = Pause(results=1, cut=True)
    scene.run(EDIT)
    assert scene.agent.file.read_text() == AFTER
    read, edit, *rest = [served.step for served in scene.vendor.turns()]
    assert [read, *rest] == scene.agent.editing()
    assert edit == rest[0]
    turns = scene.stand.turns()
    assert [turn["outcome"] == "ok" for turn in turns] == [True, False, True, True, True]
    assert len({turn["exchange"] for turn in turns}) == 1


@each_client_once
def test_a_vendor_that_is_busy_is_asked_again(stage: Stage, client: str, route: Route) -> None:
    """Codex gives up where nobody says when: what the app writes itself says so where the vendor did not."""
    scene = stage(client, route)
    scene.vendor.refusals = [Refusal(429, "1" if route == "pass-through" else ""), Refusal(503)]
    scene.run(EDIT)
    assert scene.agent.file.read_text() == AFTER
    assert [served.step for served in scene.vendor.turns()] == scene.agent.editing()
    outcomes = [turn["outcome"] == "ok" for turn in scene.stand.turns()]
    assert outcomes[-4:] == [True] * 4
    assert not any(outcomes[:-4])
