"""What the library of skills holds: versions, generations, proposals and the ledger, as named queries.

How it changes stands in decisions.py.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from sqlalchemy import and_, exists, func, or_
from sqlalchemy import select as core_select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.settings import near_miss
from metaclaw_tray.store.membership import in_generation, members
from metaclaw_tray.store.tables_learning import Trial, TrialState
from metaclaw_tray.store.tables_library import (
    GateResult,
    Generation,
    Ledger,
    Membership,
    Proposal,
    ProposalOp,
    ProposalState,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)

_LISTED = 200  # rows of a listing, unless told otherwise
_NEAR = 500  # newest ids that a mistyped one is compared with


@dataclass(frozen=True)
class SkillText:
    """A whole SKILL.md that has passed its checks, with what of it is kept beside it."""

    name: str
    description: str
    text: str

    @property
    def digest(self) -> str:
        return digest_of(self.text)


class ActiveVersion(Struct, frozen=True, gc=False):
    """A version of the active library, with no more than it is served and shown by."""

    name: str
    version: int
    digest: str
    text: str


@dataclass(frozen=True)
class LibraryChange:
    """What became of the active library since an earlier generation."""

    generation: int
    gone: list[str]  # names of skills that are active no longer
    come: list[ActiveVersion]  # what was not active then, or in another version
    scoped: dict[str, frozenset[str]]  # the active skills that are for some agents only, all of them


@dataclass(frozen=True)
class SkillView:
    """A skill as listings show it."""

    name: str
    version: int
    state: SkillState
    source: SkillSource
    trust: str
    description: str
    generation: int  # the first in which this version was active; 0 where it never was


class ListedSkill(Struct, frozen=True, gc=False):
    """A skill with all that a listing says of it."""

    name: str
    version: int
    state: str
    source: str
    trust: str
    generation: int  # the first in which this version was active; 0 where it never was
    description: str
    text: str
    agents: list[str]
    origin: str
    on_trial: bool


@dataclass(frozen=True)
class ProposalView:
    """A proposal with what was measured for it."""

    proposal: Proposal
    gate: GateResult | None


@dataclass(frozen=True)
class GenerationView:
    """A generation with its members, each "name@version"."""

    generation: Generation
    members: tuple[str, ...]


def current_generation(session: Session) -> int:
    """The library's generation now."""
    return session.exec(select(func.max(Generation.number))).one() or 0


def active_library(session: Session) -> tuple[int, list[SkillVersion]]:
    """The generation, and the versions that are active in it, by name."""
    active = select(SkillVersion).join(Skill, col(Skill.name) == col(SkillVersion.name))
    active = active.where(Skill.state == SkillState.ACTIVE, SkillVersion.version == Skill.version)
    return current_generation(session), list(session.exec(active.order_by(SkillVersion.name)))


def library_since(session: Session, generation: int) -> LibraryChange:
    """What changed in the active library since a generation; all of it since generation 0."""
    now = current_generation(session)
    come = (
        select(SkillVersion.name, SkillVersion.version, SkillVersion.digest, SkillVersion.text)
        .join(
            Membership,
            and_(
                col(Membership.name) == col(SkillVersion.name),
                col(Membership.version) == col(SkillVersion.version),
            ),
        )
        .where(in_generation(now), ~_held(generation, Membership.name, Membership.version).exists())
    )
    gone = select(Membership.name).where(in_generation(generation), ~_held(now, Membership.name).exists())
    scoped = select(Skill.name, Skill.agents).where(
        Skill.state == SkillState.ACTIVE, func.json_array_length(Skill.agents) > 0
    )
    return LibraryChange(
        now,
        list(session.exec(gone.order_by(Membership.name))),
        [ActiveVersion(*row) for row in session.exec(come.order_by(SkillVersion.name))],
        {name: frozenset(agents) for name, agents in session.exec(scoped)},
    )


def _held(generation: int, name: str, version: int | None = None) -> SelectOfScalar[Membership]:
    """Whether a skill, or a version of it, was active in a generation, asked from within a query."""
    then = aliased(Membership)
    found = select(then).where(
        then.since <= generation, or_(col(then.until).is_(None), col(then.until) > generation)
    )
    found = found.where(then.name == name)
    return found if version is None else found.where(then.version == version)


def skills(session: Session) -> list[SkillView]:
    """All skills, by name, whatever their state."""
    began = (
        select(Membership.name, Membership.version, func.min(Membership.since).label("first"))
        .group_by(col(Membership.name), col(Membership.version))
        .subquery()
    )
    rows = session.exec(
        select(Skill, SkillVersion.description, began.c.first)
        .join(SkillVersion, col(Skill.name) == col(SkillVersion.name))
        .outerjoin(began, and_(began.c.name == Skill.name, began.c.version == Skill.version))
        .where(SkillVersion.version == Skill.version)
        .order_by(Skill.name)
    )
    return [
        SkillView(
            name=skill.name,
            version=skill.version,
            state=SkillState(skill.state),
            source=SkillSource(skill.source),
            trust=skill.trust,
            description=description,
            generation=generation or 0,
        )
        for skill, description, generation in rows
    ]


def listed(
    session: Session, *, name: str | None = None, after: str = "", limit: int | None = None
) -> list[ListedSkill]:
    """The skills behind a name, so many of them, or the one of that name, with all that a listing says."""
    first = (
        select(func.min(Membership.since))
        .where(Membership.name == Skill.name, Membership.version == Skill.version)
        .scalar_subquery()
    )
    tried = exists().where(col(Trial.skill) == Skill.name, col(Trial.state) == TrialState.RUNNING)
    query = (
        core_select(
            col(Skill.name),
            col(Skill.version),
            col(Skill.state),
            col(Skill.source),
            col(Skill.trust),
            first,
            col(SkillVersion.description),
            col(SkillVersion.text),
            col(Skill.agents),
            col(Skill.origin),
            tried,
        )
        .join(
            SkillVersion,
            and_(col(SkillVersion.name) == Skill.name, col(SkillVersion.version) == Skill.version),
        )
        .where(col(Skill.name) > after if name is None else col(Skill.name) == name)
        .order_by(col(Skill.name))
        .limit(limit)
    )
    return [
        ListedSkill(
            name=row[0],
            version=row[1],
            state=row[2],
            source=row[3],
            trust=row[4],
            generation=row[5] or 0,
            description=row[6],
            text=row[7],
            agents=list(row[8]),
            origin=row[9],
            on_trial=row[10],
        )
        for row in session.execute(query)
    ]


def history(session: Session, name: str) -> list[SkillVersion]:
    """All versions of a skill, oldest first. Raises NotFoundError."""
    skill_named(session, name)
    query = select(SkillVersion).where(SkillVersion.name == name).order_by(col(SkillVersion.version))
    return list(session.exec(query))


def version_of(session: Session, name: str, version: int | None = None) -> SkillVersion:
    """One version of a skill; the one in force where none is named. Raises NotFoundError."""
    wanted = skill_named(session, name).version if version is None else version
    found = session.get(SkillVersion, (name, wanted))
    if found is None:
        raise NotFoundError(
            "No such version", f"{name}@{wanted}", f"`metaclaw-tray skills history {name}` shows them."
        )
    return found


def diff(old: str, new: str, old_label: str = "before", new_label: str = "after") -> str:
    """What changes between two texts, as a unified diff."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), old_label, new_label, lineterm="")
    return "\n".join(lines)


def generations(session: Session, limit: int = _LISTED) -> list[Generation]:
    """The generations, newest first; without their skills, which may be thousands each."""
    return list(session.exec(select(Generation).order_by(col(Generation.number).desc()).limit(limit)))


def generation(session: Session, number: int) -> GenerationView:
    """One generation. Raises NotFoundError."""
    found = session.get(Generation, number)
    if found is None:
        raise NotFoundError("No such generation", str(number), "`metaclaw-tray generations list` shows them.")
    return GenerationView(found, _members(session, number))


def ledger(session: Session, limit: int = _LISTED) -> list[Ledger]:
    """The ledger's entries, newest first."""
    query = select(Ledger).order_by(col(Ledger.at).desc(), col(Ledger.id).desc()).limit(limit)
    return list(session.exec(query))


def ledger_of(session: Session, skill: str, limit: int = _LISTED) -> list[Ledger]:
    """The entries by which a skill was decided on, alone or with others, newest first.

    Raises NotFoundError.
    """
    skill_named(session, skill)
    with_others = func.json_extract(Ledger.after, f'$.skills."{skill}"').is_not(None)
    query = select(Ledger).where(or_(col(Ledger.subject) == skill, with_others))
    return list(session.exec(query.order_by(col(Ledger.at).desc(), col(Ledger.id).desc()).limit(limit)))


def proposals(
    session: Session, states: Sequence[ProposalState] = (ProposalState.PENDING,), limit: int = _LISTED
) -> list[ProposalView]:
    """The newest proposals in these states, oldest of them first: pending ones unless told otherwise."""
    query = (
        select(Proposal, GateResult)
        .outerjoin(GateResult, col(GateResult.proposal_id) == col(Proposal.id))
        .where(col(Proposal.state).in_(states))
        .order_by(col(Proposal.created_at).desc(), col(Proposal.id).desc())
        .limit(limit)
    )
    return [ProposalView(made, gate) for made, gate in session.exec(query)][::-1]


def proposal(session: Session, proposal_id: str) -> ProposalView:
    """One proposal, whatever its state. Raises NotFoundError."""
    found = session.get(Proposal, proposal_id)
    if found is None:
        near = near_miss(proposal_id, newest_ids(session, Proposal.id))
        raise NotFoundError(
            "No such proposal", f"{proposal_id}.{near}", "`metaclaw-tray review list` shows them."
        )
    return ProposalView(found, session.get(GateResult, proposal_id))


def known_digests(session: Session) -> set[tuple[str, str]]:
    """Name and digest of all that may be overwritten in the skills folder, because the store keeps it: every
    version ever, and every change from outside that is decided."""
    versions = session.exec(select(SkillVersion.name, SkillVersion.digest))
    decided = session.exec(
        select(Proposal.skill, Proposal.text).where(
            Proposal.op == ProposalOp.OUTSIDE, Proposal.state != ProposalState.PENDING
        )
    )
    return {
        *((name, digest) for name, digest in versions),
        *((name, digest_of(text)) for name, text in decided),
    }


def digest_of(text: str) -> str:
    """The sha256 of a text's UTF-8 bytes, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def standing_version(session: Session, name: str) -> int:
    """The version in force, disabled or not; 0 where there is no such skill, or it is retired."""
    found = session.get(Skill, name)
    return 0 if found is None or found.state == SkillState.RETIRED else found.version


def skill_named(session: Session, name: str) -> Skill:
    """The skill's row. Raises NotFoundError."""
    found = session.get(Skill, name)
    if found is None:
        raise _no_such_skill(session, name)
    return found


def newest_ids(session: Session, ids: Any) -> list[str]:
    """The newest of a column of ids, among which somebody who mistyped one may have meant another."""
    return list(session.exec(select(ids).order_by(col(ids).desc()).limit(_NEAR)))


def _no_such_skill(session: Session, name: str) -> NotFoundError:
    pending = select(Proposal.id).where(Proposal.skill == name, Proposal.state == ProposalState.PENDING)
    if (waiting := session.exec(pending.order_by(col(Proposal.id).desc())).first()) is not None:
        remedy = f"It waits for you as a proposal: `metaclaw-tray review show {waiting}`."
        return NotFoundError("No such skill yet", name, remedy)
    near = near_miss(name, list(session.exec(select(Skill.name))))
    return NotFoundError("No such skill", f"{name}.{near}", "`metaclaw-tray skills list` shows them.")


def _members(session: Session, number: int) -> tuple[str, ...]:
    return tuple(f"{each.name}@{each.version}" for each in members(session, number))
