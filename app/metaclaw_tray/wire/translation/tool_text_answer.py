"""Answers of chat completions whose calls are written as text, with the calls as calls.

A filter before the translation back, for upstreams that are marked so: chat completions in and out.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.answer import DONE, text
from metaclaw_tray.wire.sse import Event, EventDecoder
from metaclaw_tray.wire.translation import call_ids
from metaclaw_tray.wire.translation.chat_stream import first_choice
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.reading import object_of, written
from metaclaw_tray.wire.translation.tool_text import FoundCall, ToolText

_CALLED = "tool_calls"  # the reason to end of an answer that calls


def with_calls(body: bytes, names: Names) -> bytes:
    """A whole answer. One that holds no call in its text, or cannot be read, is given back as it is."""
    value = object_of(body)
    choice = None if value is None else first_choice(value)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict) or message.get("tool_calls"):
        return body
    reader = ToolText(names)
    pieces = [*reader.feed(text(message.get("content"))), *reader.end()]
    calls = [piece for piece in pieces if isinstance(piece, FoundCall)]
    if not calls:
        return body
    message["content"] = "".join(piece for piece in pieces if isinstance(piece, str)) or None
    message["tool_calls"] = [_written_call(call, number, names) for number, call in enumerate(calls)]
    if choice.get("finish_reason") == "stop":
        choice["finish_reason"] = _CALLED
    return written(value)


class ToolTextStream:
    """A stream: takes the upstream's bytes as they come, gives bytes of the same kind.

    Comments and names of events are not kept.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._decoder = EventDecoder()
        self._reader = ToolText(names)
        self._calls = 0
        self._real = False  # the upstream itself made calls: its text is text

    def feed(self, chunk: bytes) -> bytes:
        """What these bytes make certain."""
        return b"".join([self._of(event) for event in self._decoder.decode(chunk)])

    def end(self) -> bytes:
        """What was held back: the stream ended. A last event that was cut says nothing."""
        last = [event for event in self._decoder.flush() if object_of(event.data.encode()) or _is_done(event)]
        return b"".join([self._of(event) for event in last]) + self._pieces(self._reader.end(), {})

    def _of(self, event: Event) -> bytes:
        if _is_done(event):
            return self._pieces(self._reader.end(), {}) + b"data: [DONE]\n\n"
        chunk = object_of(event.data.encode())
        choice = None if chunk is None else first_choice(chunk)
        if chunk is None or choice is None:
            return _as_it_was(event)
        delta = choice.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        self._real = self._real or bool(delta.get("tool_calls"))
        content = delta.get("content")
        ends = choice.get("finish_reason") is not None
        if not isinstance(content, str) and not ends and not self._real:
            return _as_it_was(event)
        pieces: list[str | FoundCall] = []
        if isinstance(content, str):
            delta.pop("content")
            pieces += [content] if self._real else self._reader.feed(content)
        if ends or self._real:
            pieces += self._reader.end()
        usage = chunk.pop("usage", None)
        reason, choice["finish_reason"] = choice.get("finish_reason"), None
        out = _event(chunk) if delta else b""
        choice["delta"] = {}
        out += self._pieces(pieces, chunk)
        if ends or usage is not None:
            choice["finish_reason"] = _CALLED if reason == "stop" and self._calls else reason
            out += _event(chunk if usage is None else {**chunk, "usage": usage})
        return out

    def _pieces(self, pieces: list[str | FoundCall], chunk: dict[str, Any]) -> bytes:
        """Texts and calls as chunks that are otherwise like this one."""
        out = []
        for piece in pieces:
            if isinstance(piece, str):
                delta: dict[str, Any] = {"content": piece}
            else:
                call = _written_call(piece, self._calls, self._names)
                delta = {"tool_calls": [{"index": self._calls, **call}]}
                self._calls += 1
            if piece:
                choice = {"index": 0, "delta": delta, "finish_reason": None}
                out.append(_event({**chunk, "choices": [choice]}))
        return b"".join(out)


def _is_done(event: Event) -> bool:
    return event.data.strip() == DONE


def _written_call(call: FoundCall, number: int, names: Names) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call_ids.made(names.salt, number), "type": "function", "function": function}


def _event(chunk: dict[str, Any]) -> bytes:
    return b"data: " + written(chunk) + b"\n\n"


def _as_it_was(event: Event) -> bytes:
    name = b"" if event.name == "message" else b"event: " + event.name.encode() + b"\n"
    return name + b"".join([b"data: " + line.encode() + b"\n" for line in event.data.split("\n")]) + b"\n"
