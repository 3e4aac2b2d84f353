"""What has been kept long enough, or takes too much room.

The file does not shrink when rows leave it: their pages are free for what comes next, so its size is measured
without them.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.tables import Notice, Thread

_EXPIRED = "SELECT id FROM turn WHERE begun_at < ? AND outcome <> 'open' ORDER BY begun_at LIMIT ?"
# Sessions by when they were last used: a long one that is used today is not old.
_OLDEST = (
    "SELECT turn.id FROM (SELECT id FROM session ORDER BY last_at, id LIMIT -1) AS idle"
    " CROSS JOIN turn ON turn.session_id = idle.id WHERE turn.outcome <> 'open' LIMIT ?"
)


class Kept(Protocol):
    """For how long turns are kept, and in how much room; 0 is without a limit."""

    @property
    def days(self) -> int: ...
    @property
    def size_mb(self) -> int: ...


def used_bytes(db: Db) -> int:
    """What the rows of the file take, in bytes, less the pages that are free."""
    connection = raw(db)
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def expired(db: Db, before: datetime, limit: int) -> list[str]:
    """Turns that began before a moment, oldest first; none that is under way."""
    return [turn_id for (turn_id,) in raw(db).execute(_EXPIRED, (moment(before), limit))]


def oldest(db: Db, limit: int) -> list[str]:
    """Turns of the sessions that were not used for longest; none that is under way."""
    return [turn_id for (turn_id,) in raw(db).execute(_OLDEST, (limit,))]


def would_go(db: Db, kept: Kept, then: Kept, now: datetime) -> str:
    """What leaves at once if turns are kept by `then` and no longer by `kept`, in a sentence; "" for nothing
    more than leaves anyway."""
    said = []
    if then.days and (not kept.days or then.days < kept.days):
        query = "SELECT count(*) FROM turn WHERE begun_at < ? AND outcome <> 'open'"
        before = moment(now - timedelta(days=then.days))
        (turns,) = raw(db).execute(query, (before,)).fetchone()
        if turns:
            said.append(f"{turns} turns that are older than {then.days} days are removed at once.")
    limit = then.size_mb * 1024 * 1024
    if limit and limit < used_bytes(db) and (not kept.size_mb or then.size_mb < kept.size_mb):
        said.append(
            f"The record takes {used_bytes(db) / (1024 * 1024):.0f} MB: what is above {then.size_mb} MB is "
            "removed at once, first the sessions not used for longest."
        )
    return " ".join(said)


def drop_old(db: Db, before: datetime) -> None:
    """Notices, and where threads of upstreams stood, are kept as long as turns are."""
    for table in (Notice, Thread):
        db.connection().execute(delete(table).where(col(table.at) < before))


def note_removed(db: Db, kind: str, reason: str, turns: int, now: datetime) -> None:
    """Say what was removed and why: one notice for each reason, which counts the turns."""
    query = select(Notice).where(Notice.kind == kind, Notice.subject == "turns", Notice.reason == reason)
    found = db.exec(query.order_by(col(Notice.at).desc()).limit(1)).first()
    if found is None:
        found = Notice(id=new_id(now), kind=kind, subject="turns", reason=reason, count=turns, at=now)
    else:
        found.count, found.at = found.count + turns, now
    db.add(found)
