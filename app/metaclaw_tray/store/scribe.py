"""The scribe: a child process, the only writer of turn data.

Records come through a bounded pipe; a thread takes them off it, the main thread commits them in batches. A
disk that is full or locked makes the scribe wait and try again: meanwhile the pipe fills, and the proxy drops
records and counts them, so the agent never waits. One record that cannot be stored is set aside with a notice
that says so; it never takes its neighbours with it.
"""

from __future__ import annotations

import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from metaclaw_tray.child import ChildPipe, serve_child
from metaclaw_tray.clock import Clock, SystemClock
from metaclaw_tray.errors import StoreError
from metaclaw_tray.ids import new_id
from metaclaw_tray.logs import configure_child
from metaclaw_tray.store import indexing, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.recorder import Learnt, Recorder
from metaclaw_tray.store.records import Fault, Flush, Flushed, FromScribe, Ready, Stored, ToScribe
from metaclaw_tray.store.tables import Notice

T = TypeVar("T")

log = logging.getLogger(__name__)

_WAITING_RECORDS = 64  # records taken off the pipe but not yet committed
_BATCH = 128
_GATHERING_SECONDS = 0.05
_NICENESS = 10
_QUIET_SECONDS = 0.5  # without a record, before turns are brought into the index
_SLICE_SECONDS = 0.02  # that this takes at a time, before it looks whether a record came
_REST_SECONDS = 0.05  # between two slices: half of the time is anybody's
_DISK_REST_SECONDS = 30.0  # after the file could not be written
# What may pass by itself, or by a person's doing: the same record can be stored later.
_OF_THE_DISK = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}
_RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)


def child_main(args: Sequence[str]) -> int:
    """`--child scribe PATH`: store what comes until the pipe ends; 1 where the store does not open."""
    _give_way()
    pipe: ChildPipe[ToScribe, FromScribe] = serve_child(ToScribe, FromScribe)
    configure_child()
    try:
        store = Store.open(Path(args[0]), SystemClock(), synchronous="NORMAL")
    except StoreError as error:
        pipe.send(Fault("store", "\n".join(error.lines())))
        return 1
    try:
        Scribe(store, SystemClock(), pipe).run()
    finally:
        store.close()
    return 0


def _give_way() -> None:
    """Storing may wait, the agent may not: without this the kernel hands the processor from the proxy to the
    scribe at each record."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)


@dataclass
class _Batch:
    """What one commit takes in."""

    records: list[ToScribe] = field(default_factory=list)
    last: bool = False


class Scribe:
    """Takes records off the pipe and commits them, in order."""

    def __init__(self, store: Store, clock: Clock, pipe: ChildPipe[ToScribe, FromScribe]) -> None:
        self._store = store
        self._clock = clock
        self._pipe = pipe
        self._recorder = Recorder(store.read(turns.node_key))
        self._waiting: queue.Queue[ToScribe | None] = queue.Queue(_WAITING_RECORDS)
        self._indexing = True  # whether turns wait that cannot be searched yet

    def run(self) -> None:
        """Until the pipe ends and all that was in it is stored."""
        self._persist(lambda session: turns.lose_open_turns(session, self._clock.now()))
        threading.Thread(target=self._take_off, name="scribe-pipe", daemon=True).start()
        self._pipe.send(Ready())
        last = False
        while not last:
            batch = self._next_batch()
            self._commit(batch.records)
            last = batch.last

    def _take_off(self) -> None:
        try:
            for record in self._pipe:
                self._waiting.put(record)
        finally:
            self._waiting.put(None)

    def _next_batch(self) -> _Batch:
        """What came, and what comes in the next moment: one commit for many records, and none at the very
        moment in which the agent waits for its first byte. Whoever asks for a flush is not kept waiting."""
        batch, item = _Batch(), self._first()
        until, hurry = time.monotonic() + _GATHERING_SECONDS, False
        while item is not None:
            batch.records.append(item)
            if len(batch.records) >= _BATCH:
                return batch
            hurry = hurry or isinstance(item, Flush)
            try:
                item = self._waiting.get(timeout=0 if hurry else max(0.0, until - time.monotonic()))
            except queue.Empty:
                return batch
        batch.last = True
        return batch

    def _first(self) -> ToScribe | None:
        """The next record. While none comes, turns are brought into the index, a slice at a time."""
        rest = _QUIET_SECONDS
        while self._indexing:
            try:
                return self._waiting.get(timeout=rest)
            except queue.Empty:
                rest = self._index_some()
        return self._waiting.get()

    def _index_some(self) -> float:
        """A slice of indexing; how long to leave it at that."""
        until = time.monotonic() + _SLICE_SECONDS
        try:
            self._indexing = self._store.write(
                lambda db: indexing.bring_in(raw(db), lambda: time.monotonic() < until)
            )
        except StoreError as error:
            log.warning("turns cannot be brought into the index now error=%s", error)
            return _DISK_REST_SECONDS
        return _REST_SECONDS

    def _commit(self, records: list[ToScribe]) -> None:
        stored = [record for record in records if not isinstance(record, Flush)]
        if stored:
            learnt = self._persist(lambda session: self._apply(session, stored))
            self._recorder.commit()
            self._indexing = True
            self._pipe.send(Stored(len(stored), learnt.ended, learnt.judgeable))
        for record in records:
            if isinstance(record, Flush):
                self._pipe.send(Flushed(record.number))

    def _apply(self, session: Session, records: Sequence[ToScribe]) -> Learnt:
        self._recorder.forget_uncommitted()
        self._recorder.notice_forgetting(session)
        try:
            with session.begin_nested():
                return self._recorder.apply(session, *records)
        except Exception as error:
            if _is_of_the_disk(error):
                raise
            self._recorder.forget_uncommitted()
        return self._apply_one_by_one(session, records)

    def _apply_one_by_one(self, session: Session, records: Sequence[ToScribe]) -> Learnt:
        """The slow way, which finds the record that cannot be stored and leaves its neighbours alone."""
        learnt = Learnt()
        for record in records:
            try:
                with session.begin_nested():
                    learnt.add(self._recorder.apply(session, record))
            except Exception as error:
                if _is_of_the_disk(error):
                    raise
                log.exception("a record could not be stored kind=%s", type(record).__name__)
                self._recorder.forget_uncommitted()
                subject = getattr(record, "turn_id", "") or getattr(record, "session_id", "")
                reason = f"{type(record).__name__} could not be stored: {type(error).__name__}"
                now = self._clock.now()
                session.add(Notice(id=new_id(now), kind="fault", subject=subject, reason=reason, at=now))
        return learnt

    def _persist(self, work: Callable[[Session], T]) -> T:
        """Commit, however long the disk takes to allow it."""
        waits = chain(_RETRY_SECONDS, repeat(_RETRY_SECONDS[-1]))
        told = False
        while True:
            try:
                return self._store.write(work)
            except StoreError as error:
                if not told:
                    told = True
                    self._pipe.send(Fault("store", "\n".join(error.lines())))
                    log.warning("waiting for the disk error=%s", error)
                time.sleep(next(waits))


def _is_of_the_disk(error: BaseException | None) -> bool:
    """Whether the file failed and not the record: at first, or before what was done could not be undone."""
    while error is not None:
        if isinstance(error, StoreError | OSError):
            return True
        said = error.orig if isinstance(error, DBAPIError) else error
        if getattr(said, "sqlite_errorcode", 0) & 0xFF in _OF_THE_DISK:
            return True
        error = error.__cause__ or error.__context__
    return False
