"""What the app has acknowledged, and whether it still holds to it.

Acknowledged is what a command said was done, and what a listing showed. It is checked in the database file
itself, where nothing can be hidden by the length of a listing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

_NOT_YET = "open"  # the only outcome that may still change, besides "lost" where the end was in the pipe


@dataclass
class Acknowledged:
    """All that was said so far, over all rounds."""

    turns: dict[str, str] = field(default_factory=dict)  # id → outcome
    verdicts: dict[str, str] = field(default_factory=dict)  # turn → verdict
    claims: dict[str, str] = field(default_factory=dict)  # exchange → use
    proposals: set[str] = field(default_factory=set)
    decided: dict[str, str] = field(default_factory=dict)  # proposal → state
    generations: dict[int, str] = field(default_factory=dict)  # number → why
    ledger: set[str] = field(default_factory=set)
    skills: set[tuple[str, int]] = field(default_factory=set)  # versions
    states: dict[str, str] = field(default_factory=dict)  # skill → state, where no later command is in doubt
    feedback: int = 0

    def see_turns(self, rows: Iterable[dict[str, Any]]) -> None:
        for row in rows:
            self.turns[row["id"]] = row["outcome"]
            if row["verdict"] is not None:
                self.verdicts[row["id"]] = str(row["verdict"])
            if row["claim"]:
                self.claims[row["exchange"]] = row["claim"]

    def see_names(self, turns: Iterable[str]) -> None:
        """Turns whose ids an answer's header named."""
        for turn in turns:
            self.turns.setdefault(turn, _NOT_YET)

    def see_proposals(self, rows: Iterable[dict[str, Any]]) -> None:
        self.proposals.update(row["id"] for row in rows)

    def see_generations(self, rows: Iterable[dict[str, Any]]) -> None:
        self.generations.update({row["generation"]: row["why"] for row in rows})

    def see_ledger(self, rows: Iterable[dict[str, Any]]) -> None:
        self.ledger.update(row["id"] for row in rows)

    def see_skills(self, rows: Iterable[dict[str, Any]]) -> None:
        self.skills.update((row["name"], row["version"]) for row in rows)

    def summary(self) -> dict[str, int]:
        """How much of each kind."""
        return {
            each.name: n if isinstance(n := getattr(self, each.name), int) else len(n)
            for each in fields(self)
        }

    def missing(self, store_file: Path) -> list[str]:
        """What was acknowledged and is not in the store, or stands there otherwise."""
        with closing(sqlite3.connect(f"file:{store_file}?mode=ro", uri=True)) as db:
            return [
                *_lost(
                    "turn", self.turns, dict(db.execute("SELECT id, outcome FROM turn")), (_NOT_YET, "lost")
                ),
                *_lost("claim", self.claims, dict(db.execute("SELECT exchange_id, use FROM claim"))),
                *_lost("decision", self.decided, dict(db.execute("SELECT id, state FROM proposal"))),
                *_lost(
                    "generation", self.generations, dict(db.execute("SELECT number, why FROM generation"))
                ),
                *_lost("state of skill", self.states, dict(db.execute("SELECT name, state FROM skill"))),
                *_gone("verdict", self.verdicts, db.execute("SELECT turn_id FROM verdict")),
                *_gone("proposal", self.proposals, db.execute("SELECT id FROM proposal")),
                *_gone("ledger entry", self.ledger, db.execute("SELECT id FROM ledger")),
                *_gone("skill version", self.skills, db.execute("SELECT name, version FROM skillversion")),
                *_fewer(self.feedback, db.execute("SELECT count(*) FROM evidence WHERE kind = 'feedback'")),
            ]


def _lost(what: str, said: dict[Any, str], found: dict[Any, str], unsure: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{what} {key} was {value}, is {found.get(key, 'gone')}"
        for key, value in said.items()
        if key not in found or (value not in unsure and found[key] != value)
    ]


def _gone(what: str, said: Iterable[Any], rows: Iterable[tuple[Any, ...]]) -> list[str]:
    found = {row[0] if len(row) == 1 else row for row in rows}
    return [f"{what} {each} is gone" for each in said if each not in found]


def _fewer(said: int, rows: Iterable[tuple[int]]) -> list[str]:
    (found,) = next(iter(rows))
    return [f"{found} pieces of feedback are left of {said}"] if found < said else []
