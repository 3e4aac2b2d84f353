"""Decisions on what stands where in conversations, as they are remembered."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from msgspec import Struct, structs

_DECISIONS = 20_000


class Block(Struct, frozen=True, gc=False):
    """A decision: what stands at an anchor. Without skills it says that none fitted."""

    text: str
    skills: tuple[str, ...]
    tokens: int
    generation: int
    session_id: str
    at: float  # seconds since 1970


@dataclass(slots=True)
class _Spent:
    skills: int = 0
    tokens: int = 0


class Anchors:
    """Decisions by node, the 20,000 used last.

    Two sessions may begin with the same words and hold different blocks at the same node: a session's own
    decision comes first, and who has none takes the latest.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[bytes, Block] = OrderedDict()
        # What a session decided before another one decided at the same node.
        self._own: OrderedDict[tuple[str, bytes], Block] = OrderedDict()
        self._spent: OrderedDict[str, _Spent] = OrderedDict()

    def load(self, blocks: Iterable[tuple[bytes, Block]]) -> None:
        """Take up the decisions of earlier runs, oldest first."""
        for anchor, block in blocks:
            self.put(anchor, block)

    def put(self, anchor: bytes, block: Block) -> None:
        # Many decisions share few texts and sessions.
        block = structs.replace(block, text=sys.intern(block.text), session_id=sys.intern(block.session_id))
        before = self._latest.get(anchor)
        if before is not None and before.session_id != block.session_id:
            self._own[before.session_id, anchor] = before
            self._own.move_to_end((before.session_id, anchor))
        self._latest[anchor] = block
        self._latest.move_to_end(anchor)
        if block.skills:
            spent = self._spent.setdefault(block.session_id, _Spent())
            spent.skills += len(block.skills)
            spent.tokens += block.tokens
            self._spent.move_to_end(block.session_id)
        for kept in (self._latest, self._own, self._spent):
            while len(kept) > _DECISIONS:
                kept.popitem(last=False)

    def at(self, anchor: bytes, session_id: str) -> Block | None:
        latest, key = self._latest.get(anchor), (session_id, anchor)
        if latest is not None:
            self._latest.move_to_end(anchor)
            if latest.session_id == session_id:
                return latest
        own = self._own.get(key)
        if own is not None:
            self._own.move_to_end(key)
        return own or latest

    def let_go(self, nodes: Collection[bytes]) -> None:
        """These nodes left the record: what was decided there is decided no longer."""
        for anchor in nodes:
            self._latest.pop(anchor, None)
        for key in [key for key in self._own if key[1] in nodes]:
            del self._own[key]

    def spent(self, session_id: str) -> tuple[int, int]:
        """Skills and tokens that a session has been given."""
        spent = self._spent.get(session_id)
        return (spent.skills, spent.tokens) if spent else (0, 0)
