"""Trials: a proposed skill that is live in every other eligible session, for so many sessions, and returns by
itself.

Start and end are decisions like others: one transaction, a ledger entry, a generation. All is read from rows,
so a trial survives kill and restart, and is ended by whoever looks next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.decisions import (
    Actor,
    Changed,
    DecisionError,
    check_base,
    ledger_entry,
    pending,
    standing_after,
    version_tried,
)
from metaclaw_tray.store.effects import arms_of, tried_against
from metaclaw_tray.store.library import SkillText, skill_named
from metaclaw_tray.store.settling import (
    Cause,
    before_entry,
    next_version,
    running_trial,
    settle,
    standing_of,
)
from metaclaw_tray.store.tables import Session
from metaclaw_tray.store.tables_learning import Trial, TrialSession, TrialState
from metaclaw_tray.store.tables_library import Proposal, ProposalOp, ProposalState, SkillState

SESSIONS = 10
"""Sessions of a trial, both arms together, unless told otherwise."""

NET_LOSSES = 2
"""By how many judged exchanges more the skill may have lost than its absence, before the trial stops."""

BY_ITSELF = Actor("trial", "automatic")


@dataclass(frozen=True)
class Ending:
    """A trial that is over, and why."""

    trial: Trial
    state: TrialState
    reason: str


def start(
    db: Db, proposal_id: str, sessions: int, who: Actor, now: datetime, content: SkillText
) -> tuple[Trial, Changed]:
    """Let the proposed skill take effect for a trial. Raises NotFoundError, DecisionError."""
    made = triable(db, proposal_id)
    version = version_tried(db, made, content)
    standing = standing_after(db, made, version or next_version(db, made.skill))
    trial = Trial(
        id=new_id(now),
        skill=made.skill,
        version=standing.version,
        proposal_id=made.id,
        sessions=sessions,
        state=TrialState.RUNNING,
        ledger_id="",
        started_at=now,
    )
    link = {"proposal": made.id, "trial": trial.id}
    before = standing_of(skill_named(db, made.skill)) if made.base_version else None
    replaced = before is not None and before.state == SkillState.ACTIVE
    others = f"with version {before.version}" if before is not None and replaced else "without it"
    cause = Cause("trial", who, now, link, f"{sessions} sessions, every other one {others}")
    live = replace(standing, state=SkillState.ACTIVE)
    changed = settle(db, made.skill, live, cause, None if version else content)
    trial.ledger_id = changed.ledger_id
    db.add(trial)
    db.flush()
    return trial, changed


def triable(db: Db, proposal_id: str) -> Proposal:
    """A proposal that a trial can begin with now. Raises NotFoundError, DecisionError."""
    made = pending(db, proposal_id)
    if made.op not in (ProposalOp.CREATE, ProposalOp.UPDATE):
        raise DecisionError("Nothing to try", f"A trial is for a learnt skill; this is: {made.op}.")
    if made.merges:
        raise DecisionError("Nothing to try", "It would retire other skills with it; approve it or not.")
    if running := running_trial(db, made.skill):
        raise DecisionError(
            "A trial goes on already",
            f"“{running.skill}” is tried since {running.started_at:%Y-%m-%d %H:%M} UTC.",
            f"To end it: `metaclaw-tray undo {running.ledger_id}`.",
        )
    check_base(db, made)
    return made


def end(db: Db, ending: Ending, now: datetime) -> Changed:
    """Return the skill to what it was before its trial; the proposal waits again, with what was seen."""
    trial = ending.trial
    begun = ledger_entry(db, trial.ledger_id)
    trial.state, trial.reason, trial.ended_at = ending.state, ending.reason, now
    db.add(trial)
    db.flush()  # so that the change below is known to be the trial's own
    link = {"proposal": trial.proposal_id, "trial": trial.id, "ends": begun.id}
    cause = Cause("trial end", BY_ITSELF, now, link, ending.reason)
    now_stands = standing_of(skill_named(db, trial.skill))
    # What the person said meanwhile of whom it is for, and how far it is trusted, is no part of the trial.
    back = replace(before_entry(db, begun), agents=now_stands.agents, trust=now_stands.trust)
    changed = settle(db, trial.skill, back, cause)
    begun.undone_by = changed.ledger_id
    db.add(begun)
    made = db.get(Proposal, trial.proposal_id)
    if made is not None and made.state == ProposalState.PENDING:  # it may have been withdrawn meanwhile
        made.offered_at, made.snoozed_until = now, None
        db.add(made)
    db.flush()
    return changed


def running(db: Db) -> list[tuple[Trial, dict[str, str]]]:
    """The trials that go on, each with the arms of its sessions."""
    going_on = db.exec(select(Trial).where(Trial.state == TrialState.RUNNING).order_by(Trial.id))
    return [(trial, arms(db, trial)) for trial in going_on]


def arms(db: Db, trial: Trial) -> dict[str, str]:
    """The arm of each session that has a place in a trial."""
    placed = select(TrialSession.session_id, TrialSession.arm).where(TrialSession.trial_id == trial.id)
    return dict(db.exec(placed.order_by(col(TrialSession.at))).all())


def of_proposal(db: Db, proposal_id: str) -> list[Trial]:
    """The trials of a proposal, oldest first."""
    return list(db.exec(select(Trial).where(Trial.proposal_id == proposal_id).order_by(Trial.id)))


def of_sessions(db: Db, session_ids: list[str]) -> dict[str, list[str]]:
    """For sessions that have a place in a trial: the skills that are tried there, each with its arm."""
    rows = db.exec(
        select(TrialSession.session_id, Trial.skill, TrialSession.arm)
        .join(Trial, col(Trial.id) == col(TrialSession.trial_id))
        .where(col(TrialSession.session_id).in_(session_ids))
        .order_by(col(Trial.id))
    )
    found: dict[str, list[str]] = {}
    for session_id, skill, arm in rows:
        found.setdefault(session_id, []).append(f"{skill}: {arm}")
    return found


def over(db: Db, now: datetime, silence: timedelta) -> Iterator[Ending]:
    """The trials that are to end now. A session counts as over where it was ended, or nothing was said in it
    for so long: the program that would have ended it may have been killed."""
    for trial, places in running(db):
        with_it, without = arms_of(db, trial)
        losses = (with_it.bad - with_it.good) - (without.bad - without.good)
        if losses >= NET_LOSSES:
            against = tried_against(db, trial)
            than = f"with version {against}" if against else "without"
            why = f"net of what was won, {losses} more exchanges were lost with it than {than}"
            yield Ending(trial, TrialState.STOPPED, why)
        elif len(places) >= trial.sessions and not _open(db, list(places), now - silence):
            yield Ending(trial, TrialState.ENDED, f"it had its {trial.sessions} sessions")


def _open(db: Db, session_ids: list[str], silent_since: datetime) -> bool:
    """Whether one of these sessions goes on."""
    going_on = select(Session.id).where(
        col(Session.id).in_(session_ids),
        col(Session.ended_at).is_(None),
        col(Session.last_at) >= silent_since,
    )
    return db.exec(going_on).first() is not None
