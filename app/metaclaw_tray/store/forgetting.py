"""Taking turns out of the store, with all that quotes them.

What goes: the turns, their verdicts and evidence, messages and nodes that no turn that stays needs, blocks
anchored there, notices about them, exchanges and sessions that are empty then. What stays: claims, for ever,
each with its exchange, which holds no text; and skills, which the person approved and may retire.

A call of `forget` is one transaction and whole in itself: where a long forgetting is cut short, some of the
turns are there and none by half. What was said yes to is written down before the first of them goes
(`promise`), so that it is taken up again. Deleted rows are overwritten with zeros, but SQLite leaves copies
of a row behind where it moved it from one page to another; only `Store.rewrite` takes them out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from sqlmodel import Session as Db

from metaclaw_tray.store import indexing
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.leaving import Which, chosen, mark, mark_turns, raw

FORGOTTEN = "what it was learnt from was forgotten"
NO_LONGER_KEPT = "what it was to learn from is no longer kept"

_CACHE_KILOBYTES = 128 * 1024  # for indexes of hashes: their pages are wanted in no order
_LOOKED_AT = 20_000  # turns, up to which a preview counts each message

_ABOUT_TURNS = (
    # A verdict on a turn that stays, whose next state leaves, keeps its score and loses its words.
    "UPDATE verdict SET reason = '', kind = '', instruction = '' WHERE turn_id IN (SELECT id FROM answered)",
    "UPDATE evidence SET text = '' WHERE exchange_id IN (SELECT id FROM touched)"
    " AND turn_id IN (SELECT id FROM answered) AND kind <> 'feedback'",
    "DELETE FROM due WHERE turn_id IN (SELECT id FROM answered)",
    "UPDATE turn SET next_turn_id = NULL, next_origin = '' WHERE id IN (SELECT id FROM answered)",
    "DELETE FROM due WHERE turn_id IN (SELECT id FROM leaving)",
    "DELETE FROM verdict WHERE turn_id IN (SELECT id FROM leaving)",
    "DELETE FROM evidence WHERE exchange_id IN (SELECT id FROM touched)"
    " AND turn_id IN (SELECT id FROM leaving)",
    "DELETE FROM evidence WHERE exchange_id IN (SELECT id FROM emptied)",
    "DELETE FROM thread WHERE tip IN (SELECT id FROM leaving_node) AND session_id IN"
    " (SELECT turn.session_id FROM leaving CROSS JOIN turn ON turn.id = leaving.id)",
    "DELETE FROM notice WHERE kind IN ('unscored', 'fault') AND subject IN (SELECT id FROM leaving)",
    # What a skill was measured on, where it was one of these exchanges: kept aside ones are no support.
    "UPDATE gateresult SET details = (SELECT json_group_array(json(shown.value))"
    " FROM json_each(gateresult.details) AS shown"
    " WHERE coalesce(json_extract(shown.value, '$.exchange'), '') NOT IN (SELECT id FROM touched)),"
    " figures = json_set(figures, '$.shown', NULL)"  # a place among what was shown
    " WHERE EXISTS (SELECT 1 FROM touched CROSS JOIN claim ON claim.exchange_id = touched.id"
    " WHERE claim.use = 'holdout_skill')"
    " AND EXISTS (SELECT 1 FROM json_each(gateresult.details) AS shown"
    " WHERE json_extract(shown.value, '$.exchange') IN (SELECT id FROM touched))",
    # What the learning model answered quotes what it was asked about.
    "DELETE FROM kept_answer WHERE EXISTS (SELECT 1 FROM leaving)"
    " AND (json_type(CAST(body AS TEXT), '$.about') IS NULL"
    " OR EXISTS (SELECT 1 FROM json_each(CAST(body AS TEXT), '$.about') AS about"
    " WHERE about.value IN (SELECT id FROM touched)))",
)
_ROWS = (
    "DELETE FROM injection WHERE anchor IN (SELECT id FROM leaving_node)",
    "DELETE FROM withheld WHERE anchor IN (SELECT id FROM leaving_node)",
    "DELETE FROM turn WHERE id IN (SELECT id FROM leaving)",
    "DELETE FROM node WHERE id IN (SELECT id FROM leaving_node)",
    "DELETE FROM message WHERE id IN (SELECT id FROM leaving_message)",
    "DELETE FROM exchange WHERE id IN (SELECT id FROM emptied)"
    " AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.exchange_id = exchange.id)",
    "DELETE FROM trial_session WHERE session_id IN (SELECT id FROM emptied_session)",
    "DELETE FROM session WHERE id IN (SELECT id FROM emptied_session)"
    " AND NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.session_id = session.id)",
)
_LEARNT = (
    "DELETE FROM kept_answer WHERE EXISTS (SELECT 1 FROM leaving)",  # a person wants no trace: all of them
    "UPDATE gateresult SET details = '[]', reason = :why, figures = json_remove(figures, '$.evals')"
    " WHERE proposal_id IN (SELECT id FROM touched_proposal)",
    "DELETE FROM skill_eval WHERE EXISTS (SELECT 1 FROM skillversion AS measured"
    " WHERE measured.name = skill_eval.skill AND measured.version = skill_eval.version"
    " AND measured.proposal_id IN (SELECT id FROM touched_proposal))",
    # Why it was made stands in the generation that it began too, and why it was rejected in the ledger.
    "UPDATE generation SET why = substr(why, 1, instr(why, ': ') - 1) WHERE instr(why, ': ') > 0"
    " AND ledger_id IN (SELECT id FROM ledger WHERE action = 'approve'"
    " AND json_extract(after, '$.proposal') IN (SELECT id FROM touched_proposal))",
    "UPDATE ledger SET after = json_set(after, '$.reason', '') WHERE action = 'reject'"
    " AND json_extract(after, '$.proposal') IN (SELECT id FROM touched_proposal)",
    "UPDATE ledger SET after = json_set(after, '$.overrides', '')"
    " WHERE action = 'approve' AND json_extract(after, '$.overrides') IS NOT NULL"
    " AND json_extract(after, '$.proposal') IN (SELECT id FROM touched_proposal)",
    "UPDATE proposal SET text = '', why = :why, reason = :why, decided_at = coalesce(decided_at, :now),"
    " state = CASE state WHEN 'pending' THEN 'refused' ELSE state END"
    " WHERE id IN (SELECT id FROM touched_proposal)",
    "UPDATE run SET cluster = '', reason = :why, ended_at = coalesce(ended_at, :now),"
    " state = CASE state WHEN 'started' THEN 'failed' ELSE state END"
    " WHERE id IN (SELECT id FROM touched_run)",
    # Why learning waited may quote what a model said to a request, and names no turn.
    "DELETE FROM notice WHERE kind = 'waiting' AND subject = 'learning'"
    " AND at >= (SELECT min(turn.begun_at) FROM leaving CROSS JOIN turn ON turn.id = leaving.id)",
)
_END_RUNS = (
    "UPDATE run SET reason = :why, ended_at = :now, state = 'failed' WHERE state = 'started'"
    " AND id IN (SELECT claim.run_id FROM emptied CROSS JOIN claim ON claim.exchange_id = emptied.id)"
)
_COUNT = {
    "turns": "SELECT count(*) FROM leaving",
    "exchanges": "SELECT count(*) FROM emptied",
    "sessions": "SELECT count(*) FROM emptied_session",
    "messages": "SELECT count(*) FROM leaving_message",
    "shared": "SELECT count(DISTINCT message_id) FROM needed_node",
    "claims": "SELECT count(*) FROM emptied CROSS JOIN claim ON claim.exchange_id = emptied.id",
    "bytes": "SELECT coalesce(sum(length(message.body)), 0)"
    " FROM leaving_message CROSS JOIN message ON message.id = leaving_message.id",
}
_SPAN = "SELECT min(turn.begun_at), max(turn.begun_at) FROM leaving CROSS JOIN turn ON turn.id = leaving.id"
_REMEMBERED = (
    "SELECT injection.anchor FROM leaving_node CROSS JOIN injection ON injection.anchor = leaving_node.id"
    " UNION SELECT tip FROM thread WHERE tip IN (SELECT id FROM leaving_node) AND session_id IN"
    " (SELECT turn.session_id FROM leaving CROSS JOIN turn ON turn.id = leaving.id)"
    " UNION SELECT turn.answer_node FROM leaving CROSS JOIN turn ON turn.id = leaving.id"
    " WHERE turn.dialect IN ('messages', 'responses') AND turn.answer_node IN (SELECT id FROM leaving_node)"
)
_WITHDRAWN = (
    "SELECT proposal.id FROM touched_proposal CROSS JOIN proposal ON proposal.id = touched_proposal.id"
    " WHERE proposal.state = 'pending' ORDER BY proposal.id"
)
_SKILLS = (
    "SELECT name, version, state FROM skill WHERE state <> 'retired' AND name IN (SELECT name"
    " FROM skillversion WHERE proposal_id IN (SELECT id FROM touched_proposal)) ORDER BY name"
)


class Learnt(Struct, frozen=True):
    """A skill that has a version that was learnt from these turns."""

    name: str
    version: int  # the one in force
    state: str


class Outlook(Struct, frozen=True, kw_only=True):
    """What forgetting some turns would do, and what stays."""

    turns: int
    exchanges: int
    sessions: int
    messages: int | None  # None where there are too many turns to look at each message
    bytes: int | None  # of these messages, as they are kept
    first_at: datetime | None
    last_at: datetime | None
    shared: int | None  # messages on the same paths that stay, because turns that stay need them
    under_way: int  # turns that stay because they have not ended
    claims: int  # claims that stay, with their exchanges emptied
    withdrawn: tuple[str, ...]  # proposals that wait for the person and would be withdrawn
    skills: tuple[Learnt, ...]


class Promise(Struct, frozen=True):
    """What the person said yes to."""

    which: Which
    turns: int
    since: datetime | None  # when the first of them began: copies of the file made later hold some
    skills: tuple[Learnt, ...]  # that were learnt from them


class Gone(Struct, kw_only=True):
    """What has been taken out."""

    turns: int = 0
    exchanges: int = 0
    sessions: int = 0
    messages: int = 0
    withdrawn: list[str] = []
    nodes: set[bytes] = set()  # of blocks, threads and thoughts: the proxy must not remember them either

    def add(self, other: Gone) -> None:
        self.turns += other.turns
        self.exchanges += other.exchanges
        self.sessions += other.sessions
        self.messages += other.messages
        self.withdrawn += other.withdrawn
        self.nodes |= other.nodes


def outlook(db: Db, which: Which) -> Outlook:
    """What would go and what would stay. Reads only."""
    connection, turn_ids = raw(db), chosen(db, which)
    looked_at = len(turn_ids) <= _LOOKED_AT
    (mark if looked_at else mark_turns)(connection, turn_ids)
    first, last = connection.execute(_SPAN).fetchone()
    return Outlook(
        **{name: _count(connection, name) for name in ("turns", "exchanges", "sessions", "claims")},
        messages=_count(connection, "messages") if looked_at else None,
        bytes=_count(connection, "bytes") if looked_at else None,
        shared=_count(connection, "shared") if looked_at else None,
        first_at=_when(first),
        last_at=_when(last),
        under_way=len(chosen(db, which, under_way=True)),
        withdrawn=tuple(each for (each,) in connection.execute(_WITHDRAWN)),
        skills=_skills(connection),
    )


def forget(db: Db, turn_ids: Sequence[str], now: datetime, *, learnt: bool) -> Gone:
    """Take these turns out, in the transaction that is open; those under way stay.

    With `learnt`, what was learnt from them loses its words too, and what waits for the person is withdrawn.
    Some hundreds of turns at a time: meanwhile the scribe cannot write. `settle` follows the last of them.
    """
    connection = raw(db)
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    mark(connection, turn_ids)
    gone = Gone(
        **{name: _count(connection, name) for name in ("turns", "exchanges", "sessions", "messages")},
        withdrawn=[each for (each,) in connection.execute(_WITHDRAWN)] if learnt else [],
        nodes={node for (node,) in connection.execute(_REMEMBERED)},
    )
    if learnt:
        for statement in _LEARNT:
            connection.execute(statement, {"why": FORGOTTEN, "now": moment(now)})
    connection.execute(_END_RUNS, {"why": NO_LONGER_KEPT, "now": moment(now)})
    indexing.take_out(connection)
    for statement in (*_ABOUT_TURNS, *_ROWS):
        connection.execute(statement)
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('forgotten', 1)"
        " ON CONFLICT (key) DO UPDATE SET value = value + 1"
    )
    return gone


def times_forgotten(db: Db) -> int:
    """How often rows were taken out: whoever remembers which rows there are asks again when this rises."""
    found = raw(db).execute("SELECT value FROM meta WHERE key = 'forgotten'").fetchone()
    return int(found[0]) if found else 0


def weigh(db: Db, which: Which) -> Promise:
    """What a promise to forget these turns holds. Reads only."""
    connection = raw(db)
    mark_turns(connection, chosen(db, which))
    first, _ = connection.execute(_SPAN).fetchone()
    return Promise(which, _count(connection, "turns"), _when(first), _skills(connection))


def promise(db: Db, made: Promise) -> None:
    """Write down what is to be forgotten, until it is."""
    raw(db).execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('forgetting', ?)", (msgspec.json.encode(made),)
    )


def promised(db: Db) -> Promise | None:
    """What is still to be forgotten, where that was cut short."""
    found = raw(db).execute("SELECT value FROM meta WHERE key = 'forgetting'").fetchone()
    return msgspec.json.decode(found[0], type=Promise) if found else None


def kept_promise(db: Db) -> None:
    """All of it is forgotten."""
    raw(db).execute("DELETE FROM meta WHERE key = 'forgetting'")


def settle(db: Db) -> None:
    """No more turns go for now: give back the memory that took."""
    connection = raw(db)
    connection.execute("PRAGMA cache_size = -2000")  # SQLite's own default, in kilobytes
    connection.execute("PRAGMA shrink_memory")


def _skills(connection: sqlite3.Connection) -> tuple[Learnt, ...]:
    return tuple(Learnt(*row) for row in connection.execute(_SKILLS))


def _count(connection: sqlite3.Connection, what: str) -> int:
    return int(connection.execute(_COUNT[what]).fetchone()[0])


def _when(value: int | None) -> datetime | None:
    return None if value is None else datetime.fromtimestamp(value / 1_000_000, UTC)
