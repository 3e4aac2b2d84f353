"""Members of generations are kept as spans, and read as if each generation had a copy of the library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.migrations import STEPS
from metaclaw_tray.store.tables_library import SkillState
from store.test_library import ME, NOW, text_of
from support.clock import FakeClock

# What a library went through: each generation with its members, as a program of before wrote them down.
THEN = {
    1: {"ab": 1},
    2: {"ab": 1, "cd": 1},
    3: {"ab": 2, "cd": 1},
    4: {"ab": 2},
    5: {"ab": 1},
    6: {"ab": 1, "cd": 1},
}


def written_before(path: Path) -> None:
    """A file of schema 1.4 whose library went through all that."""
    Store.open(path, FakeClock(), steps=STEPS[:5]).close()
    with closing(sqlite3.connect(path)) as raw:
        for name, version in (("ab", 1), ("ab", 2), ("cd", 1)):
            raw.execute(
                "INSERT INTO skill (name, state, source, trust, version, changed_at) "
                "VALUES (?, 'active', 'person', 'trusted', 1, 0) ON CONFLICT DO NOTHING",
                (name,),
            )
            content = text_of(name, str(version))
            raw.execute(
                "INSERT INTO skillversion (name, version, text, digest, description, at) "
                "VALUES (?, ?, ?, ?, '', 0)",
                (name, version, content.text, content.digest),
            )
        for number, members in THEN.items():
            raw.execute("INSERT INTO generation (number, why, at) VALUES (?, '', 0)", (number,))
            rows = [(number, name, version) for name, version in members.items()]
            raw.executemany("INSERT INTO generationmember VALUES (?, ?, ?)", rows)
        raw.commit()


@pytest.fixture
def climbed(tmp_path: Path) -> Iterator[Store]:
    written_before(tmp_path / "store.sqlite3")
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield store
    store.close()


def test_each_generation_has_the_members_it_had_before_the_step(climbed: Store) -> None:
    for number, members in THEN.items():
        view = climbed.read(lambda db, number=number: library.generation(db, number))
        assert view.members == tuple(f"{name}@{version}" for name, version in members.items())
    assert climbed.check() == []


def test_what_came_and_went_since_each_generation_is_told_as_before(climbed: Store) -> None:
    now = THEN[6]
    for number in range(7):
        then = THEN.get(number, {})
        change = climbed.read(lambda db, number=number: library.library_since(db, number))
        assert change.generation == 6
        assert {each.name: each.version for each in change.come} == {
            name: version for name, version in now.items() if then.get(name) != version
        }
        assert change.gone == [name for name in then if name not in now]


def test_a_version_that_came_back_was_live_since_it_first_came(climbed: Store) -> None:
    assert {view.name: view.generation for view in climbed.read(library.skills)} == {"ab": 1, "cd": 2}


def test_a_program_of_before_reads_and_writes_members_in_its_own_way(climbed: Store) -> None:
    with closing(sqlite3.connect(climbed.path)) as raw:
        told = raw.execute("SELECT generation, name, version FROM generationmember ORDER BY 1, 2").fetchall()
        assert told == [(number, *each) for number, members in THEN.items() for each in members.items()]
        raw.execute("UPDATE skill SET state = 'disabled' WHERE name = 'cd'")
        raw.execute("INSERT INTO generation (number, why, at) VALUES (7, '', 0)")
        raw.execute("INSERT INTO generationmember SELECT 7, name, version FROM skill WHERE state = 'active'")
        raw.commit()
    assert climbed.read(lambda db: library.generation(db, 7)).members == ("ab@1",)
    assert climbed.read(lambda db: library.library_since(db, 6)).gone == ["cd"]


def test_a_decision_adds_what_it_changes_and_no_copy_of_the_library(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    for number in range(20):
        store.write(lambda db, number=number: decisions.add_skill(db, text_of(f"s{number}", "x"), ME, NOW))
    for state in (SkillState.DISABLED, SkillState.ACTIVE):
        store.write(lambda db, state=state: decisions.set_state(db, "s3", state, ME, NOW))
    with closing(sqlite3.connect(store.path)) as raw:
        assert raw.execute("SELECT count(*) FROM membership").fetchone() == (21,)
        assert raw.execute("SELECT count(*) FROM generationmember").fetchone() == (210 + 19 + 20,)
    store.close()
