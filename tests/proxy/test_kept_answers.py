"""Answers that the upstream keeps, for the agent to go on with by their ids."""

from __future__ import annotations

import json

import pytest

from metaclaw_tray.store.records import ThreadKnown
from proxy.house import open_house
from proxy.upstream import Saw, Wire, completion

RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hello"}]}
    ],
}


@pytest.mark.parametrize(
    ("speaks", "stores", "known"),
    [("responses", True, ["resp_1"]), ("responses", False, []), ("chat", True, [])],
)
async def test_a_thread_is_known_where_the_upstream_itself_keeps_it(
    speaks: str, stores: bool, known: list[str]
) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(json.dumps(RESPONSE).encode() if speaks == "responses" else completion())

    async with open_house() as house:
        house.route(dialects=[speaks])
        house.upstream.script = script
        body = {"model": "m", "input": "well?", "store": stores}
        async with house.client.post(f"{house.url}/responses", json=body) as response:
            assert response.status == 200
            await response.read()
        await house.ended()
        assert [each.response_id for each in house.pipe.of(ThreadKnown)] == known
