"""One change of one skill, with all that follows from it, in the transaction that is open.

The skill, its version, the generation it begins, that generation's members and the ledger entry stand
together or not at all. The generation rises by one whenever the active library changes, and only then. A
change that is not the trial's own ends the skill's trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, select

from metaclaw_tray.errors import KnownError
from metaclaw_tray.ids import new_id
from metaclaw_tray.store.library import SkillText, current_generation
from metaclaw_tray.store.tables import (
    Generation,
    Ledger,
    Skill,
    SkillState,
    SkillVersion,
)
from metaclaw_tray.store.tables_learning import Trial, TrialState


class DecisionError(KnownError):
    """The library cannot be changed this way now: decided already, undone already, changed meanwhile."""


class SkillTrust(StrEnum):
    """How far a skill's words are the person's own."""

    TRUSTED = "trusted"  # ours, written by the person, or said by them to be as good as their own
    REVIEWED = "reviewed"  # learnt or brought in, and read by the person before it became active


@dataclass(frozen=True)
class Actor:
    """Who decides, and by which way."""

    actor: str  # login name; `policy` or `trial` where a rule did that the person agreed to before
    channel: str  # terminal, scripted, tray, window, automatic
    ancestry: tuple[str, ...] = ()  # the asking process and its parents, nearest first


@dataclass(frozen=True)
class Changed:
    """What a decision did. `generation` is the library's generation after it."""

    generation: int
    skill: str
    version: int
    ledger_id: str


@dataclass(frozen=True)
class Standing:
    """How a skill stands: what an undo must be able to bring back."""

    state: str
    version: int
    source: str
    trust: str


@dataclass(frozen=True)
class Cause:
    """What the ledger and the generation say of a change."""

    action: str
    who: Actor
    now: datetime
    link: Mapping[str, str]  # the proposal approved, the entry undone, the trial begun
    why: str = ""


def settle(
    session: Session, name: str, after: Standing, cause: Cause, content: SkillText | None = None
) -> Changed:
    """Bring one skill to `after`, with all that follows from it. `content` is the text of a new version.

    Raises DecisionError where nothing would change.
    """
    skill = session.get(Skill, name)
    before = None if skill is None else standing_of(skill)
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
    _end_trial_overtaken(session, name, after, cause)
    return Changed(current_generation(session), name, after.version, ledger_id)


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


def standing_of(skill: Skill) -> Standing:
    return Standing(skill.state, skill.version, skill.source, skill.trust)


def with_state(skill: Skill, state: SkillState) -> Standing:
    """The skill's standing, but for its state."""
    return Standing(state, skill.version, skill.source, skill.trust)


def before_entry(session: Session, entry: Ledger) -> Standing:
    """How the skill of an entry stood before it: one that was not there counts as retired."""
    if entry.before:
        return Standing(**entry.before)
    skill = session.get(Skill, entry.subject)
    assert skill is not None, "an entry that changed a skill names one"
    return with_state(skill, SkillState.RETIRED)


def next_version(session: Session, name: str) -> int:
    """One above every version there ever was: a number never means two texts."""
    query = select(func.max(SkillVersion.version)).where(SkillVersion.name == name)
    return (session.exec(query).one() or 0) + 1


def running_trial(session: Session, skill: str) -> Trial | None:
    """The trial of a skill that goes on."""
    query = select(Trial).where(Trial.skill == skill, Trial.state == TrialState.RUNNING)
    return session.exec(query).first()


def _end_trial_overtaken(session: Session, name: str, after: Standing, cause: Cause) -> None:
    trial = running_trial(session, name)
    if trial is None or _active(after) == trial.version:
        return
    trial.state, trial.reason, trial.ended_at = TrialState.STOPPED, f"overtaken: {cause.action}", cause.now
    session.add(trial)


def _begin_generation(session: Session, number: int, why: str, ledger_id: str, now: datetime) -> None:
    """Begin a generation. Its members follow by a trigger, from what the skills' rows say now."""
    session.add(Generation(number=number, why=why, ledger_id=ledger_id, at=now))
    session.flush()


def _is_nothing_new(
    session: Session, name: str, before: Standing, after: Standing, content: SkillText | None
) -> bool:
    if content is None:
        return before == after
    in_force = session.get(SkillVersion, (name, before.version))
    return before.state == after.state and in_force is not None and in_force.digest == content.digest


def _active(standing: Standing | None) -> int | None:
    """The version by which a skill is part of the active library."""
    return standing.version if standing is not None and standing.state == SkillState.ACTIVE else None
