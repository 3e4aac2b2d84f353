"""What each exchange is used for: once, and for ever.

The rules are held by the database (schema.sql): claims are only inserted, one per exchange, and no two
exchanges on one path serve two uses. These functions say in words what the triggers refuse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store.tables import Claim, ClaimUse, Exchange, tag


class ClaimConflictError(Exception):
    """An exchange, or one on its path, is claimed already. Nothing of the transaction may stand."""

    def __init__(self, exchange_id: str, said: str) -> None:
        super().__init__(f"{exchange_id}: {said}")
        self.exchange_id = exchange_id


def claim(session: Session, exchange_ids: Sequence[str], use: ClaimUse, run_id: str, now: datetime) -> None:
    """Claim the exchanges for one use, in the transaction that starts the run.

    Raises ClaimConflictError where one is taken (let it end the transaction), NotFoundError where one is
    unknown.
    """
    for exchange_id in exchange_ids:
        exchange = session.get(Exchange, exchange_id)
        if exchange is None:
            raise NotFoundError("No such exchange", exchange_id, "`metaclaw-tray turns list` shows them.")
        session.add(
            Claim(
                exchange_id=exchange_id,
                use=use,
                opening=tag(exchange.opening),
                lineage=exchange.lineage,
                run_id=run_id,
                at=now,
            )
        )
        try:
            session.flush()
        except IntegrityError as error:
            raise ClaimConflictError(exchange_id, str(error.orig)) from error


def use_of(session: Session, exchange_id: str) -> ClaimUse | None:
    """What the exchange is used for, if anything."""
    found = session.get(Claim, exchange_id)
    return ClaimUse(found.use) if found else None


@dataclass(frozen=True)
class Bars:
    """The paths on which claims for other uses stand, as tags of opening nodes."""

    claimed: frozenset[str]  # openings of the claimed exchanges
    passed: frozenset[str]  # these, and all openings above them

    @classmethod
    def of(cls, exchanges: Iterable[tuple[str, str]]) -> Bars:
        """The bars of these exchanges: the tag of each one's opening, and its lineage."""
        found = list(exchanges)
        return cls(
            claimed=frozenset(opening for opening, _ in found),
            passed=frozenset(each for _, lineage in found for each in lineage.split("/")),
        )

    def bar(self, opening: bytes, lineage: str) -> bool:
        """True where such a claim stands on the exchange's path, before or after it."""
        return tag(opening) in self.passed or not self.claimed.isdisjoint(lineage.split("/"))


def bars(session: Session, use: ClaimUse) -> Bars:
    """What must not be claimed for `use`, read once for as many exchanges as are asked about."""
    others = session.exec(select(Claim.opening, Claim.lineage).where(col(Claim.use) != use)).all()
    return Bars.of(others)
