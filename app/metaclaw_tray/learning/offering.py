"""From a line of proposals to what is put before the person today, each thing said once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.learning.alike import adds_nothing, body_of
from metaclaw_tray.settings import Review
from metaclaw_tray.store import library, offering
from metaclaw_tray.store.library import ProposalView
from metaclaw_tray.store.proposing import decide
from metaclaw_tray.store.tables_library import Proposal, ProposalOp, ProposalState


def offer_today(db: Db, review: Review, now: datetime) -> list[str]:
    """Put before the person what there is room for today; the ids. What says the same as another proposal is
    merged into that one first."""
    if review.policy == "off":
        return []
    merge_alike(db, now)
    room = offering.room_today(db, review.per_day, now)
    return offering.offer(db, [view.proposal for view in offering.waiting_in_line(db)[:room]], now)


def merge_alike(db: Db, now: datetime) -> list[str]:
    """Merge each proposal in the line into one that says the same; the ids of those that are gone.

    The one that stays keeps its text, for that is what was measured, and takes over the other's evidence. One
    that owes nothing to a tool or the web is never merged into one that does.
    """
    gone: list[str] = []
    kept = [view for view in library.proposals(db, limit=10_000) if view.proposal.offered_at is not None]
    in_line = sorted(offering.waiting_in_line(db), key=lambda view: bool(view.proposal.taint))
    for view in in_line:
        same = _twin(view, kept)
        if same is None:
            kept.append(view)
            continue
        made = view.proposal
        same.exchanges = [*same.exchanges, *(each for each in made.exchanges if each not in same.exchanges)]
        db.add(same)
        decide(db, made, ProposalState.REFUSED, now, f"merged into {same.id}, which says the same")
        gone.append(made.id)
    db.flush()
    return gone


def _twin(view: ProposalView, others: Sequence[ProposalView]) -> Proposal | None:
    made = view.proposal
    if not _says_something(made):
        return None
    body = body_of(made.text)
    for other in (each.proposal for each in others):
        cleaner = other.taint and not made.taint
        if _says_something(other) and not cleaner and adds_nothing(body, [body_of(other.text)]):
            return other
    return None


def _says_something(made: Proposal) -> bool:
    return bool(made.text) and made.op in (ProposalOp.CREATE, ProposalOp.UPDATE)
