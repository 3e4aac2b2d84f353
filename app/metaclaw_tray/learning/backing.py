"""Who stands behind a sentence of a note: the person, or what a tool, a page or a paste said.

Words are compared, not meanings. A sentence is the person's where they used its words themselves; their
request and an answer that they took count half. One that shares words only with what came from elsewhere
came from there. One that shares words with nobody is unknown: a model's own elaboration, or something that
it decoded or translated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from metaclaw_tray.learning.origin import FOREIGN, Origin, Span, words_from
from metaclaw_tray.learning.unmask import decoded, unmasked
from metaclaw_tray.skills.words import terms, weight, words

OWN_SHARE = 0.5  # of a sentence's words that the person must have used for it to be theirs
SOME_SHARE = 0.25  # and for it to be an elaboration of what they said
_ELSEWHERE_SHARE = 0.35  # of its words that stand elsewhere only
_EXAMPLE_SHARE = 0.6  # of an example's, which needs words that no rule has
_VERBATIM_SHARE = 0.4  # of its runs of words that stand elsewhere only
_HALF = 0.5
_RUN = 4  # words
_STEM = 5  # letters from which two forms of a word are known by their beginning
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+|(?<=[。！？；])|\n+")
_MARKER = re.compile(r"^[\s#>*•\-–—\d.)]+")


class Whose(StrEnum):
    """Who stands behind a sentence."""

    PERSON = "person"
    SOME = "some"  # the person said something of the kind
    MIXED = "mixed"  # the person said one half, and something else said the other
    ELSEWHERE = "elsewhere"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Vocabulary:
    """The words of a text: its terms, the beginnings of long ones, and its runs of words."""

    terms: frozenset[str]
    stems: frozenset[str]
    runs: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, text: str) -> Vocabulary:
        found = frozenset(terms(text))
        stems = frozenset(each[:_STEM] for each in found if len(each) >= _STEM)
        return cls(found, stems, frozenset(_runs(text)))

    def holds(self, term: str) -> bool:
        return term in self.terms or (len(term) >= _STEM and term[:_STEM] in self.stems)


@dataclass(frozen=True)
class Sources:
    """What was said in the records that teach, by whom."""

    spans: Sequence[Span]

    @cached_property
    def demand(self) -> str:
        """What the person said about the answers."""
        return words_from(self.spans, Origin.DEMAND)

    @cached_property
    def own(self) -> str:
        """All that the person said themselves."""
        return words_from(self.spans, Origin.DEMAND, Origin.PERSON)

    @cached_property
    def foreign(self) -> dict[Origin, str]:
        """What came from elsewhere, by where, with what is encoded in it."""
        found = {each: words_from(self.spans, each) for each in FOREIGN}
        return {each: "\n".join([text, *decoded(text)]) for each, text in found.items() if text}

    @cached_property
    def agents(self) -> str:
        """What the agent said and did."""
        return words_from(self.spans, Origin.MODEL, Origin.ACCEPTED, Origin.CALL)

    def whose(self, sentence: str, *, example: bool = False) -> Whose:
        """Who stands behind a sentence. An example may have its words from what the agent answered."""
        wanted = set(terms(unmasked(sentence)))
        total = sum(map(weight, wanted))
        if not total:
            return Whose.SOME
        credit = {term: self._credit(term, example) for term in wanted}
        backed = sum(weight(term) * share for term, share in credit.items()) / total
        elsewhere = sum(weight(term) for term in wanted if not credit[term] and self._strange.holds(term))
        runs = [each for each in _runs(sentence) if each not in self._said.runs]
        others = self._strange.runs if example else self._copied
        copied = sum(each in others for each in runs)
        most = _EXAMPLE_SHARE if example else _ELSEWHERE_SHARE
        if elsewhere / total >= most or copied >= max(1, _VERBATIM_SHARE * len(runs)):
            return Whose.MIXED if backed >= OWN_SHARE else Whose.ELSEWHERE
        if backed >= OWN_SHARE:
            return Whose.PERSON
        return Whose.SOME if backed >= SOME_SHARE else Whose.UNKNOWN

    def nearest(self, sentence: str) -> Origin | None:
        """Where a sentence that is not the person's has most of its words from; None where nothing came from
        elsewhere."""
        wanted = set(terms(unmasked(sentence)))
        shared = {
            each: sum(weight(term) for term in wanted if known.holds(term))
            for each, known in self._elsewhere.items()
        }
        return max(shared, key=lambda each: shared[each]) if shared else None

    def _credit(self, term: str, example: bool) -> float:
        if self._demanded.holds(term):
            return 1.0
        if self._said.holds(term):
            return _HALF
        if example and self._agents.holds(term):
            return _HALF
        return _HALF if self._accepted.holds(term) and not self._strange.holds(term) else 0.0

    @cached_property
    def _demanded(self) -> Vocabulary:
        return Vocabulary.of(self.demand)

    @cached_property
    def _said(self) -> Vocabulary:
        return Vocabulary.of(self.own)

    @cached_property
    def _accepted(self) -> Vocabulary:
        return Vocabulary.of(words_from(self.spans, Origin.ACCEPTED))

    @cached_property
    def _agents(self) -> Vocabulary:
        return Vocabulary.of(words_from(self.spans, Origin.MODEL, Origin.ACCEPTED))

    @cached_property
    def _elsewhere(self) -> dict[Origin, Vocabulary]:
        return {each: Vocabulary.of(unmasked(text)) for each, text in self.foreign.items()}

    @cached_property
    def _strange(self) -> Vocabulary:
        """All that came from elsewhere."""
        return Vocabulary.of(unmasked("\n".join(self.foreign.values())))

    @cached_property
    def _copied(self) -> frozenset[tuple[str, ...]]:
        """The runs of words of everybody but the person."""
        others = words_from(self.spans, Origin.MODEL, Origin.SYSTEM)
        return self._strange.runs | frozenset(_runs(others))


def sentences(text: str) -> list[str]:
    """The sentences and lines of a note, without marks of lists and headings."""
    cleaned = (_MARKER.sub("", each).strip() for each in _SENTENCE.split(text))
    return [each for each in cleaned if each]


def _runs(text: str) -> list[tuple[str, ...]]:
    found = words(unmasked(text))
    return [tuple(found[at : at + _RUN]) for at in range(len(found) - _RUN + 1)]
