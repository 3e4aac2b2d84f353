"""What the person agreed to of the settings, by the ledger: the settings file can be written by anybody who
runs as them, and a restart takes it up.

Each entry of the ledger about settings says what was in force after it. The file as it was at the very first
start is where this begins; what differs from the defaults then stands in an entry of its own. That the policy
is automatic is never taken from there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.redact import redact_json
from metaclaw_tray.settings import Settings, governed, is_governed
from metaclaw_tray.store.settling import Actor, record
from metaclaw_tray.store.tables import Meta
from metaclaw_tray.store.tables_library import Ledger

THE_FILE = Actor("settings file", "automatic")
"""Who did it where nobody is known: what takes no yes was taken up at a start."""

_ACTIONS = ("settings", "by hand")
_AS_WRITTEN = "ledger.rowid"  # and not by their times: a clock may have been set back
_AS_FOUND = "the file as it was found"
_DEFAULTS = {"credential": "none", "observe_only": False, "upstream": ""}  # of an upstream, of agents
_BEGUN = "settings.agreed"  # the mark that the first start is over
_MARK_GONE = "the mark of the first start was gone"

MARK_GONE = (
    "The record of what you agreed to was tampered with: its mark of the first start was gone when the app "
    "started. What the settings file asks for is held to the ledger; `metaclaw-tray ledger list` shows it, "
    "and `metaclaw-tray config show` what is in force."
)


def agreed(db: Db) -> dict[str, Any]:
    """Each setting that takes a yes, as it was agreed to last; what is not there stands at its default."""
    told = select(Ledger.after).where(col(Ledger.action).in_(_ACTIONS))
    return _folded(db.exec(told.order_by(text(_AS_WRITTEN))))


def agreed_in(path: Path) -> dict[str, Any] | None:
    """The same from a file that may be in use, without touching it; None where no app ever ran with it, or it
    cannot be read."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            marked = connection.execute('SELECT 1 FROM meta WHERE "key" = ?', (_BEGUN,)).fetchone()
            if not (marked or connection.execute("SELECT 1 FROM ledger LIMIT 1").fetchone()):
                return None
            rows = connection.execute(
                f'SELECT "after" FROM ledger WHERE action IN (?, ?) ORDER BY {_AS_WRITTEN}',  # noqa: S608
                _ACTIONS,
            )
            return _folded(json.loads(after) for (after,) in rows)
    except (sqlite3.DatabaseError, json.JSONDecodeError):
        return None


def begin(db: Db, found: Settings, now: datetime) -> str:
    """At the first start, take the settings file as it is found for what the person wants.

    Where the mark is gone though the app ran before, somebody took it away, and the file is held to what the
    ledger knows; what came of that, in a sentence, or "".
    """
    if db.get(Meta, _BEGUN) is not None:
        return ""
    db.add(Meta(key=_BEGUN, value=b"1"))
    if db.exec(select(Ledger.id).limit(1)).first() is not None:
        record(db, "settings", _MARK_GONE, THE_FILE, now)
        return MARK_GONE
    before, after = _changed(agreed(db), found)
    for told in (before, after):
        told.pop("review.policy", None)
    if after:
        record(db, "settings", _AS_FOUND, THE_FILE, now, before=before, after=after)
    return ""


def follow(db: Db, in_force: Settings, now: datetime) -> None:
    """Write down what takes no yes and changed in the file while no app looked, such as a cap that was
    lowered: who raises it there again has to agree anew."""
    before, after = _changed(agreed(db), in_force)
    if after:
        record(db, "settings", ", ".join(after), THE_FILE, now, before=before, after=after)


def _changed(known: Mapping[str, Any], settings: Settings) -> tuple[dict[str, Any], dict[str, Any]]:
    """What differs from what is known, as it was and as it is. What the ledger leaves out stands at its
    default."""
    told = {key: redact_json(value)[0] for key, value in governed(settings).items()}
    defaults = governed(Settings())

    def was(key: str) -> Any:
        return known.get(key, defaults.get(key, _DEFAULTS.get(key.rpartition(".")[2])))

    keys = [key for key, value in told.items() if was(key) != value]
    return {key: was(key) for key in keys}, {key: told[key] for key in keys}


def _folded(entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for after in entries:
        found |= {key: value for key, value in after.items() if is_governed(key)}
    return found
