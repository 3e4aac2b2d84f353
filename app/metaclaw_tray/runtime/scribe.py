"""Keeping a scribe alive, and what has not been stored yet.

A frame is kept here until the scribe says that it is committed, so a scribe that is killed loses nothing:
the next one gets the frames again (it knows a turn that it has seen before). What may be kept is bounded;
beyond that the offer is refused, and the proxy drops the record and counts it.

A scribe that ends is started again, however often: a disk that is full today has room tomorrow. Only the
pauses grow.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from metaclaw_tray.child import Child, ChildEndedError, FrameError, encode, start_child
from metaclaw_tray.clock import Clock
from metaclaw_tray.store.records import Fault, Flush, Flushed, FromScribe, Ready, Stored, ToScribe

log = logging.getLogger(__name__)

_KEPT_BYTES = 16 * 1024 * 1024  # frames that are not committed yet
_OFTEN, _WITHIN_SECONDS = 3, 600.0
_DRAIN_SECONDS = 30.0

PAUSES = (0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60.0)
"""Seconds before each restart in a row; the last one holds from then on."""


class Restarts:
    """How long to wait before the next start."""

    def __init__(self, clock: Clock, pauses: Sequence[float] = PAUSES) -> None:
        self._clock = clock
        self._pauses = pauses
        self._in_a_row = 0
        self._deaths: deque[float] = deque(maxlen=len(pauses) + _OFTEN)

    def died(self) -> float:
        """Count a death; the seconds to wait now."""
        now = self._clock.monotonic()
        self._deaths.append(now)
        while now - self._deaths[0] > _WITHIN_SECONDS:
            self._deaths.popleft()
        place = min(self._in_a_row, len(self._pauses) - 1)
        self._in_a_row += 1
        # One that stores a little and dies, over and over, must not do so at the shortest pause.
        return self._pauses[-1 if len(self._deaths) > len(self._pauses) else place]

    def stored(self) -> None:
        """It works: the next death is the first in a row."""
        self._in_a_row = 0

    @property
    def often(self) -> bool:
        """Whether it died three times in ten minutes, by the last death."""
        return len(self._deaths) >= _OFTEN


class ScribeKeeper:
    """The proxy's tee: records go in at `offer`, and come out as rows."""

    def __init__(
        self,
        store_file: Path,
        clock: Clock,
        on_stored: Callable[[Stored], None],
        *,
        kept_bytes: int = _KEPT_BYTES,
        command: Sequence[str] | None = None,
        pauses: Sequence[float] = PAUSES,
        drain_seconds: float = _DRAIN_SECONDS,
    ) -> None:
        """`kept_bytes` bounds what waits to be committed, `drain_seconds` what a scribe may take to end."""
        self._store_file = store_file
        self._on_stored = on_stored
        self._kept_bytes = kept_bytes
        self._command = command
        self._restarts = Restarts(clock, pauses)
        self._drain_seconds = drain_seconds
        self._child: Child[ToScribe, FromScribe] | None = None
        self._kept: deque[bytes] = deque()
        self._bytes = 0
        self._flushes: dict[int, asyncio.Future[bool]] = {}
        self._flush_number = 0
        self._fault = ""  # what the last scribe said was wrong
        self._stopping = asyncio.Event()
        self.ready = asyncio.Event()
        self.trouble = ""  # why records are not being stored; empty while all is well

    @property
    def queue(self) -> int:
        """Records that wait to be committed."""
        return len(self._kept)

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def offer(self, record: ToScribe) -> bool:
        """Take a record without waiting. False where it was refused because too much waits already.

        Raises ValueError for a record that no frame can hold, now or ever.
        """
        frame = encode(record)
        if self._bytes + len(frame) > self._kept_bytes:
            return False
        self._keep(frame)
        if self._child is not None:
            self._child.offer(frame)  # a refusal means the child is gone: the next one gets the frame
        return True

    async def flush(self, seconds: float = 5.0) -> bool:
        """Wait until all that was offered is committed. False where that took longer than `seconds`, or the
        scribe ended meanwhile."""
        child = self._child
        if child is None or not self.ready.is_set():
            return False
        self._flush_number += 1
        number = self._flush_number
        if not child.offer(encode(Flush(number))):
            return False
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._flushes[number] = waiter
        try:
            async with asyncio.timeout(seconds):
                return await waiter
        except TimeoutError:
            return False
        finally:
            del self._flushes[number]

    async def run(self) -> None:
        """Keep a scribe running until `stop` is called, however often it ends."""
        while not self._stopping.is_set():
            await self._run_one()
            if self._stopping.is_set():
                break
            pause = self._restarts.died()
            self._say_that_it_died()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()
            if self._stopping.is_set() and self._kept:
                await self._run_one()  # the last chance of what waits
        if self._kept:
            log.warning("the program ends before all records are stored lost=%d", len(self._kept))

    async def stop(self) -> None:
        """Let the scribe store what is in the pipe, then end it."""
        self._stopping.set()

    async def _run_one(self) -> None:
        """Start a scribe, and stay with it until it ends or is told to."""
        starting: AbstractAsyncContextManager[Child[ToScribe, FromScribe]] = start_child(
            "scribe",
            str(self._store_file),
            to_child=ToScribe,
            from_child=FromScribe,
            limit_bytes=2 * self._kept_bytes,
            grace=self._drain_seconds,
            command=self._command,
        )
        self._fault = ""
        try:
            async with starting as child:
                await self._stay_with(child)
            log.info("the scribe ended code=%s waiting=%d", child.returncode, len(self._kept))
        except OSError as error:  # no process or no file left to start it with: that passes too
            self._fault = f"it cannot be started: {error.strerror or error}"
        finally:
            self._child = None
            self.ready.clear()
            for waiter in self._flushes.values():
                if not waiter.done():
                    waiter.set_result(False)

    async def _stay_with(self, child: Child[ToScribe, FromScribe]) -> None:
        for frame in self._kept:
            child.offer(frame)
        self._child = child
        listening = asyncio.create_task(self._listen(child), name="scribe-answers")
        stopping = asyncio.create_task(self._stopping.wait(), name="scribe-stopping")
        try:
            await asyncio.wait({listening, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if self._stopping.is_set():
                await child.stop(self._drain_seconds)
            await listening
        finally:
            stopping.cancel()
            listening.cancel()

    def _say_that_it_died(self) -> None:
        if self._restarts.often:
            words = (
                "the scribe ended three times in ten minutes; turns wait in memory while it is tried again"
            )
        else:
            words = "the scribe ended and is being started again"
        self.trouble = f"{words}\n{self._fault}" if self._fault else words
        log.warning("%s", self.trouble)

    async def _listen(self, child: Child[ToScribe, FromScribe]) -> None:
        with contextlib.suppress(FrameError, ChildEndedError):
            async for message in child.messages():
                match message:
                    case Ready():
                        self.trouble = self._fault = ""
                        self.ready.set()
                    case Stored():
                        self.trouble = self._fault = ""
                        self._restarts.stored()
                        self._let_go(message.records)
                        self._on_stored(message)
                    case Flushed():
                        waiter = self._flushes.get(message.number)
                        if waiter is not None and not waiter.done():
                            waiter.set_result(True)
                    case Fault():
                        self.trouble = self._fault = message.detail

    def _keep(self, frame: bytes) -> None:
        self._kept.append(frame)
        self._bytes += len(frame)

    def _let_go(self, records: int) -> None:
        for _ in range(min(records, len(self._kept))):
            self._bytes -= len(self._kept.popleft())
