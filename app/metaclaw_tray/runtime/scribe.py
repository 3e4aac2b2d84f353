"""Keeping a scribe alive, and what has not been stored yet.

A frame is kept here until the scribe says that it is committed, so a scribe that is killed loses nothing:
the next one gets the frames again (it knows a turn that it has seen before). What may be kept is bounded;
beyond that the offer is refused, and the proxy drops the record and counts it.
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
_RESTARTS, _WITHIN_SECONDS = 3, 600.0
_DRAIN_SECONDS = 30.0


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
    ) -> None:
        self._store_file = store_file
        self._clock = clock
        self._on_stored = on_stored
        self._kept_bytes = kept_bytes
        self._command = command
        self._child: Child[ToScribe, FromScribe] | None = None
        self._kept: deque[bytes] = deque()
        self._bytes = 0
        self._flushes: dict[int, asyncio.Future[None]] = {}
        self._flush_number = 0
        self._starts: deque[float] = deque()
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
        """Take a record without waiting. False where it was refused because too much waits already."""
        try:
            frame = encode(record)
        except FrameError:
            return False
        if self._bytes + len(frame) > self._kept_bytes:
            return False
        self._keep(frame)
        if self._child is not None:
            self._child.offer(frame)  # a refusal means the child is gone: the next one gets the frame
        return True

    async def flush(self, seconds: float = 5.0) -> bool:
        """Wait until all that was offered is committed. False where that took longer than `seconds`."""
        child = self._child
        if child is None or not self.ready.is_set():
            return False
        self._flush_number += 1
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._flushes[self._flush_number] = waiter
        try:
            child.offer(encode(Flush(self._flush_number)))
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            return False
        else:
            return True
        finally:
            self._flushes.pop(self._flush_number, None)

    async def run(self) -> None:
        """Keep a scribe running until `stop` is called; give up after three deaths in ten minutes."""
        while not self._stopping.is_set():
            if not self._may_start():
                self.trouble = "the scribe ended three times in ten minutes; turns are not stored any more"
                log.error("giving up on the scribe")
                await self._stopping.wait()
                return
            await self._run_one()

    async def stop(self) -> None:
        """Let the scribe store what is in the pipe, then end it."""
        self._stopping.set()

    async def _run_one(self) -> None:
        starting: AbstractAsyncContextManager[Child[ToScribe, FromScribe]] = start_child(
            "scribe",
            str(self._store_file),
            to_child=ToScribe,
            from_child=FromScribe,
            limit_bytes=2 * self._kept_bytes,
            grace=_DRAIN_SECONDS,
            command=self._command,
        )
        async with starting as child:
            for frame in self._kept:
                child.offer(frame)
            self._child = child
            listening = asyncio.create_task(self._listen(child), name="scribe-answers")
            stopping = asyncio.create_task(self._stopping.wait(), name="scribe-stopping")
            await asyncio.wait({listening, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            if self._stopping.is_set():
                await child.stop(_DRAIN_SECONDS)
            await listening
        self._child = None
        self.ready.clear()
        if not self._stopping.is_set():
            log.warning("the scribe ended code=%s waiting=%d", child.returncode, len(self._kept))
            self.trouble = self.trouble or "the scribe ended and is being started again"

    async def _listen(self, child: Child[ToScribe, FromScribe]) -> None:
        with contextlib.suppress(FrameError, ChildEndedError):
            async for message in child.messages():
                match message:
                    case Ready():
                        self.trouble = ""
                        self.ready.set()
                    case Stored():
                        self.trouble = ""
                        self._let_go(message.records)
                        self._on_stored(message)
                    case Flushed():
                        waiter = self._flushes.get(message.number)
                        if waiter is not None and not waiter.done():
                            waiter.set_result(None)
                    case Fault():
                        self.trouble = message.detail

    def _keep(self, frame: bytes) -> None:
        self._kept.append(frame)
        self._bytes += len(frame)

    def _let_go(self, records: int) -> None:
        for _ in range(min(records, len(self._kept))):
            self._bytes -= len(self._kept.popleft())

    def _may_start(self) -> bool:
        now = self._clock.monotonic()
        while self._starts and now - self._starts[0] > _WITHIN_SECONDS:
            self._starts.popleft()
        self._starts.append(now)
        return len(self._starts) <= _RESTARTS + 1
