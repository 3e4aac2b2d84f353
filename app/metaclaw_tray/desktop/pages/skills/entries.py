"""What the list shows: proposals and skills in one form, and which of them are asked for. Pure.

Searching is one pass over texts that were made lower case once, so each key costs some milliseconds at 10,000
skills.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from metaclaw_tray.admin.api import ProposalRow, SkillRow
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.unhidden import unhidden


class Section(StrEnum):
    """The parts of the list, in their order."""

    WAITS = "waits"  # put before the person
    LATER = "later"  # snoozed, or its turn has not come
    REFUSED = "refused"  # a check or the measuring turned it down
    SKILLS = "skills"


class State(StrEnum):
    """What one may ask for."""

    ALL = ""
    WAITS = "waits"
    ACTIVE = "active"
    TRIAL = "trial"
    DISABLED = "disabled"
    RETIRED = "retired"
    REFUSED = "refused"


@dataclass(frozen=True)
class Entry:
    """One row: a skill, or a proposal for one."""

    section: Section
    name: str  # of the skill
    line: str  # what it is for, or why it is proposed
    state: str  # of the skill; of a proposal what it would do
    source: str = ""
    proposal: str = ""  # its id
    tainted: bool = False
    found_by: str = ""  # what searching looks at
    stamp: str = ""  # differs where anything about it does, so that it is read anew

    @property
    def key(self) -> str:
        """By which it is found again after the list was asked for anew."""
        return f"proposal:{self.proposal}" if self.proposal else self.name

    @property
    def title(self) -> str:
        """Its name, as words."""
        return titled(self.name)


@dataclass(frozen=True)
class Wanted:
    """What the person asks to see."""

    text: str = ""
    state: State = State.ALL
    source: str = ""

    @property
    def all(self) -> bool:
        return self == Wanted()


def of_skill(row: SkillRow) -> Entry:
    return Entry(
        Section.SKILLS,
        row.name,
        unhidden(row.description),
        row.state,
        row.source,
        found_by=f"{row.name}\n{titled(row.name)}\n{row.description}".lower(),
        stamp=f"{row.version} {row.trust} {row.generation} {row.agents} {row.too_long}",
    )


def of_proposal(row: ProposalRow) -> Entry:
    if row.state == "refused":
        section = Section.REFUSED
    else:
        section = Section.LATER if row.waits else Section.WAITS
    return Entry(
        section,
        row.skill,
        row.waits if section is Section.LATER else unhidden(row.why),
        row.op,
        "" if row.op == "outside" else "learnt",  # a text that changed in the folder can be anybody's
        proposal=row.id,
        tainted=bool(row.taint) or row.op == "outside",
        found_by=f"{row.skill}\n{titled(row.skill)}\n{row.why}".lower(),
        stamp=f"{row.outcome} {row.trial} {row.taint} {row.snoozed_until}",
    )


def open_proposals(rows: Iterable[ProposalRow]) -> list[Entry]:
    """Those that somebody may still decide on, by section."""
    found = [of_proposal(row) for row in rows if row.state in ("pending", "refused")]
    return sorted(found, key=lambda entry: list(Section).index(entry.section))


def chosen(entries: Sequence[Entry], wanted: Wanted) -> list[Entry]:
    """The entries that are asked for, in their order. What was turned down is shown where it is asked for."""
    words = wanted.text.lower().split()
    return [
        entry
        for entry in entries
        if _in_state(entry, wanted.state)
        and (not wanted.source or entry.source == wanted.source)
        and all(word in entry.found_by for word in words)
    ]


def _in_state(entry: Entry, state: State) -> bool:
    if state is State.ALL:
        return entry.section is not Section.REFUSED
    if state is State.WAITS:
        return entry.section in (Section.WAITS, Section.LATER)
    if state is State.REFUSED:
        return entry.section is Section.REFUSED
    return entry.section is Section.SKILLS and entry.state == state
