"""Which turns and exchanges somebody wants to see: filters, and lists that go on where the last page ended.

Ids sort by time, so a page is what comes after the last id of the page before. A page looks at a bounded
number of rows, whatever the filters: where few fit it is short, or empty, and says from where to go on.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from metaclaw_tray.ids import first_id
from metaclaw_tray.store.columns import moment

LOOKED_AT = 4_000
"""Rows that one page looks at."""

_SLACK = timedelta(minutes=1)  # between the moment in an id and that of its row
AFTER_ALL = "\U0010ffff"  # sorts after each id

Outcome = Literal["", "good", "bad", "unscored", "failed"]
Skill = Literal["", "any", "none"]
Thumb = Literal["", "any", "up", "down"]

_SCORED = "EXISTS (SELECT 1 FROM verdict WHERE verdict.exchange_id = {id} AND verdict.score {score})"
_CARRIED = (
    "EXISTS (SELECT 1 FROM injection WHERE injection.session_id = asked.session_id"
    " AND injection.skills <> '[]'{named}"
    " AND instr(asked.lineage, lower(hex(substr(injection.anchor, 1, 8)))) > 0)"
)
_NAMED = " AND EXISTS (SELECT 1 FROM json_each(injection.skills) AS carried WHERE carried.value GLOB :skill)"
_THUMBED = (
    "EXISTS (SELECT 1 FROM evidence WHERE evidence.exchange_id = {id} AND evidence.kind = 'feedback'{value})"
)


@dataclass(frozen=True)
class Wanted:
    """What must hold; what is empty is of no matter."""

    kind: Literal["main", "side"] = "main"
    agent: str = ""
    model: str = ""
    outcome: Outcome = ""
    skill: str = ""  # any, none, or the name of one that stood in front
    thumb: Thumb = ""
    since: datetime | None = None
    until: datetime | None = None
    session: str = ""


@dataclass(frozen=True)
class Slice:
    """A part of a list: exchanges, each with the turn that stands for it, the newest first."""

    found: tuple[tuple[str | None, str], ...]  # exchange (None: a side turn of none) and turn
    next: str  # where to go on; "" at the end


@dataclass
class _Query:
    conditions: list[str] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)

    def add(self, condition: str, **given: Any) -> None:
        self.conditions.append(condition)
        self.given |= given

    @property
    def where(self) -> str:
        return " AND ".join(self.conditions) or "1"


def exchanges(connection: sqlite3.Connection, wanted: Wanted, before: str, limit: int) -> Slice:
    """Exchanges with main turns, the newest first, from before an id; "" begins."""
    first, then = _Query(), _Query()
    first.add("id < :before", before=before or AFTER_ALL)
    if wanted.session:
        first.add("session_id = :session", session=wanted.session)
    if wanted.since is not None:
        first.add("id >= :floor", floor=first_id(wanted.since - _SLACK))
    if wanted.until is not None:
        first.add("id < :ceiling", ceiling=first_id(wanted.until + _SLACK))
    if wanted.agent:
        then.add("asked.agent = :agent", agent=wanted.agent)
    _between(then, wanted, "asked.started_at")
    then.add("last IS NOT NULL")
    _of_exchange(then, wanted, "asked.id")
    if wanted.model:
        then.add(
            "EXISTS (SELECT 1 FROM turn WHERE turn.exchange_id = asked.id AND turn.model = :model)",
            model=wanted.model,
        )
    if wanted.outcome == "failed":
        then.add("(SELECT outcome FROM turn WHERE turn.id = last) IN ('failed', 'cut', 'lost')")
    last = "(SELECT max(turn.id) FROM turn WHERE turn.exchange_id = asked.id AND turn.kind = 'main') AS last"
    inner = f"SELECT * FROM exchange WHERE {first.where} ORDER BY id DESC LIMIT :looked"  # noqa: S608
    query = f"SELECT asked.id, {last} FROM ({inner}) AS asked WHERE {then.where} LIMIT :limit"  # noqa: S608
    given = first.given | then.given | {"looked": LOOKED_AT, "limit": limit}
    found = connection.execute(query, given).fetchall()
    if len(found) == limit:
        return Slice(tuple(found), found[-1][0])
    return Slice(tuple(found), _end_of(connection, "exchange", first))


def turns(
    connection: sqlite3.Connection, wanted: Wanted, before: str, limit: int, *, both: bool = False
) -> Slice:
    """Turns of the wanted kind, or of `both`, the newest first, from before an id."""
    first, then = _Query(), _Query()
    first.add("id < :before", before=before or AFTER_ALL)
    if wanted.session:
        first.add("session_id = :session", session=wanted.session)
    _between(then, wanted, "turn.begun_at")
    of_turn(then, wanted, both=both)
    inner = f"SELECT * FROM turn WHERE {first.where} ORDER BY id DESC LIMIT :looked"  # noqa: S608
    query = (
        "SELECT turn.exchange_id, turn.id"  # noqa: S608
        f" FROM ({inner}) AS turn LEFT JOIN exchange AS asked ON asked.id = turn.exchange_id"
        f" WHERE {then.where} ORDER BY turn.id DESC LIMIT :limit"
    )
    given = first.given | then.given | {"looked": LOOKED_AT, "limit": limit}
    found = connection.execute(query, given).fetchall()
    if len(found) == limit:
        return Slice(tuple(found), found[-1][1])
    return Slice(tuple(found), _end_of(connection, "turn", first))


def of_turn(query: _Query, wanted: Wanted, *, both: bool = False) -> None:
    """The conditions on a row of `turn`, with its exchange as `asked`."""
    if not both:
        query.add("turn.kind = :kind", kind=wanted.kind)
    if wanted.agent:
        query.add("turn.agent = :agent", agent=wanted.agent)
    if wanted.model:
        query.add("turn.model = :model", model=wanted.model)
    if wanted.outcome == "failed":
        query.add("turn.outcome IN ('failed', 'cut', 'lost')")
    _of_exchange(query, wanted, "turn.exchange_id")


def fitting(connection: sqlite3.Connection, wanted: Wanted, turn_ids: str) -> dict[str, str | None]:
    """Which of these turns, a list in JSON, are wanted, each with its exchange."""
    query = _Query()
    of_turn(query, wanted)
    _between(query, wanted, "turn.begun_at")
    if wanted.session:
        query.add("turn.session_id = :session", session=wanted.session)
    rows = connection.execute(
        "SELECT turn.id, turn.exchange_id FROM json_each(:turns) AS named"  # noqa: S608
        " CROSS JOIN turn ON turn.id = named.value LEFT JOIN exchange AS asked ON asked.id = turn.exchange_id"
        f" WHERE {query.where}",
        query.given | {"turns": turn_ids},
    )
    return dict(rows.fetchall())


def _of_exchange(query: _Query, wanted: Wanted, exchange: str) -> None:
    bad, good = (_SCORED.format(id=exchange, score=score) for score in ("= -1", "= 1"))
    match wanted.outcome:
        case "bad":
            query.add(bad)
        case "good":
            query.add(f"{good} AND NOT {bad}")
        case "unscored":
            query.add("NOT " + _SCORED.format(id=exchange, score="IS NOT NULL"))
    if wanted.skill == "any":
        query.add(_CARRIED.format(named=""))
    elif wanted.skill == "none":
        query.add("NOT " + _CARRIED.format(named=""))
    elif wanted.skill:
        query.add(_CARRIED.format(named=_NAMED), skill=f"{_literal(wanted.skill)}@*")
    if wanted.thumb:
        value = {"up": " AND evidence.value > 0", "down": " AND evidence.value < 0"}.get(wanted.thumb, "")
        query.add(_THUMBED.format(id=exchange, value=value))


def _between(query: _Query, wanted: Wanted, column: str) -> None:
    if wanted.since is not None:
        query.add(f"{column} >= :since", since=moment(wanted.since))
    if wanted.until is not None:
        query.add(f"{column} < :until", until=moment(wanted.until))


def _end_of(connection: sqlite3.Connection, table: str, first: _Query) -> str:
    """The last row that was looked at, where there may be more."""
    row = connection.execute(
        f"SELECT id FROM {table} WHERE {first.where} ORDER BY id DESC LIMIT 1 OFFSET :skipped",  # noqa: S608
        first.given | {"skipped": LOOKED_AT - 1},
    ).fetchone()
    return str(row[0]) if row else ""


def _literal(name: str) -> str:
    """A name in a pattern of GLOB."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
