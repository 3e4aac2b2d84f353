"""The body of a request: whole, in time, and no larger than it may be."""

from __future__ import annotations

import asyncio

from aiohttp import HttpVersion11, web
from aiohttp.http_exceptions import HttpProcessingError

from metaclaw_tray.proxy.limits import ALL_BODIES_BYTES, BODY_BYTES
from metaclaw_tray.proxy.problems import problem

_PIECE_BYTES = 2**20  # what may wait to be read


class Bodies:
    """Reads the bodies of requests, and knows how much those that are open hold together."""

    def __init__(self, patience: float, most: int = ALL_BODIES_BYTES) -> None:
        """`patience` is how many seconds may pass between two pieces of a body."""
        self.held = 0  # bytes
        self._patience = patience
        self._most = most

    async def read(self, request: web.BaseRequest, dialect: str) -> bytes | web.Response:
        """The whole body, or the answer that says why it was not taken. The body counts as held until
        `let_go` is told of its length."""

        def refused(status: int, code: str, message: str) -> web.Response:
            return problem(status, code, message, dialect=dialect, close=True)

        announced = request.content_length or 0
        if expected := request.headers.get("Expect"):
            if expected.lower() != "100-continue":
                return refused(417, "expectation_failed", f"Expect: {expected} is not known here.")
            if announced <= BODY_BYTES and request.version >= HttpVersion11:
                await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                request.writer.output_size = 0  # the answer itself has not begun
        try:
            if announced > BODY_BYTES:
                raise _TooLargeError
            return await self._pieces(request)
        except _TooLargeError:
            return refused(413, "request_too_large", f"It is larger than {BODY_BYTES // 2**20} MB.")
        except _FullError:
            return refused(
                429, "too_many_requests", "The open requests are too large together. Try again soon."
            )
        except TimeoutError:
            return refused(
                408, "request_timeout", f"Nothing more of it came in {self._patience:.0f} seconds."
            )
        except (HttpProcessingError, web.RequestPayloadError):
            return refused(400, "broken_body", "The request's body is cut, or framed wrongly.")

    def let_go(self, size: int) -> None:
        """So many bytes that were read are needed no more."""
        self.held -= size

    async def _pieces(self, request: web.BaseRequest) -> bytes:
        """All pieces in one. Raises _TooLargeError, _FullError, TimeoutError."""
        content, loop = request.content, asyncio.get_running_loop()
        if content.is_eof():  # all of it came with the head
            body = content.read_nowait()
            self.held += len(body)
            return body
        content.set_read_chunk_size(_PIECE_BYTES)
        whole = bytearray()
        try:
            async with asyncio.timeout(self._patience) as limit:
                while piece := await content.readany():
                    whole += piece
                    self.held += len(piece)
                    if len(whole) > BODY_BYTES:
                        raise _TooLargeError
                    if self.held > self._most:
                        raise _FullError
                    limit.reschedule(loop.time() + self._patience)
            return bytes(whole)
        except BaseException:
            self.held -= len(whole)
            raise


class _TooLargeError(Exception):
    """The body is larger than one may be."""


class _FullError(Exception):
    """The body is one too many."""
