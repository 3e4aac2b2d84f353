"""What phrases are made of is support, and the database holds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from metaclaw_tray.store import learning
from metaclaw_tray.store.claims import ClaimConflictError, claim, use_of
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.migrations import STEPS
from metaclaw_tray.store.phrasing import claim_sources, may_give
from metaclaw_tray.store.proposing import propose
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import TurnBegun
from metaclaw_tray.store.tables import ClaimUse, Exchange, tag
from metaclaw_tray.store.tables_library import Proposal, ProposalOp
from metaclaw_tray.store.turns import node_key, turn
from store.conversation import Client, agent, person
from store.test_claims import NOW, add_exchange
from support.clock import FakeClock


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def opening(share: ClaimUse | None, start: int = 0) -> bytes:
    """A node with which a conversation of this share begins."""
    found = (number.to_bytes(16, "little") for number in range(start * 1000 + 1, start * 1000 + 1000))
    return next(node for node in found if share_of(tag(node)) is share)


def add(store: Store, name: str, share: ClaimUse | None = None, parent: str = "") -> str:
    def write(db: Session) -> None:
        above = db.get(Exchange, parent) if parent else None
        add_exchange(db, name, above, opening(share, sum(name.encode())))

    store.write(write)
    return name


def phrases_from(db: Session, *exchanges: str, text: str = "---\nname: zebra\n---\n\nText") -> str:
    return propose(
        db, op=ProposalOp.UPDATE, skill="zebra", text=text, why="phrases", now=NOW, exchanges=exchanges
    )


def test_no_proposal_with_a_text_is_made_of_what_is_no_support(store: Store) -> None:
    free, trained = add(store, "free"), add(store, "trained")
    store.write(lambda db: claim(db, [trained], ClaimUse.TRAIN, "job", NOW))
    for exchange in (free, trained):
        with pytest.raises(IntegrityError, match="support"):
            store.write(lambda db, exchange=exchange: phrases_from(db, exchange))
    store.write(lambda db: phrases_from(db, free, text=""))  # evidence for retiring a skill is no source


def test_nor_does_one_become_so_later(store: Store) -> None:
    one, other = add(store, "one"), add(store, "other")
    store.write(lambda db: claim_sources(db, [one], "phrases", NOW))
    made = store.write(lambda db: phrases_from(db, one))

    def more(db: Session) -> None:
        row = db.get(Proposal, made)
        assert row is not None
        row.exchanges = [one, other]
        db.add(row)
        db.flush()

    with pytest.raises(IntegrityError, match="support"):
        store.write(more)


def test_claim_and_proposal_stand_together_or_not_at_all(store: Store) -> None:
    one, other = add(store, "one"), add(store, "other")
    store.write(lambda db: claim(db, [other], ClaimUse.HOLDOUT_SKILL, "gate", NOW))

    def both(db: Session) -> None:
        claim_sources(db, [one, other], "phrases", NOW)
        phrases_from(db, one, other)

    with pytest.raises(ClaimConflictError):
        store.write(both)
    assert store.read(lambda db: use_of(db, one)) is None


def test_what_gave_a_phrase_bars_its_path_from_training(store: Store) -> None:
    one = add(store, "one")
    later = add(store, "later", parent=one)
    store.write(lambda db: claim_sources(db, [one], "phrases", NOW))
    store.write(lambda db: claim_sources(db, [one], "more phrases", NOW))  # it serves again
    for exchange in (one, later):
        with pytest.raises(ClaimConflictError):
            store.write(lambda db, exchange=exchange: claim(db, [exchange], ClaimUse.TRAIN, "job", NOW))


def test_what_is_kept_for_something_else_gives_none(store: Store) -> None:
    free, supporting, trained = add(store, "free"), add(store, "supporting"), add(store, "trained")
    kept = [add(store, use.value, use) for use in (ClaimUse.HOLDOUT_SKILL, ClaimUse.HOLDOUT_POLICY)]
    below = add(store, "below", parent=trained)
    store.write(lambda db: claim(db, [supporting], ClaimUse.SUPPORT, "run", NOW))
    store.write(lambda db: claim(db, [trained], ClaimUse.TRAIN, "job", NOW))
    asked = [free, supporting, trained, below, *kept, "nobody"]
    assert store.read(lambda db: may_give(db, asked)) == {free, supporting}


@pytest.mark.parametrize(
    ("ruling", "gives"),
    [
        (Ruling(1, (), ""), True),
        (Ruling(-1, (), "", "wrong format"), False),
        (Ruling(0, (), "", instruction="Always in capitals."), False),
        (Ruling(-1, (), "", "no network", transient=True), True),
        (None, False),
    ],
)
def test_what_may_teach_the_evolver_is_left_to_it(store: Store, ruling: Ruling | None, gives: bool) -> None:
    key = store.read(node_key)
    recorder = Recorder(key)
    for number in range(1000):
        client = Client(key, session=f"s{number}")
        one = client.begin([person(f"Write the heading, number {number}.")])
        if share_of(one.openings[0][:8].hex()) is None:
            break
    two = client.begin([person(f"Write the heading, number {number}."), agent("Sure"), person("Thanks!")])

    def write(db: Session) -> str:
        for record in (one, client.end(one, agent("Sure")), two):
            recorder.apply(db, record)
        return _judged(db, one, ruling)

    exchange = store.write(write)
    assert store.read(lambda db: may_give(db, [exchange])) == ({exchange} if gives else set())


def _judged(db: Session, begun: TurnBegun, ruling: Ruling | None) -> str:
    made = turn(db, begun.turn_id).turn
    assert made.exchange_id is not None
    if ruling is not None:
        learning.add_verdict(db, made.id, made.exchange_id, ruling, "m", NOW)
    return made.exchange_id


def test_phrases_of_an_earlier_version_are_held_to_it_or_withdrawn(tmp_path: Path) -> None:
    path = tmp_path / "earlier.sqlite3"
    store = Store.open(path, FakeClock(), steps=STEPS[: [each.number for each in STEPS].index(1008)])
    free, trained = add(store, "free"), add(store, "trained")
    store.write(lambda db: claim(db, [trained], ClaimUse.TRAIN, "job", NOW))
    held, also, gone = (
        store.write(lambda db, source=source: phrases_from(db, source)) for source in (free, free, trained)
    )
    store.close()
    store = Store.open(path, FakeClock())
    states = store.read(lambda db: {each.id: each.state for each in db.exec(select(Proposal))})
    assert states == {held: "pending", also: "pending", gone: "refused"}
    assert store.read(lambda db: use_of(db, free)) is ClaimUse.SUPPORT
    store.close()
