"""A small app: a real scheduler on a real database with the stand-in job, started by hand in it.

`python small_app.py FOLDER`. Its clock is the machine's, and `FOLDER/step` sets it by so many seconds.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Meeting, Scheduler, Wishes
from metaclaw_tray.omls.sensing.sensed import Sensed
from metaclaw_tray.store.engine import Store
from omls.driven.job import SteppingJob


class SetClock:
    """Wall time that somebody sets."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "step"

    def now(self) -> datetime:
        seconds = float(self._file.read_text()) if self._file.exists() else 0.0
        return datetime.now(UTC) + timedelta(seconds=seconds)

    def monotonic(self) -> float:
        return time.monotonic()


class Present:
    """Somebody who types all the time; what they started by hand runs all the same."""

    async def look(self) -> Sensed:
        return Sensed(idle=0.0, locked=False, occupied=False, mains=True, online=True, metered=False)

    def exchange(self) -> None:
        pass


class Empty:
    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        return []


async def main(folder: Path) -> None:
    clock = SetClock(folder)
    store = await asyncio.to_thread(Store.open, folder / "store.sqlite3", clock)
    wishes = Wishes(Rules(), {}, sleep_trusted=False, enabled=True)
    scheduler = Scheduler(
        store, clock, Present(), Empty(), SteppingJob(folder), lambda: wishes, lambda: UTC, lambda: math.inf
    )
    scheduler.start_now()
    print('{"ready": true}', flush=True)  # noqa: T201
    await scheduler.run()


if __name__ == "__main__":
    os.setpgid(0, 0)  # a group of its own, to be stopped with its child
    asyncio.run(main(Path(sys.argv[1])))
