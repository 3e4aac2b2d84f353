"""Caps hold, whatever was settled or not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.errors import LearningError
from metaclaw_tray.store import spend
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
    return store.write(lambda db: spend.reserve(db, "judge", "model", usd, caps, now))


def test_a_reservation_counts_in_full_until_it_is_settled(store: Store) -> None:
    made = reserve(store, 0.40)
    with pytest.raises(LearningError, match="cap"):
        reserve(store, 0.20)
    store.write(lambda db: spend.settle(db, made, 0.01, 100, 20))
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


def test_spend_is_told_by_purpose_and_model(store: Store) -> None:
    first = reserve(store, 0.1)
    store.write(lambda db: spend.settle(db, first, 0.05, 1000, 50))
    reserve(store, 0.2)
    (row,) = store.read(lambda db: spend.spent_by_purpose(db, NOON))
    assert (row.purpose, row.model, row.calls, row.unsettled) == ("judge", "model", 2, 1)
    assert type(row.unsettled) is int  # it goes out as JSON, where true is no number
    assert row.usd == pytest.approx(0.25)
    assert row.input_tokens == 1000
