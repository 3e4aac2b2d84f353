"""Whatever is decided on the library and undone, in any order: what the store says of it fits together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlmodel import Session, col, select

from metaclaw_tray.store import decisions, library, membership, returning, scoping
from metaclaw_tray.store.decisions import DecisionError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.importing import Incoming, import_skills
from metaclaw_tray.store.settling import Standing, before_entry, skills_of, standing_of
from metaclaw_tray.store.tables_library import Generation, Ledger, ProposalOp, Skill, SkillState, SkillVersion
from store.test_library import ME, NOW, text_of
from support.clock import FakeClock

Active = dict[str, tuple[int, tuple[str, ...]]]  # version and agents, by name

NAMES = st.sampled_from(["ab", "cd", "ef"])
BODIES = st.sampled_from(["one", "two"])
AGENTS = st.sets(st.sampled_from(["hermes", "codex"]))


def active(db: Session) -> Active:
    found = db.exec(select(Skill).where(Skill.state == SkillState.ACTIVE))
    return {each.name: (each.version, tuple(each.agents)) for each in found}


def members(db: Session, number: int) -> Active:
    return {each.name: (each.version, tuple(each.agents)) for each in membership.members(db, number)}


def texts(db: Session, of: Active) -> dict[str, str]:
    return {name: library.version_of(db, name, version).text for name, (version, _) in of.items()}


class Undoing(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "store.sqlite3"
        self.store = Store.open(path, FakeClock(), synchronous="NORMAL")  # the rules, not the disk
        self.now = NOW
        self.past: list[Active] = [{}]  # by generation

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def decide(self, work: Callable[[Session], Any]) -> bool:
        """Decide something: one entry, and a generation where the active library changed. A refusal leaves
        all as it was."""
        self.now += timedelta(seconds=1)
        entries = len(self.store.read(library.ledger))
        try:
            self.store.write(work)
        except DecisionError:
            assert len(self.store.read(library.ledger)) == entries
            assert self.store.read(active) == self.past[-1]
            return False
        assert len(self.store.read(library.ledger)) == entries + 1
        after = self.store.read(active)
        if after != self.past[-1]:
            self.past.append(after)
        return True

    def known(self) -> list[str]:
        return [view.name for view in self.store.read(library.skills)]

    @rule(name=NAMES, body=BODIES)
    def person_adds(self, name: str, body: str) -> None:
        self.decide(lambda db: decisions.add_skill(db, text_of(name, body), ME, self.now))

    @rule(name=NAMES, state=st.sampled_from(list(SkillState)))
    def person_sets_state(self, name: str, state: SkillState) -> None:
        if name in self.known():
            self.decide(lambda db: decisions.set_state(db, name, state, ME, self.now))

    @rule(name=NAMES, agents=AGENTS)
    def person_sets_scope(self, name: str, agents: set[str]) -> None:
        if name in self.known():
            self.decide(lambda db: scoping.set_agents(db, name, agents, ME, self.now))

    @rule(name=NAMES, other=NAMES, body=BODIES)
    def person_approves_a_merger(self, name: str, other: str, body: str) -> None:
        content = text_of(name, f"{body} merged")
        if name == other or other not in self.known():
            return

        def work(db: Session) -> None:
            made = decisions.propose(
                db,
                op=ProposalOp.UPDATE,
                skill=name,
                text=content.text,
                why="",
                now=self.now,
                merges=[other],
            )
            decisions.approve(db, made, ME, self.now, content)

        if self.store.read(lambda db: library.standing_version(db, name)) and self.decide(work):
            assert self.store.read(lambda db: library.standing_version(db, other)) == 0

    @rule(names=st.sets(NAMES, min_size=1), body=BODIES)
    def person_imports(self, names: set[str], body: str) -> None:
        incoming = [Incoming(text_of(name, f"{body} imported"), "elsewhere") for name in sorted(names)]
        known = {name: self.store.read(lambda db, n=name: library.standing_version(db, n)) for name in names}
        if all(known.values()):
            return
        self.decide(lambda db: import_skills(db, incoming, ME, self.now))
        for name, version in known.items():  # what was there stands as it stood
            now = self.store.read(lambda db, n=name: library.standing_version(db, n))
            assert now == version if version else now

    @rule(data=st.data())
    def person_returns(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.past) - 1))
        wanted = self.past[number]
        self.decide(lambda db: returning.return_to(db, number, ME, self.now))
        assert self.past[-1] == wanted

    @precondition(lambda self: self.store.read(library.ledger))
    @rule(data=st.data())
    def person_undoes(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.store.read(library.ledger)))
        before: dict[str, Standing] = self.store.read(
            lambda db: {name: before_entry(db, entry, name) for name in skills_of(entry)}
        )
        if self.decide(lambda db: decisions.undo(db, entry.id, ME, self.now)):
            for name, standing in before.items():
                assert self.store.read(lambda db, n=name: standing_of(library.skill_named(db, n))) == standing

    @invariant()
    def all_of_it_fits_together(self) -> None:
        self.store.read(lambda db: whole(db, self.past))


def whole(db: Session, past: list[Active]) -> None:
    """Each generation has its members and its entry, and leads to what is now; texts have their digests."""
    assert library.current_generation(db) == len(past) - 1
    now = texts(db, past[-1])
    for number, then in enumerate(past):
        assert members(db, number) == then
        change = library.library_since(db, number)
        come = {each.name: each.text for each in change.come}
        gone = set(change.gone)
        assert {name: text for name, text in texts(db, then).items() if name not in gone} | come == now
        assert change.scoped == {name: frozenset(each[1]) for name, each in past[-1].items() if each[1]}
    begun = db.exec(select(Ledger.generation, Ledger.id).where(col(Ledger.generation).is_not(None)))
    kept = db.exec(select(Generation.number, Generation.ledger_id).where(Generation.number > 0))
    assert sorted(begun.all()) == sorted(kept.all())
    for each in db.exec(select(SkillVersion)):
        assert each.digest == hashlib.sha256(each.text.encode()).hexdigest()


TestUndoing = Undoing.TestCase
TestUndoing.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
