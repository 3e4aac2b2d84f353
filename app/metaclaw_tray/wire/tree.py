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
from metaclaw_tray.wire.recent import UNKNOWN, Beginnings, Memory, Recent
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import Message, is_errand, is_summary, persons_words, text_of
from metaclaw_tray.wire.thinning import thinned
from metaclaw_tray.wire.trail import Said, Trail

NODE_BYTES = 16
_LARGE = 64 * 1024  # bytes of an element from which on its pictures are left out before it is read
_REMEMBERED_WORDS = 64
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


class Reader:
    """Finds the paths of requests. It remembers elements by a digest of their bytes, and where the requests
    read last led: a conversation of fifty turns comes fifty times, and all but its end is known."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._hash = hashlib.blake2b(digest_size=NODE_BYTES, key=key)  # to be copied, which is quicker
        self._memories: dict[str, Memory] = {}  # by dialect
        self._recent = Recent()
        self._beginnings = Beginnings()
        # What the person said last is asked for with each step of the work on it.
        self._spoken: dict[bytes, str] = {}

    def path(self, dialect: Dialect, request: Request, root: bytes, before: tuple[bytes, ...] = ()) -> Path:
        """The path of a request below `root`. Raises WireError where a message has no canonical form."""
        items = request.items
        trail = self._recent.begun(dialect.name, root, items)
        self._go_on(dialect, items, trail)
        self._recent.keep(dialect.name, items, trail)
        positions, openings, resumed = trail.positions.copy(), trail.openings.copy(), trail.resumed
        words = ""
        if openings:
            place = positions[openings[-1]]
            words = self._words(dialect, items[place], trail.digests[place])
        elif resumed:
            (message,) = dialect.piece(element_of(items[positions[0]])).messages
            words = text_of(message)[-_SUMMARY_WORDS:]
        nodes, ids = trail.nodes.copy(), trail.ids.copy()
        return Path(
            root, nodes, ids, positions, openings, words, resumed, trail.answered, before, trail.errand
        )

    def _go_on(self, dialect: Dialect, items: Sequence[Raw], trail: Trail) -> None:
        """Follow a request from where its trail ends. None in the memory: a part of an answer, which is read
        with its neighbours."""
        memory = self._memories.setdefault(dialect.name, Memory())
        digests = trail.digests
        start = len(digests)
        if not start and items:
            digests.append(self._beginnings.digest(items[0]))
        digests += [hashlib.sha256(item).digest() for item in items[len(digests) :]]
        # An answer may go on in what is new. What the memory has lost may be a part of one.
        while start and memory.known(digests[start - 1]) in (None, UNKNOWN):
            start -= 1
        trail.forget(start)
        parts: list[tuple[int, bytes]] = []
        for index in range(start, len(items)):
            digest = digests[index]
            known = memory.known(digest)
            if known is UNKNOWN:
                known = memory.learn(digest, self._read(dialect, items[index]))
            if known is None:
                parts.append((index, digest))
                continue
            if parts:
                self._add(trail, self._answer(dialect, items, parts, memory), parts[-1][0])
                parts = []
            self._add(trail, known, index)
        if parts:
            self._add(trail, self._answer(dialect, items, parts, memory), parts[-1][0])

    def _add(self, trail: Trail, messages: tuple[Said, ...], position: int) -> None:
        parent = trail.nodes[-1] if trail.nodes else trail.root
        for said in messages:
            made = self._hash.copy()  # as `node` makes it
            made.update(parent + said.place)
            parent = made.digest()
            trail.add(parent, said, position)

    def _answer(
        self, dialect: Dialect, items: Sequence[Raw], parts: Sequence[tuple[int, bytes]], memory: Memory
    ) -> tuple[Said, ...]:
        digest = hashlib.sha256(b"".join([each for _, each in parts])).digest()
        known = memory.known(digest)
        if known is UNKNOWN or known is None:
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
        said: list[Said] = []
        for message in piece.messages:
            if not (form := canonical(message)):
                continue
            made, place = message_id(self.key, whole(message)), message_id(self.key, form)
            if message.get("role") == "user":
                words = persons_words(message) is not None
                said.append(Said(made, place, words, False, is_summary(message), is_errand(message)))
            else:
                said.append(Said(made, place, False, message.get("role") == "assistant", False, False))
        return tuple(said)

    def _words(self, dialect: Dialect, item: Raw, digest: bytes) -> str:
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
