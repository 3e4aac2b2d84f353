"""When the next window will likely be, and how long this one lasts: calendars, sleep hours, and habits.

Habits are the absences of the last weeks, and two simple questions to them:

- *How long will this absence last?* Of the past absences that had lasted as long as this one has by now,
  those that began at the nearest time of day on the same sort of day (workday or weekend): what seven of ten
  of them had left at least. The median would do if it were asked once; a window opens at the first look that
  says "long enough", and of many looks one errs.
- *When is the person usually away?* The share of each hour of the week that they were away in those weeks.

Both can be said in a sentence ("on 7 of 10 such days you were away for 40 minutes more"), and both begin with
a plain prior that a few days of record outweigh.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

from metaclaw_tray.omls.hours import Hours, next_sleep
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.table import Kind

MEMORY = timedelta(weeks=8)
"""How far back absences count."""

_NEAREST = 24  # absences that are asked how long they lasted
_ENOUGH = 4  # under which the prior speaks too
_IMAGINED = 4  # absences added to a share, half of them long: 24 of 24 are not yet a certainty
_PRIOR = timedelta(minutes=45)  # what is left of an absence that nothing is known of
_USUAL = 0.6  # share of an hour from which it is a habit to be away in it
_PRIOR_HOURS = 2.0  # of half presence, in each hour of the week
_AHEAD = timedelta(days=8)


@dataclass(frozen=True)
class Lasting:
    """How long an absence will likely go on.

    Attributes:
        left: What seven of ten of `like` had left at least.
        enough: Share of them that went on for at least the minimum of a window, a little towards a half.
        like: How many absences this rests on; 0 is the prior alone.
    """

    left: timedelta
    enough: float
    like: int


@dataclass(frozen=True)
class NextWindow:
    """The next window there will likely be. `confidence` runs from 0 to 1."""

    kind: Kind
    span: Span
    confidence: float


@dataclass(frozen=True)
class _Absence:
    workday: bool
    minute: int  # of the day, at which it began
    seconds: float


class Habits:
    """What past absences tell. `zone` is the person's, for what time of day they began.

    Args:
        absences: Spans without the person, in any order; those shorter than what makes a person away are of
            no use. Absences in calendar windows and sleep hours may be among them.
        since: From when on the record is whole: hours before it count as unknown, not as presence.
    """

    def __init__(
        self, absences: Iterable[Span], zone: tzinfo, now: datetime, since: datetime | None = None
    ) -> None:
        start = max(now - MEMORY, since) if since is not None else now - MEMORY
        kept = [Span(max(span.begin, start), min(span.end, now)) for span in absences]
        kept = [span for span in kept if span.end > span.begin]
        self._zone = zone
        self._absences = [self._known(span) for span in kept]
        self._lengths = sorted(each.seconds for each in self._absences)
        self._nearest: tuple[tuple[bool, int] | None, list[_Absence]] = None, []
        self._away = _shares(kept, Span(start, now), zone)

    def lasting(self, at: datetime, since: datetime, minimum: timedelta) -> Lasting:
        """How long an absence that began at `since` will likely go on after `at`."""
        gone = max(0.0, (at - since).total_seconds())
        now = self._known(Span(since, at))
        past = (each for each in self._by_likeness(now) if each.seconds > gone)
        left = [each.seconds - gone for each in islice(past, _NEAREST)]
        like = len(left)
        enough = sum(seconds >= minimum.total_seconds() for seconds in left)
        left += [_PRIOR.total_seconds()] * (_ENOUGH - like)  # the prior stands for what is missing
        share = (enough + _IMAGINED / 2) / (like + _IMAGINED)
        return Lasting(timedelta(seconds=sorted(left)[len(left) * 3 // 10]), share, like)

    def next_change(self, gone: float) -> float:
        """After how many seconds of absence `lasting` will next say something else than that time went by."""
        index = bisect_right(self._lengths, gone)
        return self._lengths[index] if index < len(self._lengths) else math.inf

    def away_share(self, at: datetime) -> float:
        """How much of this hour of the week the person was away, 0 to 1; 0.5 where nothing is known."""
        return self._away[_hour_of_week(at.astimezone(self._zone))]

    def _by_likeness(self, now: _Absence) -> list[_Absence]:
        """Past absences, the most like this one first; kept, since it is asked for at each look."""
        asked = now.workday, now.minute
        if self._nearest[0] != asked:
            alike = sorted(
                self._absences,
                key=lambda each: (each.workday != now.workday, _apart(each.minute, now.minute)),
            )
            self._nearest = asked, alike
        return self._nearest[1]

    def _known(self, span: Span) -> _Absence:
        local = span.begin.astimezone(self._zone)
        return _Absence(local.weekday() < 5, local.hour * 60 + local.minute, span.length.total_seconds())


def next_window(
    at: datetime,
    habits: Habits,
    rules: Rules,
    hours: Hours,
    zone: tzinfo,
    meetings: Sequence[Span] = (),
) -> NextWindow | None:
    """The first window after `at` that will likely be long enough; None where nothing points to one.

    Args:
        meetings: Coming spans of the calendars in which training may run, buffers taken off.
    """
    coming = [
        NextWindow(Kind.MEETING, span, 0.9)
        for span in sorted(meetings, key=lambda span: span.begin)
        if span.begin > at and span.length >= rules.minimum
    ][:1]
    night = next_sleep(at, hours, zone)
    if night is not None:
        begin = night.begin + timedelta(seconds=rules.sleep_idle)
        if night.end - begin >= rules.minimum:
            middle = night.begin + night.length / 2
            coming.append(NextWindow(Kind.SLEEP, Span(begin, night.end), max(0.5, habits.away_share(middle))))
    usual = _usual_absence(at, habits, rules)
    if usual is not None:
        coming.append(usual)
    return min(coming, key=lambda each: each.span.begin, default=None)


def _usual_absence(at: datetime, habits: Habits, rules: Rules) -> NextWindow | None:
    """The next hours, from a full one on, in which the person is usually away after having been there."""
    hour = at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    begin: datetime | None = None
    shares: list[float] = []
    while hour < at + _AHEAD:
        share = habits.away_share(hour)
        if share >= _USUAL:
            begin = begin or hour
            shares.append(share)
        elif begin is not None:
            break
        hour += timedelta(hours=1)
    if begin is None:
        return None
    span = Span(begin + timedelta(seconds=rules.idle), hour)
    if span.length < rules.minimum:
        return None
    return NextWindow(Kind.IDLE, span, math.fsum(shares) / len(shares))


def _shares(absences: Iterable[Span], known: Span, zone: tzinfo) -> list[float]:
    away = [0.0] * 168
    there = [0.0] * 168
    for cell, seconds in _by_hour(known, zone):
        there[cell] += seconds
    for span in absences:
        for cell, seconds in _by_hour(span, zone):
            away[cell] += seconds
    prior = _PRIOR_HOURS * 3600
    return [(gone + prior / 2) / (max(total, gone) + prior) for gone, total in zip(away, there, strict=True)]


def _by_hour(span: Span, zone: tzinfo) -> Iterable[tuple[int, float]]:
    """The seconds of a span in each hour of the local week. Steps go by UTC: no hour is lost or doubled."""
    begin = span.begin.astimezone(UTC)
    while begin < span.end:
        end = min(begin.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1), span.end)
        yield _hour_of_week(begin.astimezone(zone)), (end - begin).total_seconds()
        begin = end.astimezone(UTC)


def _hour_of_week(local: datetime) -> int:
    return local.weekday() * 24 + local.hour


def _apart(minute: int, other: int) -> int:
    """Minutes between two times of the day, around midnight too."""
    apart = abs(minute - other)
    return min(apart, 1440 - apart)
