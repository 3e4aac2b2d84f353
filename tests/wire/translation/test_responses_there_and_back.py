"""Conversations are the same on both sides of the translation, and nothing that is sent breaks it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer_chat import assemble_chat
from metaclaw_tray.wire.answer_responses import assemble_responses
from metaclaw_tray.wire.canonical import canonical, canonical_answer
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.translation.names import Names, Tool
from metaclaw_tray.wire.translation.responses_answer import (
    answer_from_chat,
    error_from_chat,
    overflow_stream,
)
from metaclaw_tray.wire.translation.responses_request import to_chat
from metaclaw_tray.wire.translation.responses_stream import ResponsesStream
from support.orphans import orphans
from support.told import conversation
from wire.strange import ANYTHING, JSON, STREAM, mostly, record, stream
from wire.translation.openai_side import checked, chunk, request_of

MANY = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SOME = settings(MANY, max_examples=100)

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
NAMES = st.sampled_from(["read", "write", "mcp.read", "x" * 70])
SPACES = st.sampled_from(["", "agents"])
ARGUMENTS = st.dictionaries(WORDS, st.integers() | WORDS | st.none(), max_size=3)
URL = "data:image/png;base64,aGVsbG8="


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """What the model said, and the results of its calls."""
    items: list[dict[str, Any]] = []
    if draw(st.booleans()):
        content = [{"type": "output_text", "text": draw(WORDS)}]
        items.append({"type": "message", "role": "assistant", "content": content})
    results = []
    for index in range(draw(st.integers(0 if items else 1, 3))):
        called = f"c{number}_{index}"
        call = {"call_id": called, "name": draw(NAMES), "namespace": draw(SPACES)}
        if draw(st.booleans()):
            arguments = json.dumps(draw(ARGUMENTS))
            items.append({**call, "type": "function_call", "arguments": arguments})
            output: Any = draw(WORDS)
            if draw(st.booleans()):
                output = [{"type": "input_text", "text": output}]
            results.append({"type": "function_call_output", "call_id": called, "output": output})
        else:
            items.append({**call, "type": "custom_tool_call", "input": draw(WORDS)})
            results.append({"type": "custom_tool_call_output", "call_id": called, "output": draw(WORDS)})
    return items + draw(st.permutations(results))


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    text = WORDS.map(lambda words: {"type": "input_text", "text": words})
    image = st.just({"type": "input_image", "image_url": URL})
    content = WORDS | st.lists(text, min_size=1, max_size=1) | st.tuples(text, image).map(list)
    items: list[dict[str, Any]] = [{"role": "developer", "content": draw(WORDS)}]
    for number in range(draw(st.integers(1, 4))):
        items.append({"type": "message", "role": "user", "content": draw(content)})
        items += draw(turns(number))
    return [*items, {"role": "user", "content": draw(content)}]


def as_said_by_responses(message: Message, names: Names) -> Message:
    """A message of chat completions with what only responses can say: tools under their own names, and free
    texts. Images are written in the way of that dialect."""
    if isinstance(content := message.get("content"), list):
        parts = [
            {"type": "input_image", "image_url": part["image_url"]["url"]}
            if part["type"] == "image_url"
            else part
            for part in content
        ]
        message = {**message, "content": parts}
    if "tool_calls" in message:
        calls = [_as_called(call, names) for call in message["tool_calls"]]
        message = {**message, "tool_calls": calls}
    return message


def _as_called(call: dict[str, Any], names: Names) -> dict[str, Any]:
    function = call["function"]
    tool = names.from_chat(function["name"])
    if tool.kind == "custom":
        custom = {"name": tool.name, "input": json.loads(function["arguments"])["input"]}
        return {"id": call["id"], "type": "custom", "custom": custom}
    return {**call, "function": {**function, "name": tool.name}}


@MANY
@given(conversations())
def test_a_conversation_reads_the_same_in_both_dialects(items: list[dict[str, Any]]) -> None:
    request = request_of(items)
    translated = to_chat(request, stream=True)
    chat = CHAT.parse(translated.body)
    there = [canonical(each) for each in conversation(RESPONSES, request)]
    back = [canonical(as_said_by_responses(each, translated.names)) for each in conversation(CHAT, chat)]
    assert back == there
    assert CHAT.system_texts(chat) == RESPONSES.system_texts(request)


@MANY
@given(conversations(), st.data())
def test_what_the_upstream_saw_stays_as_it_was_when_the_conversation_goes_on(
    items: list[dict[str, Any]], data: st.DataObject
) -> None:
    ends = [index for index, item in enumerate(items) if item.get("role") == "user"]
    end = data.draw(st.sampled_from(ends)) + 1
    short = json.loads(to_chat(request_of(items[:end]), stream=True).body)["messages"]
    long = json.loads(to_chat(request_of(items), stream=True).body)["messages"]
    assert long[: len(short)] == short


CALLS = st.lists(st.tuples(NAMES, SPACES, st.booleans(), ARGUMENTS, WORDS), max_size=3)


@MANY
@given(WORDS | st.none(), WORDS | st.none(), CALLS, st.integers(1, 40))
def test_an_answer_reads_the_same_in_both_dialects(
    thought: str | None, text: str | None, calls: Any, size: int
) -> None:
    names = Names("salt")
    chunks = [chunk({"reasoning_content": thought}), chunk({"content": text})]
    for index, (name, space, custom, arguments, words) in enumerate(calls):
        known = names.to_chat(Tool(name, space, "custom" if custom else "function"))
        written = json.dumps({"input": words} if custom else arguments)
        head = {"index": index, "id": f"c{index}", "function": {"name": known, "arguments": written[:3]}}
        rest = {"index": index, "function": {"arguments": written[3:]}}
        chunks += [chunk({"tool_calls": [head]}), chunk({"tool_calls": [rest]})]
    body = stream(*chunks, chunk(finish="stop"), done=True)
    machine = ResponsesStream(names, request_of("hi"))
    pieces = [machine.feed(body[at : at + size]) for at in range(0, len(body), size)]
    out = b"".join([*pieces, machine.end()])
    checked(out)
    theirs, ours = assemble_chat(body, STREAM), assemble_responses(out, STREAM)
    assert theirs.message is not None
    expected = canonical_answer(as_said_by_responses(theirs.message, names))
    found = ours.message or {"role": "assistant", "content": None}
    assert canonical_answer(found) == expected
    whole = {"choices": [{"message": theirs.message, "finish_reason": "stop"}]}
    at_once = answer_from_chat(json.dumps(whole).encode(), names, request_of("hi"))
    again = assemble_responses(at_once, "application/json").message
    assert canonical_answer(again or {"role": "assistant", "content": None}) == expected


PARTS = st.lists(
    record(
        type=st.sampled_from(
            ["input_text", "output_text", "refusal", "input_image", "input_file", "input_audio", "x"]
        ),
        text=WORDS,
        refusal=WORDS,
        image_url=st.just(URL),
        file_data=WORDS,
        input_audio=JSON,
    ),
    max_size=3,
)
TOOLS = st.lists(
    record(
        type=st.sampled_from(["function", "custom", "namespace", "web_search", "tool_search"]),
        name=NAMES,
        description=WORDS,
        execution=st.sampled_from(["client", "server"]),
        parameters=JSON,
        format=record(syntax=WORDS, definition=WORDS),
        tools=st.lists(record(type=st.sampled_from(["function", "custom"]), name=NAMES), max_size=2),
    ),
    max_size=3,
)
ITEMS = st.lists(
    record(
        type=st.sampled_from(
            [
                "message",
                "function_call",
                "function_call_output",
                "custom_tool_call",
                "custom_tool_call_output",
                "tool_search_call",
                "tool_search_output",
                "additional_tools",
                "reasoning",
                "item_reference",
            ]
        ),
        role=st.sampled_from(["user", "assistant", "developer", "system"]),
        content=WORDS | PARTS,
        output=WORDS | PARTS,
        summary=PARTS,
        call_id=st.sampled_from(["c1", "c2"]),
        name=NAMES,
        namespace=SPACES,
        arguments=WORDS,
        input=WORDS,
        tools=TOOLS,
        id=st.sampled_from(["rs_metaclaw_1", "x"]),
    ),
    max_size=5,
)
REQUESTS = st.fixed_dictionaries(
    {"input": mostly(WORDS | ITEMS)},
    optional={
        "model": WORDS,
        "instructions": mostly(WORDS),
        "tools": mostly(TOOLS),
        "tool_choice": st.sampled_from(["auto", {"type": "function", "name": "read"}]) | JSON,
        "text": record(format=record(type=st.sampled_from(["text", "json_schema"]), schema=JSON)),
        "reasoning": record(effort=WORDS),
        "include": mostly(st.lists(WORDS, max_size=2)),
    },
)


@SOME
@given(REQUESTS)
def test_no_request_raises_but_what_the_client_can_be_told(value: Any) -> None:
    """B14, B15"""
    try:
        request = RESPONSES.parse(json.dumps(value).encode())
        translated = to_chat(request, stream=True)
        machine = ResponsesStream(translated.names, request)
    except WireError:
        return
    assert orphans(conversation(CHAT, CHAT.parse(translated.body))) == []
    events = machine.feed(stream(chunk({"content": "x"}), done=True))
    assert b"response.completed" in events


CALLED = st.sampled_from(["c1", "c2", "c3"])
FRAGMENTS = st.lists(
    st.one_of(
        st.builds(lambda words: {"role": "user", "content": words}, WORDS),
        st.builds(lambda words: {"role": "developer", "content": words}, WORDS),
        st.builds(lambda words: {"role": "assistant", "content": words}, WORDS),
        st.builds(lambda called: {"type": "function_call", "call_id": called, "name": "read"}, CALLED),
        st.builds(
            lambda called: {"type": "function_call_output", "call_id": called, "output": called}, CALLED
        ),
    ),
    max_size=12,
)


@MANY
@given(FRAGMENTS)
def test_a_history_in_pieces_makes_no_orphans_and_loses_no_result(items: list[dict[str, Any]]) -> None:
    """B14, B15"""
    messages = json.loads(to_chat(request_of(items), stream=True).body)["messages"]
    assert orphans(messages) == []
    said = " ".join(str(message["content"]) for message in messages)
    for called in ("c1", "c2", "c3"):
        results = [item for item in items if item.get("output") == called]
        assert said.split().count(called) >= len(results)


DELTAS = record(
    content=WORDS | PARTS,
    reasoning_content=WORDS,
    refusal=WORDS,
    tool_calls=st.lists(
        record(
            index=st.integers(0, 2),
            id=st.sampled_from(["c1", "c2"]),
            function=record(name=NAMES, arguments=WORDS | JSON),
        ),
        max_size=2,
    ),
)
CHUNKS = record(
    id=WORDS,
    created=st.integers(0, 10),
    choices=st.lists(record(index=st.just(0), delta=DELTAS, finish_reason=WORDS), max_size=2),
    usage=record(prompt_tokens=st.integers(), completion_tokens=st.integers(), prompt_tokens_details=JSON),
)


@SOME
@given(st.lists(mostly(CHUNKS), max_size=5), st.booleans(), st.integers(1, 50))
def test_no_stream_breaks_the_clients(chunks: list[Any], done: bool, size: int) -> None:
    machine = ResponsesStream(Names("salt"), request_of("hi"), 5)
    body = stream(*chunks, done=done)
    pieces = [machine.feed(body[at : at + size]) for at in range(0, len(body), size)]
    checked(b"".join([*pieces, machine.end()]))


@SOME
@given(st.binary(max_size=60), st.binary(max_size=60))
def test_no_bytes_break_the_clients(first: bytes, second: bytes) -> None:
    machine = ResponsesStream(Names("salt"), request_of("hi"), 5)
    checked(machine.feed(first) + machine.feed(b"data: " + second) + machine.end())


@SOME
@given(record(choices=st.lists(record(message=DELTAS, finish_reason=WORDS), max_size=2), usage=ANYTHING))
def test_no_answer_raises_but_an_error_of_the_wire(value: Any) -> None:
    try:
        answer_from_chat(json.dumps(value).encode(), Names("salt"), request_of("hi"))
    except WireError:
        return


@SOME
@given(st.integers(400, 599), JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40))
def test_every_error_can_be_told(status: int, body: bytes) -> None:
    told, found = error_from_chat(status, body)
    assert told == status
    assert isinstance(json.loads(found)["error"]["message"], str)
    overflow_stream(status, body, Names("salt"), request_of("hi"))
