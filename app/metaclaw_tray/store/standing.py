"""Which injected blocks stand on the paths of a conversation tree, found in one statement for many paths.

Paths share their beginnings, so each node is read once however many turns lie below it, and only its id.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Executable, select
from sqlmodel import Session as Db
from sqlmodel import col

from metaclaw_tray.store.tables import Injection, Node


class Standing:
    """What stands on the paths to some leaves."""

    def __init__(self, db: Db, leaves: Iterable[bytes]) -> None:
        self._above: dict[bytes, bytes | None] = {}  # the nearest anchor above a node
        self._nearest: dict[bytes, bytes | None] = {}  # the same, or the node itself
        self._blocks: dict[bytes, dict[str, tuple[datetime, list[str]]]] = {}  # by anchor, then by session
        for node, parent, session_id, at, skills in db.execute(_upwards(set(leaves))):
            if session_id is not None:
                self._blocks.setdefault(node, {})[session_id] = (at, skills)
            self._above[node] = self._nearest.get(parent)
            self._nearest[node] = node if node in self._blocks else self._above[node]

    def anchors(self, leaf: bytes, session_id: str) -> list[tuple[bytes, str]]:
        """The keys of the blocks on the path to `leaf`, root first: the session's own, else the latest."""
        found = []
        anchor = self._nearest.get(leaf)
        while anchor is not None:
            blocks = self._blocks[anchor]
            owner = session_id if session_id in blocks else max(blocks, key=lambda each: blocks[each][0])
            found.append((anchor, owner))
            anchor = self._above[anchor]
        return found[::-1]

    def skills(self, leaf: bytes, session_id: str) -> tuple[str, ...]:
        """The skills of those blocks, each "name@version"."""
        return tuple(
            name
            for anchor, owner in self.anchors(leaf, session_id)
            for name in self._blocks[anchor][owner][1]
        )


def _upwards(leaves: set[bytes]) -> Executable:
    """All nodes on the paths to the leaves, each once and parents first, with the blocks anchored there."""
    step = (col(Node.id), col(Node.parent), col(Node.depth))
    up = select(*step).where(col(Node.id).in_(leaves)).cte("up", recursive=True)
    up = up.union(select(*step).join(up, col(Node.id) == up.c.parent))
    return (
        select(up.c.id, up.c.parent, col(Injection.session_id), col(Injection.at), col(Injection.skills))
        .outerjoin(Injection, col(Injection.anchor) == up.c.id)
        .order_by(up.c.depth)
    )
