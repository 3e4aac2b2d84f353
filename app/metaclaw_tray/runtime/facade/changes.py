"""Changes to the library over the command line: shown in full, agreed to, done, brought to the hot path."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from typing import TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import Granted
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import KnownError, SkillError
from metaclaw_tray.redact import find_secrets
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import library as rows
from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor, Changed
from metaclaw_tray.store.tables import Ledger, SkillState

T = TypeVar("T")


class Changes:
    """One handler for each verb that needs a person's yes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def approve(self, verb: api.ApproveProposal, call: Call) -> api.Said:
        shown = await self._read(lambda db: _proposal_shown(db, verb.id))
        granted = await call.consent(f"approve the proposal {verb.id}", shown, yes=verb.yes)

        def work(db: Db) -> Changed:
            _must_be_as_shown(shown, _proposal_shown(db, verb.id))
            return review.approve(db, verb.id, _actor(granted), self._runtime.clock.now())

        return await self._changed("Approved", await self._write(work))

    async def reject(self, verb: api.RejectProposal, call: Call) -> api.Said:
        shown = await self._read(lambda db: _proposal_shown(db, verb.id))
        granted = await call.consent(f"reject the proposal {verb.id}", shown, yes=verb.yes)
        entry = await self._write(
            lambda db: decisions.reject(db, verb.id, _actor(granted), self._runtime.clock.now(), verb.reason)
        )
        await self._runtime.library.refresh()
        return api.Said(text=f"Rejected; it will not be offered again. Ledger entry {entry}.")

    async def add_skill(self, verb: api.AddSkill, call: Call) -> api.Said:
        checked = review.check_text(verb.text, verb.folder or "the text", verb.folder)
        if kinds := find_secrets(verb.text):
            raise SkillError(
                "The skill holds a secret",
                f"“{checked.content.name}” contains what looks like one: {', '.join(dict.fromkeys(kinds))}.",
                "Take it out: a skill is sent to models with the requests that it fits.",
            )
        text = "\n".join([checked.content.text, *(f"note: {each}" for each in checked.warnings)])
        granted = await call.consent(f"add the skill {checked.content.name}", text, yes=verb.yes)
        changed, _ = await self._write(
            lambda db: review.add_text(
                db,
                verb.text,
                verb.folder or "the text",
                verb.folder,
                _actor(granted),
                self._runtime.clock.now(),
            )
        )
        return await self._changed("Added", changed)

    async def enable(self, verb: api.EnableSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.ACTIVE, "enable", call, verb.yes)

    async def disable(self, verb: api.DisableSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.DISABLED, "disable", call, verb.yes)

    async def retire(self, verb: api.RetireSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.RETIRED, "retire", call, verb.yes)

    async def undo(self, verb: api.Undo, call: Call) -> api.Said:
        shown = await self._read(lambda db: _entry_shown(db, verb.entry))
        granted = await call.consent(f"undo the ledger entry {verb.entry}", shown, yes=verb.yes)
        changed = await self._write(
            lambda db: decisions.undo(db, verb.entry, _actor(granted), self._runtime.clock.now())
        )
        return await self._changed("Undone", changed)

    async def _set(self, name: str, state: SkillState, action: str, call: Call, yes: bool) -> api.Said:
        text = (await self._read(lambda db: library.version_of(db, name))).text
        granted = await call.consent(f"{action} the skill {name}", text, yes=yes)
        changed = await self._write(
            lambda db: decisions.set_state(db, name, state, _actor(granted), self._runtime.clock.now())
        )
        return await self._changed(f"{action.capitalize()}d", changed)

    async def _changed(self, word: str, changed: Changed) -> api.Said:
        await self._runtime.library.refresh()
        return api.Said(
            text=f"{word}: {changed.skill}@{changed.version}. "
            f"The library is generation {changed.generation}. "
            f"To take it back: `metaclaw-tray undo {changed.ledger_id}`."
        )

    async def _read(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.aread(work)

    async def _write(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.awrite(work)


def _actor(granted: Granted) -> Actor:
    return Actor(getpass.getuser(), granted.channel, tuple(granted.ancestry))


def _must_be_as_shown(shown: str, now: str) -> None:
    if shown != now:
        raise KnownError(
            "It changed meanwhile", "What you read is not what stands there now.", "Read it again."
        )


def _proposal_shown(db: Db, proposal_id: str) -> str:
    """All that a person should read before saying yes: why, the figures, the change, the whole text."""
    detail = rows.show_proposal(db, proposal_id)
    made, gate = detail.proposal, detail.proposal.gate
    lines = [f"{made.op} {made.skill}: {made.why}"]
    if gate is not None:
        lines.append(
            f"measured on {gate.requests} requests: {gate.with_skill:+.2f} with it, "
            f"{gate.without_skill:+.2f} without ({gate.reason})"
        )
    return "\n".join([*lines, "", detail.diff, "", detail.text or "(the skill would be retired)"])


def _entry_shown(db: Db, ledger_id: str) -> str:
    entry = db.get(Ledger, ledger_id)
    if entry is None:
        return f"there is no entry {ledger_id}"
    return (
        f"{entry.action} {entry.subject} by {entry.actor}\n  before: {entry.before}\n  after:  {entry.after}"
    )
