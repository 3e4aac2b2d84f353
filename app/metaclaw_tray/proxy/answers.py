"""An answer of an upstream, as it comes: byte for byte, and no more of it than somebody reads."""

from __future__ import annotations

import asyncio
from typing import Protocol

from multidict import CIMultiDict

_WAITING = 256 * 1024  # bytes of an answer that may wait for who reads it


class Line(Protocol):
    """The connection that an answer comes on."""

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def let_go(self, answer: Answer) -> None: ...

    def abort(self) -> None: ...


class Answer:
    """An answer of which the head has come. Made by `Connection.ask` only."""

    __slots__ = (
        "_chunks",
        "_error",
        "_line",
        "_waiter",
        "_waiting",
        "done",
        "headers",
        "reason",
        "status",
    )

    def __init__(self, line: Line) -> None:
        self._line = line
        self._chunks: list[bytes] = []
        self._waiting = 0  # bytes in them
        self._waiter: asyncio.Future[None] | None = None
        self._error: Exception | None = None
        self.status = 0
        self.reason = ""
        self.headers: CIMultiDict[str] = CIMultiDict()
        self.done = False  # all of the body has come

    @property
    def content_length(self) -> int | None:
        """Bytes of the body, where the head tells."""
        told = self.headers.get("Content-Length", "")
        return int(told) if told.isdecimal() and told.isascii() else None

    @property
    def waiting(self) -> bool:
        """Whether something of the body has come that nobody has read."""
        return bool(self._chunks)

    async def read(self) -> bytes:
        """What has come of the body, as soon as something has; b"" at its end. One reader at a time.

        Raises CutError, OSError where the connection ended before the body did.
        """
        while not self._chunks:
            if self._error is not None:
                raise self._error
            if self.done:
                return b""
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        chunks = self._chunks
        come = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        chunks.clear()
        if self._waiting > _WAITING:
            self._line.resume_reading()
        self._waiting = 0
        return come

    def release(self) -> None:
        """Nobody reads on. The connection is kept where the whole answer has come."""
        self._line.let_go(self)

    def close(self) -> None:
        """Nobody wants this answer any more: its connection ends at once."""
        self._line.abort()

    def take(self, chunk: bytes) -> None:
        """More of the body has come."""
        self._chunks.append(chunk)
        before = self._waiting
        self._waiting += len(chunk)
        if before <= _WAITING < self._waiting:
            self._line.pause_reading()
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Nothing more comes: by an error, or because this was all."""
        self._error, self.done = error, error is None
        self._wake()

    def _wake(self) -> None:
        waiter = self._waiter
        if waiter is not None:
            self._waiter = None
            if not waiter.done():
                waiter.set_result(None)
