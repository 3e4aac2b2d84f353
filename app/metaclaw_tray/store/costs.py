"""What agents and learning cost, added up: by day, agent, model or purpose.

Turns are added up as they end (`DayCost`), so a month of a million turns is read in some hundred rows; calls
of learning are few, and found by their time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Integer, Select, case, func, literal, literal_column, select
from sqlmodel import Session, col

from metaclaw_tray.prices import Tokens
from metaclaw_tray.store.tables import DayCost, Spend

By = Literal["day", "agent", "model", "purpose"]

_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Figures:
    """Calls that have the same key, the same upstream, and a price or none."""

    key: str  # a day as 2026-03-03, an agent, upstream/model, or a purpose
    upstream: str
    priced: bool  # whether their price was known when they were made
    calls: int
    estimated: int  # calls whose tokens the upstream did not count
    unsettled: int  # calls that count in full because their end is not known
    tokens: Tokens
    usd: float


def turn_costs(session: Session, by: By, now: datetime, *, days: int) -> list[Figures]:
    """What the turns of the last days cost, today among them; by purpose they are main or side."""
    return _figures(session, _turns(by, now, days), by)


def call_costs(session: Session, by: By, now: datetime, *, days: int) -> list[Figures]:
    """What the calls of learning cost. They belong to no agent: by agent all are one."""
    return _figures(session, _calls(by, now, days), by)


def statements(by: By, now: datetime, *, days: int) -> Sequence[Select[Any]]:
    """What the two ask."""
    return _turns(by, now, days), _calls(by, now, days)


def _turns(by: By, now: datetime, days: int) -> Select[Any]:
    keys: dict[By, Any] = {
        "day": col(DayCost.day),
        "agent": col(DayCost.agent),
        "model": col(DayCost.upstream) + "/" + col(DayCost.model),
        "purpose": col(DayCost.kind),
    }
    key = keys[by].label("key")
    sums = [
        func.sum(each)
        for each in (
            DayCost.turns,
            DayCost.estimated,
            literal(0),
            DayCost.input_tokens,
            DayCost.cached_tokens,
            DayCost.output_tokens,
            DayCost.cache_write_tokens,
            DayCost.cache_write_hour_tokens,
            DayCost.reasoning_tokens,
            DayCost.usd,
        )
    ]
    first = (_first(now, days) - _EPOCH) // _DAY
    return (
        select(key, col(DayCost.upstream), col(DayCost.priced), *sums)
        .where(col(DayCost.day) >= first)
        .group_by(key, col(DayCost.upstream), col(DayCost.priced))
        .having(func.sum(DayCost.turns) > 0)
        .order_by(key)
    )


def _calls(by: By, now: datetime, days: int) -> Select[Any]:
    keys: dict[By, Any] = {
        "day": literal_column("spend.at / 86400000000", Integer),
        "agent": literal("learning"),
        "model": case(
            (col(Spend.upstream) == "", col(Spend.model)), else_=col(Spend.upstream) + "/" + col(Spend.model)
        ),
        "purpose": col(Spend.purpose),
    }
    key = keys[by].label("key")
    sums = [
        func.sum(each)
        for each in (
            literal(1),
            literal(0),
            case((col(Spend.settled_usd).is_(None), 1), else_=0),
            Spend.input_tokens,
            Spend.cached_tokens,
            Spend.output_tokens,
            Spend.cache_write_tokens,
            literal(0),
            Spend.reasoning_tokens,
            func.coalesce(Spend.settled_usd, Spend.reserved_usd),
        )
    ]
    return (
        select(key, col(Spend.upstream), literal(1), *sums)
        .where(col(Spend.at) >= _first(now, days))
        .group_by(key, col(Spend.upstream))
        .order_by(key)
    )


def _first(now: datetime, days: int) -> datetime:
    """The beginning of the first of so many days, the last of which is today."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days - 1)


def _figures(session: Session, statement: Select[Any], by: By) -> list[Figures]:
    return [
        Figures(
            key=(_EPOCH + key * _DAY).date().isoformat() if by == "day" else key,
            upstream=upstream,
            priced=bool(priced),
            calls=calls,
            estimated=estimated,
            unsettled=unsettled,
            tokens=Tokens(*tokens),
            usd=usd,
        )
        for key, upstream, priced, calls, estimated, unsettled, *tokens, usd in session.connection().execute(
            statement
        )
    ]
