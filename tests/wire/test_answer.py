"""Answers put together from what came over the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.answer import Answer, Usage, assemble_answer
from metaclaw_tray.wire.tree import answer_node

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


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("7", 7),
        ("-7", 0),
        ("true", 0),
        ("7.5", 0),
        ('"7"', 0),
        ("null", 0),
        ("1e19", 0),
        ("1e999", 0),
        ("9" * 19, 2**31 - 1),
        ("9" * 4000, 2**31 - 1),
    ],
)
def test_a_count_that_is_none_or_beyond_reason_does_no_harm(said: str, count: int) -> None:
    usage = f'{{"prompt_tokens": {said}, "completion_tokens": {said}}}'
    body = f'{{"choices": [{{"message": {{"content": "x"}}}}], "usage": {usage}}}'
    answer = assemble_answer(body.encode(), "application/json")
    assert answer.usage in (Usage(count, 0, count), None)
    assert answer.usage is not None or answer.error


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


SCALAR = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
JSON = SCALAR | st.lists(SCALAR, max_size=2) | st.dictionaries(st.text(max_size=3), SCALAR, max_size=2)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """As it should be, but for one time in eight."""
    return st.sampled_from([strategy] * 7 + [JSON]).flatmap(lambda chosen: chosen)


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return mostly(st.fixed_dictionaries({name: mostly(field) for name, field in fields.items()}))


FUNCTION = record(name=st.just("f"), arguments=st.just("{}"))
CALL = record(index=st.integers(0, 2), id=st.just("1"), function=FUNCTION)
DELTA = record(
    content=st.just("x"), tool_calls=st.lists(CALL, min_size=1, max_size=3), reasoning=st.just("r")
)
CHOICE = record(index=st.just(0), delta=DELTA, message=DELTA, finish_reason=st.just("stop"))
DETAILS = record(cached_tokens=st.integers())
USAGE = record(prompt_tokens=st.integers(), completion_tokens=st.integers(), prompt_tokens_details=DETAILS)
CHUNK = record(
    choices=st.lists(CHOICE, min_size=1, max_size=2), usage=USAGE, error=st.none(), model=st.just("m")
)


@given(st.lists(CHUNK, max_size=4), st.booleans())
def test_no_answer_is_too_odd_to_be_read(chunks: list[Any], streamed: bool) -> None:
    written = [json.dumps(chunk) for chunk in chunks]
    body = stream(*(f"data: {each}" for each in written)) if streamed else "".join(written).encode()
    answer = assemble_answer(body, STREAM if streamed else "application/json")
    assert isinstance(answer.error, str)
    assert answer.usage is None or min(answer.usage.input, answer.usage.cached, answer.usage.output) >= 0
    if answer.message is not None:
        assert len(answer_node(b"k", b"p", answer.message)) == 16


@given(st.binary(max_size=200), st.sampled_from([STREAM, "application/json", "", "text/html"]))
def test_any_bytes_are_an_answer_or_an_error(body: bytes, content_type: str) -> None:
    assert isinstance(assemble_answer(body, content_type), Answer)
