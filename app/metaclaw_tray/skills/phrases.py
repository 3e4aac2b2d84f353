"""Trigger phrases for a skill, from what the person asked before and the skill was not found by.

A request that is near in meaning and shares no telling word with the skill, perhaps in another language,
holds words by which the next one like it would be found. They are only proposed: what is put into a skill, a
person has read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import structs

from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.retrieval import Index
from metaclaw_tray.skills.words import fold, telling, unspaced, weight, words

Similarity = Callable[[str], float]
"""How near a text is to the skill in meaning; for the requests that are handed over and their `spans`."""

PHRASES = 4
"""Phrases at most for one proposal."""

_WORDS = 4  # in a phrase
_CHARACTERS = (2, 6)  # in one of a script without spaces
_LONGEST = 40  # characters
_SPANS = 80  # of one request that are looked at
_GAP = 0.02  # likeness that a longer phrase must be better by for each word it is longer

_CLAUSE = re.compile(r"[^\n.,;:!?()\[\]{}\"“”„«»。，；：！？、（）「」《》…—–]+")
_WORD = re.compile(r"\S+")
_PRIVATE = re.compile(r"[\d@/\\_<>=#$%&*+|~^`]")


def phrases_for(
    skill: Entry, requests: Sequence[str], similarity: Similarity, near: float, tells: float
) -> list[str]:
    """At most `PHRASES` phrases by which the skill would be found for requests that are about it.

    A request is about the skill from the similarity `near` on, and a phrase of it speaks of the skill from
    `tells` on. No phrase is one that requests about other things hold too, or holds a figure, an address or a
    name; and none comes from a request that the skill is found for already.
    """
    index = Index([skill])
    about = {each for each in requests if similarity(each) >= near}
    others = [frozenset(words(asking(each))) for each in requests if each not in about]
    support: dict[str, float] = defaultdict(float)
    for request in sorted(about):
        if index.find(request, 1):
            continue
        best = _best(skill, request, similarity, tells, others)
        if best:
            support[best] += similarity(best)
    ranked = sorted(support, key=lambda phrase: (-support[phrase], phrase))
    return ranked[:PHRASES]


def spans(request: str) -> list[str]:
    """The parts of a request that could be a phrase: some words in a row, none of them at an end without a
    subject; at most some eighty."""
    found: dict[str, None] = {}
    text = asking(request)
    names = _names(text)
    for clause in _CLAUSE.findall(text):
        for run in _spaced_runs(clause, names):
            for span in run:
                found.setdefault(span)
                if len(found) >= _SPANS:
                    return list(found)
    return list(found)


def with_phrases(skill: Entry, phrases: Iterable[str]) -> Entry:
    """The skill as it would be found with these phrases too."""
    return structs.replace(skill, triggers=tuple(dict.fromkeys((*skill.triggers, *phrases))))


def _best(
    skill: Entry, request: str, similarity: Similarity, tells: float, others: Sequence[frozenset[str]]
) -> str:
    """The phrase of a request that says most of the skill with the fewest words; "" where none does."""
    best, most = "", 0.0
    for span in sorted(spans(request), key=lambda each: (len(words(each)), each)):
        said = frozenset(words(span))
        score = similarity(span) - _GAP * len(said)
        if similarity(span) < tells or score <= most or any(said <= other for other in others):
            continue
        if Index([with_phrases(skill, [span])]).find(request, 1):
            best, most = span, score
    return best


def _spaced_runs(clause: str, names: frozenset[str]) -> Iterable[list[str]]:
    said = _WORD.findall(clause)
    for place, word in enumerate(said):
        if unspaced(word):
            yield _unspaced(word)
            continue
        yield [
            span
            for end in range(place + 1, min(place + _WORDS, len(said)) + 1)
            if (span := _phrase(said[place:end], names))
        ]


def _phrase(said: Sequence[str], names: frozenset[str]) -> str:
    """These words as a phrase, or "" where they are none."""
    phrase = " ".join(said).strip("'’‘-").lower()
    if not phrase or len(phrase) > _LONGEST or _PRIVATE.search(phrase) or names.intersection(said):
        return ""
    if any(unspaced(word) for word in said):
        return ""
    first, last = words(said[0]), words(said[-1])
    if not telling(first) or not telling(last):
        return ""
    return phrase if any(weight(word) >= 1 for word in telling(words(phrase))) else ""


def _unspaced(run: str) -> list[str]:
    shortest, longest = _CHARACTERS
    if _PRIVATE.search(run):
        return []
    return [
        run[at : at + length]
        for length in range(shortest, longest + 1)
        for at in range(len(run) - length + 1)
        if telling(words(run[at : at + length]))
    ]


def _names(text: str) -> frozenset[str]:
    """Words written large inside a sentence, unless so many are that the language writes its nouns so."""
    inside = [word for clause in _CLAUSE.findall(text) for word in _WORD.findall(clause)[1:]]
    large = [word for word in inside if word[:1].isupper()]
    return frozenset(large if 3 * len(large) <= len(inside) else ())


def same_phrase(one: str, other: str) -> bool:
    """Whether two phrases are one but for case, width, accents and white space."""
    return fold(one).split() == fold(other).split()
