"""What learning may cost: reserved before a call, settled after it, in transactions.

A reservation that was never settled (the program was killed in the middle of the call) counts in full, for it
may have been charged. Days and months are those of UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, select

from metaclaw_tray.errors import LearningError
from metaclaw_tray.ids import new_id
from metaclaw_tray.prices import Tokens
from metaclaw_tray.store.tables import Spend

_COUNTED = func.coalesce(Spend.settled_usd, Spend.reserved_usd)


@dataclass(frozen=True)
class Caps:
    """What may be spent, in USD."""

    day_usd: float
    month_usd: float


def spent_since(session: Session, start: datetime) -> float:
    """USD since a moment: what was settled, and in full what was only reserved."""
    return float(session.exec(select(func.coalesce(func.sum(_COUNTED), 0.0)).where(Spend.at >= start)).one())


def spent_today(session: Session, now: datetime) -> float:
    return spent_since(session, now.replace(hour=0, minute=0, second=0, microsecond=0))


def spent_this_month(session: Session, now: datetime) -> float:
    return spent_since(session, _month(now))


def since(session: Session, start: datetime) -> tuple[int, float]:
    """The calls since a moment, and what they cost in USD."""
    calls = session.exec(select(func.count()).select_from(Spend).where(Spend.at >= start)).one()
    return calls, spent_since(session, start)


def left(session: Session, caps: Caps, now: datetime) -> float:
    """USD that the tighter of the caps leaves."""
    return max(
        0.0,
        min(caps.day_usd - spent_today(session, now), caps.month_usd - spent_this_month(session, now)),
    )


def paid_for(session: Session, purpose: str, since: datetime) -> float:
    """USD that calls for one purpose came to since a moment, counted as under the caps."""
    counted = select(func.coalesce(func.sum(_COUNTED), 0.0))
    return float(session.exec(counted.where(Spend.at >= since, Spend.purpose == purpose)).one())


def reserve(
    session: Session, purpose: str, upstream: str, model: str, usd: float | None, caps: Caps, now: datetime
) -> str:
    """Reserve what a call may cost and give the reservation's id. `usd` is None where no price is known.

    Raises LearningError where it would pass a cap: an unknown price counts as over it, nothing is not.
    """
    if usd is None:
        raise LearningError(
            "The price is not known",
            f"What {model} costs is not known, so a call counts as over the cap.",
            f"Give its prices: `metaclaw-tray config set upstreams.{upstream}.input_usd_per_million …`, and "
            f"output_usd_per_million.",
        )
    for span, spent, cap in (
        ("day", spent_today(session, now), caps.day_usd),
        ("month", spent_this_month(session, now), caps.month_usd),
    ):
        if usd > 0 and spent + usd > cap:
            raise LearningError(
                "The cap is reached",
                f"{spent:.4f} of {cap:.2f} USD are spent this {span}; the next call may cost {usd:.4f}.",
                f"Learning goes on when the {span} is over, or raise budget.{span}_usd.",
            )
    made = Spend(id=new_id(now), purpose=purpose, upstream=upstream, model=model, reserved_usd=usd, at=now)
    session.add(made)
    session.flush()
    return made.id


def settle(session: Session, spend_id: str, usd: float, tokens: Tokens) -> None:
    """Say what the call came to."""
    found = session.get(Spend, spend_id)
    if found is not None:
        found.settled_usd = usd
        found.input_tokens, found.output_tokens = tokens.input, tokens.output
        found.cached_tokens, found.cache_write_tokens = tokens.cached, tokens.cache_write
        found.reasoning_tokens = tokens.reasoning
        session.add(found)


def _month(now: datetime) -> datetime:
    return now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
