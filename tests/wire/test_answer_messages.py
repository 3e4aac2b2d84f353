"""Answers of messages put together from what came over the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.answer import Answer, Usage
from metaclaw_tray.wire.answer_messages import assemble_messages
from metaclaw_tray.wire.tree import answer_id
from wire.strange import NUMBER, PLAIN, STREAM, TEXT, record, rewritten, stream

USAGE = {
    "input_tokens": 9,
    "cache_read_input_tokens": 100,
    "cache_creation_input_tokens": 20,
    "output_tokens": 1,
}
START = {
    "type": "message_start",
    "message": {"id": "msg_1", "role": "assistant", "content": [], "model": "m", "usage": USAGE},
}
STOP = {"type": "message_stop"}
SIGNATURE = "Eo8CCkYIBxgCKkA+/=="


def opened(index: int | None, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def added(index: int | None, **delta: Any) -> dict[str, Any]:
    event = {"type": "content_block_delta", "delta": delta}
    return event if index is None else event | {"index": index}


def text(index: int | None, piece: str) -> dict[str, Any]:
    return added(index, type="text_delta", text=piece)


def arguments(index: int | None, piece: str) -> dict[str, Any]:
    return added(index, type="input_json_delta", partial_json=piece)


def ended(reason: str = "end_turn", **usage: int) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage or {"output_tokens": 7}}


TWO_CALLS = (
    START,
    {"type": "ping"},
    opened(0, type="thinking", thinking="", signature=""),
    added(0, type="thinking_delta", thinking="Well, "),
    added(0, type="thinking_delta", thinking="北京"),
    added(0, type="signature_delta", signature=SIGNATURE),
    {"type": "content_block_stop", "index": 0},
    opened(1, type="text", text=""),
    text(1, "Let me "),
    text(1, "see 😀"),
    opened(2, type="tool_use", id="toolu_1", name="read", input={}),
    arguments(2, ""),
    arguments(2, '{"path": "caf'),
    opened(3, type="tool_use", id="toolu_2", name="list", input={}),
    arguments(3, ""),
    arguments(2, 'é"}'),
    ended("tool_use"),
    STOP,
)


def message_of(*events: Any) -> dict[str, Any]:
    message = assemble_messages(stream(START, *events, ended(), STOP), STREAM).message
    assert message is not None
    return message


def test_a_streamed_answer_is_the_sum_of_its_events() -> None:
    assert assemble_messages(stream(*TWO_CALLS), STREAM) == Answer(
        {
            "role": "assistant",
            "content": "Let me see 😀",
            "thinking": [{"type": "thinking", "thinking": "Well, 北京", "signature": SIGNATURE}],
            "tool_calls": [
                {
                    "id": "toolu_1",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"path":"café"}'},
                },
                {"id": "toolu_2", "type": "function", "function": {"name": "list", "arguments": "{}"}},
            ],
        },
        "tool_use",
        Usage(129, 100, 7, 20),
        "",
        True,
        "m",
        "msg_1",
    )


def test_every_way_of_writing_a_stream_reads_the_same() -> None:
    body = stream(*TWO_CALLS)
    for other in rewritten(body):
        assert assemble_messages(other, STREAM) == assemble_messages(body, STREAM)
    without_names = stream(*(f"data: {json.dumps(event)}" for event in TWO_CALLS), done=True)
    assert assemble_messages(without_names, STREAM) == assemble_messages(body, STREAM)


def test_a_stream_cut_at_any_byte_gives_what_came_and_is_complete_only_at_its_end() -> None:
    lines = [f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in TWO_CALLS]
    body = "".join(lines).encode()
    end = len("".join(lines[:-1]).encode()) - 2  # the last brace of message_delta, which says why it stopped
    for cut in range(len(body)):
        answer = assemble_messages(body[:cut], STREAM)
        assert answer.error == ""
        assert answer.complete == (cut >= end)
        if answer.message is not None:
            assert "Let me see 😀".startswith(answer.message["content"] or "")


def test_events_without_an_index_belong_to_the_block_that_was_opened_last() -> None:
    message = message_of(
        opened(None, type="text", text="a"),
        text(None, "b"),
        opened(None, type="tool_use", id="1", name="f", input={}),
        arguments(None, '{"x":'),
        arguments(None, "1}"),
    )
    assert message["content"] == "ab"
    assert message["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"x":1}'}


def test_an_input_that_came_at_once_is_kept() -> None:
    message = message_of(opened(0, type="tool_use", id="1", name="f", input={"x": 1}))
    assert message["tool_calls"][0]["function"]["arguments"] == '{"x":1}'


def test_arguments_that_were_cut_stay_as_they_came() -> None:
    body = stream(START, opened(0, type="tool_use", id="1", name="f", input={}), arguments(0, '{"x": "half'))
    answer = assemble_messages(body, STREAM)
    assert answer.message is not None
    assert answer.message["tool_calls"][0]["function"]["arguments"] == '{"x": "half'
    assert not answer.complete


def test_a_block_whose_beginning_was_lost_is_kept() -> None:
    assert message_of(text(4, "late"))["content"] == "late"


def test_thoughts_stay_whole_and_in_order_beside_the_text() -> None:
    hidden = {"type": "redacted_thinking", "data": "abc=="}
    message = message_of(
        opened(0, **hidden),
        opened(1, type="thinking", thinking=""),
        added(1, type="signature_delta", signature=SIGNATURE),
        opened(2, type="text", text="x"),
    )
    assert message["thinking"] == [hidden, {"type": "thinking", "thinking": "", "signature": SIGNATURE}]
    assert message["content"] == "x"


def test_what_a_server_did_itself_stays_in_the_content() -> None:
    result = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    cited = {"type": "web_search_result_location", "url": "https://example.org", "cited_text": "y"}
    message = message_of(
        opened(0, type="server_tool_use", id="s1", name="web_search", input={}),
        arguments(0, ""),
        opened(1, **result),
        opened(2, type="text", text="", citations=[]),
        added(2, type="citations_delta", citation=cited),
        text(2, "y"),
    )
    assert message["content"] == [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        result,
        {"type": "text", "text": "y", "citations": [cited]},
    ]


def test_numbers_that_the_end_does_not_repeat_stay_as_they_were() -> None:
    for usage, expected in (
        ({"output_tokens": 7}, Usage(129, 100, 7, 20)),
        ({"input_tokens": 5, "output_tokens": 7}, Usage(125, 100, 7, 20)),
        ({"cache_read_input_tokens": 0, "output_tokens": 7}, Usage(29, 0, 7, 20)),
        (
            {"output_tokens": 7, "output_tokens_details": {"thinking_tokens": 4}},
            Usage(129, 100, 7, 20, 4),
        ),
    ):
        event = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
        assert assemble_messages(stream(START, event, STOP), STREAM).usage == expected


def test_a_stream_without_usage_has_none() -> None:
    start = {"type": "message_start", "message": {"content": []}}
    event = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    answer = assemble_messages(stream(start, opened(0, type="text", text="x"), event, STOP), STREAM)
    assert answer.usage is None
    assert answer.complete


def test_an_error_inside_a_200_is_an_error() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    for before in ([], [START], [START, opened(0, type="text", text=""), text(0, "x")]):
        answer = assemble_messages(stream(*before, error), STREAM)
        assert (answer.error, answer.complete) == ("Overloaded", False)
        assert (answer.message is None) == (not before)
    unnamed = 'event: error\ndata: {"message": "Overloaded"}'
    assert assemble_messages(stream(START, unnamed), STREAM).error == "Overloaded"


def test_a_plain_answer_is_read() -> None:
    value = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [
            {"type": "text", "text": "hello"},
            {"type": "tool_use", "id": "1", "name": "f", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": USAGE,
    }
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert assemble_messages(json.dumps(value).encode(), PLAIN) == Answer(
        {"role": "assistant", "content": "hello", "tool_calls": [call]},
        "tool_use",
        Usage(129, 100, 1, 20),
        "",
        True,
        "m",
        "msg_1",
    )


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "the answer is empty"),
        (b"<html>", "the answer is not JSON"),
        (b"{}", "the answer holds no message"),
        (b'{"type": "error", "error": {"type": "not_found_error", "message": "no such model"}}', "no such"),
        (b'{"type": "error", "message": "no"}', "no"),
    ],
)
def test_an_answer_that_says_nothing_says_why(body: bytes, error: str) -> None:
    assert assemble_messages(body, PLAIN).error.startswith(error)


BLOCK = record(
    type=st.sampled_from(["text", "tool_use", "thinking", "server_tool_use"]),
    text=TEXT,
    id=TEXT,
    name=TEXT,
    input=st.just({}),
    signature=TEXT,
    citations=st.just([]),
)
DELTA = record(
    text=TEXT,
    partial_json=st.sampled_from(["", "{}", '{"x":', "[1]"]),
    thinking=TEXT,
    signature=TEXT,
    stop_reason=TEXT,
    citation=st.just({}),
)
COUNTS = record(
    input_tokens=NUMBER,
    output_tokens=NUMBER,
    cache_read_input_tokens=NUMBER,
    output_tokens_details=record(thinking_tokens=NUMBER),
)
EVENT = record(
    type=st.sampled_from(
        ["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop"]
    ),
    index=st.integers(0, 2),
    content_block=BLOCK,
    delta=DELTA,
    usage=COUNTS,
    message=record(usage=COUNTS, model=TEXT),
    content=st.lists(BLOCK, max_size=3),
)


@given(st.lists(EVENT, max_size=6), st.booleans())
def test_no_answer_is_too_odd_to_be_read(events: list[Any], streamed: bool) -> None:
    written = [json.dumps(event) for event in events]
    body = stream(*(f"data: {each}" for each in written)) if streamed else "".join(written).encode()
    answer = assemble_messages(body, STREAM if streamed else PLAIN)
    assert isinstance(answer.error, str)
    assert answer.usage is None or min(answer.usage.input, answer.usage.cached, answer.usage.output) >= 0
    if answer.message is not None:
        assert len(answer_id(b"k", answer.message)) == 16


@given(st.binary(max_size=200), st.sampled_from([STREAM, PLAIN, ""]))
def test_any_bytes_are_an_answer_or_an_error(body: bytes, content_type: str) -> None:
    assert isinstance(assemble_messages(body, content_type), Answer)
