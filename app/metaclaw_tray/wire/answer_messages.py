"""An answer of Anthropic's messages, put together from what the upstream sent, streamed or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from metaclaw_tray.wire.answer import (
    DONE,
    Answer,
    Usage,
    arguments_text,
    counted,
    error_words,
    events_of,
    is_stream,
    json_object,
    simplest,
    text,
)
from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.sse import Event

_THOUGHTS = ("thinking", "redacted_thinking")


def assemble_messages(body: bytes, content_type: str) -> Answer:
    """Read a whole answer, or as much of it as came. The body must be free of content encodings.

    Never raises: an answer that cannot be read is one with an `error`.
    """
    return _from_stream(body) if is_stream(body, content_type) else _from_json(body)


def message_of_blocks(blocks: Sequence[Any]) -> Message:
    """The model's message of its content blocks. Thoughts stay whole beside it, with their signatures."""
    content: list[Any] = []
    calls: list[dict[str, Any]] = []
    thoughts: list[Any] = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_use":
            function = {"name": block.get("name"), "arguments": arguments_text(block.get("input"))}
            calls.append({"id": block.get("id"), "type": "function", "function": function})
        elif kind in _THOUGHTS:
            thoughts.append(block)
        else:
            content.append(block)
    message: Message = {"role": "assistant", "content": simplest(content)}
    if thoughts:
        message["thinking"] = thoughts
    if calls:
        message["tool_calls"] = calls
    return message


def _from_json(body: bytes) -> Answer:
    value = json_object(body)
    if isinstance(value, str):
        return Answer(error=value)
    model, answer_id = text(value.get("model")), text(value.get("id"))
    if value.get("type") == "error" or value.get("error"):
        return Answer(None, "", None, error_words(value.get("error") or value), True, model, answer_id)
    usage, content = _usage(value.get("usage"), None), value.get("content")
    if not isinstance(content, list):
        return Answer(None, "", usage, "the answer holds no message", False, model, answer_id)
    stopped = text(value.get("stop_reason"))
    return Answer(message_of_blocks(content), stopped, usage, "", True, model, answer_id)


def _from_stream(body: bytes) -> Answer:
    assembly = _Assembly()
    for event in events_of(body):
        assembly.take(event)
    return assembly.answer()


class _Text(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    text: str
    type: Literal["text_delta"]


class _Plain(Struct, frozen=True, gc=False):
    """An event that only says some words, as nearly all do: read in a part of the time that others take."""

    type: Literal["content_block_delta"]
    index: int
    delta: _Text


_plain = msgspec.json.Decoder(_Plain).decode
_WORDS = '"text_delta"'


class _Assembly:
    """Adds up the events of a stream."""

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: dict[tuple[int, str], list[str]] = {}
        self._last = -1
        self._stopped = ""
        self._usage: Usage | None = None
        self._error = ""
        self._ended = False
        self._begun = False
        self._model = ""
        self._id = ""

    def take(self, event: Event) -> None:
        if _WORDS in event.data:
            try:
                said = _plain(event.data)
            except (msgspec.DecodeError, UnicodeError, RecursionError):  # it says more, or says it oddly
                pass
            else:
                self._grow(said.index, "text", said.delta.text)
                return
        value = json_object(event.data)
        if isinstance(value, str):
            if event.data.strip() != DONE:
                self._error = self._error or "an event of the stream is not JSON"
            return
        match value.get("type") or event.name:
            case "message_start":
                self._start(value.get("message"))
            case "content_block_start":
                self._open(value)
            case "content_block_delta":
                self._add(value)
            case "message_delta":
                delta = value.get("delta")
                if isinstance(delta, dict):
                    self._stopped = text(delta.get("stop_reason")) or self._stopped
                self._usage = _usage(value.get("usage"), self._usage)
            case "message_stop":
                self._ended = True
            case "error":
                self._error = self._error or error_words(value.get("error") or value)

    def _start(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        self._begun = True
        self._model, self._id = text(message.get("model")), text(message.get("id"))
        self._usage = _usage(message.get("usage"), None)

    def _open(self, value: dict[str, Any]) -> None:
        block = value.get("content_block")
        if not isinstance(block, dict):
            return
        self._begun = True
        index = value.get("index")
        self._last = index if isinstance(index, int) else self._last + 1
        self._blocks[self._last] = dict(block)

    def _add(self, value: dict[str, Any]) -> None:
        delta, index = value.get("delta"), value.get("index")
        if not isinstance(delta, dict):
            return
        index = index if isinstance(index, int) else self._last
        for field in ("text", "partial_json", "thinking", "signature"):
            if isinstance(piece := delta.get(field), str):
                self._grow(index, field, piece)
        if isinstance(citation := delta.get("citation"), dict) and (block := self._blocks.get(index)):
            before = block.get("citations")
            block["citations"] = [*(before if isinstance(before, list) else ()), citation]

    def _grow(self, index: int, field: str, piece: str) -> None:
        self._pieces.setdefault((index, field), []).append(piece)
        if index not in self._blocks:  # its beginning was lost; what came is kept all the same
            kind = {"partial_json": "tool_use", "signature": "thinking"}.get(field, field)
            self._blocks[index] = {"type": kind}
            self._begun = True

    def _whole(self) -> Iterable[dict[str, Any]]:
        for index in sorted(self._blocks):
            block = self._blocks[index]
            for field in ("text", "thinking", "signature"):
                if pieces := self._pieces.get((index, field)):
                    block[field] = text(block.get(field)) + "".join(pieces)
            if written := "".join(self._pieces.get((index, "partial_json"), ())):
                said = json_object(written)
                block["input"] = written if isinstance(said, str) else said
            yield block

    def answer(self) -> Answer:
        message = message_of_blocks(list(self._whole())) if self._begun else None
        complete = not self._error and (self._ended or bool(self._stopped))
        return Answer(message, self._stopped, self._usage, self._error, complete, self._model, self._id)


def _usage(value: Any, before: Usage | None) -> Usage | None:
    """Usage as it is counted here: the vendor counts tokens from and to its cache beside `input_tokens`.

    The end of a stream may repeat only some of the numbers; the others stay as they were at its beginning.
    """
    if not isinstance(value, dict):
        return before
    cached = written = plain = output = reasoning = hour = 0
    if before is not None:
        cached, written, hour = before.cached, before.cache_write, before.cache_write_hour
        output, reasoning = before.output, before.reasoning
        plain = before.input - cached - written
    cached = _or(value, "cache_read_input_tokens", cached)
    written = _or(value, "cache_creation_input_tokens", written)
    plain = _or(value, "input_tokens", plain)
    output = _or(value, "output_tokens", output)
    details = value.get("output_tokens_details")
    if isinstance(details, dict):
        reasoning = _or(details, "thinking_tokens", reasoning)
    kept = value.get("cache_creation")
    if isinstance(kept, dict):
        hour = _or(kept, "ephemeral_1h_input_tokens", hour)
    return Usage(counted(plain + cached + written), cached, output, written, reasoning, hour)


def _or(value: dict[str, Any], field: str, otherwise: int) -> int:
    said = value.get(field)
    return counted(said) if isinstance(said, int) and not isinstance(said, bool) else otherwise
