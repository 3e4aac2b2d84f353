"""A store that was filled for the benchmark is one that the app could have written."""

from pathlib import Path

import pytest
from sqlmodel import func, select

from benchmarks.aged import add_skills, add_turns
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.skills.live import build_snapshot
from metaclaw_tray.store import library, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables import Turn


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    file = tmp_path / "store.sqlite3"
    Store.open(file, SystemClock()).close()
    return file


def test_turns_stand_in_it_with_sessions_and_paths(store_file: Path) -> None:
    add_turns(store_file, 410, "bench")
    store = Store.open(store_file, SystemClock())
    assert store.check() == []
    assert store.read(lambda session: session.exec(select(func.count()).select_from(Turn)).one()) == 410
    assert len(store.read(lambda session: turns.sessions(session, limit=100))) == 21
    store.close()


def test_all_of_its_skills_are_active_and_can_be_injected(store_file: Path) -> None:
    add_skills(store_file, 300)
    store = Store.open(store_file, SystemClock())
    generation, versions = store.read(library.active_library)
    store.close()
    snapshot = build_snapshot(generation, versions)
    assert (generation, len(snapshot.skills), dict(snapshot.left_out)) == (1, 300, {})
