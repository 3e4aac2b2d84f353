"""Proposals, from when they are made to when somebody decides: changes to the library that wait."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.library import proposal as find_proposal
from metaclaw_tray.store.library import standing_version
from metaclaw_tray.store.settling import Actor, DecisionError, record, running_trial
from metaclaw_tray.store.tables_learning import Trial
from metaclaw_tray.store.tables_library import Proposal, ProposalOp, ProposalState, Skill


def propose(
    session: Session,
    *,
    op: ProposalOp,
    skill: str,
    text: str,
    why: str,
    now: datetime,
    exchanges: Sequence[str] = (),
    run_id: str | None = None,
    state: ProposalState = ProposalState.PENDING,
    reason: str = "",
    taint: str = "",
    merges: Sequence[str] = (),
) -> str:
    """Store a proposal against the skill as it stands now, and give its id. `text` is empty to retire.

    A change from outside takes the place of one that waits for the same skill, under a new id: what the
    person approves is what was shown under that id. It is put before them at once: somebody made it already.
    """
    base = standing_version(session, skill)
    if op == ProposalOp.OUTSIDE:
        for waiting in session.exec(
            select(Proposal).where(
                Proposal.skill == skill, Proposal.op == op, Proposal.state == ProposalState.PENDING
            )
        ):
            if waiting.text == text and waiting.base_version == base:
                return waiting.id
            decide(session, waiting, ProposalState.REFUSED, now, "changed again before it was decided")
    made = Proposal(
        id=new_id(now),
        op=op,
        skill=skill,
        base_version=base,
        text=text,
        why=why,
        exchanges=list(exchanges),
        run_id=run_id,
        state=state,
        reason=reason,
        created_at=now,
        decided_at=None if state == ProposalState.PENDING else now,
        taint=taint,
        offered_at=now if op == ProposalOp.OUTSIDE else None,
        merges=list(merges),
    )
    session.add(made)
    session.flush()
    return made.id


def reject(session: Session, proposal_id: str, who: Actor, now: datetime, reason: str = "") -> str:
    """Turn a proposal down and give the ledger entry's id. Raises NotFoundError, DecisionError."""
    made = pending(session, proposal_id)
    trial = running_trial(session, made.skill)
    if trial is not None and trial.proposal_id == made.id:
        raise on_trial(trial)
    decide(session, made, ProposalState.REJECTED, now, reason)
    return record(session, "reject", made.skill, who, now, after={"proposal": made.id, "reason": reason})


def snooze(session: Session, proposal_id: str, until: datetime, who: Actor, now: datetime) -> str:
    """Let a proposal come back at a time, and give the ledger entry's id.

    Raises NotFoundError, DecisionError.
    """
    made = pending(session, proposal_id)
    before = {} if made.snoozed_until is None else {"until": made.snoozed_until.isoformat()}
    made.snoozed_until = until
    session.add(made)
    after = {"proposal": made.id, "until": until.isoformat()}
    return record(session, "snooze", made.skill, who, now, before=before, after=after)


def pending(session: Session, proposal_id: str) -> Proposal:
    """A proposal that is not decided. Raises NotFoundError, DecisionError."""
    made = find_proposal(session, proposal_id).proposal
    if made.state != ProposalState.PENDING:
        said = f": {made.reason}" if made.reason else ""
        raise DecisionError("Already decided", f"The proposal for “{made.skill}” was {made.state}{said}.")
    return made


def editable(session: Session, proposal_id: str) -> Proposal:
    """A proposal that the person may approve in words of their own: one that waits, or one that a check or
    the gate turned down. A check can be wrong, and the person has the last word. Raises NotFoundError,
    DecisionError."""
    view = find_proposal(session, proposal_id)
    made, turned_down = view.proposal, view.gate is None or not view.gate.passed
    learnt = made.run_id is not None and made.op != ProposalOp.OUTSIDE
    if made.state == ProposalState.REFUSED and learnt and turned_down:
        return made
    return pending(session, proposal_id)


def decide(session: Session, made: Proposal, state: ProposalState, now: datetime, reason: str = "") -> None:
    """Write what became of a proposal."""
    made.state = state
    made.reason = reason
    made.decided_at = now
    session.add(made)


def check_base(session: Session, made: Proposal) -> None:
    """Raise DecisionError where a proposal was made against a version that is no longer in force, of
    its skill or of one that is merged into it."""
    base = standing_version(session, made.skill)
    if made.base_version != base:
        raise DecisionError(
            "The skill changed meanwhile",
            f"The proposal for “{made.skill}” was made against {_version(made.base_version)}; "
            f"now there is {_version(base)}.",
            "Reject it: it would have to be written and measured anew against what is in force.",
        )
    for name in made.merges:
        other = session.get(Skill, name)
        if other is None or other.changed_at > made.created_at:
            raise DecisionError(
                "A skill changed meanwhile",
                f"“{name}”, which would be merged into “{made.skill}”, changed since this was proposed.",
                "Reject it: the text was written from what was in force then.",
            )


def on_trial(trial: Trial) -> DecisionError:
    """Why a proposal whose skill is tried cannot be decided otherwise than by approval as it is."""
    return DecisionError(
        "It is on trial",
        f"“{trial.skill}” stands in every other session now.",
        f"End the trial first: `metaclaw-tray undo {trial.ledger_id}`.",
    )


def _version(number: int) -> str:
    return f"version {number}" if number else "no such skill"
