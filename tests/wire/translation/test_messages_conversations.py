"""Whole conversations through the translation: nothing that both dialects can say is lost."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer_chat import assemble_chat
from metaclaw_tray.wire.answer_messages import assemble_messages
from metaclaw_tray.wire.canonical import canonical
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.messages import MESSAGES
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.messages_answer import answer_from_chat, error_from_chat
from metaclaw_tray.wire.translation.messages_count import estimate_tokens
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.messages_stream import MessagesStream
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.tool_text_answer import ToolTextStream, with_calls
from support.orphans import orphans
from support.told import steps
from wire.strange import JSON, PLAIN, STREAM, TEXT, record, rewritten, stream
from wire.translation.anthropic_side import asked, client_of, request_of, streamed
from wire.translation.chat_side import (
    call,
    chat_answer,
    chat_stream,
    chunk,
    counted,
    said,
    thought,
    whole_call,
)
from wire.translation.conversations import OBJECT, RICH, WORDS, agent_conversations, strange_requests

SALT = Names("salt")


def neutral(dialect: Dialect, request: Request, names: Names | None = None) -> list[dict[str, Any]]:
    """The conversation in the one form of all dialects; with the client's names of its tools."""
    messages = [dict(message) for _, piece in steps(dialect, request) for message in piece.messages]
    for message in messages:
        for each in message.get("tool_calls", ()) if names else ():
            assert names is not None
            each["function"]["name"] = names.from_chat(each["function"]["name"]).name
    return messages


PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@settings(PATIENT, max_examples=210)
@given(agent_conversations())
def test_a_conversation_is_the_same_in_both_dialects(messages: list[dict[str, Any]]) -> None:
    request = request_of(messages, system="Be brief.")
    translated = to_chat(request, stream=True)
    there = neutral(CHAT, CHAT.parse(translated.body), translated.names)
    here = neutral(MESSAGES, request)
    assert list(map(canonical, there)) == list(map(canonical, here))
    assert [len(each.get("tool_calls", ())) for each in there] == [
        len(each.get("tool_calls", ())) for each in here
    ]


@settings(PATIENT, max_examples=50)
@given(agent_conversations())
def test_no_call_and_no_result_is_orphaned_by_the_translation(messages: list[dict[str, Any]]) -> None:
    """B14, B15, B17"""
    body = to_chat(request_of(messages), stream=False).body
    assert orphans(json.loads(body)["messages"]) == []


@settings(PATIENT, max_examples=50)
@given(agent_conversations(), st.integers(1, 4))
def test_what_was_sent_before_is_sent_the_same_again(messages: list[dict[str, Any]], more: int) -> None:
    """B21: the upstream's cache finds what it has seen."""
    whole = json.loads(to_chat(request_of(messages, system="s"), stream=True).body)["messages"]
    for length in range(1, len(messages)):
        if messages[length]["role"] == "assistant":
            before = json.loads(to_chat(request_of(messages[:length], system="s"), stream=True).body)[
                "messages"
            ]
            assert whole[: len(before)] == before


def test_a_request_with_everything_is_one_of_openais_types() -> None:
    chat = json.loads(to_chat(MESSAGES.parse(json.dumps(RICH).encode()), stream=True).body)
    TypeAdapter(CompletionCreateParamsStreaming).validate_python(chat)
    for message in chat["messages"]:
        TypeAdapter(ChatCompletionMessageParam).validate_python(message)


@settings(PATIENT, max_examples=200)
@given(strange_requests())
def test_no_request_raises_anything_but_what_it_may(value: Any) -> None:
    try:
        request = MESSAGES.parse(json.dumps(value).encode())
    except WireError:
        return
    for images in (True, False):
        try:
            translated = to_chat(request, stream=images, images=images)
        except WireError:
            continue
        assert isinstance(json.loads(translated.body)["messages"], list)
        assert estimate_tokens(request) >= 0


CHOICE = record(
    index=st.sampled_from([0, 1, None]),
    delta=record(content=TEXT, reasoning_content=TEXT, refusal=TEXT, tool_calls=JSON),
    message=record(
        content=TEXT,
        refusal=TEXT,
        tool_calls=st.lists(record(id=TEXT, function=record(name=TEXT, arguments=JSON)), max_size=3),
    ),
    finish_reason=TEXT,
)
CHUNK = record(
    id=TEXT, choices=st.lists(CHOICE, max_size=2), usage=record(prompt_tokens=JSON, completion_tokens=JSON)
)


@given(st.binary(max_size=60) | CHUNK.map(lambda value: json.dumps(value).encode()))
def test_no_answer_raises_anything_but_what_it_may(body: bytes) -> None:
    for each in (body, with_calls(body, SALT)):
        try:
            out = answer_from_chat(each, SALT, "claude")
        except WireError:
            continue
        asked(client_of(out, PLAIN)).to_dict()
    status, error = error_from_chat(500, body)
    assert status in (400, 500)
    assert json.loads(error)["type"] == "error"


@given(
    st.lists(CHUNK, max_size=6).map(lambda chunks: stream(*chunks)) | st.binary(max_size=80), st.booleans()
)
def test_no_stream_raises_and_each_has_one_end(body: bytes, filtered: bool) -> None:
    machine = MessagesStream(SALT, "claude")
    reader = ToolTextStream(SALT)
    out = machine.feed(reader.feed(body) + reader.end() if filtered else body) + machine.end()
    ends = out.count(b"event: message_stop\n") + out.count(b"event: error\n")
    assert ends == 1
    assert machine.feed(body) + machine.end() + machine.failed("x") == b""


@st.composite
def answers(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """The same answer of chat completions as a stream and whole."""
    reasoned = draw(st.lists(WORDS, max_size=3))
    words = draw(st.lists(WORDS, max_size=3))
    calls = [(f"call_{n}", draw(WORDS), json.dumps(draw(OBJECT))) for n in range(draw(st.integers(0, 3)))]
    chunks: list[Any] = [chunk({"role": "assistant"}), *map(thought, reasoned), *map(said, words)]
    for number, (call_id, name, arguments) in enumerate(calls):
        at = draw(st.integers(0, len(arguments)))
        chunks += [call(number, arguments[:at], call_id, name), call(number, arguments[at:])]
    finish = "tool_calls" if calls else "stop"
    usage = counted(100, 20, prompt_tokens_details={"cached_tokens": 50})
    message = {
        "reasoning_content": "".join(reasoned),
        "content": "".join(words),
        "tool_calls": [whole_call(*each) for each in calls],
    }
    return (
        chat_stream(*chunks, chunk({}, finish), {"choices": [], "usage": usage}, finish=None),
        chat_answer(message, finish, usage=usage),
    )


@given(answers(), st.data())
def test_a_stream_may_be_cut_anywhere_and_says_what_the_whole_answer_says(
    answer: tuple[bytes, bytes], data: st.DataObject
) -> None:
    body, whole = answer
    body = data.draw(st.sampled_from([body, *rewritten(body)]))
    places = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=6)))
    machine = MessagesStream(SALT, "claude")
    out = b"".join(machine.feed(body[a:b]) for a, b in zip([0, *places], [*places, len(body)], strict=True))
    out += machine.end()
    there = asked(client_of(answer_from_chat(whole, SALT, "claude"), PLAIN))
    here = streamed(out).to_dict()
    assert {**here, "stop_details": None} == {**there.to_dict(), "stop_details": None}


@given(answers())
def test_what_is_recorded_of_both_sides_is_the_same(answer: tuple[bytes, bytes]) -> None:
    body, _ = answer
    machine = MessagesStream(SALT, "claude")
    here = assemble_messages(machine.feed(body) + machine.end(), STREAM)
    there = assemble_chat(body, STREAM)
    assert here.complete
    assert there.complete
    assert here.usage == there.usage
    assert here.message is not None
    assert there.message is not None
    assert canonical(here.message) == canonical(there.message)


class TestOrphans:
    def test_a_result_without_its_call(self) -> None:
        """B14: what the client sends is translated as it stands."""
        result = {"type": "tool_result", "tool_use_id": "gone", "content": "x"}
        chat = json.loads(to_chat(request_of([{"role": "user", "content": [result]}]), stream=False).body)
        assert chat["messages"] == [{"role": "tool", "tool_call_id": "gone", "content": "x"}]
        assert orphans(chat["messages"]) == ["messages[0]: a result of gone, which was not called"]

    def test_inside_a_mixed_message(self) -> None:
        """B17"""
        result = {"type": "tool_result", "tool_use_id": "gone", "content": "x"}
        mixed = {"role": "user", "content": [{"type": "text", "text": "well"}, result]}
        assert orphans(neutral(MESSAGES, request_of([mixed]))) != []

    def test_a_call_that_never_ran(self) -> None:
        """B15"""
        use = {"type": "tool_use", "id": "t", "name": "Read", "input": {}}
        messages = [{"role": "assistant", "content": [use]}]
        chat = json.loads(to_chat(request_of(messages), stream=False).body)["messages"]
        assert orphans(chat) == ["messages[0]: no result of t"]
        later = [*messages, {"role": "user", "content": "go on"}]
        chat = json.loads(to_chat(request_of(later), stream=False).body)["messages"]
        assert [message["role"] for message in chat] == ["assistant", "user"]
        assert orphans(chat) == ["messages[0]: no result of t"]
