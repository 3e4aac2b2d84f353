"""How much two notes have in common: by what they say, and by what they are about.

Both compare the terms by which skills are found, so the measure is the same in every script.
"""

from __future__ import annotations

from collections.abc import Sequence

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.tables import SkillVersion

SAME_WORDS = 0.7  # share in common from which a note says nothing new
SAME_SUBJECT = 0.5  # share in common from which two notes are about one thing

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


def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - _FORMULA


def _weight(words: frozenset[str]) -> float:
    return sum(map(weight, words))
