"""Calendars in iCalendar form (RFC 5545), as programs of all kinds write them.

Each event is read by itself, so that a broken one costs itself only. What the libraries do not know, because
Microsoft's programs say it in their own way, is said here: zones without an explanation, `BUSYSTATUS`, days
that are written as midnights. Runs in a child: a large file holds the interpreter for seconds.
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, TypeAlias

from metaclaw_tray.omls.calendars.events import Event, Kind, Response, Status, whole_days
from metaclaw_tray.omls.calendars.frames import failure
from metaclaw_tray.omls.calendars.zones import zone_named

Component: TypeAlias = Any
"""An event as icalendar has it: a mapping whose values are told by their names alone."""

MOST_EVENTS = 50_000
MOST_OCCURRENCES = 20_000  # of all events, in the span that is asked for
_ONE_SERIES = 2_000  # occurrences: every two minutes of a day and more is no calendar

_RESPONSES: dict[str, Response] = {
    "ACCEPTED": "accepted",
    "DECLINED": "declined",
    "TENTATIVE": "tentative",
    "NEEDS-ACTION": "needsAction",
}
_DAY = timedelta(days=1)

_DTSTART = re.compile(r"^DTSTART(?:;[^:\r\n]*)?:(\d{8})", re.MULTILINE)
_DTEND = re.compile(r"^DTEND(?:;[^:\r\n]*)?:(\d{8})", re.MULTILINE)
_RRULE = re.compile(r"^RRULE", re.MULTILINE)
_UNTIL = re.compile(r"^RRULE[^\r\n]*UNTIL=(\d{8})", re.MULTILINE)
_EXCEPTION = re.compile(r"^(?:RECURRENCE-ID|RDATE)", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Contents:
    """What a file says of a span of time, and how many of its events could not be read."""

    events: list[Event]
    skipped: int = 0


def read(content: bytes, zone: tzinfo, begin: datetime, end: datetime, me: str = "") -> Contents:
    """Every occurrence between two moments.

    Args:
        zone: Of the place, for times that name none.
        me: The person's own address in invitations; where it is not given, the calendar's name counts if it
            is an address, as it is with Google's own.

    Raises FailedError where it is no calendar, or too large.
    """
    text = content.decode("utf-8-sig", "replace")
    if "BEGIN:VCALENDAR" not in text[:10_000].upper():
        raise failure("broken", "What came is no calendar.", "Give the address or file that ends in .ics.")
    head, blocks = _blocks(text)
    if len(blocks) > MOST_EVENTS:
        raise failure("broken", f"The calendar has more than {MOST_EVENTS} events.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # guesses of the library at odd zones, which are right
        return _Reading(zone, begin, end, me).read(head, blocks)


class _Reading:
    """One reading of one file."""

    def __init__(self, zone: tzinfo, begin: datetime, end: datetime, me: str) -> None:
        self._zone, self._begin, self._end = zone, begin, end
        self._me = me.casefold()
        self._skipped = 0

    def read(self, head: str, blocks: list[str]) -> Contents:
        self._know(head)
        series: dict[str, list[Component]] = {}
        for block in blocks:
            if self._elsewhen(block):
                continue
            if (component := self._component(block)) is not None:
                series.setdefault(str(component.get("UID") or f"none-{len(series)}"), []).append(component)
        events: list[Event] = []
        for uid, components in series.items():
            try:
                events += self._events(uid, components)
            except Exception:  # noqa: BLE001 whatever libraries make of a broken event, it costs itself only
                self._skipped += len(components)
            if len(events) > MOST_OCCURRENCES:
                raise failure(
                    "broken", f"The calendar has more than {MOST_OCCURRENCES} events in four weeks."
                )
        return Contents(sorted(events, key=lambda event: (event.begin, event.uid)), self._skipped)

    def _know(self, head: str) -> None:
        """Take up what the file says of its zones and of whose it is."""
        from icalendar import Calendar
        from icalendar.timezone import tzp

        tzp.use_default()  # what another file said of a zone is not this one's
        try:
            calendar: Component = Calendar.from_ical(head)
        except (ValueError, KeyError, IndexError):
            return  # its events may be right all the same
        for component in calendar.walk("VTIMEZONE"):
            if zone_named(str(component.get("TZID", ""))) is None:
                try:
                    tzp.cache_timezone_component(component)
                except Exception:  # noqa: BLE001, S112 a zone that is explained wrongly is none
                    continue
        name = str(calendar.get("X-WR-CALNAME", ""))
        if not self._me and "@" in name and " " not in name:
            self._me = name.casefold()

    def _elsewhen(self, block: str) -> bool:
        """Whether an event is plainly over, or far ahead, so that nothing of it need be read: most of a
        calendar that somebody has had for years is. Exceptions are read always: one that was moved away
        leaves its place."""
        if _EXCEPTION.search(block):
            return False
        first, last = f"{self._begin - 2 * _DAY:%Y%m%d}", f"{self._end + 2 * _DAY:%Y%m%d}"
        begin, end = _DTSTART.search(block), _DTEND.search(block)
        if begin is not None and begin[1] > last:
            return True
        if _RRULE.search(block):
            until = _UNTIL.search(block)
            return until is not None and until[1] < f"{self._begin - 32 * _DAY:%Y%m%d}" and end is not None
        return begin is not None and end is not None and begin[1] <= end[1] < first

    def _component(self, block: str) -> Component | None:
        from icalendar import Event as EventComponent

        try:
            component: Component = EventComponent.from_ical(block)
            if component.get("DTSTART") is None or _matters(component.errors):
                raise ValueError("no time of it can be read")
            for name in ("DTSTART", "DTEND", "RECURRENCE-ID"):
                self._place(component, name)
        except Exception:  # noqa: BLE001 as above
            self._skipped += 1
            return None
        return component

    def _place(self, component: Component, name: str) -> None:
        """Give a time its zone, where the file names one that the library does not know, or none."""
        value = component.get(name)
        if value is None:
            return
        if isinstance(value.dt, datetime) and value.dt.tzinfo is None:
            named = str(value.params.get("TZID", ""))
            value.dt = value.dt.replace(tzinfo=(zone_named(named) if named else None) or self._zone)
            value.params.pop("TZID", None)

    def _events(self, uid: str, components: list[Component]) -> Iterator[Event]:
        """What becomes of one event with its exceptions."""
        alone = components[0]
        if len(components) == 1 and not any(name in alone for name in ("RRULE", "RDATE", "RECURRENCE-ID")):
            occurrences: Iterable[Component] = [alone]
        else:
            occurrences = self._recurring(components)
        for occurrence in occurrences:
            event = self._event(uid, occurrence, alone=len(components) == 1 and occurrence is alone)
            span = event.span(self._zone)
            if span.begin < self._end and span.end > self._begin:
                yield event

    def _recurring(self, components: list[Component]) -> Iterable[Component]:
        import recurring_ical_events
        from icalendar import Calendar

        calendar = Calendar()
        for each in components:
            calendar.add_component(each)
        query = recurring_ical_events.of(calendar, keep_recurrence_attributes=True)
        end = self._end + _DAY
        coming = itertools.takewhile(
            lambda each: _moment(each["DTSTART"].dt, self._zone) < end, query.after(self._begin - _DAY)
        )
        return list(itertools.islice(coming, _ONE_SERIES))

    def _event(self, uid: str, component: Component, *, alone: bool) -> Event:
        begin, end = component["DTSTART"].dt, self._end_of(component)
        known = _known_of(component, self._me)
        if not alone:
            uid = f"{uid} {_moment(begin, self._zone):%Y%m%dT%H%M%S}"
        if not isinstance(begin, datetime):
            return whole_days(uid, begin, end, **known)
        if _says(component, "X-MICROSOFT-CDO-ALLDAYEVENT") == "TRUE" and begin.time() == time():
            return whole_days(uid, begin.date(), end.astimezone(begin.tzinfo).date(), **known)
        return Event(uid=uid, begin=begin.astimezone(UTC), end=max(begin, end).astimezone(UTC), **known)

    def _end_of(self, component: Component) -> Any:
        """DTEND, or the beginning and its DURATION, or what RFC 5545 takes where neither is there. Durations
        are elapsed time, as is the end of a day that begins before a clock is changed."""
        begin = component["DTSTART"].dt
        day = not isinstance(begin, datetime)
        if (value := component.get("DTEND")) is not None:
            end = value.dt
            if isinstance(end, datetime) == day:
                raise ValueError("it begins with a date and ends with a time, or the other way round")
            return end
        if (value := component.get("DURATION")) is not None:
            if day:
                return begin + value.dt
            return (begin.astimezone(UTC) + value.dt).astimezone(begin.tzinfo)
        return begin + _DAY if day else begin


def _blocks(text: str) -> tuple[str, list[str]]:
    """The file without its events, and each event."""
    head: list[str] = []
    blocks: list[str] = []
    inside: list[str] | None = None
    depth = 0
    for line in re.split(r"\r\n|\n|\r", text):
        word = line.strip().upper()
        if inside is None:
            if word == "BEGIN:VEVENT":
                inside, depth = [line], 0
            elif line:
                head.append(line)
            continue
        if word == "BEGIN:VEVENT":  # the one before never ended
            blocks.append("\r\n".join(inside))
            inside, depth = [line], 0
            continue
        if line:
            inside.append(line)
        depth += word.startswith("BEGIN:") - word.startswith("END:")
        if depth < 0:
            blocks.append("\r\n".join(inside) + "\r\n")
            inside = None
    if inside is not None:
        blocks.append("\r\n".join(inside))
    return "\r\n".join(head) + "\r\n", blocks


def _matters(errors: Iterable[tuple[str | None, str]]) -> bool:
    """Whether what could not be read decides when the event is; of a broken description nobody minds."""
    times = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", None)
    return any(name in times for name, _ in errors)


def _known_of(component: Component, me: str) -> dict[str, Any]:
    """What an event says besides when it is. Microsoft's word goes before the standard's, which its programs
    often leave out."""
    busy = _says(component, "TRANSP") != "TRANSPARENT"
    status: Status = "confirmed"
    kind: Kind = "default"
    match _says(component, "STATUS"):
        case "CANCELLED":
            status = "cancelled"
        case "TENTATIVE":
            status = "tentative"
    match _says(component, "X-MICROSOFT-CDO-BUSYSTATUS"):
        case "FREE":
            busy = False
        case "TENTATIVE" if status == "confirmed":
            status = "tentative"
        case "OOF":
            kind = "outOfOffice"
        case "WORKINGELSEWHERE":
            kind = "workingLocation"
    return {
        "busy": busy,
        "status": status,
        "kind": kind,
        "response": _response(component, me),
        "title": " ".join(str(component.get("SUMMARY", "")).split())[:200],
    }


def _response(component: Component, me: str) -> Response:
    attendees = component.get("ATTENDEE", [])
    for each in attendees if isinstance(attendees, list) else [attendees]:
        if me and str(each).casefold().removeprefix("mailto:") == me:
            return _RESPONSES.get(str(each.params.get("PARTSTAT", "NEEDS-ACTION")).upper(), "none")
    return "none"


def _says(component: Component, name: str) -> str:
    return str(component.get(name, "")).strip().upper()


def _moment(value: date | datetime, zone: tzinfo) -> datetime:
    if isinstance(value, datetime):
        return (value if value.tzinfo is not None else value.replace(tzinfo=zone)).astimezone(UTC)
    return datetime.combine(value, time(), zone).astimezone(UTC)
