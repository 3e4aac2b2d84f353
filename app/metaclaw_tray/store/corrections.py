"""What a message is about that is itself a remark: the request before it.

"No, in capitals" opens an exchange of its own, and is no request: alone it asks for nothing. What was asked
stands in the exchange whose answer the remark was about, or further up, where that one opened with a remark
too. A request that was made again in full words is a request.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import text
from sqlmodel import Session, col, select

from metaclaw_tray.store import turns
from metaclaw_tray.store.tables import Evidence, Exchange, Turn
from metaclaw_tray.store.turns import Conversation

_STEPS = 20  # remarks in a row that are followed back, or forward

_ABOUT = text(
    "SELECT follower.exchange_id, before.exchange_id"
    " FROM turn AS follower JOIN turn AS before ON before.next_turn_id = follower.id"
    " WHERE follower.exchange_id IN (SELECT value FROM json_each(:wanted))"
    " AND before.exchange_id <> follower.exchange_id"
    " AND EXISTS (SELECT 1 FROM evidence WHERE evidence.exchange_id = before.exchange_id"
    " AND evidence.turn_id = before.id AND evidence.kind IN ('correction', 'instruction')"
    " AND evidence.value = -1)"
    " AND NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.turn_id = before.id AND verdict.score = 1)"
)


def requests_behind(session: Session, exchange_ids: Iterable[str]) -> dict[str, str]:
    """Of these exchanges those that open with a remark, each with the exchange in which it was asked for
    what the remark is about."""
    found = _about(session, exchange_ids)
    for _ in range(_STEPS):
        further = _about(session, set(found.values()))
        if not further:
            break
        found = {exchange: further.get(behind, behind) for exchange, behind in found.items()}
    return found


def conversation_about(session: Session, turn_id: str) -> Conversation:
    """What is known of a turn's conversation, as that of the request it is about: the remarks that came after
    that stand in the next state, with what was answered meanwhile. Raises NotFoundError."""
    told = turns.conversation(session, turn_id)
    exchange_id = told.turn.exchange_id
    behind = requests_behind(session, [exchange_id]).get(exchange_id) if exchange_id else None
    asked = session.get(Exchange, behind) if behind else None
    if asked is None:
        return told
    nodes = [node.id for node in turns.path(session, told.turn.request_node)]
    if asked.opening not in nodes:  # the client cut its history
        return told
    end = nodes.index(asked.opening) + 1
    return replace(told, request=told.request[:end], next_state=(*told.request[end:], *told.next_state))


def last_corrected(session: Session, turn: Turn) -> Turn:
    """The last answer to the same request that the person corrected, from this one on, which they did."""
    for _ in range(_STEPS):
        after = session.get(Turn, turn.next_turn_id) if turn.next_turn_id else None
        if after is None or after.exchange_id is None or not _about(session, [after.exchange_id]):
            return turn
        made = turns.turns_of(session, after.exchange_id)
        answered = next((each for each in reversed(made) if each.next_turn_id), None)
        again = session.get(Turn, answered.next_turn_id) if answered else None
        if answered is None or again is None or again.exchange_id is None:
            return turn
        if _about(session, [again.exchange_id]).get(again.exchange_id) != after.exchange_id:
            return turn
        turn = answered
    return turn


def remarks_on(session: Session, exchange_ids: Sequence[str], behind: Mapping[str, str]) -> dict[str, str]:
    """What the person said about the answers of these exchanges, by exchange: the latest of it, behind the
    remark that they open with, where they do (`behind`, as `requests_behind` gives it)."""
    said = _latest(session, {*exchange_ids, *behind.values()})
    found = {}
    for exchange in exchange_ids:
        parts = dict.fromkeys((said.get(behind.get(exchange, ""), ""), said.get(exchange, "")))
        if any(parts):
            found[exchange] = "\n".join(filter(None, parts))
    return found


def _latest(session: Session, exchange_ids: Collection[str]) -> dict[str, str]:
    query = select(Evidence.id, Evidence.exchange_id, Evidence.text).where(
        col(Evidence.exchange_id).in_(exchange_ids), col(Evidence.kind) == "correction"
    )
    return {exchange_id: said for _, exchange_id, said in sorted(session.exec(query))}


def _about(session: Session, exchange_ids: Iterable[str]) -> dict[str, str]:
    """The exchanges that open with a remark, each with the one whose answer it was about."""
    rows = session.execute(_ABOUT, {"wanted": json.dumps(list(exchange_ids))})
    return {str(exchange): str(before) for exchange, before in rows}
