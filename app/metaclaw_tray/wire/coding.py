"""Content encodings of bodies that we read for ourselves. What passes through is never recoded."""

from __future__ import annotations

import io
import zlib

import brotli
import zstandard

from metaclaw_tray.wire import WireError

READABLE = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd", "identity"})
"""Encodings that this program can read."""

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


def decoded(body: bytes, encoding: str, limit: int) -> bytes:
    """`body` without its Content-Encoding (RFC 9110, 8.4): several, parted by commas, were applied in order.

    Raises WireError for an unknown encoding, for broken data, and for more than `limit` bytes.
    """
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        if name in ("", "identity"):
            continue
        if name not in READABLE:
            raise WireError(f"the encoding {name} cannot be read")
        match name:
            case "br":
                body = _unbrotlied(body, limit)
            case "zstd":
                body = _unzstd(body, limit)
            case _:
                body = _inflated(body, limit, _GZIP_OR_ZLIB)
    return body


def _inflated(body: bytes, limit: int, window: int) -> bytes:
    inflater = zlib.decompressobj(window)
    try:
        plain = inflater.decompress(body, limit + 1)
    except zlib.error as error:
        if window == _GZIP_OR_ZLIB:
            return _inflated(body, limit, -zlib.MAX_WBITS)  # "deflate" without the zlib header is common
        raise _broken(error) from error
    if len(plain) > limit:
        raise _too_large(limit)
    if not inflater.eof:
        raise _cut()
    return plain


def _unzstd(body: bytes, limit: int) -> bytes:
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(body), read_across_frames=True) as reader:
            plain = reader.read(limit + 1)
    except zstandard.ZstdError as error:
        raise _broken(error) from error
    if len(plain) > limit:
        raise _too_large(limit)
    return plain


def _unbrotlied(body: bytes, limit: int) -> bytes:
    inflater = brotli.Decompressor()
    pieces: list[bytes] = []
    room = limit + 1
    try:
        piece = inflater.process(body, output_buffer_limit=room)
        while piece or not inflater.can_accept_more_data():
            pieces.append(piece)
            room -= len(piece)
            if room <= 0:
                raise _too_large(limit)
            piece = inflater.process(b"", output_buffer_limit=room)
    except brotli.error as error:
        raise _broken(error) from error
    if not inflater.is_finished():
        raise _cut()
    return b"".join(pieces)


def _broken(error: Exception) -> WireError:
    return WireError(f"the body is not what its encoding says: {error}")


def _too_large(limit: int) -> WireError:
    return WireError(f"the body is larger than {limit} bytes")


def _cut() -> WireError:
    return WireError("the body ends in the middle of its encoding")
