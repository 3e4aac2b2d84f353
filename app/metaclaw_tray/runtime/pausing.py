"""Learning at rest because the person said so: for a while, or until they let it go on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.store import decisions, pausing
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.pausing import Rest

_LOOK_SECONDS = 30.0  # the clock on the wall counts: the machine may have slept


class LearningPause:
    """Knows without asking the store whether learning rests; `on_change` hears of begin and end."""

    def __init__(self, store: Store, clock: Clock, on_change: Callable[[], None]) -> None:
        self._store = store
        self._clock = clock
        self._on_change = on_change
        self._rest: Rest | None = None
        self._was_on = False  # as far as whoever listens knows
        self._changed = asyncio.Event()

    @property
    def on(self) -> bool:
        """Whether learning rests now."""
        return self._rest is not None and self._rest.holds(self._clock.now())

    @property
    def until(self) -> datetime | None:
        """When the present pause ends; None where there is none, or no end was said."""
        return self._rest.until if self._rest is not None and self.on else None

    def why(self) -> str:
        """Why learning does not go on, where that is the reason; "" where it is not."""
        if not self.on:
            return ""
        return f"paused by you until {self.until:%Y-%m-%d %H:%M} UTC" if self.until else "paused by you"

    async def pause(self, until: datetime | None, who: Actor) -> None:
        """Rest from now on."""
        await self._set(Rest(until), "pause", who)

    async def resume(self, who: Actor) -> None:
        """Go on."""
        await self._set(None, "resume", who)

    async def run(self) -> None:
        """Take up what was said before the last end, and notice when a pause is over, until cancelled."""
        self._rest = await self._store.aread(pausing.rest)
        self._was_on = self.on
        while True:
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._look_after()):
                    await self._changed.wait()
            if self._was_on != self.on:
                self._was_on = self.on
                self._on_change()

    def _look_after(self) -> float | None:
        if self.until is None:
            return None
        return max(0.0, min(_LOOK_SECONDS, (self.until - self._clock.now()).total_seconds()))

    async def _set(self, wanted: Rest | None, action: str, who: Actor) -> None:
        now = self._clock.now()

        def write(db: Db) -> None:
            pausing.set_rest(db, wanted)
            until = wanted.until if wanted is not None else None
            after = {"until": until.isoformat()} if until else {}
            decisions.record(db, action, "learning", who, now, after=after)

        await self._store.awrite(write)
        self._rest, self._was_on = wanted, wanted is not None
        self._changed.set()
        self._on_change()
