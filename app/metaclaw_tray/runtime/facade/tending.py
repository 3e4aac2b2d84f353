"""Tending the library: imports, scopes, short forms, mergers and returns, each shown before it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.errors import NotFoundError, SkillError
from metaclaw_tray.learning.condensing import condense
from metaclaw_tray.learning.rewriting import Rewrite
from metaclaw_tray.redact import find_secrets
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.agreed import actor, asker, changed_by, must_be_as_shown
from metaclaw_tray.runtime.rewriting import Rewriting
from metaclaw_tray.skills.review import check_text
from metaclaw_tray.store import importing, library, returning, scoping
from metaclaw_tray.store.importing import Incoming
from metaclaw_tray.store.returning import Returned
from metaclaw_tray.store.settling import Changed

T = TypeVar("T")

_AT_ONCE = 2_000  # skills that one import brings: what one search finds


class Tending:
    """One handler for each verb."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self) -> Handlers:
        return {
            api.ImportSkills: self.bring,
            api.ScopeSkill: self.scope,
            api.CondenseSkill: self.condense,
            api.MergeSkills: self.merge,
            api.ListDuplicates: self.duplicates,
            api.ReturnToGeneration: self.go_back,
        }

    async def bring(self, verb: api.ImportSkills, call: Call) -> api.Said:
        incoming = await asyncio.to_thread(_incoming, verb.skills)
        remarks = {
            each.content.name: brought.remarks for each, brought in zip(incoming, verb.skills, strict=True)
        }

        def read(db: Db) -> tuple[str, int]:
            found = importing.sort_out(db, incoming)
            return _import_shown(found, remarks), len(found.new)

        shown, new = await self._read(read)
        who = await asker(call)
        if new:
            named = incoming[0].content.name if len(incoming) == 1 else f"{new} skills"
            who = actor(await call.consent(f"import {named}", shown, yes=verb.yes))

        def work(db: Db) -> importing.Imported:
            must_be_as_shown(shown, read(db)[0])
            return importing.import_skills(db, incoming, who, self._runtime.clock.now())

        done = await self._write(work)
        lines = _import_told(done)
        if done.taken is not None:
            said = await changed_by(self._runtime, "Imported", done.taken)
            lines.insert(0, said.text)
        return api.Said(text="\n".join(lines))

    async def scope(self, verb: api.ScopeSkill, call: Call) -> api.Said:
        for agent in verb.agents:
            if agent not in self._runtime.settings.agents:
                raise NotFoundError("No such agent", agent, "`metaclaw-tray agents list` shows them.")
        wanted = tuple(sorted(set(verb.agents)))

        def read(db: Db) -> str:
            now = scoping.in_words(library.skill_named(db, verb.name).agents)
            text = library.version_of(db, verb.name).text
            return f"now:        {now}\nafterwards: {scoping.in_words(wanted)}\n\n{text}"

        shown = await self._read(read)
        granted = await call.consent(
            f"let the skill {verb.name} be {scoping.in_words(wanted)}", shown, yes=verb.yes
        )

        def work(db: Db) -> Changed:
            must_be_as_shown(shown, read(db))
            return scoping.set_agents(db, verb.name, wanted, actor(granted), self._runtime.clock.now())

        return await changed_by(self._runtime, f"It is {scoping.in_words(wanted)}", await self._write(work))

    async def go_back(self, verb: api.ReturnToGeneration, call: Call) -> api.Said:
        number = verb.generation

        def read(db: Db) -> str:
            return "\n".join(
                line for each in returning.difference(db, number) for line in _returned(db, each)
            )

        shown = await self._read(read)
        asked = f"return the whole library to generation {number}"
        granted = await call.consent(asked, shown or "(nothing would change)", yes=verb.yes)

        def work(db: Db) -> Changed:
            must_be_as_shown(shown, read(db))  # minutes may have passed
            return returning.return_to(db, number, actor(granted), self._runtime.clock.now())

        await call.progress("The skills are brought back …")
        return await changed_by(self._runtime, "Returned", await self._write(work))

    async def condense(self, verb: api.CondenseSkill, call: Call) -> api.Said:
        version = await self._read(lambda db: library.version_of(db, verb.name))
        await call.progress(f"The learning model shortens {verb.name}@{version.version} …")
        async with self._runtime.learning_model() as model:
            made = await condense(model, version)
        if isinstance(made, str):
            raise SkillError("There is no short form", f"“{verb.name}”: {made}.", "Shorten it by hand.")
        runtime = self._runtime
        rewriting = Rewriting(runtime.store, lambda: runtime.settings, runtime.clock)
        rewrite = Rewrite(verb.name, made.text, made.why, (version,))
        return _proposed(*await rewriting.propose(rewrite, runtime.learning_model, call.progress, asked=True))

    async def merge(self, verb: api.MergeSkills, call: Call) -> api.Said:
        await call.progress(f"{verb.keep} and {verb.other} are put together …")
        merging = self._runtime.merging
        return _proposed(*await merging.merge(verb.keep, verb.other, asked=True, tell=call.progress))

    async def duplicates(self, _verb: api.ListDuplicates, call: Call) -> list[api.DuplicateRow]:
        return [
            api.DuplicateRow(
                keep=each.pair.keep.name,
                other=each.pair.other.name,
                words=each.pair.words,
                meaning=each.pair.meaning,
                proposal=each.proposal,
                state=each.state,
            )
            for each in await self._runtime.merging.duplicates(call.progress)
        ]

    async def _read(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.aread(work)

    async def _write(self, work: Callable[[Db], T]) -> T:
        return await self._runtime.store.awrite(work)


def diff_skill(db: Db, asked: api.DiffSkill) -> api.SkillDiff:
    """What differs between two versions. Raises NotFoundError."""
    old, new = (library.version_of(db, asked.name, version) for version in (asked.old, asked.new))
    labels = (f"{asked.name}@{asked.old}", f"{asked.name}@{asked.new}")
    return api.SkillDiff(
        name=asked.name,
        old=asked.old,
        new=asked.new,
        old_text=old.text,
        new_text=new.text,
        diff=library.diff(old.text, new.text, *labels),
    )


def _incoming(brought: Sequence[api.BroughtSkill]) -> list[Incoming]:
    """The texts, checked as any that is added. Raises SkillError."""
    if not 1 <= len(brought) <= _AT_ONCE:
        raise SkillError(
            "Not so many at once",
            f"{len(brought)} skills; one import brings 1 to {_AT_ONCE}.",
            "Name some of them.",
        )
    incoming: dict[str, Incoming] = {}
    for each in brought:
        content = check_text(each.text, each.origin or "the text").content
        if kinds := find_secrets(content.text):
            raise SkillError(
                "The skill holds a secret",
                f"“{content.name}” contains what looks like one: {', '.join(dict.fromkeys(kinds))}.",
                "Take it out, or import the others by name.",
            )
        if content.name in incoming:
            raise SkillError(
                "Two skills of one name", f"“{content.name}” is among them twice.", "Name the folder of one."
            )
        incoming[content.name] = Incoming(content, each.origin)
    return list(incoming.values())


def _import_shown(found: importing.Sorted, remarks: dict[str, list[str]]) -> str:
    lines: list[str] = []
    for each in found.new:
        name = each.content.name
        lines += [f"=== {name}, from {each.origin} ===", *(f"note: {said}" for said in remarks[name])]
        lines += ["", each.content.text]
    for name in found.unchanged:
        lines.append(f"{name}: the library has it, word for word.")
    for each in found.changed:
        lines.append(f"{each.content.name}: the library has another text; this one becomes a proposal.")
    return "\n".join(lines)


def _import_told(done: importing.Imported) -> list[str]:
    lines = [f"{name}: nothing changed, the library has it word for word." for name in done.sorted.unchanged]
    lines += [
        f"{name}: nothing changed, this text was proposed before and rejected."
        for name in done.sorted.decided
    ]
    for each, proposal_id in zip(done.sorted.changed, done.proposals, strict=True):
        lines.append(
            f"{each.content.name}: the library has another text, so this one waits for you: "
            f"`metaclaw-tray review show {proposal_id}`"
        )
    return lines


def _returned(db: Db, each: Returned) -> list[str]:
    """What a return does to one skill: in a line, then the text that would be live."""
    if not each.then:
        return [f"goes:    {each.name}@{each.now} (disabled; enable it to have it back)"]
    text = library.version_of(db, each.name, each.then).text
    for_whom = f", {scoping.in_words(each.agents_then)}" if each.agents_then != each.agents_now else ""
    if not each.now:
        return [f"comes:   {each.name}@{each.then}{for_whom}", "", text]
    if each.now == each.then:
        return [f"stays:   {each.name}@{each.then}{for_whom}"]
    now = library.version_of(db, each.name, each.now).text
    change = library.diff(now, text, f"{each.name}@{each.now}", f"{each.name}@{each.then}")
    return [f"changes: {each.name}@{each.now} → @{each.then}{for_whom}", "", change, "", text]


def _proposed(proposal_id: str, why: str) -> api.Said:
    return api.Said(
        text=f"{why}\nNothing changes until you approve it: `metaclaw-tray review show {proposal_id}`"
    )
