"""The conversation tree: a node is a keyed hash of (parent, message), a request is a path.

Messages of the roles system and developer are no nodes: they hold volatile text (dates, tool lists), and a
conversation stays the same conversation when they change.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from msgspec import Struct

from metaclaw_tray.wire.canonical import Message, canonical, canonical_answer
from metaclaw_tray.wire.chat import ChatRequest, is_system, persons_words

NODE_BYTES = 16


class Path(Struct, frozen=True, gc=False):
    """Where a request stands in the tree."""

    root: bytes  # the parent of every first message of this agent
    nodes: list[bytes]  # one per message that is not system text, root first
    positions: list[int]  # for each node, the index of its message in the request
    openings: list[int]  # indices in `nodes` of the person's messages, oldest first
    words: str  # what the person said last

    @property
    def opening(self) -> int:
        """Index in `nodes` of the person's last message; -1 where there is none."""
        return self.openings[-1] if self.openings else -1

    @property
    def tip(self) -> bytes:
        """The node that an answer to this request follows."""
        return self.nodes[-1] if self.nodes else self.root

    @property
    def ends_with_the_person(self) -> bool:
        """Whether the last message is the person's own, so that a new exchange begins here."""
        return bool(self.nodes) and self.opening == len(self.nodes) - 1


@lru_cache(maxsize=256)
def root_of(key: bytes, agent: str) -> bytes:
    """The parent of an agent's first messages, so that two agents never share a node."""
    return hashlib.blake2b(agent.encode(), digest_size=NODE_BYTES, key=key, person=b"agent").digest()


def node(key: bytes, parent: bytes, canonical_message: bytes) -> bytes:
    """The node of a message under its parent. `key` (at most 64 bytes) is the installation's own, so that
    nobody can tell from a node what was said."""
    return hashlib.blake2b(parent + canonical_message, digest_size=NODE_BYTES, key=key).digest()


def answer_node(key: bytes, parent: bytes, message: Message) -> bytes:
    """The node of an answer, equal to that of the message which the client sends back later."""
    return node(key, parent, canonical_answer(message))


def path_of(request: ChatRequest, key: bytes, agent: str) -> Path:
    """The path of a request. Raises WireError where a message has no canonical form."""
    root = parent = root_of(key, agent)
    nodes: list[bytes] = []
    positions: list[int] = []
    openings: list[int] = []
    words = ""
    for position, message in enumerate(request.messages):
        if is_system(message):
            continue
        said = persons_words(message)
        if said is not None:
            words = said
            openings.append(len(nodes))
        parent = node(key, parent, canonical(message))
        nodes.append(parent)
        positions.append(position)
    return Path(root, nodes, positions, openings, words)
