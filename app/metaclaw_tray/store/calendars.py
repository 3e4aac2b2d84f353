"""Named queries about calendars: what they said when they were last read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables_calendars import CalendarEvent, CalendarReading

_AT_ONCE = 500  # uids in one statement


def readings(db: Db) -> dict[str, CalendarReading]:
    """How far each calendar was read, by name."""
    return {each.name: each for each in db.exec(select(CalendarReading))}


def events(db: Db, calendar: str) -> list[CalendarEvent]:
    """Everything that is kept of a calendar, in order."""
    kept = select(CalendarEvent).where(CalendarEvent.calendar == calendar)
    return list(db.exec(kept.order_by(col(CalendarEvent.begin_at), col(CalendarEvent.uid))))


def keep(db: Db, reading: CalendarReading) -> None:
    """How far it was read, in place of what was known."""
    db.merge(reading)


def replace(db: Db, calendar: str, rows: Sequence[CalendarEvent]) -> None:
    """These are all events of a calendar: what else was kept is purged."""
    db.connection().execute(delete(CalendarEvent).where(col(CalendarEvent.calendar) == calendar))
    db.add_all(rows)


def amend(db: Db, calendar: str, rows: Sequence[CalendarEvent], gone: Collection[str]) -> None:
    """These are new or other than they were, and those are no more."""
    out = sorted({*gone, *(each.uid for each in rows)})
    for at in range(0, len(out), _AT_ONCE):
        mine = delete(CalendarEvent).where(col(CalendarEvent.calendar) == calendar)
        db.connection().execute(mine.where(col(CalendarEvent.uid).in_(out[at : at + _AT_ONCE])))
    db.add_all(rows)


def drop(db: Db, calendar: str) -> None:
    """Nothing of a calendar is kept any more."""
    db.connection().execute(delete(CalendarEvent).where(col(CalendarEvent.calendar) == calendar))
    db.connection().execute(delete(CalendarReading).where(col(CalendarReading.name) == calendar))
