"""Content encodings of bodies that we read for ourselves. What passes through is never recoded."""

from __future__ import annotations

import zlib

from metaclaw_tray.wire import WireError

READABLE = frozenset({"gzip", "x-gzip", "deflate", "identity"})
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
        body = _inflated(body, limit, _GZIP_OR_ZLIB)
    return body


def _inflated(body: bytes, limit: int, window: int) -> bytes:
    inflater = zlib.decompressobj(window)
    try:
        plain = inflater.decompress(body, limit + 1)
    except zlib.error as error:
        if window == _GZIP_OR_ZLIB:
            return _inflated(body, limit, -zlib.MAX_WBITS)  # "deflate" without the zlib header is common
        raise WireError(f"the body is not what its encoding says: {error}") from error
    if len(plain) > limit:
        raise WireError(f"the body is larger than {limit} bytes")
    if not inflater.eof:
        raise WireError("the body ends in the middle of its encoding")
    return plain
