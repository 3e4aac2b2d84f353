"""Event streams by the rules of the WHATWG (HTML, 9.2.6), sans-IO: bytes in, events out.

Lenient in two points, since the bytes were sent all the same: a last event without its blank line counts,
and so does a last line without its newline.
"""

from __future__ import annotations

from msgspec import Struct


class Event(Struct, frozen=True, gc=False):
    """One event. `name` is "message" where the stream names none; `data` has its lines joined by newlines."""

    name: str
    data: str


class EventDecoder:
    """Takes a stream cut anywhere, also inside a character or between CR and LF."""

    def __init__(self) -> None:
        self._tail: list[bytes] = []  # pieces of a line whose end has not come
        self._after_cr = False  # the last piece ended in CR; an LF that follows belongs to it
        self._first = True
        self._name = b""
        self._data: list[bytes] = []

    def decode(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        events: list[Event] = []
        for piece in chunk.splitlines(keepends=True):  # of bytes: at CR, LF and CRLF only
            line = piece.rstrip(b"\r\n")
            if len(line) == len(piece):
                self._tail.append(piece)
                break
            self._take_line(b"".join((*self._tail, line)), events)
            self._tail.clear()
        self._after_cr = chunk.endswith(b"\r") or (self._after_cr and not chunk)
        return events

    def flush(self) -> list[Event]:
        """What the stream's end completes."""
        events: list[Event] = []
        if self._tail:
            self._take_line(b"".join(self._tail), events)
            self._tail.clear()
        self._dispatch(events)
        return events

    def _take_line(self, line: bytes, events: list[Event]) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            self._dispatch(events)
            return
        field, _, value = line.partition(b":")  # a comment has an empty field name
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value

    def _dispatch(self, events: list[Event]) -> None:
        if self._data:
            name = self._name.decode("utf-8", "replace") or "message"
            events.append(Event(name, b"\n".join(self._data).decode("utf-8", "replace")))
        self._name = b""
        self._data.clear()
