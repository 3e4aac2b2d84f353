"""Whatever stands in a request: it can be read, or it is a WireError."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer_responses import final_answer
from metaclaw_tray.wire.dialect import HEAD, Dialect
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, answer_id, root_of
from support.told import conversation, steps
from wire.strange import ANYTHING, JSON, PLAIN, STREAM, TEXT, body_of, mostly, record

ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
KEY = b"k" * 32
ROOT = root_of(KEY, "agent")


def value_or_wire_error(dialect: Dialect, body: bytes) -> None:
    """Ask a dialect for everything there is to know of a request; nothing but a WireError may come of it."""
    try:
        request = dialect.parse(body)
    except WireError:
        return
    asked: list[Callable[[], Any]] = [
        lambda: dialect.system_texts(request),
        lambda: dialect.has_system(request),
        lambda: list(steps(dialect, request)),
        lambda: dialect.inject(request, [], "m"),
        lambda: dialect.inject(request, [(0, "x")], None) if request.items else None,
        lambda: dialect.inject(request, [(HEAD, "x")] if dialect.has_system(request) else [], None),
    ]
    for ask in asked:
        with contextlib.suppress(WireError):
            ask()
    try:
        reader = Reader(KEY)
        path = reader.path(dialect, request, ROOT)
    except WireError:
        return
    assert len(path.nodes) == len(path.ids) == len(path.positions) == len(conversation(dialect, request))
    assert path.positions == sorted(path.positions)
    assert reader.path(dialect, request, ROOT) == path  # now from memory
    for place in path.anchors:
        assert json.loads(dialect.inject(request, [(path.positions[place], "x")], None))


BLOCKS = record(
    type=st.sampled_from(["text", "tool_use", "tool_result", "thinking", "input_text", "output_text"]),
    text=TEXT,
    id=TEXT,
    tool_use_id=TEXT,
    name=TEXT,
    input=JSON,
    content=JSON,
    is_error=st.booleans(),
)
ELEMENT = record(
    role=st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
    type=st.sampled_from(
        [
            "message",
            "function_call",
            "custom_tool_call",
            "function_call_output",
            "reasoning",
            "item_reference",
        ]
    ),
    content=TEXT | st.lists(BLOCKS, max_size=3),
    tool_calls=st.lists(record(id=TEXT, function=record(name=TEXT, arguments=TEXT)), max_size=2),
    tool_call_id=TEXT,
    call_id=TEXT,
    name=TEXT,
    arguments=TEXT,
    input=JSON,
    output=JSON,
    encrypted_content=TEXT,
)
REQUEST = st.fixed_dictionaries(
    {},
    optional={
        "model": mostly(TEXT),
        "system": mostly(TEXT | st.lists(BLOCKS, max_size=2)),
        "instructions": mostly(TEXT),
        "tools": ANYTHING,
    },
)
CONVERSATION = st.lists(ELEMENT, max_size=5) | TEXT | ANYTHING


@given(st.sampled_from(list(DIALECTS.values())), REQUEST, CONVERSATION)
def test_whatever_stands_in_a_request_it_is_a_value_or_a_wire_error(
    dialect: Dialect, fields: dict[str, Any], elements: Any
) -> None:
    value_or_wire_error(dialect, body_of(dialect, elements, **fields))


@given(st.sampled_from(list(DIALECTS.values())), st.binary(max_size=60), JSON)
def test_any_bytes_and_any_json_are_a_request_or_a_wire_error(
    dialect: Dialect, body: bytes, value: Any
) -> None:
    value_or_wire_error(dialect, body)
    value_or_wire_error(dialect, json.dumps(value).encode())


DEPTHS = range(850, 1000)  # some are too deep to be split, some to be read, some to be put together


@ALL
def test_what_is_nested_too_deep_is_a_wire_error(dialect: Dialect) -> None:
    field = dialect.conversation.encode()
    for depth in DEPTHS:
        deep = b"[" * depth + b"]" * depth
        for element in (
            b'{"role":"user","content":%b}' % deep,
            b'{"role":"assistant","content":[{"type":"tool_use","input":%b}]}' % deep,
            b'{"type":"function_call","arguments":%b}' % deep,
        ):
            value_or_wire_error(dialect, b'{"%b":[%b]}' % (field, element))
        value_or_wire_error(dialect, b'{"system":%b,"instructions":%b,"%b":[]}' % (deep, deep, field))


@ALL
def test_an_answer_that_is_nested_too_deep_is_an_answer_or_an_error(dialect: Dialect) -> None:
    for depth in DEPTHS:
        deep = b"[" * depth + b"]" * depth
        call = b'{"type":"function_call","arguments":%b}' % deep
        for body in (
            b'{"error":{"x":%b}}' % deep,
            b'{"error":{"message":%b}}' % deep,
            b'{"choices":[{"message":{"content":%b}}]}' % deep,
            b'{"choices":[{"delta":{"content":%b}}]}' % deep,
            b'{"content":[{"type":"tool_use","input":%b}]}' % deep,
            b'{"type":"content_block_start","content_block":{"type":"tool_use","input":%b}}' % deep,
            b'{"output":[%b]}' % call,
            b'{"type":"response.output_item.done","item":%b}' % call,
            b'{"type":"response.completed","response":{"output":[%b]}}' % call,
        ):
            answer_or_error(dialect, body, PLAIN)
            answer_or_error(dialect, b"data: " + body + b"\n\n", STREAM)


def answer_or_error(dialect: Dialect, body: bytes, content_type: str) -> None:
    answer = dialect.assemble(body, content_type)
    assert isinstance(answer.error, str)
    final_answer(body, content_type)
    if answer.message is not None:
        with contextlib.suppress(WireError):
            answer_id(KEY, answer.message)
