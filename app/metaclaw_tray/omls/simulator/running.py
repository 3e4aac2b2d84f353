"""The real decision through a year: looks as the scheduler takes them, on a clock of their own.

Looks go by whose outcome is known, and only those: between two moments at which something can change, the
truth, a threshold of idleness, sleep hours, or what habits say, each look finds what the one before found.
`jumping=False` takes every look, which a test holds against this.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from metaclaw_tray.omls.absences import Absences
from metaclaw_tray.omls.decision import Decision, decide, next_look
from metaclaw_tray.omls.forecast import MEMORY, Habits
from metaclaw_tray.omls.gaps import Moment, slept
from metaclaw_tray.omls.hours import next_sleep, sleep_around
from metaclaw_tray.omls.job import STOP_SECONDS
from metaclaw_tray.omls.readings import Readings, Span
from metaclaw_tray.omls.simulator.living import Delayed, Life, rules_of, sleep_of
from metaclaw_tray.omls.simulator.spans import Piece, Spans
from metaclaw_tray.omls.simulator.timeline import Timeline
from metaclaw_tray.omls.table import Kind

STOPPING = STOP_SECONDS + 0.5
"""Seconds from the look that closes a window until the job is gone, at worst: looking takes time too."""

# As often as `sensing.senses` asks.
_CALL_SECONDS, _POWER_SECONDS, _NETWORK_SECONDS, _LOAD_SECONDS = 10.0, 1.0, 10.0, 5.0
_DAY = 86_400.0
_BRIEF = {"exchange", "stepped", "settling"}  # vetoes that are over in minutes; no look goes by meanwhile


@dataclass(frozen=True)
class Start:
    """A window: when, why, and what was expected of it.

    Attributes:
        expected: Seconds it would last.
        enough: How likely it was held to reach the minimum, where habits were asked.
        closed: When it closed; infinity where the year ended first.
    """

    at: float
    kind: Kind
    expected: float
    enough: float | None
    closed: float = math.inf


@dataclass
class Outcome:
    """What the year came to. `used` is when the job ran; it stands still while the machine sleeps."""

    starts: list[Start] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    looks: int = 0
    used: Spans = field(default_factory=Spans)
    opened: list[tuple[float, bool]] = field(default_factory=list)


class Simulation:
    """One year of one person."""

    def __init__(self, timeline: Timeline, *, jumping: bool = True) -> None:
        self._timeline = timeline
        self._jumping = jumping
        self._life = Life(timeline)
        self._rules, self._hours = rules_of(timeline.person), sleep_of(timeline.person)
        self._call, self._power = Delayed[bool](_CALL_SECONDS), Delayed[tuple[bool, float]](_POWER_SECONDS)
        self._network, self._busy = (
            Delayed[tuple[bool, bool]](_NETWORK_SECONDS),
            Delayed[float](_LOAD_SECONDS),
        )
        self._absences, self._kept = Absences(), dict[str, list[Span]]()
        self._now = timeline.begin
        start = self._life.wall(self._now)
        self._decision = Decision.first(start)
        self._seen: Moment | None = None
        self._habits = Habits([], self._life.zone(self._now), start, start)
        self._habits_until = -math.inf
        self._night: Span | None = None
        self._night_until = -math.inf
        self._zone = self._life.zone(self._now)
        self._open: Start | None = None
        self._used: list[Piece] = []
        self.outcome = Outcome()

    def run(self) -> Outcome:
        """All of it."""
        while self._now < self._timeline.end:
            readings = self._read()
            wait = self._look(readings)
            looks = self._idle_looks(readings, wait) if self._jumping else 0
            if looks > 1:
                wait = self._skip(looks, wait)
            fires = self._life.after(self._now, wait)
            self._now = min(fires, self._life.next_message(self._now))
        if self._open is not None:
            self.outcome.starts.append(self._open)
            self._used.append((self._open.at, self._timeline.end))
        self.outcome.used = Spans(self._used) - self._life.suspended
        return self.outcome

    def _read(self) -> Readings:
        life, now, rules = self._life, self._now, self._rules
        wall, monotonic = life.wall(now), life.monotonic(now)
        gap = slept(self._seen, wall, monotonic) if self._seen is not None else None
        if gap is not None and gap > timedelta(minutes=1):
            self._keep("asleep", Span(wall - gap, wall))
        self._seen = Moment(wall, monotonic)
        self._learn(wall)
        idle = monotonic - life.monotonic(life.touched(now))
        away_since = wall - timedelta(seconds=idle)
        mains, charge = self._power.look(monotonic, self._power_now())
        online, metered = self._network.look(monotonic, self._network_now())
        meeting = life.meeting(wall.timestamp())
        return Readings(
            at=wall,
            idle=idle,
            locked=life.holds("locked", now),
            occupied=self._call.look(monotonic, life.holds("occupied", now)),
            sleep=self._sleep(wall),
            meeting=Span(*map(_moment, meeting)) if meeting is not None else None,
            exchange=life.spoke(now),
            mains=mains,
            battery=charge,
            online=online,
            metered=metered,
            load=self._busy.look(monotonic, life.load(now)),
            local=self._timeline.person.local,
            forecast=wall + self._habits.lasting(wall, away_since, rules.minimum).left,
            stepped=gap is not None,
        )

    def _look(self, readings: Readings) -> float:
        before, self._decision = self._decision, decide(readings, self._rules, self._decision)
        after = self._decision
        self.outcome.looks += 1
        if after.open and self._open is None:
            self._begin(readings)
        elif not after.open and self._open is not None:
            self._end(self._open)
        refused = after.vetoes[0] if after.kind and after.vetoes else ""
        if refused and (before.kind is None or before.vetoes[:1] != after.vetoes[:1]):
            self.outcome.refusals[refused] += 1
        away = self._absences.seen(readings.at, readings.idle, self._rules)
        if away is not None:
            self._keep("idle", away)
        return next_look(readings, self._rules, after)

    def _begin(self, readings: Readings) -> None:
        kind, expected = self._decision.reasons[0], self._decision.expected_end
        assert expected is not None, "only windows that were asked for by hand have no expected end"
        enough = None
        if kind in (Kind.IDLE, Kind.LOCKED) and readings.idle is not None:
            since = readings.at - timedelta(seconds=readings.idle)
            enough = self._habits.lasting(readings.at, since, self._rules.minimum).enough
        seconds = (expected - readings.at).total_seconds()
        self._open = Start(self._now, kind, seconds, enough)
        self.outcome.opened.append((self._now, True))

    def _end(self, start: Start) -> None:
        self.outcome.starts.append(Start(start.at, start.kind, start.expected, start.enough, self._now))
        self.outcome.opened.append((self._now, False))
        self._used.append((start.at, self._life.after(self._now, STOPPING)))
        self._open = None

    def _idle_looks(self, readings: Readings, wait: float) -> int:
        """How many looks, the coming one the first, will find what this one found."""
        if self._unsure():
            return 0
        until = min(self._changes(readings), self._now + _DAY)
        return max(0, math.ceil((until - self._now) / wait) - 1)

    def _unsure(self) -> bool:
        vetoes, life, now = set(self._decision.vetoes), self._life, self._now
        return (
            bool(self._decision.reasons and vetoes & _BRIEF)
            or self._call.stale(life.holds("occupied", now))
            or self._power.stale(self._power_now())
            or self._network.stale(self._network_now())
            or self._busy.stale(life.load(now))
        )

    def _changes(self, readings: Readings) -> float:
        """The next moment at which a look may find something else."""
        now, decision = self._now, self._decision
        wall = readings.at.timestamp()
        found = [self._life.next_change(now), self._habits_until - wall + now, self._night_until - wall + now]
        idle = readings.idle or 0.0
        if decision.returned_at is not None:
            since_return = (readings.at - decision.returned_at).total_seconds()
            found += _ahead(now, since_return, self._thresholds())
        if not self._life.input.at(now):
            found += _ahead(now, idle, self._thresholds())
            if not decision.open and decision.reasons and "short" in decision.vetoes:
                found.append(now + self._habits.next_change(idle) - idle)
        return min(found)

    def _thresholds(self) -> Iterable[float]:
        for threshold in (self._rules.sleep_idle, self._rules.idle):
            yield from (threshold - 60, threshold - 30, threshold)

    def _skip(self, looks: int, wait: float) -> float:
        """Stand at the look before the one that may differ."""
        monotonic = self._life.monotonic(self._now)
        for sense in (self._call, self._power, self._network, self._busy):
            sense.skip(monotonic, looks, wait)
        self._now += looks * wait
        self._seen = Moment(self._life.wall(self._now), self._life.monotonic(self._now))
        return self._look(self._read())

    def _learn(self, wall: datetime) -> None:
        """Habits anew each day, from what was seen until then."""
        if wall.timestamp() < self._habits_until and wall >= self._decision.at:
            return
        zone = self._life.zone(self._now)
        for kind, spans in self._kept.items():
            self._kept[kind] = [span for span in spans if span.end > wall - MEMORY]
        spans = [span for kept in self._kept.values() for span in kept]
        since = min((span.begin for span in spans), default=wall)
        self._habits = Habits(spans, zone, wall, since)
        self._habits_until = wall.timestamp() + _DAY

    def _keep(self, kind: str, span: Span) -> None:
        """As the store does: an absence that goes on is told again."""
        kept = self._kept.setdefault(kind, [])
        if kept and abs(kept[-1].begin - span.begin) <= timedelta(seconds=2):
            kept[-1] = Span(kept[-1].begin, max(kept[-1].end, span.end))
        else:
            kept.append(span)

    def _sleep(self, wall: datetime) -> Span | None:
        zone, moment = self._life.zone(self._now), wall.timestamp()
        if moment >= self._night_until or wall < self._decision.at or zone is not self._zone:
            self._zone = zone
            self._night = sleep_around(wall, self._hours, zone)
            coming = next_sleep(wall, self._hours, zone)
            ends = [self._night.end] if self._night is not None else []
            begins = [coming.begin] if coming is not None else []
            self._night_until = min((each.timestamp() for each in [*ends, *begins]), default=math.inf)
        return self._night

    def _power_now(self) -> tuple[bool, float]:
        return not self._life.holds("battery", self._now), self._life.charge(self._now)

    def _network_now(self) -> tuple[bool, bool]:
        return not self._life.holds("offline", self._now), self._life.holds("metered", self._now)


def _moment(wall: float) -> datetime:
    return datetime.fromtimestamp(wall, UTC)


def _ahead(now: float, seconds: float, thresholds: Iterable[float]) -> list[float]:
    return [now + threshold - seconds for threshold in thresholds if threshold > seconds]
