"""What became of the exchanges that met a skill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from metaclaw_tray.store import effects
from metaclaw_tray.store.engine import Store
from store.met import Record
from support.clock import FakeClock


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield Record(store)
    store.close()


def effect(record: Record, version: int | None = None) -> effects.SkillEffect:
    return record.store.read(lambda db: effects.effect_of(db, "dates", version))


def test_a_skill_that_nobody_met_has_no_effect(record: Record) -> None:
    record.exchange(score=1)
    assert effect(record) == effects.SkillEffect("dates", None, 0, effects.Arm(), effects.Arm(), ())


def test_verdicts_tokens_and_time_are_those_of_the_exchanges_that_carried_it(record: Record) -> None:
    for score in (1, 1, -1, 0, None):
        record.exchange("dates@1", score=score)
    record.exchange("datesof@1", score=-1)
    record.exchange(score=-1)
    arm = effect(record).injected
    assert (arm.sessions, arm.exchanges, arm.good, arm.bad, arm.scored) == (5, 5, 2, 1, 4)
    assert arm.tokens == (100,) * 5
    assert arm.seconds == pytest.approx([0.2] * 5)


def test_versions_are_told_apart(record: Record) -> None:
    record.exchange("dates@1", score=1)
    record.exchange("dates@12", score=-1)
    assert effect(record).injected.exchanges == 2
    assert effect(record, 1).injected.good == 1
    assert effect(record, 12).injected.bad == 1


def test_the_latest_verdict_of_an_exchange_counts(record: Record) -> None:
    exchange = record.exchange("dates@1", score=1)
    record.judge(exchange, "turn0001", -1)
    arm = effect(record).injected
    assert (arm.good, arm.bad) == (0, 1)
