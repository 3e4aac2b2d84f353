"""What a skill is found by, and how much each term stands for it.

BM25 with fields (Robertson et al. 2004, "Simple BM25 extension to multiple weighted fields"): the amounts of
a term in name, description and trigger phrases are weighted and added up before they are damped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from metaclaw_tray.skills.words import pairs, telling, terms, weight, words

_NAME, _DESCRIPTION, _TRIGGER = 1.0, 0.45, 2.0  # a trigger's is shared by the terms of its phrase
_ALONE = 1.0  # weight of a description that no trigger phrases help
_AGAIN = 0.25  # what a term counts in each further phrase that has it
_BESIDES = 0.2  # least part of a phrase that its pairs of words are worth being found by
_K1, _B, _USUAL_LENGTH = 1.2, 0.4, 20.0


class Entry(Struct, frozen=True, gc=False):
    """What a skill is found by."""

    name: str
    description: str
    triggers: tuple[str, ...] = ()


def shares_of(entry: Entry) -> dict[str, float]:
    """BM25's part for one skill: how much each term stands for it."""
    amounts: dict[str, float] = defaultdict(float)
    for term in set(terms(entry.name)):
        amounts[term] += _NAME * weight(term)
    described = terms(entry.description)
    for term in described:
        amounts[term] += (_DESCRIPTION if entry.triggers else _ALONE) * weight(term)
    for term, shares in _triggering(entry.triggers).items():
        amounts[term] += _TRIGGER * max(shares) + _AGAIN * (sum(shares) - max(shares))
    damped = _K1 * (1 - _B + _B * max(len(described), _USUAL_LENGTH) / _USUAL_LENGTH)
    return {term: amount * (_K1 + 1) / (amount + damped) for term, amount in amounts.items()}


def _triggering(triggers: Iterable[str]) -> dict[str, list[float]]:
    """The terms of trigger phrases, each with its share in every phrase that has it."""
    found: dict[str, list[float]] = defaultdict(list)
    for phrase in dict.fromkeys(triggers):
        for term, share in _shares(phrase).items():
            found[term].append(share)
    return found


def _shares(phrase: str) -> dict[str, float]:
    """What each term of a trigger phrase says of it; together 1.

    A single word was chosen as a trigger, whatever it is. In a phrase of words that any request may hold,
    such as "what time", much is said only by their standing side by side.
    """
    said = words(phrase)
    weights = {term: weight(term) for term in telling(said)}
    if len(said) == 1:
        return dict.fromkeys(said, 1.0)
    total = sum(weights.values())
    apart = min(1.0, total)
    shares = {term: apart * each / total for term, each in weights.items()}
    beside = pairs(said)
    if beside and 1.0 - apart >= _BESIDES:
        shares |= dict.fromkeys(beside, (1.0 - apart) / len(beside))
    return shares


def phrases_of(entry: Entry) -> tuple[frozenset[str], ...]:
    found = dict.fromkeys(frozenset(_shares(phrase)) for phrase in entry.triggers)
    return tuple(phrase for phrase in found if phrase)
