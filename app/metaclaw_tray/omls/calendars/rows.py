"""Events as the store keeps them, and back."""

from __future__ import annotations

from typing import cast

from metaclaw_tray.omls.calendars.events import Event, Kind, Response, Status
from metaclaw_tray.store.tables_calendars import CalendarEvent


def row_of(calendar: str, event: Event) -> CalendarEvent:
    """An event of a calendar, to be kept."""
    return CalendarEvent(
        calendar=calendar,
        uid=event.uid,
        begin_at=event.begin,
        end_at=event.end,
        all_day=event.all_day,
        busy=event.busy,
        status=event.status,
        response=event.response,
        kind=event.kind,
        title=event.title,
    )


def event_of(row: CalendarEvent) -> Event:
    """What was kept."""
    return Event(
        uid=row.uid,
        begin=row.begin_at,
        end=row.end_at,
        all_day=row.all_day,
        busy=row.busy,
        status=cast(Status, row.status),
        response=cast(Response, row.response),
        kind=cast(Kind, row.kind),
        title=row.title,
    )
