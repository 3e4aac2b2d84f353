"""HTTP/1.1 towards clients: one connection, one request at a time on it, answered in order.

A head is kept until it is whole, a body until it is read, and no more of either than is allowed: what comes
beyond that waits in the client. A client that leaves, or ends its side of the connection, ends its request.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol, cast

from metaclaw_tray.proxy.heads import UnreadableError, read_head
from metaclaw_tray.proxy.limits import HEAD_BYTES, LINGERING, PARTING
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.request import Request

log = logging.getLogger(__name__)

Handle = Callable[[Request], Awaitable[Reply | None]]
"""Answers a request: with a reply, or None where the answer has gone out."""

_END_OF_HEAD = b"\r\n\r\n"
_BEHIND_BYTES = 256 * 1024  # of further requests, that may wait while one is answered


class Book(Protocol):
    """Who keeps account of connections."""

    ending: bool  # no connection is to take another request

    def came(self, caller: Caller) -> None: ...

    def left(self, caller: Caller) -> None: ...


class Says(Protocol):
    """Our own words, for what never becomes a request, or meets a fault."""

    def unreadable(self) -> bytes: ...

    def head_too_large(self) -> bytes: ...

    def fault(self, request: Request) -> Reply: ...


class Caller(asyncio.Protocol):
    """One connection of a client."""

    __slots__ = (
        "_awaited",
        "_behind",
        "_book",
        "_handle",
        "_head",
        "_lingering",
        "_request",
        "_says",
        "_searched",
        "_task",
        "_writable",
        "closed",
        "since",
        "transport",
        "unsent",
        "unsent_since",
    )

    transport: asyncio.Transport

    def __init__(self, handle: Handle, book: Book, says: Says) -> None:
        self._handle = handle
        self._book = book
        self._says = says
        self._head = b""  # of a request, that has not come whole
        self._searched = 0  # bytes of it in which no end was found
        self._behind: list[bytes] = []  # what came behind the request that is being answered
        self._awaited = 0  # bytes in it
        self._request: Request | None = None
        self._task: asyncio.Task[None] | None = None
        self._writable: asyncio.Future[None] | None = None  # while the client takes nothing
        self._lingering: asyncio.TimerHandle | None = None  # what comes now is thrown away
        self.closed = False
        # For the book: when it came or was last seen at work, what waits for the client, and since when.
        self.since = self.unsent_since = 0.0
        self.unsent = 0

    @property
    def is_idle(self) -> bool:
        """Whether it waits for a request, or for the rest of a head, or for its end."""
        return self._request is None

    @property
    def stalled(self) -> bool:
        """Whether the client takes nothing more for now."""
        return self._writable is not None

    async def writable(self) -> None:
        """Wait until the client takes more. Raises ConnectionResetError where it has left."""
        if self._writable is not None:
            await self._writable
        if self.closed:
            raise ConnectionResetError("the client has left")

    def cancel(self) -> None:
        """End what is being answered."""
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """End the connection once what was said has gone out."""
        if not self.closed:
            self.transport.close()

    def pause_reading(self) -> None:
        if not self.closed:
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if not self.closed:
            self.transport.resume_reading()

    # What the transport says.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class
        self._book.came(self)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.closed = True
        self._head = b""
        self._behind.clear()
        if self._lingering is not None:
            self._lingering.cancel()
        self.resume_writing()
        self.cancel()
        self._request = self._task = None
        self._book.left(self)

    def pause_writing(self) -> None:
        self._writable = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        writable, self._writable = self._writable, None
        if writable is not None and not writable.done():
            writable.set_result(None)

    def eof_received(self) -> None:
        self.cancel()  # else it would go on until all that was said has been taken, which may be never

    def data_received(self, data: bytes) -> None:
        request = self._request
        if self._lingering is not None:
            return
        if request is None:
            self._head += data
            self._read()
        elif request.whole:
            self._wait_behind(request, data)
        elif behind := request.feed(data):
            self._wait_behind(request, behind)

    # One request after the other.

    def _read(self) -> None:
        """Look for a whole head in what has come."""
        if self._searched == 0 and self._head[:1] == b"\r":
            self._head = _without_blank_lines(self._head)
            if self._head == b"\r":
                return
        come = self._head
        end = come.find(_END_OF_HEAD, self._searched, HEAD_BYTES)
        if end >= 0:
            self._searched, self._head = 0, b""
            end += len(_END_OF_HEAD)
            self._begin(come[:end], come[end:])
        elif len(come) >= HEAD_BYTES:
            self._refuse(self._says.head_too_large())
        elif come and (not b"A" <= come[:1] <= b"Z" or self._ends_otherwise(come)):
            log.debug("a request could not be read reason=it is no HTTP/1")
            self._refuse(self._says.unreadable())
        else:
            self._searched = max(0, len(come) - len(_END_OF_HEAD) + 1)

    def _ends_otherwise(self, come: bytes) -> bool:
        """Whether there is an end in the eyes of those who take a bare line feed for the end of a line."""
        return come.find(b"\n\n", self._searched) >= 0 or come.find(b"\n\r\n", self._searched) >= 0

    def _begin(self, head: bytes, rest: bytes) -> None:
        try:
            request = Request(read_head(head), self, ending=self._book.ending)
        except UnreadableError as error:
            log.debug("a request could not be read reason=%s", error)
            self._refuse(self._says.unreadable())
            return
        self._request = request
        if rest and not request.whole:
            rest = request.feed(rest)
        if rest:
            self._wait_behind(request, rest)
        self._task = asyncio.get_running_loop().create_task(self._answer(request))

    async def _answer(self, request: Request) -> None:
        try:
            reply = await self._handle(request)
            if self._book.ending:
                request.keeps = False
            if reply is None and not request.answered:
                self._abort()  # it was given up before a word was said, and nothing will follow
            elif reply is not None and not self.closed and not self.transport.is_closing():
                reply.send(request)
        except ConnectionError:  # it has left
            self._abort()
            return
        except asyncio.CancelledError:
            self._abort()
            raise
        except Exception:
            log.exception("a request met a fault of ours")
            if self.transport.is_closing():
                return
            if request.answered:  # only the end of the connection tells
                self._abort()
                return
            self._says.fault(request).send(request)
        self._next(request)

    def _next(self, request: Request) -> None:
        """Take the next request, where one may follow."""
        self._request = self._task = None
        if self.closed or self.transport.is_closing():
            return
        if not request.keeps or not request.whole or self._book.ending:
            self._close(request)
            return
        if self._behind:
            self._head = b"".join(self._behind)
            self._behind.clear()
            self._awaited = 0
            self._read()

    def _wait_behind(self, request: Request, data: bytes) -> None:
        """Keep what follows a request that is being answered. If it is more than a few requests it is thrown
        away, and the connection ends: were it left in the client, nobody would see that client leave."""
        self._awaited += len(data)
        if self._awaited <= _BEHIND_BYTES:
            self._behind.append(data)
        else:
            self._behind.clear()
            request.keeps = False

    # The end. Closing over what a client is still sending would take from it what was said (RFC 9112, 9.6).

    def _refuse(self, said: bytes) -> None:
        """Say why this is no request, and read nothing more: nobody knows how much follows."""
        self.transport.write(said)
        self._part(PARTING)
        self.transport.pause_reading()

    def _close(self, request: Request) -> None:
        """End behind the last answer. What is left of its request is thrown away for a while."""
        if request.whole and not self._awaited:
            self.transport.close()
            return
        self._part(LINGERING)
        self.transport.resume_reading()

    def _part(self, seconds: float) -> None:
        """Say no more, and be gone in so many seconds."""
        self._head = b""
        self._behind.clear()
        self._awaited = 0
        self._lingering = asyncio.get_running_loop().call_later(seconds, self.transport.abort)
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _abort(self) -> None:
        # A task holds what it ended with, and by that all that it worked on: nothing here may hold it too, or
        # it would stay until cycles are looked for, which is seldom.
        self._request = self._task = None
        if not self.closed:
            self.transport.abort()


def _without_blank_lines(come: bytes) -> bytes:
    """What follows the empty lines that some clients send behind a body (RFC 9112, 2.2)."""
    start = 0
    while come.startswith(b"\r\n", start):
        start += 2
    return come[start:]
