"""Caps hold, whatever was settled or not."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.errors import LearningError
from metaclaw_tray.prices import Tokens
from metaclaw_tray.store import costs, spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.spend import Caps
from support.clock import FakeClock

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
CAPS = Caps(day_usd=0.50, month_usd=5.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def reserve(store: Store, usd: float | None, now: datetime = NOON, caps: Caps = CAPS) -> str:
    return store.write(lambda db: spend.reserve(db, "judge", "up", "model", usd, caps, now))


def test_a_reservation_counts_in_full_until_it_is_settled(store: Store) -> None:
    made = reserve(store, 0.40)
    with pytest.raises(LearningError, match="cap"):
        reserve(store, 0.20)
    store.write(lambda db: spend.settle(db, made, 0.01, Tokens(input=100, output=20)))
    reserve(store, 0.20)
    assert store.read(lambda db: spend.spent_today(db, NOON)) == pytest.approx(0.21)


def test_an_unknown_price_is_over_every_cap(store: Store) -> None:
    with pytest.raises(LearningError, match="not known"):
        reserve(store, None, caps=Caps(1e9, 1e9))


def test_what_costs_nothing_passes_a_cap_of_nothing(store: Store) -> None:
    reserve(store, 0.0, caps=Caps(0.0, 0.0))


def test_the_next_day_has_its_own_cap_and_the_month_has_one_too(store: Store) -> None:
    reserve(store, 0.50)
    with pytest.raises(LearningError):
        reserve(store, 0.01)
    tomorrow = NOON + timedelta(days=1)  # the month is another one too
    reserve(store, 0.50, tomorrow)
    with pytest.raises(LearningError, match="month"):
        reserve(store, 0.10, tomorrow + timedelta(days=1), Caps(day_usd=0.50, month_usd=0.55))


def test_a_refused_reservation_is_not_counted(store: Store) -> None:
    for _ in range(5):
        with pytest.raises(LearningError):
            reserve(store, 0.60)
    assert store.read(lambda db: spend.spent_today(db, NOON)) == 0


def test_spend_is_told_by_purpose_model_and_day(store: Store) -> None:
    first = reserve(store, 0.1)
    store.write(lambda db: spend.settle(db, first, 0.05, Tokens(1000, 400, 50, 100, 0, 20)))
    reserve(store, 0.2)
    for by, key in (
        ("purpose", "judge"),
        ("model", "up/model"),
        ("day", "2026-03-31"),
        ("agent", "learning"),
    ):
        (row,) = store.read(lambda db, by=by: costs.call_costs(db, by, NOON, days=1))
        assert (row.key, row.upstream, row.calls, row.unsettled) == (key, "up", 2, 1)
        assert type(row.unsettled) is int  # it goes out as JSON, where true is no number
        assert row.usd == pytest.approx(0.25)
        assert row.tokens == Tokens(1000, 400, 50, 100, 0, 20)
    assert store.read(lambda db: costs.call_costs(db, "day", NOON + timedelta(days=1), days=1)) == []


def test_threads_that_ask_at_once_stay_under_the_cap_together(store: Store) -> None:
    start = threading.Barrier(8)

    def ask(_: int) -> bool:
        start.wait()
        try:
            reserve(store, 0.20)
        except LearningError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(8))) == 2
    assert store.read(lambda db: spend.spent_today(db, NOON)) == pytest.approx(0.40)


_ASKS = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.errors import LearningError
from metaclaw_tray.prices import Tokens
from metaclaw_tray.store import costs, spend
from metaclaw_tray.store.engine import Store
store = Store.open(Path(sys.argv[1]), SystemClock())
print("ready", flush=True)
sys.stdin.readline()
caps, now = spend.Caps(0.50, 5.0), datetime(2026, 3, 31, 12, tzinfo=UTC)
try:
    store.write(lambda db: spend.reserve(db, "judge", "up", "model", 0.20, caps, now))
except LearningError:
    print("refused")
else:
    print("reserved")
"""


@pytest.mark.slow
def test_processes_that_ask_at_once_stay_under_the_cap_together(store: Store) -> None:
    command = [sys.executable, "-c", _ASKS, str(store.path)]
    asking = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)
    ]
    for each in asking:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in asking:  # all are at the line before the first is let go
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    said = [each.communicate(timeout=60)[0] for each in asking]
    assert sorted(said) == ["refused\n"] * 6 + ["reserved\n"] * 2
    assert store.read(lambda db: spend.spent_today(db, NOON)) == pytest.approx(0.40)
