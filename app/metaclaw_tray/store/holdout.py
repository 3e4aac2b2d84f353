"""Two fixed shares of all conversations, kept aside to measure on: one for skills, one for adapters.

Which share an exchange is in is decided by where its conversation began, by hash: for ever, and for a whole
path at once, since a claim bars all of its path from any other use. What lies in a share teaches nothing and
trains nothing. One thing goes before it: a standing instruction teaches wherever it was given, for a person
who says how it has to be done must not be overheard by lot; it is then support, and no longer held out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import select as columns
from sqlmodel import Session, col, select

from metaclaw_tray.store import claims, corrections
from metaclaw_tray.store.claims import Bars
from metaclaw_tray.store.tables import Claim, ClaimUse, Exchange, Message, Node, Verdict, tag
from metaclaw_tray.wire.said import persons_text

PERCENT = 10
"""Of all conversations, in each of the two shares."""

_LOOKED_AT = 2000  # newest exchanges
_HUNDRED = 100
_SHARES = {ClaimUse.HOLDOUT_SKILL: range(PERCENT), ClaimUse.HOLDOUT_POLICY: range(PERCENT, 2 * PERCENT)}


@dataclass(frozen=True)
class Candidate:
    """An exchange that may be measured on."""

    exchange_id: str
    words: str  # with which the person opened it
    score: int | None  # the worst verdict on its turns; None where none was scored
    kind: str  # of the failure, where it is one
    said: str  # what they said about the answer, where it is a failure
    held_out: bool  # it lies in the share that is kept aside for skills
    at: datetime


def share_of(lineage: str) -> ClaimUse | None:
    """The share that an exchange of this lineage lies in, if any."""
    root = lineage.split("/", 1)[0]
    place = int.from_bytes(hashlib.sha256(b"holdout " + root.encode()).digest()[:8], "big") % _HUNDRED
    return next((use for use, places in _SHARES.items() if place in places), None)


def candidates(session: Session) -> list[Candidate]:
    """What a skill may be measured on, oldest first: of the newest exchanges those that are claimed for
    nothing or for just this, are on no path of another use, and are not kept aside for adapters.

    Those outside the share are among them: good ones serve to see whether a skill does harm. One in which a
    standing instruction was given waits to teach it, and with it all of its path. One that opens with a
    remark about an answer is no request; it belongs to the one that the remark is about.
    """
    bars, teaching = claims.bars(session, ClaimUse.HOLDOUT_SKILL), _told_how(session)
    free = [
        (exchange, share)
        for exchange, use in session.execute(
            columns(Exchange, col(Claim.use))
            .outerjoin(Claim, col(Claim.exchange_id) == col(Exchange.id))
            .order_by(col(Exchange.started_at).desc())
            .limit(_LOOKED_AT)
        )
        if use in (None, ClaimUse.HOLDOUT_SKILL)
        and (use is not None or not teaching.bar(exchange.opening, exchange.lineage))
        and (share := share_of(exchange.lineage)) is not ClaimUse.HOLDOUT_POLICY
        and not bars.bar(exchange.opening, exchange.lineage)
    ]
    verdicts = _verdicts(session, [exchange.id for exchange, _ in free])
    wanted = [
        (exchange, share, *verdicts.get(exchange.id, (None, "")))
        for exchange, share in reversed(free)
        if share is not None or verdicts.get(exchange.id, (None, ""))[0] == 1
    ]
    words = words_at(session, [exchange.opening for exchange, *_ in wanted])
    ids = [exchange.id for exchange, *_ in wanted]
    remarks = corrections.requests_behind(session, ids)
    said = corrections.remarks_on(session, ids, {})
    return [
        Candidate(
            exchange.id,
            words[exchange.opening],
            score,
            kind,
            said.get(exchange.id, "") if score == -1 else "",
            share is not None,
            exchange.started_at,
        )
        for exchange, share, score, kind in wanted
        if words.get(exchange.opening) and exchange.id not in remarks
    ]


def set_aside(session: Session, exchange_ids: Sequence[str], purpose: str, now: datetime) -> list[str]:
    """Claim these for measuring skills, in the transaction that begins it; gives those that may be used.

    One that was set aside before serves again. One that was claimed for something else meanwhile, or lies on
    such a path now, is left out.
    """
    usable, teaching = [], _told_how(session)
    for exchange_id in exchange_ids:
        exchange = session.get(Exchange, exchange_id)
        if exchange is None:
            continue
        use = claims.use_of(session, exchange_id)
        if (
            use is None
            and not teaching.bar(exchange.opening, exchange.lineage)
            and not claims.bars(session, ClaimUse.HOLDOUT_SKILL).bar(exchange.opening, exchange.lineage)
        ):
            claims.claim(session, [exchange_id], ClaimUse.HOLDOUT_SKILL, purpose, now)
            use = ClaimUse.HOLDOUT_SKILL
        if use is ClaimUse.HOLDOUT_SKILL:
            usable.append(exchange_id)
    return usable


def _told_how(session: Session) -> Bars:
    """The paths on which a standing instruction was given that has not taught yet: a claim on any exchange of
    such a path would keep it from teaching for ever."""
    told = (
        select(Exchange.opening, Exchange.lineage)
        .join(Verdict, col(Verdict.exchange_id) == col(Exchange.id))
        .outerjoin(Claim, col(Claim.exchange_id) == col(Exchange.id))
        .where(col(Verdict.instruction) != "", col(Claim.exchange_id).is_(None))
    )
    return Bars.of((tag(opening), lineage) for opening, lineage in session.exec(told))


def _verdicts(session: Session, exchange_ids: Sequence[str]) -> dict[str, tuple[int | None, str]]:
    """The worst score of each exchange, with the kind of that failure; unscored turns say nothing."""
    found: dict[str, tuple[int | None, str]] = {}
    rows = session.exec(
        select(Verdict.exchange_id, Verdict.score, Verdict.kind).where(
            col(Verdict.exchange_id).in_(exchange_ids),
            col(Verdict.score).is_not(None),
            col(Verdict.transient).is_(False),
        )
    )
    for exchange_id, score, kind in rows:
        before = found.get(exchange_id)
        if score is not None and (before is None or before[0] is None or score < before[0]):
            found[exchange_id] = (score, kind)
    return found


def words_at(session: Session, openings: Sequence[bytes]) -> dict[bytes, str]:
    """What the person said in the messages that these nodes stand for."""
    rows = session.execute(
        columns(col(Node.id), col(Message.body))
        .join(Message, col(Message.id) == col(Node.message_id))
        .where(col(Node.id).in_(openings))
    )
    return {node: persons_text(msgspec.json.decode(body)) for node, body in rows}
