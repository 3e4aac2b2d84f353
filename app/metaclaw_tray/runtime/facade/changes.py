"""Changes of skills over the command line: shown in full, agreed to, done, brought to the hot path."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import SkillError
from metaclaw_tray.redact import find_secrets
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.agreed import actor, changed_by, must_be_as_shown
from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, library, settling
from metaclaw_tray.store.decisions import Changed, SkillTrust
from metaclaw_tray.store.scoping import in_words
from metaclaw_tray.store.settling import Standing
from metaclaw_tray.store.tables_library import SkillState

T = TypeVar("T")


class Changes:
    """One handler for each verb that needs a person's yes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def add_skill(self, verb: api.AddSkill, call: Call) -> api.Said:
        checked = review.check_text(verb.text, verb.folder or "the text", verb.folder)
        if kinds := find_secrets(verb.text):
            raise SkillError(
                "The skill holds a secret",
                f"“{checked.content.name}” contains what looks like one: {', '.join(dict.fromkeys(kinds))}.",
                "Take it out: a skill is sent to models with the requests that it fits.",
            )
        shown = added_in_full(checked)
        granted = await call.consent(f"add the skill {checked.content.name}", shown, yes=verb.yes)
        changed, _ = await self._write(
            lambda db: review.add_text(
                db,
                verb.text,
                verb.folder or "the text",
                verb.folder,
                actor(granted),
                self._runtime.clock.now(),
            )
        )
        return await changed_by(self._runtime, "Added", changed)

    async def enable(self, verb: api.EnableSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.ACTIVE, "enable", call, verb.yes)

    async def disable(self, verb: api.DisableSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.DISABLED, "disable", call, verb.yes)

    async def retire(self, verb: api.RetireSkill, call: Call) -> api.Said:
        return await self._set(verb.name, SkillState.RETIRED, "retire", call, verb.yes)

    async def undo(self, verb: api.Undo, call: Call) -> api.Said:
        shown = await self._read(lambda db: _entry_shown(db, verb.entry))
        granted = await call.consent(f"undo the ledger entry {verb.entry}", shown, yes=verb.yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(shown, _entry_shown(db, verb.entry))
            return decisions.undo(db, verb.entry, actor(granted), self._runtime.clock.now())

        return await changed_by(self._runtime, "Undone", await self._write(work))

    async def trust(self, verb: api.TrustSkill, call: Call) -> api.Said:
        trust = SkillTrust.TRUSTED if verb.trusted else SkillTrust.REVIEWED
        text = (await self._read(lambda db: library.version_of(db, verb.name))).text
        asked = f"trust the skill {verb.name}" if verb.trusted else f"trust the skill {verb.name} no longer"
        granted = await call.consent(asked, text, yes=verb.yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(text, library.version_of(db, verb.name).text)
            return decisions.set_trust(db, verb.name, trust, actor(granted), self._runtime.clock.now())

        return await changed_by(self._runtime, "Noted", await self._write(work))

    async def _set(self, name: str, state: SkillState, action: str, call: Call, yes: bool) -> api.Said:
        text = (await self._read(lambda db: library.version_of(db, name))).text
        granted = await call.consent(f"{action} the skill {name}", text, yes=yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(text, library.version_of(db, name).text)
            return decisions.set_state(db, name, state, actor(granted), self._runtime.clock.now())

        return await changed_by(self._runtime, f"{action.capitalize()}d", await self._write(work))

    async def _read(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.aread(work)

    async def _write(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.awrite(work)


def added_in_full(checked: review.Checked) -> str:
    """All that a person should read before a text is added."""
    return "\n".join([checked.content.text, *(f"note: {each}" for each in checked.warnings)])


def _entry_shown(db: Db, ledger_id: str) -> str:
    """What an entry did, and the change of the live texts that undoing it would make.

    Raises NotFoundError, or DecisionError where it cannot be undone: nobody types a code for that.
    """
    entry = decisions.undoable(db, ledger_id)
    lines = [f"{entry.action} {entry.subject} by {entry.actor} ({entry.channel})"]
    for name in settling.skills_of(entry):
        lines += _would_be(db, name, settling.before_entry(db, entry, name))
    return "\n".join(lines).rstrip()


def _would_be(db: Db, name: str, then: Standing) -> list[str]:
    """How a skill stands, how it would, and the text that would be live."""
    now = settling.standing_of(library.skill_named(db, name))
    old, new = (
        library.version_of(db, name, each.version).text if each.state == SkillState.ACTIVE else ""
        for each in (now, then)
    )
    change = library.diff(old, new, "what is live now", "what would be live")
    told = [f"{name} now:        {_told(now)}", f"{name} afterwards: {_told(then)}"]
    return [*told, "", change or "(no live text changes)", "", new]


def _told(standing: Standing) -> str:
    whom = f", {in_words(standing.agents)}" if standing.agents else ""
    return f"version {standing.version}, {standing.state}{whom}"
