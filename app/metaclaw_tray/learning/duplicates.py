"""Which active skills say much the same, in a library of any size, without holding anything up.

Each skill is read once for the text it has. Pairs are looked for among skills that share some of the words
that tell most of each, so not all pairs are compared; and the work is cut into steps of a millisecond or so,
for it is done beside agents that are being served.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.settling import SkillTrust
from metaclaw_tray.store.tables_library import SkillVersion

SAME_BODY = 0.6
"""Share of the words of the shorter body in common from which two skills may say the same …"""

SAME_SUBJECT = 0.35
"""… and of what they are about: a long body has many words of any short one."""

NEAR_BODY = 0.3
"""The share that is enough where an embedder holds them for much alike …"""

NEAR = 0.34
"""… by this likeness of what they are for, which many do that go together and are not the same."""

MEANS_SAME = 0.44
"""Likeness from which no word needs to be in common: the same rule in another language, say. Of 87 skills, 60
of them the labelled ones, no two that are about different things came nearer than 0.38."""

_TELLING = 12  # of a skill's rarest words, by which candidates are found
_CROWD = 40  # skills that share a word from which it tells nothing
_IN_COMMON = 2  # of these words, where both skills have some more
_FEW = 4
_READ = 20_000  # characters of a body that are compared: no skill that is put before a model is that long
_AT_ONCE, _SOME = 100, 8  # pieces of work in one step: of some microseconds each, and of some more

_FORMULA = frozenset(terms("Use when writing something. Example: not this but that."))

Meaning = Mapping[tuple[str, str], float]
"""The likeness of pairs of skills as an embedder has it, by their names in order."""


@dataclass(frozen=True)
class Alike:
    """Two skills that may be merged, and how much they have in common."""

    keep: SkillVersion
    other: SkillVersion
    words: float
    meaning: float | None = None


@dataclass(frozen=True)
class _Read:
    """The terms of a text, as numbers, and what they weigh."""

    digest: str
    body: array[int]
    body_weight: float
    subject: array[int]
    subject_weight: float


class Duplicates:
    """Finds them, and remembers what it read: the next look reads only what changed."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}  # of terms
        self._weights: list[float] = []
        self._read: dict[str, _Read] = {}
        self._answered: tuple[object, list[Alike]] | None = None  # the last question, and what was found

    def steps(
        self, versions: Sequence[SkillVersion], trust: Mapping[str, str], meaning: Meaning | None = None
    ) -> Generator[str, None, list[Alike]]:
        """Look, a step at a time, each telling how far it is; in the end the pairs, those most alike first.

        Of two the trusted one is kept, else the older one.
        """
        by_name = {version.name: version for version in versions}
        means = {
            pair: near for pair, near in (meaning or {}).items() if near >= NEAR and by_name.keys() >= {*pair}
        }
        kept = {name: trust.get(name, "") for name in by_name}
        question = ({name: each.digest for name, each in by_name.items()}, kept, means)
        if self._answered is not None and self._answered[0] == question:
            return [self._now(each, by_name) for each in self._answered[1]]
        yield from self._read_all(by_name)
        candidates = yield from self._candidates(sorted(by_name))
        found = []
        for number, (one, other) in enumerate({*candidates, *means}):
            if (
                pair := self._compared(by_name[one], by_name[other], trust, means.get((one, other)))
            ) is not None:
                found.append(pair)
            if number % _AT_ONCE == 0:
                yield f"{number} pairs compared"
        found.sort(key=lambda each: (-each.words, each.keep.name, each.other.name))
        self._answered = (question, found)
        return found

    def _read_all(self, by_name: Mapping[str, SkillVersion]) -> Generator[str, None, None]:
        self._read = {name: each for name, each in self._read.items() if name in by_name}
        for number, (name, version) in enumerate(by_name.items()):
            known = self._read.get(name)
            if known is None or known.digest != version.digest:
                self._read[name] = self._terms_of(version)
                yield f"{number} of {len(by_name)} skills read"

    def _terms_of(self, version: SkillVersion) -> _Read:
        try:
            skill = read_skill(version.text, version.name)
            body, triggers = skill.body, skill.triggers
        except SkillError:
            body, triggers = version.text, ()
        said = self._numbered(body[:_READ])
        about = self._numbered(" ".join([version.description, *triggers])[:_READ])
        return _Read(version.digest, said, self._weight(said), about, self._weight(about))

    def _numbered(self, text: str) -> array[int]:
        found = array("I")
        for term in sorted(set(terms(text)) - _FORMULA):
            number = self._numbers.get(term)
            if number is None:
                number = self._numbers[term] = len(self._weights)
                self._weights.append(weight(term))
            found.append(number)
        return found

    def _weight(self, numbers: Iterable[int]) -> float:
        return sum(self._weights[each] for each in numbers)

    def _candidates(self, names: Sequence[str]) -> Generator[str, None, list[tuple[str, str]]]:
        """Pairs that share some of the words that tell most of each, by their names in order."""
        known: Counter[int] = Counter()
        for number, name in enumerate(names):
            known.update(self._read[name].body)
            if number % _AT_ONCE == 0:
                yield "words counted"
        sharing: dict[int, list[int]] = defaultdict(list)
        telling = []
        for number, name in enumerate(names):
            shared = sorted(
                (each for each in self._read[name].body if known[each] > 1), key=lambda each: known[each]
            )
            telling.append(shared[:_TELLING])
            for each in telling[-1]:
                sharing[each].append(number)
            if number % _SOME == 0:
                yield "telling words chosen"
        found = []
        for number, own in enumerate(telling):
            together: Counter[int] = Counter()
            for each in own:
                if len(sharing[each]) <= _CROWD:
                    together.update(sharing[each])
            for other, times in together.items():
                few = min(len(own), len(telling[other])) <= _FEW
                if other > number and (times >= _IN_COMMON or few):
                    found.append((names[number], names[other]))
            if number % _SOME == 0:
                yield "pairs chosen"
        return found

    def _compared(
        self, one: SkillVersion, other: SkillVersion, trust: Mapping[str, str], near: float | None
    ) -> Alike | None:
        first, second = self._read[one.name], self._read[other.name]
        smaller = min(first.body_weight, second.body_weight)
        share = self._weight({*first.body} & {*second.body}) / smaller if smaller else 0.0
        if near is not None and (share >= NEAR_BODY or near >= MEANS_SAME):
            return Alike(*_ranked(one, other, trust), round(share, 3), near)
        if share < SAME_BODY:
            return None
        smaller = min(first.subject_weight, second.subject_weight)
        subjects = self._weight({*first.subject} & {*second.subject}) / smaller if smaller else 0.0
        return Alike(*_ranked(one, other, trust), round(share, 3), near) if subjects >= SAME_SUBJECT else None

    @staticmethod
    def _now(found: Alike, by_name: Mapping[str, SkillVersion]) -> Alike:
        return Alike(by_name[found.keep.name], by_name[found.other.name], found.words, found.meaning)


def find_alike(
    versions: Sequence[SkillVersion], trust: Mapping[str, str], meaning: Meaning | None = None
) -> list[Alike]:
    """The same at one go; blocking."""
    steps = Duplicates().steps(versions, trust, meaning)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: list[Alike] = done.value
            return found


def _ranked(
    one: SkillVersion, other: SkillVersion, trust: Mapping[str, str]
) -> tuple[SkillVersion, SkillVersion]:
    first, second = sorted(
        (one, other), key=lambda each: (trust.get(each.name) != SkillTrust.TRUSTED, each.at, each.name)
    )
    return first, second
