"""A person's thumb: the strongest evidence there is; and what a program says in its place, which is none."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from metaclaw_tray.learning.evidence import PROGRAM, pieces_of_thumb
from metaclaw_tray.redact import redact_text
from metaclaw_tray.store import learning, turns
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.tables import Exchange

PERSONS_WORD = "the person's own word"


def take_feedback(session: Session, exchange: Exchange, up: bool, note: str, now: datetime) -> None:
    """Keep a thumb. It is the verdict on the exchange's last turn, whatever the judge made of that; and a
    note with a thumb down says what to do from now on, which is enough for one run of the evolver."""
    words, _ = redact_text(note)
    made = turns.turns_of(session, exchange.id)
    last = made[-1].id if made else None
    learning.add_evidence(session, exchange.id, pieces_of_thumb(up, words), now, last)
    if last is None:
        return
    ruling = Ruling(
        score=1 if up else -1,
        votes=(),
        reason=words or f"thumb {'up' if up else 'down'}",
        kind=PERSONS_WORD if words and not up else "",
        instruction="" if up else words,
    )
    learning.overrule(session, last, exchange.id, ruling, "person", now)


def take_report(session: Session, exchange: Exchange, up: bool, note: str, now: datetime) -> None:
    """Keep what a program said of an exchange, as its own word: any process of the person's can say it. It is
    no verdict, and no model that writes, judges or measures reads it."""
    words, _ = redact_text(note)
    made = turns.turns_of(session, exchange.id)
    piece = Piece("report", 1 if up else -1, PROGRAM, words)
    learning.add_evidence(session, exchange.id, [piece], now, made[-1].id if made else None)
