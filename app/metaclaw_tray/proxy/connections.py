"""HTTP/1.1 towards upstreams: one connection, one request at a time on it.

The parser is llhttp (by way of httptools). No part of a body is decoded.
"""

from __future__ import annotations

import asyncio
import re
import select
from collections.abc import Callable, Mapping
from functools import lru_cache

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from multidict import CIMultiDict

from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.failures import CutError, DisconnectedError, ExchangeError, NotHttpError

_PIECE = 256 * 1024  # bytes of a body sent at a time; a larger body lets other turns go on in between
_BESIDE_BYTES = 256 * 1024  # of heads, hints, chunk extensions and trailers between two pieces of a body
_LENGTH_DIGITS = 19  # of a length, which so fits into 64 bits
_SWITCHES = "it switches to another protocol"
# No header may hold them; a space stands in their place (RFC 9110, 5.5).
_ZONE = re.compile(r"%[^]]*")
_CONTROLS = bytes(b if (b >= 0x20 and b != 0x7F) or b == 0x09 else 0x20 for b in range(256))


class Connection(asyncio.Protocol):
    """One connection to an upstream: one request at a time, and its answer."""

    def __init__(self, transport: asyncio.Transport, free: Callable[[Connection], None]) -> None:
        """`free` is called when the connection can take another request, and when it has ended."""
        self._transport = transport
        self._free = free
        self._loop = asyncio.get_running_loop()
        self._pieces: list[bytes] = []  # of the body, that came with what is being read
        self.on_body = self._pieces.append  # the parser calls it for each chunk, of which there may be many
        self._parser = HttpResponseParser(self)
        # What some servers send, and what is read in one way only all the same.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._answer: Answer | None = None
        self._begun: asyncio.Future[Answer] | None = None  # until the head of the answer has come
        self._writable: asyncio.Future[None] | None = None  # while the transport takes no more
        self._sending: asyncio.Task[None] | None = None
        self._beside = 0  # bytes that came since the last ones of a body
        self._reason = b""
        self._headers: CIMultiDict[str] = CIMultiDict()
        self._fault = ""
        self._keeps = True  # another request may follow
        self.closed = False
        self.heard = False  # a byte of the answer has come
        self.written_at: float | None = None  # the loop's seconds; None until the whole request is on its way

    async def ask(self, head: bytes, body: bytes) -> Answer:
        """Send a request, and wait for the head of its answer. To be aborted where this raises.

        Raises ExchangeError, OSError where the connection ends before, or what comes is no HTTP.
        """
        if self.closed:
            raise DisconnectedError
        self._answer = Answer(self)
        self._begun = self._loop.create_future()
        self._beside, self.heard, self.written_at = 0, False, None
        if len(body) > _PIECE:
            self._transport.write(head)
            self._sending = self._loop.create_task(self._send(body))
        else:
            self._transport.write(head + body)
            self.written_at = self._loop.time()
        return await self._begun

    async def _send(self, body: bytes) -> None:
        view = memoryview(body)
        for start in range(0, len(view), _PIECE):
            if self._writable is not None:
                await self._writable
            if self.closed or self._transport.is_closing():
                return
            self._transport.write(view[start : start + _PIECE])
            await asyncio.sleep(0)
        self.written_at = self._loop.time()

    def let_go(self, answer: Answer) -> None:
        """Take another request, if that can be; end if not."""
        if self._answer is not answer or self.closed:
            return
        read = answer.done and not answer.waiting  # else reading may be paused, and what is left in the way
        if read and self._keeps and self.written_at is not None and not self._transport.is_closing():
            self._answer = self._sending = None
            self._free(self)
        else:
            self.abort()

    def abort(self) -> None:
        """End at once, whatever is still to be sent. No body is whole because of this."""
        self._fault = self._fault or "it was given up"
        if self._sending is not None:
            self._sending.cancel()
        self._transport.abort()

    def is_silent(self) -> bool:
        """Whether it still stands, and nothing has come unasked, nor waits to be read: it would be taken for
        the answer to the next request."""
        if self.closed or self._transport.is_closing():
            return False
        return not _can_be_read(self._transport.get_extra_info("socket").fileno())

    def pause_reading(self) -> None:
        if not self.closed:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self.closed:
            self._transport.resume_reading()

    # What the transport says.

    def pause_writing(self) -> None:
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        writable, self._writable = self._writable, None
        if writable is not None and not writable.done():
            writable.set_result(None)

    def data_received(self, data: bytes) -> None:
        answer = self._answer
        if answer is None or answer.done:  # nobody asked for this
            self._keeps = False
            if answer is None:
                self.abort()
            return
        self.heard = True
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._fault = _SWITCHES
        except HttpParserError as error:
            self._fault = str(error)
        self._beside = 0 if self._hand_over(answer) else self._beside + len(data)
        if self._beside > _BESIDE_BYTES:
            self._fault = self._fault or "there is too much beside the body of its answer"
        if self._fault:
            self._keeps = False
        if self._fault and not answer.done:
            self._fail(NotHttpError(self._fault))
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self.resume_writing()
        answer = self._answer
        if answer is not None and not answer.done:
            if self._begun is None and exc is None and not _is_framed(answer.headers) and not self._fault:
                answer.end()
            else:
                self._fail(exc if isinstance(exc, OSError) else DisconnectedError())
        self._answer = None  # which holds this; two that hold each other stay until cycles are looked for
        self._free(self)

    def _fail(self, error: ExchangeError | OSError) -> None:
        begun, self._begun = self._begun, None
        if begun is None:
            if self._answer is not None:
                self._answer.end(CutError(str(error)))
        elif not begun.done():
            begun.set_exception(error)

    # What the parser says.

    def on_message_begin(self) -> None:
        if self._begun is None:  # behind the answer
            self._keeps = False
        self._headers = CIMultiDict()
        self._reason = b""

    def on_status(self, reason: bytes) -> None:
        self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._begun is not None:  # else it is a trailer, which nobody asked for
            self._headers.add(_name(name), _text(value).strip(" \t"))

    def on_headers_complete(self) -> None:
        answer, begun = self._answer, self._begun
        status = self._parser.get_status_code()
        if answer is None or begun is None or self._fault:
            return
        if status < 200:  # it only says that another one follows
            if status == 101:
                self._fault = _SWITCHES
            elif status < 100:
                self._fault = f"its status is {status}"
            return
        codings = self._headers.getall("Transfer-Encoding", ())
        if codings and [coding.lower() for coding in codings] != ["chunked"]:
            self._fault = "its answer has a transfer coding that nobody asked for"
            return
        if len(self._headers.get("Content-Length", "")) > _LENGTH_DIGITS:
            self._fault = "its answer has a length that is none"
            return
        self._begun = None
        answer.status, answer.headers, answer.reason = status, self._headers, _text(self._reason)
        if not begun.done():
            begun.set_result(answer)

    def on_message_complete(self) -> None:
        answer = self._answer
        if self._begun is not None or answer is None or answer.done:
            return
        self._keeps = self._keeps and self._parser.should_keep_alive()
        self._hand_over(answer)
        answer.end()

    def _hand_over(self, answer: Answer) -> bool:
        """Give what came of the body to its answer, if anything did; what came behind that goes nowhere."""
        pieces = self._pieces
        taken = bool(pieces) and self._begun is None and not answer.done
        if taken:
            answer.take(pieces[0] if len(pieces) == 1 else b"".join(pieces))
        pieces.clear()
        return taken


@lru_cache(1024)
def _name(name: bytes) -> str:
    """A header's name. The parser takes some with a space behind, which hides them from whoever looks."""
    return _text(name).rstrip(" ")


def _text(said: bytes) -> str:
    return said.translate(_CONTROLS).decode("utf-8", "surrogateescape")


if hasattr(select, "poll"):

    def _can_be_read(descriptor: int) -> bool:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        return bool(waiting.poll(0))

else:  # Windows

    def _can_be_read(descriptor: int) -> bool:
        return bool(select.select([descriptor], [], [], 0)[0])


def _is_framed(headers: Mapping[str, str]) -> bool:
    """Whether a body says itself where it ends, so that the end of its connection is none."""
    return "Content-Length" in headers or "Transfer-Encoding" in headers


def head_of(method: str, target: str, host: str, headers: Mapping[str, str], length: int | None) -> bytes:
    """The head of a request; `length` is that of its body, None where it says nothing of one.

    Raises ValueError where a header would become two.
    """
    if "%" in host:  # a zone means something on this machine only (RFC 6874, 4)
        host = _ZONE.sub("", host)
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    head = "\r\n".join([*lines, "", ""])
    ends = len(lines) + 1
    if head.count("\n") != ends or head.count("\r") != ends or "\0" in head:
        raise ValueError("a header holds the end of a line")
    return head.encode("utf-8", "surrogateescape")
