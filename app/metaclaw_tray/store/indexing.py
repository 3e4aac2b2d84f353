"""Bringing turns into the full-text index, and taking them out of it.

A turn is found by what it added: the messages of its request back to the answer that it goes on from, and its
own answer. That is done a little at a time, behind the writing of turns: the newest first, then those that
were there before there was an index. A text leaves FTS5 only by being told again, so each row keeps the ids
of the messages that it was made of; they stay as long as the turn does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from metaclaw_tray.store.folding import BETWEEN, LIMIT, VERSION, folded
from metaclaw_tray.wire.said import text_of

_FIRST = 1 << 40  # the number of the first turn: those that were there before go downwards from it
_ID = 16  # bytes of a message's id
_MOST_PARTS = 400  # messages of one turn that can be found, the last ones
_AT_ONCE = 64
_STEP = 200  # pages that one call of `purge` looks at

# The nodes that a turn added, in their order: back to an answer of before, or to where its session was.
_OWN = (
    "WITH RECURSIVE up (id, parent, message_id, place) AS ("
    " SELECT id, parent, message_id, 0 FROM node WHERE id = :tip"
    " AND NOT EXISTS (SELECT 1 FROM turn WHERE answer_node = node.id AND turn.id < :turn)"
    " AND NOT EXISTS (SELECT 1 FROM turn WHERE request_node = node.id AND session_id = :session"
    " AND turn.id < :turn)"
    " UNION ALL SELECT node.id, node.parent, node.message_id, up.place + 1"
    " FROM up CROSS JOIN node ON node.id = up.parent WHERE up.place < :most"
    " AND NOT EXISTS (SELECT 1 FROM turn WHERE answer_node = node.id AND turn.id < :turn)"
    " AND NOT EXISTS (SELECT 1 FROM turn WHERE request_node = node.id AND session_id = :session"
    " AND turn.id < :turn)"
    ") SELECT message_id FROM up ORDER BY place DESC"
)
_TURN = "SELECT request_node, answer_node, session_id FROM turn WHERE id = ? AND outcome <> 'open'"
_OLD = "SELECT id FROM turn WHERE id < ? AND outcome <> 'open' ORDER BY id DESC LIMIT ?"
_DUE = "SELECT turn_id FROM search_due ORDER BY turn_id LIMIT ?"
_COUNT = "SELECT count(*) FROM turn WHERE id < ? AND outcome <> 'open'"
_PUT_STATE = "INSERT OR REPLACE INTO meta (key, value) VALUES ('search', ?)"
# Turns that stay and went on from one that leaves: what that one added is theirs now.
_HEIRS = (
    "WITH RECURSIVE down (id) AS ("
    " SELECT here.id FROM needed_node AS here WHERE EXISTS (SELECT 1 FROM turn"
    " WHERE (turn.request_node = here.id OR turn.answer_node = here.id)"
    " AND turn.id IN (SELECT id FROM leaving))"
    " UNION SELECT node.id FROM down CROSS JOIN node ON node.parent = down.id"
    " WHERE NOT EXISTS (SELECT 1 FROM turn WHERE turn.request_node = down.id"
    " AND turn.id NOT IN (SELECT id FROM leaving))"
    ") INSERT OR IGNORE INTO search_due SELECT turn.id FROM down CROSS JOIN turn"
    " ON turn.request_node = down.id WHERE turn.outcome <> 'open' AND turn.id NOT IN (SELECT id FROM leaving)"
)


class _State(Struct):
    """How far the turns that were there before have come."""

    version: int
    below: str  # turns with lower ids are still to be brought in
    left: int  # how many these are, about


@dataclass(frozen=True)
class Progress:
    """How much of the record can be searched."""

    searched: int
    waiting: int

    @property
    def share(self) -> float:
        """0 to 1; 1 where nothing waits."""
        return 1.0 if not self.waiting else self.searched / (self.searched + self.waiting)


def progress(connection: sqlite3.Connection) -> Progress:
    """How much of the record can be searched now."""
    state = _state(connection)
    (due,) = connection.execute("SELECT count(*) FROM search_due").fetchone()
    if state is None:
        (turns,) = connection.execute("SELECT count(*) FROM turn WHERE outcome <> 'open'").fetchone()
        return Progress(0, turns)
    if not state.left:
        return Progress(1 if due else 0, 0)  # what has just been said is there in a moment
    span = connection.execute("SELECT max(number) - min(number) + 1 FROM searched").fetchone()[0]
    return Progress(span or 0, state.left + due)


def bring_in(connection: sqlite3.Connection, goes_on: Callable[[], bool], *, old: int = 48) -> bool:
    """Bring some turns into the index, in the transaction that is open. Gives whether more wait.

    Those that have just ended come first, for as long as `goes_on` says, then at most `old` that were there
    before, the newest of them.
    FTS5 gathers what comes with rising numbers, and writes at once what comes with a lower one.
    """
    state = _state(connection)
    if state is None or state.version != VERSION:
        state = _begin_anew(connection)
    for (turn_id,) in connection.execute(_DUE, (_AT_ONCE,)).fetchall():
        if not goes_on():
            return True
        _index(connection, turn_id)
        connection.execute("DELETE FROM search_due WHERE turn_id = ?", (turn_id,))
    if not goes_on() or connection.execute("SELECT 1 FROM search_due LIMIT 1").fetchone():
        return True
    if not state.below:
        return False
    before = [turn_id for (turn_id,) in connection.execute(_OLD, (state.below, old))]
    lowest = connection.execute("SELECT min(number) FROM searched").fetchone()[0] or _FIRST
    for number, turn_id in zip(range(lowest - len(before), lowest), reversed(before), strict=True):
        _index(connection, turn_id, number)
    whole = len(before) < old
    state.below = "" if whole else before[-1]
    state.left = 0 if whole else max(state.left - len(before), 1)
    connection.execute(_PUT_STATE, (msgspec.json.encode(state),))
    return not whole


def take_out(connection: sqlite3.Connection) -> None:
    """Take the turns that are marked as leaving out of the index, before they and their messages go. What
    they said and others still hold is found by those later on."""
    gone = connection.execute(
        "SELECT searched.number, searched.turn_id, searched.parts FROM leaving"
        " CROSS JOIN searched ON searched.turn_id = leaving.id"
    ).fetchall()
    for number, turn_id, parts in gone:
        _unindex(connection, number, turn_id, parts)
    connection.execute("DELETE FROM search_due WHERE turn_id IN (SELECT id FROM leaving)")
    connection.execute(_HEIRS)


def purge(connection: sqlite3.Connection, *, first: bool) -> bool:
    """Write a part of the index anew, in the transaction that is open: FTS5 only notes that a text left until
    then. `first` begins; gives whether more is to be done."""
    before = connection.total_changes
    connection.execute("INSERT INTO spoken (spoken, rank) VALUES ('merge', ?)", (-_STEP if first else _STEP,))
    return connection.total_changes - before >= 2  # as SQLite's own page on FTS5 says


def text_of_parts(connection: sqlite3.Connection, parts: bytes) -> str:
    """What is searched of a turn, folded."""
    return BETWEEN.join(_folded_body(body) for body in bodies(connection, parts))


def bodies(connection: sqlite3.Connection, parts: bytes) -> Iterable[bytes]:
    """The messages of a turn's row, as they are stored."""
    for at in range(0, len(parts), _ID):
        found = connection.execute(
            "SELECT body FROM message WHERE id = ?", (parts[at : at + _ID],)
        ).fetchone()
        if found is not None:
            yield found[0]


def searched_text(body: bytes) -> str:
    """What can be found of a message: its words, and what it calls tools with."""
    try:
        message = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return ""
    if not isinstance(message, dict):
        return ""
    texts = [text_of(message)]
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            texts.append(f"{function.get('name')} {function.get('arguments')}")
    return "\n".join(each for each in texts if each)[:LIMIT]


def _folded_body(body: bytes) -> str:
    return folded(searched_text(body))


def _state(connection: sqlite3.Connection) -> _State | None:
    found = connection.execute("SELECT value FROM meta WHERE key = 'search'").fetchone()
    return msgspec.json.decode(found[0], type=_State) if found else None


def _begin_anew(connection: sqlite3.Connection) -> _State:
    """An empty index, and all turns before it."""
    connection.execute("INSERT INTO spoken (spoken) VALUES ('delete-all')")
    connection.execute("DELETE FROM searched")
    connection.execute("DELETE FROM search_due")
    (last,) = connection.execute("SELECT max(id) FROM turn").fetchone()
    below = f"{last}~" if last else ""
    state = _State(VERSION, below, connection.execute(_COUNT, (below,)).fetchone()[0])
    connection.execute(_PUT_STATE, (msgspec.json.encode(state),))
    return state


def _index(connection: sqlite3.Connection, turn_id: str, number: int | None = None) -> None:
    """Bring one turn in, instead of what was there of it; as the newest one, where no number is given."""
    there = connection.execute(
        "SELECT number, turn_id, parts FROM searched WHERE turn_id = ?", (turn_id,)
    ).fetchone()
    if there is not None:
        _unindex(connection, *there)
        number = there[0]
    parts = _parts(connection, turn_id)
    if parts is None:
        return
    if number is None:
        (last,) = connection.execute("SELECT max(number) FROM searched").fetchone()
        number = _FIRST if last is None else last + 1
    connection.execute("INSERT INTO searched VALUES (?, ?, ?)", (number, turn_id, parts))
    text = text_of_parts(connection, parts)
    connection.execute("INSERT INTO spoken (rowid, text) VALUES (?, ?)", (number, text))


def _unindex(connection: sqlite3.Connection, number: int, turn_id: str, parts: bytes) -> None:
    connection.execute(
        "INSERT INTO spoken (spoken, rowid, text) VALUES ('delete', ?, ?)",
        (number, text_of_parts(connection, parts)),
    )
    connection.execute("DELETE FROM searched WHERE turn_id = ?", (turn_id,))


def _parts(connection: sqlite3.Connection, turn_id: str) -> bytes | None:
    """The ids of the messages that a turn added, joined; None where the turn is gone or under way."""
    turn = connection.execute(_TURN, (turn_id,)).fetchone()
    if turn is None:
        return None
    tip, answer, session = turn
    given = {"tip": tip, "turn": turn_id, "session": session, "most": _MOST_PARTS}
    own = [message for (message,) in connection.execute(_OWN, given)]
    if answer is not None:
        said = connection.execute("SELECT message_id FROM node WHERE id = ?", (answer,)).fetchone()
        own += [said[0]] if said else []
    return b"".join(own)
