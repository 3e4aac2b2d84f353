"""Skills and proposals as a person reads them on a page: typed, in context, with what a yes will ask for."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Said, Verb
from metaclaw_tray.admin.api.effects import Rate
from metaclaw_tray.admin.api.record import LedgerRow
from metaclaw_tray.admin.api.review import ProposalDetail
from metaclaw_tray.admin.api.tending import BroughtSkill


class Piece(Row, frozen=True):
    """One thing that says how an exchange went, and whose word it is."""

    kind: str  # verdict, correction, repetition, thanks, instruction, feedback, tool_error …
    value: int  # -1, 0, 1
    whose: str  # person, model, tool, web
    text: str


class Step(Row, frozen=True):
    """One answer of an exchange, with what its calls came back with."""

    said: str
    results: list[str]
    at_fault: bool


class Lesson(Row, frozen=True):
    """An exchange that taught something, in its order. Empty texts where it is no longer kept."""

    exchange: str
    agent: str
    at: datetime | None
    asked: str  # the person's words
    steps: list[Step]  # the last one is the answer
    said: str  # what the person said to it
    pieces: list[Piece]


class Replay(Row, frozen=True):
    """One request, answered without the skill and with it."""

    origin: str  # held-out, synthetic, source, near
    exchange: str
    request: str
    remark: str  # what the person had said, by which the answers were graded
    without: str
    with_skill: str
    mark: str  # win, loss, tie, unscored


class ProposalReading(Row, frozen=True):
    detail: ProposalDetail
    full: str  # what a yes to approving, or to rejecting, is asked for with
    before: str  # the text that it changes; "" for a new skill
    lessons: list[Lesson]
    replays: list[Replay]
    better: Rate | None = None  # of the requests it was not taught on, those that it did better
    shown: int | None = None  # the place of the replay that shows best what the skill does


class ReadProposal(Verb[ProposalReading], frozen=True, tag="review.read"):
    """A proposal, decided or not, with all that is known for and against it."""

    id: str


class CheckedText(Row, frozen=True):
    """What would become of a text, and what keeps it from becoming a skill."""

    name: str = ""
    description: str = ""
    text: str = ""  # as it would be kept
    tokens: int = 0
    remarks: list[str] = field(default_factory=list)
    before: str = ""  # what it would take the place of
    full: str = ""  # what a yes is asked for with; "" where it cannot be kept
    title: str = ""  # what is wrong; "" where nothing is
    detail: str = ""
    remedy: str = ""


class CheckText(Verb[CheckedText], frozen=True, kw_only=True, tag="skills.check"):
    """Check a text as adding it, or approving a proposal with it, would. Changes nothing."""

    text: str
    proposal: str = ""


class SkillLedger(Verb[list[LedgerRow]], frozen=True, kw_only=True, tag="skills.ledger"):
    """What was decided on one skill, the latest first."""

    name: str
    limit: int = 100


class FoundSkill(Row, frozen=True):
    """A skill that lies in a folder, as it would be kept."""

    name: str
    description: str
    brought: BroughtSkill
    standing: Literal["new", "same", "differs"]  # towards the library


class FoundSkills(Row, frozen=True):
    folder: str
    skills: list[FoundSkill]
    aside: list[str]  # what was not looked at or cannot be read, each with why
    stopped: str = ""  # why the search ended before its end


class LookForSkills(Verb[FoundSkills], frozen=True, tag="skills.look"):
    """What a folder, or a single SKILL.md, would bring. Nothing there is run, and nothing is taken in."""

    path: str


class WriteSkills(Verb[Said], frozen=True, kw_only=True, tag="skills.write"):
    """Write skills to a folder, each to one of its own, as any agent can read them. Other texts that stand
    there stay."""

    folder: str
    names: list[str] = field(default_factory=list)  # none: all active ones
