"""The statements by which the scribe writes, built once.

The scribe stores every turn of every agent, so these go round the object mapper: one statement a fact,
nothing read that an insert can decide. Each is safe to run twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, String, bindparam, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql.base import Executable
from sqlmodel import col

from metaclaw_tray.store.columns import UtcTime
from metaclaw_tray.store.prepared import Values, prepared
from metaclaw_tray.store.tables import (
    Due,
    Exchange,
    Injection,
    Message,
    Node,
    Notice,
    Session,
    Thread,
    Turn,
    TurnKind,
    Verdict,
)
from metaclaw_tray.store.tables_learning import TrialSession, Withheld

_MESSAGE = insert(Message).on_conflict_do_nothing()
_NODE = insert(Node).on_conflict_do_nothing()
_TURN = insert(Turn).on_conflict_do_nothing()
_NOTICE = insert(Notice).on_conflict_do_nothing()
_ARM = insert(TrialSession).on_conflict_do_nothing()
_WITHHELD = insert(Withheld).on_conflict_do_nothing()
_of_turn = bindparam("turn_id", type_=String())
_DUE = (
    insert(Due)
    .from_select(
        ["turn_id", "at"],
        select(_of_turn, bindparam("at", type_=UtcTime())).where(
            ~select(col(Verdict.id)).where(col(Verdict.turn_id) == _of_turn).exists()
        ),
    )
    .on_conflict_do_nothing()
)

_session = insert(Session)
_SESSION = _session.on_conflict_do_update(
    index_elements=["id"],
    # A client may come back to a session that was over.
    set_={
        "last_at": func.max(col(Session.last_at), _session.excluded.last_at),
        "ended_at": None,
        "end_reason": None,
    },
)
_exchange = insert(Exchange)
_EXCHANGE = _exchange.on_conflict_do_nothing(index_elements=["session_id", "opening"])
_injection = insert(Injection)
_INJECTION = _injection.on_conflict_do_update(
    index_elements=["anchor", "session_id"],
    set_={name: _injection.excluded[name] for name in ("block", "skills", "tokens", "generation", "at")},
)
_THREAD = insert(Thread).prefix_with("OR REPLACE")  # servers count ids anew when they start
_THERE = select(col(Node.id)).where(col(Node.id).in_(bindparam("nodes", expanding=True)))
_DEPTH = select(col(Node.depth)).where(col(Node.id) == bindparam("node"))
_END_SESSION = (
    update(Session)
    .where(col(Session.id) == bindparam("session"), col(Session.ended_at).is_(None))
    .values(ended_at=bindparam("at"), end_reason=bindparam("reason"))
)
_ENDING = (
    "outcome",
    "error",
    "status",
    "truncated",
    "finish_reason",
    "answer_node",
    "first_byte_at",
    "ended_at",
    "cost_usd",
)
# What stays as it was where the end of a turn says nothing of it.
_COUNTED = (
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "cache_write_hour_tokens",
    "usage_estimated",
    "upstream",
    "model",
)
_END_TURN = (
    update(Turn)
    .where(col(Turn.id) == bindparam("turn"))
    .values(
        {name: bindparam(f"new_{name}") for name in _ENDING}
        # What the upstream did not count keeps the estimate made when the turn began.
        | {name: func.coalesce(bindparam(f"new_{name}"), getattr(Turn, name)) for name in _COUNTED}
    )
)
_LINK = (
    update(Turn)
    .where(col(Turn.id) == bindparam("turn"), col(Turn.next_turn_id).is_(None))
    .values(next_turn_id=bindparam("following"), next_origin=bindparam("origin"))
)
_EXCHANGE_AT = select(col(Exchange.id)).where(
    col(Exchange.session_id) == bindparam("session"), col(Exchange.opening) == bindparam("opening")
)
_EARLIER = (
    select(col(Turn.id))
    .where(
        col(Turn.request_node) == bindparam("node"),
        col(Turn.session_id) == bindparam("session"),
        col(Turn.kind) == TurnKind.MAIN,
        col(Turn.id) != bindparam("turn"),
    )
    .order_by(col(Turn.id).desc())
    .limit(1)
)
_UNANSWERED = (
    select(col(Turn.id), col(Turn.answer_node), col(Turn.exchange_id), col(Turn.session_id))
    .where(
        col(Turn.answer_node).in_(bindparam("nodes", expanding=True)),
        col(Turn.next_turn_id).is_(None),
        col(Turn.kind) == TurnKind.MAIN,
        col(Turn.id) != bindparam("turn"),
    )
    .order_by(col(Turn.id))
)
_HAS_BEEN = (
    select(col(Turn.id))
    .where(
        col(Turn.request_node).in_(bindparam("nodes", expanding=True)),
        col(Turn.session_id) == bindparam("session"),
        col(Turn.kind) == TurnKind.MAIN,
        col(Turn.id) != bindparam("turn"),
    )
    .limit(1)
)
_OPEN_TURN = (
    select(
        col(Turn.request_node),
        col(Turn.session_id),
        col(Turn.exchange_id),
        col(Turn.kind),
        col(Turn.dialect),
        func.coalesce(col(Node.depth), 0),
        col(Turn.input_tokens),
    )
    .outerjoin(Node, col(Node.id) == col(Turn.request_node))
    .where(col(Turn.id) == bindparam("turn"))
)
_LATER = (
    select(col(Turn.id), col(Turn.request_node))
    .where(
        col(Turn.session_id) == bindparam("session"),
        col(Turn.id) > bindparam("turn"),
        col(Turn.kind) == TurnKind.MAIN,
    )
    .order_by(col(Turn.id))
    .limit(50)
)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What the end of a turn needs to know of its beginning."""

    request_node: bytes
    session_id: str
    exchange_id: str | None
    kind: str
    dialect: str
    depth: int  # of the request's last message
    input_tokens: int  # as they were estimated


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn that has an answer and no next state yet."""

    turn_id: str
    answer_node: bytes
    exchange_id: str | None
    session_id: str


class Pen:
    """Writes and asks on one connection, inside the transaction that is open there."""

    def __init__(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        self._driver: sqlite3.Connection = driver

    def messages(self, rows: Sequence[dict[str, Any]]) -> None:
        self._many(_MESSAGE, rows)

    def nodes(self, rows: Sequence[dict[str, Any]]) -> None:
        self._many(_NODE, rows)

    def answer(self, row: dict[str, Any]) -> bool:
        """Write the node of an answer; False where it was there already."""
        return self._run(_NODE, row).rowcount > 0

    def session(self, session_id: str, agent: str, root: bytes, at: datetime) -> None:
        self._run(
            _SESSION,
            {
                "id": session_id,
                "agent": agent,
                "root": root,
                "started_at": at,
                "last_at": at,
                "ended_at": None,
                "end_reason": None,
            },
        )

    def end_session(self, session_id: str, reason: str, at: datetime) -> None:
        """Mark a session ended; one that is ended keeps its first reason."""
        self._run(_END_SESSION, {"session": session_id, "at": at, "reason": reason})

    def exchange(self, row: dict[str, Any]) -> bool:
        """Write an exchange; False where the session has one that begins there."""
        return self._run(_EXCHANGE, row).rowcount > 0

    def exchange_at(self, session_id: str, opening: bytes) -> str | None:
        found: str | None = self._one(_EXCHANGE_AT, {"session": session_id, "opening": opening})
        return found

    def turn(self, row: dict[str, Any]) -> bool:
        """Write a turn that has begun; False where it was written before."""
        return self._run(_TURN, row).rowcount > 0

    def end_turn(self, turn_id: str, values: dict[str, Any]) -> None:
        """Write how a turn ended; what `values` leaves out is empty, or stays as estimated."""
        given = {f"new_{name}": values.get(name) for name in (*_ENDING, *_COUNTED)}
        self._run(_END_TURN, {"turn": turn_id, **given})

    def injection(self, row: dict[str, Any]) -> None:
        self._run(_INJECTION, row)

    def arm(self, row: dict[str, Any]) -> None:
        """Write a session's place in a trial; the first one that was decided stays."""
        self._run(_ARM, row)

    def withheld(self, row: dict[str, Any]) -> None:
        self._run(_WITHHELD, row)

    def thread(self, row: dict[str, Any]) -> None:
        self._run(_THREAD, row | {"openings": b"".join(row["openings"])})

    def there(self, nodes: Sequence[bytes]) -> list[bytes]:
        """Which of these nodes are on the disk."""
        return [row[0] for row in self._run(_THERE, {"nodes": list(nodes)})] if nodes else []

    def depth(self, node: bytes) -> int:
        """How deep a node lies; 0 for one that is not there."""
        return self._one(_DEPTH, {"node": node}) or 0

    def notice(self, row: dict[str, Any]) -> None:
        self._run(_NOTICE, row)

    def due(self, turn_id: str, at: datetime) -> bool:
        """Let a turn wait for its verdict; False where it has one, or waits already."""
        return self._run(_DUE, {"turn_id": turn_id, "at": at}).rowcount > 0

    def link(self, turn_id: str, following: str, origin: str) -> bool:
        """Say which turn is the next state of another, and who spoke first in it; False where it has one."""
        return self._run(_LINK, {"turn": turn_id, "following": following, "origin": origin}).rowcount > 0

    def earlier(self, node: bytes, session_id: str, turn_id: str) -> str | None:
        """The latest other turn of the session with the same path: the one that this one retries."""
        asked = {"node": node, "session": session_id, "turn": turn_id}
        found: str | None = self._one(_EARLIER, asked)
        return found

    def without_next_state(self, answers: Sequence[bytes], turn_id: str) -> list[Answered]:
        """Main turns with one of these answers and no next state yet, oldest first."""
        rows = self._run(_UNANSWERED, {"nodes": list(answers), "turn": turn_id})
        return [Answered(*row) for row in rows]

    def has_been(self, session_id: str, path: Sequence[bytes], turn_id: str) -> bool:
        """Whether another main turn of the session ended its request at one of these nodes."""
        asked = {"nodes": list(path), "session": session_id, "turn": turn_id}
        return self._one(_HAS_BEEN, asked) is not None

    def open_turn(self, turn_id: str) -> OpenTurn | None:
        row = self._run(_OPEN_TURN, {"turn": turn_id}).fetchone()
        return None if row is None else OpenTurn(*row)

    def later(self, session_id: str, turn_id: str) -> list[tuple[str, bytes]]:
        """The next main turns of the session, with the last nodes of their requests."""
        rows = self._run(_LATER, {"session": session_id, "turn": turn_id})
        return [(row[0], row[1]) for row in rows]

    def _many(self, statement: Executable, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            prepared(statement).run_many(self._driver, rows)

    def _run(self, statement: Executable, values: Values) -> sqlite3.Cursor:
        return prepared(statement).run(self._driver, values)

    def _one(self, statement: Executable, values: Values) -> Any:
        """The first value of the first row; None where there is no row."""
        row = self._run(statement, values).fetchone()
        return None if row is None else row[0]
