"""Answers put together from what came over the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.answer import Answer, Usage, assemble_answer

STREAM = "text/event-stream; charset=utf-8"


def stream(*chunks: Any, done: bool = True) -> bytes:
    lines = [chunk if isinstance(chunk, str) else f"data: {json.dumps(chunk)}" for chunk in chunks]
    return ("\n\n".join([*lines, "data: [DONE]"] if done else lines) + "\n\n").encode()


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def call(index: int | None, arguments: str, **first: Any) -> dict[str, Any]:
    name = {"name": first.pop("name")} if "name" in first else {}
    piece = {"function": {**name, "arguments": arguments}, **first}
    return delta(tool_calls=[piece if index is None else {"index": index, **piece}])


def test_a_streamed_answer_is_the_sum_of_its_chunks() -> None:
    answer = assemble_answer(
        stream(
            delta(role="assistant", content=""),
            ": keep-alive",
            delta(content="It is "),
            delta(content="北京."),
            delta("stop"),
            {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}},
        ),
        STREAM,
    )
    assert answer == Answer(
        {"role": "assistant", "content": "It is 北京."}, "stop", Usage(9, 0, 3), "", True, "m"
    )


def test_tool_calls_grow_by_index() -> None:
    answer = assemble_answer(
        stream(
            call(0, "", id="a", name="read"),
            call(1, "", id="b", name="write"),
            call(1, '{"x"'),
            call(0, '{"y":1}'),
            call(1, ":2}"),
            delta("tool_calls"),
        ),
        STREAM,
    )
    assert answer.message is not None
    calls = [
        (c["id"], c["function"]["name"], c["function"]["arguments"]) for c in answer.message["tool_calls"]
    ]
    assert calls == [("a", "read", '{"y":1}'), ("b", "write", '{"x":2}')]
    assert answer.message["content"] is None


def test_tool_calls_without_an_index_are_told_apart_by_id() -> None:
    answer = assemble_answer(
        stream(call(None, "{", id="a", name="f"), call(None, "}"), call(None, "{}", id="b", name="g")), STREAM
    )
    assert answer.message is not None
    assert [c["function"]["arguments"] for c in answer.message["tool_calls"]] == ["{}", "{}"]


def test_usage_is_found_on_the_last_data_chunk_and_without_choices() -> None:
    usage = {
        "prompt_tokens": 16_000,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 15_872},
    }
    last = delta("stop") | {"usage": usage}
    assert assemble_answer(stream(delta(content="x"), last), STREAM).usage == Usage(16_000, 15_872, 5)
    assert assemble_answer(stream(delta(content="x"), {"usage": usage}), STREAM).usage == Usage(
        16_000, 15_872, 5
    )


def test_a_finished_stream_is_complete_without_done() -> None:
    assert assemble_answer(stream(delta(content="x"), delta("stop"), done=False), STREAM).complete


def test_a_stream_that_stops_in_the_middle_is_not_complete() -> None:
    answer = assemble_answer(stream(delta(content="half a"), done=False), STREAM)
    assert not answer.complete
    assert answer.message == {"role": "assistant", "content": "half a"}
    assert not assemble_answer(b"", STREAM).complete


@pytest.mark.parametrize(
    "chunk",
    [
        {"error": {"message": "overloaded", "type": "server_error"}},
        {"error": "overloaded"},
        'event: error\ndata: {"message": "overloaded"}',
    ],
)
def test_an_error_inside_a_200_is_an_error(chunk: Any) -> None:
    for before in ([], [delta(content="x")]):
        answer = assemble_answer(stream(*before, chunk), STREAM)
        assert answer.error == "overloaded"
        assert not answer.complete


def test_a_plain_answer_is_read() -> None:
    message = {"role": "assistant", "content": "hello", "refusal": None}
    value = {
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": None},
    }
    answer = assemble_answer(json.dumps(value).encode(), "application/json")
    assert answer == Answer(message, "stop", Usage(1, 0, 2), "", True, "m")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "the answer is empty"),
        (b"<html>", "the answer is not JSON"),
        (b"[1]", "the answer is not a JSON object"),
        (b'{"choices": []}', "the answer holds no message"),
        (b'{"error": {"message": "no such model"}}', "no such model"),
        (b'{"error": {"code": 7}}', "7"),
    ],
)
def test_an_answer_that_says_nothing_says_why(body: bytes, error: str) -> None:
    assert assemble_answer(body, "application/json").error == error


def test_a_stream_without_its_content_type_is_known_by_its_look() -> None:
    assert assemble_answer(stream(delta("stop", content="x")), "").complete
