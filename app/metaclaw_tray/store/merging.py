"""Proposals that would put one skill in place of two."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.proposing import decide, propose
from metaclaw_tray.store.tables_library import Proposal, ProposalOp, ProposalState

Pair = tuple[str, str]
"""Two skills by their names, in order."""


def pair_of(one: str, other: str) -> Pair:
    first, second = sorted((one, other))
    return first, second


def mergers(db: Db) -> dict[Pair, Proposal]:
    """The newest proposal to merge each pair, whatever became of it."""
    merging = func.json_array_length(Proposal.merges) > 0
    query = select(Proposal).where(merging).order_by(col(Proposal.created_at), col(Proposal.id))
    return {pair_of(made.skill, name): made for made in db.exec(query) for name in made.merges}


def merged_since(db: Db, moment: datetime) -> bool:
    """Whether somebody, or the app by itself, proposed to merge skills since then."""
    return any(made.created_at >= moment for made in mergers(db).values())


def propose_rewrite(
    db: Db,
    keep: str,
    merges: Sequence[str],
    text: str,
    why: str,
    now: datetime,
    *,
    exchanges: Sequence[str] = (),
    taint: str = "",
    state: ProposalState = ProposalState.PENDING,
    reason: str = "",
) -> str:
    """Store a text in place of a skill, or of it and those that are merged into it; the proposal's id. One to
    merge the same pair that waits gives way to it."""
    for other in merges:
        before = mergers(db).get(pair_of(keep, other))
        if before is not None and before.state == ProposalState.PENDING:
            decide(db, before, ProposalState.REFUSED, now, "written anew")
    return propose(
        db, op=ProposalOp.UPDATE, skill=keep, text=text, why=why, now=now, merges=merges,
        exchanges=exchanges, state=state, reason=reason, taint=taint,
    )  # fmt: skip
