"""Content encodings of bodies that we read for ourselves. What passes through is never recoded."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Protocol

import brotli
import zstandard

from metaclaw_tray.wire import WireError

READABLE = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd", "identity"})
"""Encodings that this program can read."""

_LAYERS = 4  # encodings of one body; nobody sends more than two, but a header of 8 KB holds thousands
_FRAMES = 10_000  # of one body; more of them only take time
_DEFLATE_PIECE = 4096  # bytes fed at a time: none becomes more than 1,032, so 4 MiB come out at most
_ZSTD_WINDOW = 8 * 2**20  # bytes; what a frame may ask for as a content encoding (RFC 9659)
_ZSTD_PIECE = 256  # bytes fed at a time: four are a block and a block holds 128 KiB, so 8 MiB come out


class _Frame(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class TooLargeError(WireError):
    """What is encoded is larger than it may be."""


def decoded(body: bytes, encoding: str, limit: int, *, whole: bool = True) -> bytes:
    """`body` without its Content-Encoding (RFC 9110, 8.4): several, parted by commas, were applied in order.

    Raises WireError for an unknown encoding and for broken or cut data, TooLargeError for more than `limit`
    bytes at any layer. It never holds much more than `limit` bytes of them. With `whole=False` a body that
    was cut gives what came of it.
    """
    names = [name for part in encoding.split(",") if (name := part.strip().lower()) not in ("", "identity")]
    if len(names) > _LAYERS:
        raise WireError(f"the body is encoded {len(names)} times")
    for name in names:
        if name not in READABLE:
            raise WireError(f"the encoding {name} cannot be read")
    for name in reversed(names):
        match name:
            case "br":
                body = _unbrotlied(body, limit, whole)
            case "zstd":
                body = _unzstd(body, limit, whole)
            case "deflate":
                body = _inflated(body, limit, whole, _deflate_window(body))
            case _:
                body = _inflated(body, limit, whole, 16 + zlib.MAX_WBITS)
    return body


def _deflate_window(body: bytes) -> int:
    """By the RFC "deflate" has a zlib header (RFC 1950, 2.2); it is often sent without."""
    has_header = len(body) >= 2 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _inflated(body: bytes, limit: int, whole: bool, window: int) -> bytes:
    return _unframed(body, limit, whole, lambda: zlib.decompressobj(window), _DEFLATE_PIECE)


def _unzstd(body: bytes, limit: int, whole: bool) -> bytes:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    return _unframed(body, limit, whole, decompressor.decompressobj, _ZSTD_PIECE)


def _unframed(body: bytes, limit: int, whole: bool, new_frame: Callable[[], _Frame], size: int) -> bytes:
    """One frame or several behind each other (RFC 1952, 2.2; RFC 8878, 3), fed in pieces of `size` bytes."""
    frame, frames, start, room = new_frame(), 1, 0, limit
    pieces: list[bytes] = []
    try:
        while start < len(body):
            if frame.eof:
                frame, frames = new_frame(), frames + 1
                if frames > _FRAMES:
                    raise WireError(f"the body is encoded in more than {_FRAMES} frames")
            fed = body[start : start + size]
            piece = frame.decompress(fed)
            start += len(fed) - len(frame.unused_data)
            room -= len(piece)
            if room < 0:
                raise _too_large(limit)
            pieces.append(piece)
    except (zlib.error, zstandard.ZstdError) as error:
        raise _broken(error) from error
    if whole and not frame.eof:
        raise _cut()
    return b"".join(pieces)


def _unbrotlied(body: bytes, limit: int, whole: bool) -> bytes:
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
    if whole and not inflater.is_finished():
        raise _cut()
    return b"".join(pieces)


def _broken(error: Exception) -> WireError:
    return WireError(f"the body is not what its encoding says: {error}")


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"the body is larger than {limit} bytes")


def _cut() -> WireError:
    return WireError("the body ends in the middle of its encoding")
