"""The scheduler in the running app: what it is told at once, and what is told of its windows."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as TooLongError
from datetime import datetime
from functools import partial

from sqlmodel import Session as Db

from metaclaw_tray.admin.api.schedule import WindowKind
from metaclaw_tray.admin.api.tray import TrainingNews
from metaclaw_tray.clock import Clock
from metaclaw_tray.omls.scheduler import Scheduler
from metaclaw_tray.omls.sensing.idle import IdleChain, UnavailableError
from metaclaw_tray.omls.sensing.returning import ReturnWatch
from metaclaw_tray.omls.sensing.senses import SystemSenses, ways
from metaclaw_tray.omls.sensing.sleeping import DELAY, SleepWatch
from metaclaw_tray.omls.table import Kind
from metaclaw_tray.runtime.notifying import announce_training
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_schedule import TrainingWindow

log = logging.getLogger(__name__)

WORDS: Mapping[str, WindowKind] = {
    Kind.MANUAL: "asked",
    Kind.MEETING: "meeting",
    Kind.SLEEP: "sleep",
    Kind.LOCKED: "idle",
    Kind.IDLE: "idle",
}
"""Kinds of windows as the person is told of them."""

_WORTH_TELLING = 60.0  # seconds of training in a window


async def watch(scheduler: Scheduler, senses: SystemSenses, store: Store) -> None:
    """Run the scheduler, with the way of telling idleness that worked last, and told of sleep by the system
    where it tells."""
    preferred = await store.aread(rows.idle_way)
    if preferred:
        senses.chain = IdleChain(ways(), preferred)
    loop = asyncio.get_running_loop()
    opening = asyncio.create_task(asyncio.to_thread(_watches, scheduler, loop), name="watches")
    try:
        await asyncio.shield(opening)
        await scheduler.run()
    finally:
        for each in await opening:  # also where the program ends while they are being opened
            await asyncio.shield(asyncio.to_thread(each.close))


def _watches(scheduler: Scheduler, loop: asyncio.AbstractEventLoop) -> list[SleepWatch | ReturnWatch]:
    found = (_sleep_watch(scheduler, loop), _return_watch(scheduler, loop))
    return [each for each in found if each is not None]


def _sleep_watch(scheduler: Scheduler, loop: asyncio.AbstractEventLoop) -> SleepWatch | None:
    def sleeps() -> None:
        """In the watch's thread, which holds sleep off meanwhile."""
        down = asyncio.run_coroutine_threadsafe(scheduler.sleeps(), loop)
        with contextlib.suppress(TooLongError, CancelledError):
            down.result(DELAY)

    def wakes() -> None:
        with contextlib.suppress(RuntimeError):  # the program ends
            loop.call_soon_threadsafe(scheduler.wakes)

    try:
        return SleepWatch(sleeps, wakes)
    except UnavailableError as error:
        log.info("sleep is told by the clocks alone: %s", error)
        return None


def _return_watch(scheduler: Scheduler, loop: asyncio.AbstractEventLoop) -> ReturnWatch | None:
    def returned() -> None:
        with contextlib.suppress(RuntimeError):  # the program ends
            loop.call_soon_threadsafe(scheduler.look_soon)

    try:
        return ReturnWatch(returned)
    except UnavailableError as error:
        log.info("a return is told by asking alone: %s", error)
        return None


class WindowNews:
    """Has the person told of windows in which training ran: as they open and as they close."""

    def __init__(self, store: Store, clock: Clock, changed: Callable[[], None]) -> None:
        self._store = store
        self._clock = clock
        self._changed = changed
        self._telling: set[asyncio.Task[None]] = set()

    def opened(self, window_id: str) -> None:
        """Training begins in it. Never waits."""
        self._soon(partial(_begun, window_id=window_id))

    def closed(self, window_id: str, more_to_do: bool) -> None:
        """Training is over in it. Never waits."""
        self._soon(partial(_ended, window_id=window_id, more_to_do=more_to_do))

    async def rest(self) -> None:
        """Wait until all is written."""
        await asyncio.gather(*self._telling)

    def _soon(self, news: Callable[[Db], TrainingNews | None]) -> None:
        task = asyncio.create_task(self._tell(news, self._clock.now()), name="window-news")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self, news: Callable[[Db], TrainingNews | None], now: datetime) -> None:
        def announce(db: Db) -> bool:
            found = news(db)
            if found is not None:
                announce_training(db, found, now)
            return found is not None

        if await self._store.awrite(announce):
            self._changed()


def _begun(db: Db, window_id: str) -> TrainingNews | None:
    window = rows.window(db, window_id)
    if window is None:
        return None
    # Of an absence the end is a guess, which is not told as if it were known.
    known = window.kind in (Kind.MEETING, Kind.SLEEP)
    return _news(window, ended=False, until=window.expected_end if known else None)


def _ended(db: Db, window_id: str, more_to_do: bool) -> TrainingNews | None:
    window = rows.window(db, window_id)
    if window is None or window.trained_seconds < _WORTH_TELLING:
        return None
    return _news(window, ended=True, until=window.closed_at, more_to_do=more_to_do)


def _news(
    window: TrainingWindow, *, ended: bool, until: datetime | None, more_to_do: bool = False
) -> TrainingNews:
    """Titles go along: whether they are shown is asked when the person is told."""
    return TrainingNews(
        job=window.id,
        ended=ended,
        window=WORDS.get(window.kind, "idle"),
        window_from=window.opened_at,
        window_until=until,
        title=window.title,
        minutes=window.trained_seconds / 60,
        more_to_do=more_to_do,
    )
