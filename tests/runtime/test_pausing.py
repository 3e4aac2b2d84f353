"""Learning rests while the person wants it to, over a restart too, and goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from metaclaw_tray.runtime.pausing import LearningPause
from metaclaw_tray.store import library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from support.clock import FakeClock

ME = Actor("me", "tray", ())


class House:
    def __init__(self, store: Store, clock: FakeClock) -> None:
        self.store = store
        self.clock = clock
        self.changes = 0
        self.pause = LearningPause(store, clock, self._changed)

    def _changed(self) -> None:
        self.changes += 1


@asynccontextmanager
async def running(tmp_path: Path, clock: FakeClock) -> AsyncIterator[House]:
    house = House(Store.open(tmp_path / "store.sqlite3", clock), clock)
    service = asyncio.create_task(house.pause.run())
    await house.store.aread(lambda db: None)
    await asyncio.sleep(0.05)
    try:
        yield house
    finally:
        service.cancel()
        await asyncio.gather(service, return_exceptions=True)
        house.store.close()


async def test_a_pause_lasts_over_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with running(tmp_path, clock) as house:
        assert not house.pause.on
        await house.pause.pause(None, ME)
        assert house.pause.why() == "paused by you"
    async with running(tmp_path, clock) as house:
        assert house.pause.on
        await house.pause.resume(ME)
    async with running(tmp_path, clock) as house:
        assert house.pause.why() == ""


async def test_a_pause_ends_by_itself(tmp_path: Path) -> None:
    clock = FakeClock()
    async with running(tmp_path, clock) as house:
        await house.pause.pause(clock.now() + timedelta(minutes=30), ME)
        assert house.pause.why() == "paused by you until 2026-03-03 12:30 UTC"
        clock.advance(30 * 60)
        assert not house.pause.on
        assert house.pause.until is None


async def test_it_is_in_the_ledger(tmp_path: Path) -> None:
    clock = FakeClock()
    async with running(tmp_path, clock) as house:
        await house.pause.pause(clock.now() + timedelta(minutes=30), ME)
        clock.advance(1)
        await house.pause.resume(ME)
        rows = await house.store.aread(library.ledger)
        assert [(row.action, row.subject, row.channel) for row in rows] == [
            ("resume", "learning", "tray"),
            ("pause", "learning", "tray"),
        ]
        assert house.changes >= 2


@pytest.mark.parametrize("begun", [0, 29 * 60])
async def test_whoever_listens_hears_of_the_end(tmp_path: Path, begun: float) -> None:
    clock = FakeClock()
    async with running(tmp_path, clock) as house:
        await house.pause.pause(clock.now() + timedelta(seconds=0.05), ME)
        clock.advance(begun + 1)
        heard = house.changes
        async with asyncio.timeout(30):
            while house.changes == heard:
                await asyncio.sleep(0.01)
