"""Named queries over turns, sessions, exchanges and the conversation tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, text
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store.tables import (
    Claim,
    Exchange,
    Injection,
    Message,
    Meta,
    Node,
    Notice,
    Session,
    Turn,
    TurnKind,
    TurnOutcome,
    Verdict,
)

_LISTED = 50


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
    return [_view(db, turn) for turn in db.exec(query)]


def turn(db: Db, turn_id: str) -> TurnView:
    """One turn: by its id, by the beginning of it where that names one turn, or the newest as `last`.

    Raises NotFoundError.
    """
    query = select(Turn).order_by(col(Turn.id).desc()).limit(2)
    if turn_id != "last":
        query = query.where(col(Turn.id).startswith(turn_id, autoescape=True))
    found = list(db.exec(query)) if turn_id else []
    if not found or (len(found) > 1 and turn_id not in ("last", found[0].id, found[1].id)):
        detail = f"{turn_id} names several" if found else turn_id
        raise NotFoundError("No such turn", detail, "`metaclaw-tray turns list` shows the newest.")
    return _view(db, next((each for each in found if each.id == turn_id), found[0]))


def turns_of(db: Db, exchange_id: str) -> list[Turn]:
    """The main turns of an exchange, oldest first."""
    query = select(Turn).where(Turn.exchange_id == exchange_id, Turn.kind == TurnKind.MAIN).order_by(Turn.id)
    return list(db.exec(query))


def exchange(db: Db, exchange_id: str) -> Exchange:
    """One exchange; `last` is the newest. Raises NotFoundError."""
    if exchange_id == "last":
        found = db.exec(select(Exchange).order_by(col(Exchange.started_at).desc()).limit(1)).first()
    else:
        found = db.get(Exchange, exchange_id)
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
    of = turn(db, turn_id).turn
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


def settings_of(db: Db, of: Turn) -> dict[str, Any]:
    """The request less its messages (tools, temperature …), redacted."""
    return body(db, of.settings_id) if of.settings_id else {}


def injections(db: Db, *, limit: int) -> list[Injection]:
    """The newest injected blocks, oldest of them first, for the proxy's memory."""
    newest = list(db.exec(select(Injection).order_by(col(Injection.at).desc()).limit(limit)))
    return newest[::-1]


def injections_on(db: Db, leaf: bytes, session_id: str) -> list[Injection]:
    """The blocks that stood on the path to `leaf`, root first: the session's own, else the latest."""
    nodes = path(db, leaf)
    candidates = sorted(
        _by_anchor(db, [node.id for node in nodes]), key=lambda each: (each.session_id == session_id, each.at)
    )
    found = {each.anchor: each for each in candidates}
    return [found[node.id] for node in nodes if node.id in found]


def _by_anchor(db: Db, anchors: list[bytes]) -> Iterable[Injection]:
    for start in range(0, len(anchors), 500):
        yield from db.exec(select(Injection).where(col(Injection.anchor).in_(anchors[start : start + 500])))


def _view(db: Db, of: Turn) -> TurnView:
    verdict = db.exec(select(Verdict).where(Verdict.turn_id == of.id)).first()
    claim = db.get(Claim, of.exchange_id) if of.exchange_id else None
    skills = tuple(
        name for block in injections_on(db, of.request_node, of.session_id) for name in block.skills
    )
    return TurnView(of, verdict, claim.use if claim else "", skills)


def end_session(db: Db, session_id: str, reason: str, at: datetime) -> None:
    """Mark a session ended; once ended it keeps its first reason."""
    found = db.get(Session, session_id)
    if found is not None and found.ended_at is None:
        found.ended_at, found.end_reason = at, reason
        db.add(found)


def lose_open_turns(db: Db, at: datetime) -> int:
    """Mark turns whose end was never recorded as lost. For the start of a scribe; returns how many."""
    lost = list(db.exec(select(Turn).where(Turn.outcome == TurnOutcome.OPEN)))
    for each in lost:
        each.outcome, each.ended_at, each.error = TurnOutcome.LOST, at, "the program ended first"
        db.add(each)
    return len(lost)


def dropped_records(db: Db) -> int:
    """How many records the proxy ever had to drop."""
    total = db.exec(select(func.sum(Notice.count)).where(Notice.kind == "dropped")).one()
    return int(total or 0)


def notices(db: Db, *, limit: int = _LISTED) -> list[Notice]:
    """What did not happen, and why, newest first."""
    return list(db.exec(select(Notice).order_by(col(Notice.at).desc()).limit(limit)))
