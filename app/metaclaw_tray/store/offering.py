"""What is put before the person, and what waits: at most so many proposals of learning a day (UTC).

Changes made outside are no proposals of learning: somebody made them already, so they are shown at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.settings import Review
from metaclaw_tray.store.agreeing import agreed
from metaclaw_tray.store.library import ProposalView, proposals
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.settling import SkillTrust, running_trial
from metaclaw_tray.store.tables_library import (
    GateResult,
    Proposal,
    ProposalOp,
    ProposalState,
    Skill,
    SkillState,
)


def why_waits(made: Proposal, review: Review, now: datetime) -> str:
    """Why a proposal is not put before the person now, as half a sentence; "" where it is, or is decided."""
    if made.state != ProposalState.PENDING:
        return ""
    if made.snoozed_until is not None and made.snoozed_until > now:
        return f"snoozed until {made.snoozed_until:%Y-%m-%d %H:%M} UTC"
    if made.offered_at is not None:
        return ""
    if review.policy == "off":
        return "review.policy is off"
    return f"at most {review.per_day} a day are put before you"


def waiting_in_line(db: Db) -> list[ProposalView]:
    """The pending proposals that were never put before the person: what was measured better first, then the
    oldest."""
    found = [view for view in proposals(db, limit=10_000) if view.proposal.offered_at is None]
    return sorted(found, key=lambda view: (rank(view), view.proposal.created_at, view.proposal.id))


def rank(view: ProposalView) -> int:
    """How soon a proposal deserves to be read; 0 is soonest."""
    if view.gate is not None:
        return 0 if view.gate.outcome == Outcome.BETTER else 1
    return 2


def room_today(db: Db, per_day: int, now: datetime) -> int:
    """How many more proposals may be put before the person on this day."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    shown = select(func.count()).select_from(Proposal)
    shown = shown.where(col(Proposal.offered_at) >= midnight, Proposal.op != ProposalOp.OUTSIDE)
    return max(0, per_day - db.exec(shown).one())


def offer(db: Db, made: Sequence[Proposal], now: datetime) -> list[str]:
    """Put these before the person; their ids."""
    for each in made:
        each.offered_at = now
        db.add(each)
    db.flush()
    return [each.id for each in made]


def offered(db: Db, now: datetime) -> list[str]:
    """The ids of the proposals that stand before the person, oldest first."""
    shown = select(Proposal.id)
    shown = shown.where(Proposal.state == ProposalState.PENDING, col(Proposal.offered_at).is_not(None))
    shown = shown.where(col(Proposal.snoozed_until).is_(None) | (col(Proposal.snoozed_until) <= now))
    return list(db.exec(shown.order_by(col(Proposal.created_at), col(Proposal.id))))


def count_offered(db: Db, now: datetime) -> int:
    """How many proposals stand before the person."""
    return len(offered(db, now))


def policy_agreed(db: Db) -> str:
    """The policy that a person agreed to last (`store.agreeing`)."""
    return str(agreed(db).get("review.policy") or "ask")


def for_the_policy(db: Db, now: datetime) -> list[Proposal]:
    """What the automatic policy approves: an update of a live skill that is trusted, measured better, with no
    part from elsewhere. Never a new skill, a retirement, a merger, or a change made outside."""
    rows = db.exec(
        select(Proposal)
        .join(GateResult, col(GateResult.proposal_id) == col(Proposal.id))
        .join(Skill, col(Skill.name) == col(Proposal.skill))
        .where(
            Proposal.state == ProposalState.PENDING,
            Proposal.op == ProposalOp.UPDATE,
            Proposal.taint == "",
            Proposal.text != "",
            col(GateResult.passed).is_(True),
            GateResult.outcome == Outcome.BETTER,
            Skill.state == SkillState.ACTIVE,
            Skill.trust == SkillTrust.TRUSTED,
            Skill.version == Proposal.base_version,
        )
        .order_by(col(Proposal.created_at), col(Proposal.id))
    )
    return [
        made
        for made in rows
        if not made.merges
        and (made.snoozed_until is None or made.snoozed_until <= now)
        and running_trial(db, made.skill) is None
    ]
