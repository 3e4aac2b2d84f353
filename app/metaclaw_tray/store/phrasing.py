"""What trigger phrases are made of: exchanges, which teach a skill by that, and train nothing from then on.

A phrase is cut out of what the person asked, so an exchange that gives one is support like those that the
evolver learns from. The database holds it: no proposal with a text refers to an exchange that is not claimed
as support (`OF_SUPPORT`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select as columns
from sqlalchemy import text
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store import claims
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.tables import TEACHES, Claim, ClaimUse, Due, Exchange, Turn, Verdict

_NO_SUPPORT = """
    SELECT 1 FROM json_each(NEW.exchanges) AS source
    JOIN exchange ON exchange.id = source.value
    LEFT JOIN claim ON claim.exchange_id = exchange.id
    WHERE claim.use IS NOT 'support'
"""
OF_SUPPORT = "".join(
    f"""
CREATE TRIGGER proposal_{name} BEFORE {event} ON proposal
WHEN NEW.text <> '' AND EXISTS ({_NO_SUPPORT})
BEGIN
    SELECT RAISE(ABORT, 'what a proposal is made of has to be claimed as support first');
END;
"""
    for name, event in (("is_of_support", "INSERT"), ("stays_of_support", "UPDATE OF exchanges, text"))
)

# Phrases that were proposed before this was held: what gave them is claimed, where nothing stands against it;
# what waits and cannot be held to it is withdrawn.
EARLIER = f"""
INSERT INTO claim (exchange_id, use, opening, lineage, run_id, at)
SELECT exchange.id, 'support', lower(hex(substr(exchange.opening, 1, 8))), exchange.lineage,
    'phrases for ' || proposal.skill, proposal.created_at
FROM proposal, json_each(proposal.exchanges) AS source
JOIN exchange ON exchange.id = source.value
WHERE proposal.run_id IS NULL AND proposal.op = 'update' AND proposal.text <> '' AND NOT EXISTS (
    SELECT 1 FROM claim AS other
    WHERE other.exchange_id = exchange.id
       OR other.use <> 'support' AND (
            instr(exchange.lineage, other.opening) > 0
            OR instr(other.lineage, lower(hex(substr(exchange.opening, 1, 8)))) > 0
       )
)
GROUP BY exchange.id;
UPDATE proposal
SET state = 'refused', reason = 'what it was made of is used for something else', decided_at = created_at
WHERE state = 'pending' AND text <> '' AND EXISTS ({_NO_SUPPORT.replace("NEW", "proposal")});
"""  # noqa: S608 - of constants


def may_give(db: Db, exchange_ids: Sequence[str]) -> set[str]:
    """Those of these exchanges that phrases may be made of: what is support already, and what is kept for
    nothing else. Not for what is kept aside to measure on, what trained or was measured on and all of its
    path, nor for what may still teach the evolver a rule: one exchange is claimed once."""
    bars = claims.bars(db, ClaimUse.SUPPORT)
    rows = db.execute(
        columns(Exchange, col(Claim.use))
        .outerjoin(Claim, col(Claim.exchange_id) == col(Exchange.id))
        .where(col(Exchange.id).in_(exchange_ids))
    )
    waiting = _waiting(db, exchange_ids)
    return {
        exchange.id
        for exchange, use in rows
        if use == ClaimUse.SUPPORT
        or (
            use is None
            and exchange.id not in waiting
            and share_of(exchange.lineage) is None
            and not bars.bar(exchange.opening, exchange.lineage)
        )
    }


def claim_sources(db: Db, exchange_ids: Sequence[str], purpose: str, now: datetime) -> None:
    """Claim as support what is not yet, in the transaction that proposes the phrases. Raises
    ClaimConflictError where one was claimed for something else meanwhile."""
    fresh = [each for each in exchange_ids if claims.use_of(db, each) is not ClaimUse.SUPPORT]
    claims.claim(db, fresh, ClaimUse.SUPPORT, purpose, now)


def _waiting(db: Db, exchange_ids: Sequence[str]) -> set[str]:
    """Those that went wrong, or hold a standing instruction, or were not judged yet."""
    taught = select(Verdict.exchange_id).where(
        col(Verdict.exchange_id).in_(exchange_ids), ~col(Verdict.transient), text(f"({TEACHES})")
    )
    due = (
        select(Turn.exchange_id)
        .join(Due, col(Due.turn_id) == col(Turn.id))
        .where(col(Turn.exchange_id).in_(exchange_ids))
    )
    return {each for each in (*db.exec(taught), *db.exec(due)) if each is not None}
