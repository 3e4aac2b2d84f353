"""An answer of OpenAI's responses, put together from what the upstream sent, streamed or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaclaw_tray.wire.answer import (
    DONE,
    Answer,
    Usage,
    arguments_text,
    error_words,
    events_of,
    is_stream,
    json_object,
    openai_usage,
    simplest,
    text,
)
from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.sse import Event

_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_PIECES = {
    "output_text": "text",
    "refusal": "refusal",
    "function_call_arguments": "arguments",
    "custom_tool_call_input": "input",
}
"""What comes in pieces, and the field that holds it whole."""
_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


def assemble_responses(body: bytes, content_type: str) -> Answer:
    """Read a whole answer, or as much of it as came. The body must be free of content encodings.

    Never raises: an answer that cannot be read is one with an `error`.
    """
    if not is_stream(body, content_type):
        value = json_object(body)
        return Answer(error=value) if isinstance(value, str) else _of_response(value)
    assembly = _Assembly()
    for event in events_of(body):
        assembly.take(event)
    return assembly.answer()


def parts_of(content: Any) -> Any:
    """A message's content with its texts as plain text parts; one text stays one text."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "text", "text": part["text"]}
        if isinstance(part, dict) and part.get("type") in _TEXTS and isinstance(part.get("text"), str)
        else part
        for part in content
    ]


def message_of_items(items: Sequence[dict[str, Any]]) -> Message:
    """The model's message of its output items. Reasoning and what servers did themselves stay beside it."""
    content: list[Any] = []
    calls: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for item in items:
        kind = item.get("type")
        if kind == "function_call":
            function = {"name": item.get("name"), "arguments": arguments_text(item.get("arguments"))}
            calls.append({"id": item.get("call_id"), "type": "function", "function": function})
        elif kind == "custom_tool_call":
            custom = {"name": item.get("name"), "input": text(item.get("input"))}
            calls.append({"id": item.get("call_id"), "type": "custom", "custom": custom})
        elif kind in (None, "message"):
            said = parts_of(item.get("content"))
            content += said if isinstance(said, list) else [{"type": "text", "text": text(said)}]
        else:
            others.append(item)
    message: Message = {"role": "assistant", "content": simplest(content)}
    if others:
        message["items"] = others
    if calls:
        message["tool_calls"] = calls
    return message


def _of_response(value: dict[str, Any]) -> Answer:
    model, answer_id, usage = text(value.get("model")), text(value.get("id")), _usage(value.get("usage"))
    status, output = text(value.get("status")), value.get("output")
    items = [item for item in output if isinstance(item, dict)] if isinstance(output, list) else None
    message = message_of_items(items) if items else None
    if value.get("error") or status == "failed":
        error = error_words(value.get("error") or "the response failed")
        return Answer(message, status, usage, error, True, model, answer_id)
    if items is None:
        return Answer(None, status, usage, "the answer holds no output", False, model, answer_id)
    complete = status in ("", "completed", "incomplete")
    return Answer(message, _reason(value, status), usage, "", complete, model, answer_id)


def _reason(value: dict[str, Any], status: str) -> str:
    details = value.get("incomplete_details")
    return text(details.get("reason")) or status if isinstance(details, dict) else status


class _Assembly:
    """Takes the events of a stream; what the last one says of the whole counts, where it comes."""

    def __init__(self) -> None:
        self._whole: dict[str, Any] | None = None
        self._items: dict[int, dict[str, Any]] = {}
        self._done: set[int] = set()  # places of items that came whole
        self._parts: dict[int, dict[int, tuple[str, list[str]]]] = {}  # what an item is of, and its pieces
        self._error = ""
        self._model = ""
        self._id = ""

    def take(self, event: Event) -> None:
        value = json_object(event.data)
        if isinstance(value, str):
            if event.data.strip() != DONE:
                self._error = self._error or "an event of the stream is not JSON"
            return
        kind = text(value.get("type")) or event.name
        response = value.get("response")
        if isinstance(response, dict):
            self._model = text(response.get("model")) or self._model
            self._id = text(response.get("id")) or self._id
            if kind in _ENDS:
                self._whole = response
        elif kind == "error" or (value.get("error") and "type" not in value):
            self._error = self._error or error_words(value.get("error") or value)
        else:
            self._take_part(kind, value)

    def _take_part(self, kind: str, value: dict[str, Any]) -> None:
        what, _, step = kind.removeprefix("response.").rpartition(".")
        if what == "output_item" and isinstance(item := value.get("item"), dict):
            place = self._place(value, item.get("id"), begins=step == "added")
            self._items[place] = item
            if step == "done":
                self._done.add(place)
        elif what in _PIECES:
            parts = self._parts.setdefault(self._place(value, value.get("item_id")), {})
            index = value.get("content_index")
            _, pieces = parts.setdefault(index if isinstance(index, int) else 0, (what, []))
            if step == "delta":
                pieces.append(text(value.get("delta")))
            elif whole := text(value.get(_PIECES[what])):  # some servers send it at the end alone
                pieces[:] = [whole]

    def _place(self, value: dict[str, Any], item_id: Any, *, begins: bool = False) -> int:
        """The place of an item in the output. Some servers leave it away."""
        place = value.get("output_index")
        if isinstance(place, int):
            return place
        known = (place for place, item in self._items.items() if item_id and item.get("id") == item_id)
        last = max(self._items, default=-1)
        return next(known, last + 1 if begins else max(last, 0))

    def _so_far(self) -> list[dict[str, Any]]:
        """The items that came, also those that are not whole."""
        items = []
        for place in sorted({*self._items, *self._parts}):
            item, parts = self._items.get(place), self._parts.get(place)
            if parts and (item is None or place not in self._done):
                item = _grown(item, parts)
            items.append(item or {})
        return items

    def answer(self) -> Answer:
        so_far = self._so_far()
        if self._whole is None:
            message = message_of_items(so_far) if so_far else None
            return Answer(message, "", None, self._error, False, self._model, self._id)
        whole = self._whole
        if not whole.get("output"):  # some servers leave it out at the end
            whole = {**whole, "output": so_far}
        answer = _of_response(whole)
        if self._error and not answer.error:
            return replace(answer, error=self._error, complete=False)
        return answer


def _grown(item: dict[str, Any] | None, parts: dict[int, tuple[str, list[str]]]) -> dict[str, Any]:
    """An item with the pieces that came of it."""
    ordered = [(what, "".join(pieces)) for _, (what, pieces) in sorted(parts.items())]
    what, written = ordered[0]
    if what == "function_call_arguments":
        return {"type": "function_call", **(item or {}), "arguments": written}
    if what == "custom_tool_call_input":
        return {"type": "custom_tool_call", **(item or {}), "input": written}
    content = [{"type": what, _PIECES[what]: written} for what, written in ordered]
    return {"type": "message", **(item or {}), "content": content}


def _usage(value: Any) -> Usage | None:
    return openai_usage(value, "input", "output") if isinstance(value, dict) else None


def final_answer(body: bytes, content_type: str) -> Answer | None:
    """The answer by what the upstream says of it at the end, without reading the stream before where that is
    enough; None where no good end came. The body must be free of content encodings."""
    if not is_stream(body, content_type):
        answer = assemble_responses(body, content_type)
        return answer if answer.complete and not answer.error else None
    end = max(body.rfind(b'"response.completed"'), body.rfind(b'"response.incomplete"'))
    if end < 0:
        return None
    begin = max(body.rfind(b"\ndata:", 0, end), body.rfind(b"\rdata:", 0, end))
    answer = assemble_responses(body[begin + 1 :], "text/event-stream")
    if answer.message is None or not answer.complete:
        answer = assemble_responses(body, "text/event-stream")
    return answer if answer.complete and not answer.error else None
