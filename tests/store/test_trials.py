"""Trials: started, ended and undone as whole transactions, in a real file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from metaclaw_tray.learning.effect import in_words
from metaclaw_tray.store import decisions, effects, forgetting, library, scoping, trials
from metaclaw_tray.store.decisions import Actor, Changed, DecisionError, SkillTrust
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables import Turn
from metaclaw_tray.store.tables_learning import Trial, TrialSession, TrialState, Withheld
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState, SkillState
from store.met import AT, Record
from support.clock import FakeClock

ME = Actor("ada", "terminal")
SILENCE = timedelta(minutes=15)
LATER = AT + timedelta(hours=1)


def text_of(body: str) -> SkillText:
    return SkillText("dates", "about dates", f"---\nname: dates\ndescription: about\n---\n\n{body}\n")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def propose(store: Store, body: str = "one", op: ProposalOp = ProposalOp.CREATE) -> str:
    text = text_of(body).text if body else ""
    return store.write(
        lambda db: decisions.propose(db, op=op, skill="dates", text=text, why="learnt", now=AT)
    )


def start(store: Store, proposal: str, body: str = "one", sessions: int = 2) -> tuple[Trial, Changed]:
    return store.write(lambda db: trials.start(db, proposal, sessions, ME, AT, text_of(body)))


def approve(store: Store, proposal: str, body: str = "one") -> Changed:
    return store.write(lambda db: decisions.approve(db, proposal, ME, LATER, text_of(body)))


def undo(store: Store, entry: str) -> Changed:
    return store.write(lambda db: decisions.undo(db, entry, ME, LATER))


def end_what_is_over(store: Store) -> list[str]:
    def work(db) -> list[str]:
        found = list(trials.over(db, LATER, SILENCE))
        for each in found:
            trials.end(db, each, LATER)
        return [each.reason for each in found]

    return store.write(work)


def active(store: Store) -> dict[str, str]:
    _, versions = store.read(library.active_library)
    return {version.name: version.text for version in versions}


def trial_of(store: Store, proposal: str) -> Trial:
    return store.read(lambda db: trials.of_proposal(db, proposal))[-1]


def state_of(store: Store, proposal: str) -> str:
    return store.read(lambda db: library.proposal(db, proposal)).proposal.state


def fill(store: Store, trial: Trial, *scores: tuple[str, int | None]) -> None:
    record = Record(store)
    for arm, score in scores:
        carried = "dates@1" if arm == "with" else ""
        withheld = "dates@1" if arm == "without" else ""
        record.exchange(carried, withheld=withheld, score=score, trial=trial.id, arm=arm)


def test_a_trial_makes_the_skill_live_and_leaves_the_proposal_waiting(store: Store) -> None:
    proposal = propose(store)
    trial, changed = start(store, proposal)
    assert (changed.generation, changed.version) == (1, 1)
    assert active(store) == {"dates": text_of("one").text}
    assert state_of(store, proposal) == ProposalState.PENDING
    ((going_on, arms),) = store.read(trials.running)
    assert (going_on.id, going_on.ledger_id, arms) == (trial.id, changed.ledger_id, {})
    (entry,) = store.read(library.ledger)
    assert (entry.action, entry.after["trial"]) == ("trial", trial.id)


def test_it_returns_when_its_sessions_are_over_and_the_proposal_waits_again(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal)
    fill(store, trial, ("with", 1))
    assert end_what_is_over(store) == []
    fill(store, trial, ("with", 1), ("without", -1))
    assert end_what_is_over(store) == ["it had its 2 sessions"]
    assert active(store) == {}
    assert store.read(library.current_generation) == 2
    made = store.read(lambda db: library.proposal(db, proposal)).proposal
    assert (made.state, made.offered_at) == (ProposalState.PENDING, LATER)
    entry = store.read(library.ledger)[0]
    assert (entry.action, entry.actor, entry.channel) == ("trial end", "trial", "automatic")
    assert trial_of(store, proposal).state == TrialState.ENDED


def test_a_session_that_a_kill_left_open_is_over_after_its_silence(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal, sessions=1)
    Record(store).exchange("dates@1", trial=trial.id, arm="with", over=False)
    at = AT + timedelta(minutes=5)
    assert store.read(lambda db: list(trials.over(db, at, SILENCE))) == []
    assert [each.reason for each in store.read(lambda db: list(trials.over(db, LATER, SILENCE)))] == [
        "it had its 1 sessions"
    ]


def test_two_net_losses_stop_it(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal, sessions=10)
    fill(store, trial, ("with", -1), ("without", -1), ("with", -1))
    assert end_what_is_over(store) == []  # without the skill one was lost too
    fill(store, trial, ("with", -1), ("without", -1), ("without", 1), ("with", 0))
    assert end_what_is_over(store) == ["net of what was won, 2 more exchanges were lost with it than without"]
    assert trial_of(store, proposal).state == TrialState.STOPPED
    assert active(store) == {}


def test_approval_after_the_trial_takes_effect_as_the_version_that_was_tried(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal)
    fill(store, trial, ("with", 1), ("without", 0))
    end_what_is_over(store)
    changed = approve(store, proposal)
    assert (changed.version, changed.generation) == (1, 3)
    assert undo(store, changed.ledger_id).generation == 4
    assert active(store) == {}


def test_approval_in_the_middle_keeps_it_and_an_undo_returns_to_before_the_trial(store: Store) -> None:
    proposal = propose(store)
    _, begun = start(store, proposal)
    changed = approve(store, proposal)
    assert changed.generation == 1  # the active library is the same
    assert trial_of(store, proposal).state == TrialState.KEPT
    assert store.read(trials.running) == []
    with pytest.raises(DecisionError, match="Already undone"):
        undo(store, begun.ledger_id)
    undone = undo(store, changed.ledger_id)
    assert active(store) == {}
    undo(store, undone.ledger_id)
    assert active(store) == {"dates": text_of("one").text}


def test_undoing_the_start_ends_it(store: Store) -> None:
    proposal = propose(store)
    _, begun = start(store, proposal)
    undo(store, begun.ledger_id)
    assert active(store) == {}
    assert (trial_of(store, proposal).state, trial_of(store, proposal).reason) == (
        TrialState.STOPPED,
        "overtaken: undo",
    )
    assert state_of(store, proposal) == ProposalState.PENDING


def test_undoing_the_end_keeps_the_skill_for_good(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal)
    fill(store, trial, ("with", 1), ("without", 0))
    end_what_is_over(store)
    undo(store, store.read(library.ledger)[0].id)
    assert active(store) == {"dates": text_of("one").text}
    assert state_of(store, proposal) == ProposalState.APPROVED
    assert trial_of(store, proposal).state == TrialState.KEPT


def test_a_change_of_the_skill_ends_its_trial_and_stands(store: Store) -> None:
    proposal = propose(store)
    start(store, proposal)
    store.write(lambda db: decisions.add_skill(db, text_of("mine"), ME, LATER))
    assert active(store) == {"dates": text_of("mine").text}
    assert trial_of(store, proposal).reason == "overtaken: add"
    with pytest.raises(DecisionError, match="changed meanwhile"):
        approve(store, proposal)


def test_a_trial_of_an_update_returns_to_the_version_before(store: Store) -> None:
    store.write(lambda db: decisions.add_skill(db, text_of("mine"), ME, AT))
    store.write(lambda db: decisions.set_state(db, "dates", SkillState.DISABLED, ME, AT))
    proposal = propose(store, "better", ProposalOp.UPDATE)
    _, changed = start(store, proposal, "better")
    assert active(store) == {"dates": text_of("better").text}
    undo(store, changed.ledger_id)
    (skill,) = store.read(library.skills)
    assert (skill.version, skill.state, skill.trust) == (1, SkillState.DISABLED, "trusted")


def test_a_trial_of_an_update_is_against_the_version_before_and_the_effect_says_so(store: Store) -> None:
    store.write(lambda db: decisions.add_skill(db, text_of("mine"), ME, AT))
    proposal = propose(store, "better", ProposalOp.UPDATE)
    trial, changed = start(store, proposal, "better", sessions=40)
    assert store.read(lambda db: effects.tried_against(db, trial)) == 1
    record = Record(store)
    for number in range(20):
        record.exchange(f"dates@{2}", score=-1, trial=trial.id, arm="with", session=f"w{number}")
        record.exchange(
            "dates@1", score=1, withheld="dates@2", trial=trial.id, arm="without", session=f"o{number}"
        )
    (tried,) = store.read(lambda db: effects.effect_of(db, "dates", 2)).trials
    assert (tried.against, tried.with_it.bad, tried.without.good) == (1, 20, 20)
    said = " ".join(in_words(store.read(lambda db: effects.effect_of(db, "dates"))))
    assert "Trial of version 2 against version 1" in said
    assert "With version 1 in its place of 20 judged exchanges" in said
    assert "It is worse than version 1." in said
    (why,) = end_what_is_over(store)
    assert why == "net of what was won, 40 more exchanges were lost with it than with version 1"
    entry = store.read(lambda db: decisions.ledger_entry(db, changed.ledger_id))
    assert entry.before["version"] == 1


def test_a_trial_of_what_was_not_live_before_is_against_nothing(store: Store) -> None:
    trial, _ = start(store, propose(store))
    assert store.read(lambda db: effects.tried_against(db, trial)) == 0


def test_one_trial_at_a_time_and_only_of_what_was_learnt(store: Store) -> None:
    first, second = propose(store), propose(store, "two")
    start(store, first)
    with pytest.raises(DecisionError, match="goes on already"):
        start(store, second, "two")
    with pytest.raises(DecisionError, match="on trial"):
        store.write(lambda db: decisions.reject(db, first, ME, LATER))
    with pytest.raises(DecisionError, match="on trial"):
        approve(store, first, "edited")
    outside = propose(store, "by hand", ProposalOp.OUTSIDE)
    undo(store, trial_of(store, first).ledger_id)
    with pytest.raises(DecisionError, match="Nothing to try"):
        start(store, outside, "by hand")


def test_a_start_that_fails_leaves_nothing_behind(store: Store) -> None:
    proposal = propose(store)

    def fails(db) -> None:
        trials.start(db, proposal, 2, ME, AT, text_of("one"))
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        store.write(fails)
    assert store.read(trials.running) == []
    assert store.read(library.current_generation) == 0


def test_what_was_forgotten_leaves_neither_its_place_nor_what_was_withheld(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal)
    fill(store, trial, ("with", 1), ("without", 0))

    def forget(db) -> tuple[int, int]:
        forgetting.forget(db, [each.id for each in db.exec(select(Turn))], LATER, learnt=False)
        places, withheld = db.exec(select(TrialSession)).all(), db.exec(select(Withheld)).all()
        return len(places), len(withheld)

    assert store.write(forget) == (0, 0)


def test_sessions_say_which_arm_they_are(store: Store) -> None:
    proposal = propose(store)
    trial, _ = start(store, proposal)
    Record(store).exchange("dates@1", trial=trial.id, arm="with", session="s1")
    assert store.read(lambda db: trials.of_sessions(db, ["s1", "s2"])) == {"s1": ["dates: with"]}


def test_undoing_that_the_start_was_undone_keeps_the_skill_for_good(store: Store) -> None:
    proposal = propose(store)
    _, begun = start(store, proposal)
    taken_back = undo(store, begun.ledger_id)
    undo(store, taken_back.ledger_id)
    assert "one" in active(store)["dates"]
    assert state_of(store, proposal) == ProposalState.APPROVED
    assert trial_of(store, proposal).state == TrialState.KEPT


def test_whom_a_skill_is_for_and_how_far_it_is_trusted_outlast_the_trial(store: Store) -> None:
    store.write(lambda db: decisions.add_skill(db, text_of("old"), ME, AT))
    proposal = propose(store, "one", ProposalOp.UPDATE)
    start(store, proposal, sessions=0)
    store.write(lambda db: scoping.set_agents(db, "dates", ("claude",), ME, AT))
    store.write(lambda db: decisions.set_trust(db, "dates", SkillTrust.REVIEWED, ME, AT))
    assert trial_of(store, proposal).state == TrialState.RUNNING
    end_what_is_over(store)
    skill = store.read(lambda db: library.skill_named(db, "dates"))
    assert "old" in active(store)["dates"]
    assert (skill.agents, skill.trust) == (["claude"], SkillTrust.REVIEWED)
