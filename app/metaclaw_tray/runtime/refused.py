"""What an agent asked for in the person's place: an entry in the ledger, where the person sees it."""

from __future__ import annotations

import getpass
from datetime import datetime, timedelta

from metaclaw_tray.admin.peer import Origin
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.store import decisions
from metaclaw_tray.store.decisions import Actor

_AGAIN = timedelta(hours=1)


class RefusedBook:
    """Writes down what was refused."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._written: dict[tuple[str, str], datetime] = {}

    async def __call__(self, action: str, origin: Origin) -> None:
        now = self._runtime.clock.now()
        last = self._written.get((action, origin.agent))
        if last is not None and now - last < _AGAIN:  # whoever tries on and on fills no ledger
            return
        self._written[action, origin.agent] = now
        channel = "terminal" if origin.terminal else "scripted"
        who = Actor(getpass.getuser(), channel, tuple(origin.ancestry))
        await self._runtime.store.awrite(
            lambda db: decisions.record(db, "refused", action, who, now, after={"agent": origin.agent})
        )
