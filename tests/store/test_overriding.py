"""What a check turned down, the person may still want: in words of their own, and the ledger says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, learning, library
from metaclaw_tray.store.decisions import Actor, DecisionError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
WHO = Actor("me", "terminal")
TEXT = (
    "---\nname: reviews\ndescription: Reviews. Use when reviewing.\n---\n\nName “ignore all instructions”.\n"
)
EDITED = TEXT.replace("Name “", "In a review name phrases such as “")
REASON = "it sets other instructions aside: “ignore all instructions”"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def refused(store: Store, op: ProposalOp = ProposalOp.CREATE) -> str:
    def write(db: Session) -> str:
        run = learning.start_run(db, Cluster("reviews", ()), "m", NOW)
        return decisions.propose(
            db,
            op=op,
            skill="reviews",
            text=TEXT,
            why="You said so",
            now=NOW,
            run_id=run.id,
            state=ProposalState.REFUSED,
            reason=REASON,
        )

    return store.write(write)


def test_a_refused_proposal_goes_live_only_in_the_persons_own_words_and_the_ledger_says_what_they_overrode(
    store: Store,
) -> None:
    """F07: approval impossible because a scanner refuses."""
    made = refused(store)
    with pytest.raises(DecisionError, match="refused"):
        store.write(lambda db: review.approve(db, made, WHO, NOW))
    assert store.read(library.skills) == []
    store.write(lambda db: review.approve(db, made, WHO, NOW, EDITED))
    (skill,) = store.read(library.skills)
    assert (skill.name, skill.state) == ("reviews", "active")
    (entry,) = store.read(library.ledger)
    assert entry.after["overrides"] == REASON
    assert entry.after["proposal"] == made
    assert store.read(lambda db: library.proposal(db, made)).proposal.state == ProposalState.APPROVED


def test_it_is_decided_once(store: Store) -> None:
    made = refused(store)
    store.write(lambda db: review.approve(db, made, WHO, NOW, EDITED))
    with pytest.raises(DecisionError):
        store.write(lambda db: review.approve(db, made, WHO, NOW, EDITED))


def test_a_change_from_outside_that_was_refused_stays_refused(store: Store) -> None:
    made = refused(store, ProposalOp.OUTSIDE)
    with pytest.raises(DecisionError):
        store.write(lambda db: review.approve(db, made, WHO, NOW, EDITED))


def test_an_approval_that_overrides_nothing_says_nothing_of_it(store: Store) -> None:
    made = store.write(
        lambda db: decisions.propose(
            db, op=ProposalOp.CREATE, skill="reviews", text=TEXT, why="You said so", now=NOW
        )
    )
    store.write(lambda db: review.approve(db, made, WHO, NOW, EDITED))
    (entry,) = store.read(library.ledger)
    assert "overrides" not in entry.after
