"""What the model says as output items of a response: each begins, grows, and is done.

Items give events without their `sequence_number`, which belongs to the stream. The form of items and events
is that of the API reference (platform.openai.com/docs/api-reference/responses-streaming).
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.translation.free_text import FreeText
from metaclaw_tray.wire.translation.names import Tool
from metaclaw_tray.wire.translation.reading import object_of

Event = dict[str, Any]
_PREFIXES = {"function": "fc", "custom": "ctc", "search": "tsc"}


class Item:
    """One item of the output. `index` is its place there."""

    def __init__(self, index: int, item_id: str) -> None:
        self.index = index
        self._id = item_id

    def begin(self) -> list[Event]:
        return [self._whole("output_item.added", self.written("in_progress"))]

    def end(self, status: str) -> list[Event]:
        """All events that are missing. `status` is "completed" or "incomplete"."""
        return [*self._last(), self._whole("output_item.done", self.written(status))]

    def written(self, status: str) -> dict[str, Any]:
        """The item, as far as it came."""
        raise NotImplementedError

    def _last(self) -> list[Event]:
        raise NotImplementedError

    def _whole(self, kind: str, item: dict[str, Any]) -> Event:
        return {"type": f"response.{kind}", "output_index": self.index, "item": item}

    def _event(self, kind: str, **more: Any) -> Event:
        return {"type": f"response.{kind}", "item_id": self._id, "output_index": self.index, **more}


class Thoughts(Item):
    """What the model reasoned, as a summary: that is what clients show, and send back. `mark` goes with it
    where the client asks for what only the server can read."""

    def __init__(self, index: int, item_id: str, mark: str | None) -> None:
        super().__init__(index, item_id)
        self._mark = mark
        self._pieces: list[str] = []

    def grow(self, text: str) -> list[Event]:
        events = []
        if not self._pieces:
            part = {"type": "summary_text", "text": ""}
            events.append(self._event("reasoning_summary_part.added", summary_index=0, part=part))
        self._pieces.append(text)
        events.append(self._event("reasoning_summary_text.delta", summary_index=0, delta=text))
        return events

    def written(self, status: str) -> dict[str, Any]:  # noqa: ARG002 - thoughts have no status
        item = {"id": self._id, "type": "reasoning", "summary": self._summary()}
        return item if self._mark is None else {**item, "encrypted_content": self._mark}

    def _summary(self) -> list[dict[str, Any]]:
        return [{"type": "summary_text", "text": "".join(self._pieces)}] if self._pieces else []

    def _last(self) -> list[Event]:
        return [
            event
            for part in self._summary()
            for event in (
                self._event("reasoning_summary_text.done", summary_index=0, text=part["text"]),
                self._event("reasoning_summary_part.done", summary_index=0, part=part),
            )
        ]


class Speech(Item):
    """A message of the model's: texts, and refusals."""

    def __init__(self, index: int, item_id: str) -> None:
        super().__init__(index, item_id)
        self._done: list[dict[str, Any]] = []
        self._pieces: list[str] = []
        self._refusal = False  # whether the open part is one

    def grow(self, text: str, *, refusal: bool) -> list[Event]:
        events = self._last() if refusal != self._refusal else []
        self._refusal = refusal
        if not self._pieces:
            events.append(self._of_part("content_part.added", part=self._part("")))
        self._pieces.append(text)
        if refusal:
            events.append(self._of_part("refusal.delta", delta=text))
        else:
            events.append(self._of_part("output_text.delta", delta=text, logprobs=[]))
        return events

    def written(self, status: str) -> dict[str, Any]:
        content = [*self._done, self._part("".join(self._pieces))] if self._pieces else self._done
        return {
            "id": self._id,
            "type": "message",
            "role": "assistant",
            "status": status,
            "content": list(content),
        }

    def _part(self, text: str) -> dict[str, Any]:
        if self._refusal:
            return {"type": "refusal", "refusal": text}
        return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}

    def _last(self) -> list[Event]:
        if not self._pieces:
            return []
        text = "".join(self._pieces)
        part = self._part(text)
        if self._refusal:
            said = self._of_part("refusal.done", refusal=text)
        else:
            said = self._of_part("output_text.done", text=text, logprobs=[])
        events = [said, self._of_part("content_part.done", part=part)]
        self._done.append(part)
        self._pieces.clear()
        return events

    def _of_part(self, kind: str, **more: Any) -> Event:
        return self._event(kind, content_index=len(self._done), **more)


class Call(Item):
    """A call of a tool: of a function, of a custom tool, or a search for tools that the client runs."""

    def __init__(self, index: int, item_id: str, call_id: str, tool: Tool) -> None:
        super().__init__(index, f"{_PREFIXES[tool.kind]}_{item_id}")
        self._call_id = call_id
        self._tool = tool
        self._pieces: list[str] = []
        self._free = FreeText()
        self._input = ""

    def is_whole(self) -> bool:
        """Whether the arguments are an object, to which nothing can be added."""
        return object_of("".join(self._pieces).encode()) is not None

    def grow(self, arguments: str) -> list[Event]:
        """More of the arguments, not empty."""
        self._pieces.append(arguments)
        match self._tool.kind:
            case "function":
                return [self._event("function_call_arguments.delta", delta=arguments)]
            case "custom":
                return self._given(self._free.feed(arguments))
        return []

    def _given(self, text: str) -> list[Event]:
        return [self._event("custom_tool_call_input.delta", delta=text)] if text else []

    def written(self, status: str) -> dict[str, Any]:
        begun = status == "in_progress"
        item: dict[str, Any] = {"id": self._id, "call_id": self._call_id}
        if self._tool.kind == "search":
            more = {"execution": "client", "arguments": {} if begun else self._query(), "status": status}
            return {**item, "type": "tool_search_call", **more}
        item["name"] = self._tool.name
        if self._tool.namespace:
            item["namespace"] = self._tool.namespace
        if self._tool.kind == "custom":
            return {**item, "type": "custom_tool_call", "input": self._input}
        arguments = "" if begun else self._arguments()
        return {**item, "type": "function_call", "arguments": arguments, "status": status}

    def _arguments(self) -> str:
        written = "".join(self._pieces)
        return written if written.strip() else "{}"

    def _query(self) -> dict[str, Any]:
        """What a search asks for; its arguments are no text in responses."""
        found = object_of(self._arguments().encode())
        return {"query": self._arguments()} if found is None else found

    def _last(self) -> list[Event]:
        if self._tool.kind == "search":
            return []
        if self._tool.kind == "custom":
            rest, self._input = self._free.end()
            return [*self._given(rest), self._event("custom_tool_call_input.done", input=self._input)]
        events = [] if "".join(self._pieces).strip() else self.grow("{}")  # some tools take nothing
        return [*events, self._event("function_call_arguments.done", arguments=self._arguments())]
