"""The body of a request: whole, in time, and no larger than it may be."""

from __future__ import annotations

import asyncio

from aiohttp import HttpVersion11, web
from aiohttp.http_exceptions import HttpProcessingError

from metaclaw_tray.proxy.limits import BODY_BYTES
from metaclaw_tray.proxy.problems import problem

_PIECE_BYTES = 2**20  # what may wait to be read
_TOO_LARGE = f"The request is larger than {BODY_BYTES // 2**20} MB."


async def read_body(request: web.BaseRequest, dialect: str, patience: float) -> bytes | web.Response:
    """The whole body, or the answer that says why it was not taken. `patience` is how many seconds may pass
    between two pieces of it."""

    def refused(status: int, code: str, message: str) -> web.Response:
        return problem(status, code, message, dialect=dialect, close=True)

    if expected := request.headers.get("Expect"):
        if expected.lower() != "100-continue":
            return refused(417, "expectation_failed", f"Expect: {expected} is not known here.")
        if (request.content_length or 0) <= BODY_BYTES and request.version >= HttpVersion11:
            await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.writer.output_size = 0  # the answer itself has not begun
    if (request.content_length or 0) > BODY_BYTES:
        return refused(413, "request_too_large", _TOO_LARGE)
    try:
        body = await _pieces(request, patience)
    except TimeoutError:
        return refused(408, "request_timeout", f"No more of the request came within {patience:.0f} seconds.")
    except (HttpProcessingError, web.RequestPayloadError):
        return refused(400, "broken_body", "The request's body cannot be read: it is cut or framed wrongly.")
    return refused(413, "request_too_large", _TOO_LARGE) if body is None else body


async def _pieces(request: web.BaseRequest, patience: float) -> bytes | None:
    """All pieces in one; None as soon as they are too many. Raises TimeoutError."""
    content, loop = request.content, asyncio.get_running_loop()
    if content.is_eof():  # all of it came with the head
        return content.read_nowait()
    content.set_read_chunk_size(_PIECE_BYTES)
    whole = bytearray()
    async with asyncio.timeout(patience) as limit:
        while piece := await content.readany():
            whole += piece
            if len(whole) > BODY_BYTES:
                return None
            limit.reschedule(loop.time() + patience)
    return bytes(whole)
