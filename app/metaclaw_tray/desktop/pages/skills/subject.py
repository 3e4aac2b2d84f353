"""What the detail is about: a skill or a proposal, with what is known of it so far; and asking for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from PySide6.QtCore import QObject

from metaclaw_tray.admin.api import ProposalReading, SkillDetail, SkillVersionRow, Verb
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.pages.skills.entries import Entry

R = TypeVar("R")


@dataclass
class Subject:
    """One skill or proposal. Of a skill, `reading` is the proposal that its newest text came from."""

    entry: Entry
    skill: SkillDetail | None = None
    reading: ProposalReading | None = None
    versions: list[SkillVersionRow] = field(default_factory=list)
    whole: bool = False  # all that belongs to it has come

    @property
    def is_proposal(self) -> bool:
        return bool(self.entry.proposal)

    @property
    def text(self) -> str:
        """The SKILL.md that it is about; of a proposal to retire, the one that would go."""
        if self.is_proposal:
            return (self.reading.detail.text or self.reading.before) if self.reading else ""
        return self.skill.text if self.skill else ""


class Asker:
    """Asks for one subject at a time: answers for an earlier one are not waited for."""

    def __init__(self, bridge: Bridge, owner: QObject) -> None:
        self.bridge = bridge
        self._owner = owner
        self._open: list[int] = []

    def ask(
        self, verb: Verb[R], done: Callable[[R], None], failed: Callable[[Problem], None] | None = None
    ) -> None:
        """Ask, unless another subject comes before the answer."""
        self._open.append(self.bridge.ask(verb, done, failed, owner=self._owner))

    def drop(self) -> None:
        """Another subject comes."""
        for number in self._open:
            self.bridge.drop(number)
        self._open.clear()
