"""A stream of chat completions as one of OpenAI's responses.

    response.created, response.in_progress, then items (added, deltas, done), response.completed

An answer that is not whole ends with `response.incomplete`, a broken one with `response.failed`.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.answer import Usage
from metaclaw_tray.wire.answer_responses import message_of_items
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.chat_stream import (
    Called,
    ChatStream,
    Counted,
    Done,
    Failed,
    Finished,
    Piece,
    Said,
    Thought,
)
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.reading import written
from metaclaw_tray.wire.translation.responses_growing import Output
from metaclaw_tray.wire.translation.responses_object import (
    Frame,
    failure_of,
    incomplete_reason,
    usage_written,
)
from metaclaw_tray.wire.translation.responses_output import Event
from metaclaw_tray.wire.translation.thoughts import Reasoned
from metaclaw_tray.wire.translation.usage import estimated

_CUT = "the upstream's answer was cut off"


class ResponsesStream:
    """Takes the upstream's bytes as they come, gives the client's.

    `asked` is the client's request, which the response repeats in part. `input_estimate` is the request's
    tokens, for upstreams that never count.
    """

    def __init__(self, names: Names, asked: Request, input_estimate: int = 0) -> None:
        self._frame = Frame(asked, names)
        self._output = Output(self._frame, names)
        self._input_estimate = input_estimate
        self._chat = ChatStream()
        self._out: list[bytes] = []
        self._sequence = 0
        self._started = False
        self._reason = ""
        self._usage: Usage | None = None
        self.response: dict[str, Any] | None = None
        """The response as it ended; None as long as it has not."""
        self._thoughts: list[str] = []
        self.answer: Reasoned | None = None
        """What the model said and thought, once it ended well; None where it thought nothing."""

    def feed(self, chunk: bytes) -> bytes:
        """The events that these bytes make."""
        for piece in self._chat.feed(chunk):
            self._take(piece)
        if self._chat.answer_id and self.response is None:
            self._start()  # its first chunk may say nothing but that it begins
        return self._written()

    def end(self) -> bytes:
        """The upstream ended. Where it never said that the answer is whole, that is a failure: clients take
        a clean end for one, and run half a call."""
        for piece in self._chat.end():
            self._take(piece)
        if self.response is None:
            if self._reason:
                self._finish()
            else:
                self._fail(502, _CUT)
        return self._written()

    def failed(self, error: Any, status: int = 502) -> bytes:
        """The upstream was lost, or sent an error (its object, or its words) with that status:
        `response.failed`, if the stream is not over."""
        if self.response is None:
            self._fail(status, error)
        return self._written()

    def ping(self) -> bytes:
        """A sign of life between events; nothing where the stream has not begun, or is over."""
        return b": ping\n\n" if self._started and self.response is None else b""

    def _written(self) -> bytes:
        out = b"".join(self._out)
        self._out.clear()
        return out

    def _take(self, piece: Piece) -> None:
        if self.response is not None:
            return
        if isinstance(piece, Failed):
            self._fail(500, piece.error or piece.words)
            return
        self._start()
        match piece:
            case Said():
                self._emit(self._output.say(piece))
            case Thought(thought):
                self._thoughts.append(thought)
                self._emit(self._output.think(piece))
            case Called():
                self._emit(self._output.call(piece))
            case Finished(reason):
                self._reason = self._reason or reason
            case Counted(usage):
                self._usage = usage
            case Done():
                if self._reason or self._output.is_whole():
                    self._finish()
                else:  # some servers end a stream that broke like any other
                    self._fail(502, _CUT)

    def _start(self) -> None:
        if self._started:
            return
        self._started = True
        self._frame.begin(self._chat.answer_id, self._chat.created)
        for kind in ("created", "in_progress"):
            self._event({"type": f"response.{kind}", "response": self._frame.response("in_progress", [])})

    def _finish(self) -> None:
        self._start()
        reason = incomplete_reason(self._reason)
        status = "incomplete" if reason else "completed"
        self._emit(self._output.end(status))
        usage = self._usage or estimated(self._input_estimate, self._output.characters)
        details = {"reason": reason} if reason else None
        self._close(status, usage=usage_written(usage), incomplete_details=details)
        if (thought := "".join(self._thoughts)).strip():
            self.answer = Reasoned(message_of_items(self._output.items()), thought)

    def _fail(self, status: int, error: Any) -> None:
        self._start()
        self._close("failed", error=failure_of(status, error))

    def _close(self, status: str, **more: Any) -> None:
        self.response = self._frame.response(status, self._output.items(), **more)
        self._event({"type": f"response.{status}", "response": self.response})

    def _emit(self, events: list[Event]) -> None:
        for event in events:
            self._event(event)

    def _event(self, event: Event) -> None:
        numbered = {"type": event["type"], "sequence_number": self._sequence, **event}
        self._sequence += 1
        self._out.append(b"event: " + event["type"].encode() + b"\ndata: " + written(numbered) + b"\n\n")
