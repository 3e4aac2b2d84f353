"""The estimate of a request's tokens against what a server counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.messages import MESSAGES
from metaclaw_tray.wire.translation.messages_count import estimate_tokens, roughly_tokens
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.token_count import tokens_in
from wire.translation.anthropic_side import request_of

# Requests of our own, counted by llama.cpp's own /v1/messages/count_tokens with Qwen 2.5.
COUNTED = json.loads((Path(__file__).parent / "counted" / "qwen2_5.json").read_text("utf-8"))


@pytest.mark.parametrize("sample", COUNTED, ids=[sample["name"] for sample in COUNTED])
def test_the_estimate_is_within_a_tenth_of_the_servers_count(sample: dict[str, Any]) -> None:
    estimate = estimate_tokens(MESSAGES.parse(json.dumps(sample["request"]).encode()))
    assert estimate == pytest.approx(sample["tokens"], rel=0.1)


def test_the_set_is_right_on_the_whole() -> None:
    requests = [MESSAGES.parse(json.dumps(sample["request"]).encode()) for sample in COUNTED]
    total = sum(map(estimate_tokens, requests))
    assert total == pytest.approx(sum(sample["tokens"] for sample in COUNTED), rel=0.03)


def test_a_text_costs_something_and_nothing_costs_nothing() -> None:
    assert tokens_in("") == 0
    assert tokens_in("hello world") == 2
    assert tokens_in("凭据") >= 1


@pytest.mark.parametrize(
    "text", ["A" * 300_000, " " * 300_000, "Aa" * 150_000, "!" * 300_000, "北" * 300_000]
)
def test_long_texts_of_one_kind_are_counted_in_one_pass(text: str) -> None:
    assert tokens_in(text) >= 0


def test_pictures_cost_something_but_not_what_their_bytes_would() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 400_000}
    estimate = estimate_tokens(
        request_of([{"role": "user", "content": [{"type": "image", "source": source}]}])
    )
    assert 100 < estimate < 10_000


def test_a_rough_count_takes_no_picture_for_text_and_no_text_for_a_picture() -> None:
    picture = {"type": "base64", "media_type": "image/png", "data": "A" * 5_000_000}
    paper = {"type": "base64", "media_type": "application/pdf", "data": "A" * 200_000}
    said = {"type": "text", "text": 'look: "data:image/png;base64,' + "A" * 4000 + '"'}
    shown = [{"type": "image", "source": picture}, {"type": "document", "source": paper}, said]
    body = to_chat(request_of([{"role": "user", "content": shown}]), stream=False).body
    assert 12_000 < roughly_tokens(body) < 13_000


def test_what_cannot_be_translated_cannot_be_counted() -> None:
    with pytest.raises(WireError):
        estimate_tokens(request_of([{"role": "judge", "content": "x"}]))
