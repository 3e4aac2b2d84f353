"""What the official client of Anthropic makes of bytes: it is the one that must understand them."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import httpx2
from anthropic.types import Message, RawMessageStreamEvent
from pydantic import TypeAdapter

from metaclaw_tray.wire.messages import MESSAGES
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.sse import EventDecoder
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.names import Names

_EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


def client_of(body: bytes, content_type: str, status: int = 200) -> anthropic.Anthropic:
    """The official client before a server that always answers this."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers={"content-type": content_type}, content=body)

    transport = httpx2.MockTransport(answer)
    return anthropic.Anthropic(
        api_key="k", base_url="http://test", max_retries=0, http_client=httpx2.Client(transport=transport)
    )


def asked(client: anthropic.Anthropic) -> Message:
    return client.messages.create(max_tokens=9, messages=[{"role": "user", "content": "hi"}], model="m")


def streamed(body: bytes) -> Message:
    """The message at the end of a stream, by the client's own stream helper. Each event but pings and errors
    is of the types that the client declares."""
    for event in EventDecoder().decode(body):
        if event.name not in ("ping", "error"):
            _EVENT.validate_json(event.data)
            assert json.loads(event.data)["type"] == event.name
    client = client_of(body, "text/event-stream")
    with client.messages.stream(
        max_tokens=9, messages=[{"role": "user", "content": "hi"}], model="m"
    ) as stream:
        return stream.get_final_message()


def request_of(messages: list[Any], **more: Any) -> Request:
    return MESSAGES.parse(
        json.dumps({"model": "claude", "max_tokens": 100, **more, "messages": messages}).encode()
    )


def chat_of(messages: list[Any], **more: Any) -> dict[str, Any]:
    """The request in chat completions, decoded."""
    value: dict[str, Any] = json.loads(to_chat(request_of(messages, **more), stream=False).body)
    return value


def names_of(*tools: str) -> Names:
    declared = [{"name": name, "input_schema": {"type": "object"}} for name in tools]
    return to_chat(request_of([], tools=declared), stream=False).names
