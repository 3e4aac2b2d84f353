"""How the library of skills changes: proposals, decisions on them, and undoing.

Each decision is one transaction: the skill, its version, the generation it begins, that generation's members,
the ledger entry and the proposal's state stand together or not at all. The generation rises by one whenever
the active library changes, and only then. Texts come in checked (skills/review.py does that).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import func, insert, literal
from sqlmodel import Session, select

from metaclaw_tray.errors import KnownError, NotFoundError
from metaclaw_tray.ids import new_id
from metaclaw_tray.store.library import SkillText, current_generation, skill_named, standing_version
from metaclaw_tray.store.library import proposal as find_proposal
from metaclaw_tray.store.tables import (
    Generation,
    GenerationMember,
    Ledger,
    Proposal,
    ProposalOp,
    ProposalState,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)


class DecisionError(KnownError):
    """The library cannot be changed this way now: decided already, undone already, changed meanwhile."""


class SkillTrust(StrEnum):
    """How far a skill's words are the person's own."""

    TRUSTED = "trusted"  # ours, or written by the person
    REVIEWED = "reviewed"  # learnt or brought in, and read by the person before it became active


@dataclass(frozen=True)
class Actor:
    """Who decides, and by which way."""

    actor: str  # login name
    channel: str  # terminal, scripted, tray, window
    ancestry: tuple[str, ...] = ()  # the asking process and its parents, nearest first


@dataclass(frozen=True)
class Changed:
    """What a decision did. `generation` is the library's generation after it."""

    generation: int
    skill: str
    version: int
    ledger_id: str


@dataclass(frozen=True)
class _Standing:
    """How a skill stands: what an undo must be able to bring back."""

    state: str
    version: int
    source: str
    trust: str


@dataclass(frozen=True)
class _Cause:
    """What the ledger and the generation say of a change."""

    action: str
    who: Actor
    now: datetime
    link: dict[str, str]  # the proposal approved, or the entry undone
    why: str = ""


def propose(
    session: Session,
    *,
    op: ProposalOp,
    skill: str,
    text: str,
    why: str,
    now: datetime,
    exchanges: Sequence[str] = (),
    run_id: str | None = None,
    state: ProposalState = ProposalState.PENDING,
    reason: str = "",
) -> str:
    """Store a proposal against the skill as it stands now, and give its id. `text` is empty to retire.

    A change from outside takes the place of one that waits for the same skill, under a new id: what the
    person approves is what was shown under that id.
    """
    base = standing_version(session, skill)
    if op == ProposalOp.OUTSIDE:
        for waiting in session.exec(
            select(Proposal).where(
                Proposal.skill == skill, Proposal.op == op, Proposal.state == ProposalState.PENDING
            )
        ):
            if waiting.text == text and waiting.base_version == base:
                return waiting.id
            _decide(session, waiting, ProposalState.REFUSED, now, "changed again before it was decided")
    made = Proposal(
        id=new_id(now),
        op=op,
        skill=skill,
        base_version=base,
        text=text,
        why=why,
        exchanges=list(exchanges),
        run_id=run_id,
        state=state,
        reason=reason,
        created_at=now,
        decided_at=None if state == ProposalState.PENDING else now,
    )
    session.add(made)
    session.flush()
    return made.id


def approve(
    session: Session, proposal_id: str, who: Actor, now: datetime, content: SkillText | None
) -> Changed:
    """Do what the proposal says. `content` is its text, perhaps edited, checked; None to retire.

    Raises NotFoundError, or DecisionError where the proposal is decided, or was made against a version that
    is no longer in force.
    """
    made = _pending(session, proposal_id)
    base = standing_version(session, made.skill)
    if made.base_version != base:
        raise DecisionError(
            "The skill changed meanwhile",
            f"The proposal for “{made.skill}” was made against {_version(made.base_version)}; "
            f"now there is {_version(base)}.",
            "Reject it: it would have to be written and measured anew against what is in force.",
        )
    _decide(session, made, ProposalState.APPROVED, now)
    cause = _Cause("approve", who, now, {"proposal": made.id}, made.why)
    if not made.text:
        skill = skill_named(session, made.skill)
        return _settle(session, made.skill, _with_state(skill, SkillState.RETIRED), cause)
    if content is None or content.name != made.skill:
        raise ValueError(f"the content for proposal {proposal_id} must be a text of {made.skill}")
    if base:
        skill = skill_named(session, made.skill)
        state, source = skill.state, skill.source
    else:
        state = SkillState.ACTIVE
        source = SkillSource.IMPORTED if made.op == ProposalOp.OUTSIDE else SkillSource.LEARNT
    after = _Standing(state, _next_version(session, made.skill), source, SkillTrust.REVIEWED)
    return _settle(session, made.skill, after, cause, content)


def reject(session: Session, proposal_id: str, who: Actor, now: datetime, reason: str = "") -> str:
    """Turn a proposal down and give the ledger entry's id. Raises NotFoundError, DecisionError."""
    made = _pending(session, proposal_id)
    _decide(session, made, ProposalState.REJECTED, now, reason)
    return record(session, "reject", made.skill, who, now, after={"proposal": made.id, "reason": reason})


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
    after = _Standing(state, _next_version(session, content.name), source, trust)
    cause = _Cause("add", who, now, {}, f"source {source}")
    return _settle(session, content.name, after, cause, content)


def set_state(session: Session, name: str, state: SkillState, who: Actor, now: datetime) -> Changed:
    """Enable, disable or retire a skill. Raises NotFoundError, or DecisionError where it is so already."""
    actions = {SkillState.ACTIVE: "enable", SkillState.DISABLED: "disable", SkillState.RETIRED: "retire"}
    after = _with_state(skill_named(session, name), state)
    return _settle(session, name, after, _Cause(actions[state], who, now, {}))


def undo(session: Session, ledger_id: str, who: Actor, now: datetime) -> Changed:
    """Return the skill of a ledger entry to what it was before that entry, as a new entry.

    A skill that was not there before is retired. Raises NotFoundError, or DecisionError where the entry
    changed no skill, was undone, or the skill is already as it was.
    """
    entry = session.get(Ledger, ledger_id)
    if entry is None:
        raise NotFoundError("No such entry", ledger_id, "`metaclaw-tray ledger list` shows them.")
    if entry.undone_by is not None:
        raise DecisionError(
            "Already undone", f"{ledger_id} was undone by {entry.undone_by}.", "Undo that entry instead."
        )
    if "version" not in entry.after:
        raise DecisionError("Nothing to undo", f"{ledger_id} ({entry.action}) changed no skill.")
    skill = skill_named(session, entry.subject)
    before = _Standing(**entry.before) if entry.before else _with_state(skill, SkillState.RETIRED)
    cause = _Cause("undo", who, now, {"undoes": entry.id}, f"undone: {entry.action} of {entry.subject}")
    changed = _settle(session, entry.subject, before, cause)
    entry.undone_by = changed.ledger_id
    session.add(entry)
    session.flush()
    return changed


def record(
    session: Session,
    action: str,
    subject: str,
    who: Actor,
    now: datetime,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    generation: int | None = None,
) -> str:
    """Write a ledger entry and give its id."""
    entry = Ledger(
        id=new_id(now),
        at=now,
        action=action,
        subject=subject,
        actor=who.actor,
        channel=who.channel,
        ancestry=list(who.ancestry),
        before=before or {},
        after=after or {},
        generation=generation,
    )
    session.add(entry)
    session.flush()
    return entry.id


def _settle(
    session: Session, name: str, after: _Standing, cause: _Cause, content: SkillText | None = None
) -> Changed:
    """Bring one skill to `after`, with all that follows from it. `content` is the text of a new version."""
    skill = session.get(Skill, name)
    before = None if skill is None else _standing(skill)
    if before is not None and _is_nothing_new(session, name, before, after, content):
        raise DecisionError("Nothing changes", f"“{name}” is already so.")
    if skill is None:
        skill = Skill(name=name, changed_at=cause.now, **asdict(after))
    else:
        skill.sqlmodel_update(asdict(after))
        skill.changed_at = cause.now
    session.add(skill)
    session.flush()  # versions and generations refer to it
    if content is not None:
        session.add(
            SkillVersion(
                name=name,
                version=after.version,
                text=content.text,
                digest=content.digest,
                description=content.description,
                proposal_id=cause.link.get("proposal"),
                at=cause.now,
            )
        )
    began = None
    if _active(before) != _active(after):
        began = current_generation(session) + 1
    ledger_id = record(
        session,
        cause.action,
        name,
        cause.who,
        cause.now,
        before={} if before is None else asdict(before),
        after={**asdict(after), **cause.link},
        generation=began,
    )
    if began is not None:
        why = f"{cause.action} {name}@{after.version}" + (f": {cause.why}" if cause.why else "")
        _begin_generation(session, began, why, ledger_id, cause.now)
    return Changed(current_generation(session), name, after.version, ledger_id)


def _begin_generation(session: Session, number: int, why: str, ledger_id: str, now: datetime) -> None:
    session.add(Generation(number=number, why=why, ledger_id=ledger_id, at=now))
    session.flush()
    active = select(literal(number), Skill.name, Skill.version).where(Skill.state == SkillState.ACTIVE)
    session.connection().execute(
        insert(GenerationMember).from_select(["generation", "name", "version"], active)
    )


def _is_nothing_new(
    session: Session, name: str, before: _Standing, after: _Standing, content: SkillText | None
) -> bool:
    if content is None:
        return before == after
    in_force = session.get(SkillVersion, (name, before.version))
    return before.state == after.state and in_force is not None and in_force.digest == content.digest


def _active(standing: _Standing | None) -> int | None:
    """The version by which a skill is part of the active library."""
    return standing.version if standing is not None and standing.state == SkillState.ACTIVE else None


def _standing(skill: Skill) -> _Standing:
    return _Standing(skill.state, skill.version, skill.source, skill.trust)


def _with_state(skill: Skill, state: SkillState) -> _Standing:
    return _Standing(state, skill.version, skill.source, skill.trust)


def _next_version(session: Session, name: str) -> int:
    """One above every version there ever was: a number never means two texts."""
    query = select(func.max(SkillVersion.version)).where(SkillVersion.name == name)
    return (session.exec(query).one() or 0) + 1


def _pending(session: Session, proposal_id: str) -> Proposal:
    made = find_proposal(session, proposal_id).proposal
    if made.state != ProposalState.PENDING:
        said = f": {made.reason}" if made.reason else ""
        raise DecisionError("Already decided", f"The proposal for “{made.skill}” was {made.state}{said}.")
    return made


def _decide(session: Session, made: Proposal, state: ProposalState, now: datetime, reason: str = "") -> None:
    made.state = state
    made.reason = reason
    made.decided_at = now
    session.add(made)


def _version(number: int) -> str:
    return f"version {number}" if number else "no such skill"
