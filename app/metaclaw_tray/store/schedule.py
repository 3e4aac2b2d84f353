"""Named queries about when the policy may be trained: windows, decisions, and when the person was away."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.tables import Meta
from metaclaw_tray.store.tables_schedule import Absence, ScheduleEntry, TrainingWindow

_WAY = "schedule.idle_way"
_SAME = timedelta(seconds=2)  # two absences that begin so close together are one, told twice


def open_window(
    db: Db,
    kind: str,
    now: datetime,
    *,
    away_since: datetime | None,
    expected_end: datetime | None,
    why: str,
    title: str = "",
) -> str:
    """A window has opened; its id."""
    window = TrainingWindow(
        id=new_id(now),
        kind=kind,
        opened_at=now,
        seen_at=now,
        away_since=away_since,
        expected_end=expected_end,
        why_opened=why,
        title=title,
    )
    db.add(window)
    return window.id


def window_goes_on(db: Db, window_id: str, now: datetime, trained_seconds: float, job: str) -> None:
    """It is still open, and so much was trained in it by now."""
    window = _window(db, window_id)
    window.seen_at, window.trained_seconds, window.job = now, trained_seconds, job
    db.add(window)


def close_window(
    db: Db, window_id: str, now: datetime, why: str, trained_seconds: float = 0.0, job: str = ""
) -> None:
    """The window has closed."""
    window = _window(db, window_id)
    window.seen_at = window.closed_at = now
    window.why_closed = why
    window.trained_seconds, window.job = trained_seconds, job or window.job
    db.add(window)


def window(db: Db, window_id: str) -> TrainingWindow | None:
    """That one, open or closed."""
    return db.get(TrainingWindow, window_id)


def close_left_open(db: Db, why: str) -> list[TrainingWindow]:
    """Windows that a run of the program left open end when they were last seen open."""
    left = list(db.exec(select(TrainingWindow).where(col(TrainingWindow.closed_at).is_(None))))
    for window in left:
        window.closed_at, window.why_closed = window.seen_at, why
        db.add(window)
    return left


def windows(db: Db, limit: int = 50) -> list[TrainingWindow]:
    """The latest first."""
    return list(db.exec(select(TrainingWindow).order_by(col(TrainingWindow.opened_at).desc()).limit(limit)))


def windows_between(db: Db, begin: datetime, end: datetime) -> list[TrainingWindow]:
    """Those that were open at some moment of the span, oldest first."""
    of = select(TrainingWindow).where(TrainingWindow.opened_at < end)
    of = of.where(col(TrainingWindow.closed_at).is_(None) | (col(TrainingWindow.closed_at) > begin))
    return list(db.exec(of.order_by(col(TrainingWindow.opened_at))))


def note(db: Db, now: datetime, *, is_open: bool, kind: str, vetoes: list[str], words: str) -> None:
    """What is decided has changed."""
    db.add(ScheduleEntry(at=now, open=is_open, kind=kind, vetoes=vetoes, words=words))


def entries(db: Db, limit: int = 50) -> list[ScheduleEntry]:
    """The latest first."""
    latest = select(ScheduleEntry).order_by(col(ScheduleEntry.at).desc(), col(ScheduleEntry.id).desc())
    return list(db.exec(latest.limit(limit)))


def absent(db: Db, kind: str, begin: datetime, end: datetime) -> None:
    """The person was away from `begin` to `end`; an absence that goes on is told again with a later end."""
    if end <= begin:
        return
    latest = db.exec(
        select(Absence).where(Absence.kind == kind).order_by(col(Absence.end_at).desc()).limit(1)
    ).first()
    if latest is not None and abs(latest.begin_at - begin) <= _SAME:
        latest.end_at = max(latest.end_at, end)
        db.add(latest)
    else:
        db.add(Absence(kind=kind, begin_at=begin, end_at=end))


def absences(db: Db, since: datetime) -> list[Absence]:
    """Those that had not ended by then, oldest first."""
    return list(db.exec(select(Absence).where(Absence.end_at > since).order_by(col(Absence.begin_at))))


def let_go(db: Db, before: datetime) -> None:
    """Forget what was decided, and when the person was away, before a moment; windows stay for their jobs."""
    db.connection().execute(delete(ScheduleEntry).where(col(ScheduleEntry.at) < before))
    db.connection().execute(delete(Absence).where(col(Absence.end_at) < before))


def idle_way(db: Db) -> str:
    """The way of telling idleness that worked last; "" for none."""
    found = db.get(Meta, _WAY)
    return found.value.decode() if found is not None else ""


def set_idle_way(db: Db, name: str) -> None:
    """Remember the way that works."""
    row = db.get(Meta, _WAY) or Meta(key=_WAY, value=b"")
    row.value = name.encode()
    db.add(row)


def _window(db: Db, window_id: str) -> TrainingWindow:
    window = db.get(TrainingWindow, window_id)
    assert window is not None, "a window is opened before anything else is said of it"
    return window
