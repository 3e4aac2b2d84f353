"""Texts on their way into the library: checked here, then handed to the store's decisions.

What is stored is always a SKILL.md that the specification allows. A text that already is one is stored as it
stands; any other is written anew, and what changed is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.block import check_content, check_learnt, check_seen, too_long
from metaclaw_tray.skills.folder import OutsideChange
from metaclaw_tray.skills.markdown import Skill, conform, problems, read_skill, write_skill
from metaclaw_tray.store import decisions, library, trials
from metaclaw_tray.store.decisions import Actor, Changed, DecisionError
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import Proposal, ProposalOp, SkillSource


@dataclass(frozen=True)
class Checked:
    """A text ready for the library, and what the person should know about it."""

    content: SkillText
    skill: Skill
    warnings: tuple[str, ...]


def check_text(source: bytes | str, where: str, folder: str = "") -> Checked:
    """Read a SKILL.md and bring it into the form that is stored.

    Raises SkillError where it cannot be read, or may not be shown to a model.
    """
    skill = read_skill(source, where, folder)
    text = source if isinstance(source, str) else source.decode("utf-8")
    if skill.warnings or problems(skill) or "\r" in text or text.startswith("\ufeff"):
        skill = conform(skill)
        text = write_skill(skill)
    check_content(skill.name, skill.body)
    check_seen(skill.name, "\n".join([skill.description, *skill.triggers]))
    reason = too_long(skill.body)
    warnings = (*skill.warnings, *([reason] if reason else []))
    return Checked(SkillText(skill.name, skill.description, text), skill, warnings)


def check_learnt_text(source: str, name: str) -> Checked:
    """`check_text` for what learning proposes, or what the person made of it: also short enough, and still
    the skill `name`."""
    checked = check_text(source, name)
    if checked.skill.name != name:
        raise SkillError(
            "The skill was renamed",
            f"The proposal is for “{name}”, its text says “{checked.skill.name}”.",
            f"Keep the line “name: {name}”; a skill of another name is added with `skills add`.",
        )
    check_learnt(name, checked.skill.body)
    return checked


def add_text(
    session: Session,
    source: bytes | str,
    where: str,
    folder: str,
    who: Actor,
    now: datetime,
    origin: SkillSource = SkillSource.PERSON,
) -> tuple[Changed, tuple[str, ...]]:
    """Take in a skill that somebody brings; gives what changed and the warnings.

    Raises SkillError, or DecisionError where the library holds exactly this already.
    """
    checked = check_text(source, where, folder)
    trusted = origin in (SkillSource.PERSON, SkillSource.BUILTIN)
    trust = decisions.SkillTrust.TRUSTED if trusted else decisions.SkillTrust.REVIEWED
    changed = decisions.add_skill(session, checked.content, who, now, source=origin, trust=trust)
    return changed, checked.warnings


def approve(
    session: Session, proposal_id: str, who: Actor, now: datetime, edited_text: str | None = None
) -> Changed:
    """Approve a proposal, as it stands or as the person edited it.

    Raises SkillError where the text may not become a skill, NotFoundError, DecisionError.
    """
    proposal = library.proposal(session, proposal_id).proposal
    content = _content_for(proposal, proposal.text if edited_text is None else edited_text)
    edited = edited_text is not None
    return decisions.approve(session, proposal_id, who, now, content, edited=edited)


def start_trial(session: Session, proposal_id: str, sessions: int, who: Actor, now: datetime) -> Changed:
    """Let a proposal take effect in every other eligible session, for so many of them.

    Raises SkillError, NotFoundError, DecisionError.
    """
    proposal = library.proposal(session, proposal_id).proposal
    content = _content_for(proposal, proposal.text)
    if content is None:
        raise DecisionError("Nothing to try", f"The proposal would retire “{proposal.skill}”.")
    return trials.start(session, proposal_id, sessions, who, now, content)[1]


def checked_for(session: Session, proposal_id: str, text: str) -> str:
    """The text that would be stored if a proposal were approved with this one.

    Raises SkillError, NotFoundError, or DecisionError where it would retire a skill.
    """
    proposal = library.proposal(session, proposal_id).proposal
    content = _content_for(proposal, text)
    if content is None:
        raise DecisionError("Nothing to edit", f"The proposal would retire “{proposal.skill}”.")
    return content.text


def _content_for(proposal: Proposal, text: str) -> SkillText | None:
    """What is stored of this text for a proposal; None for one that retires."""
    if not proposal.text:
        return None
    if proposal.op != ProposalOp.OUTSIDE:
        return check_learnt_text(text, proposal.skill).content
    checked = check_text(text, proposal.skill, proposal.skill)
    if checked.content.name == proposal.skill:
        return checked.content
    renamed = conform(replace(checked.skill, name=proposal.skill))  # the folder's name is the skill's name
    return SkillText(renamed.name, renamed.description, write_skill(renamed))


def propose_outside(session: Session, changes: Iterable[OutsideChange], now: datetime) -> list[str]:
    """Turn what was changed in the skills folder into proposals, once each; gives their ids."""
    return [
        decisions.propose(
            session,
            op=ProposalOp.OUTSIDE,
            skill=change.name,
            text=change.text,
            why=change.why,
            now=now,
        )
        for change in changes
        if change.is_proposal
    ]
