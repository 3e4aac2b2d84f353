"""Bodies without their pictures: tree and record need to know which one it was, and no more."""

from __future__ import annotations

import hashlib
import re
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


_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_WHOLE_SIGNS = re.compile(rb'"[^"\\]*(?:(?:\\u[0-9a-fA-F]{4}|\\[^u])[^"\\]*)*', re.DOTALL)
_HALF_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_COLON = re.compile(rb"\s*:")
_STRING_LIMIT = 64 * 1024


def shortened(raw: bytes, limit: int = _STRING_LIMIT) -> bytes:
    """A body of JSON in which each string of more than `limit` bytes keeps its beginning and says how much
    was left out. What is JSON stays JSON."""

    def short(found: re.Match[bytes]) -> bytes:
        if found.end() - found.start() <= limit or _COLON.match(raw, found.end()):  # names stay as they are
            return found[0]
        begin = raw[found.start() : found.start() + limit]
        begin = begin.decode("utf-8", "ignore").encode()  # no character is cut in two, and no escape
        whole = _WHOLE_SIGNS.match(begin)
        begin = _HALF_PAIR.sub(b"", whole[0] if whole else b'"')
        left_out = found.end() - found.start() - len(begin) - 1
        return begin + f' [left out: {left_out} bytes]"'.encode()

    return _STRINGS.sub(short, raw)
