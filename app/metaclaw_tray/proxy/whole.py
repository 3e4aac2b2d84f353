"""An answer that came at once, and goes to the client at once: head and body in one write."""

from __future__ import annotations

from aiohttp import HttpVersion10, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import SERVER_SOFTWARE
from multidict import CIMultiDict


class Whole(web.StreamResponse):
    """A response of which the head tells the length already. aiohttp's own way with a response looks at all
    that one might be; most are this."""

    def __init__(self, status: int, reason: str, headers: CIMultiDict[str], body: bytes) -> None:
        """`body` is not empty, and `status` is one that has a body."""
        super().__init__(status=status, reason=reason)
        self._whole = body
        self._own_headers = headers
        self._gone_out = False

    @property
    def prepared(self) -> bool:
        return self._gone_out

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        if self._gone_out:
            return None
        self._gone_out = True
        headers, version = self._own_headers, request.version
        if self._keep_alive is None:
            self._keep_alive = request.keep_alive
        headers["Content-Length"] = str(len(self._whole))  # the upstream may have named it as its hop's own
        if "Date" not in headers:
            headers["Date"] = rfc822_formatted_time()
        headers.setdefault("Server", SERVER_SOFTWARE)
        headers.setdefault("Content-Type", "application/octet-stream")
        if not self._keep_alive:
            headers["Connection"] = "close"
        elif version == HttpVersion10:
            headers["Connection"] = "keep-alive"
        writer = request.writer
        await writer.write_headers(f"HTTP/{version[0]}.{version[1]} {self.status} {self.reason}", headers)
        await writer.write_eof(self._whole)
        return writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing is left to be written."""
