"""How far a conversation was read: its elements, and the nodes of what they say."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Raw, Struct


class Said(Struct, frozen=True, gc=False):
    """One message, as far as the tree needs it."""

    id: bytes  # of all that it says
    place: bytes  # of what lasts of it: with its parent it makes the node
    persons: bool
    models: bool
    summary: bool
    errand: bool


class Trail:
    """The path of one request, with what is needed to go on from it. The lists grow together."""

    __slots__ = (
        "answered",
        "digests",
        "ids",
        "items",
        "nodes",
        "openings",
        "positions",
        "root",
        "said",
        "size",
    )

    def __init__(self, root: bytes) -> None:
        self.root = root  # the parent of the first node
        self.items: list[Raw] = []  # the elements, where they are kept
        self.size = 0  # of them, in bytes
        self.digests: list[bytes] = []  # one per element
        self.nodes: list[bytes] = []
        self.ids: list[bytes] = []  # the id of each node's message
        self.positions: list[int] = []  # for each node, the index of its element
        self.said: list[Said] = []  # for each node, what it says
        self.openings: list[int] = []  # indices in `nodes` of the person's messages
        self.answered = -1  # index in `nodes` of the first answer of the model; -1 where there is none

    def add(self, node: bytes, said: Said, position: int) -> None:
        """One node more."""
        if said.persons:
            self.openings.append(len(self.nodes))
        elif said.models and self.answered < 0:
            self.answered = len(self.nodes)
        self.nodes.append(node)
        self.ids.append(said.id)
        self.positions.append(position)
        self.said.append(said)

    def forget(self, position: int) -> None:
        """Take out the nodes of the elements from this one on."""
        first = bisect_left(self.positions, position)
        if first == len(self.nodes):
            return
        for each in (self.nodes, self.ids, self.positions, self.said):
            del each[first:]
        del self.openings[bisect_left(self.openings, first) :]
        if self.answered >= first:
            self.answered = -1

    def same(self, items: Sequence[Raw]) -> int:
        """With how many of its elements another request begins."""
        known = self.items
        shorter = min(len(known), len(items))
        if known[:shorter] == items[:shorter]:
            return shorter
        return next(n for n, (a, b) in enumerate(zip(known, items, strict=False)) if a != b)

    @property
    def resumed(self) -> bool:
        """Whether it begins with the client's summary of what went before."""
        if not self.said:
            return False
        first = self.said[0]
        return first.summary and not first.persons and not first.models

    @property
    def errand(self) -> bool:
        """Whether an errand of the client's own stands at the end, or in front of what a title is wanted
        for."""
        for place in range(len(self.said) - 1, -1, -1):
            said = self.said[place]
            if said.errand:
                return True
            if not said.persons or 0 <= self.answered < place:
                return False
        return False
