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
_AS_FOUND = "the file as it was found"
_DEFAULTS = {"credential": "none", "observe_only": False}  # of an upstream, of an agent
_BEGUN = "settings.agreed"  # the mark that the first start is over


def agreed(db: Db) -> dict[str, Any]:
    """Each setting that takes a yes, as it was agreed to last; what is not there stands at its default."""
    told = select(Ledger.after).where(col(Ledger.action).in_(_ACTIONS))
    return _folded(db.exec(told.order_by(col(Ledger.at), col(Ledger.id))))


def agreed_in(path: Path) -> dict[str, Any] | None:
    """The same from a file that may be in use, without touching it; None where no app ever ran with it, or it
    cannot be read."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            if not connection.execute('SELECT 1 FROM meta WHERE "key" = ?', (_BEGUN,)).fetchone():
                return None
            rows = connection.execute(
                'SELECT "after" FROM ledger WHERE action IN (?, ?) ORDER BY at, id', _ACTIONS
            )
            return _folded(json.loads(after) for (after,) in rows)
    except (sqlite3.DatabaseError, json.JSONDecodeError):
        return None


def begin(db: Db, found: Settings, now: datetime) -> None:
    """At the first start, take the settings file as it is found for what the person wants."""
    if db.get(Meta, _BEGUN) is not None:
        return
    before, after = _changed(agreed(db), found)
    for told in (before, after):
        told.pop("review.policy", None)
    if after:
        record(db, "settings", _AS_FOUND, THE_FILE, now, before=before, after=after)
    db.add(Meta(key=_BEGUN, value=b"1"))


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
