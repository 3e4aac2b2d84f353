"""What the scribe is told. A full pipe costs a record, never a moment."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from metaclaw_tray.clock import Clock
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    SessionEnded,
    ToScribe,
    TurnBegun,
    TurnEnded,
)

ANSWER_LIMIT = 8 * 2**20
"""Bytes of an answer that are kept for the scribe."""


class Tee(Protocol):
    """The pipe's mouth."""

    def offer(self, record: ToScribe, /) -> bool:
        """Take the record without waiting, or say False."""
        ...


class Recorder:
    """Offers records in order, counts what the pipe would not take, and keeps what must not be lost."""

    def __init__(self, tee: Tee, clock: Clock) -> None:
        self._tee = tee
        self._clock = clock
        self._kept: deque[BlockInjected | SessionEnded] = deque()
        self._untold = 0  # dropped records that the scribe has not heard of
        self.dropped = 0

    def keep(self, record: BlockInjected | SessionEnded) -> None:
        """Offer a record that is never dropped: it is small, and nobody will say it again."""
        self._kept.append(record)
        self.retry()

    def offer(self, record: TurnBegun | TurnEnded) -> bool:
        """Offer a record of a turn; False where it was dropped."""
        if self.retry() and self._tee.offer(record):
            return True
        self.dropped += 1
        self._untold += 1
        return False

    def retry(self) -> bool:
        """Offer what is left from before; True where nothing is left."""
        while self._kept:
            if not self._tee.offer(self._kept[0]):
                return False
            self._kept.popleft()
        if self._untold:
            if not self._tee.offer(Dropped(self._untold, self._clock.now().timestamp())):
                return False
            self._untold = 0
        return True


class AnswerCopy:
    """The bytes of an answer as they went by, up to a limit."""

    def __init__(self, limit: int = ANSWER_LIMIT) -> None:
        self._chunks: list[bytes] = []
        self._room = limit
        self.truncated = False

    def take(self, chunk: bytes) -> None:
        if len(chunk) > self._room:
            chunk = chunk[: self._room]
            self.truncated = True
        if chunk:
            self._chunks.append(chunk)
            self._room -= len(chunk)

    @property
    def body(self) -> bytes:
        return b"".join(self._chunks)
