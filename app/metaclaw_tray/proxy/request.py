"""A request as its handler sees it: the head, and the body as it comes."""

from __future__ import annotations

import asyncio
from typing import Protocol

from multidict import CIMultiDict

from metaclaw_tray.proxy.heads import Chunks, Head, UnreadableError

_BODILESS = ("GET", "HEAD")
_WAITING = 2**20  # bytes of a body that may wait for who reads it


class Line(Protocol):
    """The connection that a request came on."""

    @property
    def closed(self) -> bool: ...

    @property
    def stalled(self) -> bool: ...

    @property
    def transport(self) -> asyncio.Transport: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    async def writable(self) -> None: ...


class BrokenBodyError(Exception):
    """A body is framed wrongly."""


class Request:
    """One request. Made by the connection that it came on."""

    __slots__ = (
        "_chunks",
        "_error",
        "_left",
        "_pieces",
        "_waiter",
        "_waiting",
        "answered",
        "head",
        "headers",
        "keeps",
        "line",
        "method",
        "target",
        "whole",
    )

    def __init__(self, head: Head, line: Line, *, ending: bool = False) -> None:
        """`ending` says that no other one is to follow on its connection."""
        self.head = head
        self.line = line
        self.method = head.method
        self.target = head.target
        self.headers: CIMultiDict[str] = head.headers
        self.keeps = head.keeps and not ending
        self._left = head.length  # bytes of the body that are to come, where it says how many
        self._chunks = Chunks() if head.chunked else None
        self._pieces: list[bytes] = []
        self._waiting = 0  # bytes in them
        self._waiter: asyncio.Future[None] | None = None
        self._error: BrokenBodyError | None = None
        self.answered = False  # the head of an answer has gone out
        self.whole = not head.chunked and not head.length  # all of the body has come

    @property
    def announced(self) -> int:
        """Bytes of the body, as far as the head tells."""
        return self.head.length

    def proceed(self) -> None:
        """Tell the client, who waits for that, to send the body."""
        if not self.whole and not self.line.closed:
            self.line.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def taken(self) -> bytes:
        """What has come of the body since the last time. Raises BrokenBodyError."""
        pieces = self._pieces
        come = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        if self._waiting > _WAITING:
            self.line.resume_reading()
        self._waiting = 0
        if not come and self._error is not None:
            raise self._error
        return come

    async def more(self) -> bytes:
        """What has come of the body, as soon as something has; b"" at its end. Raises BrokenBodyError."""
        while not self._pieces and not self.whole and self._error is None:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self.taken()

    def feed(self, data: bytes) -> bytes:
        """More has come on the connection; what of it stands behind this request."""
        behind = b""
        if self._chunks is not None:
            try:
                data = self._chunks.feed(data)
            except UnreadableError as error:
                self._error = BrokenBodyError(str(error))
                data = b""
            self.whole = self._chunks.done
            if self._error is not None or self._chunks.trailed:  # what follows is lost, so nothing may
                self.keeps = False
        else:
            if len(data) > self._left:
                data, behind = data[: self._left], data[self._left :]
            self._left -= len(data)
            self.whole = not self._left
        if data:
            self._take(data)
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
        return behind

    def _take(self, data: bytes) -> None:
        if self.method in _BODILESS:  # it means nothing (RFC 9110, 9.3.1), and nobody reads it
            return
        self._pieces.append(data)
        before = self._waiting
        self._waiting += len(data)
        if before <= _WAITING < self._waiting and not self.whole:
            self.line.pause_reading()
