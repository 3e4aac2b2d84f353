"""Named queries for the tray: the newest exchange, its conversation, the day's count, who talks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables import Evidence, Exchange, Node, Session, Turn
from metaclaw_tray.store.turns import body
from metaclaw_tray.wire.said import persons_words

_FEEDBACK = "feedback"  # the kind of evidence that a thumb is


@dataclass(frozen=True)
class Latest:
    """The newest exchange whose turns are kept, and its conversation."""

    exchange: Exchange
    thumb: int  # 1, -1; 0 where the person gave none
    session: Session
    words: str  # how the person began the conversation


def latest(db: Db) -> Latest | None:
    """None where nothing was asked yet."""
    kept = select(Turn.id).where(Turn.exchange_id == Exchange.id).exists()
    newest = select(Exchange).where(kept).order_by(col(Exchange.started_at).desc(), col(Exchange.id).desc())
    exchange = db.exec(newest.limit(1)).first()
    session = db.get(Session, exchange.session_id) if exchange is not None else None
    if exchange is None or session is None:
        return None
    return Latest(exchange, _thumb(db, exchange.id), session, _opening_words(db, session.id))


def exchanges_since(db: Db, moment: datetime) -> int:
    """How many exchanges began since then."""
    return db.exec(select(func.count()).select_from(Exchange).where(col(Exchange.started_at) >= moment)).one()


def talking_since(db: Db, moment: datetime) -> list[str]:
    """The agents that asked for something since then, the busiest first."""
    busy = select(Turn.agent).where(col(Turn.begun_at) >= moment)
    return list(db.exec(busy.group_by(col(Turn.agent)).order_by(func.count().desc(), col(Turn.agent))))


def first_agent(db: Db) -> str:
    """An agent that was served; "" where none was yet."""
    return db.exec(select(Turn.agent).order_by(col(Turn.id)).limit(1)).first() or ""


def _thumb(db: Db, exchange_id: str) -> int:
    given = select(Evidence.value).where(Evidence.exchange_id == exchange_id, Evidence.kind == _FEEDBACK)
    return db.exec(given.order_by(col(Evidence.at).desc(), col(Evidence.id).desc()).limit(1)).first() or 0


def _opening_words(db: Db, session_id: str) -> str:
    first = select(Exchange.opening).where(Exchange.session_id == session_id)
    opening = db.exec(first.order_by(col(Exchange.started_at)).limit(1)).first()
    node = db.get(Node, opening) if opening is not None else None
    words = persons_words(body(db, node.message_id)) if node is not None else None
    return " ".join((words or "").split())
