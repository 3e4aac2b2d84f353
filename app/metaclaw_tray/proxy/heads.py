"""The head of a request, read in one way only or not at all.

The parser is llhttp (by way of httptools), without any of its leniencies: no folded or nameless header, no
bare line feed, no length that is said twice or beside a transfer coding. It gets each head whole, so that it
cannot matter how one was cut on its way, and each by a parser of its own, so that nothing is left of the one
before. What it overlooks all the same is looked at here: more than one space in the request line, a target
with a fragment, a length with more digits than one can have.
"""

from __future__ import annotations

from functools import lru_cache

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from msgspec import Struct
from multidict import CIMultiDict

from metaclaw_tray.proxy.limits import FIELD_BYTES, HEADERS, LINE_BYTES

_VERSIONS = ("1.1", "1.0")
_PRIMER = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
_BESIDE_BYTES = 64 * 1024  # of the extensions of chunks, and of trailers, between two pieces of a body
_LONG_NAME = 100  # bytes from which on a header's name is not remembered
_LENGTH_DIGITS = 19  # of a length, which so fits into 64 bits


class UnreadableError(Exception):
    """These bytes are no request, or none that can be read in one way only. Its words quote none of them."""


class Head(Struct, gc=False):
    """What the head of a request says."""

    method: str
    target: str
    headers: CIMultiDict[str]
    old: bool  # HTTP/1.0
    keeps: bool  # another request may follow on the connection
    length: int  # bytes of the body; 0 where it has none
    chunked: bool  # the body says itself where it ends


def read_head(head: bytes) -> Head:
    """Read a head, with the blank line that ends it. Raises UnreadableError."""
    said = _Said()
    parser = HttpRequestParser(said)
    try:
        parser.feed_data(head)
    except HttpParserUpgrade:  # which a server may overlook (RFC 9110, 7.8)
        pass
    except HttpParserError as error:
        raise UnreadableError(type(error).__name__) from None
    version, method = parser.get_http_version(), parser.get_method()
    if not said.whole or version not in _VERSIONS:
        raise UnreadableError("it is no HTTP/1")
    line = b"%b %b HTTP/%b" % (method, said.url, version.encode("ascii"))
    if head[: head.find(b"\r\n")] != line or b"#" in line:  # the parser takes RTSP, and many spaces for one
        raise UnreadableError("its first line is none of HTTP/1")
    headers = said.headers
    if len(said.url) > LINE_BYTES:
        raise UnreadableError("it is too long")
    old = version == "1.0"
    length = headers.get("Content-Length", "0")
    if len(length) > _LENGTH_DIGITS:
        raise UnreadableError("its length is none")
    chunked = "Transfer-Encoding" in headers
    if chunked and (old or [each.lower() for each in headers.getall("Transfer-Encoding")] != ["chunked"]):
        raise UnreadableError("its transfer coding is none of ours")
    return Head(
        method=method.decode("ascii"),
        target=said.url.decode("ascii", "surrogateescape"),
        headers=headers,
        old=old,
        keeps=not old if "Connection" not in headers else _keeps(headers, old),
        length=0 if chunked else int(length),
        chunked=chunked,
    )


def _keeps(headers: CIMultiDict[str], old: bool) -> bool:
    """Whether another request may follow (RFC 9112, 9.3); the parser forgets it where there is no body."""
    options = {each.strip().lower() for line in headers.getall("Connection") for each in line.split(",")}
    return "close" not in options and (not old or "keep-alive" in options)


class _Said:
    """What the parser says of one head."""

    __slots__ = ("headers", "url", "whole")

    def __init__(self) -> None:
        self.url = b""
        self.headers: CIMultiDict[str] = CIMultiDict()
        self.whole = False

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(name) + len(value) > FIELD_BYTES or len(self.headers) >= HEADERS:
            raise UnreadableError("a header is too long, or one too many")
        key = _name(name) if len(name) < _LONG_NAME else name.decode("ascii")
        self.headers.add(key, value.decode("utf-8", "surrogateescape").strip(" \t"))

    def on_headers_complete(self) -> None:
        self.whole = True


@lru_cache(1024)
def _name(name: bytes) -> str:
    return name.decode("ascii")


class Chunks:
    """A body in chunks, as it comes."""

    def __init__(self) -> None:
        self._come = _Come()
        self._beside = 0  # bytes that came since the last ones of the body
        self._parser = HttpRequestParser(self._come)
        self._parser.feed_data(_PRIMER)

    @property
    def done(self) -> bool:
        """Whether all of it has come."""
        return self._come.done

    @property
    def trailed(self) -> bool:
        """Whether more has come than the body."""
        return self._come.trailed

    def feed(self, data: bytes) -> bytes:
        """What these bytes hold of the body. Raises UnreadableError."""
        come = self._come
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade) as error:
            if not come.done:
                raise UnreadableError(type(error).__name__) from None
            come.trailed = True
        body = b"".join(come.pieces)
        come.pieces.clear()
        self._beside = 0 if body else self._beside + len(data)
        if self._beside > _BESIDE_BYTES and not come.done:
            raise UnreadableError("there is too much beside the body")
        return body


class _Come:
    """What the parser says of a body in chunks."""

    __slots__ = ("done", "pieces", "trailed")

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.done = False
        self.trailed = False

    def on_body(self, piece: bytes) -> None:
        if not self.done:  # the parser reads on into what follows, and this would be another request's body
            self.pieces.append(piece)

    def on_message_begin(self) -> None:
        self.trailed = self.done

    def on_message_complete(self) -> None:
        self.done = True
