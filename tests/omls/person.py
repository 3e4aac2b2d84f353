"""A person and a machine that do what the test says, seen by the scheduler as it sees real ones."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from metaclaw_tray.omls.job import Job
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Meeting, Scheduler, Wishes
from metaclaw_tray.omls.sensing.sensed import Sensed
from metaclaw_tray.store.engine import Store
from support.clock import FakeClock

CALM = Sensed(
    locked=False,
    occupied=False,
    mains=True,
    battery=100.0,
    online=True,
    metered=False,
    load=0.1,
    way="scripted",
)


@dataclass
class Person:
    """Their last touch of the machine and last message, by the clock's monotonic reading."""

    clock: FakeClock
    touched: float = 0.0
    wrote: float = -math.inf
    sensed: Sensed = CALM

    async def look(self) -> Sensed:
        return replace(self.sensed, idle=self.clock.monotonic() - self.touched)

    def exchange(self) -> None:
        pass

    def touch(self) -> None:
        self.touched = self.clock.monotonic()

    def write(self) -> None:
        self.wrote = self.clock.monotonic()

    def since_message(self) -> float:
        return self.clock.monotonic() - self.wrote


@dataclass
class Diary:
    """A calendar."""

    kept: list[Meeting] = field(default_factory=list)

    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        return [each for each in self.kept if each.span.begin < end and each.span.end > begin]


@dataclass
class Work:
    """A job that takes steps as long as it may, and remembers them. `deaf` does not heed a pause, `fault`
    ends it as it begins."""

    local: bool = False
    set_up: bool = True
    name: str = "job-1"
    reason: str = ""
    deaf: bool = False
    fault: Exception | None = None
    windows: list[str] = field(default_factory=list)
    running: bool = False
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def unready(self) -> str:
        return self.reason

    async def run(self, window_id: str) -> None:
        self.windows.append(window_id)
        if self.fault is not None:
            raise self.fault
        self._stop.clear()
        self.running = True
        self.begun.set()
        try:
            await self._stop.wait()
        finally:
            self.running = False
            self.begun.clear()

    async def pause(self) -> None:
        if not self.deaf:
            self._stop.set()

    def finish(self) -> None:
        """Nothing is left to do."""
        self.reason = "there is nothing new to train on"
        self._stop.set()


class House:
    """A scheduler with all of these, on a real database."""

    def __init__(self, folder: Path, zone: tzinfo = UTC, work: Job | None = None) -> None:
        self.clock = FakeClock()
        self.store = Store.open(folder / "store.sqlite3", self.clock)
        self.person = Person(self.clock)
        self.diary = Diary()
        self.work = Work()
        self.wishes = Wishes(Rules(), {}, sleep_trusted=False, enabled=True)
        self.closed: list[str] = []
        self.scheduler = Scheduler(
            self.store,
            self.clock,
            self.person,
            self.diary,
            work or self.work,
            lambda: self.wishes,
            lambda: zone,
            self.person.since_message,
            closed=lambda window, _: self.closed.append(window),
        )

    async def after(self, seconds: float, *, looking: Callable[[], None] = lambda: None) -> float:
        """Let time pass, look by look; when `seconds` have gone, seconds until the next look."""
        end = self.clock.monotonic() + seconds
        wait = await self.scheduler.look()
        while self.clock.monotonic() < end:
            self.clock.advance(min(wait, end - self.clock.monotonic()))
            wait = await self.scheduler.look()
            looking()
            await settle()
        return wait

    def meeting(self, minutes: float, title: str = "") -> Span:
        """One that begins now."""
        span = Span(self.clock.now(), self.clock.now() + timedelta(minutes=minutes))
        self.diary.kept.append(Meeting(span, title))
        return span


async def settle() -> None:
    """Let tasks that are ready go on."""
    for _ in range(10):
        await asyncio.sleep(0)
