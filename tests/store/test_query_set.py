"""In which set an exchange is, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from metaclaw_tray.store import claims, figures, learning, query_set, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.tables import ClaimUse, Exchange
from store.conversation import Client, agent, person
from store.met import AT, Record
from support.clock import FakeClock

NOW = AT + timedelta(hours=1)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield Record(store)
    store.close()


def in_set(record: Record, exchange: str, days: float = 0) -> tuple[str, str]:
    at = NOW + timedelta(days=days)
    return record.store.read(lambda db: query_set.why_in_set(db, exchange, at))


def lineage(record: Record, exchange: str) -> str:
    def find(db) -> str:
        return db.exec(select(Exchange.lineage).where(Exchange.id == exchange)).one()

    return record.store.read(find)


def made(record: Record, share: ClaimUse | None, **how: object) -> str:
    """An exchange that lies in this share, or in none."""
    while True:
        exchange = record.exchange(**how)  # type: ignore[arg-type]
        if share_of(lineage(record, exchange)) is share:
            return exchange


def claim(record: Record, exchange: str, use: ClaimUse) -> None:
    record.store.write(lambda db: claims.claim(db, [exchange], use, "r1", NOW))


def test_a_scored_exchange_that_is_nobodys_is_a_query(record: Record) -> None:
    exchange = made(record, None, score=1, generation=3)
    name, why = in_set(record, exchange)
    assert name == "query"
    assert "made with the library live" in why
    assert exchange in record.store.read(lambda db: query_set.query_set(db, 3, NOW))


def test_an_unscored_one_is_none(record: Record) -> None:
    assert in_set(record, made(record, None))[0] == "unscored"
    assert in_set(record, "nowhere") == ("", "")


def test_one_that_failed_by_its_surroundings_or_spoke_to_the_judge_is_none(record: Record) -> None:
    exchange = made(record, None)
    ruling = Ruling(-1, (), "it holds text that speaks to the judge", transient=True)
    turn = f"turn{record.count:04}"
    record.store.write(lambda db: learning.add_verdict(db, turn, exchange, ruling, "judge", AT))
    assert in_set(record, exchange)[0] == "unscored"


@pytest.mark.parametrize(
    ("use", "name"),
    [
        (ClaimUse.SUPPORT, "support"),
        (ClaimUse.TRAIN, "train"),
        (ClaimUse.HOLDOUT_SKILL, "holdout"),
        (ClaimUse.HOLDOUT_POLICY, "holdout"),
    ],
)
def test_a_claim_settles_it_before_all_else(record: Record, use: ClaimUse, name: str) -> None:
    exchange = record.exchange(score=-1, withheld="dates@1", trial="t1")
    claim(record, exchange, use)
    found, why = in_set(record, exchange)
    assert found == name
    assert "r1" in why


def test_one_from_which_a_skill_was_withheld_is_never_a_query(record: Record) -> None:
    exchange = made(record, None, score=1, withheld="dates@1", trial="t1")
    name, why = in_set(record, exchange)
    assert name == "withheld"
    assert "“dates”" in why


def test_what_follows_one_from_which_a_skill_was_withheld_is_no_query_either(record: Record) -> None:
    """With the skill, its block would stand on their path."""
    first = made(record, None, score=1, withheld="dates@1", trial="t1")
    session = f"session{record.count:03}"
    client = Client(record.key, session=session)
    said = [person(f"question {record.count}"), agent("answer"), person("and then?")]
    begun = client.begin(said, turn_id="later")
    record.store.write(lambda db: Recorder(record.key).apply(db, begun, client.end(begun, agent("then"))))
    later = record.store.read(lambda db: turns.turn(db, "later")).turn.exchange_id
    assert later not in (None, first)
    record.judge(later, "later", 1)
    assert lineage(record, later).startswith(f"{lineage(record, first)}/")
    assert in_set(record, later)[0] == "withheld"


def test_what_may_teach_waits_seven_days_for_the_evolver(record: Record) -> None:
    exchange = made(record, None, score=-1)
    name, why = in_set(record, exchange)
    assert name == "reserved"
    assert "kept for learning" in why
    assert "until 2026-03-10" in why
    assert in_set(record, exchange, days=6.9)[0] == "reserved"
    assert in_set(record, exchange, days=7.1)[0] == "query"


@pytest.mark.parametrize("share", [ClaimUse.HOLDOUT_SKILL, ClaimUse.HOLDOUT_POLICY])
def test_what_lies_in_a_share_is_kept_aside_failures_too(record: Record, share: ClaimUse) -> None:
    for score in (1, -1):
        name, why = in_set(record, made(record, share, score=score))
        assert name == "holdout"
        assert "kept aside" in why


def test_what_lies_on_a_claimed_path_is_barred(record: Record) -> None:
    """Two sessions that begin with the same words are one path."""
    first = made(record, None, score=1)
    record.count -= 1  # the same words again
    second = record.exchange(score=None, session="another")
    assert lineage(record, first) == lineage(record, second)
    claim(record, first, ClaimUse.SUPPORT)
    name, why = in_set(record, second)
    assert name == "barred"
    assert "learnt from twice" in why


def test_generations_count_their_sets(record: Record) -> None:
    claim(record, made(record, None, score=-1, generation=2), ClaimUse.SUPPORT)
    made(record, None, score=1, generation=2)
    counted = record.store.read(lambda db: figures.generation_figures(db, [1, 2], NOW))
    assert (counted[1].support, counted[1].query) == (0, 0)
    assert counted[2].support == 1
    assert counted[2].query >= 1
    newest = record.store.read(lambda db: query_set.newest_of(db, 2, 2, NOW))
    assert newest[0].set == "query"
    assert len(newest) == 2
