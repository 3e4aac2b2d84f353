"""Answers to clients: one that is there as a whole, and one that goes out as it comes.

Each is framed once, by us: the length that the upstream named and kept to, chunks, or the end of the
connection. Where a status or a method has no body (RFC 9110, 6.4.1) none goes out.
"""

from __future__ import annotations

import socket
import struct
import sys
import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

from multidict import CIMultiDict

from metaclaw_tray.proxy.request import Request

_RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger: on, for no time
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_NOTHING = 204  # it has no length either (RFC 9110, 8.6)
_BODILESS = (_NOTHING, 304)
_JOINED = 256 * 1024  # bytes of a body that are copied behind its head rather than sent on their own


class Reply:
    """An answer that is there as a whole. `ends` ends the connection behind it."""

    __slots__ = ("body", "ends", "headers", "reason", "status")

    def __init__(
        self,
        status: int,
        headers: CIMultiDict[str],
        body: bytes,
        *,
        reason: str | None = None,
        ends: bool = False,
    ) -> None:
        self.status = status
        self.reason = _REASONS.get(status, "") if reason is None else reason
        self.headers = headers
        self.body = body
        self.ends = ends

    def send(self, request: Request) -> None:
        """Put it on the request's connection. Raises ValueError where a header would become two."""
        headers, body, transport = self.headers, self.body, request.line.transport
        if self.status == _NOTHING:
            headers.popall("Content-Length", None)
        elif self.status not in _BODILESS:
            headers["Content-Length"] = str(len(body))  # the upstream may have named it as its hop's own
        if request.method == "HEAD" or self.status in _BODILESS:
            body = b""
        request.keeps = request.keeps and not self.ends
        head = head_of(self.status, self.reason, headers, old=request.head.old, keeps=request.keeps)
        if len(body) <= _JOINED:
            transport.write(head + body)
        else:
            transport.writelines([head, body])


class Response:
    """An answer that goes out as it comes. Writing raises ConnectionError where the client has left."""

    __slots__ = ("_bare", "_chunked", "_ended", "_head", "_request", "headers")

    def __init__(self, request: Request, status: int, reason: str, headers: CIMultiDict[str]) -> None:
        """The head goes out with the first of the body, unless it is sent before. Raises ValueError where a
        header would become two."""
        self._request = request
        self.headers = headers
        self._bare = request.method == "HEAD" or status in _BODILESS
        if status == _NOTHING:
            headers.popall("Content-Length", None)
        self._chunked = False
        self._ended = False
        if not self._bare and "Content-Length" not in headers:
            if request.head.old:
                request.keeps = False  # only the end of the connection tells
            else:
                self._chunked = True
                headers["Transfer-Encoding"] = "chunked"
        self._head = head_of(status, reason, headers, old=request.head.old, keeps=request.keeps)

    def send_head(self) -> None:
        """Send the head now."""
        self._put(b"")

    async def write(self, data: bytes) -> None:
        """Send more of the body, and wait while the client takes nothing."""
        self.put(data)
        line = self._request.line
        if line.stalled:
            await line.writable()

    def put(self, data: bytes) -> None:
        """Send more of the body, however much waits for the client already."""
        if not data or self._bare:
            return
        if self._chunked:
            data = b"%x\r\n%b\r\n" % (len(data), data)
        self._put(data)

    def end(self, data: bytes = b"") -> None:
        """Send the last of the body, and its end."""
        self._ended = True
        if self._bare:
            data = b""
        elif self._chunked:
            data = b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data) if data else b"0\r\n\r\n"
        self._put(data)

    def break_off(self, *, said: bool) -> None:
        """Close the client's connection in the middle. `said` says that the client was told in words that
        this is no end."""
        self._request.keeps = False
        if self._ended or self._request.line.closed:
            return
        transport = self._request.line.transport
        if self._chunked or said or "Content-Length" in self.headers:
            transport.close()
            return
        raw = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)  # only a reset tells
        transport.abort()

    def _put(self, data: bytes) -> None:
        line = self._request.line
        if line.closed or line.transport.is_closing():
            raise ConnectionResetError("the client has left")
        if self._head:
            data, self._head = self._head + data, b""
            self._request.answered = True
        if data:
            line.transport.write(data)


def alone(reply: Reply) -> bytes:
    """A reply to what never became a request. It ends its connection."""
    reply.headers["Content-Length"] = str(len(reply.body))
    return head_of(reply.status, reply.reason, reply.headers, old=False, keeps=False) + reply.body


def head_of(status: int, reason: str, headers: CIMultiDict[str], *, old: bool, keeps: bool) -> bytes:
    """The head of an answer; `old` is for a client of HTTP/1.0. Raises ValueError where a header would
    become two."""
    version = "1.0" if old else "1.1"
    lines = [f"HTTP/{version} {status} {reason}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if "Date" not in headers:
        lines.append(_date(int(time.time())))
    if not keeps:
        lines.append("Connection: close")
    elif old:
        lines.append("Connection: keep-alive")
    head = "\r\n".join([*lines, "", ""])
    ends = len(lines) + 1
    if head.count("\n") != ends or head.count("\r") != ends or "\0" in head:
        raise ValueError("a header holds the end of a line")
    return head.encode("utf-8", "surrogateescape")


@lru_cache(2)
def _date(now: int) -> str:
    return f"Date: {formatdate(now, usegmt=True)}"
