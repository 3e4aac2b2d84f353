"""Two active skills that say much the same: which they are, and one text in place of both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.alike import body_of, overlap, subject_of
from metaclaw_tray.learning.condensing import added
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.revise import note_of, revise
from metaclaw_tray.skills.block import check_learnt
from metaclaw_tray.skills.markdown import Skill, conform, read_skill, write_skill
from metaclaw_tray.skills.phrases import same_phrase
from metaclaw_tray.skills.texts import trim
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

ALL_SAID = 0.9
"""Share from which one body holds the other whole, so that no model is needed to put them together."""

_TELLING = 12  # of a skill's rarest words, by which candidates are found
_CROWD = 40  # skills that share a word from which it tells nothing


@dataclass(frozen=True)
class Alike:
    """Two skills that may be merged, and how much they have in common."""

    keep: SkillVersion
    other: SkillVersion
    words: float
    meaning: float | None = None


@dataclass(frozen=True)
class Merged:
    """One text in place of two skills."""

    text: str  # the whole SKILL.md, under the name of the one that stays
    why: str


Meaning = Mapping[tuple[str, str], float]
"""The likeness of pairs of skills as an embedder has it, by their names in order."""


def find_alike(
    versions: Sequence[SkillVersion], trust: Mapping[str, str], meaning: Meaning | None = None
) -> list[Alike]:
    """The pairs of active skills that say much the same, those most alike first; blocking.

    Of two the trusted one is kept, else the older one.
    """
    by_name = {version.name: version for version in versions}
    means = {
        pair: near for pair, near in (meaning or {}).items() if near >= NEAR and by_name.keys() >= {*pair}
    }
    # Each is read once, for a skill may stand in many pairs.
    body = cache(lambda name: body_of(by_name[name].text))
    subject = cache(lambda name: subject_of(by_name[name]))
    found = []
    for one, other in {*_candidates(versions), *means}:
        near = means.get((one, other))
        pair = _ranked(by_name[one], by_name[other], trust)
        share = overlap(*(body(each.name) for each in pair))
        subjects = overlap(*(subject(each.name) for each in pair))
        by_words = share >= SAME_BODY and subjects >= SAME_SUBJECT
        if by_words or (near is not None and (share >= NEAR_BODY or near >= MEANS_SAME)):
            found.append(Alike(*pair, round(share, 3), near))
    return sorted(found, key=lambda each: (-each.words, each.keep.name, each.other.name))


async def merge(model: LearningModel | None, keep: SkillVersion, other: SkillVersion) -> Merged | str:
    """One skill in place of two, or the reason why there is none. Without a model only where one says all
    that the other says.

    Raises UpstreamError where the model does not answer, LearningError where the budget ends, SkillError
    where one of the two cannot be read.
    """
    stays, goes = (read_skill(each.text, each.name, each.name) for each in (keep, other))
    bodies = [stays.body, goes.body]
    share = overlap(*bodies)
    if share >= ALL_SAID:
        body = max(bodies, key=lambda each: sum(map(weight, set(terms(each)))))
    elif model is None:
        return "to put them together takes the learning model: each says something that the other does not"
    else:
        written = await revise(model, keep, note_of(other))
        body = trim(f"# {written.title.strip()}\n\n{written.body.strip()}")
        if strange := added(body, f"{stays.description}\n{stays.body}\n{goes.description}\n{goes.body}"):
            return f"neither of them says “{strange[0]}”"
    try:
        check_learnt(keep.name, body)
    except SkillError as error:
        return error.detail
    why = f"“{keep.name}” and “{other.name}” say much the same: {share:.0%} of the words of the shorter one."
    return Merged(write_skill(conform(_joined(stays, goes, body))), why)


def _joined(keep: Skill, other: Skill, body: str) -> Skill:
    triggers = list(keep.triggers)
    triggers += [each for each in other.triggers if not any(same_phrase(each, known) for known in triggers)]
    skill = replace(keep, body=body)
    return skill.with_metadata(triggers="; ".join(triggers)) if triggers else skill


def _ranked(
    one: SkillVersion, other: SkillVersion, trust: Mapping[str, str]
) -> tuple[SkillVersion, SkillVersion]:
    first, second = sorted(
        (one, other), key=lambda each: (trust.get(each.name) != SkillTrust.TRUSTED, each.at, each.name)
    )
    return first, second


def _candidates(versions: Sequence[SkillVersion]) -> Iterator[tuple[str, str]]:
    """Pairs that share some of the words that tell most of each, by their names in order: not all pairs of a
    large library."""
    words = {each.name: set(terms(body_of(each.text))) for each in versions}
    known = Counter(term for said in words.values() for term in said)
    sharing: dict[str, list[str]] = defaultdict(list)
    for name, said in words.items():
        shared = sorted((term for term in said if known[term] > 1), key=lambda term: (known[term], term))
        for term in shared[:_TELLING]:
            sharing[term].append(name)
    for names in sharing.values():
        if len(names) <= _CROWD:
            yield from combinations(sorted(names), 2)
