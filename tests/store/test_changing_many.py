"""Decisions on several skills at once: imports, mergers, returns, scopes, and the starter set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.store import builtin, decisions, library, returning, scoping
from metaclaw_tray.store.decisions import DecisionError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.importing import Imported, Incoming, import_skills
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState, Skill, SkillSource, SkillState
from metaclaw_tray.store.trials import start
from store.test_library import ME, NOW, active, text_of
from support.clock import FakeClock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def add(store: Store, name: str, body: str = "one") -> decisions.Changed:
    return store.write(lambda db: decisions.add_skill(db, text_of(name, body), ME, NOW))


def bring(store: Store, *names: str, body: str = "one") -> Imported:
    incoming = [Incoming(text_of(name, body), f"/elsewhere/{name}/SKILL.md") for name in names]
    return store.write(lambda db: import_skills(db, incoming, ME, NOW))


def generation(store: Store) -> int:
    return store.read(library.current_generation)


def test_an_import_of_several_is_one_entry_and_one_generation_and_is_undone_as_one(store: Store) -> None:
    taken = bring(store, "ab", "cd").taken
    assert taken is not None
    assert generation(store) == 1
    rows = store.read(lambda db: [db.get(Skill, name) for name in ("ab", "cd")])
    assert {(row.source, row.trust, row.origin) for row in rows} == {
        ("imported", "reviewed", "/elsewhere/ab/SKILL.md"),
        ("imported", "reviewed", "/elsewhere/cd/SKILL.md"),
    }
    undone = store.write(lambda db: decisions.undo(db, taken.ledger_id, ME, NOW))
    assert (store.read(active), generation(store)) == ({}, 2)
    store.write(lambda db: decisions.undo(db, undone.ledger_id, ME, NOW))
    assert (set(store.read(active)), generation(store)) == ({"ab", "cd"}, 3)


def test_what_is_imported_twice_changes_nothing_and_other_words_are_a_proposal(store: Store) -> None:
    bring(store, "ab")
    again = bring(store, "ab")
    assert (again.taken, again.proposals, again.sorted.unchanged) == (None, [], ["ab"])
    add(store, "mine")
    other = bring(store, "ab", "mine", body="two")
    assert other.taken is None
    assert [store.read(lambda db, i=i: library.proposal(db, i)).proposal.skill for i in other.proposals] == [
        "ab",
        "mine",
    ]
    assert generation(store) == 2
    store.write(lambda db: decisions.reject(db, other.proposals[0], ME, NOW))
    assert bring(store, "ab", body="two").sorted.decided == ["ab"]


def merger(db: Session) -> str:
    return decisions.propose(
        db,
        op=ProposalOp.UPDATE,
        skill="ab",
        text=text_of("ab", "both").text,
        why="they say the same",
        now=NOW,
        merges=["cd"],
    )


def test_a_merger_is_one_generation_and_its_undoing_brings_all_of_them_back(store: Store) -> None:
    add(store, "ab")
    add(store, "cd")
    before = store.read(active)
    made = store.write(merger)
    changed = store.write(lambda db: decisions.approve(db, made, ME, NOW, text_of("ab", "both")))
    assert (changed.generation, changed.version) == (3, 2)
    assert store.read(active) == {"ab": text_of("ab", "both").text}
    store.write(lambda db: decisions.undo(db, changed.ledger_id, ME, NOW))
    assert (store.read(active), generation(store)) == (before, 4)


def test_a_merged_text_is_trusted_as_far_as_it_was_read_and_no_further(store: Store) -> None:
    add(store, "ab")
    add(store, "cd")
    made = store.write(merger)
    standing = {view.name: view.trust for view in store.read(library.skills)}
    assert standing == {"ab": "trusted", "cd": "trusted"}
    changed = store.write(lambda db: decisions.approve(db, made, ME, NOW, text_of("ab", "both")))
    standing = {view.name: view.trust for view in store.read(library.skills)}
    assert standing == {"ab": "reviewed", "cd": "trusted"}
    store.write(lambda db: decisions.undo(db, changed.ledger_id, ME, NOW))
    assert {view.trust for view in store.read(library.skills)} == {"trusted"}


def test_a_merger_of_what_changed_meanwhile_is_refused(store: Store) -> None:
    add(store, "ab")
    add(store, "cd")
    made = store.write(merger)
    later = NOW + timedelta(hours=1)
    store.write(lambda db: decisions.add_skill(db, text_of("cd", "new rule"), ME, later))
    with pytest.raises(DecisionError, match="“cd”, which would be merged"):
        store.write(lambda db: decisions.approve(db, made, ME, later, text_of("ab", "both")))


def test_a_merger_is_not_tried(store: Store) -> None:
    add(store, "ab")
    add(store, "cd")
    made = store.write(merger)
    with pytest.raises(DecisionError, match="would retire other skills"):
        store.write(lambda db: start(db, made, 4, ME, NOW, text_of("ab", "both")))


def test_a_scope_begins_a_generation_and_keeps_the_version(store: Store) -> None:
    add(store, "ab")
    changed = store.write(lambda db: scoping.set_agents(db, "ab", ["hermes", "codex"], ME, NOW))
    view = store.read(lambda db: library.generation(db, changed.generation))
    assert view.members == ("ab@1",)
    assert view.generation.why == "scope ab@1: for codex, hermes only, its text stays"
    assert store.read(lambda db: library.library_since(db, 1)).scoped == {"ab": {"codex", "hermes"}}
    with pytest.raises(DecisionError, match="already so"):
        store.write(lambda db: scoping.set_agents(db, "ab", ["codex", "hermes"], ME, NOW))
    store.write(lambda db: decisions.undo(db, changed.ledger_id, ME, NOW))
    assert store.read(lambda db: library.library_since(db, 0)).scoped == {}
    assert generation(store) == 3


def test_an_update_keeps_the_agents_a_skill_is_for(store: Store) -> None:
    add(store, "ab")
    store.write(lambda db: scoping.set_agents(db, "ab", ["codex"], ME, NOW))
    made = store.write(
        lambda db: decisions.propose(
            db, op=ProposalOp.UPDATE, skill="ab", text=text_of("ab", "two").text, why="", now=NOW
        )
    )
    store.write(lambda db: decisions.approve(db, made, ME, NOW, text_of("ab", "two")))
    add(store, "ab", "three")
    assert store.read(lambda db: library.library_since(db, 0)).scoped == {"ab": {"codex"}}


def test_a_scope_of_what_is_off_begins_no_generation(store: Store) -> None:
    add(store, "ab")
    store.write(lambda db: decisions.set_state(db, "ab", SkillState.DISABLED, ME, NOW))
    store.write(lambda db: scoping.set_agents(db, "ab", ["codex"], ME, NOW))
    assert generation(store) == 2


def test_the_library_returns_to_a_generation_in_one_step_and_back(store: Store) -> None:
    add(store, "ab")
    add(store, "cd")
    store.write(lambda db: scoping.set_agents(db, "cd", ["codex"], ME, NOW))  # generation 3
    add(store, "ab", "two")
    store.write(lambda db: decisions.set_state(db, "cd", SkillState.RETIRED, ME, NOW))
    add(store, "ef")
    changed = store.write(lambda db: returning.return_to(db, 3, ME, NOW))
    assert changed.generation == 7
    assert store.read(active) == {name: text_of(name, "one").text for name in ("ab", "cd")}
    assert store.read(lambda db: library.library_since(db, 0)).scoped == {"cd": {"codex"}}
    assert store.read(lambda db: db.get(Skill, "ef")).state == SkillState.DISABLED
    with pytest.raises(DecisionError, match="as it was in generation 3"):
        store.write(lambda db: returning.return_to(db, 3, ME, NOW))
    store.write(lambda db: decisions.undo(db, changed.ledger_id, ME, NOW))
    assert store.read(active) == {"ab": text_of("ab", "two").text, "ef": text_of("ef", "one").text}


def ours(*bodies: str) -> list[SkillText]:
    return [text_of(name, body) for name, body in zip(("ab", "cd"), bodies, strict=True)]


def register(store: Store, *bodies: str) -> list[str]:
    return store.write(lambda db: builtin.register(db, ours(*bodies), NOW))


def test_the_starter_set_is_there_and_off_and_written_once(store: Store) -> None:
    assert register(store, "one", "one") == ["ab", "cd"]
    assert register(store, "one", "one") == []
    views = store.read(library.skills)
    assert {(view.state, view.source, view.trust, view.version, view.generation) for view in views} == {
        (SkillState.DISABLED, SkillSource.BUILTIN, "trusted", 1, 0)
    }
    assert generation(store) == 0
    assert len(store.read(library.ledger)) == 1


def test_a_newer_text_is_a_version_where_nobody_touched_it_and_else_a_proposal(store: Store) -> None:
    register(store, "one", "one")
    store.write(lambda db: decisions.set_state(db, "ab", SkillState.ACTIVE, ME, NOW))
    assert register(store, "two", "two") == ["cd", "ab"]
    assert register(store, "two", "two") == []
    assert store.read(active) == {"ab": text_of("ab", "one").text}
    assert {view.name: view.version for view in store.read(library.skills)} == {"ab": 1, "cd": 2}
    (waiting,) = store.read(library.proposals)
    assert (waiting.proposal.skill, waiting.proposal.taint) == ("ab", builtin.PROGRAM)
    assert generation(store) == 1


def test_a_newer_text_that_was_turned_down_is_not_proposed_again(store: Store) -> None:
    register(store, "one", "one")
    store.write(lambda db: decisions.set_state(db, "ab", SkillState.ACTIVE, ME, NOW))
    register(store, "two", "one")
    (waiting,) = store.read(library.proposals)
    store.write(lambda db: decisions.reject(db, waiting.proposal.id, ME, NOW))
    assert register(store, "two", "one") == []
    assert store.read(lambda db: library.proposals(db, [ProposalState.PENDING])) == []


def test_a_skill_of_the_persons_own_and_one_they_retired_are_left_alone(store: Store) -> None:
    add(store, "ab", "mine")
    register(store, "one", "one")
    store.write(lambda db: decisions.set_state(db, "cd", SkillState.RETIRED, ME, NOW))
    assert register(store, "two", "two") == []
    assert store.read(active) == {"ab": text_of("ab", "mine").text}
