"""What the scheduler costs while it only looks: share of a core, and wake-ups.

`python -m benchmarks.schedule` prints it for a person at the machine and for an open window, in which it
looks each second. Senses, database and habits of eight weeks are real, the display is Xvfb, the job does
nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from metaclaw_tray.clock import SystemClock
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Meeting, Scheduler, Wishes
from metaclaw_tray.omls.sensing.idle import IdleChain
from metaclaw_tray.omls.sensing.senses import SystemSenses
from metaclaw_tray.omls.sensing.x11 import X11Idle
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store
from support.xvfb import display, move_mouse

GOAL_PERCENT = 0.2
_TOUCH_SECONDS = 20.0
_WEEKS, _ABSENCES_A_DAY = 8, 12


class Cost(msgspec.Struct, frozen=True):
    """Of one state.

    Attributes:
        percent: Of a core, all threads of the process.
        wakes: How often a thread of it was woken in a minute (voluntary context switches).
        looks: How often the scheduler looked in a minute.
    """

    state: str
    minutes: float
    percent: float
    wakes: float
    looks: float
    open: bool


class Rest:
    """A job that does nothing in its windows."""

    local, set_up, name = False, True, "rest"

    def __init__(self) -> None:
        self._stop = asyncio.Event()

    def unready(self) -> str:
        return ""

    async def run(self, window_id: str) -> None:
        self._stop.clear()
        await self._stop.wait()

    async def pause(self) -> None:
        self._stop.set()


class Empty:
    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        return []


@dataclass
class Counting:
    """The senses, and how often they were asked."""

    senses: SystemSenses
    looks: int = 0

    async def look(self) -> object:
        self.looks += 1
        return await self.senses.look()

    def exchange(self) -> None:
        self.senses.exchange()


async def measure(state: str, minutes: float, folder: Path) -> Cost:
    """One state for some minutes."""
    clock = SystemClock()
    store = await asyncio.to_thread(Store.open, folder / "store.sqlite3", clock)
    store.write(lambda db: [rows.absent(db, "idle", *span) for span in _weeks(clock.now())] and None)
    away = state == "open"
    # In a window that is open nobody is there; else nobody is ever away for long enough.
    idle = 1.0 if away else 15 * 60.0
    rules = Rules(idle=idle, sleep_idle=idle, minimum=timedelta(), on_battery=True, on_metered=True)
    wishes = Wishes(rules, {}, sleep_trusted=False, enabled=True)
    with display() as name:
        counting = Counting(SystemSenses(chain=IdleChain([("X11", lambda: X11Idle({"DISPLAY": name}))])))
        scheduler = Scheduler(
            store,
            clock,
            counting,
            Empty(),
            Rest(),
            lambda: wishes,
            lambda: UTC,
            lambda: math.inf,  # type: ignore[arg-type]
        )
        hand = asyncio.create_task(_touch(name, away=away))
        running = asyncio.create_task(scheduler.run())
        await asyncio.sleep(min(10.0, minutes * 30))  # opened, and everything loaded
        before, cpu, begun = _woken(), time.process_time(), time.monotonic()
        counting.looks = 0
        await asyncio.sleep(minutes * 60)
        spent, passed = time.process_time() - cpu, time.monotonic() - begun
        found = Cost(
            state=state,
            minutes=passed / 60,
            percent=100 * spent / passed,
            wakes=(_woken() - before) / passed * 60,
            looks=counting.looks / passed * 60,
            open=scheduler.decision.open,
        )
        for task in (running, hand):
            task.cancel()
        await asyncio.wait([running, hand])
        counting.senses.close()
    store.close()
    return found


async def _touch(name: str, *, away: bool) -> None:
    """A hand that moves the mouse now and then, where somebody is there. It is not counted."""
    while not away:
        await asyncio.to_thread(move_mouse, name)
        await asyncio.sleep(_TOUCH_SECONDS)


def _weeks(now: datetime) -> list[tuple[datetime, datetime]]:
    """Absences as a person has them."""
    found = []
    for day in range(_WEEKS * 7):
        for count in range(_ABSENCES_A_DAY):
            begin = now - timedelta(days=day + 1) + timedelta(hours=2 * count, minutes=(7 * day) % 50)
            found.append((begin, begin + timedelta(minutes=6 + (11 * day + 17 * count) % 90)))
    return found


def _woken() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def main(argv: Sequence[str]) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="for each state")
    parser.add_argument("--state", choices=("there", "open"), action="append")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args(argv)
    found = []
    for state in args.state or ("there", "open"):
        with tempfile.TemporaryDirectory() as folder:
            cost = asyncio.run(measure(state, args.minutes, Path(folder)))
        found.append(cost)
        sys.stdout.write(
            f"{cost.state:6} {cost.minutes:5.1f} min  {cost.percent:.3f} % of a core (goal {GOAL_PERCENT} %)"
            f"  {cost.wakes:.0f} wake-ups and {cost.looks:.0f} looks a minute\n"
        )
        sys.stdout.flush()
    if args.json:
        args.json.write_bytes(msgspec.json.encode(found))
    return 0


if __name__ == "__main__":
    os.environ.pop("WAYLAND_DISPLAY", None)
    sys.exit(main(sys.argv[1:]))
