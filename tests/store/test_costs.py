"""What a turn cost stays with it, and the days add up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.dialects import sqlite
from sqlmodel import col, select

from metaclaw_tray.prices import FREE, OwnPrices, Tariff
from metaclaw_tray.store import costs, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.migrations import STEPS
from metaclaw_tray.store.records import TurnBegun, TurnEnded
from metaclaw_tray.store.tables import DayCost, Turn
from store.conversation import agent, person
from store.test_recorder import Bench
from support.clock import FakeClock

ANTHROPIC = Tariff("https://api.anthropic.com/v1")
OWN = Tariff(own=OwnPrices(input=10, output=20, cached=1, cache_write=12))
NOWHERE = Tariff("https://gateway.example/v1")
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 600}}


@pytest.fixture
def bench(tmp_path: Path):
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def take(
    bench: Bench, tariff: Tariff | None, usage: dict[str, Any] | None = USAGE, **changes: Any
) -> tuple[TurnBegun, TurnEnded]:
    """Store one turn; what its end was."""
    begun = bench.client.begin([person(f"question {bench.client.count}")])
    ended = bench.client.end(begun, agent("answer"), usage=usage)
    ended = msgspec.structs.replace(ended, tariff=tariff, **changes)
    bench.record(begun, ended)
    return begun, ended


def cost(bench: Bench, begun: TurnBegun) -> float | None:
    return bench.turn(begun.turn_id).cost_usd


def days(bench: Bench) -> list[DayCost]:
    return bench.store.read(lambda db: list(db.exec(select(DayCost).order_by(col(DayCost.priced)))))


def test_a_turn_keeps_what_it_cost(bench: Bench) -> None:
    assert cost(bench, take(bench, OWN)[0]) == pytest.approx((400 * 10 + 600 * 1 + 100 * 20) / 1e6)
    assert cost(bench, take(bench, FREE)[0]) == 0.0
    assert cost(bench, take(bench, NOWHERE)[0]) is None
    assert cost(bench, take(bench, None)[0]) is None
    by_table = take(bench, ANTHROPIC, model="claude-sonnet-4-5")[0]  # the answer calls it "m"
    assert cost(bench, by_table) == pytest.approx((400 * 3 + 600 * 0.3 + 100 * 15) / 1e6)


def test_what_an_upstream_says_that_it_cost_is_not_believed(bench: Bench) -> None:
    begun, _ = take(bench, OWN, {**USAGE, "cost": 0})
    assert cost(bench, begun) == pytest.approx(0.0066)


def test_usage_in_the_last_chunk_before_the_end_is_priced(bench: Bench) -> None:
    begun = bench.client.begin([person("well?")])
    chunks = (
        b'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"so"}}]}\n\n'
        b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
        b'data: {"choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":16000,"completion_tokens":10,'
        b'"prompt_tokens_details":{"cached_tokens":15872},"cost":0}}\n\ndata: [DONE]\n\n'
    )
    ended = bench.client.end(begun, body=chunks, content_type="text/event-stream")
    bench.record(begun, msgspec.structs.replace(ended, tariff=OWN))
    assert bench.turn(begun.turn_id).cached_tokens == 15_872
    assert cost(bench, begun) == pytest.approx((128 * 10 + 15_872 * 1 + 10 * 20) / 1e6)


def test_more_cached_than_sent_is_kept_as_said_and_priced_as_sent(bench: Bench) -> None:
    usage = {**USAGE, "prompt_tokens_details": {"cached_tokens": 5000}}
    begun, _ = take(bench, OWN, usage)
    assert bench.turn(begun.turn_id).cached_tokens == 5000
    assert cost(bench, begun) == pytest.approx((1000 * 1 + 100 * 20) / 1e6)


def test_without_a_count_the_estimate_is_priced_and_said_to_be_one(bench: Bench) -> None:
    begun, _ = take(bench, OWN, None)
    turn = bench.turn(begun.turn_id)
    assert turn.usage_estimated
    assert turn.cost_usd == pytest.approx((turn.input_tokens * 10 + turn.output_tokens * 20) / 1e6)
    assert turn.cost_usd > 0


@pytest.mark.parametrize("status", [0, 401, 429, 503])
def test_what_an_upstream_refuses_costs_nothing(bench: Bench, status: int) -> None:
    body = b'{"error": {"message": "no"}}' if status else b""
    begun, _ = take(bench, OWN, outcome="failed", status=status, body=body)
    turn = bench.turn(begun.turn_id)
    assert (turn.cost_usd, turn.input_tokens, turn.output_tokens) == (0.0, 0, 0)


def test_an_answer_that_was_cut_costs_what_had_been_counted(bench: Bench) -> None:
    begun, _ = take(bench, OWN, outcome="cut")
    assert cost(bench, begun) == pytest.approx(0.0066)


def test_the_days_add_up_what_turns_cost(bench: Bench) -> None:
    for tariff in (OWN, OWN, NOWHERE):
        take(bench, tariff)
    take(bench, OWN, None)
    unknown, known = days(bench)
    assert (unknown.turns, unknown.usd, unknown.input_tokens, unknown.cached_tokens) == (1, 0, 1000, 600)
    assert (known.turns, known.estimated) == (3, 1)
    told = bench.store.read(lambda db: [view.turn for view in turns.turns(db)])
    assert known.usd == pytest.approx(sum(each.cost_usd or 0.0 for each in told))
    assert known.output_tokens + unknown.output_tokens == sum(each.output_tokens for each in told)


def test_an_end_that_is_told_twice_counts_once(bench: Bench) -> None:
    _, ended = take(bench, OWN)
    before = days(bench)
    bench.record(ended)
    bench.record(ended)
    assert days(bench) == before


def test_a_turn_that_was_thought_lost_counts_once_when_its_end_comes(bench: Bench) -> None:
    begun = bench.client.begin([person("well?")])
    bench.record(begun)
    bench.store.write(lambda db: turns.lose_open_turns(db, FakeClock().now()))
    (lost,) = days(bench)
    assert (lost.priced, lost.turns) == (False, 1)
    ended = bench.client.end(begun, agent("so"), usage=USAGE)
    bench.record(msgspec.structs.replace(ended, tariff=OWN))
    unknown, known = days(bench)
    assert (unknown.turns, unknown.input_tokens, unknown.estimated) == (0, 0, 0)
    assert (known.turns, known.input_tokens, known.estimated) == (1, 1000, 0)
    figures = bench.store.read(lambda db: costs.turn_costs(db, "day", FakeClock().now(), days=1))
    assert [each.tokens.input for each in figures] == [1000]


def test_turns_of_before_are_added_up_when_the_file_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    Store.open(path, FakeClock(), steps=STEPS[:3]).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("INSERT INTO session VALUES ('s', 'a', x'00', 0, 0, NULL, NULL, 0)")
        for number, outcome in enumerate(["ok", "ok", "open"]):
            raw.execute(
                "INSERT INTO turn (id, session_id, agent, kind, outcome, dialect, upstream, model, status,"
                " error, request_node, generation, next_origin, finish_reason, input_tokens, cached_tokens,"
                " output_tokens, usage_estimated, truncated, begun_at) VALUES"
                " (?, 's', 'a', 'main', ?, 'chat', 'up', 'm', 200, '', x'00', 0, '', '', 7, 2, 3, 0, 0, ?)",
                (f"t{number}", outcome, 86_400_000_000 * 5 + number),
            )
        raw.commit()
    store = Store.open(path, FakeClock())
    (row,) = store.read(lambda db: list(db.exec(select(DayCost))))
    assert (row.day, row.turns, row.priced, row.input_tokens, row.output_tokens) == (5, 2, False, 14, 6)
    assert store.read(lambda db: db.get(Turn, "t0").cost_usd) is None
    store.close()


@pytest.mark.parametrize("by", ["day", "agent", "model", "purpose"])
def test_only_the_days_that_were_asked_for_are_read(bench: Bench, by: costs.By) -> None:
    for statement in costs.statements(by, datetime(2026, 3, 3, tzinfo=UTC), days=7):
        sql = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
        with closing(sqlite3.connect(bench.store.path)) as raw:
            plan = [row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {sql}")]
        assert plan[0].startswith(
            ("SEARCH day_cost USING PRIMARY KEY (day>?)", "SEARCH spend USING INDEX")
        ), plan
        assert not any(line.startswith("SCAN") for line in plan), plan


def test_the_last_days_end_with_today(bench: Bench) -> None:
    take(bench, OWN)
    now = FakeClock().now()
    for later, found in ((0, 1), (6, 1), (7, 0)):
        rows = bench.store.read(
            lambda db, later=later: costs.turn_costs(db, "day", now + timedelta(days=later), days=7)
        )
        assert len(rows) == found
