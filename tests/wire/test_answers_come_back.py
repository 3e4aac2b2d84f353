"""An answer put together from the wire is the message that the client sends back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, answer_node, message_id, root_of
from wire.strange import PLAIN, STREAM, body_of, stream

KEY = b"k" * 32
ROOT = root_of(KEY, "agent")
PERSON = {"role": "user", "content": "hello"}


def chat_stream(*deltas: Any) -> bytes:
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    return stream(*chunks, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, done=True)


def messages_stream(*blocks: Any) -> bytes:
    events: list[Any] = [{"type": "message_start", "message": {"content": []}}]
    for index, (block, *deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    events.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})
    return stream(*events, {"type": "message_stop"})


def responses_stream(*items: Any) -> bytes:
    events: list[Any] = [{"type": "response.created", "response": {"id": "r"}}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    return stream(*events, {"type": "response.completed", "response": {"status": "completed"}})


def chat_call(index: int, call_id: str, *pieces: str) -> list[dict[str, Any]]:
    first = {"index": index, "id": call_id, "function": {"name": "f", "arguments": ""}}
    later = [{"index": index, "function": {"arguments": piece}} for piece in pieces]
    return [{"tool_calls": [each]} for each in (first, *later)]


def sent_back_call(call_id: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}}


TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
THINKING = {"type": "thinking", "thinking": "", "signature": ""}
CITATION = {"type": "char_location", "cited_text": "x"}
SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"url": "x"}]}
OUTPUT_TEXT = {"type": "output_text", "text": "It is 北京.", "annotations": [{"type": "url"}], "logprobs": []}
FUNCTION_CALL = {
    "type": "function_call",
    "id": "fc",
    "call_id": "call_1",
    "name": "f",
    "arguments": '{"x":1}',
}
REASONING = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "e=="}


def output_message(*content: Any) -> dict[str, Any]:
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [*content]}


SHAPES = [
    ("chat", chat_stream({"content": "\nIt is "}, {"content": "北京.\n"}), [{"content": "It is 北京."}]),
    ("chat", chat_stream({"content": "x"}), [{"content": [{"type": "text", "text": "x"}], "refusal": None}]),
    ("chat", chat_stream({"content": "", "refusal": "no"}), [{"content": None, "refusal": "no"}]),
    ("chat", chat_stream({"reasoning_content": "hm"}, {"content": "x"}), [{"content": "x"}]),
    (
        "chat",
        chat_stream({"content": "x"}, *chat_call(0, "a", '{"x":', "1}"), *chat_call(1, "b")),
        [{"content": "x", "tool_calls": [sent_back_call("a", '{ "x": 1 }'), sent_back_call("b", "{}")]}],
    ),
    (
        "chat",
        chat_stream(*chat_call(0, "call-1", "{}")),
        [{"content": "", "tool_calls": [sent_back_call("call1", "")]}],
    ),
    (
        "messages",
        messages_stream(({"type": "text", "text": ""}, {"type": "text_delta", "text": "It is 北京. "})),
        [{"content": "It is 北京."}],
    ),
    (
        "messages",
        messages_stream(
            (THINKING, {"thinking": "hm"}, {"signature": "s=="}),
            ({"type": "text", "text": ""}, {"text": "so"}),
            (TOOL_USE, {"partial_json": ""}, {"partial_json": '{"x":'}, {"partial_json": " 1}"}),
            (TOOL_USE | {"id": "toolu_2"}, {"partial_json": ""}),
        ),
        [
            {
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s=="},
                    {"type": "text", "text": "so", "cache_control": {"type": "ephemeral"}},
                    TOOL_USE | {"input": {"x": 1}},
                    TOOL_USE | {"id": "toolu_2", "cache_control": {"type": "ephemeral"}},
                ]
            }
        ],
    ),
    (
        "messages",
        messages_stream((THINKING, {"thinking": "hm"}), (TOOL_USE,)),
        [{"content": [TOOL_USE]}],
    ),
    (
        "messages",
        messages_stream(
            (SEARCH, {"partial_json": ""}),
            (FOUND,),
            ({"type": "text", "text": "", "citations": []}, {"citation": CITATION}, {"text": "x"}),
        ),
        [{"content": [SEARCH, FOUND, {"type": "text", "text": "x"}]}],
    ),
    ("responses", responses_stream(output_message(OUTPUT_TEXT)), [{"content": "It is 北京."}]),
    (
        "responses",
        responses_stream(REASONING, output_message(OUTPUT_TEXT), FUNCTION_CALL),
        [REASONING, output_message(OUTPUT_TEXT | {"annotations": []}), FUNCTION_CALL | {"id": None}],
    ),
    (
        "responses",
        responses_stream(REASONING, FUNCTION_CALL, FUNCTION_CALL | {"call_id": "call_2", "arguments": "{}"}),
        [FUNCTION_CALL, FUNCTION_CALL | {"call_id": "call_2", "arguments": ""}],
    ),
    (
        "responses",
        responses_stream(output_message(OUTPUT_TEXT, OUTPUT_TEXT | {"text": "b"})),
        [{"content": [OUTPUT_TEXT, {"type": "output_text", "text": "b"}]}],
    ),
    (
        "responses",
        responses_stream({"type": "custom_tool_call", "id": "x", "call_id": "1", "name": "p", "input": "a"}),
        [{"type": "custom_tool_call", "call_id": "1", "name": "p", "input": "a"}],
    ),
    (
        "responses",
        responses_stream(
            {"type": "web_search_call", "id": "w"}, output_message({"type": "refusal", "refusal": "no"})
        ),
        [output_message({"type": "refusal", "refusal": "no"})],
    ),
]


@pytest.mark.parametrize(("name", "body", "sent_back"), SHAPES)
def test_an_answer_has_the_node_of_the_message_that_comes_back(
    name: str, body: bytes, sent_back: list[dict[str, Any]]
) -> None:
    dialect = DIALECTS[name]
    elements = [each if "type" in each else {"role": "assistant", **each} for each in sent_back]
    path = Reader(KEY).path(dialect, dialect.parse(body_of(dialect, [PERSON, *elements, PERSON])), ROOT)
    answer = dialect.assemble(body, STREAM)
    assert answer.complete
    assert answer.message is not None
    assert path.nodes[1] == answer_node(KEY, path.nodes[0], answer.message)
    assert (len(path.nodes), path.answered, path.openings) == (3, 1, [0, 2])


@pytest.mark.parametrize(("name", "body", "sent_back"), SHAPES)
def test_an_answer_reads_the_same_whole_as_streamed(name: str, body: bytes, sent_back: Any) -> None:
    dialect = DIALECTS[name]
    streamed = dialect.assemble(body, STREAM).message
    elements = [each if "type" in each else {"role": "assistant", **each} for each in sent_back]
    shapes: dict[str, dict[str, Any]] = {
        "chat": {"choices": [{"index": 0, "message": elements[0]}]},
        "messages": {"content": elements[0].get("content")},
        "responses": {"output": elements},
    }
    whole = shapes[name]
    if name == "messages" and isinstance(whole["content"], str):
        whole["content"] = [{"type": "text", "text": whole["content"]}]
    answer = dialect.assemble(json.dumps(whole).encode(), PLAIN)
    assert streamed is not None
    assert answer.message is not None
    assert answer_node(KEY, ROOT, answer.message) == answer_node(KEY, ROOT, streamed)


def test_ids_of_messages_do_not_tell_without_the_key() -> None:
    assert message_id(KEY, b"x") != message_id(b"other", b"x")
