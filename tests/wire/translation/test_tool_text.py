"""Calls that small models write as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.translation.messages_stream import MessagesStream
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.tool_text import FoundCall, ToolText
from metaclaw_tray.wire.translation.tool_text_answer import ToolTextStream, with_calls
from wire.translation.anthropic_side import names_of, streamed
from wire.translation.chat_side import call, chat_answer, chat_stream, chunk, counted, said, thought

TOOLS = ("read", "write_file")
CALL = '{"name": "read", "arguments": {"path": "a.txt"}}'
INDENTED = json.dumps(json.loads(CALL), indent=2)
READ = FoundCall("read", '{"path":"a.txt"}')
WRITE = FoundCall("write_file", '{"content":"x = {\\n}\\n```"}')
WRITTEN = '{"name": "write_file", "arguments": {"content": "x = {\\n}\\n```"}}'

CALLS: list[tuple[str, list[str | FoundCall]]] = [
    (f"<tool_call>\n{CALL}\n</tool_call>", [READ]),
    (f"<tool_call>\n{CALL}\n", [READ]),
    (f"<tool_call>{CALL}</tool_call>\n<tool_call>{WRITTEN}</tool_call>", [READ, WRITE]),
    (f"<function_call>{CALL}</function_call>", [READ]),
    (f"<tools>\n{CALL}\n{WRITTEN}\n</tools>", [READ, WRITE]),
    (f"```json\n{INDENTED}\n```", [READ]),
    (f"```\n[{CALL}, {WRITTEN}]\n```", [READ, WRITE]),
    (f"I will read it.\n\n```json\n{INDENTED}\n```\nWell.", ["I will read it.\n\n", READ, "Well."]),
    (INDENTED, [READ]),
    (f"\n  {CALL}\n{WRITTEN}", ["\n  ", READ, WRITE]),
    ('{"type": "function", "name": "read", "parameters": {"path": "a.txt"}}', [READ]),
    ('{"type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a.txt\\"}"}}', [READ]),
    ('{"name": "read", "arguments": {"path": "a\nb"}}', [FoundCall("read", '{"path":"a\\nb"}')]),
    (f"<|python_tag|>{CALL}; {WRITTEN}", [READ, WRITE]),
    (f"[TOOL_CALLS] [{CALL}, {WRITTEN}]", [READ, WRITE]),
    ('[TOOL_CALLS]read[ARGS]{"path": "a.txt"}', [READ]),
    ('[TOOL_CALLS]read{"path": "a.txt"}[TOOL_CALLS]read{"path": "a.txt"}', [READ, READ]),
    ('{"name": "read", "arguments": {}}', [FoundCall("read", "{}")]),
]
TEXTS = [
    "",
    "Hello. 2 < 3, a[0], `x`.",
    '{"name": "Ada", "age": 36}',
    '{"name": "unknown", "arguments": {}}',
    '{"name": "read", "arguments": 7}',
    '{"name": "read", "arguments": {}, "note": "an example"}',
    '{"name": "read", "arguments": {}} is how it is done',
    f"Write {CALL} to read.",
    "```python\ndef f() -> None:\n    return {}\n```\nDone.",
    '```json\n{"version": 1}\n```',
    "<tool_call>none</tool_call>",
    '<tool_call>{"name": "read", "arguments": {"path": "a',
    "<tool_calls are odd",
    "[TOOL_CALLS]",
    "``` ```",
    "{" * 50,
    '{"name": "read"',
    "{\n  not: json\n}\n",
]


def sorted_out(*pieces: str) -> list[str | FoundCall]:
    """What comes of these pieces, with texts that follow each other as one."""
    reader = ToolText(TOOLS)
    out: list[str | FoundCall] = []
    for found in [each for piece in pieces for each in reader.feed(piece)] + reader.end():
        if isinstance(found, str) and out and isinstance(out[-1], str):
            out[-1] += found
        else:
            out.append(found)
    return out


def cut(text: str, data: st.DataObject) -> list[str]:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@pytest.mark.parametrize(("text", "found"), CALLS)
def test_a_call_is_found(text: str, found: list[str | FoundCall]) -> None:
    assert sorted_out(text) == found
    assert sorted_out(*text) == found


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_no_call_stays_text(text: str) -> None:
    assert sorted_out(text) == ([text] if text else [])
    assert sorted_out(*text) == ([text] if text else [])


@given(st.data())
def test_cuts_make_no_difference(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([text for text, _ in CALLS] + TEXTS))
    assert sorted_out(*cut(text, data)) == sorted_out(text)


WORDS = st.sampled_from(
    [*'{}[]"\n `:,\\', "<tool_call>", "</tool_call>", "```", '{"name"', '"arguments"', "read", CALL]
)


@given(st.lists(WORDS, max_size=30).map("".join), st.data())
def test_no_text_is_lost(text: str, data: st.DataObject) -> None:
    found = sorted_out(*cut(text, data))
    if not any(isinstance(each, FoundCall) for each in found):
        assert "".join(each for each in found if isinstance(each, str)) == text


@pytest.mark.parametrize(
    "piece", ["Hello", "a < b", " {", "x[1", "\nNo.", "Let me see: {", '{"version', "{ x", "```python\nx"]
)
def test_text_that_cannot_become_a_call_is_not_held_back(piece: str) -> None:
    assert "".join(map(str, ToolText(TOOLS).feed(f"Well, {piece}"))) in (
        f"Well, {piece}",
        f"Well, {piece[:-1]}",
    )


def test_a_call_is_given_as_soon_as_it_is_whole() -> None:
    assert ToolText(TOOLS).feed(f"<tool_call>{CALL}</tool_call>") == [READ]
    assert ToolText(TOOLS).feed(f"{CALL}\n") == [READ]


def test_a_long_argument_is_looked_through_once() -> None:
    reader = ToolText(TOOLS)
    reader.feed('<tool_call>{"name": "write_file", "arguments": {"content": "')
    for _ in range(4000):
        assert reader.feed("some words, { } and marks ") == []
    assert len(reader.feed('"}}</tool_call>')) == 1


class TestAnswers:
    def test_a_whole_one_gets_calls(self) -> None:
        names = names_of(*TOOLS)
        value = json.loads(with_calls(chat_answer({"content": f"Well.\n```json\n{CALL}\n```"}), names))
        choice = value["choices"][0]
        assert choice["finish_reason"] == "tool_calls"
        assert choice["message"]["content"] == "Well.\n"
        assert choice["message"]["tool_calls"][0]["function"] == {
            "name": "read",
            "arguments": '{"path":"a.txt"}',
        }

    @pytest.mark.parametrize(
        "body",
        [
            chat_answer({"content": "Hello."}),
            chat_answer({"content": None}),
            chat_answer({"content": CALL, "tool_calls": [{"id": "c"}]}),
            b'{"error": {}}',
            b"<html>",
            b"[]",
        ],
    )
    def test_others_are_left_as_they_are(self, body: bytes) -> None:
        assert with_calls(body, names_of(*TOOLS)) is body

    def test_without_tools_nothing_is_a_call(self) -> None:
        body = chat_answer({"content": CALL})
        assert with_calls(body, Names()) is body


def through(body: bytes, size: int, *tools: str) -> list[dict[str, Any]]:
    """The blocks of the message that the official client gets of a stream, through filter and translation."""
    names = names_of(*tools)
    reader, machine = ToolTextStream(names), MessagesStream(names, "claude")
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    out = b"".join(machine.feed(reader.feed(piece)) for piece in pieces)
    out += machine.feed(reader.end()) + machine.end()
    return [block.to_dict() for block in streamed(out).content]


class TestStreams:
    @pytest.mark.parametrize("size", [1, 7, 10_000])
    def test_a_call_in_pieces_becomes_one(self, size: int) -> None:
        pieces = [thought("Hm."), *map(said, f"Well.\n```json\n{INDENTED}\n```\n")]
        body = chat_stream(chunk({"role": "assistant"}), *pieces, {"choices": [], "usage": counted(9, 9)})
        blocks = through(body, size, *TOOLS)
        assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"]
        assert blocks[1]["text"].strip() == "Well."
        assert blocks[2]["input"] == {"path": "a.txt"}

    def test_the_answer_stops_for_the_call(self) -> None:
        names = names_of(*TOOLS)
        reader, machine = ToolTextStream(names), MessagesStream(names, "claude")
        message = streamed(machine.feed(reader.feed(chat_stream(said(CALL)))) + machine.end())
        assert message.stop_reason == "tool_use"

    def test_real_calls_and_texts_pass(self) -> None:
        body = chat_stream(said("Well, {"), call(0, "{}", "c1", "read"), finish="tool_calls")
        assert through(body, 50, *TOOLS) == [
            {"type": "text", "text": "Well, {"},
            {"type": "tool_use", "id": "c1", "name": "read", "input": {}},
        ]

    def test_what_was_held_back_comes_at_the_end(self) -> None:
        assert through(chat_stream(said('{"name": "re')), 10, *TOOLS) == [
            {"type": "text", "text": '{"name": "re'}
        ]

    def test_usage_and_reason_in_the_chunk_of_the_last_text_are_kept(self) -> None:
        names = names_of(*TOOLS)
        last = chunk({"content": "Hi"}, "length", usage=counted(5, 2))
        machine = MessagesStream(names, "claude")
        message = streamed(machine.feed(ToolTextStream(names).feed(chat_stream(last, finish=None))))
        assert message.stop_reason == "max_tokens"
        assert message.usage.output_tokens == 2
