"""A home that has been in use for long: turns and skills written straight into the app's own tables.

Nothing of the app runs meanwhile. Indexes are made once, after the rows. A column that this file knows
nothing of is left empty, or holds an empty value where it must hold one.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session

from benchmarks.skills import skill_texts
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.ids import new_id
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.decisions import SkillTrust
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import current_generation
from metaclaw_tray.store.tables import tag
from metaclaw_tray.store.tables_library import (
    Generation,
    Membership,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)

_DAYS = 30  # over which the turns lie
_SESSION_TURNS = 20
_EXCHANGE_TURNS = 4
_MESSAGES = 5_000  # the pool that all conversations share
_BATCH = 20_000  # rows
_EMPTY = {"INTEGER": 0, "BIGINT": 0, "BOOLEAN": 0, "FLOAT": 0.0, "BLOB": b"", "JSON": "[]"}

Row = dict[str, Any]


def add_turns(file: Path, count: int, agent: str) -> None:
    """Write so many turns of the last month into the store, with their sessions, exchanges and messages."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for pragma in ("journal_mode=DELETE", "journal_mode=OFF", "synchronous=OFF", "cache_size=-400000"):
            connection.execute(f"PRAGMA {pragma}")
        indexes = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        connection.execute("BEGIN EXCLUSIVE")
        for name, _ in indexes:
            connection.execute(f'DROP INDEX "{name}"')
        tables = {
            name: _Table(connection, name) for name in ("session", "exchange", "turn", "node", "message")
        }
        tables["injection"] = _Table(connection, "injection")
        pool = _messages()
        tables["message"].add(pool)
        for name, rows in _history(count, agent, [each["id"] for each in pool]):
            tables[name].add(rows)
        for table in tables.values():
            table.flush()
        for _, sql in indexes:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode=WAL")


def add_skills(file: Path, count: int) -> None:
    """Write so many active skills into the library, as one generation."""
    now = datetime.now(UTC)
    store = Store.open(file, SystemClock())

    def write(session: Session) -> None:
        number = current_generation(session) + 1
        session.add(Generation(number=number, why="brought in together", at=now))
        session.flush()
        for each in skill_texts(count):
            name, how = each.name, {"source": SkillSource.IMPORTED, "trust": SkillTrust.REVIEWED}
            session.add(Skill(name=name, state=SkillState.ACTIVE, version=1, changed_at=now, **how))
            session.add(
                SkillVersion(
                    name=name,
                    version=1,
                    text=each.text,
                    digest=each.digest,
                    description=each.description,
                    at=now,
                )
            )
            session.add(Membership(name=name, since=number, version=1, agents=[]))

    try:
        store.write(write)
    finally:
        store.close()


class _Table:
    """Takes rows and writes them by the thousand."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        self._empty: Row = {}
        for _, column, kind, needed, default, _ in columns:
            if default is not None:
                (self._empty[column],) = connection.execute(f"SELECT {default}").fetchone()
            else:
                self._empty[column] = _EMPTY.get(kind, "") if needed else None
        holes = ", ".join(f":{column}" for column in self._empty)
        self._insert = f'INSERT INTO "{name}" VALUES ({holes})'
        self._rows: list[Row] = []

    def add(self, rows: Iterable[Row]) -> None:
        self._rows.extend(self._empty | row for row in rows)
        if len(self._rows) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        self._connection.executemany(self._insert, self._rows)
        self._rows.clear()


def _messages() -> list[Row]:
    body = b'{"role": "%b", "content": "' + b"What stands in a message is of no matter here. " * 10 + b'"}'
    return [
        {"id": b"message %08d" % number, "role": role, "body": body % role.encode(), "size": len(body)}
        for number, role in enumerate(["user", "assistant"] * (_MESSAGES // 2))
    ]


def _history(count: int, agent: str, pool: Sequence[bytes]) -> Iterator[tuple[str, list[Row]]]:
    """Rows by table, session by session, each with parents before children."""
    chance = random.Random(0)
    end = datetime.now(UTC) - timedelta(hours=1)
    step = timedelta(days=_DAYS) / max(count, 1)
    for first in range(0, count, _SESSION_TURNS):
        turns = range(first, min(first + _SESSION_TURNS, count))
        times = [end - step * (count - number) for number in turns]
        yield from _conversation(chance, agent, pool, times)


def _conversation(
    chance: random.Random, agent: str, pool: Sequence[bytes], times: Sequence[datetime]
) -> Iterator[tuple[str, list[Row]]]:
    """One session: a turn at each of these times, a new message by the person at every fourth."""
    nodes = [chance.randbytes(16) for _ in range(2 * len(times))]
    ids = [new_id(time) for time in times]
    session_id = f"{agent}/{nodes[0].hex()}.0"
    session: Row = {"id": session_id, "agent": agent, "root": nodes[0], "started_at": moment(times[0])}
    yield "session", [session | {"last_at": moment(times[-1]), "ended_at": moment(times[-1])}]
    common: Row = {"session_id": session_id, "agent": agent, "generation": 1}
    exchanges: list[Row] = []
    for place in range(0, len(times), _EXCHANGE_TURNS):
        opening, at = nodes[2 * place], moment(times[place])
        before = exchanges[-1]["lineage"] + "/" if exchanges else ""
        exchange = {"id": new_id(times[place]), "opening": opening, "lineage": before + tag(opening)}
        exchanges.append(common | exchange | {"started_at": at})
    yield "exchange", exchanges
    yield (
        "node",
        [
            {
                "id": node,
                "parent": nodes[place - 1] if place else None,
                "message_id": pool[chance.randrange(len(pool) // 2) * 2 + place % 2],
                "depth": place + 1,
            }
            for place, node in enumerate(nodes)
        ],
    )
    yield (
        "turn",
        [
            common
            | {
                "id": turn_id,
                "exchange_id": exchanges[place // _EXCHANGE_TURNS]["id"],
                "kind": "main",
                "outcome": "ok",
                "dialect": "chat",
                "upstream": "bench",
                "model": "bench-json",
                "status": 200,
                "request_node": nodes[2 * place],
                "answer_node": nodes[2 * place + 1],
                "next_turn_id": ids[place + 1] if place + 1 < len(ids) else None,
                "next_origin": "person" if (place + 1) % _EXCHANGE_TURNS == 0 else "tool",
                "finish_reason": "stop",
                "input_tokens": 2000,
                "output_tokens": 200,
                "begun_at": moment(times[place]),
                "first_byte_at": moment(times[place]) + 300_000,
                "ended_at": moment(times[place]) + 900_000,
            }
            for place, turn_id in enumerate(ids)
        ],
    )
    yield (
        "injection",
        [
            {
                "anchor": exchange["opening"],
                "session_id": session_id,
                "block": "A note that was given to the model once. " * 12,
                "skills": '["timestamps-of-meetings@1"]',
                "tokens": 120,
                "generation": 1,
                "at": exchange["started_at"],
            }
            for exchange in exchanges[:1]
        ],
    )
