"""Turns leave with all that quotes them; what others need, and claims, stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.store import claims, decisions, forgetting, learning, leaving, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import FORGOTTEN, Gone
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.phrasing import claim_sources
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import BlockInjected, ThreadKnown
from metaclaw_tray.store.tables import (
    Claim,
    Due,
    Evidence,
    Exchange,
    Injection,
    Message,
    Node,
    Notice,
    Run,
    RunState,
    Session,
    Thread,
    Turn,
    Verdict,
)
from metaclaw_tray.store.tables_library import (
    GateResult,
    Generation,
    Ledger,
    Proposal,
    ProposalOp,
    ProposalState,
)
from store.conversation import START, Client, agent, person
from support.clock import FakeClock

NOW = datetime(2026, 3, 4, tzinfo=UTC)
ME = Actor("ada", "terminal")
LARGE = {"claim", "due", "evidence", "exchange", "injection", "message", "node", "session", "thread", "turn"}


class Record:
    """A real file, and conversations in it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        self.key = self.store.read(turns.node_key)
        self.clients: dict[str, Client] = {}

    def tell(self, *said: str, session: str = "s", system: str = "", ends: bool = True, **extra: Any) -> str:
        """One turn: what person and agent said by turns, then the answer; the turn's id."""
        client = self.clients.setdefault(session, Client(self.key, session=session))
        *request, answer = said
        messages = [(person, agent)[place % 2](each) for place, each in enumerate(request)]
        head = [{"role": "system", "content": system}] if system else []
        begun = client.begin([*head, *messages], **extra)

        def work(db: Db) -> None:
            recorder = Recorder(self.key)
            recorder.apply(db, begun)
            if ends:
                recorder.apply(db, client.end(begun, agent(answer)))

        self.store.write(work)
        return begun.turn_id

    def forget(self, *turn_ids: str) -> Gone:
        return self.store.write(lambda db: forgetting.forget(db, turn_ids, NOW, learnt=True))

    def all(self, table: type[Any]) -> list[Any]:
        return self.store.read(lambda db: list(db.exec(select(table))))

    def exchange(self, turn_id: str) -> str:
        found = self.store.read(lambda db: turns.turn(db, turn_id).turn.exchange_id)
        assert found is not None
        return found

    def bytes(self) -> bytes:
        """Of every file there is."""
        return b"".join(each.read_bytes() for each in sorted(self.store.path.parent.iterdir()))

    def words(self) -> bytes:
        """Of every row there is."""
        with closing(sqlite3.connect(self.store.path)) as raw:
            rows = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'spoken'")
            tables = [row[0] for row in rows]  # but the index itself, which only its own tables hold
            return b"".join(
                repr(raw.execute(f"SELECT * FROM '{each}'").fetchall()).encode() for each in tables
            )


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    made = Record(tmp_path / "store.sqlite3")
    yield made
    assert made.store.check() == []
    made.store.close()


def test_a_conversation_leaves_whole(record: Record) -> None:
    one = record.tell("when?", "at nine", system="be brief")
    two = record.tell("when?", "at nine", "where?", "in Ulm", system="be brief")
    gone = record.forget(one, two)
    assert (gone.turns, gone.exchanges, gone.sessions) == (2, 2, 1)
    for table in (Turn, Node, Message, Exchange, Session, Due):
        assert record.all(table) == [], table


def test_what_a_turn_that_stays_was_asked_with_stays(record: Record) -> None:
    one = record.tell("when?", "at nine", system="be brief")
    two = record.tell("when?", "at nine", "where?", "in Ulm", system="be brief")
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(turns=(one,))))
    assert (seen.turns, seen.messages, seen.shared, seen.sessions) == (1, 0, 2, 0)
    record.forget(one)
    told = record.store.read(lambda db: turns.conversation(db, two))
    assert [message["content"] for message in told.request] == ["when?", "at nine", "where?"]
    assert told.system == "be brief"
    record.forget(two)
    assert record.all(Node) == record.all(Message) == []


def test_a_branch_leaves_and_its_stem_stays(record: Record) -> None:
    record.tell("when?", "at nine", "where?", "in Ulm")
    gone = record.tell("when?", "at nine", "who?", "Ada")
    record.forget(gone)
    words = record.words()
    assert b"who?" not in words
    assert b"Ada" not in words
    assert b"at nine" in words
    assert b"in Ulm" in words


def test_a_message_that_another_session_said_too_stays_there(record: Record) -> None:
    gone = record.tell("hello", "hi", session="one")
    stays = record.tell("well", "yes?", "hello", "hi", session="two")
    record.forget(gone)
    told = record.store.read(lambda db: turns.conversation(db, stays))
    assert [message["content"] for message in told.request] == ["well", "yes?", "hello"]
    assert told.answer is not None
    assert [each.id for each in record.all(Session)] == ["two"]


def test_settings_and_system_texts_stay_while_a_turn_needs_them(record: Record) -> None:
    one = record.tell("a", "b", session="one", system="shared system", temperature=0.5)
    two = record.tell("c", "d", session="two", system="shared system", temperature=0.5)
    record.forget(one)
    assert {each.role for each in record.all(Message)} == {"system", "settings", "user", "assistant"}
    record.forget(two)
    assert record.all(Message) == []


def test_a_turn_under_way_stays_and_is_said_to(record: Record) -> None:
    open_turn = record.tell("when?", "", ends=False)
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(session="s")))
    assert (seen.turns, seen.under_way) == (0, 1)
    assert record.forget(open_turn).turns == 0
    assert [each.id for each in record.all(Turn)] == [open_turn]


def test_messages_are_not_counted_where_there_are_too_many_turns(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "_LOOKED_AT", 0)
    record.tell("when?", "at nine")
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(session="s")))
    assert (seen.turns, seen.exchanges, seen.messages, seen.shared) == (1, 1, None, None)


def test_what_began_after_the_look_stays(record: Record) -> None:
    one = record.tell("a", "b")
    record.tell("a", "b", "c", "d")
    until = datetime.fromtimestamp(START + 1, UTC)
    assert record.store.read(lambda db: leaving.chosen(db, Which(session="s", until=until))) == [one]


def test_conditions_narrow_each_other(record: Record) -> None:
    one, two = record.tell("a", "b", session="one"), record.tell("c", "d", session="two")
    record.tell("c", "d", "e", "f", session="two")
    before = datetime.fromtimestamp(START + 2, UTC)

    def chosen(**conditions: Any) -> list[str]:
        return record.store.read(lambda db: leaving.chosen(db, Which(**conditions)))

    assert chosen(before=before) == [one, two]
    assert chosen(before=before, session="two") == [two]
    assert chosen(agent="agent", before=before, session="one") == [one]
    assert chosen(agent="nobody") == []
    assert chosen(exchange=record.exchange(two)) == [two]
    with pytest.raises(ValueError, match="nothing says"):
        chosen(until=before)


def test_what_was_said_of_an_answer_goes_with_the_reply_it_quotes(record: Record) -> None:
    answered = record.tell("what does it cost?", "62 euros")
    reply = record.tell("what does it cost?", "62 euros", "no, write EUR first", "EUR 62")
    exchange = record.exchange(answered)

    def judge(db: Db) -> None:
        ruling = Ruling(-1, (-1,), "they wanted EUR first", "EUR first", "write EUR first")
        learning.add_verdict(db, answered, exchange, ruling, "m", NOW)
        pieces = [
            Piece("correction", -1, "person", "no, write EUR first"),
            Piece("feedback", -1, "person", "bad"),
        ]
        learning.add_evidence(db, exchange, pieces, NOW, answered)

    record.store.write(judge)
    record.forget(reply)
    assert b"EUR" not in record.words()
    assert [each.score for each in record.all(Verdict)] == [-1]
    assert {each.kind: each.text for each in record.all(Evidence)} == {"correction": "", "feedback": "bad"}
    stays = record.store.read(lambda db: turns.turn(db, answered).turn)
    assert (stays.next_turn_id, stays.next_origin) == (None, "")


def test_an_answer_whose_reply_leaves_waits_for_no_verdict(record: Record) -> None:
    record.tell("a", "b")
    reply = record.tell("a", "b", "no", "c")
    assert len(record.all(Due)) == 1
    record.forget(reply)
    assert record.all(Due) == []


def test_blocks_notices_and_the_waits_of_learning_leave_too(record: Record) -> None:
    gone, stays = record.tell("a", "b", session="one"), record.tell("c", "d", session="two")
    anchors = [record.store.read(lambda db, t=t: turns.turn(db, t).turn.request_node) for t in (gone, stays)]

    def write(db: Db) -> None:
        for anchor, session in zip(anchors, ("one", "two"), strict=True):
            Recorder(record.key).apply(
                db, BlockInjected(anchor, session, f"block {session}", ["x@1"], 3, 0, START)
            )
        learning.add_notice(db, "unscored", gone, "they said a", NOW)
        learning.add_notice(db, "unscored", stays, "they said c", NOW)
        learning.add_notice(db, "waiting", "learning", "HTTP 400: your message a is bad", NOW)

    record.store.write(write)
    assert record.forget(gone).nodes == {anchors[0]}
    assert [each.block for each in record.all(Injection)] == ["block two"]
    assert [each.reason for each in record.all(Notice)] == ["they said c"]


def test_a_thread_that_an_upstream_keeps_leaves_with_its_answer(record: Record) -> None:
    gone, stays = record.tell("a", "b", session="one"), record.tell("c", "d", session="two")
    tips = [record.store.read(lambda db, t=t: turns.turn(db, t).turn.answer_node) for t in (gone, stays)]

    def write(db: Db) -> None:
        for tip, session in zip(tips, ("one", "two"), strict=True):
            Recorder(record.key).apply(
                db, ThreadKnown(f"resp_{session}", "agent", session, tip, [], False, START)
            )

    record.store.write(write)
    assert record.forget(gone).nodes == {tips[0]}
    assert [each.response_id for each in record.all(Thread)] == ["resp_two"]


class Taught:
    """A skill that was learnt from the exchange of a turn, up to its proposal."""

    def __init__(self, record: Record, turn_id: str) -> None:
        self.exchange = record.exchange(turn_id)

        def work(db: Db) -> tuple[str, str]:
            ruling = Ruling(-1, (-1,), "SECRET reason", "SECRET kind", "SECRET instruction")
            learning.add_verdict(db, turn_id, self.exchange, ruling, "m", NOW)
            run = learning.start_run(db, Cluster("SECRET kind", (self.exchange,)), "m", NOW)
            skill = SkillText("coins", "SECRET", "---\nname: coins\ndescription: d\n---\n\nSECRET text\n")
            proposal = decisions.propose(
                db, op=ProposalOp.CREATE, skill="coins", text=skill.text, why="SECRET why", now=NOW,
                exchanges=[self.exchange], run_id=run.id,
            )  # fmt: skip
            learning.add_gate_result(
                db,
                GateResult(
                    proposal_id=proposal, passed=True, requests=2, with_skill=1.0, without_skill=0.0,
                    unscored=0, details=[{"request": "SECRET request"}], reason="SECRET gate", at=NOW,
                ),
            )  # fmt: skip
            learning.end_run(db, run.id, RunState.PROPOSED, "SECRET end", NOW)
            return run.id, proposal

        self.run, self.proposal = record.store.write(work)


def test_a_proposal_that_waits_is_withdrawn_and_its_words_are_gone(record: Record) -> None:
    turn = record.tell("SECRET question", "b")
    taught = Taught(record, turn)
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(turns=(turn,))))
    assert (seen.withdrawn, seen.claims, seen.exchanges) == ((taught.proposal,), 1, 1)
    assert record.forget(turn).withdrawn == [taught.proposal]
    assert b"SECRET" not in record.words()
    made = record.all(Proposal)[0]
    assert (made.state, made.reason, made.text) == (ProposalState.REFUSED, FORGOTTEN, "")
    assert made.decided_at is not None
    assert (record.all(GateResult)[0].requests, record.all(GateResult)[0].details) == (2, [])


def test_the_claim_stays_for_ever_and_its_exchange_with_it(record: Record) -> None:
    turn = record.tell("q", "a")
    taught = Taught(record, turn)
    record.forget(turn)
    assert [each.exchange_id for each in record.all(Claim)] == [taught.exchange]
    assert [each.id for each in record.all(Exchange)] == [taught.exchange]
    assert [each.id for each in record.all(Session)] == ["s"]
    assert record.all(Turn) == []
    again = record.tell("q", "a")  # the conversation goes on: the same exchange, claimed as it was
    assert record.exchange(again) == taught.exchange
    with pytest.raises(claims.ClaimConflictError):
        record.store.write(lambda db: claims.claim(db, [taught.exchange], claims.ClaimUse.TRAIN, "x", NOW))


def test_an_exchange_without_turns_is_not_the_last_one(record: Record) -> None:
    stays, turn = record.tell("q", "a", session="one"), record.tell("r", "b", session="two")
    Taught(record, turn)
    record.forget(turn)
    assert record.store.read(lambda db: turns.exchange(db, "last").id) == record.exchange(stays)


def test_a_skill_that_was_approved_is_named_and_stays(record: Record) -> None:
    turn = record.tell("q", "a")
    taught = Taught(record, turn)
    content = SkillText("coins", "edited", "the approved text")
    record.store.write(lambda db: decisions.approve(db, taught.proposal, ME, NOW, content))
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(turns=(turn,))))
    assert [(each.name, each.version, each.state) for each in seen.skills] == [("coins", 1, "active")]
    record.forget(turn)
    assert b"SECRET" not in record.words()
    assert b"the approved text" in record.words()
    assert record.all(Proposal)[0].state == ProposalState.APPROVED
    assert [each.why for each in record.all(Generation)] == ["the empty library", "approve coins@1"]


def test_why_a_proposal_was_rejected_is_forgotten_in_the_ledger_too(record: Record) -> None:
    turn = record.tell("q", "a")
    taught = Taught(record, turn)
    record.store.write(lambda db: decisions.reject(db, taught.proposal, ME, NOW, "SECRET, no"))
    record.forget(turn)
    assert b"SECRET" not in record.words()
    assert record.all(Ledger)[0].after == {"proposal": taught.proposal, "reason": ""}


def test_what_a_refusal_quoted_is_forgotten_where_it_was_overridden_too(record: Record) -> None:
    turn = record.tell("q", "a")
    taught = Taught(record, turn)

    def override(db: Db) -> None:
        made = db.get(Proposal, taught.proposal)
        gate = db.get(GateResult, taught.proposal)
        assert made is not None
        assert gate is not None
        gate.passed = False
        made.state, made.reason = ProposalState.REFUSED, "“SECRET” is a fact of one request"
        decisions.approve(
            db, made.id, ME, NOW, SkillText("coins", "edited", "the approved text"), edited=True
        )

    record.store.write(override)
    record.forget(turn)
    assert b"SECRET" not in record.words()


def test_phrases_that_a_request_gave_are_forgotten_with_it(record: Record) -> None:
    turn, other = record.tell("SECRET words", "a"), record.tell("r", "b", session="two")

    def propose(db: Db, source: str, word: str) -> str:
        claim_sources(db, [record.exchange(source)], "phrases", NOW)
        return decisions.propose(
            db, op=ProposalOp.UPDATE, skill="coins", text=f"{word} phrase", why=f"by “{word}”", now=NOW,
            exchanges=[record.exchange(source)],
        )  # fmt: skip

    gone, stays = record.store.write(lambda db: (propose(db, turn, "SECRET"), propose(db, other, "plain")))
    seen = record.store.read(lambda db: forgetting.outlook(db, Which(turns=(turn,))))
    assert seen.withdrawn == (gone,)
    assert record.forget(turn).withdrawn == [gone]
    assert b"SECRET" not in record.words()
    assert {each.id: each.text for each in record.all(Proposal)} == {gone: "", stays: "plain phrase"}


def test_a_run_that_goes_on_is_ended(record: Record) -> None:
    turn = record.tell("q", "a")
    exchange = record.exchange(turn)
    record.store.write(lambda db: learning.start_run(db, Cluster("k", (exchange,)), "m", NOW))
    record.forget(turn)
    assert [(each.state, each.reason, each.cluster) for each in record.all(Run)] == [
        (RunState.FAILED, FORGOTTEN, "")
    ]


def test_what_was_learnt_from_an_answer_is_forgotten_with_the_reply_that_taught_it(record: Record) -> None:
    answered = record.tell("q", "a")
    reply = record.tell("q", "a", "SECRET correction", "b")
    taught = Taught(record, answered)
    assert record.forget(reply).withdrawn == [taught.proposal]
    assert b"SECRET" not in record.words()
    assert answered in {each.id for each in record.all(Turn)}


def test_retention_takes_turns_and_leaves_what_was_learnt(record: Record) -> None:
    turn = record.tell("q", "a")
    Taught(record, turn)
    record.store.write(lambda db: forgetting.forget(db, [turn], NOW, learnt=False))
    assert record.all(Turn) == record.all(Message) == []
    assert record.all(Proposal)[0].state == ProposalState.PENDING
    assert record.all(Proposal)[0].why == "SECRET why"


def test_a_promise_holds_until_it_is_kept(record: Record) -> None:
    turn = record.tell("a", "b")
    made = record.store.read(lambda db: forgetting.weigh(db, Which(turns=(turn,))))
    record.store.write(lambda db: forgetting.promise(db, made))
    promised = record.store.read(forgetting.promised)
    assert promised == made
    assert (made.turns, made.since) == (1, datetime.fromtimestamp(START + 1, UTC))
    record.store.write(forgetting.kept_promise)
    assert record.store.read(forgetting.promised) is None


def test_whoever_remembers_rows_sees_that_some_left(record: Record) -> None:
    assert record.store.read(forgetting.times_forgotten) == 0
    record.forget(record.tell("a", "b"))
    record.forget(record.tell("a", "b"))
    assert record.store.read(forgetting.times_forgotten) == 2


def test_no_byte_of_what_was_forgotten_is_in_any_file(tmp_path: Path) -> None:
    """Rows of many sizes, forgotten in an order that moves rows from page to page."""
    record = Record(tmp_path / "store.sqlite3")
    ids = [
        record.tell(
            f"question{number:03}. " * (1 + number * 7 % 90), f"answer{number:03}. ", session=f"s{number}"
        )
        for number in range(150)
    ]
    shuffled = [ids[place * 37 % len(ids)] for place in range(len(ids))]
    stays, leave = set(shuffled[:15]), shuffled[15:]
    for place in range(0, len(leave), 9):
        record.forget(*leave[place : place + 9])
    record.store.rewrite()
    found = record.bytes()
    for turn_id in ids:
        number = int(turn_id.partition("-")[0][1:])
        assert (f"question{number:03}".encode() in found) == (turn_id in stays), turn_id
        assert (f"answer{number:03}".encode() in found) == (turn_id in stays), turn_id
    record.store.close()


def test_the_file_cannot_be_rewritten_while_a_reader_holds_the_journal(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    from metaclaw_tray.errors import StoreError
    from metaclaw_tray.store import engine

    monkeypatch.setattr(engine, "_BUSY_SECONDS", 0.05)
    record.forget(record.tell("a", "b"))
    with closing(sqlite3.connect(record.store.path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM turn").fetchone()
        with pytest.raises(StoreError, match="locked"):
            record.store.rewrite()
    record.store.rewrite()


def test_every_row_is_found_by_an_index(record: Record) -> None:
    statements = [
        *leaving.EXCHANGES, *leaving.PATHS, *leaving.MESSAGES, leaving.LEARNT[0],
        *forgetting._ABOUT_TURNS, *forgetting._ROWS, *forgetting._COUNT.values(),
        forgetting._SPAN, forgetting._REMEMBERED,
    ]  # fmt: skip

    def plans(db: Db) -> list[str]:
        connection = leaving.raw(db)
        leaving.mark(connection, [])
        return [
            f"{row[3]} in: {statement}"
            for statement in statements
            for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")
        ]

    found = record.store.read(plans)
    assert len(found) > len(statements)
    assert [plan for plan in found if plan.startswith("SCAN") and plan.split()[1] in LARGE] == []


@st.composite
def _talk(draw: st.DrawFn) -> list[tuple[int, tuple[str, ...]]]:
    """Requests of some sessions: each goes on from an earlier one, branches from it, or begins anew."""
    told: list[tuple[int, tuple[str, ...]]] = []
    for _ in range(draw(st.integers(1, 12))):
        word = draw(st.sampled_from("abcd"))
        base = draw(st.sampled_from([(), *(said for _, said in told)]))
        cut = draw(st.integers(0, len(base) // 2)) * 2
        told.append((draw(st.integers(0, 2)), (*base[:cut], word, draw(st.sampled_from("xyz")))))
    return told


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_talk(), st.data())
def test_what_stays_is_whole_and_nothing_else_stays(
    talk: list[tuple[int, tuple[str, ...]]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        record = Record(Path(folder) / "store.sqlite3")
        ids = [record.tell(*said, session=f"s{session}") for session, said in talk]
        said_by = dict(zip(ids, (said for _, said in talk), strict=True))
        leave = data.draw(st.lists(st.sampled_from(ids), unique=True))
        for batch in _batches(leave, data):
            record.forget(*batch)
        stays = [each for each in ids if each not in leave]
        assert {each.id for each in record.all(Turn)} == set(stays)
        for turn_id in stays:
            told = record.store.read(lambda db, t=turn_id: turns.conversation(db, t))
            assert told.answer is not None
            words = [*(each["content"] for each in told.request), told.answer["content"]]
            assert tuple(words) == said_by[turn_id]
        needed = {said[:length] for t in stays for said in [said_by[t]] for length in range(1, len(said) + 1)}
        assert len(record.all(Node)) == len(needed)
        messages = {(place % 2, word) for t in stays for place, word in enumerate(said_by[t])}
        assert len(record.all(Message)) == len(messages) + (1 if stays else 0)  # the settings
        assert {each.id for each in record.all(Session)} == {each.session_id for each in record.all(Turn)}
        assert {each.id for each in record.all(Exchange)} == {each.exchange_id for each in record.all(Turn)}
        assert record.store.check() == []
        record.store.close()


def _batches(leave: Sequence[str], data: st.DataObject) -> list[list[str]]:
    if not leave:
        return []
    cut = data.draw(st.integers(0, len(leave)))
    return [each for each in (list(leave[:cut]), list(leave[cut:])) if each]
