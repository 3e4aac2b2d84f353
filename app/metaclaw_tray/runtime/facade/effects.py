"""What became of a skill, and what an entry of the ledger did, as rows for a person."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.learning.comparing import mean_interval
from metaclaw_tray.learning.effect import direction, in_words
from metaclaw_tray.learning.intervals import wilson
from metaclaw_tray.runtime.facade.record import ledger_row
from metaclaw_tray.runtime.facade.reviewing import gate_figures, outcome_in_words, trial_row
from metaclaw_tray.store import decisions, effects, library, tracing
from metaclaw_tray.store.effects import Arm
from metaclaw_tray.store.settling import skills_of
from metaclaw_tray.store.tables_library import GateResult, Ledger, Proposal, SkillState, SkillVersion


def show_effect(db: Db, name: str, version: int | None) -> api.Effect:
    """Whether a skill helps. Raises NotFoundError."""
    library.version_of(db, name, version)
    found = effects.effect_of(db, name, version)
    return api.Effect(
        skill=name,
        version=version,
        eligible=found.eligible_sessions,
        injected=_arm(found.injected),
        withheld=_arm(found.withheld),
        trials=[
            api.TrialEffect(
                trial=trial_row(db, each.trial),
                with_skill=_arm(each.with_it),
                without_skill=_arm(each.without),
                helps=direction(each.with_it, each.without),
                against=each.against,
            )
            for each in found.trials
        ],
        words=in_words(found),
    )


def trace(db: Db, name: str) -> list[api.TraceStep]:
    """A skill from its first failing turn on. Raises NotFoundError."""
    return [
        api.TraceStep(kind=each.kind, id=each.id, at=each.at, text=each.text)
        for each in tracing.trace(db, name)
    ]


def show_ledger(db: Db, entry_id: str) -> api.LedgerDetail:
    """One entry whole: who, by which way, on what evidence, and the text before and after.

    Raises NotFoundError.
    """
    entry = decisions.ledger_entry(db, entry_id)
    proposal_id = str(entry.after.get("proposal", ""))
    made = db.get(Proposal, proposal_id) if proposal_id else None
    gate = db.get(GateResult, proposal_id) if made is not None else None
    return api.LedgerDetail(
        entry=ledger_row(entry),
        undone_by=entry.undone_by or "",
        diff=entry_diff(db, entry),
        proposal=proposal_id,
        why=made.why if made is not None else "",
        evidence=list(made.exchanges) if made is not None else [],
        gate=gate_figures(gate) if gate is not None else None,
        outcome=outcome_in_words(gate) if gate is not None else "",
    )


def entry_diff(db: Db, entry: Ledger) -> str:
    """What an entry changed in the texts that are live; "" where it changed none."""
    diffs = []
    for name in skills_of(entry):
        before, after = (
            each if name == entry.subject else each.get("skills", {}).get(name, {})
            for each in (entry.before, entry.after)
        )
        (old, old_label), (new, new_label) = _live(db, name, before), _live(db, name, after)
        diffs.append(library.diff(old, new, old_label, new_label))
    return "\n".join(each for each in diffs if each)


def _live(db: Db, name: str, standing: dict[str, object]) -> tuple[str, str]:
    """The text by which a skill in this standing is live, and how it is called."""
    if standing.get("state") != SkillState.ACTIVE:
        return "", str(standing.get("state", "nothing"))
    found = db.get(SkillVersion, (name, standing["version"]))
    return (found.text if found else ""), f"{name}@{standing['version']}"


def _arm(arm: Arm) -> api.ArmRow:
    return api.ArmRow(
        sessions=arm.sessions,
        exchanges=arm.exchanges,
        good=rate(arm.good, arm.scored),
        bad=rate(arm.bad, arm.scored),
        tokens=_mean(arm.tokens),
        seconds=_mean(arm.seconds),
    )


def rate(count: int, of: int) -> api.Rate:
    low, high = wilson(count, of)
    return api.Rate(count=count, of=of, low=low, high=high)


def _mean(values: Sequence[float]) -> api.Mean | None:
    found = mean_interval(values)
    return None if found is None else api.Mean(mean=found[0], low=found[1], high=found[2])
