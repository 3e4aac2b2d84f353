"""Sleep hours: spans of the local night, by the day on which they begin.

They are the wall clock's. On the night when clocks go forward they are an hour shorter, when they go back an
hour longer; who travels sleeps by the clock of the place, as soon as the computer has its zone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from metaclaw_tray.omls.readings import Span

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY = "every"

_HOURS = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])")

Hours = Mapping[str, tuple[time, time] | None]
"""From a day's name to when its sleep hours begin and end, maybe on the next day. None: it has none."""


def hours_of(text: str) -> tuple[time, time] | None:
    """What `23:30-07:00` says; None for an empty text.

    Raises:
        ValueError: It says something else, or a span without length.
    """
    if not text:
        return None
    found = _HOURS.fullmatch(text)
    if found is None:
        raise ValueError("must look like 23:30-07:00, or be empty for none")
    hour, minute, end_hour, end_minute = map(int, found.groups())
    begin, end = time(hour, minute), time(end_hour, end_minute)
    if begin == end:
        raise ValueError("must end at another time than it begins")
    return begin, end


def sleep_around(at: datetime, hours: Hours, zone: tzinfo) -> Span | None:
    """The sleep hours that `at` lies in, in UTC; the one that ends last where two overlap."""
    today = at.astimezone(zone).date()
    around = (_span(today + timedelta(days=days), hours, zone) for days in (-1, 0))
    holding = [span for span in around if span is not None and span.holds(at)]
    return max(holding, key=lambda span: span.end, default=None)


def next_sleep(at: datetime, hours: Hours, zone: tzinfo) -> Span | None:
    """The first sleep hours that begin after `at`, within eight days."""
    today = at.astimezone(zone).date()
    coming = (_span(today + timedelta(days=days), hours, zone) for days in range(9))
    return min(
        (span for span in coming if span is not None and span.begin > at),
        key=lambda span: span.begin,
        default=None,
    )


def _span(day: date, hours: Hours, zone: tzinfo) -> Span | None:
    name = DAYS[day.weekday()]
    times = hours[name] if name in hours else hours.get(EVERY)
    if times is None:
        return None
    begin, end = times
    last = day if end > begin else day + timedelta(days=1)
    # An hour that the clock leaves out is taken by the offset before it; one that it repeats begins at its
    # first pass and ends at its second.
    began = datetime.combine(day, begin, zone).astimezone(UTC)
    ended = datetime.combine(last, end, zone).replace(fold=1).astimezone(UTC)
    return Span(began, ended) if ended > began else None
