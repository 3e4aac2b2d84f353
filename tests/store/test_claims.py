"""Claims: held by the database, whatever the program does."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlmodel import Session, col, select

from metaclaw_tray.store.claims import ClaimConflictError, bars, claim, use_of
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables import Claim, ClaimUse, Exchange, tag
from metaclaw_tray.store.tables import Session as SessionRow
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


def add_exchange(
    session: Session, name: str, parent: Exchange | None = None, opening: bytes | None = None
) -> Exchange:
    """An exchange below `parent`, as the scribe would write it."""
    node = opening or name.encode().rjust(16, b"\0")[::-1]
    if session.get(SessionRow, name) is None:
        session.add(SessionRow(id=name, agent="agent", root=node, started_at=NOW, last_at=NOW))
        session.flush()
    lineage = f"{parent.lineage}/{tag(node)}" if parent else tag(node)
    made = Exchange(
        id=name, session_id=name, agent="agent", opening=node, lineage=lineage, generation=0, started_at=NOW
    )
    session.add(made)
    session.flush()
    return made


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def test_an_exchange_is_claimed_once(store: Store) -> None:
    store.write(lambda session: add_exchange(session, "a"))
    store.write(lambda session: claim(session, ["a"], ClaimUse.SUPPORT, "run", NOW))
    for use in ClaimUse:
        with pytest.raises(ClaimConflictError):
            store.write(lambda session, use=use: claim(session, ["a"], use, "other", NOW))
    assert store.read(lambda session: use_of(session, "a")) is ClaimUse.SUPPORT


def test_a_later_exchange_on_the_path_serves_no_other_use(store: Store) -> None:
    def tree(session: Session) -> None:
        first = add_exchange(session, "first")
        later = add_exchange(session, "later", first)
        add_exchange(session, "latest", later)
        add_exchange(session, "elsewhere")
        claim(session, ["first"], ClaimUse.SUPPORT, "run", NOW)

    store.write(tree)
    with pytest.raises(ClaimConflictError):
        store.write(lambda session: claim(session, ["latest"], ClaimUse.TRAIN, "job", NOW))

    def is_barred(session: Session, name: str, use: ClaimUse) -> bool:
        exchange = session.get(Exchange, name)
        return bars(session, use).bar(exchange.opening, exchange.lineage)

    assert store.read(lambda session: is_barred(session, "later", ClaimUse.TRAIN))
    assert not store.read(lambda session: is_barred(session, "later", ClaimUse.SUPPORT))
    assert not store.read(lambda session: is_barred(session, "elsewhere", ClaimUse.TRAIN))
    store.write(lambda session: claim(session, ["latest"], ClaimUse.SUPPORT, "run 2", NOW))
    store.write(lambda session: claim(session, ["elsewhere"], ClaimUse.TRAIN, "job", NOW))


def test_an_earlier_exchange_on_the_path_is_barred_too(store: Store) -> None:
    def tree(session: Session) -> None:
        first = add_exchange(session, "first")
        add_exchange(session, "later", first)
        claim(session, ["later"], ClaimUse.SUPPORT, "run", NOW)

    store.write(tree)
    first = store.read(lambda session: session.get(Exchange, "first"))
    assert store.read(lambda session: bars(session, ClaimUse.TRAIN)).bar(first.opening, first.lineage)
    with pytest.raises(ClaimConflictError):
        store.write(lambda session: claim(session, ["first"], ClaimUse.TRAIN, "job", NOW))


def test_the_same_words_in_another_session_are_the_same_path(store: Store) -> None:
    def tree(session: Session) -> None:
        add_exchange(session, "monday", opening=b"m" * 16)
        add_exchange(session, "tuesday", opening=b"m" * 16)
        claim(session, ["monday"], ClaimUse.SUPPORT, "run", NOW)

    store.write(tree)
    with pytest.raises(ClaimConflictError):
        store.write(lambda session: claim(session, ["tuesday"], ClaimUse.TRAIN, "job", NOW))


def test_a_refused_claim_undoes_the_whole_transaction(store: Store) -> None:
    def tree(session: Session) -> None:
        add_exchange(session, "free")
        add_exchange(session, "taken")
        claim(session, ["taken"], ClaimUse.TRAIN, "job", NOW)

    store.write(tree)
    with pytest.raises(ClaimConflictError):
        store.write(lambda session: claim(session, ["free", "taken"], ClaimUse.SUPPORT, "run", NOW))
    assert store.read(lambda session: use_of(session, "free")) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE claim SET use = 'train'",
        "DELETE FROM claim",
        "INSERT OR REPLACE INTO claim SELECT exchange_id, 'train', opening, lineage, run_id, at FROM claim",
        "INSERT OR REPLACE INTO claim SELECT exchange_id, use, opening, lineage, 'other', at FROM claim",
        "INSERT INTO claim VALUES ('free', 'support', '0000000000000000', 'other', 'run', 0)",
        "INSERT INTO claim SELECT id, 'mine', lineage, lineage, 'run', 0 FROM exchange WHERE id = 'free'",
    ],
)
def test_no_statement_can_change_remove_or_forge_a_claim(store: Store, statement: str) -> None:
    def tree(session: Session) -> None:
        add_exchange(session, "taken")
        add_exchange(session, "free")
        claim(session, ["taken"], ClaimUse.SUPPORT, "run", NOW)

    store.write(tree)
    raw = sqlite3.connect(store.path)
    with pytest.raises(sqlite3.IntegrityError), raw:
        raw.execute(statement)
    raw.close()
    assert store.read(lambda session: use_of(session, "taken")) is ClaimUse.SUPPORT


class Claims(RuleBasedStateMachine):
    """Random trees, random claims; two uses never meet on a path."""

    @initialize()
    def start(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.store = Store.open(Path(self.folder.name) / "store.sqlite3", FakeClock())
        self.names: list[str] = []
        self.granted: dict[str, ClaimUse] = {}
        self.parents: dict[str, str | None] = {}

    @rule(pick=st.integers(0, 30), root=st.booleans())
    def grow(self, pick: int, root: bool) -> None:
        name = f"exchange{len(self.names)}"
        parent = None if root or not self.names else self.names[pick % len(self.names)]
        self.store.write(
            lambda session: add_exchange(session, name, session.get(Exchange, parent) if parent else None)
        )
        self.names.append(name)
        self.parents[name] = parent

    def _ancestors(self, name: str) -> set[str]:
        found, at = set(), self.parents[name]
        while at is not None:
            found.add(at)
            at = self.parents[at]
        return found

    @rule(
        picks=st.lists(st.integers(0, 30), min_size=1, max_size=3, unique=True), use=st.sampled_from(ClaimUse)
    )
    def claim_some(self, picks: list[int], use: ClaimUse) -> None:
        names = sorted({self.names[pick % len(self.names)] for pick in picks}) if self.names else []
        related = {
            other
            for name in names
            for other in self.granted
            if self.granted[other] is not use
            and (other in self._ancestors(name) or name in self._ancestors(other))
        }
        lawful = bool(names) and not related and not any(name in self.granted for name in names)
        try:
            self.store.write(lambda session: claim(session, names, use, "run", NOW))
        except ClaimConflictError:
            assert not lawful
        else:
            assert lawful or not names
            self.granted.update(dict.fromkeys(names, use))

    @invariant()
    def the_file_says_what_was_granted(self) -> None:
        if not hasattr(self, "store"):
            return
        rows = self.store.read(
            lambda session: session.exec(select(Claim).order_by(col(Claim.exchange_id))).all()
        )
        assert {row.exchange_id: ClaimUse(row.use) for row in rows} == self.granted

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


Claims.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
test_two_uses_never_meet_on_a_path = Claims.TestCase
