"""Next states: each session has its own, given once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session, select

from metaclaw_tray.store.records import TurnBegun, TurnEnded
from metaclaw_tray.store.tables import Due, Verdict
from store.conversation import START, Client, agent, person
from store.test_recorder import Bench
from support.clock import FakeClock


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def greeted(bench: Bench, session: str) -> tuple[Client, TurnBegun]:
    """A session that begins as all others do."""
    client = Client(bench.key, session=session)
    begun = client.begin([person("hi")])
    bench.record(begun, client.end(begun, agent("Hello!")))
    return client, begun


def following(bench: Bench, client: Client, words: str) -> tuple[TurnBegun, list[str]]:
    """The second request of such a session, and what can be judged by it."""
    begun = client.begin([person("hi"), agent("Hello!"), person(words)])
    return begun, bench.record(begun).judgeable


def test_sessions_that_began_alike_keep_their_own_next_states(bench: Bench) -> None:
    (a, a_first), (b, b_first) = greeted(bench, "a"), greeted(bench, "b")
    thanks, judged_by_thanks = following(bench, a, "thanks")
    no, judged_by_no = following(bench, b, "no, in Dutch")
    assert (judged_by_thanks, judged_by_no) == ([a_first.turn_id], [b_first.turn_id])
    assert bench.turn(a_first.turn_id).next_turn_id == thanks.turn_id
    assert bench.turn(b_first.turn_id).next_turn_id == no.turn_id


def test_a_session_that_says_it_another_way_takes_no_other_sessions_next_state(bench: Bench) -> None:
    (a, a_first), (_, b_first) = greeted(bench, "a"), greeted(bench, "b")
    thanks, _ = following(bench, a, "thanks")
    _, judged = following(bench, a, "thanks a lot")
    assert judged == []
    assert bench.turn(a_first.turn_id).next_turn_id == thanks.turn_id
    assert bench.turn(b_first.turn_id).next_turn_id is None


def test_a_conversation_that_goes_on_under_another_session_is_one(bench: Bench) -> None:
    _, first = greeted(bench, "before")
    second, judged = following(bench, Client(bench.key, session="resumed"), "where were we?")
    assert judged == [first.turn_id]
    assert bench.turn(first.turn_id).next_turn_id == second.turn_id


def late(bench: Bench) -> tuple[TurnBegun, TurnEnded, TurnBegun]:
    """A turn whose next request was recorded before its own end."""
    one = bench.client.begin([person("hello")])
    two = bench.client.begin([person("hello"), agent("hi"), person("no, in Dutch")])
    ended = bench.client.end(one, agent("hi"))
    assert bench.record(one, two, ended).judgeable == [one.turn_id]
    return one, ended, two


def test_an_end_that_is_told_again_does_not_ask_for_a_second_verdict(bench: Bench) -> None:
    one, ended, two = late(bench)

    def judge(db: Session) -> None:
        for due in db.exec(select(Due)):
            db.delete(due)

    bench.store.write(judge)
    assert bench.record(ended).judgeable == []
    assert bench.store.read(lambda db: db.exec(select(Due)).all()) == []
    assert bench.turn(one.turn_id).next_turn_id == two.turn_id


def test_a_turn_that_has_its_verdict_never_waits_for_one(bench: Bench) -> None:
    one, two = (
        bench.client.begin([person("hello")]),
        bench.client.begin([person("hello"), agent("hi"), person("thanks")]),
    )
    bench.record(one, bench.client.end(one, agent("hi")))
    verdict = Verdict(
        id="v",
        turn_id=one.turn_id,
        exchange_id=bench.turn(one.turn_id).exchange_id or "",
        score=1,
        votes=[1],
        reason="said before",
        model="m",
        at=FakeClock().now(),
    )
    bench.store.write(lambda db: db.add(verdict))
    assert bench.record(two).judgeable == []
    assert bench.store.read(lambda db: db.exec(select(Due)).all()) == []


def test_a_next_state_waits_since_the_moment_it_came(bench: Bench) -> None:
    one, _, _ = late(bench)
    (due,) = bench.store.read(lambda db: list(db.exec(select(Due))))
    assert (due.turn_id, due.at.timestamp()) == (one.turn_id, START + 1.2)
