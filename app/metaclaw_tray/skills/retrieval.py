"""Which skills fit what the person said: an in-memory lookup that may answer "none".

BM25 over the words of name, description and trigger phrases (`skills.fields`). A word of the request also
stands for the library's words that share most of its character trigrams (date, dates), at less weight. An
index is built off the hot path, then never changes: the next one is made from it at the cost of what differs.
A lookup does no I/O and touches a bounded number of entries, however large library and request are.

It knows no meaning. What does (`embedder`, beforehand and elsewhere) may leave hints: skills near to what was
said before. Where the words of a request find something, that is the answer; where they find nothing, a skill
that is hinted at needs fewer of them, or none.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from math import log, log2
from types import MappingProxyType

from metaclaw_tray.skills.fields import Entry, phrases_of, shares_of
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.words import grams, pairs, telling, weight, words

_QUERY_TERMS = 256  # different terms of a request that are looked up
POSTINGS = 4_000  # entries of the index that one lookup may touch
COMPARISONS = 800  # pairs of words that one lookup may compare
_ALIKE = 0.55  # Dice coefficient of trigrams from which words count as forms of one word
_INFLECTIONS = frozenset(("s", "es", "en", "n", "e", "ed", "d", "t", "te", "de"))
_INFLECTED = 0.9  # how surely words that differ by one of these mean the same
_SURE = 0.6  # how surely a term is meant from which it counts in a phrase
_PREFIX = 3  # letters that forms of one word share

_BACKGROUND = (
    1000  # skills assumed besides those there are, so that rarity means something in a small library
)
_PHRASE = 0.6  # added where all words of a trigger phrase are in the request

_FLOOR = 1.25  # below it nothing fits; the only word of a trigger scores 1.375
_LONG_QUERY = 16  # terms from which chance hits grow and the floor rises with them
_STEEPNESS = 0.2
_BESIDE = 0.45  # of the best score: what is further below it is not shown beside it
_MEANT = 1.3  # added for a skill that is surely meant, by what was said before: just above the floor

Hints = Mapping[str, float]
"""Skills that are near in meaning to what was said before, each with how surely it is meant, 0 to 1."""

NO_HINTS: Hints = MappingProxyType({})


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


@dataclass(frozen=True)
class Weight:
    """What a skill scores, and by which of its terms; `phrase` where all of a trigger was said."""

    name: str
    score: float
    terms: tuple[tuple[str, float], ...]
    phrase: bool
    meant: float = 0.0  # the part of the score that a hint gave


@dataclass(frozen=True)
class Explanation:
    """What a lookup weighs: skills without any word of the request, and without a hint, are not in it."""

    asked: str  # the parts of the message that were looked at
    floor: float  # score below which nothing fits
    beside: float  # score below which a skill is not shown beside the best
    weights: tuple[Weight, ...]  # the best first


_Forms = list[tuple[str, float]]
_UNKNOWN = (0.0, "")
# Places of the skills that have a term, and its share in each: arrays, because walking them costs a quarter
# of what tuples of objects do.
_Posting = tuple["array[int]", "array[float]"]
_Family = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class _Weighed:
    """What a request tells, before anything is chosen."""

    forms: list[_Forms]  # for each word or pair of the request, the library's terms that it means
    meant: set[str]  # those of these terms that are surely meant
    scores: dict[int, float]  # by place
    floor: float
    touched: int


class Index:
    """The lookup over one library. Immutable."""

    def __init__(self, entries: Iterable[Entry], monotonic: Callable[[], float] = time.monotonic) -> None:
        """`monotonic` is the clock of deadlines, in seconds."""
        self._monotonic = monotonic
        self._entries: list[Entry | None] = []  # a place that a skill has left waits for the next one
        self._places: dict[str, int] = {}
        self._phrases: list[tuple[frozenset[str], ...]] = []
        self._postings: dict[str, _Posting] = {}
        self._families: dict[str, _Family] = {}  # terms by what they begin with, each with its trigrams
        self._rarities: dict[int, float] = {}  # by the number of skills that have a term
        self._update((), sorted(entries, key=lambda entry: entry.name))

    def changed(self, gone: Collection[str], come: Iterable[Entry]) -> Index:
        """The index without the skills named in `gone` and with those in `come`, which take the place of
        their namesakes. It answers as one made anew would."""
        other = Index((), self._monotonic)
        other._entries, other._phrases = self._entries.copy(), self._phrases.copy()
        other._places = self._places.copy()
        other._postings, other._families = self._postings.copy(), self._families.copy()
        other._update(gone, come)
        return other

    def _update(self, gone: Collection[str], come: Iterable[Entry]) -> None:
        free = [place for place, entry in enumerate(self._entries) if entry is None]
        come = list(come)
        taken: dict[str, set[int]] = defaultdict(set)  # places that leave the posting of a term
        given: dict[str, _Posting] = defaultdict(_nowhere)
        for name in {*gone, *(entry.name for entry in come)} & self._places.keys():
            place = self._places.pop(name)
            entry = self._entries[place]
            for term in shares_of(entry) if entry is not None else ():
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
            self._entries[place], self._phrases[place] = entry, phrases_of(entry)
            self._places[entry.name] = place
            for term, share in shares_of(entry).items():
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

    @property
    def entries(self) -> list[Entry]:
        """What the index was made of."""
        return [entry for entry in self._entries if entry is not None]

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
        hints: Hints = NO_HINTS,
    ) -> Lookup:
        """As `find`, with what it took. `deadline` is a reading of the index's clock; `hints` are few."""
        weighed = self._weigh(query, deadline)
        if weighed is None:
            return Lookup((), 0, late=True)
        fitting = self._fitting(weighed)
        if not fitting and self._add_meant(weighed.scores, hints):
            fitting = self._fitting(weighed)
        if self._monotonic() > deadline:
            return Lookup((), weighed.touched, late=True)
        return Lookup(_best(fitting, limit, exclude), weighed.touched)

    def _fitting(self, weighed: _Weighed) -> dict[str, float]:
        """The skills that may be shown, each with its score."""
        # What a phrase cannot lift to where it is shown need not be asked for its phrases.
        hopeful = max(weighed.floor, _BESIDE * max(weighed.scores.values(), default=0.0)) - _PHRASE
        fitting: dict[str, float] = {}
        for place in [place for place, score in weighed.scores.items() if score >= hopeful]:
            score, entry = weighed.scores[place], self._entries[place]
            if self._says_a_phrase(place, weighed):
                score += _PHRASE
            if score >= weighed.floor and entry is not None:
                fitting[entry.name] = score
        return fitting

    def _weigh(self, query: str, deadline: float) -> _Weighed | None:
        """What every skill that has a word of the request scores by words; None where time ran out."""
        said = words(asking(query))
        tells = set(telling(said))
        # A word without a subject is looked for where it alone was made a trigger: "when".
        asked = [word for word in dict.fromkeys(said) if word in tells or word in self._postings]
        asked = asked[:_QUERY_TERMS]
        forms, touched = self._forms(asked, deadline)
        beside = dict.fromkeys(pairs(said[:_QUERY_TERMS]))
        forms += [[(pair, 1.0)] for pair in beside if pair in self._postings]
        spread = [(sum([_length(self._postings[term]) for term, _ in each]), each) for each in forms]
        spread.sort()
        scores: dict[int, float] = {}
        for cost, each in spread:
            if self._monotonic() > deadline:
                return None
            if touched + cost > POSTINGS + COMPARISONS:
                break  # the rarest came first; what follows tells less
            touched += cost
            for place, score in self._told(each).items():
                scores[place] = scores.get(place, 0.0) + score
        floor = _FLOOR * (1 + _STEEPNESS * log2(max(len(asked), _LONG_QUERY) / _LONG_QUERY))
        return _Weighed(
            forms, {term for each in forms for term, sure in each if sure >= _SURE}, scores, floor, touched
        )

    def _told(self, forms: _Forms) -> dict[int, float]:
        """What one word of the request tells of the skills that have it: the best of its forms counts."""
        best: dict[int, float] = {}
        for term, alike in forms:
            posting = self._postings[term]
            sure = alike * self._rarities[_length(posting)]
            if not best:
                best = {place: sure * share for place, share in zip(*posting, strict=True)}
                continue
            for place, share in zip(*posting, strict=True):
                if sure * share > best.get(place, 0.0):
                    best[place] = sure * share
        return best

    def _add_meant(self, scores: dict[int, float], hints: Hints) -> bool:
        """Add what hints give; whether they gave anything."""
        given = False
        for name, surely in hints.items():
            place = self._places.get(name)
            if place is not None:
                scores[place] = scores.get(place, 0.0) + _MEANT * surely
                given = True
        return given

    def explain(self, query: str, hints: Hints = NO_HINTS) -> Explanation:
        """What every skill that has a word of the request or a hint scores, and by what. It takes as long as
        it takes: for people, off the hot path."""
        weighed = self._weigh(query, float("inf"))
        if weighed is None:
            return Explanation("", _FLOOR, 0.0, ())  # no clock reads later than never
        told: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for forms in weighed.forms:
            by_form = [(term, self._told([(term, sure)])) for term, sure in forms]
            for place, score in self._told(forms).items():
                term = next(term for term, scores in by_form if scores.get(place) == score)
                told[place].append((term, round(score, 3)))
        weights = []
        if self._fitting(weighed) or not self._add_meant(weighed.scores, hints):
            hints = NO_HINTS  # words found something, or there is nothing else
        for place, score in weighed.scores.items():
            entry = self._entries[place]
            if entry is not None:
                phrase = self._says_a_phrase(place, weighed)
                total = round(score + _PHRASE * phrase, 6)
                terms = tuple(sorted(told[place], key=lambda each: (-each[1], each[0])))
                meant = round(_MEANT * hints.get(entry.name, 0.0), 6)
                weights.append(Weight(entry.name, total, terms, phrase, meant))
        weights.sort(key=lambda each: (-each.score, each.name))
        best = max((each.score for each in weights), default=0.0)
        return Explanation(asking(query), round(weighed.floor, 6), round(_BESIDE * best, 6), tuple(weights))

    def _says_a_phrase(self, place: int, weighed: _Weighed) -> bool:
        return any(phrase <= weighed.meant for phrase in self._phrases[place])

    def _forms(self, asked: list[str], deadline: float) -> tuple[list[_Forms], int]:
        """For each word that the request means, the library's forms of it, each with how surely it is one;
        and the pairs of words that were compared."""
        meant: dict[str, tuple[float, str]] = {term: (1.0, term) for term in asked if term in self._postings}
        compared = 0
        for term in asked:
            family = self._families.get(term[:_PREFIX], ()) if _inflects(term) else ()
            if compared + len(family) > COMPARISONS or (family and self._monotonic() > deadline):
                continue
            compared += len(family)
            own, tells = grams(term), weight(term)
            size = len(own)
            for other, theirs in family:
                dice = 2 * len(own.intersection(theirs)) / (size + len(theirs))
                if dice < _ALIKE:
                    continue
                sure = tells * _alike(term, other, dice)
                if sure > meant.get(other, _UNKNOWN)[0]:
                    meant[other] = (sure, term)
        forms: dict[str, _Forms] = defaultdict(list)
        for other, (sure, term) in meant.items():
            forms[term].append((other, sure))
        return [sorted(each) for each in forms.values()], compared


def _alike(term: str, other: str, dice: float) -> float:
    """How surely two words that share trigrams are forms of one, 0 to 1."""
    short, long = (term, other) if len(term) < len(other) else (other, term)
    if long.startswith(short) and long[len(short) :] in _INFLECTIONS:
        return _INFLECTED
    return float(dice**1.5)


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
