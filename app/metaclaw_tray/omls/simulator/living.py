"""What the senses see of the hidden truth, with their own delays, and when that can change."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Generic, TypeVar

from metaclaw_tray.omls.hours import Hours, hours_of
from metaclaw_tray.omls.rules import PRESENT_AFTER_EXCHANGE, Rules
from metaclaw_tray.omls.simulator.spans import Spans
from metaclaw_tray.omls.simulator.timeline import Person, Timeline

_AROUND = 3600.0

T = TypeVar("T")


def rules_of(person: Person) -> Rules:
    """What the person set, as the decision takes it."""
    idle = person.idle_minutes * 60
    return Rules(
        idle=idle,
        sleep_idle=min(idle, Rules.sleep_idle),
        minimum=timedelta(minutes=person.minimum_minutes),
        on_battery=person.on_battery,
        battery_floor=person.battery_percent,
        on_metered=person.on_metered,
        load=person.load_percent / 100,
    )


def sleep_of(person: Person) -> Hours:
    return {day: hours_of(text) for day, text in person.sleep.items()}


class Held(Generic[T]):
    """Values that hold from their moment on."""

    def __init__(self, values: Sequence[tuple[float, T]]) -> None:
        self._from = [at for at, _ in values]
        self._values = [value for _, value in values]

    def __call__(self, moment: float) -> T:
        return self._values[max(0, bisect_right(self._from, moment) - 1)]

    @property
    def changes(self) -> Sequence[float]:
        return self._from


class Life:
    """The year as it can be seen at any moment; moments are true time, in seconds."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        person = timeline.person
        self.input = timeline.during["input"]
        self.suspended = timeline.during["suspended"]
        self.charge, self.load = Held(timeline.charge), Held(timeline.load)
        self.zone: Held[tzinfo] = Held(timeline.zones)
        self.error = Held(timeline.errors)
        begins, ends = person.meeting_begins_minutes * 60, person.meeting_ends_minutes * 60
        # By their begin, as calendars give them: those that overlap stay apart.
        self.meetings = [
            (begin + begins, end - ends) for begin, end in timeline.events if end - ends > begin + begins
        ]
        self._longest = max((end - begin for begin, end in self.meetings), default=0.0)
        self._asleep_before = list(_running_sums(self.suspended))
        self._changes = sorted(set(self._all_changes()))

    def wall(self, moment: float) -> datetime:
        """What the machine's clock says."""
        return datetime.fromtimestamp(moment + self.error(moment), UTC)

    def monotonic(self, moment: float) -> float:
        """Seconds that the machine was awake."""
        index = bisect_right(self.suspended.pieces, (moment, math.inf)) - 1
        if index < 0:
            return moment - self._timeline.begin
        begin, end = self.suspended.pieces[index]
        return moment - self._timeline.begin - self._asleep_before[index] - (min(moment, end) - begin)

    def after(self, moment: float, seconds: float) -> float:
        """When a timer set at this moment fires: it stands still while the machine sleeps."""
        inside = self.suspended.at(moment)
        moment = inside[1] if inside is not None else moment
        fires = moment + seconds
        sleeping = self.suspended.after(moment)
        while sleeping is not None and sleeping[0] <= fires:
            fires += sleeping[1] - sleeping[0]
            sleeping = self.suspended.after(sleeping[0])
        return fires

    def touched(self, moment: float) -> float:
        """When keys or mouse were last used; the beginning where never."""
        found = self.input.before(moment)
        return min(found[1], moment) if found is not None else self._timeline.begin

    def spoke(self, moment: float) -> float:
        """Seconds since the person's last message; infinity for none."""
        index = bisect_right(self._timeline.messages, moment) - 1
        return moment - self._timeline.messages[index] if index >= 0 else math.inf

    def next_message(self, moment: float) -> float:
        index = bisect_right(self._timeline.messages, moment)
        return self._timeline.messages[index] if index < len(self._timeline.messages) else math.inf

    def holds(self, what: str, moment: float) -> bool:
        return self._timeline.during[what].at(moment) is not None  # type: ignore[index]  # callers name them

    def meeting(self, wall: float) -> tuple[float, float] | None:
        """The first meeting, buffers taken off, that a moment of the machine's clock lies in."""
        first = bisect_left(self.meetings, (wall - self._longest,))
        for begin, end in self.meetings[first:]:
            if begin > wall:
                return None
            if wall < end:
                return begin, end
        return None

    def next_change(self, moment: float) -> float:
        """When something of the truth next becomes another; infinity for never."""
        index = bisect_right(self._changes, moment)
        return self._changes[index] if index < len(self._changes) else math.inf

    def _all_changes(self) -> Iterator[float]:
        for spans in self._timeline.during.values():
            for piece in spans:
                yield from piece
        for message in self._timeline.messages:
            yield message
            yield message + PRESENT_AFTER_EXCHANGE
        for held in (self.charge, self.load, self.zone, self.error):
            yield from held.changes
        for piece in self.meetings:  # by the machine's clock, which may be set around then
            for moment in piece:
                yield from (moment - self.error(moment + apart) for apart in (-_AROUND, _AROUND))


def _running_sums(spans: Spans) -> Iterator[float]:
    total = 0.0
    for begin, end in spans:
        yield total
        total += end - begin


class Delayed(Generic[T]):
    """A sense that is asked every few seconds, as `sensing.senses.Sometimes` is."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._asked = -math.inf
        self._answer: T | None = None

    def look(self, monotonic: float, truth: T) -> T:
        """What is seen at a look."""
        if monotonic - self._asked >= self._seconds or self._answer is None:
            self._asked, self._answer = monotonic, truth
        return self._answer

    def stale(self, truth: T) -> bool:
        """Whether the last answer is no longer so."""
        return self._answer != truth

    def skip(self, monotonic: float, looks: int, wait: float) -> None:
        """So many looks went by, the first `wait` after this moment, and nothing changed meanwhile."""
        first = max(1, math.ceil((self._asked + self._seconds - monotonic) / wait - 1e-9))
        if first > looks:
            return
        stride = max(1, math.ceil(self._seconds / wait - 1e-9))
        self._asked = monotonic + wait * (first + (looks - first) // stride * stride)
