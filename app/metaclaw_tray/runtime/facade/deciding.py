"""A person's decisions on proposals: shown in full, agreed to, bound to what was shown, done.

A yes is bound to a digest of the proposal, its text, the version that it changes and the generation of the
library. Whoever read another state of these, here or in a window, approves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import SkillError, UsageError
from metaclaw_tray.redact import find_secrets
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import reviewing
from metaclaw_tray.runtime.facade.agreed import actor, asker, changed_by, must_be_as_shown
from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, library, trials
from metaclaw_tray.store.decisions import Changed

T = TypeVar("T")

_LONGEST_SNOOZE = timedelta(days=90)
_MOST_SESSIONS = 200


class Deciding:
    """One handler for each decision."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def approve(self, verb: api.ApproveProposal, call: Call) -> api.Said:
        return await self._approve(verb.id, verb.seen, call, verb.yes, None)

    async def edit(self, verb: api.EditProposal, call: Call) -> api.Said:
        def check(db: Db) -> str:
            decisions.editable(db, verb.id)
            return review.checked_for(db, verb.id, verb.text)

        text = await self._read(check)
        if kinds := find_secrets(text):
            raise SkillError(
                "The text holds a secret",
                f"It contains what looks like one: {', '.join(dict.fromkeys(kinds))}.",
                "Take it out: a skill is sent to models with the requests that it fits.",
            )
        return await self._approve(verb.id, verb.seen, call, verb.yes, text)

    async def reject(self, verb: api.RejectProposal, call: Call) -> api.Said:
        shown, seen = await self._shown(verb.id)
        granted = await call.consent(f"reject the proposal {verb.id}", shown, yes=verb.yes)

        def work(db: Db) -> str:
            must_be_as_shown(seen, self._digest(db, verb.id))
            return decisions.reject(db, verb.id, actor(granted), self._runtime.clock.now(), verb.reason)

        entry = await self._write(work)
        await self._runtime.library.refresh()
        return api.Said(text=f"Rejected; it will not be offered again. Ledger entry {entry}.")

    async def snooze(self, verb: api.SnoozeProposal, call: Call) -> api.Said:
        if not 0 < verb.seconds <= _LONGEST_SNOOZE.total_seconds():
            raise UsageError(
                "Not for so long", "A proposal can be snoozed for at most 90 days.", "Reject it instead."
            )
        wanted = timedelta(seconds=verb.seconds)
        who, now = await asker(call), self._runtime.clock.now()
        await self._write(lambda db: decisions.snooze(db, verb.id, now + wanted, who, now))
        return api.Said(text=f"It comes back at {now + wanted:%Y-%m-%d %H:%M} UTC.")

    async def trial(self, verb: api.TryProposal, call: Call) -> api.Said:
        if not 2 <= verb.sessions <= _MOST_SESSIONS:
            raise UsageError("Not so many", f"A trial has 2 to {_MOST_SESSIONS} sessions.", "")
        shown, seen = await self._shown(verb.id, seen=verb.seen)
        await self._read(lambda db: trials.triable(db, verb.id))
        told = f"{api.trial_terms(verb.sessions)}\n\n{shown}"
        granted = await call.consent(f"try the proposal {verb.id}", told, yes=verb.yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(seen, self._digest(db, verb.id))
            now = self._runtime.clock.now()
            return review.start_trial(db, verb.id, verb.sessions, actor(granted), now)

        return await changed_by(self._runtime, "On trial", await self._write(work))

    async def _approve(
        self, proposal_id: str, seen: str, call: Call, yes: bool, text: str | None
    ) -> api.Said:
        shown, seen = await self._shown(proposal_id, text, seen)
        granted = await call.consent(f"approve the proposal {proposal_id}", shown, yes=yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(seen, self._digest(db, proposal_id))
            return review.approve(db, proposal_id, actor(granted), self._runtime.clock.now(), text)

        return await changed_by(self._runtime, "Approved", await self._write(work))

    async def _shown(self, proposal_id: str, text: str | None = None, seen: str = "") -> tuple[str, str]:
        """What to show, and the digest that a yes to it is bound to. Raises KnownError where that is not what
        was `seen` before, or is decided: nobody types a code for that."""
        settings, now = self._runtime.settings.review, self._runtime.clock.now()

        def read(db: Db) -> tuple[str, str]:
            found = self._digest(db, proposal_id)
            if seen:
                must_be_as_shown(seen, found)
            if text is None:
                decisions.pending(db, proposal_id)
            return reviewing.in_full(db, proposal_id, settings, now, text), found

        return await self._read(read)

    def _digest(self, db: Db, proposal_id: str) -> str:
        return reviewing.digest(db, library.proposal(db, proposal_id).proposal)

    async def _read(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.aread(work)

    async def _write(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.awrite(work)
