"""Answers of responses put together from what came over the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metaclaw_tray.wire.answer import Answer, Usage
from metaclaw_tray.wire.answer_responses import assemble_responses, final_answer
from metaclaw_tray.wire.tree import answer_id
from wire.strange import NUMBER, PLAIN, STREAM, TEXT, record, rewritten, stream

KEY = b"k" * 32
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA=="}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
SAID = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Let me see 北京 😀", "annotations": [], "logprobs": []}],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "read",
    "arguments": '{"path":"café"}',
    "status": "completed",
}
CUSTOM = {
    "type": "custom_tool_call",
    "id": "ct_1",
    "call_id": "call_2",
    "name": "patch",
    "input": "*** Begin",
}
OUTPUT: list[dict[str, Any]] = [REASONING, SEARCH, SAID, CALL, CUSTOM]
USAGE = {
    "input_tokens": 50,
    "input_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 2},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 5},
}


def response(status: str = "completed", **more: Any) -> dict[str, Any]:
    return {"id": "resp_1", "model": "m", "status": status, "error": None, "usage": USAGE, **more}


def end(status: str = "completed", **more: Any) -> dict[str, Any]:
    return {"type": f"response.{status}", "response": response(status, **more)}


def item(step: str, index: int | None, value: dict[str, Any]) -> dict[str, Any]:
    event = {"type": f"response.output_item.{step}", "item": value}
    return event if index is None else event | {"output_index": index}


def piece(kind: str, index: int | None = None, **more: Any) -> dict[str, Any]:
    event = {"type": f"response.{kind}", **more}
    return event if index is None else event | {"output_index": index}


BEGINNING = {"type": "response.created", "response": response("in_progress", output=[], usage=None)}
EVENTS = (
    BEGINNING,
    item("added", 0, REASONING | {"encrypted_content": None}),
    item("done", 0, REASONING),
    item("added", 1, SEARCH),
    item("done", 1, SEARCH),
    item("added", 2, SAID | {"content": []}),
    piece("content_part.added", 2, content_index=0, part={"type": "output_text", "text": ""}),
    piece("output_text.delta", 2, content_index=0, delta="Let me "),
    piece("output_text.delta", 2, content_index=0, delta="see 北京 😀"),
    piece("output_text.done", 2, content_index=0, text="Let me see 北京 😀"),
    item("added", 3, CALL | {"arguments": ""}),
    item("added", 4, CUSTOM | {"input": ""}),
    piece("function_call_arguments.delta", 3, delta=""),
    piece("function_call_arguments.delta", 3, delta='{"path":'),
    piece("custom_tool_call_input.delta", 4, delta="*** Begin"),
    piece("function_call_arguments.delta", 3, delta='"café"}'),
)
DONE = tuple(item("done", index, OUTPUT[index]) for index in (2, 3, 4))
MESSAGE = {
    "role": "assistant",
    "content": "Let me see 北京 😀",
    "items": [REASONING, SEARCH],
    "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": '{"path":"café"}'}},
        {"id": "call_2", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}},
    ],
}
FULL = Answer(MESSAGE, "completed", Usage(50, 40, 9, 2, 5), "", True, "m", "resp_1")


@pytest.mark.parametrize(
    "events",
    [
        (*EVENTS, *DONE, end(output=OUTPUT)),
        (*EVENTS, end(output=OUTPUT)),
        (end(output=OUTPUT),),
        (*EVENTS, *DONE, end(output=[])),
        (*EVENTS, *DONE, end()),
        (*EVENTS, end(output=None)),
    ],
)
def test_a_streamed_answer_is_what_its_end_or_its_pieces_say(events: tuple[Any, ...]) -> None:
    for done in (False, True):
        body = stream(*events, done=done)
        assert assemble_responses(body, STREAM) == FULL
        assert final_answer(body, STREAM) == FULL


def test_every_way_of_writing_a_stream_reads_the_same() -> None:
    body = stream(*EVENTS, *DONE, end(output=OUTPUT))
    for other in rewritten(body):
        assert assemble_responses(other, STREAM) == FULL
        assert final_answer(other, STREAM) == FULL


def test_a_stream_cut_at_any_byte_gives_what_came_and_is_complete_only_at_its_end() -> None:
    lines = [f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in (*EVENTS, end(output=OUTPUT))]
    body = "".join(lines).encode()
    for cut in range(len(body)):
        answer = assemble_responses(body[:cut], STREAM)
        assert answer.error == ""
        assert answer.complete == (cut >= len(body) - 2)
        assert (final_answer(body[:cut], STREAM) is not None) == answer.complete
        if answer.message is not None:
            assert "Let me see 北京 😀".startswith(answer.message["content"] or "")


def calls_of(*events: Any) -> list[tuple[str | None, str]]:
    message = assemble_responses(stream(BEGINNING, *events), STREAM).message
    assert message is not None
    return [(call["id"], call["function"]["arguments"]) for call in message["tool_calls"]]


def test_arguments_may_come_at_the_end_alone() -> None:
    bare = CALL | {"arguments": ""}
    done = piece("function_call_arguments.done", 0, item_id="fc_1", arguments="{}")
    assert calls_of(item("added", 0, bare), done) == [("call_1", "{}")]
    assert calls_of(item("added", 0, bare), item("done", 0, CALL | {"arguments": "{}"})) == [("call_1", "{}")]
    assert calls_of(item("done", 0, CALL | {"arguments": "{}"})) == [("call_1", "{}")]
    assert calls_of(done) == [(None, "{}")]


def test_arguments_that_are_a_value_are_written_as_text() -> None:
    assert calls_of(item("done", 0, CALL | {"arguments": {"x": 1}})) == [("call_1", '{"x":1}')]


def test_items_without_a_place_are_told_apart_by_their_id() -> None:
    other = CALL | {"id": "fc_2", "call_id": "call_2", "arguments": ""}
    events = (
        item("added", None, CALL | {"arguments": ""}),
        item("added", None, other),
        piece("function_call_arguments.delta", item_id="fc_1", delta='{"x":'),
        piece("function_call_arguments.delta", item_id="fc_2", delta="{}"),
        piece("function_call_arguments.delta", item_id="fc_1", delta="1}"),
    )
    assert calls_of(*events) == [("call_1", '{"x":1}'), ("call_2", "{}")]
    done = (item("done", None, CALL | {"arguments": '{"x":1}'}), item("done", None, other))
    assert calls_of(*events, *done) == [("call_1", '{"x":1}'), ("call_2", "")]


def test_several_texts_and_refusals_stay_parts() -> None:
    answer = assemble_responses(
        stream(
            piece("output_text.delta", 0, content_index=0, delta="one"),
            piece("output_text.delta", 0, content_index=1, delta="two"),
            piece("refusal.delta", 1, content_index=0, delta="I "),
            piece("refusal.done", 1, content_index=0, refusal="I cannot"),
        ),
        STREAM,
    )
    assert answer.message == {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "one"},
            {"type": "text", "text": "two"},
            {"type": "refusal", "refusal": "I cannot"},
        ],
    }
    assert not answer.complete


def test_an_answer_that_was_not_finished_says_why() -> None:
    details = {"incomplete_details": {"reason": "max_output_tokens"}}
    body = stream(BEGINNING, *EVENTS, end("incomplete", output=OUTPUT, **details))
    answer = assemble_responses(body, STREAM)
    assert (answer.finish_reason, answer.complete, answer.message) == ("max_output_tokens", True, MESSAGE)
    assert final_answer(body, STREAM) == answer


@pytest.mark.parametrize(
    "last",
    [
        end("failed", error={"code": "server_error", "message": "Overloaded"}, output=[]),
        {"type": "error", "code": "overloaded", "message": "Overloaded", "param": None},
        {"type": "error", "error": {"type": "overloaded", "message": "Overloaded"}},
        'event: error\ndata: {"message": "Overloaded"}',
        'data: {"error": {"message": "Overloaded"}}',
    ],
)
def test_an_error_inside_a_200_is_an_error(last: Any) -> None:
    for before in ((), EVENTS):
        body = stream(*before, last)
        answer = assemble_responses(body, STREAM)
        assert answer.error == "Overloaded"
        assert (answer.message is None) == (not before)
        assert final_answer(body, STREAM) is None


@pytest.mark.parametrize("status", ["queued", "in_progress", "cancelled"])
def test_a_response_that_goes_on_elsewhere_is_not_complete(status: str) -> None:
    body = json.dumps(response(status, output=[])).encode()
    assert not assemble_responses(body, PLAIN).complete
    assert final_answer(body, PLAIN) is None


def test_a_plain_answer_is_read() -> None:
    body = json.dumps(response(output=OUTPUT)).encode()
    assert assemble_responses(body, PLAIN) == FULL
    assert final_answer(body, PLAIN) == FULL


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "the answer is empty"),
        (b"<html>", "the answer is not JSON"),
        (b"{}", "the answer holds no output"),
        (b'{"error": {"message": "no such model"}}', "no such model"),
        (b'{"status": "failed"}', "the response failed"),
    ],
)
def test_an_answer_that_says_nothing_says_why(body: bytes, error: str) -> None:
    assert assemble_responses(body, PLAIN).error == error
    assert final_answer(body, PLAIN) is None


def test_words_about_the_end_are_not_the_end() -> None:
    text = 'it sends "response.completed" at last\ndata: {"type":"response.completed"}'
    said = piece("output_text.delta", 0, delta=text)
    assert final_answer(stream(BEGINNING, said), STREAM) is None
    output = [SAID | {"content": [{"type": "output_text", "text": text}]}]
    body = stream(BEGINNING, said, end(output=output, metadata={"response.completed": "data:"}))
    assert final_answer(body, STREAM) == assemble_responses(body, STREAM)
    assert final_answer(body, STREAM) is not None


ITEM = record(
    type=st.sampled_from(["message", "function_call", "custom_tool_call", "reasoning"]),
    id=st.sampled_from("ab"),
    call_id=TEXT,
    name=TEXT,
    arguments=TEXT,
    content=st.lists(record(type=st.just("output_text"), text=TEXT), max_size=2) | TEXT,
)
RESPONSE = record(
    status=st.sampled_from(["completed", "incomplete", "failed"]),
    output=st.lists(ITEM, max_size=3),
    error=st.none(),
    incomplete_details=record(reason=TEXT),
    usage=record(
        input_tokens=NUMBER, output_tokens=NUMBER, input_tokens_details=record(cached_tokens=NUMBER)
    ),
    model=TEXT,
    id=TEXT,
)
EVENT = record(
    type=st.sampled_from(
        [
            *(f"response.output_item.{step}" for step in ("added", "done")),
            *(f"response.{what}.{step}" for what in ("output_text", "refusal") for step in ("delta", "done")),
            *(f"response.function_call_arguments.{step}" for step in ("delta", "done")),
            "response.custom_tool_call_input.delta",
            "response.completed",
            "response.failed",
            "error",
        ]
    ),
    output_index=st.integers(0, 2),
    content_index=st.integers(0, 2),
    item_id=st.sampled_from("ab"),
    item=ITEM,
    delta=TEXT,
    text=TEXT,
    arguments=TEXT,
    response=RESPONSE,
)


@example([{"type": "response.output_item.added", "item": {}}])
@given(st.lists(EVENT, max_size=6))
def test_no_stream_is_too_odd_to_be_read(events: list[Any]) -> None:
    body = stream(*(f"data: {json.dumps(event)}" for event in events))
    check(assemble_responses(body, STREAM), final_answer(body, STREAM))


@given(RESPONSE)
def test_no_answer_is_too_odd_to_be_read(value: Any) -> None:
    body = json.dumps(value).encode()
    check(assemble_responses(body, PLAIN), final_answer(body, PLAIN))


def check(answer: Answer, final: Answer | None) -> None:
    assert isinstance(answer.error, str)
    assert answer.usage is None or min(answer.usage.input, answer.usage.cached, answer.usage.output) >= 0
    if answer.message is not None:
        assert len(answer_id(KEY, answer.message)) == 16
    assert final is None or (final.complete and not final.error)


@given(st.binary(max_size=200), st.sampled_from([STREAM, PLAIN, ""]))
def test_any_bytes_are_an_answer_or_an_error(body: bytes, content_type: str) -> None:
    check(assemble_responses(body, content_type), final_answer(body, content_type))
