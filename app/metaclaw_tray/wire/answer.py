"""An answer of the chat dialect, put together from what the upstream sent, streamed or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from metaclaw_tray.wire.canonical import Message
from metaclaw_tray.wire.sse import Event, EventDecoder

_decode = msgspec.json.Decoder().decode
_ERROR_LENGTH = 500  # characters kept of an upstream's own words
_MOST_TOKENS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the upstream counted them. `cached` is a part of `input`."""

    input: int
    cached: int
    output: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What came. `complete` is False where the bytes stop before the model's own end."""

    message: Message | None = None
    finish_reason: str = ""
    usage: Usage | None = None
    error: str = ""
    complete: bool = False
    model: str = ""


def assemble_answer(body: bytes, content_type: str) -> Answer:
    """Read a whole answer, or as much of it as came. The body must be free of content encodings.

    Never raises: an answer that cannot be read is one with an `error`.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "text/event-stream" or (
        not kind.endswith("json") and body.lstrip().startswith((b"data:", b"event:", b":"))
    ):
        return _from_stream(body)
    return _from_json(body)


def _from_json(body: bytes) -> Answer:
    try:
        value = _decode(body)
    except (msgspec.DecodeError, RecursionError):
        return Answer(error="the answer is not JSON" if body.strip() else "the answer is empty")
    if not isinstance(value, dict):
        return Answer(error="the answer is not a JSON object")
    model, usage = _text(value.get("model")), _usage(value.get("usage"))
    if value.get("error"):
        return Answer(None, "", usage, _said(value["error"]), True, model)
    choice = _choice(value)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        return Answer(None, "", usage, "the answer holds no message", False, model)
    return Answer(message, _text(choice.get("finish_reason")), usage, "", True, model)


def _from_stream(body: bytes) -> Answer:
    decoder = EventDecoder()
    assembly = _Assembly()
    for event in (*decoder.decode(body), *decoder.flush()):
        assembly.take(event)
    return assembly.answer()


class _Assembly:
    """Adds up the chunks of a stream; only the first choice counts."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._last_call = 0
        self._finish_reason = ""
        self._usage: Usage | None = None
        self._error = ""
        self._done = False
        self._model = ""
        self._begun = False

    def take(self, event: Event) -> None:
        if event.data.strip() == "[DONE]":
            self._done = True
            return
        try:
            chunk = _decode(event.data)
        except (msgspec.DecodeError, RecursionError):
            self._error = self._error or "a chunk of the stream is not JSON"
            return
        if not isinstance(chunk, dict):
            return
        if event.name == "error" or chunk.get("error"):
            self._error = self._error or _said(chunk.get("error") or chunk)
            return
        self._model = self._model or _text(chunk.get("model"))
        self._usage = _usage(chunk.get("usage")) or self._usage
        choice = _choice(chunk)
        if choice is not None:
            self._take_choice(choice)

    def _take_choice(self, choice: dict[str, Any]) -> None:
        self._finish_reason = _text(choice.get("finish_reason")) or self._finish_reason
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        self._begun = True
        self._content.append(_text(delta.get("content")))
        self._reasoning.append(_text(delta.get("reasoning_content") or delta.get("reasoning")))
        pieces = delta.get("tool_calls")
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                self._take_call(piece)

    def _take_call(self, piece: dict[str, Any]) -> None:
        index = piece.get("index")
        if not isinstance(index, int):  # some servers leave it away and tell calls apart by their id
            known = self._calls.get(self._last_call, {}).get("id")
            new = bool(piece.get("id")) and known is not None and piece["id"] != known
            index = self._last_call + 1 if new else self._last_call
        self._last_call = index
        call = self._calls.setdefault(
            index, {"id": None, "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = call["id"] or piece.get("id")
        function = piece.get("function")
        if isinstance(function, dict):
            call["function"]["name"] = call["function"]["name"] or _text(function.get("name"))
            call["function"]["arguments"] += _text(function.get("arguments"))

    def answer(self) -> Answer:
        message: Message | None = None
        if self._begun:
            message = {"role": "assistant", "content": "".join(self._content) or None}
            if reasoning := "".join(self._reasoning):
                message["reasoning_content"] = reasoning
            if self._calls:
                message["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        complete = not self._error and (self._done or bool(self._finish_reason))
        return Answer(message, self._finish_reason, self._usage, self._error, complete, self._model)


def _choice(value: dict[str, Any]) -> dict[str, Any] | None:
    choices = value.get("choices")
    if not isinstance(choices, list):
        return None
    ours = (c for c in choices if isinstance(c, dict) and c.get("index", 0) in (0, None))
    return next(ours, None)


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(_count(value.get("prompt_tokens")), _count(cached), _count(value.get("completion_tokens")))


def _count(value: Any) -> int:
    """A number of tokens; 0 for what is none, and never more than a database or a sum can take."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return min(max(value, 0), _MOST_TOKENS)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _said(error: Any) -> str:
    """An error object in words."""
    if isinstance(error, dict):
        said = error.get("message") or error.get("code") or error.get("type")
        error = said or msgspec.json.encode(error).decode()
    return str(error)[:_ERROR_LENGTH]
