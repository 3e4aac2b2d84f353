"""Named queries for one day: who asked, which notes stood there, how it went, what learning came to.

All look at one day by an index on its time, so what is asked costs what the day holds, not what the record
does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import and_, func, or_, text
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.tables import (
    Exchange,
    Run,
    RunState,
    Spend,
)
from metaclaw_tray.store.tables_library import Proposal, ProposalState

_BEYOND = b"\xff" * 8  # the last node that a tag can stand for ends so
_STEP = 300_000_000  # microseconds: what happens within five minutes is one stretch
_BEGAN = """
SELECT started_at, agent, session_id, lineage FROM exchange
WHERE started_at >= :begin AND started_at < :end ORDER BY started_at
"""
# An anchor is found by its first 8 of 16 bytes, which is a range of its index. All tags come as one value.
_STANDING = """
WITH RECURSIVE tag (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM tag WHERE place + 1 < :count)
SELECT tag.place, injection.session_id, injection.at, injection.skills FROM tag CROSS JOIN injection
WHERE injection.anchor >= substr(:low, tag.place * 8 + 1, 8)
    AND injection.anchor <= substr(:high, tag.place * 16 + 1, 16)
"""
_VERDICTS = """
SELECT count(*), sum(score = 1), sum(score = -1) FROM verdict
WHERE at >= :begin AND at < :end AND score IS NOT NULL AND NOT transient
"""
_WORDS = """
SELECT
    count(DISTINCT CASE WHEN kind IN ('correction', 'repetition') OR (kind = 'feedback' AND value = -1)
        THEN exchange_id END),
    count(DISTINCT CASE WHEN kind = 'thanks' OR (kind = 'feedback' AND value = 1) THEN exchange_id END)
FROM evidence WHERE at >= :begin AND at < :end
"""
_ANSWERING = """
SELECT begun_at / :step, agent, min(begun_at), max(coalesce(ended_at, begun_at)) FROM turn
WHERE begun_at >= :begin AND begun_at < :end AND kind = 'main' GROUP BY 1, 2 ORDER BY 3
"""
_LEARNING = """
SELECT at / :step, purpose, min(at), max(at) FROM spend
WHERE at >= :begin AND at < :end GROUP BY 1, 2 ORDER BY 3
"""
# SQLite gives the other columns of the row that has the maximum.
_ENDED_BADLY = """
SELECT outcome, count(*), error, agent, max(begun_at) FROM turn
WHERE begun_at >= :begin AND begun_at < :end AND outcome NOT IN ('ok', 'open') GROUP BY outcome
"""
_NOTICED = """
SELECT kind, sum(count), reason, subject, max(at) FROM notice
WHERE at >= :begin AND at < :end AND kind NOT IN ('trial', 'automatic') GROUP BY kind ORDER BY max(at)
"""  # a trial that ends and an approval by the policy are news, and told elsewhere
_TURNED_DOWN = (RunState.NOTHING, RunState.REFUSED, RunState.FAILED)


@dataclass(frozen=True)
class Span:
    """The day from its first moment to the first of the next."""

    begin: datetime
    end: datetime


class Stretch(NamedTuple):
    """From one moment to another, somebody was at work."""

    begin: datetime
    end: datetime
    who: str


@dataclass(frozen=True)
class Asked:
    """The exchanges that began in a day."""

    began: list[int]  # when, in microseconds since 1970, oldest first
    agents: list[tuple[str, int]]  # exchanges by agent, the busiest first
    carried: int  # that a note stood in front of
    notes: Counter[str]  # by skill, the exchanges it stood in front of


@dataclass(frozen=True)
class Went:
    """How answers went, by verdicts and by the person's own words of that day."""

    judged: int
    good: int
    bad: int
    corrected: int  # exchanges
    praised: int


@dataclass(frozen=True)
class Fault:
    kind: str
    count: int
    reason: str
    subject: str
    at: datetime


class _Block(NamedTuple):
    session_id: str
    at: int
    skills: set[str]


def asked(db: Db, day: Span) -> Asked:
    """Who asked, and in front of how many exchanges a note stood: one of their own or from before."""
    rows = db.execute(text(_BEGAN), _bounds(day)).all()
    blocks = _blocks(db, {tag for *_, lineage in rows for tag in lineage.split("/")})
    notes: Counter[str] = Counter()
    carried = 0
    for at, _, session_id, lineage in rows:
        stood = (blocks[tag] for tag in lineage.split("/") if tag in blocks)
        names = {name for each in stood for name in _skills(each, session_id, at)}
        notes.update(names)
        carried += bool(names)
    agents = Counter(agent for _, agent, *_ in rows)
    busiest = sorted(agents.items(), key=lambda each: (-each[1], each[0]))
    return Asked([at for at, *_ in rows], busiest, carried, notes)


def went(db: Db, day: Span) -> Went:
    """How answers went."""
    (judged, good, bad), (corrected, praised) = (
        db.execute(text(each), _bounds(day)).one() for each in (_VERDICTS, _WORDS)
    )
    return Went(judged, good or 0, bad or 0, corrected, praised)


def proposals_of(db: Db, day: Span) -> list[Proposal]:
    """The proposals that were made or decided in a day, oldest first."""
    made = and_(col(Proposal.created_at) >= day.begin, col(Proposal.created_at) < day.end)
    decided = and_(col(Proposal.decided_at) >= day.begin, col(Proposal.decided_at) < day.end)
    found = select(Proposal).where(or_(made, decided))
    return list(db.exec(found.order_by(col(Proposal.created_at), col(Proposal.id))))


def runs_of(db: Db, day: Span) -> list[Run]:
    """The runs of the evolver that began in a day, oldest first."""
    began = select(Run).where(col(Run.started_at) >= day.begin, col(Run.started_at) < day.end)
    return list(db.exec(began.order_by(col(Run.started_at), col(Run.id))))


def turned_down(runs: Sequence[Run], proposals: Iterable[Proposal]) -> list[Run]:
    """Those of the runs that ended without a skill to read, and without one that was refused."""
    told = {made.run_id for made in proposals if made.state == ProposalState.REFUSED}
    return [run for run in runs if run.state in _TURNED_DOWN and run.id not in told]


def answering(db: Db, day: Span) -> list[Stretch]:
    """When answers to the agents' work were on their way, by agent."""
    return _stretches(db, _ANSWERING, day)


def learning(db: Db, day: Span) -> list[Stretch]:
    """When learning called its model, by purpose."""
    return _stretches(db, _LEARNING, day)


def costs(db: Db, day: Span) -> list[tuple[str, int, float]]:
    """What learning cost in a day: purpose, calls, USD; the dearest first."""
    usd = func.sum(func.coalesce(Spend.settled_usd, Spend.reserved_usd))
    rows = select(Spend.purpose, func.count(), usd).where(Spend.at >= day.begin, Spend.at < day.end)
    return [(row[0], row[1], row[2]) for row in db.exec(rows.group_by(Spend.purpose).order_by(usd.desc()))]


def faults(db: Db, day: Span) -> list[Fault]:
    """Turns that did not end well, by how they ended, and what else went wrong, by what it was."""
    return [
        Fault(kind, count, reason, subject, _utc(at))
        for each in (_ENDED_BADLY, _NOTICED)
        for kind, count, reason, subject, at in db.execute(text(each), _bounds(day))
    ]


def goes_back_before(db: Db, at: datetime) -> bool:
    """Whether the record holds an exchange from before."""
    return db.exec(select(Exchange.id).where(col(Exchange.started_at) < at).limit(1)).first() is not None


def _blocks(db: Db, tags: Collection[str]) -> dict[str, list[_Block]]:
    """The blocks that are anchored at openings, by the opening's tag."""
    lows = sorted(bytes.fromhex(tag) for tag in tags)
    values = {
        "count": len(lows),
        "low": b"".join(lows),
        "high": b"".join(low + _BEYOND for low in lows),
    }
    found: dict[str, list[_Block]] = {}
    for place, session_id, at, skills in db.execute(text(_STANDING), values) if lows else ():
        names = {name.partition("@")[0] for name in json.loads(skills)}
        found.setdefault(lows[place].hex(), []).append(_Block(session_id, at, names))
    return found


def _skills(blocks: Sequence[_Block], session_id: str, at: int) -> set[str]:
    """Those of the session's own block, else of the latest that another had left there before."""
    own = [each for each in blocks if each.session_id == session_id]
    before = own or sorted((each for each in blocks if each.at <= at), key=lambda each: each.at)
    return before[-1].skills if before else set()


def _stretches(db: Db, statement: str, day: Span) -> list[Stretch]:
    rows = db.execute(text(statement), _bounds(day) | {"step": _STEP})
    return [Stretch(_utc(begin), _utc(end), who) for _, who, begin, end in rows]


def _bounds(day: Span) -> dict[str, int]:
    return {"begin": moment(day.begin), "end": moment(day.end)}


def _utc(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)
