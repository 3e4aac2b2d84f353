"""The skills and what would change them, as rows for a person."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import figures, library, turns
from metaclaw_tray.store.library import GenerationView, ProposalView, SkillView
from metaclaw_tray.store.tables import GateResult, Ledger, ProposalOp, ProposalState


def list_skills(db: Db) -> list[api.SkillRow]:
    return [skill_row(db, view) for view in library.skills(db)]


def show_skill(db: Db, name: str, version: int | None) -> api.SkillDetail:
    found = library.version_of(db, name, version)
    view = next(each for each in library.skills(db) if each.name == name)
    return api.SkillDetail(skill=skill_row(db, view), text=found.text, used=figures.skill_uses(db, name))


def skill_row(db: Db, view: SkillView) -> api.SkillRow:
    return api.SkillRow(
        name=view.name,
        version=view.version,
        state=view.state,
        source=view.source,
        trust=view.trust,
        generation=view.generation,
        description=view.description,
        tokens=estimate_tokens(library.version_of(db, view.name, view.version).text),
    )


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


def export(db: Db, names: list[str]) -> list[api.ExportedSkill]:
    if names:
        found = [library.version_of(db, name) for name in names]
    else:
        found = library.active_library(db)[1]
    return [api.ExportedSkill(name=each.name, text=each.text) for each in found]


def list_review(db: Db, everything: bool) -> list[api.ProposalRow]:
    states = tuple(ProposalState) if everything else (ProposalState.PENDING,)
    return [_proposal_row(view) for view in library.proposals(db, states)]


def show_proposal(db: Db, proposal_id: str) -> api.ProposalDetail:
    view = library.proposal(db, proposal_id)
    made = view.proposal
    before = ""
    if made.base_version:
        before = library.version_of(db, made.skill, made.base_version).text
    return api.ProposalDetail(
        proposal=_proposal_row(view),
        text=made.text,
        diff=library.diff(
            before,
            made.text,
            f"{made.skill}@{made.base_version}" if before else "nothing",
            f"{made.skill} as proposed" if made.op != ProposalOp.RETIRE else "retired",
        ),
        exchanges=[_taught(db, exchange_id) for exchange_id in made.exchanges],
        gate_details=list(view.gate.details) if view.gate else [],
    )


def list_generations(db: Db, limit: int) -> list[api.GenerationRow]:
    return _generation_rows(db, library.generations(db, limit))


def show_generation(db: Db, number: int) -> api.GenerationDetail:
    view = library.generation(db, number)
    ledger_id = view.generation.ledger_id
    entry = db.get(Ledger, ledger_id) if ledger_id else None
    return api.GenerationDetail(
        generation=_generation_rows(db, [view])[0],
        skills=list(view.members),
        entry=api.LedgerEntry(id=entry.id, action=entry.action, subject=entry.subject, channel=entry.channel)
        if entry
        else None,
    )


def _generation_rows(db: Db, views: list[GenerationView]) -> list[api.GenerationRow]:
    counted = figures.generation_figures(db, [view.generation.number for view in views])
    return [
        api.GenerationRow(
            generation=view.generation.number,
            why=view.generation.why,
            support=counted[view.generation.number].support,
            query=counted[view.generation.number].query,
            holdout=counted[view.generation.number].holdout,
            at=view.generation.at,
        )
        for view in views
    ]


def _proposal_row(view: ProposalView) -> api.ProposalRow:
    made = view.proposal
    return api.ProposalRow(
        id=made.id,
        op=made.op,
        skill=made.skill,
        why=made.why,
        evidence=list(made.exchanges),
        gate=_gate_figures(view.gate) if view.gate else None,
        state=made.state,
        at=made.created_at,
    )


def _gate_figures(gate: GateResult) -> api.GateFigures:
    return api.GateFigures(
        passed=gate.passed,
        requests=gate.requests,
        with_skill=gate.with_skill,
        without_skill=gate.without_skill,
        unscored=gate.unscored,
        reason=gate.reason,
    )


def _taught(db: Db, exchange_id: str) -> dict[str, Any]:
    """What an exchange was: the person's request, the last answer, and what the person said to it."""
    found = turns.turns_of(db, exchange_id)
    told = turns.conversation(db, found[-1].id) if found else None
    return {
        "exchange": exchange_id,
        "turns": [each.id for each in found],
        "request": _last(told.request) if told else None,
        "answer": told.answer if told else None,
        "next_state": list(told.next_state) if told else [],
        "evidence": [
            {"kind": each.kind, "value": each.value, "origin": each.origin, "text": each.text}
            for each in figures.evidence_of(db, exchange_id)
        ],
    }


def _last(messages: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    return messages[-1] if messages else None
