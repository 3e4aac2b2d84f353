"""Reading requests: one conversation, however it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialect import Dialect, Sort
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, root_of
from support.told import conversation, steps
from wire.strange import body_of

CHAT, MESSAGES, RESPONSES = (DIALECTS[name] for name in ("chat", "messages", "responses"))
ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
KEY = b"k" * 32
ROOT = root_of(KEY, "agent")
PERSON = {"role": "user", "content": "hello"}
CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}

PICTURE = {"type": "image", "source": {"type": "base64", "data": "AA=="}}


def said(dialect: Dialect, *elements: Any) -> list[tuple[int, list[dict[str, Any]]]]:
    request = dialect.parse(body_of(dialect, elements))
    return [(index, piece.messages) for index, piece in steps(dialect, request)]


def result_of_messages(call_id: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


@ALL
def test_a_dialect_knows_its_name(dialect: Dialect) -> None:
    assert DIALECTS[dialect.name] is dialect
    assert dialect.conversation == ("input" if dialect is RESPONSES else "messages")


@ALL
@pytest.mark.parametrize("element", [1, "text", None, [], True])
def test_an_element_that_is_no_object_is_a_wire_error(dialect: Dialect, element: Any) -> None:
    request = dialect.parse(body_of(dialect, [PERSON, element]))
    asked: list[Callable[[], Any]] = [
        lambda: list(steps(dialect, request)),
        lambda: dialect.system_texts(request),
        lambda: conversation(dialect, request),
        lambda: Reader(KEY).path(dialect, request, ROOT),
    ]
    for ask in asked:
        with pytest.raises(WireError):
            ask()


@ALL
def test_a_field_that_cannot_be_read_is_a_wire_error(dialect: Dialect) -> None:
    field = {"chat": "x", "messages": "system", "responses": "instructions"}[dialect.name]
    for value in (b"1e999", b'"\xff"', b"9" * 5000):
        body = b'{"%b":%b,"%b":[]}' % (field.encode(), value, dialect.conversation.encode())
        request = dialect.parse(body)
        if dialect is not CHAT:
            with pytest.raises(WireError):
                dialect.system_texts(request)


@ALL
def test_instructions_are_no_part_of_the_conversation_wherever_they_stand(dialect: Dialect) -> None:
    first, late = {"role": "system", "content": "a"}, {"role": "developer", "content": "c"}
    elements = [first, PERSON, late]
    request = dialect.parse(body_of(dialect, elements))
    assert [dialect.piece(each).sort for each in elements] == [Sort.SYSTEM, Sort.SAID, Sort.SYSTEM]
    assert said(dialect, *elements) == [(1, [PERSON])]
    assert dialect.system_texts(request) == ["a", "c"]


def test_chat_is_the_form_that_all_are_brought_to() -> None:
    elements = [
        PERSON,
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "1", "content": "ok"},
        {"role": "assistant", "content": "done", "refusal": None},
    ]
    assert said(CHAT, *elements) == [(index, [element]) for index, element in enumerate(elements)]


def test_messages_are_brought_to_it() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "s=="}
    assert said(
        MESSAGES,
        {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {}}]},
        {
            "role": "assistant",
            "content": [
                thought,
                {"type": "text", "text": "so"},
                {"type": "tool_use", "id": "1", "name": "f", "input": {"x": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                result_of_messages("1"),
                result_of_messages("2", [PICTURE], is_error=True),
                {"type": "text", "text": "and now?"},
            ],
        },
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": [result_of_messages("3")]},
    ) == [
        (0, [{"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {}}]}]),
        (1, [{"role": "assistant", "content": "so", "thinking": [thought], "tool_calls": [CALL]}]),
        (
            2,
            [
                {"role": "tool", "tool_call_id": "1", "content": "ok"},
                {"role": "tool", "tool_call_id": "2", "content": [PICTURE], "is_error": True},
                {"role": "user", "content": [{"type": "text", "text": "and now?"}]},
            ],
        ),
        (3, [{"role": "assistant", "content": "done"}]),
        (4, [{"role": "tool", "tool_call_id": "3", "content": "ok"}]),
    ]


def test_responses_are_brought_to_it() -> None:
    reasoning = {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e=="}
    search = {"type": "web_search_call", "id": "w", "status": "completed"}
    assert said(
        RESPONSES,
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "rules"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        reasoning,
        search,
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "so"}]},
        {"type": "function_call", "call_id": "1", "name": "f", "arguments": '{"x":1}'},
        {"type": "custom_tool_call", "call_id": "2", "name": "g", "input": "raw"},
        {"type": "function_call_output", "call_id": "1", "output": "ok"},
        {
            "type": "custom_tool_call_output",
            "call_id": "2",
            "output": [{"type": "input_text", "text": "fine"}],
        },
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "thanks"},
    ) == [
        (1, [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]),
        (
            5 + 1,
            [
                {
                    "role": "assistant",
                    "content": "so",
                    "items": [reasoning, search],
                    "tool_calls": [
                        CALL,
                        {"id": "2", "type": "custom", "custom": {"name": "g", "input": "raw"}},
                    ],
                }
            ],
        ),
        (7, [{"role": "tool", "tool_call_id": "1", "content": "ok"}]),
        (8, [{"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "fine"}]}]),
        (9, [{"role": "assistant", "content": "done"}]),
        (10, [{"role": "user", "content": "thanks"}]),
    ]


def test_an_input_of_one_text_is_the_persons() -> None:
    request = RESPONSES.parse(b'{"input":"hello"}')
    path = Reader(KEY).path(RESPONSES, request, ROOT)
    assert conversation(RESPONSES, request) == [PERSON]
    assert path.words == "hello"
    assert (
        path.nodes == Reader(KEY).path(RESPONSES, RESPONSES.parse(body_of(RESPONSES, [PERSON])), ROOT).nodes
    )


@pytest.mark.parametrize(
    ("dialect", "fields", "texts"),
    [
        (MESSAGES, {}, []),
        (MESSAGES, {"system": None}, []),
        (MESSAGES, {"system": ""}, [""]),
        (MESSAGES, {"system": "a"}, ["a"]),
        (MESSAGES, {"system": []}, []),
        (MESSAGES, {"system": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, ["a", "b"]),
        (RESPONSES, {}, []),
        (RESPONSES, {"instructions": None}, []),
        (RESPONSES, {"instructions": ""}, [""]),
        (RESPONSES, {"instructions": "a"}, ["a"]),
    ],
)
def test_system_text_beside_the_conversation(dialect: Dialect, fields: Any, texts: list[str]) -> None:
    request = dialect.parse(body_of(dialect, [PERSON], **fields))
    assert dialect.system_texts(request) == texts
    assert dialect.has_system(request) == any(texts)
