"""Full-text search in what was said: the index tells which turns may hold the words, their texts decide.

A page looks at a bounded number of turns, the newest first, and says from where to go on.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from metaclaw_tray.store.folding import BETWEEN, Asked, folded
from metaclaw_tray.store.indexing import bodies, searched_text
from metaclaw_tray.store.wanted import Wanted, fitting

_LOOKED_AT = 300  # turns that may hold the words
_FOR_ALL = 1 << 62  # above each number


@dataclass(frozen=True)
class Hit:
    """A turn that holds the words."""

    exchange_id: str | None
    turn_id: str
    text: str  # the message that they stand in, or the first of them; as it was said, cut to size


@dataclass(frozen=True)
class Hits:
    """A part of what was found, the newest first."""

    hits: tuple[Hit, ...]
    next: str  # where to go on; "" at the end


def search(connection: sqlite3.Connection, words: Asked, wanted: Wanted, before: str, limit: int) -> Hits:
    """The wanted turns that hold all the words, one for each exchange of this part."""
    if not words:
        return Hits((), "")
    match = " AND ".join(f'"{each}"' for each in words.trigrams())
    below = int(before) if before.isdecimal() else _FOR_ALL
    numbers = [
        number
        for (number,) in connection.execute(
            "SELECT rowid FROM spoken WHERE spoken MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
            (match, below, _LOOKED_AT),
        )
    ]
    rows = [
        connection.execute("SELECT turn_id, parts FROM searched WHERE number = ?", (each,)).fetchone()
        for each in numbers
    ]
    there = [(number, *row) for number, row in zip(numbers, rows, strict=True) if row is not None]
    fits = fitting(connection, wanted, json.dumps([turn_id for _, turn_id, _ in there]))
    hits: dict[str, Hit] = {}
    for number, turn_id, parts in there:
        exchange_id = fits.get(turn_id)
        if turn_id not in fits or (exchange_id or turn_id) in hits:
            continue
        said = _saying(connection, words, parts)
        if said is not None:
            hits[exchange_id or turn_id] = Hit(exchange_id, turn_id, said)
            if len(hits) == limit:
                return Hits(tuple(hits.values()), str(number))
    return Hits(tuple(hits.values()), str(numbers[-1]) if len(numbers) == _LOOKED_AT else "")


def _saying(connection: sqlite3.Connection, words: Asked, parts: bytes) -> str | None:
    """The message of a turn that holds most of the words; None where they are not all there."""
    texts = [searched_text(body) for body in bodies(connection, parts)]
    made = [folded(text) for text in texts]
    if not words.is_in(BETWEEN.join(made)):
        return None
    return max(zip(texts, made, strict=True), key=lambda pair: words.held_by(pair[1]))[0]
