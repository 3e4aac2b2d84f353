"""Which event is a meeting in which training may run: one table, the first row that fits decides.

A row that names a setting can be changed for each calendar (`calendars.NAME.SETTING`); the others hold
always. Where it cannot be told whether the person is away from the keyboard, the answer is no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta, tzinfo

from metaclaw_tray.omls.calendars.events import Event
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.scheduler import Meeting
from metaclaw_tray.settings.model import Calendar

LONG = timedelta(hours=20)
"""From here on an event is taken for one of whole days, as calendars that tell no more than *busy* do with
those."""


@dataclass(frozen=True)
class Row:
    """One rule.

    Attributes:
        words: A sentence without its full stop.
        meeting: What holds where the calendar's settings say nothing else.
        setting: Of `calendars.NAME`, which says otherwise; "" where nothing does.
    """

    name: str
    words: str
    fits: Callable[[Event], bool]
    meeting: bool
    setting: str = ""


TABLE: tuple[Row, ...] = (
    Row("cancelled", "it was cancelled", lambda event: event.status == "cancelled", meeting=False),
    Row("declined", "you declined it", lambda event: event.response == "declined", meeting=False),
    Row(
        "place",
        "it only says where you work, or whose birthday it is",
        lambda event: event.kind in ("workingLocation", "birthday"),
        meeting=False,
    ),
    Row(
        "focus",
        "it is focus time: you are at the computer",
        lambda event: event.kind == "focusTime",
        meeting=False,
        setting="focus",
    ),
    Row(
        "whole days",
        "it takes whole days, and you may be at the computer all the same",
        lambda event: event.all_day or event.end - event.begin >= LONG,
        meeting=False,
        setting="all_day",
    ),
    Row(
        "out of office",
        "you are out of office",
        lambda event: event.kind == "outOfOffice",
        meeting=True,
        setting="out_of_office",
    ),
    Row("free", "it leaves your time free", lambda event: not event.busy, meeting=False, setting="free"),
    Row(
        "tentative",
        "it is tentative, or you answered so",
        lambda event: "tentative" in (event.status, event.response),
        meeting=False,
        setting="tentative",
    ),
    Row(
        "unanswered",
        "you have not answered the invitation",
        lambda event: event.response == "needsAction",
        meeting=False,
        setting="unanswered",
    ),
    Row("meeting", "it takes your time", lambda _: True, meeting=True),
)


def rule_for(event: Event) -> Row:
    """The row that decides on an event."""
    return next(row for row in TABLE if row.fits(event))


def is_meeting(event: Event, calendar: Calendar) -> bool:
    """Whether training may run in it, by the rules and what the person set for its calendar."""
    row = rule_for(event)
    return bool(getattr(calendar, row.setting)) if row.setting else row.meeting


def meetings_of(
    events: Iterable[tuple[Event, Calendar]], zone: tzinfo, after_begin: timedelta, before_end: timedelta
) -> list[Meeting]:
    """The times in which the person is in meetings, in order. Meetings that overlap or follow at once are
    one; then each begins `after_begin` later and ends `before_end` earlier, and one of which nothing is left
    is left out."""
    found = sorted(
        ((event.span(zone), event.title) for event, calendar in events if is_meeting(event, calendar)),
        key=lambda each: (each[0].begin, each[0].end, each[1]),
    )
    merged: list[tuple[Span, list[str]]] = []
    for span, title in found:
        if span.end <= span.begin:
            continue
        if merged and span.begin <= merged[-1][0].end:
            before, titles = merged[-1]
            merged[-1] = (Span(before.begin, max(before.end, span.end)), titles)
        else:
            merged.append((span, []))
        if title and title not in merged[-1][1]:
            merged[-1][1].append(title)
    shortened = ((Span(each.begin + after_begin, each.end - before_end), titles) for each, titles in merged)
    return [Meeting(span, ", ".join(titles)) for span, titles in shortened if span.begin < span.end]
