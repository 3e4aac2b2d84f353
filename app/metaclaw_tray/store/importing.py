"""Skills of other programs on their way into the library, several as one decision.

What the library lacks is taken in. A skill of that name that says something else is never written over: the
other text becomes a proposal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.library import SkillText, standing_version
from metaclaw_tray.store.proposing import propose
from metaclaw_tray.store.settling import (
    Actor,
    Cause,
    Change,
    Changed,
    SkillTrust,
    Standing,
    next_version,
    settle_all,
)
from metaclaw_tray.store.tables_library import (
    Proposal,
    ProposalOp,
    ProposalState,
    SkillSource,
    SkillState,
    SkillVersion,
)

IMPORTED = "import"
"""The taint of a proposal that came with an import: somebody else's words."""


@dataclass(frozen=True)
class Incoming:
    """A checked text of another program, and where it lay."""

    content: SkillText
    origin: str


@dataclass
class Sorted:
    """What an import would do, by name."""

    new: list[Incoming] = field(default_factory=list)
    changed: list[Incoming] = field(default_factory=list)  # the library has another text under that name
    unchanged: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)  # that other text was rejected before


@dataclass
class Imported:
    """What an import did."""

    taken: Changed | None
    proposals: list[str]
    sorted: Sorted


def sort_out(db: Db, incoming: Sequence[Incoming]) -> Sorted:
    """What of this the library lacks, has, or has otherwise."""
    found = Sorted()
    for each in incoming:
        name = each.content.name
        version = standing_version(db, name)
        in_force = db.get(SkillVersion, (name, version)) if version else None
        if in_force is None:
            found.new.append(each)
        elif in_force.digest == each.content.digest:
            found.unchanged.append(name)
        elif _rejected(db, each.content):
            found.decided.append(name)
        else:
            found.changed.append(each)
    return found


def import_skills(db: Db, incoming: Sequence[Incoming], who: Actor, now: datetime) -> Imported:
    """Take in what the library lacks, as one entry and at most one generation, and propose what it has
    otherwise."""
    found = sort_out(db, incoming)
    changes = [_change(db, each) for each in found.new]
    taken = None
    if changes:
        subject = changes[0].name if len(changes) == 1 else f"{len(changes)} skills"
        why = ", ".join(each.name for each in changes) if len(changes) > 1 else changes[0].origin
        taken = settle_all(db, subject, changes, Cause("import", who, now, {}, why))
    proposals = [
        propose(
            db,
            op=ProposalOp.OUTSIDE,
            skill=each.content.name,
            text=each.content.text,
            why=f"{each.origin} says something else than the library.",
            now=now,
            taint=IMPORTED,
        )
        for each in found.changed
    ]
    return Imported(taken, proposals, found)


def _change(db: Db, each: Incoming) -> Change:
    version = next_version(db, each.content.name)
    after = Standing(SkillState.ACTIVE, version, SkillSource.IMPORTED, SkillTrust.REVIEWED)
    return Change(each.content.name, after, each.content, each.origin)


def _rejected(db: Db, content: SkillText) -> bool:
    query = select(Proposal.id).where(
        Proposal.skill == content.name,
        Proposal.text == content.text,
        col(Proposal.state) == ProposalState.REJECTED,
    )
    return db.exec(query).first() is not None
