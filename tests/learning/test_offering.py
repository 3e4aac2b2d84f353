"""A few proposals a day, each thing once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.learning.offering import offer_today
from metaclaw_tray.settings import Review
from metaclaw_tray.store import decisions, library, offering
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import GateResult, Proposal, ProposalOp, ProposalState
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
ME = Actor("ada", "terminal")
count = 0  # of proposals: each is made a second after the one before
BODIES = (
    "Write dates as year, month, day.",
    "Answer every mail within three sentences.",
    "Name the currency before an amount of money.",
    "Make a backup before a file is changed.",
    "Log each command that was run.",
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def propose(
    store: Store,
    name: str,
    body: str,
    *,
    op: ProposalOp = ProposalOp.CREATE,
    outcome: str = "promising",
    exchanges: tuple[str, ...] = (),
    taint: str = "",
) -> str:
    global count
    count += 1
    at = NOW - timedelta(hours=1) + timedelta(seconds=count)
    text = f"---\nname: {name}\ndescription: Use for {name}.\n---\n\n{body}\n"

    def work(db) -> str:
        made = decisions.propose(
            db, op=op, skill=name, text=text, why="learnt", now=at, exchanges=exchanges, taint=taint
        )
        db.add(
            GateResult(
                proposal_id=made, passed=True, requests=8, with_skill=1, without_skill=0, unscored=0,
                details=[], reason="", at=at, outcome=outcome,
            )
        )  # fmt: skip
        return made

    return store.write(work)


def offer(store: Store, now: datetime = NOW, **settings: object) -> list[str]:
    return store.write(lambda db: offer_today(db, Review(**settings), now))  # type: ignore[arg-type]


def found(store: Store, proposal: str) -> Proposal:
    return store.read(lambda db: library.proposal(db, proposal)).proposal


def test_three_are_offered_in_a_day_and_the_next_ones_on_the_next(store: Store) -> None:
    made = [propose(store, f"skill-{place}", body) for place, body in enumerate(BODIES)]
    assert offer(store) == made[:3]
    assert offer(store) == []
    assert offering.why_waits(found(store, made[3]), Review(), NOW) == "at most 3 a day are put before you"
    assert offering.why_waits(found(store, made[0]), Review(), NOW) == ""
    assert store.read(lambda db: offering.count_offered(db, NOW)) == 3
    assert offer(store, NOW + timedelta(hours=11, minutes=59)) == []
    assert offer(store, NOW + timedelta(hours=12)) == made[3:]


def test_the_number_is_a_setting_and_what_was_measured_better_comes_first(store: Store) -> None:
    propose(store, "a", BODIES[0])
    better = propose(store, "b", BODIES[1], outcome="better")
    assert offer(store, per_day=1) == [better]
    assert offer(store, per_day=0) == []


def test_what_changed_outside_is_shown_at_once_and_takes_no_room(store: Store) -> None:
    outside = [propose(store, f"o-{place}", body, op=ProposalOp.OUTSIDE) for place, body in enumerate(BODIES)]
    learnt = propose(store, "learnt", "Speak Dutch in the evening, always.")
    assert offer(store) == [learnt]
    assert all(found(store, each).offered_at for each in outside)


def test_near_duplicates_under_other_names_are_merged_into_one(store: Store) -> None:
    first = propose(store, "dates", BODIES[0], exchanges=("e1",))
    second = propose(store, "days", "Write dates as year, month and day.", exchanges=("e1", "e2"))
    third = propose(store, "iso", "Always write dates as year, month, day!", exchanges=("e3",))
    assert offer(store) == [first]
    assert found(store, first).exchanges == ["e1", "e2", "e3"]
    for each in (second, third):
        assert found(store, each).state == ProposalState.REFUSED
        assert found(store, each).reason == f"merged into {first}, which says the same"


def test_one_that_was_offered_takes_in_what_comes_later(store: Store) -> None:
    first = propose(store, "dates", BODIES[0], exchanges=("e1",))
    offer(store)
    propose(store, "days", BODIES[0], exchanges=("e2",))
    assert offer(store) == []
    assert found(store, first).exchanges == ["e1", "e2"]


def test_what_is_clean_is_never_merged_into_what_is_tainted(store: Store) -> None:
    tainted = propose(store, "dates", BODIES[0], taint="web")
    clean = propose(store, "days", BODIES[0])
    assert offer(store) == [clean]
    assert "merged" in found(store, tainted).reason


def test_a_snoozed_one_returns_by_itself(store: Store) -> None:
    made = propose(store, "dates", BODIES[0])
    offer(store)
    until = NOW + timedelta(days=1)
    store.write(lambda db: decisions.snooze(db, made, until, ME, NOW))
    assert offering.why_waits(found(store, made), Review(), NOW) == "snoozed until 2026-03-04 12:00 UTC"
    assert store.read(lambda db: offering.count_offered(db, NOW)) == 0
    assert offering.why_waits(found(store, made), Review(), until) == ""
    assert store.read(lambda db: offering.count_offered(db, until)) == 1
    (entry,) = store.read(library.ledger)
    assert (entry.action, entry.after["until"]) == ("snooze", until.isoformat())


def test_while_learning_is_off_nothing_is_offered(store: Store) -> None:
    made = propose(store, "dates", BODIES[0])
    assert offer(store, policy="off") == []
    assert offering.why_waits(found(store, made), Review(policy="off"), NOW) == "review.policy is off"
