"""The end of an answer whose upstream stopped in the middle, in the client's own protocol.

A client that only sees its connection close may take half an answer for a whole one, and run half a tool
call. So an event stream that was cut between two events gets a last one that says so. In the middle of an
event there is nothing to be said: what stands there would be read as a part of it.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

_BLANK_LINES = (b"\n\n", b"\r\r", b"\n\r", b"\n\r\n", b"\r\r\n")
_TAIL = 4  # bytes that tell whether a blank line stands at the end
_PARTED = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_DATA = re.compile(rb"^data:[ ]?(.*)$", re.MULTILINE)
_NUMBER = re.compile(rb'"sequence_number"\s*:\s*(\d+)')
_ERROR = re.compile(rb'data:\s*\{\s*"error"')
_FINISH = re.compile(rb'"finish_reason"\s*:\s*"')
_LAST = {
    "messages": re.compile(rb'"type"\s*:\s*"(?:message_stop|error)"'),
    "responses": re.compile(rb'"type"\s*:\s*"(?:response\.(?:completed|failed|incomplete)|error)"'),
}
_FIRST_EVENTS = 256 * 1024  # bytes in which the event that opens a response stands
_LAST_EVENTS = 64 * 1024


def tail_of(tail: bytes, chunk: bytes) -> bytes:
    """The last bytes of a stream once `chunk` has gone out after `tail`."""
    return chunk[-_TAIL:] if len(chunk) >= _TAIL else (tail + chunk)[-_TAIL:]


def between_events(tail: bytes) -> bool:
    """Whether a stream that ends in these bytes stands between two events (WHATWG HTML, 9.2.6)."""
    return not tail or tail.endswith(_BLANK_LINES)


def finished(dialect: str, body: bytes) -> bool:
    """Whether an event stream has said its last word, whatever became of its connection."""
    events = [event for event in _PARTED.split(body[-_LAST_EVENTS:]) if event.strip()]
    if not events:
        return False
    if last := _LAST.get(dialect):
        return last.search(events[-1]) is not None
    return any(b"[DONE]" in event or _FINISH.search(event) or _ERROR.match(event) for event in events[-3:])


def ending(dialect: str, message: str, body: bytes, at: float) -> bytes:
    """The last event of a stream that was cut between two events.

    `body` is what came of the stream, as far as it was kept; `at` is in seconds since 1970.
    """
    if dialect == "messages":
        return _event("error", {"type": "error", "error": {"type": "api_error", "message": message}})
    if dialect == "responses":
        return _event("response.failed", _failed(message, body, at))
    error = {"message": message, "type": "upstream_error", "param": None, "code": "upstream_cut"}
    return b"data: " + msgspec.json.encode({"error": error}) + b"\n\n"


def _failed(message: str, body: bytes, at: float) -> dict[str, Any]:
    """The response as the stream opened it, failed. One of our own where it was not opened."""
    numbers = _NUMBER.findall(body[-_LAST_EVENTS:])
    response = {
        "id": "resp_cut",
        "object": "response",
        "created_at": int(at),
        "model": "",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **_opened(body),
        "status": "failed",
        "error": {"code": "server_error", "message": message},
        "incomplete_details": None,
    }
    return {
        "type": "response.failed",
        "sequence_number": int(numbers[-1]) + 1 if numbers else 0,
        "response": response,
    }


def _opened(body: bytes) -> dict[str, Any]:
    for data in _DATA.findall(body[:_FIRST_EVENTS].replace(b"\r", b"\n")):
        try:
            event = msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError):
            continue
        response = event.get("response") if isinstance(event, dict) else None
        if isinstance(response, dict):
            return response
    return {}


def _event(name: str, data: dict[str, Any]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"
