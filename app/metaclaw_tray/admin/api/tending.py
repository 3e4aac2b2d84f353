"""Tending the library as a whole: bringing skills in, for whom they are, what two say alike, ways back."""

from __future__ import annotations

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class BroughtSkill(Row, frozen=True):
    """A skill of another program, as it would be kept."""

    text: str
    origin: str  # the file it was read from
    remarks: list[str] = field(default_factory=list)  # what a person should know of it


class ImportSkills(Consented[Said], frozen=True, kw_only=True, tag="skills.import"):
    """Take in skills of other programs. What the library has otherwise becomes a proposal."""

    skills: list[BroughtSkill]


class ScopeSkill(Consented[Said], frozen=True, kw_only=True, tag="skills.scope"):
    """Let a skill take effect for these agents only; for all, where none is named."""

    name: str
    agents: list[str] = field(default_factory=list)


class SkillDiff(Row, frozen=True):
    name: str
    old: int
    new: int
    old_text: str
    new_text: str
    diff: str  # unified


class DiffSkill(Verb[SkillDiff], frozen=True, tag="skills.diff"):
    """What differs between two versions of a skill."""

    name: str
    old: int
    new: int


class CondenseSkill(Verb[Said], frozen=True, tag="skills.condense"):
    """Have the learning model write a short form of a skill, as a proposal."""

    name: str


class DuplicateRow(Row, frozen=True):
    """Two active skills that say much the same."""

    keep: str  # the one that would stay, if they were merged
    other: str
    words: float  # share of the words in common, 0 to 1
    meaning: float | None = None  # likeness of what they are about; None where no embedder was asked
    proposal: str = ""  # that would merge them, whatever became of it
    state: str = ""  # of that proposal


class ListDuplicates(Verb[list[DuplicateRow]], frozen=True, tag="skills.duplicates.list"):
    pass


class MergeSkills(Verb[Said], frozen=True, tag="skills.merge"):
    """Have the learning model write one skill in place of two, as a proposal."""

    keep: str
    other: str


class ReturnToGeneration(Consented[Said], frozen=True, kw_only=True, tag="generations.return"):
    """Make the members of a generation the active library again."""

    generation: int
