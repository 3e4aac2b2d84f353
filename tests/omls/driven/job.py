"""The stand-in as the scheduler drives it, in a real child process."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import psutil

from metaclaw_tray.child import Child, start_child
from omls.driven.stand_in import Done, Go

_SCRIPT = Path(__file__).with_name("stand_in.py")
_GRACE = 2.0
_SECONDS = 60.0  # a hang guard


class SteppingJob:
    """Counts steps in `folder`, up to `last` of them. A child that dies is started again."""

    local = False
    set_up = True
    name = "stepping"

    def __init__(self, folder: Path, last: int = sys.maxsize) -> None:
        self.folder = folder
        self._last = last
        self._child: Child[Go, Done] | None = None
        self._stopped = False
        self._done = False

    def unready(self) -> str:
        return "there is nothing new to train on" if self._done else ""

    async def run(self, window_id: str) -> None:
        self._stopped = False
        while not self._stopped and not self._done:
            command = [sys.executable, str(_SCRIPT)]
            async with start_child(
                "stand-in", str(self.folder), str(self._last),
                to_child=Go, from_child=Done, command=command, grace=_GRACE,
            ) as child:  # fmt: skip
                self._child = child
                if self._stopped:
                    return
                async for _ in child.messages():
                    self._done = True

    async def pause(self) -> None:
        self._stopped = True
        if self._child is not None:
            await self._child.stop(_GRACE)

    @property
    def pid(self) -> int:
        """Of the child that runs or ran last; 0 before any."""
        return self._child.pid if self._child is not None else 0


def steps(folder: Path) -> list[tuple[int, int, float]]:
    """What was done: step, process, time. A line that is being written is left out."""
    file = folder / "steps.log"
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    found = [line.split() for line in lines if line.endswith("\n")]
    return [(int(step), int(pid), float(at)) for step, pid, at in found]


def goes_on_without_a_gap(folder: Path) -> bool:
    """Whether each step follows the one before, or repeats it where its checkpoint was not kept yet."""
    counted = [step for step, _, _ in steps(folder)]
    return counted[0] == 1 and all(after - before in (0, 1) for before, after in pairwise(counted))


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


async def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    try:
        async with asyncio.timeout(_SECONDS):
            while not true():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"never came: {what}") from None
