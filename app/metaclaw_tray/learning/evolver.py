"""The evolver: writes one note from what went wrong.

It sees the records of one cluster and does one thing, the least that will do: nothing, a better version of a
skill that is about the same thing, a new note, or, where the person wants a skill in force to stop, its
retirement. What it writes is held to the form, the length and the fence here, to the person's own words
(`refusing`), and turned away when it says nothing new. It can only propose.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.alike import adds_nothing, body_of, nearest, subject_of
from metaclaw_tray.learning.backing import Sources
from metaclaw_tray.learning.judge import shortened
from metaclaw_tray.learning.model import Asked, LearningModel
from metaclaw_tray.learning.note import Written, shown
from metaclaw_tray.learning.origin import Origin, Span
from metaclaw_tray.learning.refusing import Finding, examine
from metaclaw_tray.learning.revise import revise
from metaclaw_tray.learning.support import Support
from metaclaw_tray.learning.unwanted import unwanted_skill
from metaclaw_tray.learning.writing import SCHEMA, writing
from metaclaw_tray.skills.block import check_learnt
from metaclaw_tray.skills.markdown import Skill, conform, slug, write_skill
from metaclaw_tray.skills.words import fold
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.tables_library import ProposalOp, SkillVersion

_NOTE_TOKENS = 520
_NAME_WORDS = 6
_ATTEMPTS = 2  # at a note whose form is at fault
_QUOTED = 160  # characters of what the person said that a proposal reminds them of


@dataclass(frozen=True)
class Draft:
    """A note in form. Without a refusal it passed every check but the gate. To retire, text and body are
    empty."""

    op: ProposalOp
    name: str
    text: str  # the whole SKILL.md
    body: str
    why: str
    replaces: str = ""  # the body in force of a skill that is updated or retired
    taint: str = ""  # whose words besides the person's are in it: web, tool, client, pasted
    refusal: str = ""  # why it is turned away; the person may read it, and edit it if they want it
    retires: str = ""  # the whole SKILL.md of a skill that is to be retired

    @property
    def found_by(self) -> str:
        """The SKILL.md by which requests of this kind are found."""
        return self.text or self.retires


async def draft_skill(
    model: LearningModel,
    cluster: Cluster,
    support: Sequence[Support],
    known: Sequence[SkillVersion],
    written_before: Sequence[str],
    taken: Collection[str],
) -> Draft | str:
    """A draft, or the reason why there is none. Raises UpstreamError where the model gives nothing usable.

    The note is written without a look at the skills there are, then compared with them here: a small model
    that is shown them replaces whichever it sees. Only one about the same thing is revised.
    """
    unwanted = unwanted_skill(support, known)
    if unwanted is not None:
        return _retirement(unwanted, support)
    written, finding = await _written(model, cluster, support)
    if written.op == "none":
        return "the evolver saw nothing that helps with other requests"
    bodies = [body_of(text) for text in (*(version.text for version in known), *written_before)]
    if adds_nothing(written.body, bodies):
        return "it says nothing that is not written already"
    said = _said(cluster, support)
    old = nearest(written.subject, known)
    if old is None or finding.refusal:
        return _draft(written, support, said, ProposalOp.CREATE, _free(_name(written), taken), finding)
    revised = await revise(model, old, written)
    in_force = [Span(Origin.DEMAND, f"{subject_of(old)}\n{body_of(old.text)}")]  # the person approved it
    found = await asyncio.to_thread(examine, revised, [*(each.spans for each in support), in_force])
    finding = replace(found, taint=found.taint or finding.taint)
    return _draft(revised, support, said, ProposalOp.UPDATE, old.name, finding, body_of(old.text))


async def _written(
    model: LearningModel, cluster: Cluster, support: Sequence[Support]
) -> tuple[Written, Finding]:
    """A note, and what was found in it. One whose form is at fault is written once more."""
    messages = writing(support, cluster.instruction)
    records = [each.spans for each in support]
    for attempt in range(_ATTEMPTS):
        written = await model.fill(Asked("evolver", messages, _NOTE_TOKENS, seed=attempt), Written, SCHEMA)
        finding = await asyncio.to_thread(examine, written, records)
        if written.op == "none" or not finding.may_be_mended:
            break
        messages = [
            *messages,
            {"role": "assistant", "content": shown(written, SCHEMA)},
            {
                "role": "user",
                "content": f"That note was turned down: {finding.refusal}. Write it without that.",
            },
        ]
    return written, finding


def _retirement(unwanted: SkillVersion, support: Sequence[Support]) -> Draft:
    why = f"You said: “{shortened(support[0].said, _QUOTED)}”, and “{unwanted.name}” asks for it"
    return Draft(ProposalOp.RETIRE, unwanted.name, "", "", why, body_of(unwanted.text), retires=unwanted.text)


def _said(cluster: Cluster, support: Sequence[Support]) -> str:
    """What the person is reminded of: their own words where they are known."""
    own = Sources(support[0].spans).demand
    return cluster.instruction or own or support[0].said


def _draft(
    written: Written,
    support: Sequence[Support],
    said: str,
    op: ProposalOp,
    name: str,
    finding: Finding,
    replaces: str = "",
) -> Draft | str:
    if finding.refusal and not finding.may_be_read:
        return finding.refusal
    body = f"# {written.title.strip()}\n\n{written.body.strip()}\n"
    try:
        check_learnt(name, body)
        skill = conform(
            Skill(
                name=name,
                description=f"{written.title.strip()}. {written.when.strip()}",
                body=body,
                metadata={
                    "source": "learnt",
                    "triggers": "; ".join(_triggers(written.triggers)),
                    "learnt-from": " ".join(each.exchange_id for each in support),
                },
            )
        )
    except SkillError as error:
        return error.detail
    why = f"You said: “{shortened(said, _QUOTED)}”"
    return Draft(
        op, skill.name, write_skill(skill), skill.body, why, replaces, finding.taint, finding.refusal
    )


def _triggers(phrases: Sequence[str]) -> list[str]:
    cleaned = (" ".join(phrase.replace(";", " ").split()).lower() for phrase in phrases)
    return [phrase for phrase in dict.fromkeys(cleaned) if phrase]


def _name(written: Written) -> str:
    """A name from the title; from what the note is for where the title has no letter that a name may have."""
    for text in (written.title, written.when.removeprefix("Use when ")):
        plain = fold(text).encode("ascii", "ignore").decode()
        if re.search(r"[a-z0-9]{2}", plain):
            return slug(" ".join(plain.split()[:_NAME_WORDS]))
    return "note"


def _free(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}-{number}" for number in range(2, 1000) if f"{name}-{number}" not in taken)
