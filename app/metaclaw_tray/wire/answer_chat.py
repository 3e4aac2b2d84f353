"""An answer of chat completions, put together from what the upstream sent, streamed or not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec
from msgspec import Struct

from metaclaw_tray.wire.answer import (
    DONE,
    Answer,
    Usage,
    counted,
    error_words,
    events_of,
    is_stream,
    json_object,
    openai_usage,
    text,
)
from metaclaw_tray.wire.said import Message, texts_of
from metaclaw_tray.wire.sse import Event


def assemble_chat(body: bytes, content_type: str) -> Answer:
    """Read a whole answer, or as much of it as came. The body must be free of content encodings.

    Never raises: an answer that cannot be read is one with an `error`.
    """
    return _from_stream(body) if is_stream(body, content_type) else _from_json(body)


def _from_json(body: bytes) -> Answer:
    value = json_object(body)
    if isinstance(value, str):
        return Answer(error=value)
    model, usage, answer_id = text(value.get("model")), chat_usage(value.get("usage")), text(value.get("id"))
    if value.get("error"):
        return Answer(None, "", usage, error_words(value["error"]), True, model, answer_id)
    choice = _choice(value)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        return Answer(None, "", usage, "the answer holds no message", False, model, answer_id)
    return Answer(message, text(choice.get("finish_reason")), usage, "", True, model, answer_id)


def _from_stream(body: bytes) -> Answer:
    assembly = _Assembly()
    for event in events_of(body):
        assembly.take(event)
    return assembly.answer()


class _Words(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A delta that only says some words."""

    content: str
    role: str | None = None
    refusal: None = None
    tool_calls: None = None


class _Choice(Struct, frozen=True, gc=False):
    delta: _Words
    index: Literal[0] = 0
    finish_reason: None = None


class _Plain(Struct, frozen=True, gc=False):
    """A chunk that only says some words, as nearly all do: read in a part of the time that others take."""

    choices: tuple[_Choice]
    model: str = ""
    id: str = ""
    usage: None = None
    error: None = None


_plain = msgspec.json.Decoder(_Plain).decode
_WORDS = '"content":'
_MOST_OTHERS = 8  # from then on a stream is taken for one of another kind


@dataclass(slots=True)
class _Call:
    """A call of a tool that is growing."""

    index: int
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def whole(self) -> dict[str, Any]:
        function = {"name": self.name, "arguments": "".join(self.arguments)}
        return {"id": self.id or None, "type": "function", "function": function}


class _Assembly:
    """Adds up the chunks of a stream; only the first choice counts."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[_Call] = []
        self._last_index = 0
        self._finish_reason = ""
        self._usage: Usage | None = None
        self._error = ""
        self._done = False
        self._model = ""
        self._id = ""
        self._begun = False
        self._others = 0  # chunks that looked plain and were not

    def take(self, event: Event) -> None:
        if _WORDS in event.data and event.name != "error" and self._take_words(event.data):
            return
        if event.data.strip() == DONE:
            self._done = True
            return
        chunk = json_object(event.data)
        if isinstance(chunk, str):
            self._error = self._error or "a chunk of the stream is not JSON"
            return
        if event.name == "error" or chunk.get("error"):
            self._error = self._error or error_words(chunk.get("error") or chunk)
            return
        self._model = self._model or text(chunk.get("model"))
        self._id = self._id or text(chunk.get("id"))
        self._usage = chat_usage(chunk.get("usage")) or self._usage
        choice = _choice(chunk)
        if choice is not None:
            self._take_choice(choice)

    def _take_words(self, data: str) -> bool:
        """Take a chunk that only says some words; False where it is another one."""
        if self._others > _MOST_OTHERS:
            return False
        try:
            chunk = _plain(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):  # it says more, or says it oddly
            self._others += 1
            return False
        self._model = self._model or chunk.model
        self._id = self._id or chunk.id
        self._begun = True
        self._content.append(chunk.choices[0].delta.content)
        return True

    def _take_choice(self, choice: dict[str, Any]) -> None:
        self._finish_reason = text(choice.get("finish_reason")) or self._finish_reason
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        self._begun = True
        self._content += texts_of(delta)
        self._refusal.append(text(delta.get("refusal")))
        self._reasoning.append(text(delta.get("reasoning_content") or delta.get("reasoning")))
        pieces = delta.get("tool_calls")
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                self._take_call(piece)

    def _take_call(self, piece: dict[str, Any]) -> None:
        """Calls grow by their index. Some servers leave it away, or give all calls the same one; a new id
        with a name begins a new call then."""
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        index, call_id, name = piece.get("index"), text(piece.get("id")), text(function.get("name"))
        index = index if isinstance(index, int) else self._last_index
        self._last_index = index
        call = next((each for each in reversed(self._calls) if each.index == index), None)
        if call is None or (name and call_id and call.id not in ("", call_id)):
            call = _Call(index)
            self._calls.append(call)
        call.id = call.id or call_id
        call.name = call.name or name
        call.arguments.append(text(function.get("arguments")))

    def answer(self) -> Answer:
        message: Message | None = None
        if self._begun:
            message = {"role": "assistant", "content": "".join(self._content) or None}
            if refusal := "".join(self._refusal):
                message["refusal"] = refusal
            if reasoning := "".join(self._reasoning):
                message["reasoning_content"] = reasoning
            if self._calls:
                ordered = sorted(self._calls, key=lambda call: call.index)
                message["tool_calls"] = [call.whole() for call in ordered]
        complete = not self._error and (self._done or bool(self._finish_reason))
        return Answer(message, self._finish_reason, self._usage, self._error, complete, self._model, self._id)


def _choice(value: dict[str, Any]) -> dict[str, Any] | None:
    choices = value.get("choices")
    if not isinstance(choices, list):
        return None
    ours = (c for c in choices if isinstance(c, dict) and c.get("index", 0) in (0, None))
    return next(ours, None)


def chat_usage(value: Any) -> Usage | None:
    """The usage of an answer or a chunk. Cached tokens stand among the details, or where OpenAI did not say
    first: `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Moonshot)."""
    if not isinstance(value, dict) or not value:
        return None
    usage = openai_usage(value, "prompt", "completion")
    elsewhere = value.get("prompt_cache_hit_tokens") or value.get("cached_tokens")
    return usage if usage.cached else replace(usage, cached=counted(elsewhere))
