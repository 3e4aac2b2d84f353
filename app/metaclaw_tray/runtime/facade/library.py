"""The skills and their generations, as rows for a person."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.learning.alike import body_of
from metaclaw_tray.learning.effect import in_words
from metaclaw_tray.skills.block import BODY_TOKENS, too_long
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import effects, evals, figures, library, query_set
from metaclaw_tray.store.library import ListedSkill
from metaclaw_tray.store.tables_library import Generation, Ledger, SkillVersion

_EXCHANGES = 50  # of a generation that is shown


def list_skills(db: Db, asked: api.ListSkills) -> list[api.SkillRow]:
    return [skill_row(each) for each in library.listed(db, after=asked.after, limit=asked.limit)]


def show_skill(db: Db, name: str, version: int | None) -> api.SkillDetail:
    found = library.version_of(db, name, version)
    (listed,) = library.listed(db, name=name)
    return api.SkillDetail(
        skill=skill_row(listed),
        text=found.text,
        used=figures.skill_uses(db, name),
        effect=in_words(effects.effect_of(db, name, version)),
        measured=_measured(evals.standing(db, name, found.version)),
    )


def _measured(standing: evals.Standing | None) -> str:
    return f"{standing.reason} (on {standing.model})" if standing else ""


def skill_row(view: ListedSkill) -> api.SkillRow:
    tokens = estimate_tokens(view.text)
    return api.SkillRow(
        name=view.name,
        version=view.version,
        state="trial" if view.on_trial else view.state,
        source=view.source,
        trust=view.trust,
        generation=view.generation,
        description=view.description,
        tokens=tokens,
        agents=view.agents,
        origin=view.origin,
        too_long=_too_long(view.name, view.text, tokens),
    )


def _too_long(name: str, text: str, tokens: int) -> str:
    reason = too_long(body_of(text)) if tokens > BODY_TOKENS else ""  # most need no reading for that
    return reason and f"{reason}; for a short form: `metaclaw-tray skills condense {name}`"


def history(db: Db, name: str) -> list[api.SkillVersionRow]:
    rows, before = [], ""
    for each in library.history(db, name):
        label = f"{name}@{each.version}"
        diff = library.diff(before, each.text, f"{name}@{each.version - 1}" if before else "nothing", label)
        rows.append(
            api.SkillVersionRow(
                version=each.version, at=each.at, digest=each.digest, proposal=each.proposal_id, diff=diff
            )
        )
        before = each.text
    return rows


def export(db: Db, asked: api.ExportSkills) -> list[api.ExportedSkill]:
    if asked.names:
        found = [library.version_of(db, name) for name in asked.names]
    else:
        found = library.active_library(db)[1]
    measured = evals.skills_with_evals(db)  # few of a large library have some
    return [
        _exported(db, each, quotes=asked.quotes)
        if each.name in measured
        else api.ExportedSkill(each.name, each.text)
        for each in found
    ]


def _exported(db: Db, version: SkillVersion, *, quotes: bool) -> api.ExportedSkill:
    return api.ExportedSkill(
        version.name,
        version.text,
        _in_lines(evals.evals_of(db, version.name, version.version, quotes=quotes)),
        evals.quotes_of(db, version.name, version.version),
    )


def _in_lines(content: dict[str, Any] | None) -> str:
    """JSON that people read too; empty where there is none."""
    if content is None:
        return ""
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def list_generations(db: Db, limit: int, now: datetime) -> list[api.GenerationRow]:
    return _generation_rows(db, library.generations(db, limit), now)


def show_generation(db: Db, number: int, now: datetime) -> api.GenerationDetail:
    view = library.generation(db, number)
    ledger_id = view.generation.ledger_id
    entry = db.get(Ledger, ledger_id) if ledger_id else None
    return api.GenerationDetail(
        generation=_generation_rows(db, [view.generation], now)[0],
        skills=list(view.members),
        entry=api.LedgerEntry(id=entry.id, action=entry.action, subject=entry.subject, channel=entry.channel)
        if entry
        else None,
        exchanges=[
            api.PlacedRow(exchange=each.exchange_id, set=each.set, why=each.why)
            for each in query_set.newest_of(db, number, _EXCHANGES, now)
        ],
    )


def _generation_rows(db: Db, found: list[Generation], now: datetime) -> list[api.GenerationRow]:
    counted = figures.generation_figures(db, [each.number for each in found], now)
    return [
        api.GenerationRow(
            generation=each.number,
            why=each.why,
            support=counted[each.number].support,
            query=counted[each.number].query,
            holdout=counted[each.number].holdout,
            at=each.at,
            sets=dict(counted[each.number].sets),
        )
        for each in found
    ]
