"""A stream of chat completions as one of Anthropic's messages.

Chat completions may mix what belongs to different calls; in messages one block ends before the next begins.
A call whose turn has not come waits, as does text behind a call that may still grow.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.answer import Usage
from metaclaw_tray.wire.answer_messages import message_of_blocks
from metaclaw_tray.wire.translation import call_ids
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
from metaclaw_tray.wire.translation.messages_answer import call_id, message_id, stop_reason
from metaclaw_tray.wire.translation.messages_events import TEXT, THINKING, Events
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.reading import object_of
from metaclaw_tray.wire.translation.thoughts import Reasoned
from metaclaw_tray.wire.translation.usage import estimated

_PING = b'event: ping\ndata: {"type":"ping"}\n\n'
_COMMENT = b": ping\n\n"
_CUT = "the upstream's answer was cut off"
_STATUSES = {"rate_limit_exceeded": 429, "rate_limit_error": 429, "overloaded_error": 529}


class _Call:
    """A call of the answer, as far as it came."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.waiting: list[str] = []  # arguments that were not sent yet
        self.open = False
        self.begun = False  # arguments were sent
        self._arguments: list[str] = []
        self._whole: bool | None = None

    def take(self, piece: Called) -> None:
        self.id = self.id or piece.id
        self.name = self.name or piece.name
        if piece.arguments:
            self.waiting.append(piece.arguments)
            self._arguments.append(piece.arguments)
        self._whole = None

    def is_whole(self) -> bool:
        """Whether nothing can be added to it: the arguments are an object."""
        if self._whole is None:
            self._whole = bool(self.name) and object_of("".join(self._arguments).encode()) is not None
        return self._whole


class MessagesStream:
    """Takes the upstream's bytes as they come, gives the client's.

    `input_estimate` is the tokens of the request, for the beginning of the stream, where the upstream has not
    counted yet, and for the end where it never does.
    """

    def __init__(self, names: Names, model: str, input_estimate: int = 0) -> None:
        self._names = names
        self._model = model
        self._input_estimate = input_estimate
        self._chat = ChatStream()
        self._events = Events()
        self._started = False
        self._over = False
        self._calls: list[_Call] = []
        self._ids: set[str] = set()  # of the calls that were sent
        self._current = 0  # number of the call that is open, or will be next
        self._later: list[Said | Thought] = []  # came behind a call that may still grow
        self._reason = ""
        self._refused = False
        self.usage: Usage | None = None
        """What the upstream counted; None where it has not."""
        self._thoughts: list[str] = []
        self.answer: Reasoned | None = None
        """What the model said and thought, once it ended well; None where it thought nothing."""

    def feed(self, chunk: bytes) -> bytes:
        """The events that these bytes make."""
        for piece in self._chat.feed(chunk):
            self._take(piece)
        if self._chat.answer_id and not self._over:
            self._start()
        return self._events.taken()

    def end(self) -> bytes:
        """The upstream ended. Where it never said that the answer is whole, an error: clients take a clean
        end for one, and run half a call."""
        for piece in self._chat.end():
            self._take(piece)
        return self.failed(_CUT)

    def failed(self, message: str) -> bytes:
        """The upstream was lost: an `error` event, unless the answer is whole all the same."""
        if not self._over:
            if self._reason:
                self._finish()
            else:
                self._fail(502, message)
        return self._events.taken()

    def ping(self) -> bytes:
        """A sign of life between events: a comment before the first one, nothing behind the last."""
        if self._over:
            return b""
        return _PING if self._started else _COMMENT

    def _take(self, piece: Piece) -> None:
        if self._over:
            return
        if isinstance(piece, Failed):
            self._fail(_status_of(piece.error), piece.error or piece.words)
            return
        if isinstance(piece, Counted):
            self.usage = piece.usage
        self._start()
        match piece:
            case Finished(reason):
                self._reason = self._reason or reason
            case Done():
                if self._reason or all(call.is_whole() for call in self._calls):
                    self._finish()
                else:  # some servers end a stream that broke like any other
                    self._fail(502, _CUT)
            case Called():
                self._take_call(piece)
            case Said() | Thought():
                if isinstance(piece, Thought):
                    self._thoughts.append(piece.text)
                self._take_text(piece)

    def _take_text(self, piece: Said | Thought) -> None:
        if self._current < len(self._calls):
            if not piece.text.strip() and not self._later:
                return  # models put line breaks between calls
            last = len(self._calls) - 1
            if self._later or self._current < last or not self._calls[last].is_whole():
                self._later.append(piece)
                return
            self._close_current()
        self._say(piece)

    def _say(self, piece: Said | Thought) -> None:
        self._refused = self._refused or (isinstance(piece, Said) and piece.refusal)
        self._events.say(TEXT if isinstance(piece, Said) else THINKING, piece.text)

    def _take_call(self, piece: Called) -> None:
        if piece.number < self._current:
            return  # behind arguments that were whole
        if piece.number == len(self._calls):
            self._calls.append(_Call())
        self._calls[piece.number].take(piece)
        while self._current < piece.number and self._calls[self._current].is_whole():
            self._close_current()
        self._send_current()

    def _send_current(self) -> None:
        """What came of the call whose turn it is, as soon as its name has."""
        call = self._calls[self._current]
        if not call.open and call.name:
            call.open = True
            here = call_id(call.id, self._current, self._names)
            if here in self._ids:
                here = call_ids.made(self._names.salt, self._current)
            self._ids.add(here)
            self._events.call(here, self._names.from_chat(call.name).name)
        if call.open and call.waiting:
            pieces = "".join(call.waiting)
            call.waiting.clear()
            # Strict clients read what came after each piece, and white space alone is no JSON.
            if call.begun or (pieces := pieces.lstrip()):
                call.begun = True
                self._events.arguments(pieces)

    def _close_current(self) -> None:
        self._send_current()
        if self._calls[self._current].open:
            self._events.close()
        self._current += 1

    def _start(self) -> None:
        if not self._started:
            self._started = True
            usage = self.usage or estimated(self._input_estimate, 0)
            self._events.start(message_id(self._chat.answer_id, self._names), self._model, usage)

    def _finish(self) -> None:
        while self._current < len(self._calls):
            self._close_current()
        for piece in self._later:
            self._say(piece)
        called = any(call.open for call in self._calls)
        usage = self.usage or estimated(self._input_estimate, self._events.characters)
        self._events.stop(stop_reason(self._reason, called=called, refused=self._refused), usage)
        if (thought := "".join(self._thoughts)).strip():
            self.answer = Reasoned(message_of_blocks(self._events.blocks), thought)
        self._over = True

    def _fail(self, status: int, error: Any) -> None:
        self._events.error(status, error)
        self._over = True


def _status_of(error: Any) -> int:
    """The status that an error in the middle of a stream would have had."""
    if not isinstance(error, dict):
        return 500
    code = error.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return code
    return _STATUSES.get(str(code)) or _STATUSES.get(str(error.get("type"))) or 500
