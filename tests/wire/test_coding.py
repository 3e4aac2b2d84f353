"""Content encodings, read with a limit."""

from __future__ import annotations

import contextlib
import gzip
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import READABLE, decoded

TEXT = b"hello " * 100
ZSTD = zstandard.ZstdCompressor()
SKIPPED = b"\x50\x2a\x4d\x18\x03\0\0\0abc"
RAW_DEFLATE = zlib.compress(TEXT, wbits=-15)


def streamed(text: bytes) -> bytes:
    """A zstd frame that does not say how much it holds."""
    compressor = ZSTD.compressobj()
    return compressor.compress(text) + compressor.flush()


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), " X-GZip "),
        (gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:]), "gzip"),
        (zlib.compress(TEXT), "Deflate"),
        (RAW_DEFLATE, "deflate"),
        (brotli.compress(TEXT), "br"),
        (ZSTD.compress(TEXT), "zstd"),
        (streamed(TEXT), "zstd"),
        (ZSTD.compress(TEXT[:50]) + SKIPPED + streamed(TEXT[50:]), "zstd"),
        (zlib.compress(gzip.compress(TEXT)), "gzip, deflate"),
        (brotli.compress(ZSTD.compress(TEXT)), "zstd,identity,,br"),
    ],
)
def test_known_encodings_are_read(body: bytes, encoding: str) -> None:
    assert decoded(body, encoding, 1000) == TEXT


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"x", "compress"),
        (TEXT, "gzip, sdch"),
        *((b"not this at all", encoding) for encoding in sorted(READABLE - {"identity"})),
        *((b"", encoding) for encoding in sorted(READABLE - {"identity"})),
        (RAW_DEFLATE, "gzip"),
        (gzip.compress(TEXT) + b"more", "gzip"),
        (brotli.compress(TEXT) + b"more", "br"),
        (ZSTD.compress(TEXT) + b"more", "zstd"),
    ],
)
def test_unknown_and_broken_bodies_are_wire_errors(body: bytes, encoding: str) -> None:
    with pytest.raises(WireError):
        decoded(body, encoding, 1000)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(TEXT), "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (RAW_DEFLATE, "deflate"),
        (brotli.compress(TEXT), "br"),
        (ZSTD.compress(TEXT), "zstd"),
        (streamed(TEXT), "zstd"),
        (ZSTD.compress(b"before") + ZSTD.compress(TEXT), "zstd"),
    ],
)
def test_a_body_that_was_cut_is_told(body: bytes, encoding: str) -> None:
    for end in range(len(body) - 9, len(body)):
        with pytest.raises(WireError):
            decoded(body[:end], encoding, 1000)


def flushed(text: bytes, more: bytes) -> dict[str, tuple[bytes, bytes]]:
    """A body sent in two pieces, as servers send streams."""
    gz, raw, zs, br = (
        zlib.compressobj(wbits=31),
        zlib.compressobj(wbits=-15),
        ZSTD.compressobj(),
        brotli.Compressor(),
    )
    return {
        "gzip": (gz.compress(text) + gz.flush(zlib.Z_SYNC_FLUSH), gz.compress(more) + gz.flush()),
        "deflate": (raw.compress(text) + raw.flush(zlib.Z_SYNC_FLUSH), raw.compress(more) + raw.flush()),
        "zstd": (
            zs.compress(text) + zs.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK),
            zs.compress(more) + zs.flush(),
        ),
        "br": (br.process(text) + br.flush(), br.process(more) + br.finish()),
    }


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br"])
def test_of_a_body_that_was_cut_one_may_have_what_came(encoding: str) -> None:
    first, second = flushed(TEXT, b"and more")[encoding]
    assert decoded(first + second, encoding, 1000) == TEXT + b"and more"
    for end in range(len(first), len(first + second)):
        came = decoded((first + second)[:end], encoding, 1000, whole=False)
        assert came.startswith(TEXT)
        assert (TEXT + b"and more").startswith(came)
    assert decoded(first[: len(first) // 2], encoding, 1000, whole=False) in TEXT
    with pytest.raises(WireError):
        decoded(first, encoding, 10, whole=False)


def test_the_limit_is_the_last_byte_that_may_come() -> None:
    for body, encoding in (
        (gzip.compress(TEXT), "gzip"),
        (RAW_DEFLATE, "deflate"),
        (brotli.compress(TEXT), "br"),
        (ZSTD.compress(TEXT), "zstd"),
    ):
        assert decoded(body, encoding, len(TEXT)) == TEXT
        with pytest.raises(WireError, match="larger than 599 bytes"):
            decoded(body, encoding, len(TEXT) - 1)


NOTHING = b"\0" * 100 * 2**20


@pytest.mark.parametrize(
    ("bomb", "encoding"),
    [
        (gzip.compress(NOTHING), "gzip"),
        (zlib.compress(NOTHING), "deflate"),
        (zlib.compress(NOTHING, wbits=-15), "deflate"),
        (brotli.compress(NOTHING, quality=5), "br"),
        (ZSTD.compress(NOTHING), "zstd"),
        (gzip.compress(gzip.compress(NOTHING)), "gzip, gzip"),
    ],
)
def test_a_bomb_is_refused_before_it_grows(bomb: bytes, encoding: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError, match="larger than"):
            decoded(bomb, encoding, 2**20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * 2**20


def test_a_frame_that_asks_for_more_memory_than_the_web_allows_is_refused() -> None:
    wide = zstandard.ZstdCompressionParameters(window_log=27)
    compressor = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    with pytest.raises(WireError):
        decoded(compressor.compress(TEXT) + compressor.flush(), "zstd", 1000)


def test_layers_and_frames_without_end_are_refused() -> None:
    with pytest.raises(WireError, match="encoded 5 times"):
        decoded(TEXT, ", ".join(["gzip"] * 5), 1000)
    with pytest.raises(WireError, match="frames"):
        decoded(gzip.compress(b"") * 10_001, "gzip", 1000)


@given(st.binary(max_size=300), st.lists(st.sampled_from(sorted(READABLE)), max_size=3))
def test_any_bytes_are_a_body_or_a_wire_error(body: bytes, encodings: list[str]) -> None:
    with contextlib.suppress(WireError):
        assert len(decoded(body, ",".join(encodings), 1000)) <= 1000 or set(encodings) <= {"identity"}
