"""As much of HTTP/1.1 (RFC 9112) as a test's own server and load client need: bytes in, messages out.

Both readers are incremental and do no I/O. They are written for speed and for peers that behave: bodies are
framed by `content-length`, answers also by `transfer-encoding: chunked`.
"""

from __future__ import annotations

from typing import NamedTuple

_END_OF_HEAD = b"\r\n\r\n"


class BadMessageError(ValueError):
    """The peer sent something that this reader does not understand."""


class Request(NamedTuple):
    method: bytes
    target: bytes
    headers: dict[bytes, bytes]  # names in lower case
    body: bytes


def _head(raw: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    first, _, rest = raw.partition(b"\r\n")
    headers = {}
    for line in rest.split(b"\r\n"):
        name, _, value = line.partition(b":")
        headers[name.lower()] = value.strip()
    return first, headers


class RequestReader:
    """Cuts what a client sends into whole requests."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._head: tuple[bytes, dict[bytes, bytes]] | None = None
        self._length = 0

    def feed(self, data: bytes) -> list[Request]:
        """The requests that became whole with these bytes."""
        self._buffer += data
        whole: list[Request] = []
        while True:
            if self._head is None:
                end = self._buffer.find(_END_OF_HEAD)
                if end < 0:
                    return whole
                self._head = _head(bytes(self._buffer[:end]))
                del self._buffer[: end + 4]
                if b"transfer-encoding" in self._head[1]:
                    raise BadMessageError("a request body must have a content-length")
                self._length = int(self._head[1].get(b"content-length", b"0"))
            if len(self._buffer) < self._length:
                return whole
            first, headers = self._head
            method, _, target = first.partition(b" ")
            whole.append(
                Request(method, target.partition(b" ")[0], headers, bytes(self._buffer[: self._length]))
            )
            del self._buffer[: self._length]
            self._head = None


class ResponseReader:
    """Reads one answer. `feed` gives the body's bytes as they come, without their framing."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.done = False
        self._buffer = bytearray()
        self._left = -1  # bytes of the body, or of the chunk, still to come; -1 before its size is known
        self._chunked = False

    def feed(self, data: bytes) -> bytes:
        self._buffer += data
        if not self.status and not self._take_head():
            return b""
        return self._take_chunks() if self._chunked else self._take_body()

    def _take_head(self) -> bool:
        end = self._buffer.find(_END_OF_HEAD)
        if end < 0:
            return False
        first, self.headers = _head(bytes(self._buffer[:end]))
        del self._buffer[: end + 4]
        if not first.startswith(b"HTTP/1.1 "):
            raise BadMessageError(f"not an answer: {first[:60]!r}")
        self.status = int(first[9:12])
        self._chunked = self.headers.get(b"transfer-encoding", b"").lower() == b"chunked"
        if not self._chunked:
            if b"content-length" not in self.headers:
                raise BadMessageError("the answer has neither a length nor chunks")
            self._left = int(self.headers[b"content-length"])
        return True

    def _take_body(self) -> bytes:
        piece = bytes(self._buffer)
        self._buffer.clear()
        self._left -= len(piece)
        if self._left < 0:
            raise BadMessageError("bytes after the end of the answer")
        self.done = self._left == 0
        return piece

    def _take_chunks(self) -> bytes:
        pieces = []
        buffer, at = self._buffer, 0
        while not self.done:
            if self._left < 0:
                end = buffer.find(b"\r\n", at)
                if end < 0:
                    break
                self._left = int(bytes(buffer[at:end]).partition(b";")[0], 16)
                at = end + 2
            if self._left == 0:  # the last chunk; peers here send no trailers
                if len(buffer) - at < 2:
                    break
                at, self.done = at + 2, True
            elif len(buffer) - at < self._left + 2:
                ready = min(self._left, len(buffer) - at)
                if ready < self._left:  # hand on what is there; the rest of this chunk comes later
                    pieces.append(bytes(buffer[at : at + ready]))
                    at, self._left = at + ready, self._left - ready
                break
            else:
                pieces.append(bytes(buffer[at : at + self._left]))
                at, self._left = at + self._left + 2, -1
        del buffer[:at]
        return b"".join(pieces)
