"""Content encodings, read with a limit."""

from __future__ import annotations

import gzip
import zlib

import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded

TEXT = b"hello " * 100


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (zlib.compress(TEXT), "Deflate"),
        (zlib.compress(TEXT, wbits=-15), "deflate"),
        (zlib.compress(gzip.compress(TEXT)), "gzip, deflate"),
    ],
)
def test_known_encodings_are_read(body: bytes, encoding: str) -> None:
    assert decoded(body, encoding, 1000) == TEXT


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"x", "br"),
        (b"not gzip", "gzip"),
        (gzip.compress(TEXT)[:-9], "gzip"),
        (gzip.compress(b"0" * 10_000_000), "gzip"),
    ],
)
def test_unknown_broken_and_oversized_bodies_are_wire_errors(body: bytes, encoding: str) -> None:
    with pytest.raises(WireError):
        decoded(body, encoding, 1000)
