"""Failures gather by what they are about, and are kept for the evolver until a skill covers them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.learning.alike import one_kind
from metaclaw_tray.store import claims, decisions, learning, lessons, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables import ClaimUse, Exchange, Injection, Node, RunState, Turn, tag
from metaclaw_tray.store.tables import Session as SessionRow
from metaclaw_tray.store.tables_library import ProposalOp, SkillState
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
WHO = Actor("me", "terminal")


class Bench:
    """A store in which exchanges go wrong one after another, an hour apart."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        self.now = NOW
        self.count = 0

    def failed(
        self, kind: str, said: str = "", *, rule: str = "", carried: str = "", transient: bool = False
    ) -> str:
        """An exchange with its verdict and the person's correction; `carried` stood in front of it."""
        name = f"exchange-{self.count:02}"
        self.count += 1
        self.now += timedelta(hours=1)

        def write(db: Session) -> None:
            node = self._node(name)
            db.add(SessionRow(id=name, agent="agent", root=node, started_at=self.now, last_at=self.now))
            db.add(Node(id=node, parent=None, message_id=b"m", depth=1))
            db.flush()
            db.add(
                Exchange(
                    id=name,
                    session_id=name,
                    agent="agent",
                    opening=node,
                    lineage=tag(node),
                    generation=0,
                    started_at=self.now,
                )
            )
            db.flush()
            db.add(
                Turn(
                    id=f"turn-{name}",
                    exchange_id=name,
                    session_id=name,
                    agent="agent",
                    kind="main",
                    outcome="ok",
                    dialect="chat",
                    upstream="up",
                    model="m",
                    request_node=node,
                    generation=0,
                    begun_at=self.now,
                )
            )
            if carried:
                db.add(
                    Injection(
                        anchor=node,
                        session_id=name,
                        block="…",
                        skills=[carried],
                        tokens=1,
                        generation=0,
                        at=self.now,
                    )
                )
            db.flush()
            ruling = Ruling(-1, (), "why", kind, rule, transient=transient)
            learning.add_verdict(db, f"turn-{name}", name, ruling, "judge", self.now)
            if said:
                learning.add_evidence(db, name, [Piece("correction", -1, "person", said)], self.now)

        self.store.write(write)
        return name

    def _node(self, name: str) -> bytes:
        """A node whose conversation is not kept aside to measure on."""
        for salt in range(256):
            node = bytes([salt]) + name.encode().rjust(15, b"\0")
            if share_of(tag(node)) is None:
                return node
        raise AssertionError("every node is kept aside")

    def ready(self, failures: int = 2) -> list[Cluster]:
        return self.store.read(lambda db: lessons.ready_clusters(db, failures, one_kind))

    def learn(self, cluster: Cluster, skill: str = "dates") -> None:
        """A run on this cluster, and the person's yes to what came of it."""
        text = f"---\nname: {skill}\ndescription: x\n---\n\nWrite it so.\n"

        def write(db: Session) -> None:
            made = self._proposed(db, cluster, skill, text)
            decisions.approve(db, made, WHO, self.now, SkillText(skill, "x", text))

        self.store.write(write)
        self.now += timedelta(hours=1)

    def propose(self, cluster: Cluster) -> str:
        """A run on this cluster, and what came of it, which waits; its id."""
        return self.store.write(lambda db: self._proposed(db, cluster, "dates", "x"))

    def _proposed(self, db: Session, cluster: Cluster, skill: str, text: str) -> str:
        run = learning.start_run(db, cluster, "m", self.now)
        made = decisions.propose(
            db, op=ProposalOp.CREATE, skill=skill, text=text, why="", now=self.now, run_id=run.id
        )
        learning.end_run(db, run.id, RunState.PROPOSED, "", self.now)
        return made

    def waiting(self) -> list[tuple[str, str]]:
        found = self.store.read(lambda db: lessons.held_back(db, one_kind))
        return [(lesson.exchange_id, why) for lesson, why in found]

    def reserved(self, days: float = 0) -> list[str]:
        at = self.now + timedelta(days=days)
        return [each.exchange_id for each in self.store.read(lambda db: lessons.reserved(db, at, one_kind))]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_faults_by_nearly_the_same_name_are_of_one_kind(bench: Bench) -> None:
    first, second = bench.failed("wrong date format"), bench.failed("date format not ISO")
    bench.failed("wrong unit")
    assert bench.ready() == [Cluster("wrong date format", (first, second))]


def test_faults_of_which_the_person_says_the_same_are_of_one_kind(bench: Bench) -> None:
    first = bench.failed("bad layout", "Dates belong in ISO form, please.")
    second = bench.failed("careless answer", "ISO form for dates, please!")
    bench.failed("other", "Wrong.")
    bench.failed("another", "That is wrong.")
    assert bench.ready() == [Cluster("bad layout", (first, second))]


def test_a_rule_that_was_given_twice_starts_one_run_in_its_latest_words(bench: Bench) -> None:
    first = bench.failed("a", rule="Always write dates in ISO form.")
    second = bench.failed("b", rule="Dates always in ISO form, I said.")
    third = bench.failed("c", rule="Never use tables.")
    assert bench.ready() == [
        Cluster("a", (first, second), "Dates always in ISO form, I said."),
        Cluster("c", (third,), "Never use tables."),
    ]


def test_what_the_surroundings_did_teaches_nothing(bench: Bench) -> None:
    bench.failed("browser missing", transient=True)
    bench.failed("browser missing", transient=True)
    assert bench.ready() == []
    assert bench.reserved() == []


def test_an_unclaimed_failure_is_kept_for_the_evolver_for_seven_days(bench: Bench) -> None:
    failed = bench.failed("dates", rule="Always ISO.")
    assert bench.reserved() == [failed]
    assert bench.reserved(6.9) == [failed]
    assert bench.reserved(7) == []
    (kept,) = bench.store.read(lambda db: lessons.reserved(db, bench.now, one_kind))
    assert kept.reason == "kept for learning: Always ISO."


def test_what_is_claimed_is_not_reserved(bench: Bench) -> None:
    failed = bench.failed("dates")
    bench.store.write(lambda db: claims.claim(db, [failed], ClaimUse.TRAIN, "job", NOW))
    assert bench.reserved() == []


def test_failures_carry_over_generations_until_a_skill_covers_them(bench: Bench) -> None:
    early = bench.failed("wrong date format")
    bench.learn(Cluster("wrong unit", (bench.failed("wrong unit"),)), "units")  # another generation
    assert bench.reserved() == [early]
    late = bench.failed("date format")
    assert bench.ready() == [Cluster("wrong date format", (early, late))]
    left = bench.failed("wrong date format")
    bench.learn(Cluster("wrong date format", (early, late)))
    assert bench.ready(1) == []
    assert left not in bench.reserved()


def test_after_that_only_a_failure_with_the_skill_in_front_counts_anew(bench: Bench) -> None:
    bench.learn(Cluster("wrong date format", (bench.failed("wrong date format"),)))
    bench.failed("wrong date format")  # it was not found: no second lesson
    assert bench.ready(1) == []
    again = bench.failed("wrong date format", carried="dates@1")
    assert bench.ready(1) == [Cluster("wrong date format", (again,))]


def test_a_skill_that_was_undone_covers_nothing(bench: Bench) -> None:
    bench.learn(Cluster("wrong date format", (bench.failed("wrong date format"),)))
    failed = bench.failed("wrong date format")
    assert bench.ready(1) == []

    def undo(db: Session) -> None:
        decisions.set_state(db, "dates", SkillState.RETIRED, WHO, bench.now)

    bench.store.write(undo)
    assert bench.ready(1) == [Cluster("wrong date format", (failed,))]


def test_a_rule_given_again_teaches_although_a_skill_covers_its_kind(bench: Bench) -> None:
    bench.learn(Cluster("wrong date format", (bench.failed("wrong date format"),)))
    failed = bench.failed("wrong date format", rule="Months in words, always.")
    assert bench.ready(1) == [Cluster("wrong date format", (failed,), "Months in words, always.")]


def test_while_a_run_for_a_rule_goes_on_the_same_rule_starts_no_second_one(bench: Bench) -> None:
    first = Cluster("a", (bench.failed("a", rule="Always write dates in ISO form."),), "x")
    run = bench.store.write(lambda db: learning.start_run(db, first, "m", NOW))
    again = bench.failed("b", rule="Dates always in ISO form, I said.")
    other = bench.failed("c", rule="Never use tables.")
    assert bench.ready() == [Cluster("c", (other,), "Never use tables.")]
    assert bench.waiting() == [(again, "a run for it goes on")]
    bench.store.write(lambda db: learning.end_run(db, run.id, RunState.NOTHING, "", NOW))
    assert [each.exchanges for each in bench.ready()] == [(again,), (other,)]


def test_while_a_proposal_waits_for_the_person_what_it_came_of_starts_no_second_one(bench: Bench) -> None:
    made = bench.propose(Cluster("wrong date format", (bench.failed("wrong date format"),)))
    later = bench.failed("wrong date format")
    assert bench.ready(1) == []
    ((held, why),) = bench.waiting()
    assert (held, made in why, "“dates”" in why) == (later, True, True)
    assert bench.store.read(lambda db: lessons.gathering(db, one_kind)) == {}
    assert bench.reserved() == [later]  # it may still teach
    bench.store.write(lambda db: decisions.reject(db, made, WHO, NOW, "no"))
    assert bench.ready(1) == [Cluster("wrong date format", (later,))]
    assert bench.store.read(lambda db: lessons.gathering(db, one_kind)) == {"wrong date format": 1}


def test_a_rule_waits_too_while_a_proposal_of_the_failures_before_it_waits(bench: Bench) -> None:
    said = "Dates belong in ISO form, please."
    bench.propose(Cluster("bad layout", (bench.failed("bad layout", said),)))
    told = bench.failed("bad layout", "ISO form for dates, always!", rule="ISO form for dates, always!")
    assert bench.ready() == []
    assert [held for held, _ in bench.waiting()] == [told]


def test_failures_that_the_judge_calls_the_same_are_apart_where_the_person_said_other_things(
    bench: Bench,
) -> None:
    bench.failed("wrong format", "The front matter is missing. Title and status first.")
    bench.failed("wrong format", "I asked for kilometres.")
    assert bench.ready() == []


def test_many_failures_are_looked_at_in_bounded_work(bench: Bench) -> None:
    for number in range(8):
        bench.failed(f"kind {number}")
    views = bench.store.read(lambda db: turns.turns(db, limit=100))
    assert len(views) == 8
    assert len(bench.store.read(lambda db: lessons.unclaimed(db, limit=3))) == 3
