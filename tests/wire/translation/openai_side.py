"""What the official client of OpenAI makes of bytes: it is the one that must understand them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.sse import EventDecoder
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.responses_request import to_chat
from metaclaw_tray.wire.translation.responses_stream import ResponsesStream
from wire.strange import stream

_EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
_MESSAGE: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)

Events = list[dict[str, Any]]


def client_of(body: bytes, content_type: str, status: int = 200) -> openai.OpenAI:
    """The official client before a server that always answers this."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers={"content-type": content_type}, content=body)

    transport = httpx2.MockTransport(answer)
    return openai.OpenAI(
        api_key="k", base_url="http://test/v1", max_retries=0, http_client=httpx2.Client(transport=transport)
    )


def asked(client: openai.OpenAI) -> Response:
    return client.responses.create(input="hi", model="m")


def streamed(body: bytes) -> Response:
    """The response at the end of a stream, by the client's own stream helper."""
    checked(body)
    with client_of(body, "text/event-stream").responses.stream(input="hi", model="m") as events:
        return events.get_final_response()


def checked(body: bytes) -> Events:
    """The events of a stream, each strictly of the types that the client declares, and in an order that can
    be: the numbers grow, and whatever begins is done before the response is completed."""
    events = events_of(body)
    for event in events:
        _EVENT.validate_json(json.dumps(event), strict=True)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert [event["type"] for event in events[:2]] == ["response.created", "response.in_progress"]
    begun = [event["output_index"] for event in events if event["type"] == "response.output_item.added"]
    assert begun == list(range(len(begun)))
    done = {
        event["output_index"]: event["item"]
        for event in events
        if event["type"] == "response.output_item.done"
    }
    last = events[-1]
    assert last["type"] == f"response.{last['response']['status']}"
    assert last["response"]["output"] == [done[index] for index in sorted(done)]
    if last["type"] != "response.failed":
        assert sorted(done) == begun
    return events


def events_of(body: bytes) -> Events:
    decoder = EventDecoder()
    found = [*decoder.decode(body), *decoder.flush()]
    events = [json.loads(event.data) for event in found]
    assert [event.name for event in found] == [event["type"] for event in events]
    return events


def request_of(items: Any, **more: Any) -> Request:
    return RESPONSES.parse(json.dumps({"model": "m", **more, "input": items}).encode())


def chat_of(items: Any, **more: Any) -> dict[str, Any]:
    """The request in chat completions, decoded. Its messages are of the types that the client declares."""
    value: dict[str, Any] = json.loads(to_chat(request_of(items, **more), stream=False).body)
    for message in value["messages"]:
        _MESSAGE.validate_json(json.dumps(message))
    return value


def names_of(tools: Any) -> Names:
    return to_chat(request_of("hi", tools=tools), stream=False).names


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """A chunk of chat completions."""
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "created": 1700000000, "choices": [choice], **more}


def call(index: int, arguments: str, call_id: str = "", name: str = "") -> dict[str, Any]:
    """A delta that holds a piece of a call."""
    piece: dict[str, Any] = {"index": index, "function": {"arguments": arguments}}
    if call_id:
        piece |= {"id": call_id, "type": "function"}
    if name:
        piece["function"]["name"] = name
    return {"tool_calls": [piece]}


def translated(
    *chunks: Any, tools: Any = (), done: bool = True, size: int = 0, items: Any = "hi", **more: Any
) -> bytes:
    """The stream that the client gets for these chunks, fed in pieces of `size` bytes."""
    request = request_of(items, tools=list(tools), **more)
    names = to_chat(request, stream=True).names
    names.salt = "salt"  # so that two readings can be compared
    machine = ResponsesStream(names, request, 7)
    body = stream(*chunks, done=done)
    pieces: Iterable[bytes] = (body[at : at + size] for at in range(0, len(body), size)) if size else (body,)
    return b"".join([*(machine.feed(piece) for piece in pieces), machine.end()])


def kinds(events: Events, *, of: str = "") -> list[str]:
    """The types of events, without the prefix that all have."""
    return [event["type"].removeprefix("response.") for event in events if of in event["type"]]
