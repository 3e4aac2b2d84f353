"""Counts for listings and the status: named queries that add up, and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables import (
    Claim,
    ClaimUse,
    Evidence,
    Exchange,
    Injection,
    Proposal,
    ProposalState,
    Skill,
    SkillState,
    Turn,
    Verdict,
)


@dataclass(frozen=True)
class GenerationFigures:
    """What the exchanges that were made under one generation are used for."""

    support: int = 0
    query: int = 0  # scored and claimed for nothing
    holdout: int = 0


@dataclass(frozen=True)
class Totals:
    """The figures of the status."""

    turns: int
    active_skills: int
    pending_proposals: int


def generation_figures(db: Db, numbers: Sequence[int]) -> dict[int, GenerationFigures]:
    """The figures of these generations."""
    claimed: dict[int, dict[str, int]] = {}
    rows = db.exec(
        select(Exchange.generation, Claim.use, func.count())
        .join(Claim, col(Claim.exchange_id) == col(Exchange.id))
        .where(col(Exchange.generation).in_(numbers))
        .group_by(col(Exchange.generation), col(Claim.use))
    )
    for generation, use, count in rows:
        claimed.setdefault(generation, {})[use] = count
    queries = dict(
        db.exec(
            select(Exchange.generation, func.count(func.distinct(Exchange.id)))
            .join(Verdict, col(Verdict.exchange_id) == col(Exchange.id))
            .outerjoin(Claim, col(Claim.exchange_id) == col(Exchange.id))
            .where(
                col(Exchange.generation).in_(numbers),
                col(Claim.exchange_id).is_(None),
                col(Verdict.score).is_not(None),
            )
            .group_by(col(Exchange.generation))
        ).all()
    )
    return {
        number: GenerationFigures(
            support=claimed.get(number, {}).get(ClaimUse.SUPPORT, 0),
            query=queries.get(number, 0),
            holdout=sum(
                claimed.get(number, {}).get(use, 0)
                for use in (ClaimUse.HOLDOUT_SKILL, ClaimUse.HOLDOUT_POLICY)
            ),
        )
        for number in numbers
    }


def session_counts(db: Db, session_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Exchanges and turns of these sessions."""
    turns = dict(
        db.exec(
            select(Turn.session_id, func.count())
            .where(col(Turn.session_id).in_(session_ids))
            .group_by(col(Turn.session_id))
        ).all()
    )
    exchanges = dict(
        db.exec(
            select(Exchange.session_id, func.count())
            .where(col(Exchange.session_id).in_(session_ids))
            .group_by(col(Exchange.session_id))
        ).all()
    )
    return {each: (exchanges.get(each, 0), turns.get(each, 0)) for each in session_ids}


def skill_uses(db: Db, name: str) -> int:
    """How many exchanges any version of the skill was put in front of."""
    skills = func.json_each(Injection.skills).table_valued("value")
    query = (
        select(func.count())
        .select_from(Injection)
        .join(skills, func.substr(skills.c.value, 1, len(name) + 1) == f"{name}@")
    )
    return db.exec(query).one()


def evidence_of(db: Db, exchange_id: str) -> list[Evidence]:
    """All that says how an exchange went, oldest first."""
    query = select(Evidence).where(Evidence.exchange_id == exchange_id)
    return list(db.exec(query.order_by(col(Evidence.at), col(Evidence.id))))


def totals(db: Db) -> Totals:
    """The figures of the status."""

    def count(table: type, *where: object) -> int:
        return int(db.exec(select(func.count()).select_from(table).where(*where)).one())  # type: ignore[arg-type]

    return Totals(
        turns=count(Turn),
        active_skills=count(Skill, Skill.state == SkillState.ACTIVE),
        pending_proposals=count(Proposal, Proposal.state == ProposalState.PENDING),
    )
