"""Answers of chat completions put together from what came over the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.answer import Answer, Usage
from metaclaw_tray.wire.answer_chat import assemble_chat
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.tree import answer_id, answer_node
from support.told import steps
from wire.strange import NUMBER, PLAIN, STREAM, TEXT, record, rewritten, stream

KEY = b"k" * 32


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"id": "c1", "model": "m", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def call(index: int | None, arguments: str, **first: Any) -> dict[str, Any]:
    name = {"name": first.pop("name")} if "name" in first else {}
    piece = {"function": {**name, "arguments": arguments}, **first}
    return delta(tool_calls=[piece if index is None else {"index": index, **piece}])


def calls_of(*chunks: Any) -> list[tuple[str, str, str]]:
    message = assemble_chat(stream(*chunks, done=True), STREAM).message
    assert message is not None
    return [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in message["tool_calls"]]


WHOLE = stream(
    delta(role="assistant", content=""),
    delta(content="It is "),
    delta(content="北京 😀."),
    call(0, "", id="a", name="read"),
    call(0, '{"é":1}'),
    delta("tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}},
    done=True,
)
WHOLE_RAW = WHOLE.decode().encode().replace(json.dumps("北京 😀.").encode(), '"北京 😀."'.encode())


def test_a_streamed_answer_is_the_sum_of_its_chunks() -> None:
    assert assemble_chat(WHOLE, STREAM) == Answer(
        {
            "role": "assistant",
            "content": "It is 北京 😀.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"é":1}'}}
            ],
        },
        "tool_calls",
        Usage(9, 0, 3),
        "",
        True,
        "m",
        "c1",
    )


@pytest.mark.parametrize("body", [WHOLE, WHOLE_RAW])
def test_every_way_of_writing_a_stream_reads_the_same(body: bytes) -> None:
    for other in rewritten(body):
        assert assemble_chat(other, STREAM) == assemble_chat(WHOLE, STREAM)


def test_a_stream_cut_at_any_byte_gives_what_came_and_is_complete_only_at_its_end() -> None:
    end = WHOLE_RAW.index(b'"finish_reason": "tool_calls"')
    whole = assemble_chat(WHOLE, STREAM).message
    assert whole is not None
    for cut in range(len(WHOLE_RAW)):
        answer = assemble_chat(WHOLE_RAW[:cut], STREAM)
        assert answer.error == ""
        assert answer.complete == (cut >= WHOLE_RAW.index(b"}", end) + 3)  # } ] } of the chunk that ends it
        if answer.message is not None:
            assert whole["content"].startswith(answer.message["content"] or "")


def test_tool_calls_grow_by_index_side_by_side() -> None:
    assert calls_of(
        call(1, "", id="b", name="write"),
        call(0, "", id="a", name="read"),
        call(1, '{"x"'),
        call(0, '{"y":1}'),
        call(1, ":2}"),
    ) == [("a", "read", '{"y":1}'), ("b", "write", '{"x":2}')]


def test_tool_calls_without_an_index_are_told_apart_by_id() -> None:
    assert calls_of(
        call(None, "{", id="a", name="f"), call(None, "}"), call(None, "{}", id="b", name="g")
    ) == [("a", "f", "{}"), ("b", "g", "{}")]


def test_tool_calls_that_share_one_index_are_told_apart_by_id() -> None:
    assert calls_of(call(0, "{}", id="a", name="f"), call(0, '{"x"', id="b", name="f"), call(0, ":1}")) == [
        ("a", "f", "{}"),
        ("b", "f", '{"x":1}'),
    ]


def test_an_id_that_is_repeated_or_changes_without_a_name_begins_no_call() -> None:
    assert calls_of(call(0, "{", id="a", name="f"), call(0, "", id="a", name="f"), call(0, "}", id="z")) == [
        ("a", "f", "{}")
    ]


def test_a_call_without_arguments_says_nothing() -> None:
    assert calls_of(delta(tool_calls=[{"index": 0, "id": "a", "function": {"name": "f"}}])) == [
        ("a", "f", "")
    ]


def test_refusals_reasoning_and_texts_in_parts_are_kept() -> None:
    answer = assemble_chat(
        stream(
            delta(reasoning_content="first "),
            delta(reasoning="then"),
            delta(content=[{"type": "text", "text": "in "}, {"type": "other"}]),
            delta(content="parts"),
            delta(refusal="I "),
            delta("stop", refusal="cannot"),
        ),
        STREAM,
    )
    assert answer.message == {
        "role": "assistant",
        "content": "in parts",
        "refusal": "I cannot",
        "reasoning_content": "first then",
    }


def test_usage_is_found_wherever_it_stands() -> None:
    usage = {
        "prompt_tokens": 16_000,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 15_872, "cache_write_tokens": 7},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    for last in (delta() | {"usage": usage}, {"usage": usage}, {"choices": [], "usage": usage}):
        body = stream(delta(content="x"), delta("stop"), last, {"choices": [], "usage": None}, done=True)
        assert assemble_chat(body, STREAM).usage == Usage(16_000, 15_872, 5, 7, 3)


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
    answer = assemble_chat(body.encode(), PLAIN)
    assert answer.usage in (Usage(count, 0, count), None)
    assert answer.usage is not None or answer.error


def test_a_finished_stream_is_complete_without_done() -> None:
    assert assemble_chat(stream(delta(content="x"), delta("stop")), STREAM).complete


def test_an_empty_stream_is_not_complete() -> None:
    for body in (b"", b"\n\n", b": ping\n\n"):
        assert not assemble_chat(body, STREAM).complete


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
        answer = assemble_chat(stream(*before, chunk, done=True), STREAM)
        assert answer.error == "overloaded"
        assert not answer.complete
        assert (answer.message is None) == (not before)


def test_a_chunk_that_is_no_json_in_the_middle_is_an_error() -> None:
    answer = assemble_chat(stream(delta(content="x"), "data: {oops", delta("stop")), STREAM)
    assert answer.error
    assert not answer.complete


def test_a_plain_answer_is_read() -> None:
    message = {"role": "assistant", "content": "hello", "refusal": None}
    value = {
        "id": "c1",
        "model": "m",
        "choices": [{"index": 1, "message": {}}, {"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": None},
    }
    answer = assemble_chat(json.dumps(value).encode(), PLAIN)
    assert answer == Answer(message, "stop", Usage(1, 0, 2), "", True, "m", "c1")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "the answer is empty"),
        (b"<html>", "the answer is not JSON"),
        (b"[1]", "the answer is not a JSON object"),
        (b'{"choices": []}', "the answer holds no message"),
        (b'{"error": {"message": "no such model"}}', "no such model"),
        (b'{"error": {"code": 7}}', "7"),
        (b'{"error": {"detail": "why"}}', '{"detail":"why"}'),
    ],
)
def test_an_answer_that_says_nothing_says_why(body: bytes, error: str) -> None:
    assert assemble_chat(body, PLAIN).error == error


def test_the_look_of_an_answer_counts_more_than_its_type() -> None:
    body = stream(delta("stop", content="x"))
    for content_type in ("", PLAIN, "text/plain", "Text/Event-Stream"):
        assert assemble_chat(body, content_type).complete
    assert assemble_chat(b'{"error": "no"}', STREAM).error == "no"


def test_half_an_emoji_spoils_no_answer() -> None:
    streamed = assemble_chat(stream(delta(content="cut \ud83d"), delta("stop")), STREAM)
    plain = assemble_chat(json.dumps({"choices": [{"message": {"content": "cut \ud83d"}}]}).encode(), PLAIN)
    sent_back = CHAT.parse(
        json.dumps({"messages": [{"role": "assistant", "content": "cut \ud83d"}]}).encode()
    )
    ((_, piece),) = steps(CHAT, sent_back)
    assert streamed.message is not None
    assert plain.message is not None
    nodes = {answer_node(KEY, b"", message) for message in (streamed.message, plain.message, *piece.messages)}
    assert len(nodes) == 1


FUNCTION = record(name=st.just("f"), arguments=TEXT)
CALL = record(index=st.integers(0, 2), id=st.sampled_from("12"), function=FUNCTION)
DELTA = record(
    content=TEXT, tool_calls=st.lists(CALL, min_size=1, max_size=3), reasoning=TEXT, refusal=TEXT, role=TEXT
)
CHOICE = record(index=st.just(0), delta=DELTA, message=DELTA, finish_reason=st.just("stop"))
DETAILS = record(cached_tokens=NUMBER)
USAGE = record(prompt_tokens=NUMBER, completion_tokens=NUMBER, prompt_tokens_details=DETAILS)
CHUNK = record(
    choices=st.lists(CHOICE, min_size=1, max_size=2), usage=USAGE, error=st.none(), model=st.just("m")
)


@given(st.lists(CHUNK, max_size=4), st.booleans())
def test_no_answer_is_too_odd_to_be_read(chunks: list[Any], streamed: bool) -> None:
    written = [json.dumps(chunk) for chunk in chunks]
    body = stream(*(f"data: {each}" for each in written)) if streamed else "".join(written).encode()
    answer = assemble_chat(body, STREAM if streamed else PLAIN)
    assert isinstance(answer.error, str)
    assert answer.usage is None or min(answer.usage.input, answer.usage.cached, answer.usage.output) >= 0
    if answer.message is not None:
        assert len(answer_id(KEY, answer.message)) == 16


@given(st.binary(max_size=200), st.sampled_from([STREAM, PLAIN, "", "text/html"]))
def test_any_bytes_are_an_answer_or_an_error(body: bytes, content_type: str) -> None:
    assert isinstance(assemble_chat(body, content_type), Answer)
