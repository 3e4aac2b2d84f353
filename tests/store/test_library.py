"""Versions, generations, proposals and the ledger, in a real file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlmodel import Session

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor, Changed, DecisionError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import GateResult, ProposalOp, ProposalState, SkillSource, SkillState
from support.clock import FakeClock

T = TypeVar("T")
ME = Actor("ada", "terminal", ("metaclaw-tray", "bash"))
NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


def text_of(name: str, body: str) -> SkillText:
    return SkillText(name, f"about {name}", f"---\nname: {name}\ndescription: about {name}\n---\n\n{body}\n")


def active(session: Session) -> dict[str, str]:
    return {version.name: version.text for version in library.active_library(session)[1]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def propose(session: Session, name: str, body: str, op: ProposalOp = ProposalOp.CREATE) -> str:
    content = text_of(name, body).text if body else ""
    return decisions.propose(session, op=op, skill=name, text=content, why="learnt", now=NOW)


def approve(session: Session, proposal_id: str, content: SkillText | None) -> Changed:
    return decisions.approve(session, proposal_id, ME, NOW, content)


def learnt(store: Store, name: str = "iso-dates", body: str = "one") -> Changed:
    """A skill that was proposed and approved."""
    proposal_id = store.write(lambda session: propose(session, name, body))
    return store.write(lambda session: approve(session, proposal_id, text_of(name, body)))


def test_new_library_is_empty_at_generation_zero(store: Store) -> None:
    assert store.read(library.active_library) == (0, [])


def test_approval_makes_skill_version_generation_members_and_ledger_at_once(store: Store) -> None:
    changed = learnt(store)
    assert (changed.generation, changed.skill, changed.version) == (1, "iso-dates", 1)
    view = store.read(lambda session: library.generation(session, 1))
    assert view.members == ("iso-dates@1",)
    assert view.generation.ledger_id == changed.ledger_id
    (entry,) = store.read(library.ledger)
    assert (entry.action, entry.actor, entry.channel) == ("approve", "ada", "terminal")
    assert entry.ancestry == ["metaclaw-tray", "bash"]
    assert entry.before == {}
    (skill,) = store.read(library.skills)
    assert (skill.source, skill.trust, skill.generation) == (SkillSource.LEARNT, "reviewed", 1)
    (version,) = store.read(lambda session: library.history(session, "iso-dates"))
    assert entry.after["proposal"] == version.proposal_id
    assert store.read(library.proposals) == []


def test_approval_that_fails_leaves_nothing_behind(store: Store) -> None:
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "one"))

    def fails(session: Session) -> None:
        approve(session, proposal_id, text_of("iso-dates", "one"))
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        store.write(fails)
    assert store.read(library.active_library) == (0, [])
    assert store.read(library.ledger) == []
    (waiting,) = store.read(library.proposals)
    assert waiting.proposal.state == ProposalState.PENDING


def test_the_newest_proposals_are_listed_oldest_of_them_first(store: Store) -> None:
    def make(session: Session, number: int) -> str:
        name = f"skill-{number}"
        return decisions.propose(
            session,
            op=ProposalOp.CREATE,
            skill=name,
            text=text_of(name, "one").text,
            why="learnt",
            now=NOW + timedelta(seconds=number),
        )

    made = [store.write(lambda session, number=number: make(session, number)) for number in range(5)]
    gate = GateResult(
        proposal_id=made[4], passed=True, requests=1, with_skill=1, without_skill=0, unscored=0, details=[],
        reason="better", at=NOW,
    )  # fmt: skip
    store.write(lambda session: session.add(gate))
    listed = store.read(lambda session: library.proposals(session, limit=3))
    assert [each.proposal.id for each in listed] == made[2:]
    assert [each.gate.reason if each.gate else None for each in listed] == [None, None, "better"]
    everything = store.read(lambda session: library.proposals(session, tuple(ProposalState), limit=2))
    assert [each.proposal.id for each in everything] == made[3:]


def test_edited_text_is_what_becomes_active_and_the_proposal_keeps_its_own(store: Store) -> None:
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "as proposed"))
    store.write(lambda session: approve(session, proposal_id, text_of("iso-dates", "as edited")))
    assert "as edited" in store.read(active)["iso-dates"]
    kept = store.read(lambda session: library.proposal(session, proposal_id)).proposal
    assert "as proposed" in kept.text


def test_content_of_another_skill_is_never_approved(store: Store) -> None:
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "one"))
    with pytest.raises(ValueError, match="iso-dates"):
        store.write(lambda session: approve(session, proposal_id, text_of("other", "one")))


def test_proposal_is_decided_once(store: Store) -> None:
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "one"))
    store.write(lambda session: decisions.reject(session, proposal_id, ME, NOW, "not now"))
    with pytest.raises(DecisionError, match="rejected: not now"):
        store.write(lambda session: approve(session, proposal_id, text_of("iso-dates", "one")))
    with pytest.raises(DecisionError, match="Already decided"):
        store.write(lambda session: decisions.reject(session, proposal_id, ME, NOW))
    with pytest.raises(NotFoundError):
        store.write(lambda session: decisions.reject(session, "nowhere", ME, NOW))


def test_rejection_stands_in_the_ledger_and_begins_no_generation(store: Store) -> None:
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "one"))
    store.write(lambda session: decisions.reject(session, proposal_id, ME, NOW, "wrong"))
    (entry,) = store.read(library.ledger)
    assert (entry.action, entry.after) == ("reject", {"proposal": proposal_id, "reason": "wrong"})
    assert store.read(library.current_generation) == 0
    with pytest.raises(DecisionError, match="changed no skill"):
        store.write(lambda session: decisions.undo(session, entry.id, ME, NOW))


def test_proposal_against_a_version_no_longer_in_force_is_refused(store: Store) -> None:
    learnt(store)
    first, second = (
        store.write(lambda session, body=body: propose(session, "iso-dates", body, ProposalOp.UPDATE))
        for body in ("two", "three")
    )
    store.write(lambda session: approve(session, first, text_of("iso-dates", "two")))
    with pytest.raises(DecisionError, match="made against version 1; now there is version 2"):
        store.write(lambda session: approve(session, second, text_of("iso-dates", "three")))
    assert store.read(lambda session: library.proposal(session, second)).proposal.state == "pending"


def test_two_new_skills_of_one_name_are_not_both_approved(store: Store) -> None:
    first, second = (
        store.write(lambda session, body=body: propose(session, "iso-dates", body)) for body in ("one", "two")
    )
    store.write(lambda session: approve(session, first, text_of("iso-dates", "one")))
    with pytest.raises(DecisionError, match="made against no such skill"):
        store.write(lambda session: approve(session, second, text_of("iso-dates", "two")))


def test_update_of_a_disabled_skill_changes_no_generation(store: Store) -> None:
    learnt(store)
    store.write(lambda session: decisions.set_state(session, "iso-dates", SkillState.DISABLED, ME, NOW))
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "two", ProposalOp.UPDATE))
    changed = store.write(lambda session: approve(session, proposal_id, text_of("iso-dates", "two")))
    assert (changed.generation, changed.version) == (2, 2)
    (skill,) = store.read(library.skills)
    assert (skill.state, skill.version, skill.generation) == (SkillState.DISABLED, 2, 0)


def test_approved_retirement_takes_the_skill_out(store: Store) -> None:
    learnt(store)
    proposal_id = store.write(lambda session: propose(session, "iso-dates", "", ProposalOp.RETIRE))
    assert store.write(lambda session: approve(session, proposal_id, None)).generation == 2
    assert store.read(library.active_library) == (2, [])


def test_own_skill_is_added_as_the_persons_and_again_as_a_new_version(store: Store) -> None:
    learnt(store)
    changed = store.write(lambda s: decisions.add_skill(s, text_of("iso-dates", "mine"), ME, NOW))
    assert (changed.generation, changed.version) == (2, 2)
    (skill,) = store.read(library.skills)
    assert (skill.source, skill.trust) == (SkillSource.PERSON, "trusted")
    with pytest.raises(DecisionError, match="already so"):
        store.write(lambda s: decisions.add_skill(s, text_of("iso-dates", "mine"), ME, NOW))


def test_undo_of_a_new_skill_retires_it_and_can_itself_be_undone(store: Store) -> None:
    changed = learnt(store)
    undone = store.write(lambda session: decisions.undo(session, changed.ledger_id, ME, NOW))
    assert undone.generation == 2
    assert store.read(active) == {}
    with pytest.raises(DecisionError, match="Already undone"):
        store.write(lambda session: decisions.undo(session, changed.ledger_id, ME, NOW))
    again = store.write(lambda session: decisions.undo(session, undone.ledger_id, ME, NOW))
    assert again.generation == 3
    assert store.read(active) == {"iso-dates": text_of("iso-dates", "one").text}


def test_undo_of_an_update_brings_back_the_earlier_bytes_and_source(store: Store) -> None:
    learnt(store)
    changed = store.write(lambda s: decisions.add_skill(s, text_of("iso-dates", "mine"), ME, NOW))
    store.write(lambda session: decisions.undo(session, changed.ledger_id, ME, NOW))
    (skill,) = store.read(library.skills)
    assert (skill.version, skill.source) == (1, SkillSource.LEARNT)
    assert store.read(active) == {"iso-dates": text_of("iso-dates", "one").text}
    after = store.write(lambda s: decisions.add_skill(s, text_of("iso-dates", "new"), ME, NOW))
    assert after.version == 3  # a number never means two texts


def test_undo_that_would_change_nothing_is_refused(store: Store) -> None:
    learnt(store)
    off = store.write(lambda s: decisions.set_state(s, "iso-dates", SkillState.DISABLED, ME, NOW))
    store.write(lambda s: decisions.set_state(s, "iso-dates", SkillState.ACTIVE, ME, NOW))
    with pytest.raises(DecisionError, match="already so"):
        store.write(lambda s: decisions.undo(s, off.ledger_id, ME, NOW))


def test_retired_name_may_be_learnt_anew(store: Store) -> None:
    learnt(store)
    store.write(lambda s: decisions.set_state(s, "iso-dates", SkillState.RETIRED, ME, NOW))
    assert learnt(store, body="again").version == 2


def test_change_from_outside_replaces_the_one_that_waits_under_a_new_id(store: Store) -> None:
    learnt(store)
    first = store.write(lambda s: propose(s, "iso-dates", "edited", ProposalOp.OUTSIDE))
    assert store.write(lambda s: propose(s, "iso-dates", "edited", ProposalOp.OUTSIDE)) == first
    second = store.write(lambda s: propose(s, "iso-dates", "edited more", ProposalOp.OUTSIDE))
    assert second != first
    assert [each.proposal.id for each in store.read(library.proposals)] == [second]
    with pytest.raises(DecisionError, match="changed again"):
        store.write(lambda s: approve(s, first, text_of("iso-dates", "edited")))


def test_only_bytes_that_the_store_keeps_are_known(store: Store) -> None:
    learnt(store)
    pending = store.write(lambda s: propose(s, "iso-dates", "edited", ProposalOp.OUTSIDE))
    edited = ("iso-dates", text_of("iso-dates", "edited").digest)
    assert edited not in store.read(library.known_digests)
    assert ("iso-dates", text_of("iso-dates", "one").digest) in store.read(library.known_digests)
    store.write(lambda s: decisions.reject(s, pending, ME, NOW))
    assert edited in store.read(library.known_digests)


def test_refused_proposal_is_not_offered_but_can_be_read(store: Store) -> None:
    def refuse(session: Session) -> str:
        made = decisions.propose(
            session,
            op=ProposalOp.CREATE,
            skill="a",
            text=text_of("a", "x").text,
            why="w",
            now=NOW,
            state=ProposalState.REFUSED,
            reason="worse",
        )
        session.add(
            GateResult(
                proposal_id=made,
                passed=False,
                requests=4,
                with_skill=-0.5,
                without_skill=0.5,
                unscored=0,
                details=[],
                reason="worse",
                at=NOW,
            )
        )
        return made

    made = store.write(refuse)
    assert store.read(library.proposals) == []
    (view,) = store.read(lambda s: library.proposals(s, [ProposalState.REFUSED]))
    assert view.gate is not None
    assert view.gate.with_skill == -0.5
    with pytest.raises(DecisionError, match="refused: worse"):
        store.write(lambda s: approve(s, made, text_of("a", "x")))


def test_diff_shows_what_changes(store: Store) -> None:
    assert library.diff("a\nb\n", "a\nc\n", "x@1", "x@2").split("\n") == [
        "--- x@1",
        "+++ x@2",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
    ]


@pytest.mark.parametrize("read", [library.history, library.version_of, library.generation, library.proposal])
def test_what_does_not_exist_is_said_so(store: Store, read: Callable[[Session, object], object]) -> None:
    with pytest.raises(NotFoundError):
        store.read(lambda session: read(session, 99 if read is library.generation else "nothing"))


def every_generation(db: Session) -> list[library.GenerationView]:
    """Each with its skills, oldest first."""
    return [library.generation(db, each.number) for each in library.generations(db)[::-1]]


class LibraryMachine(RuleBasedStateMachine):
    """Whatever people decide, in any order: the library is what its newest generation says, and every
    generation can be told from the one before by one decision."""

    names = st.sampled_from(["ab", "cd"])
    bodies = st.sampled_from(["one", "two", "three"])

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "store.sqlite3"
        self.store = Store.open(path, FakeClock(), synchronous="NORMAL")  # the rules, not the disk
        self.now = NOW
        self.entries: list[tuple[str, dict[str, str]]] = []  # ledger entry, active texts before it
        self.waiting: list[tuple[str, str, str]] = []  # proposal, skill, body

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def attempt(self, work: Callable[[Session], Changed]) -> Changed | None:
        """Decide something; a refusal must leave all as it was."""
        self.now += timedelta(seconds=1)
        before = self.store.read(active)
        generation = self.store.read(library.current_generation)
        try:
            changed = self.store.write(work)
        except DecisionError:
            assert self.store.read(active) == before
            assert self.store.read(library.current_generation) == generation
            return None
        after = self.store.read(library.active_library)
        versions = {version.name: version.version for version in after[1]}
        assert changed.generation == after[0]
        assert after[0] - generation in (0, 1)
        if after[0] == generation:
            assert self.store.read(active) == before
        assert versions.get(changed.skill) in (changed.version, None)
        self.entries.append((changed.ledger_id, before))
        return changed

    @rule(name=names, body=bodies, op=st.sampled_from(list(ProposalOp)))
    def somebody_proposes(self, name: str, body: str, op: ProposalOp) -> None:
        if op == ProposalOp.RETIRE:
            body = ""
            if not self.store.read(lambda s: library.standing_version(s, name)):
                return
        made = self.store.write(lambda s: propose(s, name, body, op))
        self.waiting.append((made, name, body))

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def person_approves(self, data: st.DataObject) -> None:
        made, name, body = data.draw(st.sampled_from(self.waiting))
        content = text_of(name, body) if body else None
        self.attempt(lambda s: decisions.approve(s, made, ME, self.now, content))

    @rule(name=names, body=bodies)
    def person_adds(self, name: str, body: str) -> None:
        self.attempt(lambda s: decisions.add_skill(s, text_of(name, body), ME, self.now))
        assert text_of(name, body).text == self.store.read(active)[name]

    @rule(name=names, state=st.sampled_from(list(SkillState)))
    def person_sets_state(self, name: str, state: SkillState) -> None:
        if name in {skill.name for skill in self.store.read(library.skills)}:
            self.attempt(lambda s: decisions.set_state(s, name, state, ME, self.now))

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def person_undoes(self, data: st.DataObject) -> None:
        entry, before = data.draw(st.sampled_from(self.entries))
        changed = self.attempt(lambda s: decisions.undo(s, entry, ME, self.now))
        if changed is not None:
            assert self.store.read(active).get(changed.skill) == before.get(changed.skill)
            with pytest.raises(DecisionError):
                self.store.write(lambda s: decisions.undo(s, entry, ME, self.now))

    @invariant()
    def generations_are_dense_and_each_differs_by_one_skill(self) -> None:
        views = self.store.read(every_generation)
        assert [view.generation.number for view in views] == list(range(len(views)))
        for earlier, later in pairwise(views):
            changed = {each.split("@")[0] for each in set(earlier.members) ^ set(later.members)}
            assert len(changed) == 1

    @invariant()
    def newest_generation_replays_to_the_active_library(self) -> None:
        number, versions = self.store.read(library.active_library)
        members = self.store.read(lambda s: library.generation(s, number)).members
        assert members == tuple(f"{version.name}@{version.version}" for version in versions)

    @invariant()
    def what_changed_since_any_generation_leads_to_the_active_library(self) -> None:
        number, versions = self.store.read(library.active_library)
        for view in self.store.read(every_generation):
            change = self.store.read(lambda s, since=view.generation.number: library.library_since(s, since))
            assert change.generation == number
            kept = dict(each.split("@") for each in view.members)
            assert set(change.gone) <= kept.keys()
            came = {each.name: str(each.version) for each in change.come}
            assert not came.items() & kept.items()
            now = {name: version for name, version in kept.items() if name not in change.gone} | came
            assert now == {version.name: str(version.version) for version in versions}
            texts = {version.name: (version.text, version.digest) for version in versions}
            assert all(texts[each.name] == (each.text, each.digest) for each in change.come)

    @invariant()
    def every_generation_has_its_own_ledger_entry(self) -> None:
        begun = [entry.generation for entry in self.store.read(library.ledger) if entry.generation]
        assert sorted(begun) == list(range(1, self.store.read(library.current_generation) + 1))


LibraryMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestLibraryMachine = LibraryMachine.TestCase


def test_a_name_that_was_mistyped_gives_the_nearest_and_one_that_waits_gives_its_proposal(
    store: Store,
) -> None:
    def work(session: Session) -> tuple[str, Changed]:
        waiting = propose(session, "mails", "Sign them.")
        return waiting, decisions.add_skill(session, text_of("times", "ISO 8601."), ME, NOW)

    waiting, added = store.write(work)

    def said(look: Callable[[Session], object]) -> str:
        with pytest.raises(NotFoundError) as caught:
            store.read(look)
        return " ".join(caught.value.lines())

    assert "Did you mean times?" in said(lambda db: library.version_of(db, "tims"))
    assert f"metaclaw-tray review show {waiting}" in said(lambda db: library.version_of(db, "mails"))
    mistyped = waiting[:-1] + "x"
    assert f"Did you mean {waiting}?" in said(lambda db: library.proposal(db, mistyped))
    mistyped = added.ledger_id[:-1] + "x"
    assert f"Did you mean {added.ledger_id}?" in said(lambda db: decisions.ledger_entry(db, mistyped))
