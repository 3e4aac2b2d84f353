"""Proposals as rows and sentences for a person: where each came from first, then what was measured."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.learning.effect import trial_in_words
from metaclaw_tray.settings import Review
from metaclaw_tray.store import effects, figures, library, offering, trials, turns
from metaclaw_tray.store.builtin import PROGRAM
from metaclaw_tray.store.importing import IMPORTED
from metaclaw_tray.store.library import ProposalView
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.settling import running_trial
from metaclaw_tray.store.tables_learning import Trial
from metaclaw_tray.store.tables_library import GateResult, Proposal, ProposalOp, ProposalState

_SOURCES = {
    IMPORTED: "Careful: these are somebody else's words, from an import that you asked for.",
    PROGRAM: "It came with the program.",
    "tool": "Careful: a part of this came from what a tool said, not from you.",
    "web": "Careful: a part of this came from a web page, not from you.",
    "client": "Careful: a part of this came from what the agent's program added, not from you.",
    "pasted": "Careful: a part of this came from a text that you pasted or quoted.",
}


def list_review(db: Db, asked: api.ListReview, review: Review, now: datetime) -> list[api.ProposalRow]:
    states = tuple(ProposalState) if asked.all else (ProposalState.PENDING,)
    rows = [_row(db, view, review, now) for view in library.proposals(db, states)]
    return [row for row in rows if asked.all or asked.waiting or not row.waits]


def show_proposal(db: Db, proposal_id: str, review: Review, now: datetime) -> api.ProposalDetail:
    """A proposal whole. Raises NotFoundError."""
    view = library.proposal(db, proposal_id)
    made = view.proposal
    before = ""
    if made.base_version:
        before = library.version_of(db, made.skill, made.base_version).text
    return api.ProposalDetail(
        proposal=_row(db, view, review, now),
        text=made.text,
        diff=library.diff(
            before,
            made.text,
            f"{made.skill}@{made.base_version}" if before else "nothing",
            f"{made.skill} as proposed" if made.op != ProposalOp.RETIRE else "retired",
        ),
        exchanges=[_taught(db, exchange_id) for exchange_id in made.exchanges],
        gate_details=list(view.gate.details) if view.gate else [],
        source=source_in_words(made),
        trials=[trial_row(db, each) for each in trials.of_proposal(db, made.id)],
        merges=list(made.merges),
        digest=digest(db, made),
    )


def digest(db: Db, made: Proposal) -> str:
    """What a yes is bound to: the proposal, its text, what it changes, and the library around it."""
    parts = (
        made.id,
        made.state,
        library.digest_of(made.text),
        str(made.base_version),
        str(library.standing_version(db, made.skill)),
        str(library.current_generation(db)),
        *made.merges,
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def in_full(db: Db, proposal_id: str, review: Review, now: datetime, edited: str | None = None) -> str:
    """All that a person should read before saying yes: where it came from, what was measured, the change,
    the whole text."""
    detail = show_proposal(db, proposal_id, review, now)
    made = detail.proposal
    lines = [detail.source, f"{made.op} {made.skill}: {made.why}", f"Measured: {made.outcome}"]
    lines += [f"On trial: {each.words}" for each in detail.trials]
    lines += [f"“{name}” would be retired with it: its rule is in this text." for name in detail.merges]
    if edited is None:
        return "\n".join([*lines, "", detail.diff, "", detail.text or "(the skill would be retired)"])
    change = library.diff(detail.text, edited, f"{made.skill} as proposed", f"{made.skill} as edited")
    lines.append("The text below is edited: what was measured is another one.")
    return "\n".join([*lines, "", change or "(nothing was edited)", "", edited])


def source_in_words(made: Proposal) -> str:
    """Where a rule came from, in a sentence."""
    if made.state == ProposalState.REFUSED and made.reason:
        return f"Turned down: {made.reason}. `review edit` approves it in words of your own."
    if made.taint:
        return _SOURCES.get(made.taint, f"Careful: a part of this came from elsewhere ({made.taint}).")
    if made.op == ProposalOp.OUTSIDE:
        return "Careful: somebody changed the skills folder; nobody has said who."
    if made.op == ProposalOp.RETIRE and made.run_id is None:
        return "This follows from figures, not from words."
    if made.run_id is None and (made.merges or not made.exchanges):
        return "It was made from what is in the library already."
    return "It was learnt from what you said."


def outcome_in_words(gate: GateResult | None) -> str:
    """What the gate found, with so many of so many."""
    if gate is None:
        return "not measured"
    if "tokens_before" in gate.figures:  # a text in place of others: the reason says against which
        return f"{Outcome(gate.outcome).said}. {gate.reason}"
    wins, losses, ties = (gate.figures.get(name, 0) for name in ("wins", "losses", "ties"))
    judged = wins + losses + ties
    match gate.outcome if judged else "":
        case "better":
            return f"measured better: on {wins} of {judged} requests that it was not taught on"
        case "promising":
            return f"promising ({wins} of {judged} better), but too few to be sure"
        case "same":
            return f"no difference ({wins} of {judged} better, {losses} worse)"
        case "worse":
            return f"worse (on {losses} of {judged}, better on {wins})"
        case _:
            said = "passed" if gate.passed else "not passed"
            scores = f"{gate.without_skill:+.2f} without it, {gate.with_skill:+.2f} with it"
            return f"{said}: {scores}, on {gate.requests} requests"


def trial_row(db: Db, trial: Trial) -> api.TrialRow:
    return api.TrialRow(
        id=trial.id,
        skill=trial.skill,
        version=trial.version,
        state=trial.state,
        reason=trial.reason,
        sessions=trial.sessions,
        placed=len(trials.arms(db, trial)),
        words=trial_in_words(*effects.arms_of(db, trial), effects.tried_against(db, trial)),
        started_at=trial.started_at,
        ended_at=trial.ended_at,
    )


def gate_figures(gate: GateResult) -> api.GateFigures:
    return api.GateFigures(
        passed=gate.passed,
        requests=gate.requests,
        with_skill=gate.with_skill,
        without_skill=gate.without_skill,
        unscored=gate.unscored,
        reason=gate.reason,
        outcome=gate.outcome,
        model=gate.model,
        judge=gate.judge,
        # What it was measured on is shown in the details, and kept whole for the skill's own evals.
        figures={name: value for name, value in gate.figures.items() if name != "evals"},
    )


def _row(db: Db, view: ProposalView, review: Review, now: datetime) -> api.ProposalRow:
    made = view.proposal
    trial = running_trial(db, made.skill) if made.state == ProposalState.PENDING else None
    return api.ProposalRow(
        id=made.id,
        op=made.op,
        skill=made.skill,
        why=made.why,
        evidence=list(made.exchanges),
        gate=gate_figures(view.gate) if view.gate else None,
        state=made.state,
        at=made.created_at,
        taint=made.taint,
        outcome=outcome_in_words(view.gate),
        offered_at=made.offered_at,
        snoozed_until=made.snoozed_until,
        waits=offering.why_waits(made, review, now),
        trial="running" if trial is not None and trial.proposal_id == made.id else "",
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
