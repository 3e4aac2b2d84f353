"""Looks, decides, writes down what changed, and drives the job by it.

Every change of what is decided is a row, and so is each window with its reasons; when the person was away is
kept for the forecast. The hot path is not touched: what the person writes to agents is told by a number that
the proxy keeps anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from metaclaw_tray.clock import Clock
from metaclaw_tray.omls.by_hand import ByHand
from metaclaw_tray.omls.decision import Decision, decide, next_look
from metaclaw_tray.omls.driving import Driver
from metaclaw_tray.omls.forecast import Habits, NextWindow, next_window
from metaclaw_tray.omls.gaps import Moment, slept
from metaclaw_tray.omls.hours import Hours, sleep_around
from metaclaw_tray.omls.job import Job
from metaclaw_tray.omls.keeping import Keeping
from metaclaw_tray.omls.readings import Manual, Readings, Span
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.sensing.sensed import Sensed, Senses
from metaclaw_tray.omls.words import what_ended, why_not, why_open
from metaclaw_tray.store.engine import Store

_BETWEEN_MESSAGES = 5.0  # seconds between looks that only the person's messages ask for
_FALLS_ASLEEP = 60.0  # seconds awake after the word of sleep; then it was called off and nobody said so


@dataclass(frozen=True)
class Wishes:
    """What the person set, as the scheduler needs it."""

    rules: Rules
    hours: Hours
    sleep_trusted: bool
    enabled: bool


@dataclass(frozen=True)
class Meeting:
    """A calendar's time in which training may run, buffers taken off. The title stays on this machine."""

    span: Span
    title: str = ""


class Calendars(Protocol):
    """Coming meetings, from the cache; never asks the network."""

    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        """Those that overlap, by their beginning."""
        ...


class Scheduler:
    """Runs until cancelled.

    Args:
        wishes: What is set now.
        zone: The zone of the place now; who travels has another one tomorrow.
        exchange: Seconds since the person's own message last began an exchange; infinity for never.
        changed: Called when what the window shows may be another.
        opened: Called with the id of a window that has opened, for what is told of it.
        closed: Called with the id of a window that has closed, and whether the job has more to do.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        senses: Senses,
        calendars: Calendars,
        job: Job,
        wishes: Callable[[], Wishes],
        zone: Callable[[], tzinfo],
        exchange: Callable[[], float | None],
        changed: Callable[[], None] = lambda: None,
        opened: Callable[[str], None] = lambda _: None,
        closed: Callable[[str, bool], None] = lambda _, __: None,
    ) -> None:
        self._kept = Keeping(store)
        self._clock = clock
        self._senses = senses
        self._calendars = calendars
        self._job = job
        self._wishes = wishes
        self._zone = zone
        self._exchange = exchange
        self._changed = changed
        self._opened = opened
        self._closed = closed
        self._driver = Driver(job, clock)
        self._looking = asyncio.Lock()
        self._wake = asyncio.Event()
        self._wrote = False  # the person, since the look began
        self._looked_at = float("-inf")
        self._by_hand = ByHand()
        self._seen: Moment | None = None
        self._sleeps_at: float | None = None
        self._woken = False
        self._window = ""
        self.sensed = Sensed()
        self.readings = Readings(at=clock.now())
        self.decision = Decision.first(clock.now())

    @property
    def wishes(self) -> Wishes:
        """What is set now."""
        return self._wishes()

    @property
    def zone(self) -> tzinfo:
        """The zone of the place."""
        return self._zone()

    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        """Those of the calendars that overlap."""
        return self._calendars.meetings(begin, end)

    @property
    def window(self) -> str:
        """Id of the open window; "" while none is open."""
        return self._window

    @property
    def trainable(self) -> bool:
        """Whether there is a job at all, be it only that it waits for prompts."""
        return self._job.set_up

    def start_now(self) -> None:
        """The person asks for training now, whoever is there."""
        self._ask(Manual.START)

    def stop(self, until: datetime | None = None) -> None:
        """The person wants none until a moment, or until they start it again."""
        self._ask(Manual.STOP, until)

    def as_usual(self) -> None:
        """What was asked by hand no longer holds."""
        self._ask(Manual.NOTHING)

    def look_soon(self) -> None:
        """Something happened: a setting changed, a calendar, the machine wakes."""
        self._wake.set()

    def person_wrote(self) -> None:
        """The person wrote to an agent: a window closes at once.

        Without one there is little to see, and agents bring hundreds of messages a second: what they wait for
        shall not stand behind a look.
        """
        self._wrote = True
        if self._may_close or self._clock.monotonic() - self._looked_at >= _BETWEEN_MESSAGES:
            self._wake.set()

    @property
    def _may_close(self) -> bool:
        """Whether a message of the person's may close a window: not one that they asked for."""
        return bool(self._window) and self.readings.manual is not Manual.START

    async def sleeps(self) -> None:
        """The machine is about to sleep: returns when the job is down. Nothing opens until it woke."""
        self._sleeps_at = self._clock.monotonic()
        await self.look()
        await self._driver.rest()

    def wakes(self) -> None:
        """The machine has woken."""
        self._sleeps_at, self._woken = None, True
        self._wake.set()

    def why_not(self) -> str:
        """Why no training runs now, without a full stop; "" where it may run."""
        if self._sleeps_at is not None:
            return "the computer goes to sleep"
        return why_not(self.decision, self.readings, self._wishes().rules)

    def next_window(self) -> NextWindow | None:
        """The next window there will likely be."""
        wishes, now = self._wishes(), self._clock.now()
        if not wishes.enabled:
            return None
        meetings = [each.span for each in self._calendars.meetings(now, now + timedelta(days=8))]
        habits = self._kept.habits or Habits([], self._zone(), now)
        return next_window(now, habits, wishes.rules, wishes.hours, self._zone(), meetings)

    async def run(self) -> None:
        """Look again and again. Whatever ends this pauses the job first."""
        await self._kept.begin()
        try:
            while True:
                self._wake.clear()  # what happens while it looks is worth another look
                self._wrote = False
                wait = await self.look()
                if self._wrote and self._may_close:  # they wrote while it opened
                    continue
                try:
                    async with asyncio.timeout(wait):
                        await self._wake.wait()
                except TimeoutError:
                    pass  # time to look again
        finally:
            await self._driver.close()
            if self._window:
                await self._end_window("the program ends")

    async def look(self) -> float:
        """One look; seconds until the next should come."""
        async with self._looking:
            self._looked_at = self._clock.monotonic()
            return await self._look()

    async def _look(self) -> float:
        self.sensed = await self._senses.look()
        before, self.readings = self.decision, await self._read()
        rules = self._wishes().rules
        self.decision = decide(self.readings, rules, before)
        await self._write_down(before, self.decision)
        self._driver.want(self._window)
        wait = next_look(self.readings, rules, self.decision)
        assert self._seen is not None, "reading has set it"
        self._seen = replace(self._seen, wait=wait)
        return wait

    def _ask(self, manual: Manual, until: datetime | None = None) -> None:
        self._by_hand.ask(manual, until)
        self._wake.set()

    def _sleeping(self, slept_for: timedelta | None) -> bool:
        """Whether the word of sleep still holds: not after it was slept, nor long after it was given."""
        if self._sleeps_at is None:
            return False
        if slept_for is not None or self._clock.monotonic() - self._sleeps_at > _FALLS_ASLEEP:
            self._sleeps_at = None
        return True

    async def _read(self) -> Readings:
        now, monotonic = self._clock.now(), self._clock.monotonic()
        gap = slept(self._seen, now, monotonic) if self._seen is not None else None
        if gap is not None:
            await self._kept.machine_slept(gap, now)
        self._seen = Moment(now, monotonic)
        stepped = self._sleeping(gap) or self._woken or gap is not None
        self._woken = False
        wishes, zone, sensed = self._wishes(), self._zone(), self.sensed
        away_since = now - timedelta(seconds=sensed.idle or 0)
        habits = await self._kept.known_habits(now, zone)
        meeting = next(iter(self._calendars.meetings(now, now + timedelta(microseconds=1))), None)
        unready = "training in windows is switched off"
        if wishes.enabled:
            unready = self._job.unready() or self._driver.why_not()
        return Readings(
            at=now,
            idle=sensed.idle,
            locked=sensed.locked,
            occupied=sensed.occupied,
            sleep=sleep_around(now, wishes.hours, zone),
            sleep_trusted=wishes.sleep_trusted,
            meeting=meeting.span if meeting is not None else None,
            exchange=self._exchange(),
            mains=sensed.mains,
            battery=sensed.battery,
            online=sensed.online,
            metered=sensed.metered,
            load=sensed.load,
            local=self._job.local,
            manual=self._by_hand.holds(now, self._job.unready()),
            forecast=now + habits.lasting(now, away_since, wishes.rules.minimum).left,
            stepped=stepped,
            unready=unready,
        )

    async def _write_down(self, before: Decision, after: Decision) -> None:
        """What changed becomes rows before the job is told of it, but for an end: that is told first."""
        if after.open and not self._window:
            meeting = self._calendars.meetings(after.at, after.at + timedelta(microseconds=1))
            self._window = await self._kept.open_window(after, meeting[0].title if meeting else "")
            self._opened(self._window)
        elif not after.open and self._window:
            await self._end_window(what_ended(before, after, self.readings) or self.why_not())
        elif self._window:
            await self._kept.window_goes_on(self._window, after.at, self._driver.seconds, self._job.name)
        if _told(before) != _told(after):
            ended = what_ended(before, after, self.readings)
            words = why_open(after.reasons[0]) if after.open else ended or self.why_not()
            await self._kept.note(after, words)
            self._changed()
        await self._kept.looked(after.at, self.sensed.idle, self._wishes().rules, self.sensed.way)

    async def _end_window(self, why: str) -> None:
        window, self._window = self._window, ""
        self._driver.want("")
        await self._kept.close_window(window, self._clock.now(), why, self._driver.seconds, self._job.name)
        self._closed(window, not self._job.unready())


def _told(decision: Decision) -> tuple[bool, str, tuple[str, ...]]:
    """What makes a row when it changes. Vetoes are refusals only while the person is away."""
    return decision.open, decision.kind or "", decision.vetoes if decision.kind else ()
