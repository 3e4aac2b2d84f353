"""Where a secret stands in a text, and how it is shown afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MARK = "[redacted:"
_ESCAPES = frozenset("nrtbf")


class Span(NamedTuple):
    """The characters `start` to `end` are a secret of this kind."""

    start: int
    end: int
    kind: str


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


def folded(text: str) -> str:
    """The text in small letters, each where it stood."""
    small = text.lower()
    return small if len(small) == len(text) else text.replace("İ", "I").lower()  # its small form is longer


def mark(kind: str) -> str:
    """What stands in the place of a secret."""
    return f"{MARK}{kind}]"


def at_boundary(text: str, start: int) -> bool:
    """Whether a token may begin here: not within a word, unless the letters before it are an escape."""
    if start == 0:
        return True
    before = text[start - 1]
    if not (before.isascii() and (before.isalnum() or before in "_-")):
        return True
    return any(start > length and escape_length(text, start - length) == length for length in (1, 2))


def escape_length(text: str, start: int) -> int:
    """How many characters at `start` belong to an escape begun before: `\\n` of JSON, `%3D` of an address."""
    before = text[start - 1] if start else ""
    if before == "\\" and text[start : start + 1] in _ESCAPES:
        return 1
    return 2 if before == "%" else 0


def united(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that overlap as one. The first found names the kind of what it is part of."""
    ranked = sorted((span.start, rank, span) for rank, span in enumerate(spans))
    merged: list[tuple[int, Span]] = []
    for _, rank, span in ranked:
        if merged and span.start < merged[-1][1].end:
            best, last = merged[-1]
            kind = last.kind if best < rank else span.kind
            merged[-1] = (min(best, rank), Span(last.start, max(last.end, span.end), kind))
        else:
            merged.append((rank, span))
    return [span for _, span in merged]
