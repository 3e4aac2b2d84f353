"""Answers of the learning model, kept by content: what was asked once is read again, not paid again.

The key is a hash of everything that decides the answer, so a run that was killed finds what it has asked
already. Answers quote what they are about, and go with it: when a person forgets anything, all of them; when
turns are no longer kept, those that are about one of these, or of which it is not known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import delete
from sqlmodel import Session, col

from metaclaw_tray.store.tables_learning import KeptAnswer

KEPT_FOR = timedelta(days=30)

_order = msgspec.json.Encoder(order="sorted")


def key_of(*parts: Any) -> bytes:
    """The key of an answer: equal for equal parts, in whatever order the fields of their objects stand."""
    return hashlib.sha256(_order.encode(parts)).digest()


def find(session: Session, key: bytes, now: datetime) -> Any | None:
    """What was answered, as parsed JSON; None where it was not asked, or too long ago."""
    found = session.get(KeptAnswer, key)
    if found is None or found.at < now - KEPT_FOR:
        return None
    return msgspec.json.decode(found.body)


def keep(
    session: Session,
    key: bytes,
    purpose: str,
    answer: Mapping[str, Any],
    now: datetime,
    *,
    about: Sequence[str] | None = None,
) -> None:
    """Keep an answer in place of one that may be there, and let go of those that are too old. `about`: the
    ids of all exchanges whose words it may quote; None where that is not known."""
    drop_old(session, now)
    body = msgspec.json.encode(dict(answer) if about is None else {**answer, "about": about})
    session.merge(KeptAnswer(key=key, purpose=purpose, body=body, at=now))


def drop_old(session: Session, now: datetime) -> None:
    session.connection().execute(delete(KeptAnswer).where(col(KeptAnswer.at) < now - KEPT_FOR))
