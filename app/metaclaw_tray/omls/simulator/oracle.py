"""What is allowed, by the hidden truth alone, in arithmetic of spans. It knows nothing of the decision.

The reading of the policy (`omls.table`):

- *Away* is: the screen is locked; a meeting of the calendar less its buffers; sleep hours with nobody at
  keys or mouse for 5 minutes; nobody there for the time set. The last two not in a call or film. Who wakes
  the machine, or sets its clock, is there: idleness counts from then. Calendar and sleep hours go by the
  machine's clock and zone.
- *Forbidden* is: 2 minutes after a message of the person; 30 seconds after waking or a set clock; battery (or
  a charge below the floor), no or a metered network where the engine is elsewhere, a load of others above the
  limit where it is here. A suspended machine does nothing.
- A window *may stay* while the person is away and nothing forbids it. One *may open* 30 seconds after the end
  of what the machine forbade it by, and with the margins of charge and load.
- *Owed* is each stretch in which a window may stay, from where it first may open, if as long as the smallest
  window from there. It is cut by the truth, not by any forecast: a scheduler that expects the person back too
  soon loses here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from metaclaw_tray.omls.simulator.spans import Piece, Spans
from metaclaw_tray.omls.simulator.timeline import Person, Timeline

_SPOKE, _SETTLE, _SLEEP_IDLE, _SET = 120.0, 30.0, 300.0, 5.0
_CHARGE_MARGIN, _LOAD_MARGIN = 5.0, 0.15
_HOUR, _DAY = 3600.0, 86_400.0
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Allowed:
    """Attributes:
    stays: When a window may be open.
    owed: What a perfect scheduler would use.
    present: When they are there by keys, mouse, lock and messages, and nothing else says that they are away.
    wakes: When the machine wakes; what ran before goes on until the first look.
    """

    stays: Spans
    owed: Spans
    present: Spans
    wakes: tuple[float, ...]


def allowed(timeline: Timeline) -> Allowed:
    """By the reading above."""
    truth, person = timeline.during, timeline.person
    year = Spans([(timeline.begin, timeline.end)])
    wakes = tuple(end for _, end in truth["suspended"])
    returns = [*wakes, *_set_clocks(timeline)]
    awake = year - truth["suspended"]

    def untouched(seconds: float) -> Spans:
        since = [(timeline.begin, timeline.begin + seconds)]  # nothing is known of before
        since += [(begin, end + seconds) for begin, end in truth["input"]]
        since += [(at, at + seconds) for at in returns]
        return year - Spans(since)

    idle = person.idle_minutes * 60
    asleep = _sleep_hours(timeline) & untouched(min(idle, _SLEEP_IDLE))
    meetings = _by_the_clock(timeline, _buffered(timeline))
    alone, elsewhere = asleep | untouched(idle), truth["locked"] | meetings
    away = (alone - truth["occupied"]) | elsewhere
    settling = Spans((at, at + _SETTLE) for at in returns)
    spoke = Spans((at, at + _SPOKE) for at in timeline.messages)
    theirs = (away & awake) - settling - spoke
    forbidden, forbidden_to_open = _machine(timeline, staying=True), _machine(timeline, staying=False)
    settled = Spans((begin, end + _SETTLE) for begin, end in forbidden_to_open)
    stays, opens = theirs - forbidden, theirs - settled
    minimum = person.minimum_minutes * 60
    present = year - (((alone | elsewhere) & awake) - settling - spoke)
    return Allowed(stays, Spans(_owed(stays, opens, minimum)), present, wakes)


def _owed(stays: Spans, opens: Spans, minimum: float) -> Iterator[Piece]:
    for begin, end in stays:
        first = opens.at(begin) or opens.after(begin)
        if first is not None and end - max(begin, first[0]) >= minimum:
            yield max(begin, first[0]), end


def _machine(timeline: Timeline, *, staying: bool) -> Spans:
    """When the machine forbids that a window stays open, or that one opens."""
    person, truth = timeline.person, timeline.during
    found = Spans()
    if person.on_battery:
        floor = person.battery_percent + (0 if staying else _CHARGE_MARGIN)
        found |= truth["battery"] & _below(timeline.charge, timeline.end, floor)
    else:
        found |= truth["battery"]
    if person.local:
        limit = person.load_percent / 100 + (_LOAD_MARGIN if staying else 0)
        return found | _above(timeline.load, timeline.end, limit)
    found |= truth["offline"]
    return found if person.on_metered else found | truth["metered"]


def _below(values: Sequence[tuple[float, float]], end: float, limit: float) -> Spans:
    return Spans((begin, until) for begin, until, value in _lasting(values, end) if value < limit)


def _above(values: Sequence[tuple[float, float]], end: float, limit: float) -> Spans:
    return Spans((begin, until) for begin, until, value in _lasting(values, end) if value > limit)


def _lasting(values: Sequence[tuple[float, float]], end: float) -> Iterator[tuple[float, float, float]]:
    untils = [*(at for at, _ in values[1:]), end]
    for (begin, value), until in zip(values, untils, strict=True):
        yield begin, until, value


def _set_clocks(timeline: Timeline) -> Iterator[float]:
    before = 0.0
    for at, error in timeline.errors:
        if abs(error - before) > _SET:
            yield at
        before = error


def _buffered(timeline: Timeline) -> Spans:
    person = timeline.person
    begins, ends = person.meeting_begins_minutes * 60, person.meeting_ends_minutes * 60
    return Spans((begin + begins, end - ends) for begin, end in timeline.events)


def _by_the_clock(timeline: Timeline, spans: Spans) -> Spans:
    """Spans of the machine's clock, in true time."""
    found: list[Piece] = []
    for begin, until, error in _lasting(timeline.errors, timeline.end):
        found += Spans((first - error, last - error) for first, last in spans) & Spans([(begin, until)])
    return Spans(found)


def _sleep_hours(timeline: Timeline) -> Spans:
    found: list[Piece] = []
    untils = [*(at for at, _ in timeline.zones[1:]), timeline.end]
    for (begin, zone), until in zip(timeline.zones, untils, strict=True):
        for first, last, offset in _offsets(begin - _HOUR, until + _HOUR, zone):
            nights = Spans(_nights(timeline.person, first, last, offset)) & Spans([(first, last)])
            found += _by_the_clock(timeline, nights) & Spans([(begin, until)])
    return Spans(found)


def _nights(person: Person, begin: float, end: float, offset: float) -> Iterator[Piece]:
    """Sleep hours around a stretch in which local time is so far from UTC."""
    day = (begin + offset) // _DAY - 1
    while day * _DAY - offset < end:
        name = _DAYS[int(day + 3) % 7]  # 1970-01-01 was a Thursday
        text = person.sleep.get(name, person.sleep.get("every", ""))
        if text:
            first, last = (int(each[:2]) * _HOUR + int(each[3:]) * 60 for each in text.split("-"))
            begins = day * _DAY + first - offset
            yield begins, begins + (last - first if last > first else last - first + _DAY)
        day += 1


def _offsets(begin: float, end: float, zone: tzinfo) -> Iterable[tuple[float, float, float]]:
    """Stretches of one offset from UTC each. Zones change theirs at full quarters of an hour."""
    step, at, since = 900.0, begin // 900 * 900, begin
    offset = _offset(at, zone)
    while at < end:
        later = min(at + _DAY / 2, end // step * step + step)
        if _offset(later, zone) != offset:
            while _offset(at, zone) == offset:
                at += step
            yield since, at, offset
            since, offset = at, _offset(at, zone)
        else:
            at = later
    yield since, end, offset


def _offset(moment: float, zone: tzinfo) -> float:
    found = datetime.fromtimestamp(moment, UTC).astimezone(zone).utcoffset()
    return (found or timedelta()).total_seconds()
