"""People made up by chance, the same for the same seed: how a year of them goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import TypeAlias
from zoneinfo import ZoneInfo

from metaclaw_tray.omls.simulator.timeline import (
    Charge,
    During,
    Line,
    Meeting,
    Message,
    Person,
    Step,
    What,
    Zone,
)

Lines: TypeAlias = list[Line]

FIRST = date(2026, 1, 5)
"""A Monday."""

_CITIES = ("America/New_York", "Asia/Tokyo", "Asia/Kolkata", "Australia/Sydney", "America/Los_Angeles")


class Days:
    """Writes days down, by the local clock of the place; hours count from midnight, also past 24."""

    def __init__(self, chance: Random, zone: str) -> None:
        self.chance = chance
        self.zone = ZoneInfo(zone)
        self.lines: Lines = []
        self._busy_until = datetime.min.replace(tzinfo=UTC)

    def moment(self, day: date, hour: float) -> datetime:
        """By the clock on the wall; an hour that is left out or repeated is taken as it comes first."""
        local = datetime.combine(day, datetime.min.time()) + timedelta(seconds=round(hour * 3600, 3))
        return local.replace(tzinfo=self.zone).astimezone(UTC)

    def during(self, what: What, day: date, begin: float, end: float) -> None:
        first, last = self.moment(day, begin), self.moment(day, end)
        if last > first:
            self.lines.append(During(what, first, last))

    def work(self, day: date, begin: float, end: float, *, typing: float = 6, pause: float = 1.2) -> None:
        """At keys and mouse, with pauses for thought, sometimes long ones, and now and then a message to an
        agent. Minutes each on average. What overlaps work before is left away."""
        at = max(self.moment(day, begin), self._busy_until)
        until = self.moment(day, end)
        chance = self.chance
        while at < until:
            stop = min(at + timedelta(minutes=chance.expovariate(1 / typing) + 0.1), until)
            if stop > at:
                self.lines.append(During("input", at, stop))
                if chance.random() < 0.4:
                    self.lines.append(Message(at + (stop - at) * chance.random()))
            long = chance.random() < 0.04
            rest = chance.uniform(6, 28) if long else chance.expovariate(1 / pause) + 0.05
            at = stop + timedelta(minutes=rest)
        self._busy_until = max(self._busy_until, until)

    def break_(self, day: date, begin: float, end: float, *, lock: float) -> None:
        """Away from the machine; with some chance it is locked."""
        self.during("away", day, begin, end)
        if self.chance.random() < lock:
            self.during("locked", day, begin + 0.01, end - 0.01)


def office(days: Days, day: date) -> None:
    """Nine to half past five with lunch and meetings; some evenings; the machine stays on."""
    chance = days.chance
    if day.weekday() >= 5:
        begin = chance.uniform(10, 19)
        if chance.random() < 0.6:
            days.work(day, begin, begin + chance.uniform(0.5, 3))
        return
    begin, end, lunch = chance.gauss(9, 0.3), chance.gauss(17.5, 0.4), chance.gauss(12.4, 0.2)
    back = lunch + chance.uniform(0.5, 1.1)
    _workday(days, day, [(begin, lunch), (back, end)])
    days.break_(day, lunch, back, lock=0.7)
    evening = chance.uniform(19.5, 20.5)
    if chance.random() < 0.4:
        days.work(day, evening, evening + chance.uniform(0.3, 2))
    elif chance.random() < 0.3:
        days.work(day, evening, evening + 0.05)
        days.during("occupied", day, evening + 0.05, evening + 1.9)  # a film
        days.work(day, evening + 1.9, evening + 1.95)


def owl(days: Days, day: date) -> None:
    """Begins after noon and goes on until three or four."""
    chance = days.chance
    begin, dinner, end = chance.gauss(14, 0.7), chance.gauss(20, 0.5), chance.gauss(27, 0.6)
    days.work(day, begin, dinner)
    days.break_(day, dinner, dinner + chance.uniform(0.6, 1.6), lock=0.3)
    days.work(day, dinner + chance.uniform(1.6, 1.8), end)


def shifts(days: Days, day: date) -> None:
    """Away at work by a turn of early, late and night weeks; at the own machine before or after. No sleep
    hours are set: habits and idleness must do."""
    chance, week = days.chance, day.toordinal() // 7 % 3
    begin = (16.0, 9.0, 17.5)[week] + chance.gauss(0, 0.5)
    days.work(day, begin, begin + chance.uniform(1.5, 4.5))
    if day.weekday() >= 5:
        days.work(day, begin + 5, begin + chance.uniform(5.5, 7))


def traveller(days: Days, day: date) -> None:
    """An office worker with a laptop, elsewhere in the world every other week, on trains and planes."""
    chance = days.chance
    weeks, weekday = divmod((day - FIRST).days, 7)
    if weekday == 6 and weeks % 2 == 0:  # a flight: on battery and offline, then in another zone
        start = chance.uniform(8, 10)
        days.during("battery", day, start, start + 9)
        days.during("offline", day, start, start + 9)
        days.work(day, start + 0.5, start + chance.uniform(1, 3))
        days.during("suspended", day, start + 3.5, start + 8)
        landed = days.moment(day, start + 8)
        name = chance.choice(_CITIES) if weeks % 4 == 0 else "Europe/Berlin"
        days.lines.append(Zone(landed, name))
        days.zone = ZoneInfo(name)
        return
    if weekday == 5:
        return
    begin, end = chance.gauss(8.5, 0.4), chance.gauss(18, 0.5)
    if chance.random() < 0.3:  # the train, with a telephone's network
        days.during("battery", day, begin - 1, begin - 0.1)
        days.during("metered", day, begin - 1, begin - 0.1)
        days.work(day, begin - 0.9, begin - 0.2)
    _workday(days, day, [(begin, 12.5), (13.3, end)])
    days.break_(day, 12.5, 13.3, lock=0.5)
    if chance.random() < 0.4:
        days.during("suspended", day, end + 0.2, 24 + begin - 1.2)


def student(days: Days, day: date) -> None:
    """No day like another: lectures, films, late evenings, a telephone's network at times."""
    chance = days.chance
    at, until = chance.uniform(9.5, 13), chance.uniform(22, 25)
    while at < until - 0.3:
        stop = min(at + chance.uniform(0.2, 2.5), until)
        days.work(day, at, stop, typing=4, pause=2)
        if chance.random() < 0.3:
            film = min(stop + chance.uniform(0.5, 2), until)
            days.work(day, stop, stop + 0.02)
            days.during("occupied", day, stop + 0.02, film)
            days.work(day, film, film + 0.02)
            stop = film
        if chance.random() < 0.2:
            days.during("metered", day, stop, stop + chance.uniform(0.2, 1))
        at = stop + chance.choice((0.1, 0.3, 0.75, 1.5, 3)) * chance.uniform(0.8, 1.3)


def on_battery(days: Days, day: date) -> None:
    """An office worker whose machine never sees mains; what charges it does so while it is suspended."""
    office(days, day)
    chance = days.chance
    charge, hour = 100.0, 7.0
    days.during("battery", day, 0, 24)
    while hour < 31 and charge > 6:
        days.lines.append(Charge(days.moment(day, hour), charge))
        charge -= 1
        hour += chance.uniform(0.15, 0.35)


def with_agents(days: Days, day: date) -> None:
    """An office worker whose agents work through the night by themselves."""
    office(days, day)
    hour = 18.0
    while hour < 31:
        hour += days.chance.uniform(0.05, 0.35)
        days.lines.append(Message(days.moment(day, hour), by="agent"))


def _workday(days: Days, day: date, blocks: list[tuple[float, float]]) -> None:
    """Work, with meetings in it: some in a room, some in a call at the machine, some never gone to."""
    chance = days.chance
    for begin, end in blocks:
        at = begin
        while at < end - 0.2:
            stop = min(at + chance.uniform(0.6, 1.8), end)
            days.work(day, at, stop)
            kind, length = chance.random(), chance.choice((0.5, 0.5, 1.0))
            start = round(stop * 4) / 4
            if kind < 0.35 and start + length < end and start >= stop:
                _meeting(days, day, start, length)
                stop = start + length
            elif kind < 0.6:
                stop += chance.uniform(0.1, 0.45)
                days.break_(day, stop - 0.1, stop, lock=0.4)
            at = stop + 0.01


def _meeting(days: Days, day: date, start: float, length: float) -> None:
    chance = days.chance
    first, last = days.moment(day, start), days.moment(day, start + length)
    kind = chance.random()
    days.lines.append(Meeting(first, last, away=kind < 0.5))
    if kind < 0.5:
        days.break_(day, start, start + length, lock=0.5)
    elif kind < 0.8:  # a call, with notes
        days.during("occupied", day, start, start + length)
        days.work(day, start + 0.1, start + length, typing=0.5, pause=4)
    else:  # it is not gone to
        days.work(day, start, start + length)


KINDS: Mapping[str, tuple[Callable[[Days, date], None], Mapping[str, str], str]] = {
    "office": (office, {"every": "23:00-07:00"}, "Europe/Berlin"),
    "owl": (owl, {"every": "04:00-12:30"}, "America/New_York"),
    "shifts": (shifts, {}, "Europe/London"),
    "traveller": (traveller, {"every": "23:00-06:45"}, "Europe/Berlin"),
    "student": (student, {"every": "01:30-09:00", "fri": "03:00-10:00", "sat": "03:00-10:30"}, "Europe/Rome"),
    "battery": (on_battery, {"every": "23:00-07:00"}, "America/Chicago"),
    "agents": (with_agents, {"every": "23:30-06:30"}, "Australia/Sydney"),
}
"""The kinds of people: how a day of theirs goes, their sleep hours, where they live."""


def person(kind: str, seed: int = 0, days: int = 365, first: date = FIRST) -> list[Line]:
    """A person of one of `KINDS`, as the lines of a timeline."""
    way, sleep, zone = KINDS[kind]
    chance = Random(f"{kind}:{seed}")  # noqa: S311 (nothing secret)
    made = Days(chance, zone)
    begin = made.moment(first, 0)
    for count in range(days):
        way(made, first + timedelta(days=count))
    end = begin + timedelta(days=days)
    made.lines += _set_clocks(chance, begin, days)
    who = Person(
        kind=kind,
        begin=begin,
        end=end,
        zone=zone,
        sleep=sleep,
        on_battery=kind == "battery",
        battery_percent=40,
    )
    return [who, *_possible(made.lines, end)]


def _set_clocks(chance: Random, begin: datetime, days: int) -> Iterator[Line]:
    """A clock that is set wrong now and then, and right again a while after."""
    for day in range(20, days, 60):
        wrong, seconds = begin + timedelta(days=day + chance.random()), chance.uniform(-300, 300)
        yield Step(wrong, seconds)
        yield Step(wrong + timedelta(hours=chance.uniform(1, 30)), -seconds)


def _possible(lines: Lines, end: datetime) -> Iterator[Line]:
    """Nobody touches a machine that is suspended, or writes with it; and nothing is later than the end."""
    asleep = [each for each in lines if isinstance(each, During) and each.what == "suspended"]
    for line in lines:
        begin = line.begin if isinstance(line, During | Meeting) else getattr(line, "at", end)
        if begin >= end:
            continue
        touches = (isinstance(line, During) and line.what == "input") or isinstance(line, Message)
        until = line.end if isinstance(line, During) else begin
        if touches and any(night.begin <= until and begin <= night.end for night in asleep):
            continue
        yield line
