"""Does a skill help? Figures with their intervals, in words, and what follows: an offer to retire it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.learning.comparing import difference, mean_interval
from metaclaw_tray.learning.intervals import wilson
from metaclaw_tray.store import decisions, effects
from metaclaw_tray.store.effects import Arm, SkillEffect
from metaclaw_tray.store.settling import running_trial
from metaclaw_tray.store.tables_library import Proposal, ProposalOp

NEVER_HELPED = 20
"""Judged exchanges that carried a skill, none of which went well, after which its retirement is offered."""

TOO_FEW = "too few to tell"


@dataclass(frozen=True)
class Candidate:
    """A live skill that had better go."""

    skill: str
    version: int
    why: str
    exchanges: tuple[str, ...]  # that carried it and were judged


def in_words(effect: SkillEffect) -> list[str]:
    """What is known of a skill's effect, in sentences."""
    injected, withheld = effect.injected, effect.withheld
    said = [
        f"It fitted in {effect.eligible_sessions} sessions: put in front in {injected.sessions}, "
        f"withheld by a trial in {withheld.sessions}.",
        f"With it: {arm_in_words(injected)}",
    ]
    for each in effect.trials:
        trial, other = each.trial, f" against version {each.against}" if each.against else ""
        began = f"Trial of version {trial.version}{other} since {trial.started_at:%Y-%m-%d}, {trial.state}"
        ended = f" ({trial.reason})" if trial.reason else ""
        said.append(f"{began}{ended}: {trial_in_words(each.with_it, each.without, each.against)}")
    return said


def arm_in_words(arm: Arm) -> str:
    """The verdicts on the exchanges of an arm, and what they took."""
    if not arm.scored:
        return f"{arm.exchanges} exchanges, none of them judged."
    parts = [
        f"of {arm.scored} judged exchanges {_share(arm.good, arm.scored)} went well and "
        f"{_share(arm.bad, arm.scored)} badly"
    ]
    for values, unit in ((arm.tokens, "tokens"), (arm.seconds, "seconds to answer")):
        told = mean_interval(values)
        if told is not None:
            mean, low, high = told
            parts.append(f"{mean:.4g} {unit} each ({max(0.0, low):.4g} to {high:.4g})")
    return "; ".join(parts) + "."


def trial_in_words(with_it: Arm, without: Arm, against: int = 0) -> str:
    """What a trial has shown. `against` is the version that stood where the tried one was withheld, 0 where
    there was no such skill."""
    other = f"With version {against} in its place" if against else "Without it"
    return (
        f"with it {arm_in_words(with_it)} {other} {arm_in_words(without)} "
        f"{verdict(with_it, without, against)}"
    )


def verdict(with_it: Arm, without: Arm, against: int = 0) -> str:
    """Whether exchanges with the skill went better than those without, or with the version before it, as a
    sentence."""
    helps = direction(with_it, without)
    if not helps:
        return f"Which is better: {TOO_FEW}."
    if against:
        return f"It is {'better' if helps > 0 else 'worse'} than version {against}."
    return "It helps." if helps > 0 else "It does harm."


def direction(with_it: Arm, without: Arm) -> int:
    """1 where exchanges with the skill went better, -1 where worse, 0 where there are too few to tell."""
    low, high = difference(with_it.good, with_it.scored, without.good, without.scored)
    if not with_it.scored or not without.scored or low <= 0 <= high:
        return 0
    return 1 if low > 0 else -1


def retirement_candidates(db: Db) -> list[Candidate]:
    """Live skills that never helped, or did worse than their absence, and were not offered for retirement in
    this version yet."""
    found = []
    judged_of, tried = effects.tally(db), effects.tried_skills(db)
    for name, version in effects.active_skills(db):
        scored, good = judged_of.get(f"{name}@{version}", (0, 0))
        if name not in tried and (scored < NEVER_HELPED or good):
            continue  # all figures of each skill would take long
        why = "" if running_trial(db, name) else _why_retire(effects.effect_of(db, name, version))
        if why and not _was_offered(db, name, version):
            carried = effects.chosen_for(db, name, version)
            judged = tuple(exchange for exchange, score in carried if score is not None)
            found.append(Candidate(name, version, why, judged))
    return found


def offer_retirements(db: Db, candidates: Sequence[Candidate], now: datetime) -> list[str]:
    """Propose to retire these, once each; the ids of the proposals."""
    return [
        decisions.propose(
            db,
            op=ProposalOp.RETIRE,
            skill=each.skill,
            text="",
            why=each.why,
            now=now,
            exchanges=each.exchanges,
        )
        for each in candidates
        if not _was_offered(db, each.skill, each.version)
    ]


def _why_retire(effect: SkillEffect) -> str:
    arm = effect.injected
    if arm.scored >= NEVER_HELPED and not arm.good:
        return f"it stood in front of {arm.scored} judged exchanges, and none of them went well"
    for each in effect.trials:
        with_it, without = each.with_it, each.without
        if each.against:  # what is worse than the version before it wants that one back, and not to go
            continue
        _, high = difference(with_it.good, with_it.scored, without.good, without.scored)
        if with_it.scored and without.scored and high < 0:
            return (
                f"in its trial {with_it.good} of {with_it.scored} exchanges with it went well, and "
                f"{without.good} of {without.scored} without it"
            )
    return ""


def _was_offered(db: Db, skill: str, version: int) -> bool:
    """Whether it was proposed before to retire this version, whatever came of it."""
    made = select(Proposal.id).where(
        Proposal.skill == skill, Proposal.op == ProposalOp.RETIRE, Proposal.base_version == version
    )
    return db.exec(made).first() is not None


def _share(count: int, of: int) -> str:
    low, high = wilson(count, of)
    return f"{count} ({count / of:.0%}, {low:.0%} to {high:.0%})"
