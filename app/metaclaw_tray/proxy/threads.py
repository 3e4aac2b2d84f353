"""Threads that an upstream keeps itself: a client goes on with one by `previous_response_id`, or names the
`conversation` that it belongs to.

The request then holds only what is new. What came before it, as far as we saw it, is remembered here by the
id that the client goes on with.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from hashlib import blake2b

from msgspec import Struct, structs

from metaclaw_tray.wire.answer_responses import final_answer
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.tree import Path, answer_node, kept_root, root_of

_REMEMBERED = 5_000
_LONGEST = 200  # characters of an id that is kept as it is


class Thread(Struct, frozen=True, gc=False):
    """Where a response stands in the tree."""

    agent: str
    session_id: str
    tip: bytes  # the node of the response itself
    openings: tuple[bytes, ...]  # the person's messages before it, oldest first
    headed: bool  # the first block stood in `instructions`, which travel with each request


class Before(Struct, frozen=True, gc=False):
    """What a request goes on with."""

    root: bytes  # the parent of its first message
    kept: bool = False  # an upstream keeps what came before, whether we saw it or not
    thread: Thread | None = None  # as far as we saw it


class Threads:
    """Threads by agent and by the id that goes on with them, the 5,000 used last."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: OrderedDict[tuple[str, str], Thread] = OrderedDict()

    def load(self, threads: Iterable[tuple[str, Thread]]) -> None:
        """Take up what earlier runs left, oldest first."""
        for name, thread in threads:
            self.put(name, thread)

    def put(self, name: str, thread: Thread) -> None:
        """`name` is the response's id, or the conversation's as `conversation_of` says it."""
        known = (thread.agent, name)
        self._known[known] = thread
        self._known.move_to_end(known)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def let_go(self, nodes: Collection[bytes]) -> None:
        """These nodes left the record: a thread that goes on from one of them begins anew."""
        for known in [each for each, thread in self._known.items() if thread.tip in nodes]:
            del self._known[known]

    def before(self, agent: str, request: Request) -> Before:
        """What a request goes on with."""
        previous = request.value("previous_response_id")
        if isinstance(previous, str) and previous:
            name = _short(previous)
            parent = f"response {name}"
        elif name := conversation_of(request):
            parent = name
        else:
            return Before(root_of(self._key, agent))
        thread = self._known.get((agent, name))
        if thread is None:
            return Before(kept_root(self._key, agent, parent), kept=True)
        return Before(thread.tip, kept=True, thread=thread)

    def answered(
        self, thread: Thread, path: Path, conversation: str, body: bytes, content_type: str
    ) -> list[tuple[str, Thread]]:
        """Remember an answer that the upstream keeps: the names by which a client may go on with it, and the
        thread. `thread` says whose it is; where it stands now follows from `path` and the answer."""
        answer = final_answer(body, content_type)
        if answer is None or answer.message is None or not answer.answer_id:
            return []
        openings = (*path.before, *(path.nodes[place] for place in path.openings))
        tip = answer_node(self._key, path.tip, answer.message)
        grown = structs.replace(thread, tip=tip, openings=openings)
        names = [_short(answer.answer_id), *([conversation] if conversation else [])]
        for name in names:
            self.put(name, grown)
        return [(name, grown) for name in names]


def is_kept(request: Request) -> bool:
    """Whether the upstream keeps the answer, so that a client may go on with it."""
    return bool(conversation_of(request)) or bytes(request.fields.get("store", b"null")) != b"false"


def conversation_of(request: Request) -> str:
    """The name of the conversation that a request belongs to, unlike any response's; "" where it belongs to
    none. Some clients send the id alone, some an object that holds it."""
    if "conversation" not in request.fields:
        return ""
    kept = request.value("conversation")
    if isinstance(kept, dict):
        kept = kept.get("id")
    return f"conversation {_short(kept)}" if isinstance(kept, str) and kept else ""


def _short(name: str) -> str:
    """An id that is too long to be kept as its digest."""
    if len(name) <= _LONGEST:
        return name
    return blake2b(name.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
