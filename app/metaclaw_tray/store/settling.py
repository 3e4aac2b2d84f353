"""One decision on one or more skills, with all that follows from it, in the transaction that is open.

The skills, their versions, the generation that begins, its members and the ledger entry stand together or not
at all. The generation rises by one whenever the active library changes, for whichever agent, and only then. A
change that is not the trial's own ends the skill's trial.

An entry of the ledger holds how its subject stood before and after; how other skills stood that were decided
on with it, or all of them where the subject is no skill, stands under `skills`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, select

from metaclaw_tray.errors import KnownError
from metaclaw_tray.ids import new_id
from metaclaw_tray.store.library import SkillText, current_generation
from metaclaw_tray.store.tables_learning import Trial, TrialState
from metaclaw_tray.store.tables_library import Generation, Ledger, Skill, SkillState, SkillVersion


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
    skill: str  # the subject of its entry
    version: int  # 0 where that is no skill
    ledger_id: str


@dataclass(frozen=True)
class Standing:
    """How a skill stands: what an undo must be able to bring back."""

    state: str
    version: int
    source: str
    trust: str
    agents: tuple[str, ...] = ()  # in order; for all of them where none is named

    @property
    def values(self) -> dict[str, Any]:
        """By name, as the ledger has them: without agents where it is for all."""
        plain = {"state": self.state, "version": self.version, "source": self.source, "trust": self.trust}
        return plain | ({"agents": list(self.agents)} if self.agents else {})

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Standing:
        """From the ledger."""
        agents = tuple(values.get("agents", ()))
        return cls(values["state"], values["version"], values["source"], values["trust"], agents)


@dataclass(frozen=True)
class Change:
    """How one skill is to stand, and the text of a new version where there is one."""

    name: str
    after: Standing
    content: SkillText | None = None
    origin: str = ""  # where a skill that is brought in comes from


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
    return settle_all(session, name, [Change(name, after, content)], cause)


def settle_all(session: Session, subject: str, changes: Sequence[Change], cause: Cause) -> Changed:
    """Bring skills to where they are to be, as one decision: one entry, and at most one generation.

    `subject` is what the decision is about: one of the skills, or words for all of them. Raises DecisionError
    where nothing would change.
    """
    known = _known(session, changes)
    wanted = [each for each in changes if _is_new(session, known.get(each.name), each)]
    if not wanted:
        raise DecisionError("Nothing changes", f"“{subject}” is already so.")
    before = {each.name: _stand(session, known.get(each.name), each, cause) for each in wanted}
    session.flush()  # versions and generations refer to the skills
    for each in wanted:
        _write_version(session, each, cause)
    after = {each.name: each.after for each in wanted}
    began = None
    if any(_active(before[name]) != _active(after[name]) for name in after):
        began = current_generation(session) + 1
    ledger_id = record(
        session,
        cause.action,
        subject,
        cause.who,
        cause.now,
        before=_told(
            {name: standing.values if standing else {} for name, standing in before.items()}, subject
        ),
        after={**_told({name: standing.values for name, standing in after.items()}, subject), **cause.link},
        generation=began,
    )
    main = after.get(subject)
    if began is not None:
        named = f"{subject}@{main.version}" if main else subject
        why = f"{cause.action} {named}" + (f": {cause.why}" if cause.why else "")
        _begin_generation(session, began, why, ledger_id, cause.now)
    _end_trials_overtaken(session, after, cause)
    return Changed(current_generation(session), subject, main.version if main else 0, ledger_id)


def _known(session: Session, changes: Sequence[Change]) -> dict[str, Skill]:
    """The skills of these changes that are there, read at once: a return may be of ten thousand."""
    if len(changes) == 1:
        found = session.get(Skill, changes[0].name)
        return {found.name: found} if found else {}
    names = {each.name for each in changes}
    return {each.name: each for each in session.exec(select(Skill)) if each.name in names}


def _stand(session: Session, skill: Skill | None, change: Change, cause: Cause) -> Standing | None:
    """Change a skill's row; how it stood before, None where it was not there."""
    before = None if skill is None else standing_of(skill)
    row = {**change.after.values, "agents": list(change.after.agents), "changed_at": cause.now}
    if change.origin:
        row["origin"] = change.origin
    if skill is None:
        skill = Skill(name=change.name, **row)
    else:
        skill.sqlmodel_update(row)
    session.add(skill)
    return before


def _write_version(session: Session, change: Change, cause: Cause) -> None:
    if change.content is not None:
        session.add(
            SkillVersion(
                name=change.name,
                version=change.after.version,
                text=change.content.text,
                digest=change.content.digest,
                description=change.content.description,
                proposal_id=cause.link.get("proposal"),
                at=cause.now,
            )
        )


def _told(standings: Mapping[str, dict[str, Any]], subject: str) -> dict[str, Any]:
    """Standings as an entry has them."""
    others = {name: values for name, values in standings.items() if name != subject}
    return {**standings.get(subject, {}), **({"skills": others} if others else {})}


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
    return Standing(skill.state, skill.version, skill.source, skill.trust, tuple(skill.agents))


def with_state(skill: Skill, state: SkillState) -> Standing:
    """The skill's standing, but for its state."""
    return replace(standing_of(skill), state=state)


def skills_of(entry: Ledger) -> list[str]:
    """The skills that an entry changed, its subject first."""
    main = [entry.subject] if "version" in entry.after else []
    return [*main, *entry.after.get("skills", {})]


def before_entry(session: Session, entry: Ledger, name: str = "") -> Standing:
    """How a skill of an entry, its subject unless told otherwise, stood before it: one that was not there
    counts as retired."""
    name = name or entry.subject
    values = entry.before if name == entry.subject else entry.before.get("skills", {}).get(name, {})
    if "version" in values:
        return Standing.of(values)
    skill = session.get(Skill, name)
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


def _end_trials_overtaken(session: Session, after: Mapping[str, Standing], cause: Cause) -> None:
    for trial in session.exec(select(Trial).where(Trial.state == TrialState.RUNNING)):
        now = after.get(trial.skill)
        if now is None or (now.state == SkillState.ACTIVE and now.version == trial.version):
            continue
        trial.state, trial.ended_at = TrialState.STOPPED, cause.now
        trial.reason = f"overtaken: {cause.action}"
        session.add(trial)


def _begin_generation(session: Session, number: int, why: str, ledger_id: str, now: datetime) -> None:
    """Begin a generation. Its members follow by a trigger, from what the skills' rows say now."""
    session.add(Generation(number=number, why=why, ledger_id=ledger_id, at=now))
    session.flush()


def _is_new(session: Session, skill: Skill | None, change: Change) -> bool:
    """Whether a change changes anything."""
    if skill is None:
        return True
    before = standing_of(skill)
    if change.content is None:
        return before != change.after
    in_force = session.get(SkillVersion, (change.name, before.version))
    same_text = in_force is not None and in_force.digest == change.content.digest
    return before.state != change.after.state or not same_text


def _active(standing: Standing | None) -> tuple[int, tuple[str, ...]] | None:
    """What a skill is in the active library: its version, and the agents it is for."""
    if standing is None or standing.state != SkillState.ACTIVE:
        return None
    return standing.version, standing.agents
