"""A skill followed from the first turn that went wrong to what became of the exchanges it was chosen for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store import effects
from metaclaw_tray.store.tables import Claim, Exchange, Run, Turn, TurnKind, Verdict
from metaclaw_tray.store.tables_library import GateResult, Generation, Ledger, Proposal


@dataclass(frozen=True)
class Step:
    """One thing that happened, with the id by which it is shown whole."""

    kind: str  # turn, verdict, claim, run, proposal, gate, decision, generation, exchange
    id: str
    at: datetime | None
    text: str


def trace(db: Db, skill: str) -> list[Step]:
    """What led to a skill, what was decided, and what came of it: each part oldest first.

    Raises NotFoundError where there never was such a skill, nor a proposal for one.
    """
    made = db.exec(select(Proposal).where(Proposal.skill == skill).order_by(col(Proposal.created_at))).all()
    steps = [step for each in made for step in _proposal(db, each)]
    steps += _decisions(db, skill)
    if not steps:
        raise NotFoundError("No such skill", skill, "`metaclaw-tray skills list` shows them.")
    return [*steps, *_exchanges(db, skill)]


def _proposal(db: Db, made: Proposal) -> Iterator[Step]:
    for exchange_id in made.exchanges:
        yield from _taught(db, exchange_id)
    run = db.get(Run, made.run_id) if made.run_id else None
    if run is not None:
        said = f"{run.state}, {len(run.exchanges)} exchanges, by {run.model}"
        yield Step("run", run.id, run.started_at, f"{said}: {run.reason}" if run.reason else said)
    state = f"{made.state}: {made.reason}" if made.reason else made.state
    yield Step("proposal", made.id, made.created_at, f"{made.op} {made.skill}, {state}. {made.why}")
    gate = db.get(GateResult, made.id)
    if gate is not None:
        outcome = gate.outcome or ("passed" if gate.passed else "not passed")
        told = gate.reason if gate.reason.startswith(outcome) else f"{outcome}: {gate.reason}"
        yield Step("gate", made.id, gate.at, told)


def _taught(db: Db, exchange_id: str) -> Iterator[Step]:
    """The turns of an exchange with their verdicts, and the claim on it."""
    rows = db.exec(
        select(Turn, Verdict)
        .outerjoin(Verdict, col(Verdict.turn_id) == col(Turn.id))
        .where(Turn.exchange_id == exchange_id, Turn.kind == TurnKind.MAIN)
        .order_by(col(Turn.id))
    )
    for turn, verdict in rows:
        yield Step("turn", turn.id, turn.begun_at, f"{turn.agent} asked {turn.model}: {turn.outcome}")
        if verdict is not None:
            score = "unscored" if verdict.score is None else f"{verdict.score:+d}"
            yield Step("verdict", turn.id, verdict.at, f"{score} by {verdict.model}: {verdict.reason}")
    claim = db.get(Claim, exchange_id)
    if claim is not None:
        yield Step("claim", exchange_id, claim.at, f"{claim.use}, for the run {claim.run_id}")


def _decisions(db: Db, skill: str) -> Iterator[Step]:
    among = func.json_extract(Ledger.after, f'$.skills."{skill}".version')
    query = select(Ledger, among).where(or_(col(Ledger.subject) == skill, among.is_not(None)))
    for entry, version in db.exec(query.order_by(col(Ledger.at), col(Ledger.id))):
        undone = f", undone by {entry.undone_by}" if entry.undone_by else ""
        if version is not None:
            what = f"{entry.action} {entry.subject}, with {skill}@{version}"
        else:
            at = entry.after.get("version")
            what = f"{entry.action} {skill}" + (f"@{at}" if at is not None else "")
        yield Step("decision", entry.id, entry.at, f"{what} by {entry.actor} ({entry.channel}){undone}")
        began = db.get(Generation, entry.generation) if entry.generation is not None else None
        if began is not None:
            yield Step("generation", str(began.number), began.at, began.why)


def _exchanges(db: Db, skill: str) -> Iterator[Step]:
    for exchange_id, score in effects.chosen_for(db, skill):
        exchange = db.get(Exchange, exchange_id)
        assert exchange is not None, "it was read in this transaction"
        verdict = "not judged" if score is None else f"verdict {score:+d}" if score else "verdict 0"
        said = f"it was chosen in generation {exchange.generation}, session {exchange.session_id}: {verdict}"
        yield Step("exchange", exchange_id, exchange.started_at, said)
