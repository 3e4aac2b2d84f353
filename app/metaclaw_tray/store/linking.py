"""Next states: which turn's request goes on from which turn's answer, and who spoke in between.

What a person says next is what a turn is judged by, so a next state is given once and stays. Two sessions of
an agent that began alike share nodes, and each has its own next states; only a session that goes on with
another one's conversation takes it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.store import turns
from metaclaw_tray.store.reading import Spoken
from metaclaw_tray.store.records import TurnBegun
from metaclaw_tray.store.tables import TurnKind
from metaclaw_tray.store.writing import Answered, OpenTurn, Pen
from metaclaw_tray.wire.said import is_persons


def link_back(
    pen: Pen, record: TurnBegun, spoken: Spoken | None, at: datetime, *, resumed: bool
) -> str | None:
    """Make this request the next state of the turn whose answer is the deepest one on its path; that turn,
    where it can be judged now.

    Answers before the one that the person's last message replies to have had their next state long ago.
    `resumed` says that the request goes on with an answer that the upstream keeps: its root is that answer.
    """
    path, opening = list(record.nodes), record.opening
    if resumed:
        path, opening = [record.root, *path], opening + 1
    first = max(opening - 1, 0)
    while first > resumed and spoken is not None and spoken.at(first - resumed).get("role") == "tool":
        first -= 1  # the person spoke while a tool was at work: the answer stands before its result
    if len(path) - first < 2:
        return None
    waiting = {each.answer_node: each for each in _waiting(pen, record, path, path[first:-1])}
    for place in range(len(path) - 2, first - 1, -1):
        answered = waiting.get(path[place])
        if answered is not None:
            by_person = record.opening >= 0 and opening > place
            return _linked(pen, answered, record.turn_id, at, by_person=by_person)
    return None


def link_forward(db: Db, pen: Pen, turn_id: str, begun: OpenTurn, answer: bytes, at: datetime) -> str | None:
    """Find the next state of a turn whose next request was recorded before its answer: rare, but a fast
    client can do it. The turn, where it can be judged now."""
    if begun.kind != TurnKind.MAIN:
        return None
    for later, tip in pen.later(begun.session_id, turn_id):
        below = turns.path(db, tip, above=answer)
        if below and below[0].parent == answer:
            answered = Answered(turn_id, answer, begun.exchange_id, begun.session_id)
            by_person = any(is_persons(turns.body(db, each.message_id)) for each in below)
            return _linked(pen, answered, later, at, by_person=by_person)
    return None


def _waiting(pen: Pen, record: TurnBegun, path: Sequence[bytes], answers: Sequence[bytes]) -> list[Answered]:
    """The turns that may have this request for their next state, oldest first: those of its session. Another
    session's only where its own has not been here before, so that it goes on with what the other began."""
    found = pen.without_next_state(answers, record.turn_id)
    own = [each for each in found if each.session_id == record.session_id]
    if own or not found or pen.has_been(record.session_id, path[:-1], record.turn_id):
        return own
    return found


def _linked(pen: Pen, answered: Answered, following: str, at: datetime, *, by_person: bool) -> str | None:
    linked = pen.link(answered.turn_id, following, "person" if by_person else "tool")
    if not linked or not by_person or answered.exchange_id is None:
        return None
    return answered.turn_id if pen.due(answered.turn_id, at) else None
