"""Turns, their listing and `spend show` say what the vendors counted, to the token, and what that cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.prices.upstreams import tariff_named
from metaclaw_tray.runtime.facade import record, spending
from metaclaw_tray.settings import Settings, Upstream
from metaclaw_tray.store import costs, spend, turns
from metaclaw_tray.store.records import TurnBegun
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, root_of
from runtime.recorded import RECORDED, UPSTREAMS, Recorded
from store.conversation import person
from store.test_recorder import Bench
from support.clock import FakeClock

KINDS = ("input", "cached", "cache_write", "output", "reasoning")
NOW = FakeClock().now()


def settings(**changes: dict[str, Any]) -> Settings:
    given = {name: {**values, **changes.get(name, {})} for name, values in UPSTREAMS.items()}
    return Settings(upstreams={name: Upstream(**values) for name, values in given.items()})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    for each in RECORDED:
        play(made, each)
    yield made
    made.store.close()


def play(bench: Bench, recorded: Recorded) -> str:
    """Store one recorded turn; its id."""
    dialect, asked = DIALECTS[recorded.dialect], [person(f"how many? {recorded.name}")]
    body = json.dumps(
        {"model": recorded.model, "input" if recorded.dialect == "responses" else "messages": asked}
    )
    path = Reader(bench.key).path(dialect, dialect.parse(body.encode()), root_of(bench.key, "agent"))
    begun: TurnBegun = msgspec.structs.replace(
        bench.client.begin(asked),
        dialect=recorded.dialect,
        upstream=recorded.upstream,
        model=recorded.model,
        body=body.encode(),
        root=path.root,
        nodes=path.nodes,
        message_ids=path.ids,
    )
    ended = bench.client.end(begun, body=recorded.body, content_type=recorded.content_type)
    tariff = tariff_named(settings(), recorded.upstream)
    bench.record(begun, msgspec.structs.replace(ended, model=recorded.model, tariff=tariff))
    return begun.turn_id


def counts(row: Any) -> dict[str, int]:
    return {kind: getattr(row, f"{kind}_tokens") for kind in KINDS}


def sums(of: list[Recorded]) -> dict[str, int]:
    return {kind: sum(getattr(each, kind) for each in of) for kind in KINDS}


def shown(bench: Bench, by: costs.By, now: Settings | None = None) -> api.Spend:
    asked = api.ShowSpend(7, by)
    return bench.store.read(lambda db: spending.show_spend(db, asked, now or settings(), NOW))


@pytest.mark.parametrize("recorded", RECORDED, ids=[each.name for each in RECORDED])
def test_a_turn_is_what_the_vendor_counted_at_its_price(bench: Bench, recorded: Recorded) -> None:
    turn = bench.turn(play(bench, recorded))
    assert (turn.outcome, turn.usage_estimated) == ("ok", False)
    assert counts(turn) == {kind: getattr(recorded, kind) for kind in KINDS}
    assert turn.cache_write_hour_tokens == recorded.cache_write_hour
    assert turn.cost_usd == (None if recorded.usd is None else pytest.approx(recorded.usd, abs=1e-12))


def test_the_listing_and_the_sums_are_those_of_the_vendors(bench: Bench) -> None:
    asked = api.ListTurns(limit=100)
    listed = bench.store.read(lambda db: record.list_turns(db, asked, settings()))
    expected = sum(each.usd for each in RECORDED if each.usd is not None)
    assert {kind: sum(counts(row)[kind] for row in listed) for kind in KINDS} == sums(RECORDED)
    assert sum(row.cost or 0.0 for row in listed) == pytest.approx(expected)
    assert [row.cost for row in listed].count(None) == 1
    for by in ("day", "agent", "model", "purpose"):
        total = shown(bench, by).agents_total
        assert counts(total) == sums(RECORDED)
        assert total.usd == pytest.approx(expected)
        assert (total.calls, total.unpriced, total.estimated) == (len(RECORDED), 1, 0)


def test_each_model_has_its_sum(bench: Bench) -> None:
    rows = {row.key: row for row in shown(bench, "model").agents}
    assert set(rows) == {f"{each.upstream}/{each.model}" for each in RECORDED}
    for key, row in rows.items():
        of = [each for each in RECORDED if f"{each.upstream}/{each.model}" == key]
        assert counts(row) == sums(of)
        known = [each.usd for each in of if each.usd is not None]
        assert row.usd == (pytest.approx(sum(known)) if known else None)
    assert rows["gateway/claude-sonnet-4-5"].usd is None
    assert rows["home/claude-sonnet-4-5"].usd == 0.0


@pytest.mark.parametrize(("by", "key"), [("day", "2026-03-03"), ("agent", "agent"), ("purpose", "main")])
def test_days_agents_and_purposes_have_their_rows(bench: Bench, by: costs.By, key: str) -> None:
    (row,) = shown(bench, by).agents
    assert row.key == key
    assert row == msgspec.structs.replace(shown(bench, by).agents_total, key=key)


def test_a_price_that_is_given_later_counts_for_what_had_none_and_for_nothing_else(bench: Bench) -> None:
    before = shown(bench, "model").agents_total.usd
    price = {"input_usd_per_million": 1.0, "output_usd_per_million": 10.0}
    later = settings(gateway=price, openai=price, contract=price)
    total = shown(bench, "model", later).agents_total
    assert total.unpriced == 0
    assert total.usd == pytest.approx(before + (900 * 1 + 90 * 10) / 1e6)
    asked = api.ListTurns(limit=100)
    listed = bench.store.read(lambda db: record.list_turns(db, asked, later))
    assert sum(row.cost for row in listed) == pytest.approx(total.usd)


def test_what_was_spent_stays_spent_when_its_upstream_is_gone(bench: Bench) -> None:
    assert shown(bench, "day", Settings()).agents_total == shown(bench, "day").agents_total


def test_learning_is_told_apart(bench: Bench) -> None:
    made = bench.store.write(
        lambda db: spend.reserve(db, "judge", "openai", "gpt-5", 0.25, spend.Caps(1, 1), NOW)
    )
    told = shown(bench, "purpose")
    assert [(row.key, row.usd, row.unsettled) for row in told.learning] == [("judge", 0.25, 1)]
    assert (told.day_usd, told.month_usd) == (0.25, 0.25)
    assert told.agents_total == shown(bench, "agent").agents_total
    assert made


def test_the_table_is_named_where_it_is_needed(bench: Bench) -> None:
    assert shown(bench, "day").price_table.startswith("genai-prices ")
    assert shown(bench, "day", Settings()).price_table == ""


def test_nothing_is_shown_as_nothing(tmp_path: Path) -> None:
    empty = Bench(tmp_path / "empty.sqlite3")
    told = shown(empty, "day")
    assert (told.agents, told.agents_total.usd, told.learning_total.usd) == ([], 0, 0)
    empty.store.close()


def test_open_turns_have_no_cost_yet(bench: Bench) -> None:
    begun = bench.client.begin([person("and now?")])
    bench.record(msgspec.structs.replace(begun, upstream="contract"))
    view = bench.store.read(lambda db: turns.turn(db, begun.turn_id))
    assert record.cost_of(view.turn, settings()) is None
