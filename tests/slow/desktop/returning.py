"""A scheduler that senses a real screen and drives a real job, with short times."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path

from metaclaw_tray.clock import SystemClock
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Scheduler, Wishes
from metaclaw_tray.omls.sensing.idle import IdleChain, Opening
from metaclaw_tray.omls.sensing.senses import SystemSenses
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store
from omls.driven.job import SteppingJob, goes_on_without_a_gap, runs, steps, until
from omls.person import Diary

_IDLE = 3.0


class Calm:
    """What is told besides input: no call, nothing locked, a network."""

    def locked(self) -> bool:
        return False

    def occupied(self) -> bool:
        return False

    def network(self) -> tuple[bool, bool]:
        return True, False

    def close(self) -> None:
        pass


@dataclass
class Driven:
    scheduler: Scheduler
    job: SteppingJob
    store: Store
    diary: Diary


@asynccontextmanager
async def driven(folder: Path, name: str, way: Opening) -> AsyncIterator[Driven]:
    """It runs while the block lasts."""
    clock = SystemClock()
    store = await asyncio.to_thread(Store.open, folder / "store.sqlite3", clock)
    rules = Rules(idle=_IDLE, sleep_idle=_IDLE, minimum=timedelta(seconds=30))
    wishes = Wishes(rules, {}, sleep_trusted=False, enabled=True)
    senses = SystemSenses(chain=IdleChain([(name, way)]), presence=Calm())
    job, diary = SteppingJob(folder), Diary()
    scheduler = Scheduler(store, clock, senses, diary, job, lambda: wishes, lambda: UTC, lambda: math.inf)
    running = asyncio.create_task(scheduler.run())
    try:
        yield Driven(scheduler, job, store, diary)
    finally:
        running.cancel()
        await asyncio.wait([running])
        senses.close()
        store.close()


async def a_return_stops_it_and_it_goes_on_later(found: Driven, touch: Callable[[], None]) -> float:
    """Away, back by `touch`, away again. Seconds from the touch until the process was gone."""
    job = found.job
    await until(lambda: len(steps(job.folder)) >= 3, "steps")
    first = job.pid
    begun = time.monotonic()
    await asyncio.to_thread(touch)
    await until(lambda: not runs(first), "the process's end")
    seconds = time.monotonic() - begun
    done = len(steps(job.folder))
    await until(lambda: len(steps(job.folder)) >= done + 3, "steps of the next window")
    assert job.pid != first
    assert goes_on_without_a_gap(job.folder)
    closed = [each for each in found.store.read(rows.windows) if each.closed_at is not None]
    assert [(each.kind, each.why_closed) for each in closed] == [("idle", "you are at the computer")]
    return seconds
