"""Which active skills an embedder holds for alike, each looked at once in the form it has."""

from __future__ import annotations

from collections.abc import Iterable

from metaclaw_tray.embedder.client import Embedder
from metaclaw_tray.skills.fields import Entry

MOST = 500
"""Skills of a library whose skills are all looked at: each is a call of the embedder."""

_NEAREST = 4  # skills that are asked for, itself among them


class Neighbours:
    """What each skill is near to, as far as it was looked at."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._near: dict[str, dict[str, float]] = {}
        self._waiting: dict[str, None] = {}

    @property
    def has_work(self) -> bool:
        return bool(self._waiting)

    def want(self, entries: Iterable[Entry]) -> None:
        """Have the skills looked at that were not, in this form."""
        now = {entry.name: entry for entry in entries}
        if len(now) > MOST:
            return
        for name in [name for name, entry in self._entries.items() if now.get(name) != entry]:
            self._near.pop(name, None)
            for others in self._near.values():
                others.pop(name, None)
        self._waiting = dict.fromkeys(name for name in now if name not in self._near)
        self._entries = now

    async def look(self, embedder: Embedder) -> None:
        """Look at one of those that wait. Raises EmbedderEndedError."""
        name = next(iter(self._waiting))
        del self._waiting[name]
        found = dict(await embedder.nearest(self._entries[name].description, _NEAREST))
        self._near[name] = {other: likeness for other, likeness in found.items() if other != name}

    def pairs(self) -> dict[tuple[str, str], float]:
        """Pairs that are near to each other, by their names in order, with their likeness: the mean of both
        sides, or what one of them says where the other came first and was looked at without it."""
        found = {}
        for name, others in self._near.items():
            for other, likeness in others.items():
                if other in self._near:
                    first, second = sorted((name, other))
                    found[first, second] = round((likeness + self._near[other].get(name, likeness)) / 2, 3)
        return found

    def forget(self) -> None:
        self._near.clear()
        self._waiting.clear()
        self._entries.clear()
