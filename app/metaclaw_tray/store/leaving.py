"""Which rows leave with a set of turns, and which stay because another turn stands on them.

A message is kept once, however many turns sent it. A node is needed while a turn that stays ends there or
below it; a message while a needed node, or the system text or the settings of a turn that stays, refer to it.
The same marking serves the preview and the deed, so what is shown is what is done. Marks lie in temporary
tables of the connection; all is found by an index, from the turns that leave.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlmodel import Session as Db

from metaclaw_tray.store.columns import moment


class Which(Struct, frozen=True, kw_only=True):
    """Turns by what they have in common: all that is said must hold. A turn under way is never among them."""

    turns: tuple[str, ...] = ()
    exchange: str = ""
    session: str = ""
    agent: str = ""
    before: datetime | None = None
    until: datetime | None = None  # when the person looked: what began later was not shown to them


MARKS = (
    "CREATE TEMP TABLE IF NOT EXISTS leaving (id TEXT PRIMARY KEY) WITHOUT ROWID",
    # Turns that stay, but whose next state leaves: what was said of them quotes it.
    "CREATE TEMP TABLE IF NOT EXISTS answered (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS leaving_node"
    " (id BLOB PRIMARY KEY, parent BLOB, message_id BLOB) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS needed_node (id BLOB PRIMARY KEY, message_id BLOB) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS leaving_message (id BLOB PRIMARY KEY) WITHOUT ROWID",
    # Exchanges of which a turn leaves or is no longer followed, and those left without turns.
    "CREATE TEMP TABLE IF NOT EXISTS touched (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS emptied (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS emptied_session (id TEXT PRIMARY KEY) WITHOUT ROWID",
    # What was made of those exchanges.
    "CREATE TEMP TABLE IF NOT EXISTS touched_run (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS touched_proposal (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "DELETE FROM leaving",
    "DELETE FROM answered",
    "DELETE FROM leaving_node",
    "DELETE FROM needed_node",
    "DELETE FROM leaving_message",
    "DELETE FROM touched",
    "DELETE FROM emptied",
    "DELETE FROM emptied_session",
    "DELETE FROM touched_run",
    "DELETE FROM touched_proposal",
)

TURNS = (
    "INSERT INTO leaving SELECT turn.id FROM json_each(?) AS named CROSS JOIN turn ON turn.id = named.value"
    " WHERE turn.outcome <> 'open'"
)

PATHS = (
    # All nodes on the paths of the turns that leave, each once.
    "WITH RECURSIVE up (id, parent, message_id) AS ("
    " SELECT node.id, node.parent, node.message_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id CROSS JOIN node ON node.id = turn.request_node"
    " UNION SELECT node.id, node.parent, node.message_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id CROSS JOIN node ON node.id = turn.answer_node"
    " UNION SELECT node.id, node.parent, node.message_id FROM up CROSS JOIN node ON node.id = up.parent"
    ") INSERT INTO leaving_node SELECT id, parent, message_id FROM up",
    # Those of them that a turn that stays, or a branch beside, needs; with all that lies above.
    "WITH RECURSIVE up (id) AS ("
    " SELECT here.id FROM leaving_node AS here WHERE"
    " EXISTS (SELECT 1 FROM turn WHERE turn.request_node = here.id"
    " AND turn.id NOT IN (SELECT id FROM leaving))"
    " OR EXISTS (SELECT 1 FROM turn WHERE turn.answer_node = here.id"
    " AND turn.id NOT IN (SELECT id FROM leaving))"
    " OR EXISTS (SELECT 1 FROM node WHERE node.parent = here.id"
    " AND node.id NOT IN (SELECT id FROM leaving_node))"
    " UNION SELECT here.parent FROM up CROSS JOIN leaving_node AS here ON here.id = up.id"
    " WHERE here.parent IS NOT NULL"
    ") INSERT INTO needed_node SELECT here.id, here.message_id"
    " FROM up CROSS JOIN leaving_node AS here ON here.id = up.id",
    "DELETE FROM leaving_node WHERE id IN (SELECT id FROM needed_node)",
)

MESSAGES = (
    "INSERT OR IGNORE INTO leaving_message SELECT message_id FROM leaving_node",
    "INSERT OR IGNORE INTO leaving_message SELECT turn.system_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id WHERE turn.system_id IS NOT NULL",
    "INSERT OR IGNORE INTO leaving_message SELECT turn.settings_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id WHERE turn.settings_id IS NOT NULL",
    "DELETE FROM leaving_message WHERE"
    " EXISTS (SELECT 1 FROM node WHERE node.message_id = leaving_message.id"
    " AND node.id NOT IN (SELECT id FROM leaving_node))"
    " OR EXISTS (SELECT 1 FROM turn WHERE turn.system_id = leaving_message.id"
    " AND turn.id NOT IN (SELECT id FROM leaving))"
    " OR EXISTS (SELECT 1 FROM turn WHERE turn.settings_id = leaving_message.id"
    " AND turn.id NOT IN (SELECT id FROM leaving))",
)

EXCHANGES = (
    "INSERT OR IGNORE INTO answered SELECT turn.id"
    " FROM leaving CROSS JOIN turn ON turn.next_turn_id = leaving.id"
    " WHERE turn.id NOT IN (SELECT id FROM leaving)",
    "INSERT OR IGNORE INTO touched SELECT turn.exchange_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id WHERE turn.exchange_id IS NOT NULL",
    "INSERT INTO emptied SELECT touched.id FROM touched WHERE NOT EXISTS (SELECT 1 FROM turn"
    " WHERE turn.exchange_id = touched.id AND turn.id NOT IN (SELECT id FROM leaving))",
    "INSERT OR IGNORE INTO touched SELECT turn.exchange_id"
    " FROM answered CROSS JOIN turn ON turn.id = answered.id WHERE turn.exchange_id IS NOT NULL",
    "INSERT OR IGNORE INTO emptied_session SELECT turn.session_id"
    " FROM leaving CROSS JOIN turn ON turn.id = leaving.id",
    "DELETE FROM emptied_session WHERE EXISTS (SELECT 1 FROM turn"
    " WHERE turn.session_id = emptied_session.id AND turn.id NOT IN (SELECT id FROM leaving))",
)

LEARNT = (
    "INSERT OR IGNORE INTO touched_run SELECT claim.run_id"
    " FROM touched CROSS JOIN claim ON claim.exchange_id = touched.id",
    "INSERT INTO touched_proposal SELECT id FROM proposal WHERE EXISTS (SELECT 1 FROM touched_run)"
    " AND run_id IN (SELECT id FROM touched_run)",
    # Trigger phrases, short forms and mergers hold words of requests too, and no run wrote them.
    "INSERT OR IGNORE INTO touched_proposal SELECT proposal.id FROM proposal"
    " WHERE EXISTS (SELECT 1 FROM touched) AND run_id IS NULL AND op = 'update'"
    " AND EXISTS (SELECT 1 FROM json_each(proposal.exchanges) AS source"
    " WHERE source.value IN (SELECT id FROM touched))",
)


def raw(db: Db) -> sqlite3.Connection:
    """The connection under the transaction that is open: these statements go by the hundred thousand."""
    connection: sqlite3.Connection = db.connection().connection.driver_connection  # type: ignore[assignment]
    return connection


def mark(connection: sqlite3.Connection, turn_ids: Sequence[str]) -> None:
    """Mark these turns, less those under way, and all that leaves with them."""
    mark_turns(connection, turn_ids)
    for statement in (*PATHS, *MESSAGES):
        connection.execute(statement)


def mark_turns(connection: sqlite3.Connection, turn_ids: Sequence[str]) -> None:
    """Mark these turns, their exchanges and what was learnt from them, but no nodes and messages: cheap."""
    for statement in MARKS:
        connection.execute(statement)
    connection.execute(TURNS, (json.dumps(turn_ids),))
    for statement in (*EXCHANGES, *LEARNT):
        connection.execute(statement)


def chosen(db: Db, which: Which, *, under_way: bool = False) -> list[str]:
    """The ids of the turns that are meant, session by session; or of those meant but for being under way."""
    conditions, given = ["outcome = 'open'" if under_way else "outcome <> 'open'"], list[Any]()
    if which.turns:
        conditions.append("id IN (SELECT value FROM json_each(?))")
        given.append(json.dumps(which.turns))
    for column, value in (
        ("exchange_id", which.exchange),
        ("session_id", which.session),
        ("agent", which.agent),
    ):
        if value:
            conditions.append(f"{column} = ?")
            given.append(value)
    if not given and which.before is None:
        raise ValueError("nothing says which turns are meant")
    if which.before is not None:
        conditions.append("begun_at < ?")
        given.append(moment(which.before))
    if which.until is not None:
        conditions.append("begun_at <= ?")
        given.append(moment(which.until))
    query = f"SELECT id FROM turn WHERE {' AND '.join(conditions)} ORDER BY session_id, id"  # noqa: S608
    return [turn_id for (turn_id,) in raw(db).execute(query, given)]
