"""An upstream's own counts set the estimates right."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from metaclaw_tray.proxy.counted import Counted
from metaclaw_tray.wire.translation.messages_count import tokens_of_chat
from proxy.house import House, open_house
from proxy.upstream import DONE, Saw, Wire

WORDS = "Nguồn nước ở đây rất sạch, và mọi người đều uống được. " * 40
ASKED = {"model": "unheard-of", "max_tokens": 50, "messages": [{"role": "user", "content": WORDS}]}


@pytest.fixture
async def chat_only() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.route(credential="key", key="sk-upstream", dialects=["chat"])
        yield opened


def chat(text: str = WORDS, model: str = "m") -> dict[str, Any]:
    return {"model": model, "messages": [{"role": "user", "content": text}]}


async def test_an_estimate_is_multiplied_by_what_was_found() -> None:
    counted, estimate = Counted(), tokens_of_chat(chat())
    assert counted.factor("up", "m") == 1.0
    await counted.learn("up", "m", json.dumps(chat()).encode(), round(estimate * 1.3))
    assert counted.factor("up", "m") == pytest.approx(1.3, abs=0.01)
    assert counted.factor("up", "other") == counted.factor("other", "m") == 1.0


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        (chat("short"), 20),  # templates weigh too much
        (chat("x" * 200_000), 50_000),  # would take too long
        (chat(WORDS + "data:image/png;base64,AAAA"), 900),  # nobody knows what a picture is
        (chat(), 100_000),  # counts something else
    ],
)
async def test_what_would_mislead_is_passed_over(body: dict[str, Any], tokens: int) -> None:
    counted = Counted()
    await counted.learn("up", "m", json.dumps(body).encode(), tokens)
    assert counted.factor("up", "m") == 1.0


async def test_now_and_then_it_is_found_anew_and_models_are_bounded() -> None:
    counted, body = Counted(), json.dumps(chat()).encode()
    estimate = tokens_of_chat(chat())
    await counted.learn("up", "m", body, estimate)
    for _ in range(101):
        await counted.learn("up", "m", body, round(estimate * 1.5))
    assert counted.factor("up", "m") == pytest.approx(1.5, abs=0.01)
    for number in range(64):
        await counted.learn("up", f"m{number}", body, estimate)
    assert counted.factor("up", "m") == 1.0


async def test_after_one_answer_a_count_is_what_the_upstream_says(chat_only: House) -> None:
    house = chat_only
    truth = 0

    async def script(saw: Saw, wire: Wire) -> None:
        nonlocal truth
        truth = round(tokens_of_chat(saw.json) * 1.4)  # a vocabulary that nobody here knows
        usage = {"prompt_tokens": truth, "completion_tokens": 1}
        await wire.stream_head()
        for piece in (
            {"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ):
            await wire.chunk(b"data: " + json.dumps({"id": "c", "model": "m", **piece}).encode() + b"\n\n")
        await wire.chunk(DONE)
        await wire.end()

    house.upstream.script = script
    async with house.client.post(f"{house.url}/messages", json=ASKED | {"stream": True}) as response:
        assert response.status == 200
        await response.read()
    async with house.client.post(f"{house.url}/messages/count_tokens", json=ASKED) as response:
        said = (await response.json())["input_tokens"]
    assert truth
    assert said == pytest.approx(truth, rel=0.1)
