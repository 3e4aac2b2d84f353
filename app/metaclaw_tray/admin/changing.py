"""What one command changes of settings and secrets, gathered for the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from metaclaw_tray.admin.consent import Asker, Granted
from metaclaw_tray.redact import redact_json
from metaclaw_tray.settings import Settings, SettingsFile, changed_keys

if TYPE_CHECKING:
    from sqlmodel import Session as Db

    from metaclaw_tray.store.decisions import Actor

SETTINGS, BY_HAND, SECRET = "settings", "by hand", "secret"
"""The actions of the ledger's entries."""


@dataclass(frozen=True)
class Entry:
    """An entry for the ledger. It never holds the value of a secret."""

    action: str
    subject: str
    before: dict[str, Any]
    after: dict[str, Any]


class Changing:
    """Asks the person, changes the settings, and remembers what was changed."""

    def __init__(self, file: SettingsFile, asker: Asker) -> None:
        self.file = file
        self.entries: list[Entry] = []
        self.granted: Granted | None = None
        self._asker = asker

    async def consent(self, action: str, text: str) -> None:
        """Get a typed code. Raises ConsentError."""
        self.granted = await self._asker.consent(action, text)

    async def confirm(self, action: str, text: str) -> None:
        """Get a plain yes. Raises ConsentError."""
        self.granted = await self._asker.confirm(action, text)

    async def spoken(self, action: str) -> None:
        """Make sure that no agent asks. Raises AgentAskedError."""
        await self._asker.spoken(action)

    async def settings(self, change: Callable[[], Settings], *, action: str = SETTINGS) -> Settings:
        """Run a change of the settings file. Raises SettingsError, and then nothing has changed."""
        before = self.file.settings
        after = await asyncio.to_thread(change)
        if entry := settings_entry(before, after, action):
            self.entries.append(entry)
        return after

    def secret(self, name: str, before: str, after: str) -> None:
        """Remember what became of a secret, in words; its value is nobody's business."""
        self.entries.append(Entry(SECRET, name, {"state": before}, {"state": after}))

    def write(self, db: Db, who: Actor, now: datetime) -> None:
        """Put what was changed into the ledger."""
        from metaclaw_tray.store import decisions  # late: a command that only looks has no need of the store

        for each in self.entries:
            decisions.record(db, each.action, each.subject, who, now, before=each.before, after=each.after)


def settings_entry(before: Settings, after: Settings, action: str = SETTINGS) -> Entry | None:
    """What differs, or None where nothing does."""
    changed = changed_keys(before, after)
    if not changed:
        return None
    subjects = dict.fromkeys(_subject(key) for key in changed)
    # By value and not by name: that `credential` is "key" is no secret; an address may hold one.
    old, new = ({key: redact_json(values[place])[0] for key, values in changed.items()} for place in (0, 1))
    return Entry(action, ", ".join(subjects), old, new)


def _subject(key: str) -> str:
    parts = key.split(".")
    return ".".join(parts[:2]) if parts[0] in ("upstreams", "agents", "calendars") else key
