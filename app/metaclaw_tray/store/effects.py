"""What became of exchanges with a skill, and of those it was kept from: figures as they stand in the record.

An exchange *met* a skill where the skill was chosen for it: it was put in front then, or withheld by a trial.
Where it was withheld, the first such exchange of a session counts: with the skill a session meets it once,
for from then on it stands there. In the trial of an update the version before it stands where the new one is
withheld, so those two are compared.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.store.tables_learning import Trial, TrialArm, TrialSession
from metaclaw_tray.store.tables_library import Ledger, Skill, SkillState

_CHOSEN = """
SELECT exchange.id, exchange.session_id, stood.value AS skill
FROM injection, json_each(injection.skills) AS stood
JOIN exchange ON exchange.session_id = injection.session_id AND exchange.opening = injection.anchor
WHERE substr(stood.value, 1, :length) = :prefix
ORDER BY exchange.started_at, exchange.id
"""
_MISSED = """
SELECT exchange.id, exchange.session_id, withheld.trial_id, min(withheld.at)
FROM withheld
JOIN exchange ON exchange.session_id = withheld.session_id AND exchange.opening = withheld.anchor
WHERE withheld.skill = :skill
GROUP BY withheld.trial_id, exchange.session_id
ORDER BY 4
"""
# The latest verdict counts: the person's own word takes the place of the judge's.
_CAME_OF = """
SELECT exchange.id,
    (SELECT verdict.score FROM verdict
     WHERE verdict.exchange_id = exchange.id AND verdict.score IS NOT NULL AND NOT verdict.transient
     ORDER BY verdict.id DESC LIMIT 1) AS score,
    sum(turn.input_tokens + turn.output_tokens) AS tokens,
    sum(turn.ended_at - turn.begun_at) / 1e6 AS seconds
FROM exchange
LEFT JOIN turn ON turn.exchange_id = exchange.id AND turn.kind = 'main' AND turn.outcome = 'ok'
WHERE exchange.id IN (SELECT value FROM json_each(:ids))
GROUP BY exchange.id
"""
_TALLY = """
SELECT stood.value, count(*) AS scored, sum(score = 1) AS good FROM (
    SELECT injection.skills AS skills,
        (SELECT verdict.score FROM verdict
         WHERE verdict.exchange_id = exchange.id AND verdict.score IS NOT NULL AND NOT verdict.transient
         ORDER BY verdict.id DESC LIMIT 1) AS score
    FROM injection
    JOIN exchange ON exchange.session_id = injection.session_id AND exchange.opening = injection.anchor
), json_each(skills) AS stood
WHERE score IS NOT NULL GROUP BY stood.value
"""


@dataclass(frozen=True)
class Arm:
    """Exchanges that have in common whether the skill stood in front of them."""

    sessions: int = 0
    exchanges: int = 0
    good: int = 0  # verdict +1
    bad: int = 0  # verdict -1
    scored: int = 0  # those two, and 0
    tokens: tuple[int, ...] = ()  # of each exchange that was answered, in and out
    seconds: tuple[float, ...] = ()  # that its answers took


@dataclass(frozen=True)
class Tried:
    """What a trial has shown."""

    trial: Trial
    with_it: Arm
    without: Arm
    against: int  # the version that stood where the tried one was withheld; 0: no such skill


@dataclass(frozen=True)
class SkillEffect:
    """What is known of one skill, over all its versions or of one."""

    skill: str
    version: int | None
    eligible_sessions: int  # in which it was chosen, whether it was put in front then or not
    injected: Arm
    withheld: Arm  # in trials only
    trials: tuple[Tried, ...]


def effect_of(db: Db, skill: str, version: int | None = None) -> SkillEffect:
    """What became of the exchanges that met a skill."""
    chosen, missed = _chosen(db, skill, version), _missed(db, skill)
    tried = select(Trial).where(Trial.skill == skill).order_by(Trial.id)
    if version is not None:
        tried = tried.where(Trial.version == version)
    trials = list(db.exec(tried))
    missed = [each for each in missed if each[2] in {trial.id for trial in trials}]
    return SkillEffect(
        skill=skill,
        version=version,
        eligible_sessions=len({each[1] for each in chosen} | {each[1] for each in missed}),
        injected=_arm(db, [each[:2] for each in chosen]),
        withheld=_arm(db, [each[:2] for each in missed]),
        trials=tuple(Tried(trial, *arms_of(db, trial), tried_against(db, trial)) for trial in trials),
    )


def arms_of(db: Db, trial: Trial) -> tuple[Arm, Arm]:
    """What a trial has shown so far: with the skill, and without. Only sessions with a place in it count."""
    in_trial = select(TrialSession.session_id, TrialSession.arm).where(TrialSession.trial_id == trial.id)
    placed = dict(db.exec(in_trial).all())
    with_it = [
        (exchange, session)
        for exchange, session in _chosen(db, trial.skill, trial.version)
        if placed.get(session) == TrialArm.WITH
    ]
    without = [
        (exchange, session)
        for exchange, session, of in _missed(db, trial.skill)
        if of == trial.id and placed.get(session) == TrialArm.WITHOUT
    ]
    return _arm(db, with_it), _arm(db, without)


def tried_against(db: Db, trial: Trial) -> int:
    """The version that stands where the tried one is withheld: the one that was live before; 0 where none
    was."""
    begun = db.get(Ledger, trial.ledger_id)
    before = begun.before if begun is not None else {}
    return int(before["version"]) if before.get("state") == SkillState.ACTIVE else 0


def chosen_for(db: Db, skill: str, version: int | None = None) -> list[tuple[str, int | None]]:
    """The exchanges that the skill was put in front of, oldest first, each with its verdict."""
    ids = [exchange for exchange, _ in _chosen(db, skill, version)]
    scores = {row[0]: row[1] for row in _came_of(db, ids)}
    return [(each, scores.get(each)) for each in ids]


def tally(db: Db) -> dict[str, tuple[int, int]]:
    """For each skill that stood somewhere ("name@version"): how many of those exchanges were judged, and how
    many of them went well."""
    return {row[0]: (row[1], row[2]) for row in db.execute(text(_TALLY))}


def tried_skills(db: Db) -> set[str]:
    """The skills that were on trial at any time."""
    return set(db.exec(select(Trial.skill)))


def active_skills(db: Db) -> list[tuple[str, int]]:
    """Name and version of each skill that is live."""
    live = select(Skill.name, Skill.version).where(Skill.state == SkillState.ACTIVE).order_by(Skill.name)
    return list(db.exec(live).all())


def _chosen(db: Db, skill: str, version: int | None) -> list[tuple[str, str]]:
    """Exchange and session, oldest first, of where the skill was put in front."""
    prefix = f"{skill}@"
    rows = db.execute(text(_CHOSEN), {"prefix": prefix, "length": len(prefix)})
    wanted = None if version is None else f"{prefix}{version}"
    return [(row[0], row[1]) for row in rows if wanted in (None, row[2])]


def _missed(db: Db, skill: str) -> list[tuple[str, str, str]]:
    """Exchange, session and trial of where the skill was withheld, once for each session."""
    return [(row[0], row[1], row[2]) for row in db.execute(text(_MISSED), {"skill": skill})]


def _came_of(db: Db, exchange_ids: Sequence[str]) -> list[tuple[str, int | None, int | None, float | None]]:
    rows = db.execute(text(_CAME_OF), {"ids": json.dumps(list(exchange_ids))})
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def _arm(db: Db, met: Sequence[tuple[str, str]]) -> Arm:
    found = _came_of(db, [exchange for exchange, _ in met])
    scores = [score for _, score, _, _ in found if score is not None]
    return Arm(
        sessions=len({session for _, session in met}),
        exchanges=len(found),
        good=scores.count(1),
        bad=scores.count(-1),
        scored=len(scores),
        tokens=tuple(tokens for _, _, tokens, _ in found if tokens is not None),
        seconds=tuple(seconds for _, _, _, seconds in found if seconds is not None),
    )
