"""Skills and proposals as a page shows them: what taught, what was replayed, what a text would become."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.errors import KnownError, SkillError, UsageError
from metaclaw_tray.learning.evidence import said_next
from metaclaw_tray.learning.trajectory import trajectory
from metaclaw_tray.redact import find_secrets
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import reviewing
from metaclaw_tray.runtime.facade.changes import added_in_full
from metaclaw_tray.runtime.facade.effects import rate
from metaclaw_tray.runtime.facade.record import ledger_row
from metaclaw_tray.skills import review
from metaclaw_tray.skills.exporting import Exported, Outcome, export_skills, failed
from metaclaw_tray.skills.imported import shown
from metaclaw_tray.skills.importing import Found, find_skills
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import decisions, figures, learning, library, turns
from metaclaw_tray.store.library import SkillText

_CUT = 20_000  # characters of a text that a page quotes
_MOST_FOUND = 500  # skills of a folder that are shown at once
_TOLD = 40  # things left aside that are told one by one


class Reading:
    """One handler for each verb. None of them changes the library."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self) -> Handlers:
        return {
            api.ReadProposal: self.proposal,
            api.CheckText: self.check,
            api.SkillLedger: self.ledger,
            api.LookForSkills: self.look,
            api.WriteSkills: self.write,
        }

    async def proposal(self, verb: api.ReadProposal, _call: Call) -> api.ProposalReading:
        runtime = self._runtime
        await runtime.reviewing.settle()
        settings, now = runtime.settings.review, runtime.clock.now()

        def read(db: Db) -> api.ProposalReading:
            detail = reviewing.show_proposal(db, verb.id, settings, now)
            view = library.proposal(db, verb.id)
            made, gate = view.proposal, view.gate
            base = library.version_of(db, made.skill, made.base_version).text if made.base_version else ""
            return api.ProposalReading(
                detail=detail,
                full=reviewing.in_full(db, verb.id, settings, now),
                before=base,
                lessons=[lesson(db, exchange_id) for exchange_id in made.exchanges],
                replays=[_replay(each) for each in gate.details] if gate else [],
                better=_better(gate.figures) if gate else None,
                shown=gate.figures.get("shown") if gate else None,
            )

        return await runtime.store.aread(read)

    async def check(self, verb: api.CheckText, _call: Call) -> api.CheckedText:
        settings, now = self._runtime.settings.review, self._runtime.clock.now()

        def read(db: Db) -> api.CheckedText:
            if verb.proposal:
                decisions.editable(db, verb.proposal)
                text = review.checked_for(db, verb.proposal, verb.text)
                content, remarks = review.check_text(text, "the text").content, []
                before = library.proposal(db, verb.proposal).proposal.text
                full = reviewing.in_full(db, verb.proposal, settings, now, text)
            else:
                checked = review.check_text(verb.text, "the text")
                content, remarks = checked.content, list(checked.warnings)
                version = library.standing_version(db, content.name)
                before = library.version_of(db, content.name, version).text if version else ""
                full = added_in_full(checked)
            return _checked(content, before, full, remarks)

        try:
            return await self._runtime.store.aread(read)
        except KnownError as error:
            return api.CheckedText(title=error.title, detail=error.detail, remedy=error.remedy)

    async def ledger(self, verb: api.SkillLedger, _call: Call) -> list[api.LedgerRow]:
        def read(db: Db) -> list[api.LedgerRow]:
            return [ledger_row(each) for each in library.ledger_of(db, verb.name, verb.limit)]

        return await self._runtime.store.aread(read)

    async def look(self, verb: api.LookForSkills, _call: Call) -> api.FoundSkills:
        path = _path(verb.path)
        found = await asyncio.to_thread(find_skills, path)

        def read(db: Db) -> list[api.FoundSkill]:
            return [
                api.FoundSkill(
                    name=each.name,
                    description=each.description,
                    brought=api.BroughtSkill(
                        text=each.text,
                        origin=shown(each.file.absolute()),
                        remarks=[said for said in (*each.warnings, each.left_out, each.too_long) if said],
                    ),
                    standing=_standing(db, each.name, each.text),
                )
                for each in found.skills[:_MOST_FOUND]
            ]

        skills = await self._runtime.store.aread(read)
        return api.FoundSkills(folder=shown(path), skills=skills, aside=_aside(found), stopped=found.stopped)

    async def write(self, verb: api.WriteSkills, _call: Call) -> api.Said:
        folder = _path(verb.folder)
        if not folder.is_absolute():
            raise UsageError("Not a whole path", f"{verb.folder}.", "Name the folder from its root on.")

        def read(db: Db) -> list[tuple[str, str]]:
            if verb.names:
                found = [library.version_of(db, name) for name in verb.names]
            else:
                found = library.active_library(db)[1]
            return [(each.name, each.text) for each in found]

        texts = await self._runtime.store.aread(read)
        return api.Said(text=_written(folder, await asyncio.to_thread(_export, folder, texts)))


def lesson(db: Db, exchange_id: str) -> api.Lesson:
    """An exchange in its order, with the answer at fault marked."""
    found = turns.turns_of(db, exchange_id)
    pieces = [
        api.Piece(kind=each.kind, value=each.value, whose=each.origin, text=_cut(each.text))
        for each in figures.evidence_of(db, exchange_id)
    ]
    if not found:
        return api.Lesson(exchange=exchange_id, agent="", at=None, asked="", steps=[], said="", pieces=pieces)
    last = found[-1]
    told = turns.conversation(db, last.id)
    course = trajectory(told.request, told.answer)
    failing = learning.failing_turn(db, exchange_id)
    steps = [(each.said, list(each.results)) for each in course.steps]
    if course.answer:
        steps.append((course.answer, []))
    place = next((place for place, turn in enumerate(found) if turn.id == failing), None)
    fault = None if place is None else min(place, len(steps) - 1)
    return api.Lesson(
        exchange=exchange_id,
        agent=last.agent,
        at=found[0].begun_at,
        asked=_cut(course.task),
        steps=[
            api.Step(said=_cut(said), results=[_cut(each) for each in results], at_fault=number == fault)
            for number, (said, results) in enumerate(steps)
        ],
        said=_cut(said_next(told.next_state)),
        pieces=pieces,
    )


def _better(figures: dict[str, Any]) -> api.Rate | None:
    wins = figures.get("wins", 0)
    judged = wins + figures.get("losses", 0) + figures.get("ties", 0)
    return rate(wins, judged) if judged else None


def _replay(kept: dict[str, Any]) -> api.Replay:
    return api.Replay(
        origin=kept.get("origin", ""),
        exchange=kept.get("exchange", ""),
        request=_cut(kept.get("request", "")),
        remark=_cut(kept.get("remark", "")),
        without=_cut(kept.get("without_answer", "")),
        with_skill=_cut(kept.get("with_answer", "")),
        mark=kept.get("mark", ""),
    )


def _checked(content: SkillText, before: str, full: str, remarks: list[str]) -> api.CheckedText:
    """Raises SkillError where the text holds a secret."""
    if kinds := find_secrets(content.text):
        raise SkillError(
            "The text holds a secret",
            f"It contains what looks like one: {', '.join(dict.fromkeys(kinds))}.",
            "Take it out: a skill is sent to models with the requests that it fits.",
        )
    return api.CheckedText(
        name=content.name,
        description=content.description,
        text=content.text,
        tokens=estimate_tokens(content.text),
        remarks=remarks,
        before=before,
        full=full,
    )


def _path(text: str) -> Path:
    """Raises UsageError where it can be none."""
    if "\0" in text:
        raise UsageError(
            "Not a path", "It holds a character that no path may have.", "Choose the folder anew."
        )
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path's own raises for a user that is not there


def _standing(db: Db, name: str, text: str) -> Any:
    version = library.standing_version(db, name)
    if not version:
        return "new"
    return "same" if library.version_of(db, name, version).text == text else "differs"


def _aside(found: Found) -> list[str]:
    lines = [f"{shown(each.path)}: {each.why}" for each in found.skipped]
    lines += [
        f"{shown(each.link)} leads to {shown(each.target)}, outside the folder" for each in found.outside
    ]
    more = len(found.skills) - _MOST_FOUND
    if more > 0:
        lines.append(f"{more} skills more: choose a folder further in.")
    return lines if len(lines) <= _TOLD else [*lines[:_TOLD], f"and {len(lines) - _TOLD} more."]


def _export(folder: Path, texts: list[tuple[str, str]]) -> list[Exported]:
    try:
        return list(export_skills(folder, texts))
    except OSError as error:
        raise failed(folder, error) from error


def _written(folder: Path, done: list[Exported]) -> str:
    there = sum(each.outcome in (Outcome.WRITTEN, Outcome.UNCHANGED) for each in done)
    left = [each for each in done if each.outcome not in (Outcome.WRITTEN, Outcome.UNCHANGED)]
    lines = [f"{there} of {len(done)} skills are in {shown(folder)}."]
    lines += [f"{each.name} was not written: {each.why}." for each in left]
    return "\n".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[:_CUT]}\n[… {len(text) - _CUT} characters more …]"
