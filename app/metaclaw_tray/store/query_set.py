"""In which set an exchange is, and why: what teaches skills, what is kept aside, what may train the policy.

The *query set* of a generation is what training prompts come from. An exchange is in it only if it was
scored, is claimed for nothing and on no path that is claimed for another use, waits for no evolver, lies in
no share that is kept aside to measure on, and no skill was withheld from it, nor before it on its path, where
the skill's block would stand: then it was made with the library live.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store import claims
from metaclaw_tray.store.claims import Bars
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.lessons import Reserved, reserved
from metaclaw_tray.store.tables import ClaimUse, Exchange

QUERY = "query"

_FACTS = """
SELECT exchange.id, exchange.generation, exchange.opening, exchange.lineage, claim.use, claim.run_id,
    max(verdict.score IS NOT NULL AND NOT verdict.transient),
    withheld.skill
FROM exchange
LEFT JOIN claim ON claim.exchange_id = exchange.id
LEFT JOIN withheld ON withheld.session_id = exchange.session_id
    AND instr(exchange.lineage, lower(hex(substr(withheld.anchor, 1, 8)))) > 0
LEFT JOIN verdict ON verdict.exchange_id = exchange.id
"""
_OF_GENERATIONS = "WHERE exchange.generation IN (SELECT value FROM json_each(:wanted)) GROUP BY exchange.id"
_OF_EXCHANGES = "WHERE exchange.id IN (SELECT value FROM json_each(:wanted)) GROUP BY exchange.id"
_USES = {
    ClaimUse.SUPPORT: "support: it taught a skill (run {run}), and is used for nothing else, ever",
    ClaimUse.TRAIN: "train: it trained the policy (job {run}), and is used for nothing else, ever",
    ClaimUse.HOLDOUT_SKILL: "holdout: a skill was measured on it ({run}); it teaches and trains nothing",
    ClaimUse.HOLDOUT_POLICY: "holdout: an adapter was measured on it ({run}); it teaches and trains nothing",
}
_SHARES = {
    ClaimUse.HOLDOUT_SKILL: "it lies in the share that is kept aside to measure skills on",
    ClaimUse.HOLDOUT_POLICY: "it lies in the share that is kept aside to measure adapters on",
}


@dataclass(frozen=True)
class Placed:
    """The set of one exchange: support, train, holdout, reserved, withheld, barred, unscored or query."""

    exchange_id: str
    generation: int
    set: str
    why: str


@dataclass(frozen=True)
class _Facts:
    exchange_id: str
    generation: int
    opening: bytes
    lineage: str
    use: str | None
    run_id: str | None
    scored: bool | None
    withheld: str | None


def placed(db: Db, exchange_ids: Sequence[str], now: datetime) -> dict[str, Placed]:
    """The sets of these exchanges."""
    return {each.exchange_id: each for each in _places(db, _OF_EXCHANGES, list(exchange_ids), now)}


def why_in_set(db: Db, exchange_id: str, now: datetime) -> tuple[str, str]:
    """The set of one exchange and the reason, in words; two empty ones where there is no such exchange."""
    found = placed(db, [exchange_id], now).get(exchange_id)
    return (found.set, found.why) if found else ("", "")


def newest_of(db: Db, generation: int, limit: int, now: datetime) -> list[Placed]:
    """The newest exchanges of a generation with their sets, newest first."""
    newest = select(Exchange.id).where(Exchange.generation == generation)
    ids = list(
        db.exec(newest.order_by(col(Exchange.started_at).desc(), col(Exchange.id).desc()).limit(limit))
    )
    found = placed(db, ids, now)
    return [found[each] for each in ids]


def query_set(db: Db, generation: int, now: datetime) -> list[str]:
    """The exchanges of a generation that training prompts may come from, oldest first."""
    found = _places(db, _OF_GENERATIONS, [generation], now)
    return sorted(each.exchange_id for each in found if each.set == QUERY)


def set_counts(db: Db, generations: Sequence[int], now: datetime) -> dict[int, Counter[str]]:
    """How many exchanges of these generations are in which set."""
    counts: dict[int, Counter[str]] = {number: Counter() for number in generations}
    for each in _places(db, _OF_GENERATIONS, list(generations), now):
        counts[each.generation][each.set] += 1
    return counts


def _places(db: Db, where: str, wanted: Sequence[str | int], now: datetime) -> list[Placed]:
    rows = db.execute(text(_FACTS + where), {"wanted": json.dumps(wanted)})
    bars = claims.bars(db, ClaimUse.TRAIN)
    kept = {each.exchange_id: each for each in reserved(db, now)}
    return [_place(_Facts(*row), bars, kept) for row in rows]


def _place(facts: _Facts, bars: Bars, kept: Mapping[str, Reserved]) -> Placed:
    name, why = _set_of(facts, bars, kept.get(facts.exchange_id))
    return Placed(facts.exchange_id, facts.generation, name, why)


def _set_of(facts: _Facts, bars: Bars, kept: Reserved | None) -> tuple[str, str]:
    """The first thing that settles it: what was done with it stands before what may be done."""
    if facts.use is not None:
        name, _, why = _USES[ClaimUse(facts.use)].partition(": ")
        return name, why.format(run=facts.run_id)
    if facts.withheld is not None:
        return "withheld", f"a trial withheld “{facts.withheld}”, so it was not made with the whole library"
    if bars.bar(facts.opening, facts.lineage):
        return "barred", "another exchange on its path is claimed, so that it would be learnt from twice"
    if kept is not None:
        return "reserved", f"{kept.reason}, until {kept.until:%Y-%m-%d %H:%M} UTC"
    share = share_of(facts.lineage)
    if share is not None:
        return "holdout", _SHARES[share]
    if not facts.scored:
        return "unscored", "no turn of it has a verdict that tells anything"
    return QUERY, "it was scored, is nobody's support, and was made with the library live"
