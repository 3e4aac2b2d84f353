"""What must be true of a home whatever happened to the app that served it."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import psutil

from support.processes import Home


def faults(home: Home, store_file: Path) -> list[str]:
    """Broken rules, in words; empty where the home is whole."""
    doctor = home.run("doctor")
    said = [] if doctor.returncode == 0 else [f"doctor: {doctor.stdout}{doctor.stderr}"]
    with closing(sqlite3.connect(f"file:{store_file}?mode=ro", uri=True)) as db:
        return [*said, *_generations(db), *_folder(db, home.folder / "skills"), *_two_uses(db)]


_NEWEST = """
    SELECT name, version FROM generationmember WHERE generation = (SELECT max(number) FROM generation)
"""
_ACTIVE = """
    SELECT s.name, s.version, v.digest FROM skill s
    JOIN skillversion v ON v.name = s.name AND v.version = s.version
    WHERE s.state = 'active'
"""
_UNCLAIMED = """
    SELECT p.id, e.value FROM proposal p, json_each(p.exchanges) e
    LEFT JOIN claim c ON c.exchange_id = e.value
    WHERE p.run_id IS NOT NULL AND (c.run_id IS NULL OR c.run_id <> p.run_id)
"""


def _generations(db: sqlite3.Connection) -> list[str]:
    """They are dense, and the newest is the active library."""
    numbers = [number for (number,) in db.execute("SELECT number FROM generation ORDER BY number")]
    holes = [] if numbers == list(range(len(numbers))) else [f"generations have holes: {numbers}"]
    newest, active = set(db.execute(_NEWEST)), {row[:2] for row in db.execute(_ACTIVE)}
    return holes if active == newest else [*holes, f"the newest generation is {newest}, active is {active}"]


def _folder(db: sqlite3.Connection, folder: Path) -> list[str]:
    """The skills folder holds the approved bytes of the active library, and nothing else."""
    wanted = {name: digest for name, _, digest in db.execute(_ACTIVE)}
    found = {
        path.parent.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*/SKILL.md")
    }
    differing = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
    return [f"the skills folder differs from the library in {differing}"] if differing else []


def _two_uses(db: sqlite3.Connection) -> list[str]:
    """Every run that made a proposal has claimed the exchanges that it rests on."""
    rows = db.execute(_UNCLAIMED)
    return [
        f"proposal {proposal} rests on {exchange}, which its run did not claim" for proposal, exchange in rows
    ]


def strays(home: Home, known: Iterable[int], patience_seconds: float) -> list[str]:
    """Processes of this home that belong to no running app, once they had time to finish what they held."""
    until = time.monotonic() + patience_seconds
    while True:
        left = _of_home(home, set(known))
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)


def _of_home(home: Home, known: set[int]) -> list[str]:
    found = []
    for process in psutil.process_iter():
        try:
            line = process.cmdline()
            ours = "metaclaw_tray" in line and process.environ().get("METACLAW_TRAY_HOME") == str(home.folder)
            if ours and process.pid not in known and process.ppid() not in known:
                found.append(f"{process.pid}: {' '.join(line)}")
        except psutil.Error:
            continue  # another person's, or gone meanwhile
    return found
