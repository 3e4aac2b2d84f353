"""Bodies without their pictures: tree and record need to know which one it was, and no more."""

from __future__ import annotations

import hashlib
import string

RUN_LIMIT = 64 * 1024
"""Bytes from which on a run of base64 is taken out."""


def run_table(signs: str) -> bytes:
    """A table for `bytes.translate` that makes 1 of letters, digits and these signs, and 0 of all else."""
    belongs = signs + string.ascii_letters + string.digits
    return bytes(chr(code) in belongs for code in range(256))


# A backslash may stand in a run of raw JSON: slashes and line ends are often escaped.
_IN_BODY = run_table("+/=_-\\")


def thinned(raw: bytes, limit: int = RUN_LIMIT) -> bytes:
    """A body of JSON without its long runs of base64: each of at least `limit` bytes is replaced by its size
    and the sha256 of its text, as it stood there. What is JSON stays JSON."""
    if len(raw) < limit:
        return raw
    # One byte for each byte that says whether it may belong to a run.
    mask, needle = raw.translate(_IN_BODY), b"\1" * limit
    pieces, done = [], 0
    start = mask.find(needle)
    while start >= 0:
        end = mask.find(b"\0", start)
        end = len(raw) if end < 0 else end
        run = raw[start:end].rstrip(b"\\")  # the backslash of a quote belongs to the quote
        # What is nothing but a number may stand outside of strings.
        if len(run) >= limit and run[:limit].translate(None, b"0123456789+-eE"):
            marker = f"[left out: {len(run)} characters of base64, sha256 {hashlib.sha256(run).hexdigest()}]"
            pieces += [raw[done:start], marker.encode()]
            done = start + len(run)
        start = mask.find(needle, end)
    return b"".join([*pieces, raw[done:]]) if pieces else raw
