"""The scribe writes every turn of every agent: what it asks never reads a table from end to end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.base import Executable

from metaclaw_tray.store import writing
from metaclaw_tray.store.engine import Store
from support.clock import FakeClock

STATEMENTS = {
    name: statement
    for name, statement in vars(writing).items()
    if re.fullmatch("_[A-Z_]+", name) and isinstance(statement, Executable)
}
INDEXES = {
    "_END_SESSION": "sqlite_autoindex_session_1",
    "_END_TURN": "sqlite_autoindex_turn_1",
    "_LINK": "sqlite_autoindex_turn_1",
    "_EXCHANGE_AT": "sqlite_autoindex_exchange_2",
    "_EARLIER": "turn_on_path",
    "_UNANSWERED": "ix_turn_answer_node",
    "_HAS_BEEN": "turn_on_path",
    "_DUE": "sqlite_autoindex_verdict_2",
    "_OPEN_TURN": "sqlite_autoindex_turn_1",
    "_LATER": "turn_in_session",
    "_DEPTH": "sqlite_autoindex_node_1",
    "_THERE": "sqlite_autoindex_node_1",
}  # the others insert, and read nothing


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    Store.open(tmp_path / "store.sqlite3", FakeClock()).close()
    return tmp_path / "store.sqlite3"


def plan(path: Path, name: str) -> list[str]:
    """How SQLite goes about a statement, in its own words."""
    sql = re.sub(r"__\[POSTCOMPILE_\w+\]", "?, ?, ?", str(STATEMENTS[name].compile(dialect=sqlite.dialect())))
    engine = create_engine(URL.create("sqlite", database=str(path)))
    with closing(engine.raw_connection()) as raw:
        cursor = raw.cursor()
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?"))
        steps = [str(row[3]) for row in cursor.fetchall()]
    engine.dispose()
    return steps


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_the_scribes_statements_use_an_index(path: Path, name: str) -> None:
    steps = plan(path, name)
    assert [step for step in steps if step.startswith("SCAN") and step != "SCAN CONSTANT ROW"] == []
    if name in INDEXES:
        assert any(INDEXES[name] in step for step in steps), steps
    else:
        assert steps == []


@pytest.mark.parametrize("name", ["_EARLIER", "_LATER"])
def test_what_is_looked_for_in_a_session_comes_sorted(path: Path, name: str) -> None:
    assert not any("TEMP B-TREE" in step for step in plan(path, name))
