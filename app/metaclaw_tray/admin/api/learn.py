"""Learning, when a person wants to see it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Verb


class LearnStatus(Row, frozen=True):
    ready: bool
    why_not: str  # why learning waits
    judging: int  # turns that wait for a verdict
    judged: int
    unscored: int
    clusters: list[str]  # kinds of failure that are gathering, with their counts
    last_run: str
    last_run_at: datetime | None


class ShowLearnStatus(Verb[LearnStatus], frozen=True, tag="learn.status"):
    pass


class LearnOutcome(Row, frozen=True):
    judged: int
    proposals: list[str]  # ids of all that wait for the person now
    notes: list[str]  # what was not done, and why


class LearnNow(Verb[LearnOutcome], frozen=True, tag="learn.now"):
    """Judge what waits and run the evolver, telling each step."""


class SkillMeasured(Row, frozen=True):
    """What a skill in force is worth on what it was measured on before."""

    name: str
    version: int
    outcome: str  # better, promising, same, worse
    reason: str
    model: str
    requests: int
    wins: int
    losses: int
    ties: int


class MeasureSkill(Verb[SkillMeasured], frozen=True, tag="skills.measure"):
    """Run a skill's own evals again, telling each step."""

    name: str


class JudgeMeasured(Row, frozen=True):
    """How far the learning model can be trusted as a judge, on labelled items that go with the program."""

    model: str
    split: str
    items: int
    scored: int
    agreed: int
    good: int  # items that are no failure
    false_failures: int  # of these: called one
    bad: int  # items that are one
    missed: int  # of these: not called one
    stepped: int
    named: int  # of these: the step at fault was named
    retested: int
    same: int  # of these: the same verdict again
    pairs: int
    apart: int  # of these: told apart
    unscored: int
    wrong: list[str]  # ids of the items judged otherwise
    words: list[str]  # the same in sentences, with intervals
    usd: float | None  # what it cost; None where a price is not known
    calls: int
    seconds: float
    left_out: list[str] = field(default_factory=list)  # ids of items and pairs that came to no answer
    stopped: str = ""  # why not all of it was asked


class MeasureJudge(Verb[JudgeMeasured], frozen=True, tag="judge.measure"):
    """Judge labelled items with the learning model, telling each step."""

    split: Literal["dev", "test"] = "test"
    limit: int = 0  # items of each kind; 0 for all
