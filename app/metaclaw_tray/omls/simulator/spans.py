"""Arithmetic of spans on a line of seconds: union, intersection, difference."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Piece: TypeAlias = tuple[float, float]
"""From the first moment until before the second."""


class Spans:
    """A set of moments, as sorted pieces that do not touch each other."""

    __slots__ = ("_begins", "pieces")

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self.pieces: Sequence[Piece] = _joined(pieces)
        self._begins = [begin for begin, _ in self.pieces]

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def __or__(self, other: Spans) -> Spans:
        return Spans([*self.pieces, *other.pieces])

    def __and__(self, other: Spans) -> Spans:
        return Spans(_common(self.pieces, other.pieces))

    def __sub__(self, other: Spans) -> Spans:
        if not self.pieces:
            return self
        begin, end = self.pieces[0][0], self.pieces[-1][1]
        return self & other.outside(begin, end)

    def outside(self, begin: float, end: float) -> Spans:
        """What of a stretch is not in here."""
        found, at = [], begin
        for first, last in self.pieces:
            if last <= begin or first >= end:
                continue
            found.append((at, first))
            at = last
        return Spans([*found, (at, end)])

    def at(self, moment: float) -> Piece | None:
        """The piece that holds a moment."""
        found = self.before(moment)
        return found if found is not None and moment < found[1] else None

    def before(self, moment: float) -> Piece | None:
        """The last piece that has begun by then."""
        index = bisect_right(self._begins, moment) - 1
        return self.pieces[index] if index >= 0 else None

    def after(self, moment: float) -> Piece | None:
        """The first piece that begins later."""
        index = bisect_right(self._begins, moment)
        return self.pieces[index] if index < len(self.pieces) else None

    @property
    def seconds(self) -> float:
        return sum(end - begin for begin, end in self.pieces)


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for begin, end in sorted(pieces):
        if end <= begin:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found


def _common(some: Sequence[Piece], others: Sequence[Piece]) -> Iterator[Piece]:
    here, there = 0, 0
    while here < len(some) and there < len(others):
        begin = max(some[here][0], others[there][0])
        end = min(some[here][1], others[there][1])
        if begin < end:
            yield begin, end
        if some[here][1] < others[there][1]:
            here += 1
        else:
            there += 1
