"""A file of the first version, with a conversation in it, brought to the newest one and worked with."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from metaclaw_tray.store import forgetting, turns
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.migrations import STEPS
from metaclaw_tray.store.records import TurnBegun, TurnEnded
from metaclaw_tray.store.tables import DayCost, Due, Message, Node, TurnOutcome
from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import answer_id, answer_node
from store.conversation import Client, agent, person
from store.test_recorder import Bench
from support.clock import FakeClock

AT = moment(FakeClock().now())


class FirstVersion:
    """A file as the first version of the program left it."""

    def __init__(self, path: Path) -> None:
        Store.open(path, FakeClock(), steps=STEPS[:1]).close()
        self._raw = sqlite3.connect(path)
        (self.key,) = self._raw.execute("SELECT value FROM meta WHERE key = 'node_key'").fetchone()

    def close(self) -> None:
        self._raw.commit()
        self._raw.close()

    def insert(self, table: str, **values: Any) -> None:
        """A row; columns that are not said and must have a value are empty."""
        row = dict(values)
        for _, name, kind, must, _, _ in self._raw.execute(f"PRAGMA table_info({table})"):
            if must and name not in row:
                row[name] = {"BLOB": b"", "VARCHAR": "", "JSON": "[]"}.get(kind, 0)
        places = ", ".join("?" * len(row))
        self._raw.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))

    def message(self, made: bytes, node: bytes, parent: bytes | None, depth: int, body: Any) -> None:
        said = json.dumps(body).encode()
        self.insert("message", id=made, role=body["role"], body=said, size=len(said))
        self.insert("node", id=node, parent=parent, message_id=made, depth=depth)

    def turn(self, begun: TurnBegun, ended: TurnEnded | None) -> None:
        """A turn of one message, and its answer."""
        (node,), (made,) = begun.nodes, begun.message_ids
        self.insert("session", id=begun.session_id, agent=begun.agent, root=node, started_at=AT, last_at=AT)
        exchange = f"exchange of {begun.turn_id}"
        self.insert(
            "exchange",
            id=exchange,
            session_id=begun.session_id,
            agent=begun.agent,
            opening=node,
            lineage=node[:8].hex(),
            started_at=AT,
        )
        self.message(made, node, None, 1, json.loads(begun.body)["messages"][0])
        answer = None
        if ended is not None:
            read: Answer = DIALECTS["chat"].assemble(ended.body, ended.content_type)
            assert read.message is not None
            answer = answer_node(self.key, node, read.message)
            self.message(answer_id(self.key, read.message), answer, node, 2, read.message)
        self.insert(
            "turn",
            id=begun.turn_id,
            exchange_id=exchange,
            session_id=begun.session_id,
            agent=begun.agent,
            kind="main",
            outcome="open" if ended is None else "ok",
            dialect="chat",
            upstream="up",
            model="m",
            request_node=node,
            answer_node=answer,
            input_tokens=7,
            output_tokens=3,
            begun_at=AT,
        )


@pytest.fixture
def climbed(tmp_path: Path):
    """The file of a whole turn and one that was cut off, now of the newest version."""
    path = tmp_path / "store.sqlite3"
    first = FirstVersion(path)
    whole, open_turn = Client(first.key, session="whole"), Client(first.key, session="open")
    begun = whole.begin([person("when?")])
    first.turn(begun, whole.end(begun, agent("at nine")))
    first.turn(open_turn.begin([person("and then")]), None)
    first.close()
    bench = Bench(path)
    bench.client = whole
    yield bench
    bench.store.close()


def counted(climbed: Bench) -> int:
    """Turns that have ended, as the days add them up."""
    return sum(climbed.store.read(lambda db: [each.turns for each in db.exec(select(DayCost))]))


def test_what_was_there_reads_as_before(climbed: Bench) -> None:
    told = climbed.store.read(lambda db: turns.conversation(db, "whole-turn001"))
    assert (told.request, told.answer) == ((person("when?"),), agent("at nine"))
    assert (told.turn.input_tokens, told.turn.cache_write_tokens, told.turn.cost_usd) == (7, 0, None)
    assert climbed.store.check() == []


def test_the_file_is_as_one_made_today(climbed: Bench, tmp_path: Path) -> None:
    Store.open(tmp_path / "new.sqlite3", FakeClock()).close()
    schemas = []
    for path in (climbed.store.path, tmp_path / "new.sqlite3"):
        with closing(sqlite3.connect(path)) as raw:
            schemas.append(raw.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall())
    assert schemas[0] == schemas[1]


def test_a_climb_of_several_steps_makes_one_copy_of_what_was(climbed: Bench) -> None:
    (copy,) = climbed.store.path.parent.glob("*.before-*")
    with closing(sqlite3.connect(copy)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (1000,)
        assert raw.execute("SELECT count(*) FROM turn").fetchone() == (2,)


def test_a_conversation_of_before_goes_on(climbed: Bench) -> None:
    begun = climbed.client.begin([person("when?"), agent("at nine"), person("say the date too")])
    assert climbed.record(begun).judgeable == ["whole-turn001"]
    climbed.record(climbed.client.end(begun, agent("on Monday at nine")))
    told = climbed.store.read(lambda db: turns.conversation(db, "whole-turn001"))
    assert told.next_state == (person("say the date too"),)
    assert climbed.store.read(lambda db: len(db.exec(select(Node)).all())) == 5
    assert counted(climbed) == 2


def test_what_was_under_way_is_lost_and_counted_as_one(climbed: Bench) -> None:
    assert climbed.store.write(lambda db: turns.lose_open_turns(db, FakeClock().now())) == 1
    assert climbed.turn("open-turn001").outcome == TurnOutcome.LOST
    assert counted(climbed) == 2


def test_what_was_there_can_be_forgotten(climbed: Bench) -> None:
    begun = climbed.client.begin([person("when?"), agent("at nine"), person("say the date too")])
    climbed.record(begun, climbed.client.end(begun, agent("on Monday at nine")))
    seen = climbed.store.read(lambda db: forgetting.outlook(db, Which(session="whole")))
    assert (seen.turns, seen.messages) == (2, 5), "four were said, and one is how the model was asked"
    ids = ["whole-turn001", begun.turn_id]
    gone = climbed.store.write(lambda db: forgetting.forget(db, ids, FakeClock().now(), learnt=True))
    assert (gone.turns, gone.sessions) == (2, 1)
    left = climbed.store.read(lambda db: [bytes(each.body) for each in db.exec(select(Message))])
    assert [json.loads(each)["content"] for each in left] == ["and then"]
    assert climbed.store.read(lambda db: db.exec(select(Due)).all()) == []
    assert climbed.store.check() == []
