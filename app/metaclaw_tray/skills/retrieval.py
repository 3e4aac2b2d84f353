"""Which skills fit what the person said: an in-memory lookup that may answer "none".

BM25 with fields (Robertson et al. 2004, "Simple BM25 extension to multiple weighted fields") over the words
of name, description and trigger phrases. A word of the request also stands for the library's words that share
most of its character trigrams (date, dates), at less weight. An index is built off the hot path, then never
changes; a lookup does no I/O and touches a bounded number of entries, however large library and request are.
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import log, log2

from metaclaw_tray.skills.words import grams, terms, weight

_HEAD, _TAIL = 3072, 1024  # characters of a long request that are looked at: people ask first or last
_QUERY_TERMS = 256  # different terms of a request that are looked up
POSTINGS = 5_000  # entries of the index that one lookup may touch
COMPARISONS = 1_000  # pairs of words that one lookup may compare
_ALIKE = 0.55  # Dice coefficient of trigrams from which words count as forms of one word
_PREFIX = 3  # letters that forms of one word share

_NAME, _DESCRIPTION, _TRIGGER = (
    1.5,
    1.0,
    2.0,
)  # field weights; a trigger's is shared by the words of its phrase
_K1, _B, _USUAL_LENGTH = 1.2, 0.4, 20.0
_BACKGROUND = (
    1000  # skills assumed besides those there are, so that rarity means something in a small library
)
_PHRASE = 0.6  # added where all words of a trigger phrase are in the request

_FLOOR = 1.25  # below it nothing fits; what one word of a trigger scores is 1.375, of a description 1.0
_LONG_QUERY = 16  # terms from which chance hits grow and the floor rises with them
_BESIDE = 0.4  # of the best score: what is further below it is not shown beside it


@dataclass(frozen=True)
class Entry:
    """What a skill is found by."""

    name: str
    description: str
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """A skill that fits, and how well; scores compare within one lookup."""

    name: str
    score: float


@dataclass(frozen=True)
class Lookup:
    """The answer, and what it took."""

    matches: tuple[Match, ...]
    touched: int  # entries and pairs of words looked at
    late: bool = False  # the deadline passed, so nothing is answered


class Index:
    """The lookup over one library. Immutable."""

    def __init__(self, entries: Iterable[Entry], monotonic: Callable[[], float] = time.monotonic) -> None:
        """`monotonic` is the clock of deadlines, in seconds."""
        self._monotonic = monotonic
        ordered = sorted(entries, key=lambda entry: entry.name)
        self._names = tuple(entry.name for entry in ordered)
        self._phrases = tuple(_phrases(entry) for entry in ordered)
        counts: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, entry in enumerate(ordered):
            for term, share in _saturated(entry).items():
                counts[term].append((at, share))
        total = len(ordered) + _BACKGROUND
        self._rarity = {term: _rarity(len(found), total) * weight(term) for term, found in counts.items()}
        # Arrays, because walking them costs a quarter of what tuples of objects do.
        self._postings = {
            term: (array("L", (at for at, _ in found)), array("d", (share for _, share in found)))
            for term, found in counts.items()
        }
        families: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for term in sorted(counts):
            if _inflects(term):
                families[term[:_PREFIX]].append((term, grams(term)))
        self._families = {prefix: tuple(family) for prefix, family in families.items()}

    def __len__(self) -> int:
        return len(self._names)

    def find(
        self,
        query: str,
        limit: int,
        exclude: Collection[str] = frozenset(),
        deadline: float = float("inf"),
    ) -> list[Match]:
        """At most `limit` fitting skills, the best first; nothing where none fits or time ran out."""
        return list(self.look_up(query, limit, exclude, deadline).matches)

    def look_up(
        self,
        query: str,
        limit: int,
        exclude: Collection[str] = frozenset(),
        deadline: float = float("inf"),
    ) -> Lookup:
        """As `find`, with what it took. `deadline` is a reading of the index's clock."""
        asked = list(dict.fromkeys(terms(_cut(query))))[:_QUERY_TERMS]
        wanted, touched = self._expand(asked, deadline)
        scores = [0.0] * len(self._names)
        for term in sorted(wanted, key=lambda term: (-self._rarity[term], term)):
            if self._monotonic() > deadline:
                return Lookup((), touched, late=True)
            skills, shares = self._postings[term]
            if touched + len(skills) > POSTINGS + COMPARISONS:
                break  # the rarest came first; what follows tells less
            touched += len(skills)
            telling = self._rarity[term] * wanted[term]
            for at, share in zip(skills, shares, strict=True):
                scores[at] += telling * share
        floor = _FLOOR * (1 + 0.2 * log2(max(len(asked), _LONG_QUERY) / _LONG_QUERY))
        said = wanted.keys()
        fitting: dict[str, float] = {}
        for at, score in enumerate(scores):
            if score < floor - _PHRASE:
                continue
            if any(phrase <= said for phrase in self._phrases[at]):
                score += _PHRASE
            if score >= floor:
                fitting[self._names[at]] = score
        if self._monotonic() > deadline:
            return Lookup((), touched, late=True)
        return Lookup(_best(fitting, limit, exclude), touched)

    def _expand(self, asked: list[str], deadline: float) -> tuple[dict[str, float], int]:
        """The library's terms that the request means, each with how surely, and the pairs compared."""
        wanted: dict[str, float] = {term: 1.0 for term in asked if term in self._postings}
        compared = 0
        for term in asked:
            family = self._families.get(term[:_PREFIX], ()) if _inflects(term) else ()
            if compared + len(family) > COMPARISONS or (family and self._monotonic() > deadline):
                continue
            compared += len(family)
            own = grams(term)
            for other, theirs in family:
                alike = 2 * len(own & theirs) / (len(own) + len(theirs))
                if alike >= _ALIKE and alike > wanted.get(other, 0.0):
                    wanted[other] = alike
        return wanted, compared


def _best(fitting: dict[str, float], limit: int, exclude: Collection[str]) -> tuple[Match, ...]:
    if not fitting:
        return ()
    beside = _BESIDE * max(fitting.values())
    matches = [
        Match(name, round(score, 6))
        for name, score in fitting.items()
        if score >= beside and name not in exclude
    ]
    return tuple(sorted(matches, key=lambda match: (-match.score, match.name))[:limit])


def _saturated(entry: Entry) -> dict[str, float]:
    """BM25's part for one skill: how much each term stands for it."""
    amounts: dict[str, float] = defaultdict(float)
    for term in set(terms(entry.name)):
        amounts[term] += _NAME
    described = terms(entry.description)
    for term in described:
        amounts[term] += _DESCRIPTION
    for phrase in _phrases(entry):
        for term in phrase:
            amounts[term] += _TRIGGER / len(phrase)
    damped = _K1 * (1 - _B + _B * max(len(described), _USUAL_LENGTH) / _USUAL_LENGTH)
    return {term: amount * (_K1 + 1) / (amount + damped) for term, amount in amounts.items()}


def _phrases(entry: Entry) -> tuple[frozenset[str], ...]:
    found = dict.fromkeys(frozenset(terms(phrase)) for phrase in entry.triggers)
    return tuple(phrase for phrase in found if phrase)


def _rarity(skills: int, total: int) -> float:
    """Inverse document frequency, 1 for a term of a single skill."""

    def idf(count: int) -> float:
        return log(1 + (total - count + 0.5) / (count + 0.5))

    return idf(skills) / idf(1)


def _inflects(term: str) -> bool:
    """Only words of letters have forms; pairs of unspaced characters and numbers stand for themselves."""
    return len(term) > _PREFIX and term.isalpha()


def _cut(query: str) -> str:
    return query if len(query) <= _HEAD + _TAIL else f"{query[:_HEAD]}\n{query[-_TAIL:]}"
