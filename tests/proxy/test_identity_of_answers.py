"""An answer, as it was streamed, and the ways in which clients send it back: one node."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, answer_node, root_of

KEY = b"k" * 32
ARGUMENTS = '{"path": "a.txt", "lines": 2}'


def stream(*events: dict[str, Any]) -> bytes:
    return b"".join(
        f"event: {event.get('type', 'message')}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


def follows(dialect_name: str, answer: bytes, said: list[dict[str, Any]], back: list[dict[str, Any]]) -> bool:
    """Whether a request that sends the answer `back` goes on from the node of the streamed answer."""
    dialect, reader, root = DIALECTS[dialect_name], Reader(KEY), root_of(KEY, "claw")
    message = dialect.assemble(answer, "text/event-stream").message
    assert message is not None

    def nodes(items: list[dict[str, Any]]) -> list[bytes]:
        request = dialect.parse(json.dumps({dialect.conversation: items}).encode())
        return reader.path(dialect, request, root).nodes

    before, after = nodes(said), nodes([*said, *back])
    return after == [*before, answer_node(KEY, before[-1], message)]


CHAT_CALL = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": ARGUMENTS}}
CHAT = stream(
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "", "reasoning_content": "hm"}}]},
    {"choices": [{"index": 0, "delta": {"content": "\n\nI look "}}]},
    {"choices": [{"index": 0, "delta": {"content": "there. "}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **CHAT_CALL}]}}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
)


@pytest.mark.parametrize(
    "back",
    [
        {"content": "\n\nI look there. ", "tool_calls": [CHAT_CALL], "refusal": None, "audio": None},
        {"content": "I look there.", "tool_calls": [CHAT_CALL], "annotations": [], "function_call": None},
        {"content": [{"type": "text", "text": "I look there."}], "tool_calls": [CHAT_CALL]},
        {"content": "I look there.", "reasoning_content": "hm", "tool_calls": [{**CHAT_CALL, "index": 0}]},
        {
            "content": "I look there.",
            "tool_calls": [
                {"id": "call1", "function": {"name": "read", "arguments": '{"lines":2,"path":"a.txt"}'}}
            ],
        },
    ],
    ids=["openai", "trimmed", "parts", "reasoning", "reprinted"],
)
def test_an_answer_in_chat(back: dict[str, Any]) -> None:
    said = [{"role": "user", "content": "hi"}]
    assert follows("chat", CHAT, said, [{"role": "assistant", **back}])


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
USE = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt", "lines": 2}}
MESSAGES = stream(
    {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": {}}},
    *block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "s"},
    ),
    *block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "\n\n"}),
    *block(2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "I look there. "}),
    *block(
        3,
        {**USE, "input": {}},
        {"type": "input_json_delta", "partial_json": ""},
        {"type": "input_json_delta", "partial_json": ARGUMENTS},
    ),
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
)
LOOK = {"type": "text", "text": "I look there."}


@pytest.mark.parametrize(
    "content",
    [
        [THOUGHT, {"type": "text", "text": "\n\n"}, {"type": "text", "text": "I look there. "}, USE],
        [{"type": "text", "text": "\n\n", "citations": None}, {**LOOK, "citations": None}, USE],
        [LOOK, {**USE, "cache_control": {"type": "ephemeral"}}],
        [THOUGHT, LOOK, {**USE, "caller": {"type": "direct"}}],
        [LOOK, {**USE, "id": "toolu1", "input": {"lines": 2.0, "path": "a.txt"}}],
    ],
    ids=["whole", "anthropic", "claude code", "newer", "openclaw"],
)
def test_an_answer_in_messages(content: list[dict[str, Any]]) -> None:
    said = [{"role": "user", "content": "hi"}]
    assert follows("messages", MESSAGES, said, [{"role": "assistant", "content": content}])


def test_a_plain_answer_in_messages_as_a_string() -> None:
    answer = stream(
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": []}},
        *block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "done\n"}),
        {"type": "message_stop"},
    )
    assert follows(
        "messages", answer, [{"role": "user", "content": "hi"}], [{"role": "assistant", "content": "done"}]
    )


PART = {"type": "output_text", "text": "I look there.", "annotations": [], "logprobs": []}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
SAYS = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [PART]}
CALLS = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "read",
    "arguments": ARGUMENTS,
    "status": "completed",
}
OUTPUT = [REASONING, SAYS, CALLS]
WHOLE = {"id": "resp_1", "status": "completed", "output": OUTPUT}
DONE = [
    {"type": "response.output_item.done", "output_index": place, "item": item}
    for place, item in enumerate(OUTPUT)
]
RESPONSES = [
    stream(
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.completed", "response": WHOLE},
    ),
    stream(*DONE, {"type": "response.completed", "response": {**WHOLE, "output": []}}),
]


def without(item: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in fields}


BARE_PART = {"type": "output_text", "text": "I look there."}


@pytest.mark.parametrize("answer", RESPONSES, ids=["whole", "items"])
@pytest.mark.parametrize(
    "back",
    [
        OUTPUT,
        [
            {**REASONING, "content": None, "status": None},
            {**SAYS, "phase": None},
            {**CALLS, "namespace": None},
        ],
        [
            without(REASONING, "id"),
            {**without(SAYS, "status"), "content": [BARE_PART]},
            without(CALLS, "status", "id"),
        ],
        [{"role": "assistant", "content": [BARE_PART], "id": "msg_1"}, without(CALLS, "status")],
        [
            {"role": "assistant", "content": "I look there."},
            {**CALLS, "arguments": '{"lines":2,"path":"a.txt"}'},
        ],
    ],
    ids=["as it came", "openai", "codex", "ai sdk", "simple"],
)
def test_an_answer_in_responses(answer: bytes, back: list[dict[str, Any]]) -> None:
    assert follows("responses", answer, [{"role": "user", "content": "hi"}], back)
