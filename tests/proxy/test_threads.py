"""Conversations that the upstream keeps, so that each request holds only what is new."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from metaclaw_tray.proxy.threads import Thread, Threads
from metaclaw_tray.store.records import ThreadKnown
from proxy.house import KEY, TOKEN, House, open_house
from proxy.upstream import Saw, Wire

RESULT = {"type": "function_call_output", "call_id": "call_1", "output": "42"}


async def answers(saw: Saw, wire: Wire) -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
    number = saw.json.get("metadata", {}).get("n", "1")
    body = {"id": f"resp_{number}", "object": "response", "status": "completed", "output": [said]}
    await wire.answer(json.dumps(body).encode())


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.route(dialects=["responses"])
        opened.upstream.script = answers
        opened.library.add("dates")
        yield opened


async def ask(house: House, words: Any, token: str = TOKEN, **more: Any) -> Any:
    """What the upstream was sent for one request with instructions."""
    url = house.url.replace(TOKEN, token)
    body = {"model": "m", "instructions": "Be brief.", "input": words, **more}
    async with house.client.post(f"{url}/responses", json=body) as response:
        assert response.status == 200
        await response.read()
    return house.upstream.seen[-1].json


GOES_ON: list[dict[str, Any]] = [
    {"conversation": "conv_1"},
    {"conversation": {"id": "conv_1"}},
    {"previous_response_id": "resp_of_another_day"},
]


@pytest.mark.parametrize("goes_on", GOES_ON)
async def test_a_note_stands_in_what_the_upstream_keeps(house: House, goes_on: dict[str, Any]) -> None:
    """In the instructions it would stand in this request only: the next one does not hold the message."""
    note = house.library.skills["dates"][0]
    first = await ask(house, "about dates", **goes_on)
    assert first["instructions"] == "Be brief."
    assert json.dumps(first["input"]).count(note) == 1
    second = await ask(house, "and more", **goes_on)
    assert second["instructions"] == "Be brief."


@pytest.mark.parametrize("goes_on", GOES_ON[:2])
async def test_a_conversation_is_known_again_by_its_id(house: House, goes_on: dict[str, Any]) -> None:
    await ask(house, "about dates", **goes_on)
    await house.ended()
    await ask(house, [RESULT], **goes_on)
    first, second = await house.begun(2)
    assert (second.kind, second.session_id) == ("main", first.session_id)
    assert second.openings == first.openings
    known = house.pipe.of(ThreadKnown)[0]
    assert second.root == known.tip


async def test_another_agent_goes_on_with_nothing_of_it(house: House) -> None:
    await ask(house, "about dates", conversation="conv_1")
    await house.ended()
    await ask(house, [RESULT], token="o" * 43, conversation="conv_1")
    first, second = await house.begun(2)
    assert second.kind == "side"
    assert first.openings[0] not in second.openings


async def test_a_conversation_is_kept_whatever_is_said_of_single_answers(house: House) -> None:
    await ask(house, "hi", conversation="conv_1", store=False)
    await house.ended()
    assert "conversation conv_1" in [record.response_id for record in house.pipe.of(ThreadKnown)]


async def test_a_conversation_of_an_earlier_run_goes_on(house: House) -> None:
    await ask(house, "about dates", conversation="conv_1")
    await house.ended()
    threads = Threads(KEY)
    threads.load(
        (each.response_id, Thread(each.agent, each.session_id, each.tip, tuple(each.openings), each.headed))
        for each in house.pipe.of(ThreadKnown)
    )
    async with open_house(threads=threads) as after:
        after.route(dialects=["responses"])
        after.upstream.script = answers
        await ask(after, [RESULT], conversation="conv_1")
        (begun,) = await after.begun()
        assert begun.kind == "main"


async def test_two_agents_may_hold_the_same_id() -> None:
    threads = Threads(KEY)
    for agent in ("one", "two"):
        threads.put("resp_1", Thread(agent, "s", agent.encode(), (), False))
    assert [threads._known[agent, "resp_1"].tip for agent in ("one", "two")] == [b"one", b"two"]


async def test_an_id_of_any_length_is_remembered_as_a_short_one(house: House) -> None:
    await ask(house, "hi", conversation="c" * 100_000)
    await house.ended()
    await ask(house, [RESULT], conversation="c" * 100_000)
    assert [begun.kind for begun in await house.begun(2)] == ["main", "main"]
    assert all(len(record.response_id) < 200 for record in house.pipe.of(ThreadKnown))
