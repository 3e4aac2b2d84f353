"""Messages, each kept once: cut to size, redacted, and known again by an id.

What is known to be committed is remembered, so that a conversation of fifty turns is not written fifty times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from metaclaw_tray.redact import redact_json
from metaclaw_tray.store.remembering import Remembered
from metaclaw_tray.store.trimming import trimmed
from metaclaw_tray.wire.tree import message_id

_REMEMBERED = 100_000  # ids of committed messages and nodes, 16 bytes each

Body = dict[str, Any]


class Keeper:
    """Which messages and nodes are on the disk, and what is to be written of those that are not."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: Remembered[bytes, None] = Remembered(_REMEMBERED)

    def commit(self) -> None:
        """What was written since the last call is on the disk now."""
        self._known.commit()

    def forget_uncommitted(self) -> None:
        """What was written since the last commit may have been undone."""
        self._known.forget_uncommitted()

    def forget_all(self) -> None:
        """Rows were removed by somebody else: what is on the disk is not known any more."""
        self._known.clear()

    def has(self, row_id: bytes) -> bool:
        return row_id in self._known

    def add(self, row_id: bytes) -> None:
        self._known[row_id] = None

    def by_form(self, form: bytes, make: Callable[[], Body], role: str, rows: list[Body]) -> bytes:
        """Keep what has no id yet, such as a system text; the id made from `form`."""
        made = message_id(self._key, form)
        if not self.has(made):
            self.keep(made, make(), rows, role)
        return made

    def keep(self, made: bytes, message: Body, rows: list[Body], role: str = "") -> None:
        """Add the row of a message to `rows` where it is not there yet."""
        if self.has(made):
            return
        short, cuts = trimmed(message)
        redacted, count = redact_json(short)
        body = msgspec.json.encode(redacted)
        size = len(msgspec.json.encode(message)) if cuts or count else len(body)
        role = role or str(message.get("role", ""))
        rows.append({"id": made, "role": role, "body": body, "size": size, "redactions": count, "cuts": cuts})
        self.add(made)
