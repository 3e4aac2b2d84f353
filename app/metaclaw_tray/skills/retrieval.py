"""Which skills fit what the person said: an in-memory lookup that may answer "none".

BM25 with fields (Robertson et al. 2004, "Simple BM25 extension to multiple weighted fields") over the words
of name, description and trigger phrases. A word of the request also stands for the library's words that share
most of its character trigrams (date, dates), at less weight. An index is built off the hot path, then never
changes: the next one is made from it at the cost of what differs. A lookup does no I/O and touches a bounded
number of entries, however large library and request are.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import compress
from math import log, log2

from msgspec import Struct

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


class Entry(Struct, frozen=True, gc=False):
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


_Phrases = tuple[frozenset[str], ...]
# Places of the skills that have a term, and its share in each: arrays, because walking them costs a quarter
# of what tuples of objects do.
_Posting = tuple["array[int]", "array[float]"]
_Family = tuple[tuple[str, tuple[str, ...]], ...]


class Index:
    """The lookup over one library. Immutable."""

    def __init__(self, entries: Iterable[Entry], monotonic: Callable[[], float] = time.monotonic) -> None:
        """`monotonic` is the clock of deadlines, in seconds."""
        self._monotonic = monotonic
        self._entries: list[Entry | None] = []  # a place that a skill has left waits for the next one
        self._phrases: list[_Phrases] = []
        self._postings: dict[str, _Posting] = {}
        self._families: dict[str, _Family] = {}  # terms by what they begin with, each with its trigrams
        self._rarities: dict[int, float] = {}  # by the number of skills that have a term
        self._update((), sorted(entries, key=lambda entry: entry.name))

    def changed(self, gone: Collection[str], come: Iterable[Entry]) -> Index:
        """The index without the skills named in `gone` and with those in `come`, which take the place of
        their namesakes. It answers as one made anew would."""
        other = Index((), self._monotonic)
        other._entries, other._phrases = self._entries.copy(), self._phrases.copy()
        other._postings, other._families = self._postings.copy(), self._families.copy()
        other._update(gone, come)
        return other

    def _update(self, gone: Collection[str], come: Iterable[Entry]) -> None:
        places = {entry.name: place for place, entry in enumerate(self._entries) if entry is not None}
        free = [place for place, entry in enumerate(self._entries) if entry is None]
        come = list(come)
        taken: dict[str, set[int]] = defaultdict(set)  # places that leave the posting of a term
        given: dict[str, _Posting] = defaultdict(_nowhere)
        for name in {*gone, *(entry.name for entry in come)} & places.keys():
            place = places[name]
            entry = self._entries[place]
            for term in _saturated(entry) if entry is not None else ():
                taken[term].add(place)
            self._entries[place], self._phrases[place] = None, ()
            free.append(place)
        for entry in come:
            if free:
                place = free.pop()
            else:
                place = len(self._entries)
                self._entries.append(None)
                self._phrases.append(())
            self._entries[place], self._phrases[place] = entry, _phrases(entry)
            for term, share in _saturated(entry).items():
                skills, shares = given[term]
                skills.append(place)
                shares.append(share)
        before = self._postings.keys() & (taken.keys() | given.keys())
        for term in taken.keys() | given.keys():
            self._replace(sys.intern(term), taken.get(term, set()), given.get(term, _nowhere()))
        self._regroup(born=given.keys() - before, died=before - self._postings.keys())
        total = len(self) + _BACKGROUND
        self._rarities = {
            count: _rarity(count, total) for count in set(map(_length, self._postings.values()))
        }

    def _replace(self, term: str, taken: set[int], given: _Posting) -> None:
        """Make a term's posting anew; the old one may be another index's."""
        skills, shares = self._postings.pop(term, _nowhere())
        stay = [place not in taken for place in skills]
        posting = array("I", compress(skills, stay)) + given[0], array("d", compress(shares, stay)) + given[1]
        if posting[0]:
            self._postings[term] = posting

    def _regroup(self, born: Collection[str], died: Collection[str]) -> None:
        """Bring the families up to the terms there are."""
        moved: dict[str, list[str]] = defaultdict(list)
        for term in (*born, *died):
            if _inflects(term):
                moved[term[:_PREFIX]].append(term)
        for prefix, members in moved.items():
            family = [each for each in self._families.pop(prefix, ()) if each[0] not in died]
            family += [(term, tuple(map(sys.intern, grams(term)))) for term in members if term in born]
            if family:
                self._families[prefix] = tuple(family)

    def __len__(self) -> int:
        return sum(entry is not None for entry in self._entries)

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
        scores: dict[int, float] = defaultdict(float)
        tells = {term: self._tells(term) for term in wanted}
        for term in sorted(wanted, key=lambda term: (-tells[term], term)):
            if self._monotonic() > deadline:
                return Lookup((), touched, late=True)
            skills, shares = self._postings[term]
            if touched + len(skills) > POSTINGS + COMPARISONS:
                break  # the rarest came first; what follows tells less
            touched += len(skills)
            telling = tells[term] * wanted[term]
            for place, share in zip(skills, shares, strict=True):
                scores[place] += telling * share
        floor = _FLOOR * (1 + 0.2 * log2(max(len(asked), _LONG_QUERY) / _LONG_QUERY))
        # What a phrase cannot lift to where it is shown need not be asked for its phrases.
        hopeful = max(floor, _BESIDE * max(scores.values(), default=0.0)) - _PHRASE
        said = set(wanted)
        fitting: dict[str, float] = {}
        for place in [place for place, score in scores.items() if score >= hopeful]:
            score, entry = scores[place], self._entries[place]
            if any(phrase <= said for phrase in self._phrases[place]):
                score += _PHRASE
            if score >= floor and entry is not None:
                fitting[entry.name] = score
        if self._monotonic() > deadline:
            return Lookup((), touched, late=True)
        return Lookup(_best(fitting, limit, exclude), touched)

    def _tells(self, term: str) -> float:
        """How much a term of the library tells about what is asked for."""
        return self._rarities[_length(self._postings[term])] * weight(term)

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
                alike = 2 * len(own.intersection(theirs)) / (len(own) + len(theirs))
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


def _nowhere() -> _Posting:
    return array("I"), array("d")


def _length(posting: _Posting) -> int:
    return len(posting[0])


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
