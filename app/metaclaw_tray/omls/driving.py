"""Has a job run while a window is open, and only then."""

from __future__ import annotations

import asyncio
import logging

from metaclaw_tray.clock import Clock
from metaclaw_tray.omls.job import STOP_SECONDS, Job

log = logging.getLogger(__name__)

REST_AFTER_FAILURE = 900.0
"""Seconds that nothing is tried again after a job ended with an error nobody foresaw."""


class Driver:
    """Starts the job in a window and pauses it as the window closes. One thing at a time: a window that opens
    while the job is still on its way down waits for that."""

    def __init__(self, job: Job, clock: Clock) -> None:
        self._job = job
        self._clock = clock
        self._wanted = ""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._begun: float | None = None
        self._before = 0.0
        self._failed_at = float("-inf")
        self._failure = ""

    def why_not(self) -> str:
        """Why nothing is begun now though the job would have something to do; "" where nothing holds it."""
        rests = self._clock.monotonic() - self._failed_at < REST_AFTER_FAILURE
        return f"training ended with an error ({self._failure}); it is tried again later" if rests else ""

    @property
    def seconds(self) -> float:
        """For how long the job has run in the window that is, or was last."""
        running = self._clock.monotonic() - self._begun if self._begun is not None else 0.0
        return self._before + running

    def want(self, window_id: str) -> None:
        """Have the job run in this window; "" for not at all. Never waits."""
        if window_id == self._wanted:
            return
        self._wanted = window_id
        self._changed.set()
        if window_id:
            self._before, self._begun = 0.0, None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow(), name="training")

    async def close(self) -> None:
        """Pause and wait until it is down."""
        self.want("")
        await self.rest()

    async def rest(self) -> None:
        """Wait until the job has come to what is wanted: with none wanted, until it is down."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _follow(self) -> None:
        """Bring the job to what is wanted, until both agree."""
        while self._wanted:
            window = self._wanted
            self._changed.clear()
            running = asyncio.create_task(self._run(window), name="training-window")
            changed = asyncio.create_task(self._changed.wait())
            await asyncio.wait([running, changed], return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            if not running.done():
                await self._pause(running)
            if self._wanted == window:
                return  # it is done, and will say why it has nothing more to do

    async def _run(self, window: str) -> None:
        self._begun = self._clock.monotonic()
        try:
            await self._job.run(window)
        except Exception as error:
            # The window closes with these words as its reason, which is the row that says what was lost.
            self._failure, self._failed_at = type(error).__name__, self._clock.monotonic()
            log.exception("training failed: window=%s", window)
        finally:
            self._before, self._begun = self.seconds, None

    async def _pause(self, running: asyncio.Task[None]) -> None:
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._job.pause()
                await asyncio.wait([running])
        except TimeoutError:
            log.warning("training did not stop in time")
        if not running.done():
            running.cancel()
            await asyncio.wait([running])
