"""The requests read last: each repeats what the one before it held, and is read from there on.

To compare bytes takes a tenth of the time that their digests take.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Raw

from metaclaw_tray.wire.trail import Said, Trail

_LARGEST = 512 * 1024  # bytes of a request that is remembered
_ROOM = 4 * 2**20  # bytes of all that are
_AN_ELEMENT = 400  # bytes that one takes beside its own: digest, node, id
_FEWEST, _MOST = 8, 4096  # elements of one
_END = 64  # bytes of an element that tell it from others
_LONG, _LONGEST = 2 * 1024, 64 * 1024  # bytes of a first element whose digest is remembered
_BEGINNINGS = 32  # of them
_REMEMBERED = 10_000  # elements in each half of the memory

_Key = tuple[str, bytes, int, int, bytes]


class Recent:
    """The trails of conversations that go on, the ones used last."""

    def __init__(self) -> None:
        self._trails: dict[_Key, Trail] = {}
        self._size = 0

    def begun(self, dialect: str, root: bytes, items: Sequence[Raw]) -> Trail:
        """As much of a request below `root` as is known. What was known gives way to the request: `keep` it
        when it has been read."""
        trail = self._trails.pop(_key(dialect, root, items), None) if _fits(items) else None
        if trail is None:
            return Trail(root)
        self._size -= trail.size
        same = trail.same(items)
        if same < len(trail.items):
            trail.forget(same)
            trail.size -= _size(trail.items[same:])
            del trail.items[same:], trail.digests[same:]
        return trail

    def keep(self, dialect: str, items: Sequence[Raw], trail: Trail) -> None:
        """Remember a request that was read."""
        if not _fits(items):
            return
        new = items[len(trail.items) :]
        trail.size += _size(new)
        if trail.size > _LARGEST + _AN_ELEMENT * len(items):
            return
        # Copies: an element as it was read holds the whole body that it came in.
        trail.items += [item.copy() for item in new]
        trails = self._trails
        key = _key(dialect, trail.root, items)
        before = trails.pop(key, None)
        self._size += trail.size - (before.size if before else 0)
        trails[key] = trail
        while self._size > _ROOM:
            self._size -= trails.pop(next(iter(trails))).size


UNKNOWN: tuple[Said, ...] = (Said(b"", b"", False, False, False, False),)
"""Stands for "not seen yet" in the memory, by its identity."""


class Memory:
    """What elements say, by a digest of their bytes: those used last, in two halves."""

    __slots__ = ("_old", "_young")

    def __init__(self) -> None:
        self._young: dict[bytes, tuple[Said, ...] | None] = {}
        self._old: dict[bytes, tuple[Said, ...] | None] = {}

    def known(self, digest: bytes) -> tuple[Said, ...] | None:
        found = self._young.get(digest, UNKNOWN)
        if found is UNKNOWN:
            found = self._old.get(digest, UNKNOWN)
            if found is not UNKNOWN:
                self.learn(digest, found)
        return found

    def learn(self, digest: bytes, said: tuple[Said, ...] | None) -> tuple[Said, ...] | None:
        if len(self._young) >= _REMEMBERED:
            self._young, self._old = {}, self._young
        self._young[digest] = said
        return said


class Beginnings:
    """Digests of what conversations begin with: an agent's instructions are long, and the same in all of
    them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bytes], tuple[Raw, bytes]] = {}

    def digest(self, item: Raw) -> bytes:
        """The digest of a request's first element."""
        view = memoryview(item)
        if not _LONG <= view.nbytes <= _LONGEST:
            return hashlib.sha256(view).digest()
        key = view.nbytes, bytes(view[-_END:])
        known = self._known.get(key)
        if known is not None and known[0] == item:
            return known[1]
        digest = hashlib.sha256(view).digest()
        while len(self._known) >= _BEGINNINGS:
            del self._known[next(iter(self._known))]
        self._known[key] = item.copy(), digest
        return digest


def _fits(items: Sequence[Raw]) -> bool:
    return _FEWEST <= len(items) <= _MOST


def _key(dialect: str, root: bytes, items: Sequence[Raw]) -> _Key:
    """What two requests of one conversation have in common. Another conversation may have it too."""
    first, second = memoryview(items[0]), memoryview(items[1])
    return dialect, root, first.nbytes, second.nbytes, bytes(second[-_END:])


def _size(items: Sequence[Raw]) -> int:
    return sum([memoryview(item).nbytes for item in items]) + _AN_ELEMENT * len(items)
