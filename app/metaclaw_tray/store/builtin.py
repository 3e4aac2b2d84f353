"""The starter set in the store: there and off, until the person says otherwise.

What the person has touched is theirs: a newer text of ours is then a proposal, and one that is retired is
left alone. A skill of their own that bears the same name is never written over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, or_
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.proposing import propose
from metaclaw_tray.store.settling import (
    Actor,
    Cause,
    Change,
    SkillTrust,
    Standing,
    next_version,
    settle_all,
)
from metaclaw_tray.store.tables_library import (
    Ledger,
    Proposal,
    ProposalOp,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)

THE_PROGRAM = Actor("metaclaw-tray", "automatic")
PROGRAM = "program"
"""Where the words of a proposal come from that the program brought."""


def register(db: Db, ours: Sequence[SkillText], now: datetime) -> list[str]:
    """Bring the texts that came with the program into the store, disabled; the names of what changed.

    Where all is there already, nothing is written. No generation begins.
    """
    changes, proposed = [], []
    for content in ours:
        skill = db.get(Skill, content.name)
        if skill is not None and not _wants(db, skill, content):
            continue
        if skill is not None and _touched(db, content.name):
            why = "The program brought a newer text of this built-in skill."
            propose(
                db, op=ProposalOp.UPDATE, skill=skill.name, text=content.text, why=why, now=now, taint=PROGRAM
            )
            proposed.append(content.name)
        else:
            version = next_version(db, content.name)
            after = Standing(SkillState.DISABLED, version, SkillSource.BUILTIN, SkillTrust.TRUSTED)
            changes.append(Change(content.name, after, content))
    if changes:
        settle_all(db, "built-in skills", changes, Cause("register", THE_PROGRAM, now, {}))
    return [*(each.name for each in changes), *proposed]


def _wants(db: Db, skill: Skill, content: SkillText) -> bool:
    """Whether a text of ours is news to a skill that is there."""
    if skill.source != SkillSource.BUILTIN or skill.state == SkillState.RETIRED:
        return False
    kept = select(SkillVersion.version).where(
        SkillVersion.name == skill.name, SkillVersion.digest == content.digest
    )
    made = select(Proposal.id).where(Proposal.skill == skill.name, Proposal.text == content.text)
    return db.exec(kept).first() is None and db.exec(made).first() is None


def _touched(db: Db, name: str) -> bool:
    """Whether somebody besides the program ever decided on a skill."""
    among = func.json_type(Ledger.after, f'$.skills."{name}"').is_not(None)
    query = select(Ledger.id).where(
        or_(col(Ledger.subject) == name, among), Ledger.actor != THE_PROGRAM.actor
    )
    return db.exec(query).first() is not None
