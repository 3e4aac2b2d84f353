"""What is asked of turns, and that asking costs as much as what is asked for, not as much as is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import event
from sqlmodel import Session, col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store import figures, learning, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import BlockInjected, ToScribe
from metaclaw_tray.store.tables import Turn, TurnOutcome
from store.conversation import START, Client, agent, person
from support.clock import FakeClock

T = TypeVar("T")


class Bench:
    """A real file with what a client said in it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        self.key = self.store.read(turns.node_key)
        self.recorder = Recorder(self.key)

    def record(self, *records: ToScribe) -> None:
        self.store.write(lambda db: [self.recorder.apply(db, each) for each in records])
        self.recorder.commit()

    def talk(self, rounds: int, session: str = "session", skill: str = "s@1") -> list[str]:
        """A conversation with a block at its first and its third message by the person; gives the turns."""
        client, said, ids = Client(self.key, session=session), [person("hello")], []
        for number in range(rounds):
            begun = client.begin(list(said))
            if number in (0, 2):
                block = BlockInjected(
                    begun.nodes[-1], session, f"{skill} {number}", [f"{skill}.{number}"], 5, 1, START
                )
                self.record(block)
            self.record(begun, client.end(begun, agent(f"answer {number}")))
            ids.append(begun.turn_id)
            said += [agent(f"answer {number}"), person(f"more {number}")]
        return ids

    def statements(self, work: Callable[[Session], T]) -> tuple[T, list[tuple[str, object]]]:
        """What `work` gives, and what it asked of the file."""
        asked: list[tuple[str, object]] = []

        def counted(db: Session) -> T:
            connection = db.connection()
            event.listen(
                connection,
                "before_cursor_execute",
                lambda _connection, _cursor, sql, values, *_: asked.append((sql, values)),
            )
            return work(db)

        return self.store.read(counted), asked

    def plan(self, asked: list[tuple[str, object]]) -> list[str]:
        """How SQLite goes about these statements."""

        def explain(db: Session) -> list[str]:
            return [
                str(row[3])
                for sql, values in asked
                for row in db.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
            ]

        return self.store.read(explain)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_a_turn_is_named_by_its_id_or_a_beginning_that_is_its_own(bench: Bench) -> None:
    ids = bench.talk(10)

    def named(name: str) -> str:
        return bench.store.read(lambda db: turns.turn(db, name).turn.id)

    assert named("last") == ids[-1]
    assert named(ids[0]) == ids[0]
    assert named("session-turn01") == ids[9]
    for name in ("", "session-turn00", "SESSION", "nothing", "session-turn%", "session_turn"):
        with pytest.raises(NotFoundError):
            named(name)


def test_a_whole_id_that_begins_another_names_its_own_turn(bench: Bench) -> None:
    client = Client(bench.key)
    bench.record(client.begin([person("a")], turn_id="t1"), client.begin([person("b")], turn_id="t10"))
    assert bench.store.read(lambda db: turns.turn(db, "t1").turn.id) == "t1"
    assert bench.store.read(lambda db: turns.turn(db, "t10").turn.id) == "t10"
    with pytest.raises(NotFoundError, match="names several"):
        bench.store.read(lambda db: turns.turn(db, "t"))


def test_no_look_at_a_turn_reads_the_table_from_end_to_end(bench: Bench) -> None:
    (whole,) = bench.talk(1)
    for name in (whole, "session-turn"):
        _, asked = bench.statements(lambda db, name=name: turns.turn(db, name))
        assert [step for step in bench.plan(asked) if step.startswith("SCAN") and "up" not in step] == []


def test_the_skills_on_a_path_are_those_of_its_own_session(bench: Bench) -> None:
    mine = bench.talk(4)
    theirs = bench.talk(4, "other", "o@1")
    views = {view.turn.id: view.skills for view in bench.store.read(turns.turns)}
    assert [views[each] for each in mine] == [
        ("s@1.0",),
        ("s@1.0",),
        ("s@1.0", "s@1.2"),
        ("s@1.0", "s@1.2"),
    ]
    assert views[theirs[3]] == ("o@1.0", "o@1.2")
    leaf = bench.store.read(lambda db: turns.turn(db, theirs[3]).turn.request_node)
    blocks = bench.store.read(lambda db: turns.injections_on(db, leaf, "other"))
    assert [each.block for each in blocks] == ["o@1 0", "o@1 2"]
    strange = bench.store.read(lambda db: turns.injections_on(db, leaf, "a third session"))
    assert len(strange) == 2


def test_a_listing_asks_as_much_for_many_turns_as_for_one(bench: Bench) -> None:
    bench.talk(12)
    one, few = bench.statements(lambda db: turns.turns(db, limit=1))
    all_, many = bench.statements(lambda db: turns.turns(db, session_id="session"))
    assert (len(one), len(all_)) == (1, 12)
    assert len(few) == len(many)


def test_a_conversation_asks_nothing_of_injections_and_verdicts(bench: Bench) -> None:
    ids = bench.talk(3)
    told, asked = bench.statements(lambda db: turns.conversation(db, ids[1]))
    assert told.next_state == (person("more 1"),)
    assert not any(table in sql for sql, _ in asked for table in ("injection", "verdict", "claim"))


@pytest.mark.parametrize(
    ("work", "index"),
    [
        (lambda db: figures.generation_figures(db, [1, 2], FakeClock().now()), "ix_exchange_generation"),
        (lambda db: figures.session_counts(db, ["session"]), "turn_in_session"),
        (lambda db: turns.notices(db, limit=3), "ix_notice_at"),
        (lambda db: learning.add_notice(db, "waiting", "learning", "x", FakeClock().now()), "notice_subject"),
    ],
)
def test_figures_and_notices_use_an_index(
    bench: Bench, work: Callable[[Session], object], index: str
) -> None:
    steps = bench.plan(bench.statements(work)[1])
    assert any(index in step for step in steps), steps
    assert not any(step.startswith("USE TEMP B-TREE FOR ORDER BY") for step in steps), steps


def test_open_turns_are_lost_in_one_statement_that_finds_them_by_an_index(bench: Bench) -> None:
    client = Client(bench.key)
    ended = bench.talk(3, "ended")
    bench.record(client.begin([person("a")]), client.begin([person("b")]))
    now = FakeClock().now()
    lost, asked = bench.statements(lambda db: turns.lose_open_turns(db, now))  # not committed
    assert lost == 2
    assert len(asked) == 1
    assert any("turn_open" in step for step in bench.plan(asked))
    assert bench.store.write(lambda db: turns.lose_open_turns(db, now)) == 2
    rows = bench.store.read(
        lambda db: db.exec(select(Turn).where(col(Turn.outcome) == TurnOutcome.LOST)).all()
    )
    assert {(each.error, each.ended_at) for each in rows} == {("the program ended first", now)}
    assert not {each.id for each in rows} & set(ended)


def test_an_exchange_is_found_by_the_turn_that_a_listing_shows(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    key = store.read(turns.node_key)
    begun = Client(key).begin([person("hello")])
    store.write(lambda db: Recorder(key).apply(db, begun))
    exchange_id = store.read(lambda db: turns.turn(db, begun.turn_id).turn.exchange_id)
    assert store.read(lambda db: turns.exchange(db, begun.turn_id).id) == exchange_id
    assert store.read(lambda db: turns.exchange(db, "last").id) == exchange_id
    store.close()
