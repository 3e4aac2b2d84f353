"""The tables of measuring: answers kept by content, trials, what was withheld, a skill's own evals.

They came with step 1.4; the words and the helpers are those of tables.py.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Index, LargeBinary
from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import json_column, time_column


class TrialState(StrEnum):
    RUNNING = "running"
    ENDED = "ended"  # it had its sessions; the library is as it was before
    STOPPED = "stopped"  # the person, a change of the skill, or too many losses ended it
    KEPT = "kept"  # the person approved the skill for good


class TrialArm(StrEnum):
    WITH = "with"
    WITHOUT = "without"


class KeptAnswer(SQLModel, table=True):
    """What the learning model answered to exactly this: asked once, read again after a kill."""

    __tablename__ = "kept_answer"

    key: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))  # hash of model, purpose and request
    purpose: str
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # the answer, JSON
    at: datetime = time_column(index=True)


class Trial(SQLModel, table=True):
    """A skill that is tried: alternate eligible sessions have it, for so many sessions."""

    id: str = Field(primary_key=True)
    skill: str = Field(index=True)
    version: int
    proposal_id: str
    sessions: int  # that are wanted in all, both arms together
    state: str = Field(index=True)
    reason: str = ""
    ledger_id: str  # the entry that began it: undoing that one ends it
    started_at: datetime = time_column(index=True)
    ended_at: datetime | None = time_column(nullable=True)


class TrialSession(SQLModel, table=True):
    """The arm of one eligible session in a trial, decided once."""

    __tablename__ = "trial_session"

    trial_id: str = Field(primary_key=True, foreign_key="trial.id")
    session_id: str = Field(primary_key=True)
    arm: str
    at: datetime = time_column()


class Withheld(SQLModel, table=True):
    """A skill that fitted an exchange and was not put in front of it, because of a trial. Such an exchange
    never becomes a query."""

    __table_args__ = (Index("withheld_skill", "skill", "at"),)

    anchor: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))  # the exchange's opening
    session_id: str = Field(primary_key=True)
    skill: str = Field(primary_key=True)
    version: int
    trial_id: str
    at: datetime = time_column(index=True)


class SkillEval(SQLModel, table=True):
    """The requests that a version of a skill was measured on, kept to be run again (`evals/evals.json`)."""

    __tablename__ = "skill_eval"

    skill: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    body: dict[str, Any] = json_column()
    at: datetime = time_column()


class Measurement(SQLModel, table=True):
    """One run of a skill's evals: the first with its proposal, later ones when skill or model changed."""

    id: str = Field(primary_key=True)
    skill: str = Field(index=True)
    version: int
    proposal_id: str = ""
    model: str  # that answered
    judge: str  # that graded
    outcome: str  # better, promising, same, worse
    reason: str
    figures: dict[str, Any] = json_column()
    at: datetime = time_column(index=True)
