"""How much two notes have in common, by what they say and by what they are about; and two lessons.

All compare the terms by which skills are found, so the measure is the same in every script.

Two failures are of one kind by what the person said of them, not by what the judge called them: a small model
calls most things "wrong format". Where the remarks say something, they must have something telling in common,
and more of it where the judge's names differ; a form that both show ("07h30", "16h40") is as good as a word.
Where a remark says nothing ("Wrong."), or a thumb came without words, the judge's name and the likeness of
the tasks decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.forms import form_of, has_digit, tokens
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.lessons import Lesson
from metaclaw_tray.store.tables_library import SkillVersion

SAME_WORDS = 0.7  # share in common from which a note says nothing new
SAME_SUBJECT = 0.5  # share in common from which two notes are about one thing

SAME_KIND = 0.6  # share in common from which two names of a fault mean one
SAME_SAYING = 0.5  # share in common of all that two corrections say, from which they say one thing
SAME_RULE = 0.5  # share in common of what two standing instructions say, where the judge names one fault
SAME_TASK = 0.4  # share in common of two tasks from which they are alike
_TELLS = 1.0  # weight of terms from which a remark says something: "wrong" alone says nothing

_FORMULA = frozenset(terms("Use when writing something. Example: not this but that."))


def body_of(text: str) -> str:
    """The body of a stored SKILL.md; the whole text where it cannot be read."""
    try:
        return read_skill(text, "a skill").body
    except SkillError:
        return text


def overlap(one: str, other: str) -> float:
    """The weight of the terms in common, as a share of the text that has less: 0 to 1."""
    words, others = _terms(one), _terms(other)
    smaller = min(_weight(words), _weight(others))
    return _weight(words & others) / smaller if smaller else 0.0


def adds_nothing(body: str, others: Sequence[str]) -> bool:
    """Whether one of the other bodies says all this already."""
    return any(overlap(body, other) >= SAME_WORDS for other in others)


def nearest(subject: str, known: Sequence[SkillVersion]) -> SkillVersion | None:
    """The skill that is about the same thing, if one is. `subject`: a description with trigger phrases."""
    ranked = sorted(known, key=lambda version: overlap(subject, subject_of(version)), reverse=True)
    return ranked[0] if ranked and overlap(subject, subject_of(ranked[0])) >= SAME_SUBJECT else None


def subject_of(version: SkillVersion) -> str:
    """What a skill is about: its description and its trigger phrases."""
    try:
        triggers = read_skill(version.text, version.name).triggers
    except SkillError:
        triggers = ()
    return " ".join([version.description, *triggers])


@dataclass(frozen=True)
class Fault:
    """One failure: what the judge called it, what the person said, and what they had asked for."""

    kind: str
    said: str = ""
    task: str = ""


def one_kind(one: Lesson, other: Lesson) -> bool:
    """Whether two exchanges went wrong in one way. A standing instruction is of one kind with instructions
    only: those that say the same, or show the same form."""
    if bool(one.instruction) != bool(other.instruction):
        return False
    if not one.instruction:
        return one_fault(Fault(one.kind, one.said, one.task), Fault(other.kind, other.said, other.task))
    if one.instruction == other.instruction or overlap(one.instruction, other.instruction) >= SAME_WORDS:
        return True
    words, others = (_telling(f"{each.instruction}\n{each.said}") for each in (one, other))
    smaller, shared = min(_weight(words), _weight(others)), _weight(words & others)
    return _named_alike(one.kind, other.kind) and shared >= max(_TELLS, SAME_RULE * smaller)


def one_fault(one: Fault, other: Fault) -> bool:
    """Whether two failures are of one kind."""
    words, others = _telling(one.said), _telling(other.said)
    named_alike = _named_alike(one.kind, other.kind)
    if min(_weight(words), _weight(others)) >= _TELLS:
        shared = _weight(words & others)
        wanted = _TELLS if named_alike else max(_TELLS, SAME_SAYING * _weight(words | others))
        return shared >= wanted
    if not named_alike:
        return False
    return not (one.task and other.task) or overlap(one.task, other.task) >= SAME_TASK


def _named_alike(one: str, other: str) -> bool:
    return bool(one and other) and (one == other or overlap(one, other) >= SAME_KIND)


@lru_cache(maxsize=4096)
def _telling(text: str) -> frozenset[str]:
    """What a remark says: its terms, and in place of figures the forms that they are of."""
    found = [(each, form_of(each)) for each in tokens(text) if "://" not in each]
    plain = " ".join(each for each, form in found if not (form and has_digit(each)))
    return _terms(plain) | {f"form {form}" for _, form in found if form}


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _FORMULA


def _weight(words: frozenset[str]) -> float:
    return sum(map(weight, words))
