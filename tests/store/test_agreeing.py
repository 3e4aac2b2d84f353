"""What the person agreed to is read from the ledger as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from metaclaw_tray.settings import Settings
from metaclaw_tray.store import agreeing
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.offering import policy_agreed
from metaclaw_tray.store.settling import record
from store.test_library import ME, NOW
from support.clock import FakeClock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = Store.open(path, FakeClock())
    yield opened
    opened.close()


def say(store: Store, key: str, value: object, *, hours: int) -> None:
    store.write(lambda db: record(db, "settings", key, ME, NOW + timedelta(hours=hours), after={key: value}))


def test_what_was_said_last_counts_though_the_clock_was_set_back(store: Store, path: Path) -> None:
    say(store, "review.policy", "automatic", hours=0)
    say(store, "review.policy", "ask", hours=-3)
    for _ in range(2):
        assert store.read(policy_agreed) == "ask"
        assert agreeing.agreed_in(path) == {"review.policy": "ask"}
        store.rewrite()


def test_a_first_start_takes_the_file_and_one_without_its_mark_does_not(store: Store, path: Path) -> None:
    found = Settings.model_validate({"budget": {"day_usd": 9.0}})
    assert agreeing.agreed_in(path) is None
    assert store.write(lambda db: agreeing.begin(db, found, NOW)) == ""
    assert store.read(agreeing.agreed)["budget.day_usd"] == 9
    store.write(lambda db: db.delete(db.get(agreeing.Meta, "settings.agreed")))
    assert agreeing.agreed_in(path) == {"budget.day_usd": 9}
    more = Settings.model_validate({"budget": {"day_usd": 99.0}})
    assert store.write(lambda db: agreeing.begin(db, more, NOW)) == agreeing.MARK_GONE
    assert store.read(agreeing.agreed)["budget.day_usd"] == 9
    assert store.write(lambda db: agreeing.begin(db, more, NOW)) == ""
