"""One request that its upstream hears in chat completions, and how its answer comes back to the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from metaclaw_tray.proxy.reasoning import Recalled
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation import (
    messages_answer,
    messages_request,
    messages_stream,
    missing_thoughts,
    responses_answer,
    responses_request,
    responses_stream,
    thoughts,
)
from metaclaw_tray.wire.translation.messages_count import roughly_tokens
from metaclaw_tray.wire.translation.tool_text_answer import ToolTextStream, with_calls
from metaclaw_tray.wire.translation.translated import Translated

PATH = "/chat/completions"


class Machine(Protocol):
    """Takes the upstream's stream as it comes, gives the client's."""

    @property
    def answer(self) -> thoughts.Reasoned | None:
        """What the model said and thought, once it ended well; None where it thought nothing."""

    def feed(self, chunk: bytes) -> bytes: ...

    def end(self) -> bytes: ...

    def failed(self, message: str) -> bytes: ...

    def ping(self) -> bytes: ...


class Translation:
    """A request in chat completions. Raises Untranslatable, with the field, where it cannot be said there.

    `recalled` gives back what the client left away of the model's thoughts, and is told the new ones.
    `counted` is told the model, what was sent to it, and how many tokens the upstream says that this was.
    """

    def __init__(
        self,
        dialect: str,
        body: bytes,
        *,
        images: bool,
        tool_text: bool,
        recalled: Recalled | None = None,
        counted: Callable[[str, bytes, int], Awaitable[None]] | None = None,
    ) -> None:
        self._counted = counted
        self._stream: messages_stream.MessagesStream | None = None
        self._dialect = DIALECTS[dialect]
        self._recalled = recalled
        self._asked: Request = self._dialect.parse(body)
        self.streams = bytes(self._asked.fields.get("stream", b"")) == b"true"
        self._messages = dialect == "messages"
        to_chat = messages_request.to_chat if self._messages else responses_request.to_chat
        recall = None if recalled is None else recalled.recall(len(self._asked.items))
        self._sent: Translated = to_chat(self._asked, stream=self.streams, images=images, recall=recall)
        self._tool_text = tool_text
        self._estimate = roughly_tokens(self.body)

    @property
    def body(self) -> bytes:
        return self._sent.body

    def stream(self) -> Machine:
        """What makes the client's events of the upstream's."""
        names, asked = self._sent.names, self._asked
        machine: Machine
        if self._messages:
            machine = self._stream = messages_stream.MessagesStream(names, asked.model, self._estimate)
        else:
            machine = responses_stream.ResponsesStream(names, asked, self._estimate)
        if self._tool_text:
            machine = _WithToolText(ToolTextStream(names), machine)
        return machine if self._recalled is None else _Remembering(machine, self._recalled)

    async def ended(self) -> None:
        """The client has all of the stream: whoever compares is told what the upstream counted."""
        usage = None if self._stream is None else self._stream.usage
        if self._counted is not None and usage is not None:
            await self._counted(self._asked.model, self.body, usage.input)

    def whole(self, body: bytes) -> bytes:
        """The answer as the client gets it. Raises WireError where it is none."""
        names, asked = self._sent.names, self._asked
        if self._tool_text:
            body = with_calls(body, names)
        if self._messages:
            whole = messages_answer.answer_from_chat(body, names, asked.model, self._estimate)
        else:
            whole = responses_answer.answer_from_chat(body, names, asked, self._estimate)
        if self._recalled is not None:
            message = self._dialect.assemble(whole, "application/json").message or {}
            if thought := thoughts.in_answer(message):
                self._recalled.keep(thoughts.Reasoned(message, thought))
        return whole

    def error(self, status: int, body: bytes) -> tuple[int, str, bytes]:
        """Status, content type and body of an error, as the client gets them."""
        body = missing_thoughts.explained(status, body)
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

    @property
    def answer(self) -> thoughts.Reasoned | None:
        return self._machine.answer

    def feed(self, chunk: bytes) -> bytes:
        return self._machine.feed(self._filter.feed(chunk))

    def end(self) -> bytes:
        return self._machine.feed(self._filter.end()) + self._machine.end()

    def failed(self, message: str) -> bytes:
        return self._machine.failed(message)

    def ping(self) -> bytes:
        return self._machine.ping()


class _Remembering:
    """A machine whose answer is remembered as soon as it is whole, before the client hears of it: it may go
    on at once."""

    def __init__(self, machine: Machine, recalled: Recalled) -> None:
        self._machine = machine
        self._recalled: Recalled | None = recalled

    @property
    def answer(self) -> thoughts.Reasoned | None:
        return self._machine.answer

    def feed(self, chunk: bytes) -> bytes:
        return self._kept(self._machine.feed(chunk))

    def end(self) -> bytes:
        return self._kept(self._machine.end())

    def failed(self, message: str) -> bytes:
        return self._kept(self._machine.failed(message))

    def ping(self) -> bytes:
        return self._machine.ping()

    def _kept(self, said: bytes) -> bytes:
        if self._recalled is not None and (answer := self._machine.answer) is not None:
            self._recalled.keep(answer)
            self._recalled = None
        return said


def _as_json(status: int, body: bytes) -> tuple[int, str, bytes]:
    return status, "application/json", body
