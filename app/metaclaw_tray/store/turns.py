"""Named queries over turns, sessions, exchanges and the conversation tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import text, update
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store.standing import Standing
from metaclaw_tray.store.tables import (
    IS_OPEN,
    OBSERVED,
    Claim,
    Exchange,
    Injection,
    Message,
    Meta,
    Node,
    Notice,
    Session,
    Thread,
    Turn,
    TurnKind,
    TurnOutcome,
    Verdict,
)

_LISTED = 50
_AFTER_ALL = "\U0010ffff"  # sorts after each character of an id


@dataclass(frozen=True)
class TurnView:
    """A turn with what is known about its exchange."""

    turn: Turn
    verdict: Verdict | None
    claim: str  # the use its exchange is claimed for; empty where it is free
    skills: tuple[str, ...]  # "name@version", those that stood on its path


@dataclass(frozen=True)
class Conversation:
    """What a turn saw, what it answered and what came next: messages as they were sent, redacted."""

    turn: Turn
    system: str
    request: tuple[dict[str, Any], ...]
    answer: dict[str, Any] | None
    next_state: tuple[dict[str, Any], ...]  # messages after the answer in the next request


def node_key(db: Db) -> bytes:
    """The key of this installation's node hashes (32 bytes)."""
    found = db.get(Meta, "node_key")
    if found is None:
        raise NotFoundError("The database has no node key", "meta", "Put back the copy made beside the file.")
    return found.value


def turns(
    db: Db,
    *,
    limit: int = _LISTED,
    session_id: str | None = None,
    agent: str | None = None,
    exchange_id: str | None = None,
) -> list[TurnView]:
    """The newest turns, newest first."""
    query = select(Turn).order_by(col(Turn.id).desc()).limit(limit)
    if session_id is not None:
        query = query.where(Turn.session_id == session_id)
    if agent is not None:
        query = query.where(Turn.agent == agent)
    if exchange_id is not None:
        query = query.where(Turn.exchange_id == exchange_id)
    return _views(db, list(db.exec(query)))


def turn(db: Db, turn_id: str) -> TurnView:
    """One turn: by its id, by the beginning of it where that names one turn, or the newest as `last`.

    Raises NotFoundError.
    """
    return _views(db, [_turn(db, turn_id)])[0]


def _turn(db: Db, turn_id: str) -> Turn:
    whole = db.get(Turn, turn_id)
    if whole is not None:
        return whole
    query = select(Turn).order_by(col(Turn.id).desc())
    if turn_id == "last":
        query = query.limit(1)
    else:
        # A range, unlike LIKE, is found by the index.
        query = query.where(col(Turn.id) >= turn_id, col(Turn.id) < turn_id + _AFTER_ALL).limit(2)
    found = list(db.exec(query)) if turn_id else []
    if len(found) != 1:
        detail = f"{turn_id} names several" if found else turn_id
        raise NotFoundError("No such turn", detail, "`metaclaw-tray turns list` shows the newest.")
    return found[0]


def turns_of(db: Db, exchange_id: str) -> list[Turn]:
    """The main turns of an exchange, oldest first."""
    query = select(Turn).where(Turn.exchange_id == exchange_id, Turn.kind == TurnKind.MAIN).order_by(Turn.id)
    return list(db.exec(query))


def answered_by(db: Db, turn_id: str) -> list[str]:
    """The turns whose answers stand in a turn's exchange, oldest first, itself last: one for each answer on
    its path, so that the n-th answer of the exchange is the n-th of these."""
    of = _turn(db, turn_id)
    on_path = {node.id: node.depth for node in path(db, of.request_node)}
    found: dict[int, str] = {}
    for each in turns_of(db, of.exchange_id or ""):
        if each.answer_node is not None and each.answer_node in on_path:
            found.setdefault(on_path[each.answer_node], each.id)
    return [*(found[depth] for depth in sorted(found)), of.id]


def exchange(db: Db, exchange_id: str) -> Exchange:
    """One exchange, by its id or by that of one of its turns; `last` is the newest. Raises NotFoundError."""
    if exchange_id == "last":
        # One whose turns were forgotten stays for the sake of its claim, and is nobody's last.
        kept = select(Turn.id).where(Turn.exchange_id == Exchange.id).exists()
        newest = select(Exchange).where(kept).order_by(col(Exchange.started_at).desc())
        found = db.exec(newest.limit(1)).first()
    else:
        found = db.get(Exchange, exchange_id)
        named = db.get(Turn, exchange_id) if found is None else None
        if named is not None and named.exchange_id is not None:
            found = db.get(Exchange, named.exchange_id)
    if found is None:
        raise NotFoundError("No such exchange", exchange_id, "`metaclaw-tray turns list` shows them.")
    return found


def sessions(db: Db, *, limit: int = _LISTED, agent: str | None = None) -> list[Session]:
    """The newest sessions, newest first."""
    query = select(Session).order_by(col(Session.started_at).desc()).limit(limit)
    if agent is not None:
        query = query.where(Session.agent == agent)
    return list(db.exec(query))


def session(db: Db, session_id: str) -> Session:
    """One session. Raises NotFoundError."""
    found = db.get(Session, session_id)
    if found is None:
        raise NotFoundError("No such session", session_id, "`metaclaw-tray sessions list` shows the newest.")
    return found


def path(db: Db, leaf: bytes, *, above: bytes | None = None) -> list[Node]:
    """The nodes from the root to `leaf`, root first; only those below `above` where it is given."""
    rows = db.execute(
        text(
            "WITH RECURSIVE up(id, parent, message_id, depth) AS ("
            " SELECT id, parent, message_id, depth FROM node WHERE id = :leaf"
            " UNION ALL SELECT n.id, n.parent, n.message_id, n.depth FROM node n JOIN up ON n.id = up.parent"
            " WHERE up.id IS NOT :above AND up.parent IS NOT :above)"
            " SELECT id, parent, message_id, depth FROM up WHERE id IS NOT :above ORDER BY depth"
        ),
        {"leaf": leaf, "above": above},
    )
    return [Node(id=row.id, parent=row.parent, message_id=row.message_id, depth=row.depth) for row in rows]


def messages(db: Db, nodes: Sequence[Node]) -> list[dict[str, Any]]:
    """The messages at these nodes, in their order."""
    return [body(db, node.message_id) for node in nodes]


def body(db: Db, message_id: bytes) -> dict[str, Any]:
    """One stored message, as parsed JSON."""
    found = db.get(Message, message_id)
    if found is None:
        return {"role": "missing", "content": "[no longer kept]"}
    parsed: dict[str, Any] = msgspec.json.decode(found.body)
    return parsed


def conversation(db: Db, turn_id: str) -> Conversation:
    """All that is known of one turn's conversation. Raises NotFoundError."""
    of = _turn(db, turn_id)
    answer, following = None, []
    if of.answer_node is not None:
        node = db.get(Node, of.answer_node)
        answer = body(db, node.message_id) if node else None
        after = db.get(Turn, of.next_turn_id) if of.next_turn_id else None
        if after is not None:
            following = messages(db, path(db, after.request_node, above=of.answer_node))
    return Conversation(
        turn=of,
        system=str(body(db, of.system_id).get("content", "")) if of.system_id else "",
        request=tuple(messages(db, path(db, of.request_node))),
        answer=answer,
        next_state=tuple(following),
    )


def injections(db: Db, *, limit: int, since: datetime) -> list[Injection]:
    """The newest injected blocks, oldest of them first, for the proxy's memory."""
    query = select(Injection).where(col(Injection.at) >= since).order_by(col(Injection.at).desc())
    return list(db.exec(query.limit(limit)))[::-1]


def threads(db: Db, *, limit: int, since: datetime) -> list[Thread]:
    """The newest answers that upstreams keep, oldest of them first, for the proxy's memory."""
    query = select(Thread).where(col(Thread.at) >= since).order_by(col(Thread.at).desc())
    return list(db.exec(query.limit(limit)))[::-1]


def observed_sessions(db: Db) -> list[str]:
    """The sessions into whose requests nothing is put."""
    return list(db.exec(select(Session.id).where(text(OBSERVED))))


def injections_on(db: Db, leaf: bytes, session_id: str) -> list[Injection]:
    """The blocks that stood on the path to `leaf`, root first: the session's own, else the latest."""
    found = (db.get(Injection, key) for key in Standing(db, [leaf]).anchors(leaf, session_id))
    return [each for each in found if each is not None]


def _views(db: Db, of: Sequence[Turn]) -> list[TurnView]:
    """Turns with what is known of them: a few statements, however many there are."""
    standing = Standing(db, (each.request_node for each in of))
    ids = [each.id for each in of]
    verdicts = {each.turn_id: each for each in db.exec(select(Verdict).where(col(Verdict.turn_id).in_(ids)))}
    exchanges = {each.exchange_id for each in of if each.exchange_id}
    claimed = select(Claim.exchange_id, Claim.use).where(col(Claim.exchange_id).in_(exchanges))
    uses = dict(db.exec(claimed).all())
    return [
        TurnView(
            turn=each,
            verdict=verdicts.get(each.id),
            claim=uses.get(each.exchange_id or "", ""),
            skills=standing.skills(each.request_node, each.session_id),
        )
        for each in of
    ]


def lose_open_turns(db: Db, at: datetime) -> int:
    """Mark turns whose end was never recorded as lost. For the start of a scribe; returns how many."""
    lost = (
        update(Turn)
        .where(text(IS_OPEN))
        .values(outcome=TurnOutcome.LOST, ended_at=at, error="the program ended first")
    )
    return db.connection().execute(lost).rowcount


def notices(db: Db, *, limit: int = _LISTED) -> list[Notice]:
    """What did not happen, and why, newest first."""
    return list(db.exec(select(Notice).order_by(col(Notice.at).desc()).limit(limit)))
