"""The conversation tree: a node is a keyed hash of (parent, message), a request is a path.

System texts are no nodes: they hold volatile text (dates, tool lists), and a conversation stays the same
conversation when they change. Nor does a node depend on what clients change in a message later
(`wire.canonical`). A message has a keyed id of its own, of all that it says, by which it is stored once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Raw, Struct

from metaclaw_tray.wire.canonical import canonical, canonical_answer, whole
from metaclaw_tray.wire.dialect import Dialect, Sort, element_of
from metaclaw_tray.wire.recent import Recent
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import Message, is_errand, is_summary, persons_words, text_of
from metaclaw_tray.wire.thinning import thinned

NODE_BYTES = 16
_LARGE = 64 * 1024  # bytes of an element from which on its pictures are left out before it is read
_REMEMBERED_WORDS = 64
_REMEMBERED = 10_000  # elements of conversations in each half of the memory
_SUMMARY_WORDS = 2000  # characters of a summary that count as what it is about: its end


class Path(Struct, frozen=True, gc=False):
    """Where a request stands in the tree."""

    root: bytes  # the parent of the first message of this request
    nodes: list[bytes]  # one per message that is not system text, root first
    ids: list[bytes]  # the id of each node's message
    positions: list[int]  # for each node, the index of its element in the request
    openings: list[int]  # indices in `nodes` of the person's messages, oldest first
    words: str  # what the person said last; of a summary that begins the path, its end
    resumed: bool = False  # it begins with the client's summary of what went before
    answered: int = -1  # index in `nodes` of the first answer of the model; -1 where there is none
    before: tuple[bytes, ...] = ()  # the person's messages that the upstream keeps itself, oldest first
    errand: bool = False  # it asks for something of the client's own: a summary, a title, a heartbeat

    @property
    def opening(self) -> int:
        """Index in `nodes` of the person's last message; -1 where there is none."""
        return self.openings[-1] if self.openings else -1

    @property
    def first(self) -> bytes:
        """The node that the conversation begins with, as far as this request tells: the person's first
        message, or the summary of what went before."""
        if self.before:
            return self.before[0]
        if self.openings and not self.resumed:
            return self.nodes[self.openings[0]]
        return self.nodes[0] if self.nodes else self.root

    @property
    def tip(self) -> bytes:
        """The node that an answer to this request follows."""
        return self.nodes[-1] if self.nodes else self.root

    @property
    def anchors(self) -> list[int]:
        """Indices in `nodes` where blocks may stand: the person's messages, a summary at the beginning."""
        return [0, *self.openings] if self.resumed else self.openings


class Said(Struct, frozen=True, gc=False):
    """One message, as far as the tree needs it."""

    id: bytes  # of all that it says
    place: bytes  # of what lasts of it: with its parent it makes the node
    persons: bool
    models: bool
    summary: bool
    errand: bool


@lru_cache(maxsize=256)
def root_of(key: bytes, agent: str) -> bytes:
    """The parent of an agent's first messages, so that two agents never share a node."""
    return hashlib.blake2b(agent.encode(), digest_size=NODE_BYTES, key=key, person=b"agent").digest()


@lru_cache(maxsize=1024)
def kept_root(key: bytes, agent: str, what: str) -> bytes:
    """The parent of messages that go on with what an upstream keeps under an id, such as a conversation."""
    parent = root_of(key, agent)
    return hashlib.blake2b(parent + what.encode(), digest_size=NODE_BYTES, key=key, person=b"kept").digest()


def message_id(key: bytes, form: bytes) -> bytes:
    """The id of a message, or its place, by its form. `key` (at most 64 bytes) is the installation's own, so
    that nobody can tell from an id what was said."""
    return hashlib.blake2b(form, digest_size=NODE_BYTES, key=key, person=b"message").digest()


def node(key: bytes, parent: bytes, place: bytes) -> bytes:
    """The node of a message, by its place, under its parent."""
    return hashlib.blake2b(parent + place, digest_size=NODE_BYTES, key=key).digest()


def answer_id(key: bytes, message: Message) -> bytes:
    """The id of an answer as it came. What the client sends back later may say less, and has another."""
    return message_id(key, whole(message))


def answer_node(key: bytes, parent: bytes, message: Message) -> bytes:
    """The node of an answer, equal to that of the message which the client sends back later."""
    return node(key, parent, _answer_place(key, message))


def _answer_place(key: bytes, message: Message) -> bytes:
    return message_id(key, canonical_answer(message))


_UNKNOWN: tuple[Said, ...] = (Said(b"", b"", False, False, False, False),)
"""Stands for "not seen yet" in the memory, by its identity."""


class _Memory:
    """What elements say, by a digest of their bytes: those used last, in two halves."""

    __slots__ = ("_old", "_young")

    def __init__(self) -> None:
        self._young: dict[bytes, tuple[Said, ...] | None] = {}
        self._old: dict[bytes, tuple[Said, ...] | None] = {}

    def known(self, digest: bytes) -> tuple[Said, ...] | None:
        found = self._young.get(digest, _UNKNOWN)
        if found is _UNKNOWN:
            found = self._old.get(digest, _UNKNOWN)
            if found is not _UNKNOWN:
                self.learn(digest, found)
        return found

    def learn(self, digest: bytes, said: tuple[Said, ...] | None) -> tuple[Said, ...] | None:
        if len(self._young) >= _REMEMBERED:
            self._young, self._old = {}, self._young
        self._young[digest] = said
        return said


class Reader:
    """Finds the paths of requests. It remembers the elements it has seen by a digest of their bytes: a
    conversation of fifty turns comes fifty times, and all but its end is known."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._memories: dict[str, _Memory] = {}  # by dialect
        self._recent = Recent()
        # What the person said last is asked for with each step of the work on it.
        self._spoken: dict[bytes, str] = {}

    def path(self, dialect: Dialect, request: Request, root: bytes, before: tuple[bytes, ...] = ()) -> Path:
        """The path of a request below `root`. Raises WireError where a message has no canonical form."""
        nodes: list[bytes] = []
        ids: list[bytes] = []
        positions: list[int] = []
        openings: list[int] = []
        answered, resumed, errand, parent, key = -1, False, False, root, self.key
        for position, said in self._said(dialect, request.items):
            for each in said:
                parent = node(key, parent, each.place)
                if each.persons:
                    openings.append(len(nodes))
                elif each.models and answered < 0:
                    answered = len(nodes)
                elif each.summary and not nodes:
                    resumed = True
                # At the end, or in front of what a title is wanted for.
                errand = each.errand or (errand and answered < 0 and each.persons)
                nodes.append(parent)
                ids.append(each.id)
                positions.append(position)
        words = ""
        if openings:
            words = self._words(dialect, request.items[positions[openings[-1]]])
        elif resumed:
            (message,) = dialect.piece(element_of(request.items[positions[0]])).messages
            words = text_of(message)[-_SUMMARY_WORDS:]
        return Path(root, nodes, ids, positions, openings, words, resumed, answered, before, errand)

    def _said(self, dialect: Dialect, items: Sequence[Raw]) -> list[tuple[int, tuple[Said, ...]]]:
        """What each element says, without those that say nothing lasting. None in the memory: a part of an
        answer, which is read with its neighbours."""
        found: list[tuple[int, tuple[Said, ...]]] = []
        parts: list[tuple[int, bytes]] = []
        memory = self._memories.setdefault(dialect.name, _Memory())
        for index, (item, digest) in enumerate(zip(items, self._recent.digests(items), strict=True)):
            known = memory.known(digest)
            if known is _UNKNOWN:
                known = memory.learn(digest, self._read(dialect, item))
            if known is None:
                parts.append((index, digest))
                continue
            if parts:
                found.append((parts[-1][0], self._answer(dialect, items, parts, memory)))
                parts = []
            if known:
                found.append((index, known))
        if parts:
            found.append((parts[-1][0], self._answer(dialect, items, parts, memory)))
        return found

    def _answer(
        self, dialect: Dialect, items: Sequence[Raw], parts: Sequence[tuple[int, bytes]], memory: _Memory
    ) -> tuple[Said, ...]:
        digest = hashlib.sha256(b"".join([each for _, each in parts])).digest()
        known = memory.known(digest)
        if known is _UNKNOWN or known is None:
            message = dialect.answer_from([_thin(items[index]) for index, _ in parts])
            made, place = answer_id(self.key, message), _answer_place(self.key, message)
            known = (Said(made, place, False, True, False, False),)
            memory.learn(digest, known)
        return known

    def _read(self, dialect: Dialect, item: Raw) -> tuple[Said, ...] | None:
        piece = dialect.piece(_thin(item))
        match piece.sort:
            case Sort.SYSTEM:
                return ()
            case Sort.MODEL:
                return None
        forms = ((message, canonical(message)) for message in piece.messages)
        return tuple(
            Said(
                message_id(self.key, whole(message)),
                message_id(self.key, form),
                persons_words(message) is not None,
                message.get("role") == "assistant",
                is_summary(message),
                is_errand(message),
            )
            for message, form in forms
            if form
        )

    def _words(self, dialect: Dialect, item: Raw) -> str:
        digest = hashlib.sha256(item).digest()
        words = self._spoken.get(digest)
        if words is None:
            while len(self._spoken) >= _REMEMBERED_WORDS:
                del self._spoken[next(iter(self._spoken))]
            words = self._spoken[digest] = _words_of(dialect, item)
        return words


def _thin(item: Raw) -> dict[str, Any]:
    """An element without its pictures, each of which has become its digest."""
    return element_of(item if memoryview(item).nbytes < _LARGE else Raw(thinned(bytes(item))))


def _words_of(dialect: Dialect, item: Raw) -> str:
    words = [persons_words(message) for message in dialect.piece(_thin(item)).messages]
    return next((each for each in reversed(words) if each is not None), "")
