"""How the library of skills changes: approvals, decisions on skills, and undoing them.

Each decision is one transaction (`store.settling`). Texts come in checked (skills/review.py does that).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.settings import near_miss
from metaclaw_tray.store.library import (
    SkillText,
    current_generation,
    newest_ids,
    skill_named,
    standing_version,
)
from metaclaw_tray.store.proposing import (
    check_base,
    decide,
    editable,
    on_trial,
    pending,
    propose,
    reject,
    snooze,
)
from metaclaw_tray.store.settling import (
    Actor,
    Cause,
    Change,
    Changed,
    DecisionError,
    SkillTrust,
    Standing,
    before_entry,
    next_version,
    record,
    running_trial,
    settle,
    settle_all,
    skills_of,
    standing_of,
    with_state,
)
from metaclaw_tray.store.tables_learning import Trial, TrialState
from metaclaw_tray.store.tables_library import (
    Ledger,
    Proposal,
    ProposalOp,
    ProposalState,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)

__all__ = [
    "Actor",
    "Changed",
    "DecisionError",
    "SkillTrust",
    "add_skill",
    "approve",
    "check_base",
    "decide",
    "editable",
    "ledger_entry",
    "pending",
    "propose",
    "record",
    "reject",
    "set_state",
    "set_trust",
    "snooze",
    "standing_after",
    "undo",
    "undoable",
    "version_tried",
]


def approve(
    session: Session,
    proposal_id: str,
    who: Actor,
    now: datetime,
    content: SkillText | None,
    *,
    edited: bool = False,
) -> Changed:
    """Do what the proposal says. `content` is its text, perhaps edited, checked; None to retire. Where the
    person edited it, it may have been refused: then the ledger says what they overrode.

    Raises NotFoundError, or DecisionError where the proposal is decided, or was made against a version that
    is no longer in force.
    """
    made = editable(session, proposal_id) if edited else pending(session, proposal_id)
    overridden = made.reason if made.state == ProposalState.REFUSED else ""
    if made.text and (content is None or content.name != made.skill):
        raise ValueError(f"the content for proposal {proposal_id} must be a text of {made.skill}")
    trial = running_trial(session, made.skill)
    if trial is not None and trial.proposal_id == made.id and content is not None:
        kept = session.get(SkillVersion, (trial.skill, trial.version))
        if kept is not None and kept.digest == content.digest:
            return _keep(session, made, trial, who, now)
        raise on_trial(trial)
    check_base(session, made)
    decide(session, made, ProposalState.APPROVED, now)
    merged = [
        Change(name, with_state(skill_named(session, name), SkillState.RETIRED))
        for name in made.merges
        if standing_version(session, name)
    ]
    why = f"{made.why} (merged into it: {', '.join(made.merges)})" if merged else made.why
    link = {"proposal": made.id} | ({"overrides": overridden} if overridden else {})
    cause = Cause("approve", who, now, link, why)
    if content is None:
        after = with_state(skill_named(session, made.skill), SkillState.RETIRED)
        return settle_all(session, made.skill, [Change(made.skill, after), *merged], cause)
    version = version_tried(session, made, content)
    after = standing_after(session, made, version or next_version(session, made.skill))
    change = Change(made.skill, after, None if version else content)
    return settle_all(session, made.skill, [change, *merged], cause)


def add_skill(
    session: Session,
    content: SkillText,
    who: Actor,
    now: datetime,
    *,
    source: SkillSource = SkillSource.PERSON,
    trust: SkillTrust = SkillTrust.TRUSTED,
    state: SkillState = SkillState.ACTIVE,
) -> Changed:
    """Take in a skill that somebody brings, as a new one or as a new version of one.

    Raises DecisionError where the library holds exactly this already.
    """
    found = session.get(Skill, content.name)
    agents = standing_of(found).agents if found else ()
    after = Standing(state, next_version(session, content.name), source, trust, agents)
    cause = Cause("add", who, now, {}, f"source {source}")
    return settle(session, content.name, after, cause, content)


def set_state(session: Session, name: str, state: SkillState, who: Actor, now: datetime) -> Changed:
    """Enable, disable or retire a skill. Raises NotFoundError, or DecisionError where it is so already."""
    actions = {SkillState.ACTIVE: "enable", SkillState.DISABLED: "disable", SkillState.RETIRED: "retire"}
    after = with_state(skill_named(session, name), state)
    return settle(session, name, after, Cause(actions[state], who, now, {}))


def set_trust(session: Session, name: str, trust: SkillTrust, who: Actor, now: datetime) -> Changed:
    """Say how far a skill is trusted. Raises NotFoundError, or DecisionError where it is so already."""
    after = replace(standing_of(skill_named(session, name)), trust=trust)
    return settle(session, name, after, Cause("trust", who, now, {}))


def undo(session: Session, ledger_id: str, who: Actor, now: datetime) -> Changed:
    """Return the skills of a ledger entry to what they were before that entry, as a new entry.

    A skill that was not there before is retired. Raises NotFoundError, or DecisionError where the entry
    changed no skill, was undone, or all is already as it was.
    """
    entry = undoable(session, ledger_id)
    link = {"undoes": entry.id} | {
        name: str(entry.after[name]) for name in ("proposal", "trial") if name in entry.after
    }
    cause = Cause("undo", who, now, link, f"undone: {entry.action} of {entry.subject}")
    before = [Change(name, before_entry(session, entry, name)) for name in skills_of(entry)]
    changed = settle_all(session, entry.subject, before, cause)
    entry.undone_by = changed.ledger_id
    session.add(entry)
    if _ended_a_trial(session, entry):
        _keep_after_all(session, str(entry.after.get("proposal", "")), str(entry.after.get("trial", "")), now)
    session.flush()
    return changed


def undoable(session: Session, ledger_id: str) -> Ledger:
    """An entry that changed skills and was not undone. Raises NotFoundError, DecisionError."""
    entry = ledger_entry(session, ledger_id)
    if entry.undone_by is not None:
        raise DecisionError(
            "Already undone", f"{ledger_id} was undone by {entry.undone_by}.", "Undo that entry instead."
        )
    if not skills_of(entry):
        raise DecisionError("Nothing to undo", f"{ledger_id} ({entry.action}) changed no skill.")
    return entry


def ledger_entry(session: Session, ledger_id: str) -> Ledger:
    """One entry of the ledger. Raises NotFoundError."""
    entry = session.get(Ledger, ledger_id)
    if entry is None:
        near = near_miss(ledger_id, newest_ids(session, Ledger.id))
        raise NotFoundError("No such entry", f"{ledger_id}.{near}", "`metaclaw-tray ledger list` shows them.")
    return entry


def standing_after(session: Session, made: Proposal, version: int) -> Standing:
    """How the skill stands once this proposal took effect with that version.

    An update keeps the trust of its skill. A text in place of two is a new one, whatever name it bears, and
    has words of both: nobody said of it what they said of one of them. It is as far trusted as it was read.
    """
    if not made.base_version:
        source = SkillSource.IMPORTED if made.op == ProposalOp.OUTSIDE else SkillSource.LEARNT
        return Standing(SkillState.ACTIVE, version, source, SkillTrust.REVIEWED)
    skill = skill_named(session, made.skill)
    is_update = made.op == ProposalOp.UPDATE and not made.merges
    trust = skill.trust if is_update else SkillTrust.REVIEWED
    return replace(standing_of(skill), version=version, trust=trust)


def version_tried(session: Session, made: Proposal, content: SkillText) -> int:
    """The version that this very text of this proposal had in a trial; 0 where it had none."""
    query = select(SkillVersion.version).where(
        SkillVersion.name == made.skill,
        SkillVersion.proposal_id == made.id,
        SkillVersion.digest == content.digest,
    )
    return session.exec(query).first() or 0


def _keep(session: Session, made: Proposal, trial: Trial, who: Actor, now: datetime) -> Changed:
    """Let the skill stand for good that stands for the length of its trial. The active library stays as it
    is, so no generation begins; an undo returns to what was before the trial."""
    begun = ledger_entry(session, trial.ledger_id)
    standing = standing_of(skill_named(session, trial.skill))
    link = {"proposal": made.id, "trial": trial.id}
    entry = record(
        session, "approve", made.skill, who, now, before=begun.before, after={**standing.values, **link}
    )
    begun.undone_by = entry
    trial.state, trial.reason, trial.ended_at = TrialState.KEPT, "approved", now
    session.add_all([begun, trial])
    decide(session, made, ProposalState.APPROVED, now)
    session.flush()
    return Changed(current_generation(session), made.skill, trial.version, entry)


def _ended_a_trial(session: Session, entry: Ledger) -> bool:
    """Whether an entry took back a trial: by itself, or by undoing its start."""
    undone = session.get(Ledger, entry.after.get("undoes", ""))
    return entry.action == "trial end" or (undone is not None and undone.action == "trial")


def _keep_after_all(session: Session, proposal_id: str, trial_id: str, now: datetime) -> None:
    """Who undoes the end of a trial has read the text and lets the skill stand."""
    made, trial = session.get(Proposal, proposal_id), session.get(Trial, trial_id)
    if made is not None and made.state == ProposalState.PENDING:
        decide(session, made, ProposalState.APPROVED, now, "kept by undoing the end of its trial")
    if trial is not None:
        trial.state = TrialState.KEPT
        session.add(trial)
