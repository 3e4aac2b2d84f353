"""What a day held, asked for by its first moment and that of the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from sqlmodel import Session as Db

from metaclaw_tray.ids import new_id
from metaclaw_tray.prices import Tokens
from metaclaw_tray.store import day, learning, spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import BlockInjected
from metaclaw_tray.store.spend import Caps
from metaclaw_tray.store.tables import Evidence, Notice, Run, RunState
from metaclaw_tray.store.tables_library import Proposal, ProposalState
from store.conversation import Client, agent, person
from store.met import AT, Record
from support.clock import FakeClock

T = TypeVar("T")

MIDNIGHT = AT.replace(hour=0, minute=0, second=0, microsecond=0)
DAY = timedelta(days=1)
TODAY = day.Span(MIDNIGHT, MIDNIGHT + DAY)
BEFORE = day.Span(MIDNIGHT - DAY, MIDNIGHT)
HERE = day.Span(AT, AT + timedelta(hours=1))


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield Record(store)
    store.close()


def ask(record: Record, what: Callable[[Db, day.Span], T], of: day.Span = TODAY) -> T:
    return record.store.read(lambda db: what(db, of))


def test_a_day_without_anything_has_nothing(record: Record) -> None:
    assert ask(record, day.asked) == day.Asked([], [], 0, {})
    assert ask(record, day.went) == day.Went(0, 0, 0, 0, 0)
    for each in (day.proposals_of, day.runs_of, day.answering, day.learning, day.costs, day.faults):
        assert ask(record, each) == []
    assert not record.store.read(lambda db: day.goes_back_before(db, TODAY.end))


def test_exchanges_belong_to_the_day_they_began_in(record: Record) -> None:
    record.exchange()
    record.exchange("dates@3")
    found = ask(record, day.asked)
    assert (len(found.began), found.agents, found.carried, found.notes) == (
        2,
        [("agent", 2)],
        1,
        {"dates": 1},
    )
    assert ask(record, day.asked, BEFORE).began == []
    last = datetime.fromtimestamp(found.began[-1] / 1e6, UTC)
    assert len(ask(record, day.asked, day.Span(MIDNIGHT, last)).began) == 1  # the end is the next day's
    assert record.store.read(lambda db: day.goes_back_before(db, TODAY.end))
    assert not record.store.read(lambda db: day.goes_back_before(db, TODAY.begin))


def test_a_note_stands_in_front_of_what_follows_on_its_path_too(record: Record) -> None:
    client = Client(record.key)
    said = [person("first")]
    for number in range(3):
        begun = client.begin(said)
        told = [begun, client.end(begun, agent(f"answer {number}"))]
        if number == 1:
            told.insert(
                0, BlockInjected(begun.openings[-1], "session", "[dates]", ["dates@1"], 1, 0, begun.at)
            )
        record.store.write(lambda db, told=told: Recorder(record.key).apply(db, *told))
        said = [*said, agent(f"answer {number}"), person(f"question {number}")]
    found = ask(record, day.asked)
    assert (len(found.began), found.carried, found.notes) == (3, 2, {"dates": 2})


def test_verdicts_and_the_person_s_own_words_are_counted_apart(record: Record) -> None:
    for score in (1, 1, -1, 0, None):
        record.exchange(score=score)
    exchanges = [record.exchange() for _ in range(4)]

    def write(db: Db) -> None:
        for number, (exchange, kind, value) in enumerate(
            [
                (exchanges[0], "correction", -1),
                (exchanges[0], "feedback", -1),
                (exchanges[1], "feedback", -1),
                (exchanges[2], "feedback", 1),
                (exchanges[3], "thanks", 1),
                (exchanges[3], "tool_error", -1),
            ]
        ):
            db.add(
                Evidence(
                    id=f"e{number}", exchange_id=exchange, kind=kind, value=value, origin="person", at=AT
                )
            )

    record.store.write(write)
    went = ask(record, day.went)
    assert (went.judged, went.good, went.bad) == (4, 2, 1)
    assert (went.corrected, went.praised) == (2, 2)


def test_what_fell_through_is_told_by_its_run_or_by_its_proposal_never_by_both(record: Record) -> None:
    def write(db: Db) -> None:
        for name, state in (("a", RunState.REFUSED), ("b", RunState.NOTHING), ("c", RunState.PROPOSED)):
            db.add(Run(id=name, cluster=name, state=state, exchanges=[], model="m", started_at=AT))
        old = {"op": "create", "base_version": 0, "text": "", "why": "", "exchanges": []}
        for name, run, state, created, decided in (
            ("p1", "a", ProposalState.REFUSED, AT, AT),
            ("p2", "c", ProposalState.PENDING, AT, None),
            ("p3", None, ProposalState.APPROVED, AT - 3 * DAY, AT),
            ("p4", None, ProposalState.REJECTED, AT - 3 * DAY, AT - 2 * DAY),
        ):
            times = {"created_at": created, "decided_at": decided}
            db.add(Proposal(id=name, skill=name, run_id=run, state=state, **old, **times))

    record.store.write(write)
    proposals, runs = ask(record, day.proposals_of), ask(record, day.runs_of)
    assert {each.id for each in proposals} == {"p1", "p2", "p3"}
    assert [each.id for each in runs] == ["a", "b", "c"]
    assert [each.id for each in day.turned_down(runs, proposals)] == ["b"]


def test_answers_on_their_way_within_five_minutes_are_one_stretch(record: Record) -> None:
    record.exchange()
    record.exchange()
    (stretch,) = ask(record, day.answering)
    assert stretch.who == "agent"
    assert AT < stretch.begin < stretch.end < AT + timedelta(minutes=5)


def test_what_learning_cost_is_told_by_purpose_the_dearest_first(record: Record) -> None:
    def write(db: Db) -> None:
        for purpose, usd in (("judge", 0.01), ("judge", 0.01), ("gate", 0.2)):
            made = spend.reserve(db, purpose, "up", "m", 1.0, Caps(10, 10), AT)
            spend.settle(db, made, usd, Tokens())
        spend.reserve(db, "evolver", "up", "m", 0.5, Caps(10, 10), AT)  # its end is not known: in full

    record.store.write(write)
    costs = ask(record, day.costs)
    assert [(purpose, calls) for purpose, calls, _ in costs] == [("evolver", 1), ("gate", 1), ("judge", 2)]
    assert [usd for _, _, usd in costs] == pytest.approx([0.5, 0.2, 0.02])
    assert {each.who for each in ask(record, day.learning)} == {"judge", "gate", "evolver"}
    assert ask(record, day.costs, BEFORE) == []


def test_what_went_wrong_is_counted_by_what_it_was_with_its_last_reason(record: Record) -> None:
    client = Client(record.key)

    def write(db: Db) -> None:
        for number, (outcome, error) in enumerate(
            [("ok", ""), ("failed", "429"), ("failed", "the model is overloaded"), ("cut", "")]
        ):
            begun = client.begin([person(f"question {number}")])
            ended = client.end(begun, agent("answer"), outcome=outcome)
            ended = type(ended)(**{**{n: getattr(ended, n) for n in ended.__struct_fields__}, "error": error})
            Recorder(record.key).apply(db, begun, ended)
        learning.add_notice(db, "unscored", "t1", "no vote could be read", AT)
        learning.add_notice(db, "unscored", "t1", "no vote could be read", AT)
        learning.add_notice(db, "trial", "p1", "it ended as it should: that is no fault", AT)
        later = AT + timedelta(hours=1)
        db.add(Notice(id=new_id(AT), kind="unscored", subject="t2", reason="later", at=later))

    record.store.write(write)
    found = {each.kind: each for each in ask(record, day.faults)}
    assert {kind: each.count for kind, each in found.items()} == {"failed": 2, "cut": 1, "unscored": 3}
    assert found["failed"].reason == "the model is overloaded"
    assert (found["unscored"].subject, found["unscored"].reason) == ("t2", "later")


def test_each_question_about_a_day_goes_by_an_index(record: Record) -> None:
    statements = (
        day._BEGAN, day._STANDING, day._VERDICTS, day._WORDS, day._ANSWERING, day._LEARNING,
        day._ENDED_BADLY, day._NOTICED,
    )  # fmt: skip
    values = {"begin": 0, "end": 1, "step": 1, "count": 1, "low": b"", "high": b""}

    def plans(db: Db) -> list[str]:
        raw = db.connection().connection.cursor()
        return [
            row[3]
            for each in statements
            for row in raw.execute(f"EXPLAIN QUERY PLAN {each}", values).fetchall()
        ]

    looked_through = [step for step in record.store.read(plans) if step.startswith("SCAN")]
    assert all("tag" in step or "CONSTANT" in step for step in looked_through)
