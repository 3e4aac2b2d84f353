"""What the scribe is told. A full pipe costs a record, never a moment."""

from __future__ import annotations

import logging
from collections import deque
from typing import Protocol

from msgspec import structs

from metaclaw_tray.clock import Clock
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    OfTrial,
    SessionEnded,
    ThreadKnown,
    ToScribe,
    TurnBegun,
    TurnEnded,
)

log = logging.getLogger(__name__)

_WAITING = 4096  # records besides those that wait for ever

ForEver = BlockInjected | OfTrial
"""What was decided for good: a cache upstream holds it, or a trial counts on it."""

Kept = ForEver | SessionEnded | ThreadKnown | TurnEnded

ANSWER_LIMIT = 8 * 2**20
"""Bytes of an answer that are kept for the scribe."""

ALL_ANSWERS_LIMIT = 64 * 2**20
"""Bytes of all answers together that are on their way."""


class Tee(Protocol):
    """The pipe's mouth."""

    def offer(self, record: ToScribe, /) -> bool:
        """Take the record without waiting, or say False: not now. Raises ValueError for one that it can
        never take."""
        ...


class Recorder:
    """Offers records in order, counts what the pipe would not take, and keeps what must not be lost.

    Nothing here raises, whatever the tee does: learning that is broken never breaks the agent.
    """

    def __init__(self, tee: Tee, clock: Clock) -> None:
        self._tee = tee
        self._clock = clock
        self._kept: deque[Kept] = deque()
        self._others = 0  # how many of these do not wait for ever
        self._untold = 0  # dropped records that the scribe has not heard of
        self.dropped = 0
        self.faults = 0  # records that the tee stumbled over

    def keep(self, record: Kept) -> None:
        """Offer a small record that nobody will say again, until the pipe takes it.

        What was decided for good waits for ever, the others as long as there are not too many of them.
        """
        if not isinstance(record, ForEver):
            if self._others >= _WAITING:
                self._count_lost()
                return
            self._others += 1
        self._kept.append(record)
        self.retry()

    def offer(self, record: TurnBegun | TurnEnded) -> bool:
        """Offer a record of a turn; False where it was dropped. Of an end that is dropped only the answer is
        lost: a turn that stayed open for ever would be neither learnt from nor forgotten."""
        if self.retry() and self._put(record):
            return True
        self._count_lost()
        if isinstance(record, TurnEnded):
            self.keep(structs.replace(record, body=b"", truncated=True))
        return False

    def retry(self) -> bool:
        """Offer what is left from before; True where nothing is left."""
        while self._kept:
            taken = self._put(self._kept[0])
            if taken is False:
                return False
            self._others -= not isinstance(self._kept.popleft(), ForEver)
            if taken is None:  # offered again it would only stand in the way of all the others
                self._count_lost()
        if self._untold:
            if not self._put(Dropped(self._untold, self._clock.now().timestamp())):
                return False
            self._untold = 0
        return True

    def _put(self, record: ToScribe) -> bool | None:
        """Whether the tee took the record; None where it stumbled over it."""
        try:
            return self._tee.offer(record)
        except Exception:
            self.faults += 1
            log.exception("a record could not be told kind=%s", type(record).__name__)
            return None

    def _count_lost(self) -> None:
        self.dropped += 1
        self._untold += 1


class CopyRoom:
    """How many bytes the copies of all running answers may hold together: answers that nobody takes could
    otherwise run for long, and hold much."""

    def __init__(self, bytes_left: int = ALL_ANSWERS_LIMIT) -> None:
        self.bytes_left = bytes_left


class AnswerCopy:
    """The bytes of an answer as they went by, up to a limit of its own and one for all."""

    def __init__(self, limit: int = ANSWER_LIMIT, room: CopyRoom | None = None) -> None:
        self._chunks: list[bytes] = []
        self._left = limit
        self._room = room or CopyRoom(limit)
        self.truncated = False

    def take(self, chunk: bytes) -> None:
        left = min(self._left, self._room.bytes_left)
        if len(chunk) > left:
            chunk = chunk[:left]
            self.truncated = True
            self._left = len(chunk)  # what follows a gap is no part of the answer as it was
        if chunk:
            self._chunks.append(chunk)
            self._left -= len(chunk)
            self._room.bytes_left -= len(chunk)

    def close(self) -> None:
        """Give the room back. What was copied is gone."""
        self._room.bytes_left += sum(map(len, self._chunks))
        self._chunks.clear()

    @property
    def body(self) -> bytes:
        return b"".join(self._chunks)
