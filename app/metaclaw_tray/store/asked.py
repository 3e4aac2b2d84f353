"""What the person asked: the words of the messages that exchanges began with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables import Exchange, Node, Turn, TurnKind
from metaclaw_tray.store.turns import body
from metaclaw_tray.wire.said import persons_words


@dataclass(frozen=True)
class Asked:
    """An exchange by the person's own words, redacted."""

    exchange_id: str
    session_id: str
    words: str


def asked_in(db: Db, turn_ids: Sequence[str]) -> list[Asked]:
    """What the exchanges of these turns began with, in the order of the turns; the last of each session only.
    Side turns are in no exchange and give nothing."""
    query = (
        select(Turn.id, Exchange)
        .join(Exchange, col(Exchange.id) == col(Turn.exchange_id))
        .where(col(Turn.id).in_(turn_ids), Turn.kind == TurnKind.MAIN)
    )
    exchanges = dict(db.exec(query).all())
    last = {exchange.session_id: exchange for turn in turn_ids if (exchange := exchanges.get(turn))}
    return [_asked(db, exchange) for exchange in last.values()]


def asked_since(db: Db, since: datetime, limit: int) -> list[Asked]:
    """What the newest exchanges began with, newest first; each wording once."""
    query = select(Exchange).where(col(Exchange.started_at) >= since)
    found: dict[str, Asked] = {}
    for exchange in db.exec(query.order_by(col(Exchange.started_at).desc()).limit(limit)):
        asked = _asked(db, exchange)
        if asked.words:
            found.setdefault(asked.words, asked)
    return list(found.values())


def _asked(db: Db, exchange: Exchange) -> Asked:
    opening = db.get(Node, exchange.opening)
    words = persons_words(body(db, opening.message_id)) if opening is not None else None
    return Asked(exchange.id, exchange.session_id, words or "")
