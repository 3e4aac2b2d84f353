"""Threads that an upstream keeps itself: a client goes on with one by `previous_response_id`.

The request then holds only what is new. What came before it, as far as we saw it, is remembered here by the
response's id.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable

from msgspec import Struct

from metaclaw_tray.wire.answer_responses import final_answer
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.tree import Path, answer_node, kept_root, root_of

_REMEMBERED = 5_000


class Thread(Struct, frozen=True, gc=False):
    """Where a response stands in the tree."""

    agent: str
    session_id: str
    tip: bytes  # the node of the response itself
    openings: tuple[bytes, ...]  # the person's messages before it, oldest first
    headed: bool  # the first block stood in `instructions`, which travel with each request


class Threads:
    """Threads by the id of their last response, the 5,000 used last."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: OrderedDict[str, Thread] = OrderedDict()

    def load(self, threads: Iterable[tuple[str, Thread]]) -> None:
        """Take up what earlier runs left, oldest first."""
        for response_id, thread in threads:
            self.put(response_id, thread)

    def put(self, response_id: str, thread: Thread) -> None:
        self._known[response_id] = thread
        self._known.move_to_end(response_id)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def let_go(self, nodes: Collection[bytes]) -> None:
        """These nodes left the record: a thread that goes on from one of them begins anew."""
        for response_id in [each for each, thread in self._known.items() if thread.tip in nodes]:
            del self._known[response_id]

    def before(self, agent: str, request: Request) -> tuple[bytes, Thread | None]:
        """The parent of a request's first message, and the thread that it goes on with, if it is known."""
        previous = request.value("previous_response_id")
        if isinstance(previous, str) and previous:
            thread = self._known.get(previous)
            if thread is not None and thread.agent == agent:
                return thread.tip, thread
            return kept_root(self._key, agent, f"response {previous}"), None
        kept = request.fields.get("conversation")
        if kept is not None and bytes(kept) != b"null":
            return kept_root(self._key, agent, f"conversation {bytes(kept)!r}"), None
        return root_of(self._key, agent), None

    def answered(
        self, agent: str, session_id: str, path: Path, headed: bool, body: bytes, content_type: str
    ) -> tuple[str, Thread] | None:
        """Remember an answer that the upstream keeps; its id and thread, or None where it holds neither."""
        answer = final_answer(body, content_type)
        if answer is None or answer.message is None or not answer.answer_id:
            return None
        openings = (*path.before, *(path.nodes[place] for place in path.openings))
        tip = answer_node(self._key, path.tip, answer.message)
        thread = Thread(agent, session_id, tip, openings, headed)
        self.put(answer.answer_id, thread)
        return answer.answer_id, thread


def is_kept(request: Request) -> bool:
    """Whether the upstream keeps the answer, so that a client may go on with it by its id."""
    return bytes(request.fields.get("store", b"null")) != b"false"
