"""Whether the person let learning rest, kept as a row so that a restart keeps to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlmodel import Session as Db

from metaclaw_tray.store.tables import Meta

_KEY = "learning.paused"


@dataclass(frozen=True)
class Rest:
    """A pause; without `until` it lasts until somebody ends it."""

    until: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it lasts still."""
        return self.until is None or now < self.until


def rest(db: Db) -> Rest | None:
    """The pause that was asked for last; None where learning goes on. It may be over."""
    found = db.get(Meta, _KEY)
    return msgspec.json.decode(found.value, type=Rest) if found is not None else None


def set_rest(db: Db, wanted: Rest | None) -> None:
    """Let learning rest, or go on."""
    found = db.get(Meta, _KEY)
    if wanted is None:
        if found is not None:
            db.delete(found)
        return
    row = found or Meta(key=_KEY, value=b"")
    row.value = msgspec.json.encode(wanted)
    db.add(row)
