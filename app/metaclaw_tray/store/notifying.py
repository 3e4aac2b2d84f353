"""Named queries about notifications: what waits to be told, and what was told already."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.tables_desktop import Notification


def announce(db: Db, key: str, kind: str, facts: dict[str, Any], now: datetime) -> None:
    """Have something told by a notification, once; a key that is known already changes nothing."""
    if db.get(Notification, key) is None:
        db.add(Notification(key=key, kind=kind, facts=facts, at=now))


def announced(db: Db, kind: str, since: datetime) -> list[Notification]:
    """What waits to be told of this kind, oldest first; what happened before `since` is no news any more."""
    waiting = select(Notification).where(Notification.kind == kind, col(Notification.shown_at).is_(None))
    waiting = waiting.where(col(Notification.at) >= since)
    return list(db.exec(waiting.order_by(col(Notification.at), col(Notification.key))))


def told(db: Db, keys: Collection[str]) -> set[str]:
    """Those of the keys that the person was told of."""
    of = select(Notification.key).where(col(Notification.key).in_(keys))
    return set(db.exec(of.where(col(Notification.shown_at).is_not(None))))


def told_since(db: Db, moment: datetime) -> int:
    """How many notifications were shown since then; what was told together counts once."""
    count = select(func.count(func.distinct(Notification.batch)))
    return db.exec(count.where(col(Notification.shown_at) >= moment)).one()


def tell(db: Db, keys: Sequence[str], kind: str, now: datetime) -> None:
    """Remember that these were shown, in one notification."""
    batch = new_id(now)
    for key in keys:
        row = db.get(Notification, key) or Notification(key=key, kind=kind, facts={}, at=now)
        row.shown_at, row.batch = now, batch
        db.add(row)
