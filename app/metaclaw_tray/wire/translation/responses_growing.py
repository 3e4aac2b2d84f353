"""The output of a response as it grows out of pieces of an answer of chat completions.

Thoughts and messages are open one at a time. Chat completions may mix what belongs to different calls, so
calls stay open side by side until their arguments are whole and something else begins, or the answer ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from metaclaw_tray.wire.translation import call_ids, thoughts
from metaclaw_tray.wire.translation.chat_stream import Called, Said, Thought
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.responses_object import Frame
from metaclaw_tray.wire.translation.responses_output import Call, Event, Item, Speech, Thoughts
from metaclaw_tray.wire.translation.thoughts import OUR_THOUGHT


@dataclass(slots=True)
class _Calling:
    """A call of the answer. `item` is there once the name is known, `waiting` are arguments not given yet."""

    id: str = ""
    name: str = ""
    waiting: list[str] = field(default_factory=list)
    item: Call | None = None
    closed: bool = False


class Output:
    """Takes pieces, gives events."""

    def __init__(self, frame: Frame, names: Names) -> None:
        self._frame = frame
        self._names = names
        self._count = 0  # of items
        self._done: dict[int, dict[str, Any]] = {}  # items that are done, by their place
        self._open: Speech | Thoughts | None = None
        self._blank = ""  # white space that becomes a text only where words follow
        self._calls: list[_Calling] = []
        self._taken: set[str] = set()  # ids of calls
        self.characters = 0  # of all that the model said

    def items(self) -> list[dict[str, Any]]:
        """The items that are done."""
        return [self._done[index] for index in sorted(self._done)]

    def say(self, piece: Said) -> list[Event]:
        events: list[Event] = []
        if not isinstance(self._open, Speech):
            if not piece.text.strip():
                self._blank += piece.text  # models put line breaks between calls
                return []
            events = self._begin(Speech(self._count, f"msg_{self._frame.item_id(self._count)}"))
        assert isinstance(self._open, Speech)
        return events + self._open.grow(self._words(piece), refusal=piece.refusal)

    def think(self, piece: Thought) -> list[Event]:
        events: list[Event] = []
        if not isinstance(self._open, Thoughts):
            if not piece.text.strip():
                return []
            mark = thoughts.MARK if self._frame.wants_encrypted else None
            item_id = f"{OUR_THOUGHT}_{self._frame.item_id(self._count)}"
            events = self._begin(Thoughts(self._count, item_id, mark))
        assert isinstance(self._open, Thoughts)
        return events + self._open.grow(self._words(piece))

    def call(self, piece: Called) -> list[Event]:
        while len(self._calls) <= piece.number:
            self._calls.append(_Calling())
        call = self._calls[piece.number]
        if call.closed:
            return []
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        if piece.arguments:
            call.waiting.append(piece.arguments)
        return self._grow(piece.number) if call.name else []

    def is_whole(self) -> bool:
        """Whether no call waits for more of its arguments."""
        return all(call.closed or (call.item is not None and call.item.is_whole()) for call in self._calls)

    def end(self, status: str) -> list[Event]:
        """The answer ended: what is open is done, with this status where it may be cut."""
        events = self._close(status)
        for number, call in enumerate(self._calls):
            if not call.closed and (call.name or call.waiting):
                events += self._grow(number)
                events += self._end_call(call, "completed" if status == "completed" else None)
        return events

    def _words(self, piece: Said | Thought) -> str:
        words, self._blank = self._blank + piece.text, ""
        self.characters += len(words)
        return words

    def _begin(self, item: Speech | Thoughts) -> list[Event]:
        events = self._make_way()
        self._open = item
        self._count += 1
        return events + item.begin()

    def _make_way(self) -> list[Event]:
        """Something else begins: what can be done, is."""
        events = self._close("completed")
        for call in self._calls:
            if call.item is not None and not call.closed and call.item.is_whole():
                events += self._end_call(call, "completed")
        return events

    def _close(self, status: str) -> list[Event]:
        item, self._open = self._open, None
        return [] if item is None else self._end_item(item, status)

    def _grow(self, number: int) -> list[Event]:
        call, events = self._calls[number], list[Event]()
        if call.item is None:
            events = self._make_way()
            self._blank = ""
            if not call.id or call.id in self._taken:
                call.id = call_ids.made(self._names.salt, number)
            self._taken.add(call.id)
            item_id = self._frame.item_id(self._count)
            call.item = Call(self._count, item_id, call.id, self._names.from_chat(call.name))
            self._count += 1
            events += call.item.begin()
        if arguments := "".join(call.waiting):
            call.waiting.clear()
            self.characters += len(arguments)
            events += call.item.grow(arguments)
        return events

    def _end_call(self, call: _Calling, status: str | None) -> list[Event]:
        """`status` is None where the call's own look decides."""
        assert call.item is not None
        call.closed = True
        return self._end_item(call.item, status or ("completed" if call.item.is_whole() else "incomplete"))

    def _end_item(self, item: Item, status: str) -> list[Event]:
        events = item.end(status)
        self._done[item.index] = events[-1]["item"]
        return events
