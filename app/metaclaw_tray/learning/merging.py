"""Two active skills that say much the same (`learning.duplicates`): one text in place of both."""

from __future__ import annotations

from dataclasses import dataclass, replace

from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.alike import overlap
from metaclaw_tray.learning.condensing import added, turned
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.revise import note_of, revise
from metaclaw_tray.skills.block import check_learnt
from metaclaw_tray.skills.markdown import Skill, conform, read_skill, write_skill
from metaclaw_tray.skills.phrases import same_phrase
from metaclaw_tray.skills.texts import trim
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.tables_library import SkillVersion

ALL_SAID = 0.9
"""Share from which one body holds the other whole, so that no model is needed to put them together."""


@dataclass(frozen=True)
class Merged:
    """One text in place of two skills."""

    text: str  # the whole SKILL.md, under the name of the one that stays
    why: str


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
        originals = f"{stays.description}\n{stays.body}\n{goes.description}\n{goes.body}"
        if strange := added(body, originals) or turned(body, originals):
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
