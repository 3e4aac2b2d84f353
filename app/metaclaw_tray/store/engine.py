"""Opening the file, and the one way to read and to write it.

A write is one transaction with `BEGIN IMMEDIATE`; what it did is on the disk when it returns
(`synchronous=FULL`), except in the scribe, which takes NORMAL for turn data. Readers never wait for writers
(WAL). Blocking calls are `read` and `write`; on an event loop use `aread` and `awrite`, which run them on
threads of the store's own.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import StoreError
from metaclaw_tray.store.migrations import STEPS, Step, climb

T = TypeVar("T")
Work = Callable[[Session], T]

_BUSY_SECONDS = 20


class Store:
    """The database file of one installation."""

    def __init__(self, path: Path, writer: Engine, reader: Engine) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._read_threads = ThreadPoolExecutor(2, thread_name_prefix="store-read")

    @classmethod
    def open(
        cls,
        path: Path,
        clock: Clock,
        *,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        steps: tuple[Step, ...] = STEPS,
    ) -> Store:
        """Open the file, making or migrating it where needed.

        Raises StoreError where it cannot be opened, is damaged, or was written by a newer program.
        """
        with _said_plainly(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            climb(path, clock.now(), steps)
        return cls(path, _engine(path, "BEGIN IMMEDIATE", synchronous), _engine(path, "BEGIN", synchronous))

    def write(self, work: Work[T]) -> T:
        """Run `work` in one transaction; blocking."""
        with _said_plainly(self.path), Session(self._writer, expire_on_commit=False) as session:
            result = work(session)
            session.commit()
            return result

    def read(self, work: Work[T]) -> T:
        """Run `work` on one consistent view of the file; blocking."""
        with _said_plainly(self.path), Session(self._reader, expire_on_commit=False) as session:
            return work(session)

    async def awrite(self, work: Work[T]) -> T:
        """`write` on the store's own thread. A cancelled caller does not undo the write."""
        return await asyncio.get_running_loop().run_in_executor(self._write_thread, self.write, work)

    async def aread(self, work: Work[T]) -> T:
        """`read` on a thread of the store's own."""
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, self.read, work)

    def rewrite(self) -> None:
        """Write the file anew without what was deleted, and cut the journal to nothing; blocking.

        SQLite leaves copies of a row behind where it once moved it from one page to another, so nothing less
        takes the last trace of it out. Readers go on; writers wait until it is done. Raises StoreError.
        """
        with (
            _said_plainly(self.path),
            closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection,
        ):
            connection.execute("PRAGMA temp_store=FILE")  # a large store does not fit into memory
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise sqlite3.OperationalError("the journal is locked by a reader")

    async def arewrite(self) -> None:
        """`rewrite` on the store's own thread, so that no write of this process waits for it in vain."""
        await asyncio.get_running_loop().run_in_executor(self._write_thread, self.rewrite)

    async def acut_journal(self) -> None:
        """Bring what the journal holds into the file and cut it to nothing, on the store's own thread. While
        somebody reads from it, it stays, and the next call cuts it."""

        def cut() -> None:
            with _said_plainly(self.path), closing(sqlite3.connect(self.path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        await asyncio.get_running_loop().run_in_executor(self._write_thread, cut)

    def bytes_on_disk(self) -> int:
        """What the file and its journal take; blocking."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(each.stat().st_size for each in files if each.exists())

    def check(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty where it is whole. Blocking."""
        with _said_plainly(self.path), self._reader.connect() as connection:
            faults = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
            broken = list(connection.exec_driver_sql("PRAGMA foreign_key_check"))
        return [fault for fault in faults if fault != "ok"] + [f"dangling reference: {row}" for row in broken]

    def close(self) -> None:
        """Wait for what is running, then let the file go."""
        self._write_thread.shutdown(wait=True)
        self._read_threads.shutdown(wait=True)
        self._writer.dispose()
        self._reader.dispose()


def _engine(path: Path, begin: str, synchronous: str) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _BUSY_SECONDS},
        hide_parameters=True,  # they are conversations, and errors reach the log
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            "secure_delete=FAST",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into a sentence with a remedy."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            "Cannot open the database", f"{path}: {error.strerror or error}", _remedy(str(error), path)
        ) from error
    except (sqlite3.IntegrityError, IntegrityError):
        raise  # a broken rule is the caller's to answer for, not the file's
    except (sqlite3.DatabaseError, DatabaseError) as error:
        said = str(error.orig) if isinstance(error, DatabaseError) else str(error)
        raise StoreError("The database failed", f"{path}: {said}", _remedy(said, path)) from error


def _remedy(said: str, path: Path) -> str:
    said = said.lower()
    if "full" in said or "no space" in said:
        return "Free some space on this disk; what was stored before is intact."
    if "readonly" in said or "read-only" in said or "permission" in said:
        return f"Make {path.parent} writable for you, or set METACLAW_TRAY_HOME to a folder that is."
    if "locked" in said:
        return "Another program holds the file; close it and try again."
    if "malformed" in said or "not a database" in said:
        return f"Move {path} away, put back the newest copy beside it, and run `metaclaw-tray doctor`."
    return "Run `metaclaw-tray doctor`."
