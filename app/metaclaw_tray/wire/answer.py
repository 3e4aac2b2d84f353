"""An answer as it reads, whatever the dialect; and what reading answers has in common.

`message` has the one form that all dialects are brought to (`wire.dialect`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.sse import Event, EventDecoder
from metaclaw_tray.wire.surrogates import masked

DONE = "[DONE]"
"""What chat completions, and some servers of the other dialects, send when all is said."""

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_ERROR_LENGTH = 500  # characters kept of an upstream's own words
_MOST_TOKENS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the upstream counted them. `cached` and `cache_write` are parts of `input`, `reasoning` is a
    part of `output`; `cache_write_hour` is the part of `cache_write` that is kept for an hour, at a price of
    its own."""

    input: int
    cached: int
    output: int
    cache_write: int = 0
    reasoning: int = 0
    cache_write_hour: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came. `complete` is False where the bytes stop before the model's own end."""

    message: Message | None = None
    finish_reason: str = ""
    usage: Usage | None = None
    error: str = ""
    complete: bool = False
    model: str = ""
    answer_id: str = ""


def is_stream(body: bytes, content_type: str) -> bool:
    """Whether the answer is an event stream, by its look or, where that says nothing, by its type: servers
    send errors in JSON as event streams, and streams without a type."""
    begin = body[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"{"):
        return False
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "text/event-stream" or begin.startswith((b"data:", b"event:", b":"))


def events_of(body: bytes) -> Iterator[Event]:
    """All events of a stream; the last one, where its blank line is missing, if it was not cut."""
    decoder = EventDecoder()
    if b"\r" in body:
        yield from decoder.decode(body)
    else:
        *pieces, last = body.split(b"\n\n")
        for piece in pieces:
            first, named, second = piece.partition(b"\n")
            if not named and first.startswith(b"data: "):  # nearly all of them
                yield Event("message", first[6:].decode("utf-8", "replace"))
            elif first.startswith(b"event: ") and second.startswith(b"data: ") and b"\n" not in second:
                name = first[7:].decode("utf-8", "replace") or "message"
                yield Event(name, second[6:].decode("utf-8", "replace"))
            else:
                yield from decoder.decode(piece + b"\n\n")
        yield from decoder.decode(last)
    for event in decoder.flush():
        if event.data.strip() == DONE or not isinstance(json_object(event.data), str):
            yield event


def json_object(body: bytes | str) -> dict[str, Any] | str:
    """The object that a body holds, or why it holds none. Lone surrogates read as in requests: masked."""
    try:
        value = _decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        plain = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        try:
            value = _decode(masked(plain)[0])
        except (ValueError, RecursionError):  # msgspec's DecodeError is a ValueError
            return "the answer is not JSON" if plain.strip() else "the answer is empty"
    return value if isinstance(value, dict) else "the answer is not a JSON object"


def counted(value: Any) -> int:
    """A number of tokens; 0 for what is none, and never more than a database or a sum can take."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return min(max(value, 0), _MOST_TOKENS)


def openai_usage(value: dict[str, Any], asked: str, answered: str) -> Usage:
    """Usage as OpenAI writes it; its two dialects have names of their own for what was asked and answered."""
    into, out = value.get(f"{asked}_tokens_details"), value.get(f"{answered}_tokens_details")
    into, out = (each if isinstance(each, dict) else {} for each in (into, out))
    return Usage(
        input=counted(value.get(f"{asked}_tokens")),
        cached=counted(into.get("cached_tokens")),
        output=counted(value.get(f"{answered}_tokens")),
        cache_write=counted(into.get("cache_write_tokens")),
        reasoning=counted(out.get("reasoning_tokens")),
    )


def simplest(content: list[Any]) -> Any:
    """One plain text as a text, nothing as None, all else as parts."""
    if not content:
        return None
    only = content[0]
    if len(content) > 1 or not isinstance(only, dict) or only.get("type") != "text" or only.get("citations"):
        return content
    return only.get("text")


def text(value: Any) -> str:
    """A value that should be a text; "" where it is none."""
    return value if isinstance(value, str) else ""


def error_words(error: Any) -> str:
    """An error object in words."""
    if isinstance(error, dict):
        said = error.get("message") or error.get("code") or error.get("type")
        error = said or _encode(error).decode()
    return str(error)[:_ERROR_LENGTH]


def arguments_text(value: Any) -> str:
    """The arguments of a call as text, as chat completions write them."""
    return value if isinstance(value, str) else _encode({} if value is None else value).decode()
