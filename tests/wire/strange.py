"""JSON as nobody should send it, and requests and streams as they are written."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from metaclaw_tray.wire.dialect import Dialect

STREAM = "text/event-stream; charset=utf-8"
PLAIN = "application/json"

TEXT = st.text(max_size=8)  # lone surrogates too: json.dumps escapes them
NUMBER = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
SCALAR = st.none() | st.booleans() | NUMBER | TEXT
ANYTHING = SCALAR | st.lists(SCALAR, max_size=2) | st.dictionaries(TEXT, SCALAR, max_size=2)
JSON = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """As it should be, but for one time in eight."""
    return st.sampled_from([strategy] * 7 + [ANYTHING]).flatmap(lambda chosen: chosen)


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object that mostly holds these fields, mostly as they should be."""
    return mostly(st.fixed_dictionaries({}, optional={name: mostly(each) for name, each in fields.items()}))


def stream(*events: Any, done: bool = False) -> bytes:
    """An event stream: of values, named by their type where they have one, or of texts as they are."""
    written = [_event(event) for event in events]
    return ("\n\n".join([*written, "data: [DONE]"] if done else written) + "\n\n").encode()


def _event(event: Any) -> str:
    if isinstance(event, str):
        return event
    name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
    return f"{name}data: {json.dumps(event)}"


def rewritten(body: bytes) -> list[bytes]:
    """The same stream in other ways of writing it."""
    return [
        body.replace(b"\n", b"\r\n"),
        body.replace(b"\n", b"\r"),
        body.replace(b"data: ", b"data:"),
        b"\xef\xbb\xbf" + body,
        body.removesuffix(b"\n\n"),
        body.removesuffix(b"\n"),
        b": ping\n\n" + body.replace(b"\n\n", b"\n: ping\n\n: ping\n\n"),
        b"id: 7\nretry: 10\nevent: ping\ndata: {}\n\n" + body,
    ]


def body_of(dialect: Dialect, elements: Any, **more: Any) -> bytes:
    """A request with this conversation."""
    return json.dumps({**more, dialect.conversation: elements}).encode()
