"""What learning asks of the store and writes to it: verdicts, evidence, runs and gate results.

What is due is read from here, never from memory: a turn that waits for its verdict is a row, and so is a run
that was started.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store import claims
from metaclaw_tray.store.lessons import Cluster, instruction_of
from metaclaw_tray.store.tables import ClaimUse, Due, Evidence, Notice, Run, RunState, Verdict
from metaclaw_tray.store.tables_library import GateResult


@dataclass(frozen=True)
class Ruling:
    """What the judge made of one turn. `score` is None where it is unscored, which is never 0."""

    score: int | None
    votes: tuple[int, ...]
    reason: str
    kind: str = ""
    instruction: str = ""
    heard: str = ""  # what the person's next message is: thanks, task, correction, rule
    step: int = 0  # the answer at fault within the exchange, counted from 1; 0: this turn's own
    transient: bool = False  # the surroundings failed, or it was written for the judge: it teaches nothing
    rubric: str = ""  # by which rules it was judged


@dataclass(frozen=True)
class Piece:
    """One piece of evidence."""

    kind: str  # of store.tables.Evidence
    value: int
    origin: str  # person, model, tool, web
    text: str = ""


def due_turns(session: Session, limit: int = 20) -> list[str]:
    """Turns that wait for a verdict, oldest first."""
    return list(session.exec(select(Due.turn_id).order_by(col(Due.at), col(Due.turn_id)).limit(limit)))


def is_due(session: Session, turn_id: str) -> bool:
    """Whether a turn still waits for a verdict: it, or its next state, may have been forgotten meanwhile."""
    return session.get(Due, turn_id) is not None


def count_due(session: Session) -> int:
    return session.exec(select(func.count()).select_from(Due)).one()


def add_verdict(
    session: Session,
    turn_id: str,
    exchange_id: str,
    ruling: Ruling,
    model: str,
    now: datetime,
    guilty: str | None = None,
) -> None:
    """Store a verdict and let the turn wait no longer. A turn that has one keeps it. `guilty` is the turn at
    fault, where it is an earlier one."""
    _no_longer_due(session, turn_id)
    if session.exec(select(Verdict.id).where(Verdict.turn_id == turn_id)).first() is not None:
        return
    session.add(
        Verdict(
            id=new_id(now),
            turn_id=turn_id,
            exchange_id=exchange_id,
            score=ruling.score,
            votes=list(ruling.votes),
            reason=ruling.reason,
            kind=ruling.kind,
            instruction=ruling.instruction,
            model=model,
            at=now,
            transient=ruling.transient,
            guilty_turn_id=guilty,
            rubric=ruling.rubric,
        )
    )


def overrule(
    session: Session, turn_id: str, exchange_id: str, ruling: Ruling, judge: str, now: datetime
) -> None:
    """Store a verdict in place of one that may be there: the person's own word counts for more.

    What that one knew besides (the kind of fault, a standing instruction) stays where this one says nothing.
    """
    before = session.exec(select(Verdict).where(Verdict.turn_id == turn_id)).first()
    if before is not None:
        ruling = replace(
            ruling, kind=ruling.kind or before.kind, instruction=ruling.instruction or before.instruction
        )
        session.delete(before)
        session.flush()
    add_verdict(session, turn_id, exchange_id, ruling, judge, now)


def failing_turn(session: Session, exchange_id: str) -> str | None:
    """The turn of an exchange that was at fault by its latest bad verdict; None where none was bad."""
    bad = select(Verdict).where(Verdict.exchange_id == exchange_id, Verdict.score == -1)
    found = session.exec(bad.order_by(col(Verdict.at).desc(), col(Verdict.id).desc())).first()
    return None if found is None else found.guilty_turn_id or found.turn_id


def add_evidence(
    session: Session, exchange_id: str, pieces: Sequence[Piece], now: datetime, turn_id: str | None = None
) -> None:
    for piece in pieces:
        session.add(
            Evidence(
                id=new_id(now),
                exchange_id=exchange_id,
                turn_id=turn_id,
                kind=piece.kind,
                value=piece.value,
                origin=piece.origin,
                text=piece.text,
                at=now,
            )
        )


def start_run(session: Session, cluster: Cluster, model: str, now: datetime) -> Run:
    """Start a run and claim its exchanges for support, in this transaction. Raises ClaimConflictError."""
    run = Run(
        id=new_id(now),
        cluster=cluster.kind or "instruction",
        state=RunState.STARTED,
        exchanges=list(cluster.exchanges),
        model=model,
        started_at=now,
    )
    session.add(run)
    session.flush()
    claims.claim(session, cluster.exchanges, ClaimUse.SUPPORT, run.id, now)
    return run


def cluster_of(session: Session, run: Run) -> Cluster:
    """What a run was started for."""
    return Cluster(run.cluster, tuple(run.exchanges), instruction_of(session, run.exchanges))


def end_run(session: Session, run_id: str, state: RunState, reason: str, now: datetime) -> None:
    """End a run; one that has ended, because what taught it was forgotten, keeps its end."""
    found = session.get(Run, run_id)
    if found is not None and found.state == RunState.STARTED:
        found.state, found.reason, found.ended_at = state, reason, now
        session.add(found)


def is_open(session: Session, run_id: str) -> bool:
    """Whether a run still goes on: what taught it may have been forgotten meanwhile."""
    found = session.get(Run, run_id)
    return found is not None and found.state == RunState.STARTED


def open_runs(session: Session) -> list[Run]:
    """Runs that were started and did not end: the program stopped in the middle of them."""
    return list(session.exec(select(Run).where(Run.state == RunState.STARTED).order_by(Run.id)))


def last_run(session: Session) -> Run | None:
    return session.exec(select(Run).order_by(col(Run.id).desc()).limit(1)).first()


def add_gate_result(session: Session, result: GateResult) -> None:
    session.add(result)
    session.flush()


def add_notice(session: Session, kind: str, subject: str, reason: str, now: datetime) -> None:
    """Write down what did not happen, and why. The same as the last one is counted, not repeated."""
    last = session.exec(
        select(Notice)
        .where(Notice.kind == kind, Notice.subject == subject)
        .order_by(col(Notice.at).desc())
        .limit(1)
    ).first()
    if last is not None and last.reason == reason:
        last.count, last.at = last.count + 1, now
        session.add(last)
        return
    session.add(Notice(id=new_id(now), kind=kind, subject=subject, reason=reason, at=now))


def score_of(session: Session, turn_id: str) -> int | None:
    """The verdict on a turn; None where it has none, or is unscored."""
    return session.exec(select(Verdict.score).where(Verdict.turn_id == turn_id)).first()


def note_of(session: Session, exchange_id: str) -> str:
    """What the person said with a thumb down, the last time; empty where they said nothing."""
    query = (
        select(Evidence.text)
        .where(Evidence.exchange_id == exchange_id, Evidence.kind == "feedback", Evidence.value == -1)
        .order_by(col(Evidence.at).desc())
    )
    return session.exec(query).first() or ""


def count_verdicts(session: Session) -> tuple[int, int]:
    """Turns that were scored, and turns that were left unscored."""
    scored = session.exec(
        select(func.count()).select_from(Verdict).where(col(Verdict.score).is_not(None))
    ).one()
    unscored = session.exec(
        select(func.count()).select_from(Verdict).where(col(Verdict.score).is_(None))
    ).one()
    return scored, unscored


def _no_longer_due(session: Session, turn_id: str) -> None:
    session.execute(delete(Due).where(col(Due.turn_id) == turn_id))
