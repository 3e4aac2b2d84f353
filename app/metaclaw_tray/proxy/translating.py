"""One request that its upstream hears in chat completions, and how its answer comes back to the client."""

from __future__ import annotations

from typing import Protocol

from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation import (
    messages_answer,
    messages_request,
    messages_stream,
    responses_answer,
    responses_request,
    responses_stream,
)
from metaclaw_tray.wire.translation.messages_count import roughly_tokens
from metaclaw_tray.wire.translation.tool_text_answer import ToolTextStream, with_calls
from metaclaw_tray.wire.translation.translated import Translated

PATH = "/chat/completions"


class Machine(Protocol):
    """Takes the upstream's stream as it comes, gives the client's."""

    def feed(self, chunk: bytes) -> bytes: ...

    def end(self) -> bytes: ...

    def failed(self, message: str) -> bytes: ...

    def ping(self) -> bytes: ...


class Translation:
    """A request in chat completions. Raises Untranslatable, with the field, where it cannot be said there."""

    def __init__(self, dialect: str, body: bytes, *, images: bool, tool_text: bool) -> None:
        self._asked: Request = DIALECTS[dialect].parse(body)
        self.streams = bytes(self._asked.fields.get("stream", b"")) == b"true"
        self._messages = dialect == "messages"
        to_chat = messages_request.to_chat if self._messages else responses_request.to_chat
        self._sent: Translated = to_chat(self._asked, stream=self.streams, images=images)
        self._tool_text = tool_text
        self._estimate = roughly_tokens(self.body)

    @property
    def body(self) -> bytes:
        return self._sent.body

    def stream(self) -> Machine:
        """What makes the client's events of the upstream's."""
        names, asked = self._sent.names, self._asked
        machine: Machine = (
            messages_stream.MessagesStream(names, asked.model, self._estimate)
            if self._messages
            else responses_stream.ResponsesStream(names, asked, self._estimate)
        )
        return _WithToolText(ToolTextStream(names), machine) if self._tool_text else machine

    def whole(self, body: bytes) -> bytes:
        """The answer as the client gets it. Raises WireError where it is none."""
        names, asked = self._sent.names, self._asked
        if self._tool_text:
            body = with_calls(body, names)
        if self._messages:
            return messages_answer.answer_from_chat(body, names, asked.model, self._estimate)
        return responses_answer.answer_from_chat(body, names, asked, self._estimate)

    def error(self, status: int, body: bytes) -> tuple[int, str, bytes]:
        """Status, content type and body of an error, as the client gets them."""
        if self._messages:
            return _as_json(*messages_answer.error_from_chat(status, body))
        if self.streams:
            said = responses_answer.overflow_stream(status, body, self._sent.names, self._asked)
            if said is not None:
                return 200, "text/event-stream", said
        return _as_json(*responses_answer.error_from_chat(status, body))


class _WithToolText:
    """A machine behind a filter that finds calls in what a small model writes."""

    def __init__(self, tool_text: ToolTextStream, machine: Machine) -> None:
        self._filter = tool_text
        self._machine = machine

    def feed(self, chunk: bytes) -> bytes:
        return self._machine.feed(self._filter.feed(chunk))

    def end(self) -> bytes:
        return self._machine.feed(self._filter.end()) + self._machine.end()

    def failed(self, message: str) -> bytes:
        return self._machine.failed(message)

    def ping(self) -> bytes:
        return self._machine.ping()


def _as_json(status: int, body: bytes) -> tuple[int, str, bytes]:
    return status, "application/json", body
