"""Counts for listings and the status: named queries that add up, and change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.offering import count_offered
from metaclaw_tray.store.query_set import QUERY, set_counts
from metaclaw_tray.store.tables import Evidence, Exchange, Injection, Turn
from metaclaw_tray.store.tables_library import Skill, SkillState


@dataclass(frozen=True)
class GenerationFigures:
    """What the exchanges that were made under one generation are used for."""

    support: int = 0
    query: int = 0  # of the query set (`store.query_set`)
    holdout: int = 0  # kept aside to measure on
    sets: Mapping[str, int] = field(default_factory=dict)  # all sets, these three among them


@dataclass(frozen=True)
class Totals:
    """The figures of the status."""

    turns: int
    active_skills: int
    pending_proposals: int  # that are put before the person


def generation_figures(db: Db, numbers: Sequence[int], now: datetime) -> dict[int, GenerationFigures]:
    """The figures of these generations."""
    counts = set_counts(db, numbers, now)
    return {
        number: GenerationFigures(
            support=counts[number]["support"],
            query=counts[number][QUERY],
            holdout=counts[number]["holdout"],
            sets=counts[number],
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


def totals(db: Db, now: datetime) -> Totals:
    """The figures of the status."""

    def count(table: type, *where: object) -> int:
        return int(db.exec(select(func.count()).select_from(table).where(*where)).one())  # type: ignore[arg-type]

    return Totals(
        turns=count(Turn),
        active_skills=count(Skill, Skill.state == SkillState.ACTIVE),
        pending_proposals=count_offered(db, now),
    )
