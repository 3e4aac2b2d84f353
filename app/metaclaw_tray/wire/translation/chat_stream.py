"""A stream of chat completions in pieces: what both translations back read.

Servers differ: indices of calls are missing or all the same, ids are repeated or left away, the usage comes
with the last delta, in a chunk without choices, or in one that has no such field. All that ends here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from metaclaw_tray.wire.answer import DONE, Usage, arguments_text, counted, error_words, text
from metaclaw_tray.wire.said import texts_of
from metaclaw_tray.wire.sse import Event, EventDecoder
from metaclaw_tray.wire.translation.reading import object_of
from metaclaw_tray.wire.translation.usage import usage_of

_FAILED = "error"  # a finish_reason


class Said(Struct, frozen=True, gc=False):
    """A piece of the answer's text, never empty. A refusal reads as the answer's text."""

    text: str
    refusal: bool = False


class Thought(Struct, frozen=True, gc=False):
    """A piece of what the model reasons, never empty."""

    text: str


class Called(Struct, frozen=True, gc=False):
    """A piece of a call: `number` counts the answer's calls from 0. What did not come is empty."""

    number: int
    id: str
    name: str
    arguments: str


class Finished(Struct, frozen=True, gc=False):
    """The model ended, and why, in the words of chat completions."""

    reason: str


class Counted(Struct, frozen=True, gc=False):
    """The upstream's count of tokens; a later one replaces it."""

    usage: Usage


class Failed(Struct, frozen=True, gc=False):
    """The upstream said that it failed. `error` is its error object, or what it sent instead."""

    error: Any
    words: str


class Done(Struct, frozen=True, gc=False):
    """All is said."""


Piece = Said | Thought | Called | Finished | Counted | Failed | Done


class ChatStream:
    """Takes bytes cut anywhere, gives pieces. Only the first choice counts."""

    def __init__(self) -> None:
        self.answer_id = ""
        self.created = 0  # seconds of the epoch, as the upstream says
        self._decoder = EventDecoder()
        self._ids: list[str] = []  # of the calls, as far as they came
        self._numbers: dict[int, int] = {}  # of the last call under each of the upstream's indices
        self._last_index = 0

    def feed(self, chunk: bytes) -> Iterator[Piece]:
        """What these bytes complete."""
        for event in self._decoder.decode(chunk):
            yield from self._read(event)

    def end(self) -> Iterator[Piece]:
        """What the stream's end completes. A last event that was cut says nothing."""
        for event in self._decoder.flush():
            if event.data.strip() == DONE or object_of(event.data.encode()) is not None:
                yield from self._read(event)

    def _read(self, event: Event) -> Iterator[Piece]:
        if event.data.strip() == DONE:
            yield Done()
            return
        chunk = object_of(event.data.encode())
        if chunk is None:
            if event.name != "ping":
                yield Failed(None, "a chunk of the upstream's stream is not JSON")
            return
        if event.name == "error" or chunk.get("error"):
            error = chunk.get("error") or chunk
            yield Failed(error, error_words(error))
            return
        self.answer_id = self.answer_id or text(chunk.get("id"))
        self.created = self.created or counted(chunk.get("created"))
        choice = first_choice(chunk)
        if choice is not None:
            yield from self._read_choice(choice)
        if (usage := usage_of(chunk.get("usage"))) is not None:
            yield Counted(usage)

    def _read_choice(self, choice: dict[str, Any]) -> Iterator[Piece]:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            if thought := thought_of(delta):
                yield Thought(thought)
            if said := "".join(texts_of(delta)):
                yield Said(said)
            if refusal := text(delta.get("refusal")):
                yield Said(refusal, refusal=True)
            pieces = delta.get("tool_calls")
            for piece in pieces if isinstance(pieces, list) else ():
                if isinstance(piece, dict):
                    yield self._called(piece)
        if (failed := failure_in(choice)) is not None:
            yield failed
        elif reason := text(choice.get("finish_reason")):
            yield Finished(reason)

    def _called(self, piece: dict[str, Any]) -> Called:
        """A call grows under its index. Where that is missing, or the same for all, a new id with a name
        begins a new call."""
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        index, call_id, name = piece.get("index"), text(piece.get("id")), text(function.get("name"))
        index = index if isinstance(index, int) else self._last_index
        self._last_index = index
        number = self._numbers.get(index)
        if number is None or (name and call_id and self._ids[number] not in ("", call_id)):
            number = self._numbers[index] = len(self._ids)
            self._ids.append("")
        self._ids[number] = self._ids[number] or call_id
        return Called(number, call_id, name, written_arguments(function.get("arguments")))


def first_choice(value: dict[str, Any]) -> dict[str, Any] | None:
    """The choice that counts, of an answer or a chunk."""
    choices = value.get("choices")
    if not isinstance(choices, list):
        return None
    return next((c for c in choices if isinstance(c, dict) and c.get("index", 0) in (0, None)), None)


def failure_in(choice: dict[str, Any]) -> Failed | None:
    """What a choice says of a model that failed: OpenRouter's providers do so in the middle of an answer."""
    error = choice.get("error")
    if not error and choice.get("finish_reason") != _FAILED:
        return None
    return Failed(error, error_words(error) if error else "the upstream's model failed")


def thought_of(message: dict[str, Any]) -> str:
    """What a message or a delta holds of the model's reasoning, under any of the names it goes by."""
    return text(message.get("reasoning_content")) or text(message.get("reasoning"))


def written_arguments(value: Any) -> str:
    """Arguments as text; some servers send them as an object."""
    return "" if value is None else arguments_text(value)
