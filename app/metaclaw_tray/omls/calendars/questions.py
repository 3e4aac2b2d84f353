"""What the child is asked for a calendar, and what its answer means for the person."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from metaclaw_tray.omls.calendars.frames import (
    Failed,
    Found,
    FromCalendar,
    ReadGoogle,
    ReadIcs,
    ToCalendar,
    Unchanged,
)
from metaclaw_tray.settings.model import Calendar
from metaclaw_tray.store.tables_calendars import CalendarReading

BEFORE, AHEAD = timedelta(days=1), timedelta(days=28)
"""Of now: what is read."""

_LEAST_AHEAD = timedelta(days=14)  # of what is kept; with less, all of it is read again
_WHOLE = timedelta(days=1)  # after which an account is read from the beginning: what is kept moves on


def question(
    calendar: Calendar, secret: str, reading: CalendarReading | None, now: datetime, zone: tzinfo
) -> ToCalendar:
    """What to ask: for what is other than it was, or for all of it where nothing is kept, or what is kept
    does not reach far enough, or was read for another zone."""
    known = reading or CalendarReading(name="")
    name = zone_name(zone)
    whole = (
        known.until is None
        or known.whole_at is None
        or known.until - now < _LEAST_AHEAD
        or known.zone != name
        or (calendar.kind == "google" and not timedelta() <= now - known.whole_at < _WHOLE)
    )
    if calendar.kind == "google":
        return ReadGoogle(
            account=secret,
            ids=list(calendar.ids),
            titles=calendar.titles,
            tokens={} if whole or not calendar.titles else dict(known.tokens),
            zone=name,
            begin=now - BEFORE,
            end=now + AHEAD,
        )
    return ReadIcs(
        address=secret if calendar.kind == "ics" else "",
        path=calendar.path if calendar.kind == "file" else "",
        etag="" if whole else known.etag,
        modified="" if whole else known.modified,
        zone=name,
        begin=now - BEFORE,
        end=now + AHEAD,
        me=calendar.me,
    )


def understood(answer: FromCalendar) -> Found | Unchanged | Failed:
    """What a reading may come to."""
    if isinstance(answer, Found | Unchanged | Failed):
        return answer
    return Failed(trouble="broken", detail=f"It answered {type(answer).__name__}.")


def sentence(name: str, failed: Failed | None, *, stale: bool) -> str:
    """What the person should know of a calendar now; "" where it passes by itself, as a network that is away
    does."""
    if failed is None:
        return ""
    if failed.trouble in ("signed out", "refused", "missing"):
        remedy = failed.remedy
        if failed.trouble == "signed out":
            remedy = f"Connect it again: `metaclaw-tray calendar connect … --name {name}`."
        kept = "" if stale else "Until then what it said last counts, for two days."
        said = (f"The calendar {name} cannot be read.", failed.detail, remedy, kept)
    elif stale:
        old = "could not be read for two days, so its meetings do not count."
        said = (f"The calendar {name} {old}", failed.detail, failed.remedy, "")
    else:
        return ""
    return " ".join(filter(None, said))


def zone_name(zone: tzinfo) -> str:
    """What the child knows the zone by."""
    return str(getattr(zone, "key", "")) or "UTC"
