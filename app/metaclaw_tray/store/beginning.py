"""How far the person has come with the first steps, and when agents were last seen."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables import Meta, Session

_KEY = "desktop.firstrun"


class Reached(msgspec.Struct, frozen=True):
    """Where the first steps were left."""

    state: Literal["new", "begun", "done", "skipped"] = "new"
    step: int = 0


def reached(db: Db) -> Reached:
    """Where they were left; `new` before the first time."""
    found = db.get(Meta, _KEY)
    return msgspec.json.decode(found.value, type=Reached) if found is not None else Reached()


def keep(db: Db, now: Reached) -> None:
    """Note it for the next start."""
    row = db.get(Meta, _KEY) or Meta(key=_KEY, value=b"")
    row.value = msgspec.json.encode(now)
    db.add(row)


def last_seen(db: Db) -> dict[str, datetime]:
    """When each agent last asked for something, as far as the record goes back."""
    newest = select(Session.agent, func.max(col(Session.last_at))).group_by(col(Session.agent))
    return {agent: at for agent, at in db.exec(newest) if at is not None}
