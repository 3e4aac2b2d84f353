"""Answers in the shapes that vendors document, with the figures that stand in them, and what they cost by the
list prices of their day: each sum is written out, so that no code of ours is its own judge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JSON = "application/json"
STREAM = "text/event-stream"


@dataclass(frozen=True)
class Recorded:
    """One turn: whom it went to, what came back, and what the vendor counted in it."""

    name: str
    dialect: str
    upstream: str
    model: str
    body: bytes
    input: int  # all of it: messages counts tokens from and to its cache beside its `input_tokens`
    output: int
    usd: float | None
    cached: int = 0
    cache_write: int = 0
    cache_write_hour: int = 0
    reasoning: int = 0
    content_type: str = JSON


UPSTREAMS: dict[str, dict[str, Any]] = {
    "openai": {"base_url": "https://api.openai.com/v1", "dialects": ["chat", "responses"]},
    "anthropic": {"base_url": "https://api.anthropic.com/v1", "dialects": ["messages"]},
    "openrouter": {"base_url": "https://openrouter.ai/api/v1"},
    "deepseek": {"base_url": "https://api.deepseek.com/v1"},
    "gateway": {"base_url": "https://llm.example.org/v1"},
    "contract": {
        "base_url": "https://contract.example.org/v1",
        "input_usd_per_million": 2.0,
        "output_usd_per_million": 6.0,
        "cached_usd_per_million": 0.5,
    },
    "home": {"base_url": "http://127.0.0.1:8080/v1", "dialects": ["chat", "messages", "responses"]},
}


def _whole(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode()


def _data(*chunks: Any) -> bytes:
    """A stream of chat completions."""
    lines = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def _events(*events: dict[str, Any]) -> bytes:
    """A stream whose events have names."""
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events).encode()


def _chat(usage: dict[str, Any], model: str = "m") -> dict[str, Any]:
    message = {"role": "assistant", "content": "Nine."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "model": model, "choices": [choice], "usage": usage}


def _chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "model": "m", "choices": [choice], **more}


def _message(usage: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929",
        "content": [{"type": "text", "text": "Nine."}], "stop_reason": "end_turn", "usage": usage,
    }  # fmt: skip


def _response(usage: dict[str, Any] | None, status: str = "completed") -> dict[str, Any]:
    part = {"type": "output_text", "text": "Nine.", "annotations": []}
    item = {"id": "i1", "type": "message", "role": "assistant", "status": status, "content": [part]}
    return {
        "id": "resp_1", "object": "response", "status": status, "model": "gpt-5-codex",
        "output": [item] if usage else [], "usage": usage,
    }  # fmt: skip


RECORDED = [
    Recorded(
        "chat, whole", "chat", "openai", "gpt-5",
        _whole(_chat({
            "prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
            "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 256, "accepted_prediction_tokens": 0},
        })),
        input=2006, cached=1920, output=300, reasoning=256,
        usd=(86 * 1.25 + 1920 * 0.125 + 300 * 10) / 1e6,
    ),
    Recorded(
        "chat, streamed, the usage in a chunk of its own", "chat", "openai", "gpt-5-mini-2025-08-07",
        _data(
            _chunk({"role": "assistant", "content": ""}, usage=None),
            _chunk({"content": "Nine."}, usage=None), _chunk({}, "stop", usage=None),
            {"id": "c1", "object": "chat.completion.chunk", "model": "gpt-5-mini-2025-08-07", "choices": [],
             "usage": {"prompt_tokens": 1117, "completion_tokens": 46, "total_tokens": 1163,
                       "prompt_tokens_details": {"cached_tokens": 1024},
                       "completion_tokens_details": {"reasoning_tokens": 0}}},
            "[DONE]",
        ),
        input=1117, cached=1024, output=46, content_type=STREAM,
        usd=(93 * 0.25 + 1024 * 0.025 + 46 * 2) / 1e6,
    ),
    Recorded(
        "chat, streamed, the usage with an empty delta and a cost of 0", "chat", "openrouter",
        "anthropic/claude-sonnet-4.5",
        _data(
            ": OPENROUTER PROCESSING", _chunk({"role": "assistant", "content": "Nine."}), _chunk({}, "stop"),
            _chunk({}, None, usage={
                "prompt_tokens": 16_000, "completion_tokens": 12, "total_tokens": 16_012, "cost": 0,
                "is_byok": False, "cost_details": {"upstream_inference_cost": None},
                "prompt_tokens_details": {"cached_tokens": 15_000, "cache_write_tokens": 872},
                "completion_tokens_details": {"reasoning_tokens": 5},
            }),
            "[DONE]",
        ).replace(b"data: : OPENROUTER", b": OPENROUTER"),
        input=16_000, cached=15_000, cache_write=872, output=12, reasoning=5, content_type=STREAM,
        usd=(128 * 3 + 15_000 * 0.30 + 872 * 3.75 + 12 * 15) / 1e6,
    ),
    Recorded(
        "chat, the cache counted beside", "chat", "deepseek", "deepseek-chat",
        _whole(_chat({
            "prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020,
            "prompt_cache_hit_tokens": 900, "prompt_cache_miss_tokens": 100,
        })),
        input=1000, cached=900, output=20, usd=(100 * 0.27 + 900 * 0.07 + 20 * 1.10) / 1e6,
    ),
    Recorded(
        "messages, whole, written for five minutes and for an hour", "messages", "anthropic",
        "claude-sonnet-4-5",
        _whole(_message({
            "input_tokens": 2048, "cache_read_input_tokens": 1800, "cache_creation_input_tokens": 556,
            "cache_creation": {"ephemeral_5m_input_tokens": 456, "ephemeral_1h_input_tokens": 100},
            "output_tokens": 503, "service_tier": "standard",
        })),
        input=2048 + 1800 + 556, cached=1800, cache_write=556, cache_write_hour=100, output=503,
        usd=(2048 * 3 + 1800 * 0.30 + 456 * 3.75 + 100 * 6 + 503 * 15) / 1e6,
    ),
    Recorded(
        "messages, streamed, with thinking", "messages", "anthropic", "claude-sonnet-4-5",
        _events(
            {"type": "message_start", "message": {**_message({
                "input_tokens": 12, "cache_read_input_tokens": 20_000, "cache_creation_input_tokens": 248,
                "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 248},
                "output_tokens": 1,
            }), "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "ping"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Nine."}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
             "usage": {"input_tokens": 12, "cache_read_input_tokens": 20_000,
                       "cache_creation_input_tokens": 248, "output_tokens": 89,
                       "output_tokens_details": {"thinking_tokens": 61}}},
            {"type": "message_stop"},
        ),
        input=12 + 20_000 + 248, cached=20_000, cache_write=248, cache_write_hour=248,
        output=89, reasoning=61, content_type=STREAM,
        usd=(12 * 3 + 20_000 * 0.30 + 248 * 6 + 89 * 15) / 1e6,
    ),
    Recorded(
        "responses, whole", "responses", "openai", "gpt-5-codex",
        _whole(_response({
            "input_tokens": 3281, "input_tokens_details": {"cached_tokens": 2560}, "output_tokens": 1175,
            "output_tokens_details": {"reasoning_tokens": 1024}, "total_tokens": 4456,
        })),
        input=3281, cached=2560, output=1175, reasoning=1024,
        usd=(721 * 1.25 + 2560 * 0.125 + 1175 * 10) / 1e6,
    ),
    Recorded(
        "responses, streamed", "responses", "openai", "gpt-5-codex",
        _events(
            {"type": "response.created", "response": _response(None, "in_progress")},
            {"type": "response.output_text.delta", "item_id": "i1", "output_index": 0, "content_index": 0,
             "delta": "Nine."},
            {"type": "response.completed", "response": _response({
                "input_tokens": 37, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 11,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 48,
            })},
        ),
        input=37, output=11, content_type=STREAM, usd=(37 * 1.25 + 11 * 10) / 1e6,
    ),
    Recorded(
        "a price of one's own", "chat", "contract", "gpt-5",
        _whole(_chat({
            "prompt_tokens": 500, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 400},
        })),
        input=500, cached=400, output=50, usd=(100 * 2 + 400 * 0.5 + 50 * 6) / 1e6,
    ),
    Recorded(
        "more cached than sent", "chat", "contract", "gpt-5",
        _whole(_chat({
            "prompt_tokens": 500, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 4000},
        })),
        input=500, cached=4000, output=50, usd=(500 * 0.5 + 50 * 6) / 1e6,
    ),
    Recorded(
        "a model of this machine", "chat", "home", "claude-sonnet-4-5",
        _whole(_chat({"prompt_tokens": 700, "completion_tokens": 70, "total_tokens": 770})),
        input=700, output=70, usd=0.0,
    ),
    Recorded(
        "a host that nobody knows", "chat", "gateway", "claude-sonnet-4-5",
        _whole(_chat({"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990, "cost": 0.5})),
        input=900, output=90, usd=None,
    ),
]  # fmt: skip
