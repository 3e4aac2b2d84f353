"""How much two notes have in common, by what they say and by what they are about; and two lessons.

All compare the terms by which skills are found, so the measure is the same in every script.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.lessons import Lesson, same_kind
from metaclaw_tray.store.tables_library import SkillVersion

SAME_WORDS = 0.7  # share in common from which a note says nothing new
SAME_SUBJECT = 0.5  # share in common from which two notes are about one thing

SAME_KIND = 0.6  # share in common from which two names of a fault mean one
SAME_SAYING = 0.5  # share in common of all that two corrections say, from which they say one thing
_TOGETHER = 2  # terms that two corrections share at least: "wrong" alone says nothing

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


def one_kind(one: Lesson, other: Lesson) -> bool:
    """Whether two exchanges went wrong in one way: by what the judge called the fault, or by what the person
    said. A standing instruction is of one kind with the same instruction only."""
    if one.instruction or other.instruction:
        return bool(one.instruction and other.instruction) and (
            one.instruction == other.instruction or overlap(one.instruction, other.instruction) >= SAME_WORDS
        )
    if same_kind(one, other) or overlap(one.kind, other.kind) >= SAME_KIND:
        return True
    words, others = _terms(one.said), _terms(other.said)
    shared, all_said = words & others, words | others
    return len(shared) >= _TOGETHER and _weight(shared) >= SAME_SAYING * _weight(all_said)


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _FORMULA


def _weight(words: frozenset[str]) -> float:
    return sum(map(weight, words))
