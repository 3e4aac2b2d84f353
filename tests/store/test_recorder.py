"""Records become rows: the tree, exchanges, next states, retries, and what is not told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Cursor

import pytest
from sqlalchemy.sql.base import Executable
from sqlmodel import Session, col, select

from metaclaw_tray.store import turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.prepared import Values
from metaclaw_tray.store.recorder import Learnt, Recorder
from metaclaw_tray.store.records import BlockInjected, Dropped, SessionEnded, ThreadKnown, ToScribe, TurnBegun
from metaclaw_tray.store.tables import Exchange, Message, Node, Turn, TurnOutcome
from metaclaw_tray.store.writing import Pen
from store.conversation import START, Client, agent, person
from support.clock import FakeClock


class Bench:
    """A real file and a recorder on it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        self.key = self.store.read(turns.node_key)
        self.recorder = Recorder(self.key)
        self.client = Client(self.key)

    def record(self, *records: ToScribe) -> Learnt:
        def work(session: Session) -> Learnt:
            learnt = Learnt()
            for each in records:
                learnt.add(self.recorder.apply(session, each))
            return learnt

        learnt = self.store.write(work)
        self.recorder.commit()
        return learnt

    def turn(self, turn_id: str) -> Turn:
        return self.store.read(lambda session: turns.turn(session, turn_id).turn)

    def exchanges(self) -> list[Exchange]:
        return self.store.read(lambda db: list(db.exec(select(Exchange).order_by(col(Exchange.id)))))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_a_turn_and_its_next_state(bench: Bench) -> None:
    first = bench.client.begin([person("when?")])
    bench.record(
        first, bench.client.end(first, agent("at nine"), usage={"prompt_tokens": 7, "completion_tokens": 3})
    )
    second = bench.client.begin([person("when?"), agent("at nine"), person("always say the date too")])
    learnt = bench.record(second)
    assert learnt.judgeable == [first.turn_id]
    told = bench.store.read(lambda session: turns.conversation(session, first.turn_id))
    assert told.request == (person("when?"),)
    assert told.answer == agent("at nine")
    assert told.next_state == (person("always say the date too"),)
    turn = bench.turn(first.turn_id)
    assert (turn.outcome, turn.input_tokens, turn.output_tokens, turn.usage_estimated) == ("ok", 7, 3, False)
    assert (turn.next_turn_id, turn.next_origin) == (second.turn_id, "person")


def test_messages_are_stored_once(bench: Bench) -> None:
    said = [person("a")]
    for number in range(20):
        begun = bench.client.begin(list(said))
        bench.record(begun, bench.client.end(begun, agent(f"answer {number}")))
        said += [agent(f"answer {number}"), person(f"more {number}")]
    with_roles = bench.store.read(lambda db: list(db.exec(select(Message.role))))
    assert with_roles.count("user") == 20
    assert with_roles.count("assistant") == 20
    assert with_roles.count("settings") == 1
    assert bench.store.read(lambda db: len(db.exec(select(Node.id)).all())) == 40


def test_a_tool_loop_is_one_exchange_and_its_inner_states_are_not_the_persons(bench: Bench) -> None:
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}],
    }
    result = {"role": "tool", "tool_call_id": "c1", "content": "a.txt"}
    one = bench.client.begin([person("list")])
    bench.record(one, bench.client.end(one, call))
    two = bench.client.begin([person("list"), call, result])
    assert bench.record(two).judgeable == []
    bench.record(bench.client.end(two, agent("there is a.txt")))
    three = bench.client.begin([person("list"), call, result, agent("there is a.txt"), person("thanks")])
    assert bench.record(three).judgeable == [two.turn_id]
    assert bench.turn(one.turn_id).next_origin == "tool"
    exchanges = bench.exchanges()
    assert len(exchanges) == 2
    assert bench.turn(one.turn_id).exchange_id == bench.turn(two.turn_id).exchange_id == exchanges[0].id
    assert exchanges[1].lineage.startswith(exchanges[0].lineage + "/")


def test_a_retry_is_the_same_path_again(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    two = bench.client.begin([person("hello")])
    bench.record(one, bench.client.end(one, outcome="cut", body=b""), two, bench.client.end(two, agent("hi")))
    assert bench.turn(two.turn_id).retry_of == one.turn_id
    assert bench.turn(one.turn_id).outcome == TurnOutcome.CUT
    assert len(bench.exchanges()) == 1


def test_branches_have_their_own_next_states(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    bench.record(one, bench.client.end(one, agent("hi")))
    two = bench.client.begin([person("hello")])
    bench.record(two, bench.client.end(two, agent("good day")))
    later = bench.client.begin([person("hello"), agent("hi"), person("how are you?")])
    assert bench.record(later).judgeable == [one.turn_id]
    assert bench.turn(two.turn_id).next_turn_id is None


def test_an_answer_that_is_recorded_after_its_next_request_is_linked_all_the_same(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    two = bench.client.begin([person("hello"), agent("hi"), person("no, in Dutch")])
    bench.record(one, two)
    learnt = bench.record(bench.client.end(one, agent("hi")))
    assert learnt.judgeable == [one.turn_id]
    assert bench.turn(one.turn_id).next_turn_id == two.turn_id


def test_a_side_turn_opens_no_exchange_and_is_nobodys_next_state(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    bench.record(one, bench.client.end(one, agent("hi")))
    side = bench.client.begin([person("hello"), agent("hi"), person("make a title")], kind="side")
    assert bench.record(side).judgeable == []
    assert bench.turn(one.turn_id).next_turn_id is None
    assert bench.turn(side.turn_id).exchange_id is None


def test_an_error_inside_a_200_is_a_failed_turn(bench: Bench) -> None:
    begun = bench.client.begin([person("hello")], stream=True)
    body = b'data: {"choices":[{"index":0,"delta":{"content":"so"}}]}\n\n'
    body += b'data: {"error":{"message":"overloaded"}}\n\n'
    bench.record(begun, bench.client.end(begun, body=body, content_type="text/event-stream"))
    turn = bench.turn(begun.turn_id)
    assert turn.outcome == TurnOutcome.FAILED
    assert "overloaded" in turn.error
    assert turn.answer_node is None


def test_words_that_come_with_the_result_of_a_tool_are_the_next_state(bench: Bench) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    calling = {"role": "assistant", "content": None, "tool_calls": [call]}
    first = bench.client.begin([person("look it up")])
    bench.record(first, bench.client.end(first, calling))
    result = {"role": "tool", "tool_call_id": "c1", "content": "stopped"}
    second = bench.client.begin([person("look it up"), calling, result, person("No, not there!")])
    bench.record(second, bench.client.end(second, agent("sorry")))
    turn = bench.turn(first.turn_id)
    assert (turn.next_turn_id, turn.next_origin) == (second.turn_id, "person")


def test_a_stream_without_an_end_is_cut(bench: Bench) -> None:
    begun = bench.client.begin([person("hello")], stream=True)
    body = b'data: {"choices":[{"index":0,"delta":{"content":"so"}}]}\n\n'
    bench.record(begun, bench.client.end(begun, body=body, content_type="text/event-stream"))
    assert bench.turn(begun.turn_id).outcome == TurnOutcome.CUT


def test_missing_usage_is_estimated_and_marked(bench: Bench) -> None:
    begun = bench.client.begin([person("x" * 400)])
    bench.record(begun, bench.client.end(begun, agent("y" * 80)))
    turn = bench.turn(begun.turn_id)
    assert 100 <= turn.input_tokens <= 110, "what stands around the words counts too"
    assert (turn.output_tokens, turn.usage_estimated) == (20, True)


def test_a_request_that_cannot_be_read_is_kept_without_its_text(bench: Bench) -> None:
    begun = TurnBegun(
        "t", "session", "agent", "main", "chat", "up", "m", b"\xff{nonsense", b"", [], [], -1, [], 0, START
    )
    bench.record(begun, bench.client.end(begun, agent("what?")))
    assert bench.turn("t").outcome == TurnOutcome.OK
    assert bench.exchanges() == []


def test_records_told_twice_change_nothing(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    end = bench.client.end(one, agent("hi"))
    two = bench.client.begin([person("hello"), agent("hi"), person("again")])
    block = BlockInjected(one.nodes[-1], "session", "text", ["s@1"], 5, 1, START)
    for _ in range(2):
        bench.record(block, one, end, two)
    listed = bench.store.read(turns.turns)
    assert [view.turn.id for view in listed] == [two.turn_id, one.turn_id]
    assert listed[0].skills == ("s@1",)
    assert (
        bench.store.read(lambda db: turns.injections(db, limit=5, since=datetime(2000, 1, 1, tzinfo=UTC)))[
            0
        ].block
        == "text"
    )


def test_secrets_do_not_reach_the_disk(bench: Bench) -> None:
    secret = "sk-ant-api03-" + "Ab9" * 30
    begun = bench.client.begin(
        [{"role": "system", "content": f"use {secret}"}, person(f"my key is {secret}")],
        tools=[{"type": "function", "function": {"name": "x", "description": secret}}],
    )
    bench.record(begun, bench.client.end(begun, agent(f"your key {secret}")))
    bench.store.close()
    for file in bench.store.path.parent.iterdir():
        assert secret.encode() not in file.read_bytes(), file


def test_sessions_end_once_and_come_back(bench: Bench) -> None:
    begun = bench.client.begin([person("hello")])
    bench.record(
        begun, SessionEnded("session", "silence", START + 5), SessionEnded("session", "quit", START + 9)
    )
    assert bench.store.read(lambda db: turns.session(db, "session")).end_reason == "silence"
    bench.record(bench.client.begin([person("hello"), agent("hi"), person("back")]))
    assert bench.store.read(lambda db: turns.session(db, "session")).ended_at is None


def test_an_answer_that_is_kept_under_an_id_again_is_the_newest(bench: Bench) -> None:
    def thread(agent: str, tip: bytes) -> ThreadKnown:
        return ThreadKnown("resp_1", agent, "session", tip * 16, [tip * 16], False, START)

    bench.record(thread("a", b"1"), thread("b", b"2"), thread("a", b"3"))
    since = datetime(2000, 1, 1, tzinfo=UTC)
    kept = bench.store.read(lambda db: turns.threads(db, limit=9, since=since))
    assert {(each.agent, each.tip, each.nodes) for each in kept} == {
        ("a", b"3" * 16, (b"3" * 16,)),
        ("b", b"2" * 16, (b"2" * 16,)),
    }


def test_dropped_records_are_counted_once_each(bench: Bench) -> None:
    for _ in range(2):  # a scribe died between commit and answer
        bench.record(Dropped(3, START), Dropped(2, START + 1))
    told = bench.store.read(turns.notices)
    assert [(each.kind, each.count) for each in told] == [("dropped", 2), ("dropped", 3)]


def test_open_turns_are_lost_when_a_new_scribe_starts(bench: Bench) -> None:
    begun = bench.client.begin([person("hello")])
    bench.record(begun)
    assert bench.store.write(lambda db: turns.lose_open_turns(db, FakeClock().now())) == 1
    assert bench.turn(begun.turn_id).outcome == TurnOutcome.LOST


def test_a_client_that_hangs_up_after_the_last_event_has_its_answer(bench: Bench) -> None:
    begun = bench.client.begin([person("hello")], stream=True)
    body = (
        b'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    )
    bench.record(begun, bench.client.end(begun, outcome="gone", body=body, content_type="text/event-stream"))
    assert bench.turn(begun.turn_id).outcome == TurnOutcome.OK
    cut = bench.client.begin([person("hello again")], stream=True)
    bench.record(cut, bench.client.end(cut, outcome="gone", body=body[:40], content_type="text/event-stream"))
    assert bench.turn(cut.turn_id).outcome == TurnOutcome.GONE


def test_what_a_failed_commit_took_back_is_written_whole_the_next_time(bench: Bench) -> None:
    one = bench.client.begin([person("hello")])
    two = bench.client.begin([person("hello"), agent("hi"), person("more")])
    told = [one, bench.client.end(one, agent("hi")), two]

    def fail(session: Session) -> None:
        for each in told:
            bench.recorder.apply(session, each)
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError):
        bench.store.write(fail)
    bench.recorder.forget_uncommitted()
    bench.record(*told)
    assert bench.store.check() == []
    seen = bench.store.read(lambda db: turns.conversation(db, two.turn_id))
    assert seen.request == (person("hello"), agent("hi"), person("more"))
    assert len(bench.exchanges()) == 2


def test_an_exchange_is_found_by_a_recorder_that_did_not_open_it(bench: Bench) -> None:
    one, two = bench.client.begin([person("hello")]), bench.client.begin([person("hello")])
    bench.record(one)
    bench.recorder = Recorder(bench.key)
    bench.record(two)
    (exchange,) = bench.exchanges()
    assert {bench.turn(each.turn_id).exchange_id for each in (one, two)} == {exchange.id}


def test_nothing_is_looked_for_that_cannot_be_there(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = Pen._run

    def listen(pen: Pen, statement: Executable, values: Values) -> Cursor:
        asked.append(str(statement))
        return ask(pen, statement, values)

    monkeypatch.setattr(Pen, "_run", listen)
    one = bench.client.begin([person("hello")])
    bench.record(one)
    bench.record(bench.client.end(one, agent("hi")))
    two = bench.client.begin([person("hello"), agent("hi"), person("more")])
    assert bench.record(two).judgeable == [one.turn_id]
    looked = [each for each in asked if each.startswith("SELECT") and "FROM node" not in each]
    (waiting,) = looked  # by the second request: whose next state is this?
    assert "next_turn_id IS NULL" in waiting
