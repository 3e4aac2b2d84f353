"""What is ready to teach, what gathers, and what is written down because it did not happen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlmodel import Session

from metaclaw_tray.store import learning, lessons, turns
from metaclaw_tray.store.claims import claim
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.tables import ClaimUse, Exchange, Turn, tag
from metaclaw_tray.store.tables import Session as SessionRow
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def exchange(store: Store, name: str, above: str = "") -> None:
    """An exchange of its own session, as the scribe would write it, below the lineage `above`."""
    node = name.encode().rjust(16, b"\0")[::-1]

    def write(db: Session) -> None:
        db.add(SessionRow(id=name, agent="agent", root=node, started_at=NOW, last_at=NOW))
        db.flush()
        lineage = f"{above}/{tag(node)}" if above else tag(node)
        db.add(
            Exchange(
                id=name,
                session_id=name,
                agent="agent",
                opening=node,
                lineage=lineage,
                generation=0,
                started_at=NOW,
            )
        )

    store.write(write)


def verdict(store: Store, name: str, score: int | None, kind: str = "", instruction: str = "") -> None:
    """The next verdict on an exchange, on a turn of its own."""

    def write(db: Session) -> None:
        turn_id = f"{name}-{len(turns.turns_of(db, name))}"
        db.add(
            Turn(
                id=turn_id,
                exchange_id=name,
                session_id=name,
                agent="agent",
                kind="main",
                outcome="ok",
                dialect="chat",
                upstream="up",
                model="m",
                request_node=b"n",
                generation=0,
                begun_at=NOW,
            )
        )
        db.flush()
        at = NOW + timedelta(seconds=sum(learning.count_verdicts(db)))  # ids of one moment are in no order
        learning.add_verdict(db, turn_id, name, Ruling(score, (), "why", kind, instruction), "judge", at)

    store.write(write)


def ready(store: Store, failures: int = 2) -> list[Cluster]:
    return store.read(lambda db: lessons.ready_clusters(db, failures))


def test_a_standing_instruction_is_enough_and_failures_are_counted_by_their_kind(store: Store) -> None:
    for name, score, kind, instruction in (
        ("p", -1, "dates", ""),
        ("b", -1, "dates", ""),
        ("c", -1, "units", ""),
        ("d", 1, "", "always say the unit"),
        ("e", 0, "dates", ""),
        ("f", None, "dates", ""),
    ):
        exchange(store, name)
        verdict(store, name, score, kind, instruction)
    assert ready(store) == [Cluster("", ("d",), "always say the unit"), Cluster("dates", ("p", "b"))]
    assert store.read(lessons.gathering) == {"dates": 2, "units": 1}


@pytest.mark.parametrize("order", [0, 1])
def test_an_instruction_is_not_hidden_by_another_verdict_on_its_exchange(store: Store, order: int) -> None:
    exchange(store, "a")
    for instruction in ("use ISO dates", "")[:: -1 if order else 1]:
        verdict(store, "a", -1, "dates", instruction)
    assert ready(store) == [Cluster("dates", ("a",), "use ISO dates")]


def test_the_latest_instruction_on_an_exchange_counts(store: Store) -> None:
    exchange(store, "a")
    verdict(store, "a", -1, "dates", "use ISO dates")
    verdict(store, "a", -1, "dates", "no: use German dates")
    assert ready(store) == [Cluster("dates", ("a",), "no: use German dates")]


def test_what_is_claimed_or_on_a_path_claimed_for_another_use_does_not_teach(store: Store) -> None:
    exchange(store, "taken")
    exchange(store, "training")
    lineage = store.read(lambda db: turns.exchange(db, "training").lineage)
    exchange(store, "below", lineage)
    exchange(store, "open")
    store.write(lambda db: claim(db, ["taken"], ClaimUse.SUPPORT, "run", NOW))
    store.write(lambda db: claim(db, ["training"], ClaimUse.TRAIN, "job", NOW))
    for name in ("taken", "training", "below", "open"):
        verdict(store, name, -1, "dates")
    assert ready(store, failures=1) == [Cluster("dates", ("open",))]


def test_what_is_kept_aside_to_measure_on_teaches_only_by_a_standing_instruction(store: Store) -> None:
    for name, instruction in (("g", ""), ("x", "always say the unit"), ("a", "use ISO dates"), ("v", "")):
        exchange(store, name)
        assert share_of(store.read(lambda db, name=name: turns.exchange(db, name).lineage)) is not None
        verdict(store, name, -1, "dates", instruction)
    assert [each.exchanges for each in ready(store, failures=1)] == [("x",), ("a",)]
    assert store.read(lessons.gathering) == {"dates": 2}


def test_the_statements_are_as_many_for_many_failures_as_for_one_and_use_the_index(store: Store) -> None:
    def asked() -> list[tuple[str, object]]:
        statements: list[tuple[str, object]] = []

        def counted(db: Session) -> None:
            event.listen(
                db.connection(),
                "before_cursor_execute",
                lambda _c, _r, sql, given, *_: statements.append((sql, given)),
            )
            lessons.ready_clusters(db, 1)

        store.read(counted)
        return statements

    exchange(store, "a")
    verdict(store, "a", -1, "dates")
    one = asked()
    for name in "bcdefgh":
        exchange(store, name)
        verdict(store, name, -1, "dates")
    assert len(asked()) == len(one)
    plans = store.read(
        lambda db: [
            row[3]
            for sql, given in one
            for row in db.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given)
        ]
    )
    assert any("verdict_teaches" in step for step in plans), plans
    assert not any("TEMP B-TREE" in step for step in plans), plans


def test_a_notice_that_repeats_is_counted(store: Store) -> None:
    for second, reason in enumerate(("no model", "no model", "no money", "no model")):
        at = NOW + timedelta(seconds=second)
        store.write(
            lambda db, at=at, reason=reason: learning.add_notice(db, "waiting", "learning", reason, at)
        )
    told = store.read(turns.notices)
    assert [(each.reason, each.count) for each in told] == [("no model", 1), ("no money", 1), ("no model", 2)]
    assert told[-1].at == NOW + timedelta(seconds=1)
