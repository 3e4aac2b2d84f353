"""A skill's own evals: what it was measured on, kept to be run again, and what came of each run.

In the store they are a list of probes, as `learning.probes` makes them: synthetic ones whole, those of the
person's own exchanges by id alone. Outside they take the form of the Agent Skills guide, `evals/evals.json`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.tables import Turn, TurnKind, TurnOutcome
from metaclaw_tray.store.tables_learning import Measurement, SkillEval
from metaclaw_tray.store.tables_library import (
    GateResult,
    Proposal,
    Skill,
    SkillSource,
    SkillState,
    SkillVersion,
)

_LOOKED_AT = 500  # newest main turns

_AS_TOLD = "The answer does what this remark asks for: {said}"
_AS_WRITTEN = "The answer does all that the skill's SKILL.md asks for of a request like this."


@dataclass(frozen=True)
class Standing:
    """What a version is known to be worth: the latest that was measured of it."""

    outcome: Outcome
    model: str
    reason: str


def usual_model(session: Session) -> str:
    """The model that the agents mostly use, by the newest turns; "" where there are none."""
    newest = (
        select(Turn.model)
        .where(Turn.kind == TurnKind.MAIN, Turn.outcome == TurnOutcome.OK)
        .order_by(col(Turn.id).desc())
        .limit(_LOOKED_AT)
    )
    counted = Counter(name for name in session.exec(newest) if name).most_common(1)
    return counted[0][0] if counted else ""


def probes_of(session: Session, name: str, version: int) -> list[dict[str, Any]]:
    """The probes of a version: its own, or else those of the latest version before it that has some."""
    rows = session.exec(
        select(SkillVersion)
        .where(SkillVersion.name == name, SkillVersion.version <= version)
        .order_by(col(SkillVersion.version).desc())
    )
    for row in rows:
        own = session.get(SkillEval, (name, row.version))
        if own is None:
            own = _adopted(session, row)
        if own is not None and own.body.get("probes"):
            return list(own.body["probes"])
    return []


def adopt(session: Session) -> None:
    """Keep with each version what it was measured on before it was approved."""
    have = select(SkillEval.version).where(
        SkillEval.skill == SkillVersion.name, SkillEval.version == SkillVersion.version
    )
    measured = (
        select(SkillVersion)
        .join(GateResult, col(GateResult.proposal_id) == col(SkillVersion.proposal_id))
        .where(~have.exists())
    )
    for row in list(session.exec(measured)):
        own = _adopted(session, row)
        if own is not None:
            session.add(own)


def evals_of(session: Session, name: str, version: int, *, quotes: bool = False) -> dict[str, Any] | None:
    """The content of `evals/evals.json` for a version; None where it was never measured on anything that may
    leave. The person's own exchanges stay where they are: a folder is made to be handed on. What they said
    about an answer goes with it only where they want its `quotes`; without, the skill beside it says what an
    answer has to do."""
    synthetic = _invented(session, name, version)
    if not synthetic:
        return None
    return {
        "skill_name": name,
        "evals": [
            {
                "id": number,
                "prompt": each["request"],
                "expected_output": "An answer that does what the skill asks for.",
                "files": [],
                "assertions": [_AS_TOLD.format(said=each["remark"]["said"]) if quotes else _AS_WRITTEN],
            }
            for number, each in enumerate(synthetic, 1)
        ],
    }


def skills_with_evals(session: Session) -> set[str]:
    """The names of skills of which a version may have been measured on something that is kept."""
    learnt = select(SkillVersion.name).where(col(SkillVersion.proposal_id).is_not(None))
    return {*session.exec(select(SkillEval.skill).distinct()), *session.exec(learnt.distinct())}


def quotes_of(session: Session, name: str, version: int) -> list[str]:
    """What the person said and the evals of a version would quote, each once."""
    said = (each["remark"]["said"] for each in _invented(session, name, version))
    return list(dict.fromkeys(each for each in said if each))


def _invented(session: Session, name: str, version: int) -> list[dict[str, Any]]:
    return [each for each in probes_of(session, name, version) if each.get("origin") == "synthetic"]


def standing(session: Session, name: str, version: int) -> Standing | None:
    """What the version is known to be worth; None where it was never measured."""
    latest = session.exec(
        select(Measurement)
        .where(Measurement.skill == name, Measurement.version == version)
        .order_by(col(Measurement.at).desc(), col(Measurement.id).desc())
        .limit(1)
    ).first()
    if latest is not None:
        return Standing(Outcome(latest.outcome), latest.model, latest.reason)
    row = session.get(SkillVersion, (name, version))
    gate = session.get(GateResult, row.proposal_id) if row is not None and row.proposal_id else None
    if gate is None or not gate.outcome:
        return None
    return Standing(Outcome(gate.outcome), gate.model, gate.reason)


def to_measure(session: Session, model: str) -> list[SkillVersion]:
    """Learnt skills in force whose version was not measured on this model yet and that have something to be
    measured on; by name."""
    active = (
        select(SkillVersion)
        .join(Skill, col(Skill.name) == col(SkillVersion.name))
        .where(
            Skill.state == SkillState.ACTIVE,
            Skill.source == SkillSource.LEARNT,
            SkillVersion.version == Skill.version,
        )
        .order_by(SkillVersion.name)
    )
    return [
        row
        for row in session.exec(active)
        if not _was_measured_on(session, row, model) and probes_of(session, row.name, row.version)
    ]


def add_measurement(session: Session, row: Measurement) -> None:
    session.add(row)
    session.flush()


def measurement(
    name: str, version: int, outcome: Outcome, model: str, reason: str, figures: dict[str, Any], now: datetime
) -> Measurement:
    return Measurement(
        id=new_id(now),
        skill=name,
        version=version,
        model=model,
        judge=model,
        outcome=outcome.value,
        reason=reason,
        figures=figures,
        at=now,
    )


def _was_measured_on(session: Session, row: SkillVersion, model: str) -> bool:
    again = session.exec(
        select(Measurement.id).where(
            Measurement.skill == row.name, Measurement.version == row.version, Measurement.model == model
        )
    ).first()
    if again is not None:
        return True
    gate = session.get(GateResult, row.proposal_id) if row.proposal_id else None
    return gate is not None and gate.model == model and not _was_edited(session, row)


def _was_edited(session: Session, row: SkillVersion) -> bool:
    """Whether the person approved another text than the one that was measured."""
    made = session.get(Proposal, row.proposal_id) if row.proposal_id else None
    return made is not None and made.text != row.text


def _adopted(session: Session, row: SkillVersion) -> SkillEval | None:
    gate = session.get(GateResult, row.proposal_id) if row.proposal_id else None
    probes = gate.figures.get("evals") if gate is not None else None
    if gate is None or not probes:
        return None
    return SkillEval(skill=row.name, version=row.version, body={"probes": probes}, at=gate.at)
