"""One event of a calendar, whatever the calendar is."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

import msgspec

from metaclaw_tray.omls.readings import Span

Status = Literal["confirmed", "tentative", "cancelled"]
Response = Literal["accepted", "declined", "tentative", "needsAction", "none"]
"""Of the person themselves; none: nobody asked them, or it is not known."""

Kind = Literal["default", "outOfOffice", "focusTime", "workingLocation", "birthday"]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One occurrence. Of an all-day event `begin` and `end` stand for dates, as midnights in UTC: which
    moments these are depends on where the person is.

    Attributes:
        uid: Unique within its calendar, and the same whenever it is read.
        busy: Whether it takes the person's time; free ones are reminders and others' plans.
        title: For the person's own eyes; empty where the calendar does not say.
    """

    uid: str
    begin: datetime
    end: datetime
    all_day: bool = False
    busy: bool = True
    status: Status = "confirmed"
    response: Response = "none"
    kind: Kind = "default"
    title: str = ""

    def __repr__(self) -> str:
        return f"Event({self.begin:%Y-%m-%dT%H:%MZ} to {self.end:%Y-%m-%dT%H:%MZ}, {self.kind})"

    def span(self, zone: tzinfo) -> Span:
        """When it is, for a person in this zone."""
        if not self.all_day:
            return Span(self.begin, self.end)
        return Span(_midnight(self.begin.date(), zone), _midnight(self.end.date(), zone))


def whole_days(
    uid: str,
    first: date,
    after: date,
    *,
    busy: bool = True,
    status: Status = "confirmed",
    response: Response = "none",
    kind: Kind = "default",
    title: str = "",
) -> Event:
    """An all-day event from `first` until before `after`; of one day at least."""
    after = max(after, first + timedelta(days=1))
    return Event(
        uid=uid,
        begin=datetime.combine(first, time(), UTC),
        end=datetime.combine(after, time(), UTC),
        all_day=True,
        busy=busy,
        status=status,
        response=response,
        kind=kind,
        title=title,
    )


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
