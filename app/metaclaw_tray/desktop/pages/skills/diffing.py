"""What differs between two texts, as lines for reading. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest

MOST_LINES = 3_000  # of both texts together; beyond that comparing would hold up the window
_AROUND = 3  # lines without a change that are kept beside one


class Kind(StrEnum):
    SAME = " "
    REMOVED = "−"
    ADDED = "+"
    GAP = "…"  # lines without a change, left out; `text` is how many


@dataclass(frozen=True)
class Line:
    kind: Kind
    text: str


Pair = tuple[Line | None, Line | None]


def too_long(old: str, new: str) -> bool:
    """Whether these are too long to be compared here."""
    return old.count("\n") + new.count("\n") > MOST_LINES


def lines_of(old: str, new: str) -> list[Line]:
    """The change in one column: what goes stands before what comes."""
    found: list[Line] = []
    for left, right in _blocks(old, new):
        if left == right:
            found += _folded([Line(Kind.SAME, line) for line in left])
        else:
            found += [Line(Kind.REMOVED, line) for line in left]
            found += [Line(Kind.ADDED, line) for line in right]
    return _trimmed(found)


def pairs_of(old: str, new: str) -> list[Pair]:
    """The change side by side."""
    found: list[Pair] = []
    for left, right in _blocks(old, new):
        if left == right:
            found += [(line, line) for line in _folded([Line(Kind.SAME, each) for each in left])]
            continue
        removed = [Line(Kind.REMOVED, line) for line in left]
        found += zip_longest(removed, [Line(Kind.ADDED, line) for line in right])
    return found


def counted(lines: Iterable[Line]) -> tuple[int, int]:
    """Lines that come, and lines that go."""
    kinds = [line.kind for line in lines]
    return kinds.count(Kind.ADDED), kinds.count(Kind.REMOVED)


def _blocks(old: str, new: str) -> Iterable[tuple[list[str], list[str]]]:
    before, after = old.splitlines(), new.splitlines()
    for _, start, end, begin, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield before[start:end], after[begin:stop]


def _folded(same: Sequence[Line]) -> list[Line]:
    """A run without a change, its middle left out where it is long."""
    hidden = len(same) - 2 * _AROUND
    if hidden < 2:
        return list(same)
    return [*same[:_AROUND], Line(Kind.GAP, str(hidden)), *same[-_AROUND:]]


def _trimmed(lines: list[Line]) -> list[Line]:
    return [] if all(line.kind in (Kind.SAME, Kind.GAP) for line in lines) else lines
