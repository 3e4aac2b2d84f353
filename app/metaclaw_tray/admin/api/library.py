"""The skills, and the generations that came of their changes."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class SkillRow(Row, frozen=True):
    name: str
    version: int
    state: str  # active, disabled, retired; trial: live in every other session, for a time
    source: str
    trust: str
    generation: int  # in which this version became live
    description: str = ""
    tokens: int = 0
    agents: list[str] = field(default_factory=list)  # that it is for; all of them where none is named
    origin: str = ""  # where an imported one came from
    too_long: str = ""  # why it is never injected, and what offers a short form


class ListSkills(Verb[list[SkillRow]], frozen=True, tag="skills.list"):
    """By name: all of them, or so many behind one."""

    after: str = ""
    limit: int | None = None


class SkillDetail(Row, frozen=True):
    skill: SkillRow
    text: str  # the whole SKILL.md
    used: int  # exchanges it was chosen for; in later ones it stands in front from then on
    effect: list[str] = field(default_factory=list)  # what is known of its effect, in sentences
    measured: str = ""  # what the latest measurement of this version found, and on which model


class ShowSkill(Verb[SkillDetail], frozen=True, tag="skills.show"):
    name: str
    version: int | None = None


class AddSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.add"):
    """Add the text of a SKILL.md, as a person's own."""

    text: str
    folder: str = ""  # name of the folder it came from, which must be the skill's


class EnableSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.enable"):
    name: str


class DisableSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.disable"):
    name: str


class RetireSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.retire"):
    name: str


class TrustSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.trust"):
    """Say that a skill is trusted as the person's own is, or no longer: updates of a trusted one that were
    measured better may take effect by themselves, where `review.policy` is automatic."""

    name: str
    trusted: bool = True


class SkillVersionRow(Row, frozen=True):
    version: int
    at: datetime
    digest: str
    proposal: str | None
    diff: str  # unified, against the version before


class ShowSkillHistory(Verb[list[SkillVersionRow]], frozen=True, tag="skills.history"):
    name: str


class ExportedSkill(Row, frozen=True):
    name: str
    text: str
    evals: str = ""  # evals/evals.json, where it was measured on something that may leave
    quotes: list[str] = field(default_factory=list)  # what the person said: in `evals` where that was asked


class ExportSkills(Verb[list[ExportedSkill]], frozen=True, tag="skills.export"):
    """The texts; whoever asked writes the folders."""

    names: list[str] = field(default_factory=list)  # none: all active ones
    quotes: bool = False  # evals may say what the person said


class SkillHit(Row, frozen=True):
    name: str
    score: float
    description: str
    chosen: bool  # whether it would be injected
    outcome: str = ""  # chosen, or what kept it from being so
    why: str = ""  # the same as a sentence, with its figures
    words: list[str] = field(default_factory=list)  # by which it was found, those that told most first


class SearchSkills(Verb[list[SkillHit]], frozen=True, tag="skills.search"):
    """Which skills fit these words, and why the others do not; or, for a turn, how it was with the words,
    the library and what stood on the path then."""

    text: str = ""
    turn: str = ""
    all: bool = False  # those too that share no word with what was asked
    agent: str = ""  # as this agent would be served; a turn has its own


class GenerationRow(Row, frozen=True):
    generation: int
    why: str
    support: int  # exchanges claimed for skills
    query: int  # scored exchanges made with this library that are nobody's support
    holdout: int
    at: datetime | None = None
    sets: dict[str, int] = field(default_factory=dict)  # exchanges by set, these three among them


class ListGenerations(Verb[list[GenerationRow]], frozen=True, tag="generations.list"):
    limit: int = 50


class PlacedRow(Row, frozen=True):
    """An exchange and the set that it is in."""

    exchange: str
    set: str
    why: str


class GenerationDetail(Row, frozen=True):
    generation: GenerationRow
    skills: list[str]  # "name@version"
    entry: LedgerEntry | None
    exchanges: list[PlacedRow] = field(default_factory=list)  # the newest that were made with it


class LedgerEntry(Row, frozen=True):
    id: str
    action: str
    subject: str
    channel: str


class ShowGeneration(Verb[GenerationDetail], frozen=True, tag="generations.show"):
    generation: int
