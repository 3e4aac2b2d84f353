"""The file: opened, migrated, refused, and never lost."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select

from metaclaw_tray.errors import StoreError
from metaclaw_tray.store import (
    tables,
    tables_desktop,
    tables_learning,
    tables_library,
    tables_search,
    turns,
)
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.migrations import STEPS, Step
from metaclaw_tray.store.turns import node_key
from store.conversation import agent, person
from store.test_recorder import Bench
from support.clock import FakeClock


def indexes(path: Path) -> dict[str, str]:
    """Each index with its statement, in one spelling."""
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        return {name: " ".join(sql.split()) for name, sql in rows}


def columns(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as raw:
        names = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: raw.execute(f"PRAGMA table_info('{name}')").fetchall() for name in sorted(names)}


def test_the_schema_is_what_the_tables_say(tmp_path: Path) -> None:
    from sqlalchemy import create_engine

    Store.open(tmp_path / "ladder.sqlite3", FakeClock()).close()
    engine = create_engine(f"sqlite:///{tmp_path / 'models.sqlite3'}")
    SQLModel.metadata.create_all(engine)
    engine.dispose()
    assert columns(tmp_path / "ladder.sqlite3") == columns(tmp_path / "models.sqlite3")
    assert indexes(tmp_path / "ladder.sqlite3") == indexes(tmp_path / "models.sqlite3")
    expected = {
        tables.Turn,
        tables_learning.Trial,
        tables_desktop.Notification,
        tables_search.Searched,
    }
    assert {each.__tablename__ for each in expected} <= columns(tmp_path / "ladder.sqlite3").keys()


def test_the_file_is_private(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "deep" / "store.sqlite3", FakeClock())
    store.write(lambda session: session.add(tables.Meta(key="x", value=b"1")))
    for each in store.path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    store.close()


def test_the_node_key_survives_and_differs_between_files(tmp_path: Path) -> None:
    keys = []
    for name in ("a", "a", "b"):
        store = Store.open(tmp_path / name, FakeClock())
        keys.append(store.read(node_key))
        store.close()
    assert keys[0] == keys[1] != keys[2]
    assert len(keys[0]) == 32


def test_a_failing_write_leaves_nothing(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())

    def half(session: object) -> None:
        session.add(tables.Meta(key="half", value=b"1"))
        session.flush()
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        store.write(half)
    assert store.read(lambda session: session.get(tables.Meta, "half")) is None
    store.close()


def test_a_newer_major_version_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Store.open(path, FakeClock()).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 2000")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version") as caught:
        Store.open(path, FakeClock())
    assert "Update" in caught.value.remedy
    assert path.read_bytes() == before


def test_a_newer_minor_version_opens_and_is_worked_with(tmp_path: Path) -> None:
    def add(connection: sqlite3.Connection, _now: datetime) -> None:
        connection.execute("ALTER TABLE turn ADD COLUMN mood VARCHAR NOT NULL DEFAULT 'calm'")
        connection.execute("ALTER TABLE message ADD COLUMN seen INTEGER")
        connection.execute("CREATE TABLE newer (x INTEGER)")

    path = tmp_path / "store.sqlite3"
    Store.open(path, FakeClock(), steps=(*STEPS, Step(1, 999, "newer", add))).close()
    bench = Bench(path)
    begun = bench.client.begin([person("hello")])
    bench.record(begun, bench.client.end(begun, agent("hi")))
    told = bench.store.read(lambda db: turns.conversation(db, begun.turn_id))
    assert (told.request, told.answer) == ((person("hello"),), agent("hi"))
    bench.store.close()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (1999,)
        assert raw.execute("SELECT id, mood FROM turn").fetchall() == [(begun.turn_id, "calm")]
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_climb_makes_one_copy_and_a_step_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = Store.open(path, FakeClock())
    store.write(lambda session: session.add(tables.Meta(key="mine", value=b"kept")))
    store.close()

    def add(connection: sqlite3.Connection, _now: datetime) -> None:
        connection.execute("CREATE TABLE extra (x INTEGER)")

    def fail(connection: sqlite3.Connection, _now: datetime) -> None:
        connection.execute("CREATE TABLE never (x INTEGER)")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        Store.open(path, FakeClock(), steps=(*STEPS, Step(1, 900, "extra", add), Step(2, 0, "never", fail)))
    names = columns(path)
    assert "extra" in names
    assert "never" not in names
    (copy,) = tmp_path.glob("*.before-*")
    assert copy.name.split("-")[1] == "1.900"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as raw:
        assert raw.execute("SELECT value FROM meta WHERE key = 'mine'").fetchone() == (b"kept",)
    assert "extra" not in columns(copy), "it is the file as it was before the first step"


def test_a_disk_that_is_full_is_said_so_and_the_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Store.open(path, FakeClock()).close()
    before = columns(path)

    def fill(connection: sqlite3.Connection, _now: datetime) -> None:
        connection.execute("CREATE TABLE large (x BLOB)")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        connection.execute("INSERT INTO large VALUES (zeroblob(1000000))")

    with pytest.raises(StoreError, match="full") as caught:
        Store.open(path, FakeClock(), steps=(*STEPS, Step(1, 900, "large", fill)))
    assert "Free some space" in caught.value.remedy
    assert columns(path) == before
    assert list(tmp_path.glob("*.before-*")) == [], "tried again and again, copies would fill what is left"


def test_the_empty_library_is_as_old_as_the_clock_says(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    assert store.read(lambda session: session.get(tables_library.Generation, 0).at) == FakeClock().now()
    store.close()


@pytest.mark.parametrize("name", ["what?mode=ro", "issue #7", "100% mine", "a%3Fb", "é and +"])
def test_a_home_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "store.sqlite3"
    store = Store.open(path, FakeClock())
    store.write(lambda session: session.add(tables.Meta(key="x", value=b"1")))
    store.close()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT value FROM meta WHERE key = 'x'").fetchone() == (b"1",)
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be read as one" * 20, b"SQLite format 3\0"]
)
def test_a_damaged_file_is_said_so_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        Store.open(path, FakeClock())
    assert caught.value.remedy
    assert path.read_bytes() == content


def test_another_programs_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program"):
        Store.open(path, FakeClock())


async def test_reading_and_writing_from_a_loop(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    await store.awrite(lambda session: session.add(tables.Meta(key="x", value=b"1")))
    assert (await store.aread(lambda session: session.exec(select(tables.Meta.key)).all())).count("x") == 1
    assert store.check() == []
    store.close()
