"""The tables of the library: skills and their versions, generations, proposals and decisions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import added, added_json, json_column, time_column

OPEN_SPAN = "until IS NULL"  # of a membership


class SkillState(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    RETIRED = "retired"


class SkillSource(StrEnum):
    BUILTIN = "builtin"
    LEARNT = "learnt"
    PERSON = "person"
    IMPORTED = "imported"


class ProposalOp(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    RETIRE = "retire"
    OUTSIDE = "outside"  # somebody changed the skills folder


class ProposalState(StrEnum):
    PENDING = "pending"  # waits for the person
    APPROVED = "approved"
    REJECTED = "rejected"
    REFUSED = "refused"  # the gate or a check turned it down; the person may still read it


class Skill(SQLModel, table=True):
    """One skill: what it is now. Its texts are its versions."""

    name: str = Field(primary_key=True)
    state: str
    source: str
    trust: str
    version: int  # the version in force
    changed_at: datetime = time_column()
    agents: list[str] = added_json("[]")  # the agents it is for; all of them where none is named
    origin: str = added("")  # where an imported skill came from


class SkillVersion(SQLModel, table=True):
    """The approved bytes of one version of one skill."""

    name: str = Field(primary_key=True, foreign_key="skill.name")
    version: int = Field(primary_key=True)
    text: str  # the whole SKILL.md
    digest: str  # sha256 of its UTF-8 bytes
    description: str
    proposal_id: str | None = None
    at: datetime = time_column()


class Generation(SQLModel, table=True):
    """The library after one change of it. Generation 0 is the empty library."""

    number: int = Field(primary_key=True)
    why: str
    ledger_id: str | None = None
    at: datetime = time_column()


class Membership(SQLModel, table=True):
    """A skill's version that was active from one generation on, until another (`store.membership`)."""

    __table_args__ = (Index("membership_open", "name", sqlite_where=text(OPEN_SPAN)),)

    name: str = Field(primary_key=True)
    since: int = Field(primary_key=True, foreign_key="generation.number")
    version: int
    agents: list[str] = json_column()  # the agents it was for; all of them where none is named
    until: int | None = None  # the first generation in which it was so no longer


class Proposal(SQLModel, table=True):
    """A change to the library that waits for the person."""

    id: str = Field(primary_key=True)
    op: str
    skill: str = Field(index=True)
    base_version: int  # 0 for a new skill
    text: str  # the whole SKILL.md as proposed; empty for retire
    why: str
    exchanges: list[str] = json_column()
    run_id: str | None = None
    state: str = Field(index=True)
    reason: str = ""  # why it was refused or rejected
    created_at: datetime = time_column(index=True)
    decided_at: datetime | None = time_column(nullable=True)
    taint: str = added("")  # tool or web, where a part of it came from there
    offered_at: datetime | None = time_column(nullable=True)  # None: it waits to be put before the person
    snoozed_until: datetime | None = time_column(nullable=True)
    merges: list[str] = added_json("[]")  # skills that are retired when it is approved


class GateResult(SQLModel, table=True):
    """What was measured before a proposal was offered."""

    proposal_id: str = Field(primary_key=True, foreign_key="proposal.id")
    passed: bool
    requests: int  # how many requests were replayed
    with_skill: float  # mean score of the answers with the skill, -1 to 1
    without_skill: float
    unscored: int  # pairs the judge could not score
    details: list[Any] = json_column()  # per request: origin, request, answers, scores
    reason: str
    at: datetime = time_column()
    outcome: str = added("")  # better, promising, same, worse; empty where it was not said yet
    model: str = added("")  # that answered
    judge: str = added("")  # that graded
    figures: dict[str, Any] = added_json("{}")  # pairs, wins, losses, ties, harm, interval, stop, cost


class Ledger(SQLModel, table=True):
    """Who changed what, by which way, and what it takes to undo it."""

    id: str = Field(primary_key=True)
    at: datetime = time_column(index=True)
    action: str  # approve, reject, undo, enable, disable, retire, add, feedback
    subject: str
    actor: str  # the person's login name
    channel: str  # terminal, scripted, tray, window
    ancestry: list[str] = json_column()  # the asking process and its parents, nearest first
    before: dict[str, Any] = json_column()
    after: dict[str, Any] = json_column()
    generation: int | None = None  # the generation this entry began
    undone_by: str | None = None
