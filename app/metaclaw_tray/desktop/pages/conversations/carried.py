"""The skills that stood in front of the model, and why these and not others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import CarriedSkill, ExchangeDetail, SearchSkills, SkillHit
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.conversations.flow import Flow
from metaclaw_tray.desktop.pages.skills.pieces import Fold
from metaclaw_tray.desktop.parts import Card, button, clear, column, label, row

_LISTED = 8  # skills that were not chosen


class Carried(Card):
    """`go` names a page and a skill on it."""

    go = Signal(str)

    def __init__(self, bridge: Bridge, detail: ExchangeDetail) -> None:
        super().__init__(kind="inset", gap=theme.GAP_S)
        self._bridge = bridge
        self._turn = detail.row.turn
        said = (
            self.tr("Skills in front of this answer") if detail.skills else self.tr("No skill stood in front")
        )
        self.body.addWidget(label(said, "muted", size=theme.SMALL))
        if detail.skills:
            self.body.addWidget(self._chips(detail.skills))
        for each in detail.withheld:
            name, _, _ = each.partition("@")
            kept = self.tr("{skill} fitted, but a trial kept it away to compare.").format(skill=titled(name))
            self.body.addWidget(label(kept, "warn", size=theme.SMALL))
        if detail.row.turn:
            why = self.tr("Why these, and why not others") if detail.skills else self.tr("Why none")
            self.body.addWidget(Fold(why, None, self._ask))

    def _chips(self, skills: Sequence[CarriedSkill]) -> QWidget:
        made = Flow()
        for each in skills:
            said = titled(each.name)
            if not each.here:
                said = self.tr("{skill} (from before)").format(skill=said)
            chip = button(said, partial(self.go.emit, f"skills/{each.name}"), "skill")
            chip.setToolTip(self._about(each))
            chip.setAccessibleDescription(self._about(each))
            made.add(chip)
        return made

    def _about(self, skill: CarriedSkill) -> str:
        parts = [
            self.tr("Version {number}.").format(number=skill.version),
            self.tr("It was put in front with this request.")
            if skill.here
            else self.tr("It was put in front earlier in this conversation, and stands there still."),
        ]
        if not skill.active:
            parts.append(self.tr("It is not in use any more."))
        return " ".join(parts)

    def _ask(self) -> QWidget:
        """Why: asked when it is first wanted to be known."""
        made = QWidget()
        inner = column(label(self.tr("One moment…"), "muted"), gap=theme.GAP_S)
        inner.setContentsMargins(theme.GAP, 0, 0, 0)
        made.setLayout(inner)

        def take(hits: list[SkillHit]) -> None:
            clear(inner)
            for each in self._reasons(hits):
                inner.addWidget(each)

        def failed(problem: Problem) -> None:
            clear(inner)
            inner.addWidget(label(f"{problem.title}. {problem.detail}", "muted"))

        self._bridge.ask(SearchSkills(turn=self._turn), take, failed, owner=made)
        return made

    def _reasons(self, hits: list[SkillHit]) -> list[QWidget]:
        if not hits:
            return [label(self.tr("No skill shares a word with what you asked."), "muted")]
        chosen = [each for each in hits if each.chosen]
        others = [each for each in hits if not each.chosen][:_LISTED]
        things: list[QWidget] = []
        for title, group in ((self.tr("Fitted"), chosen), (self.tr("Not put in front"), others)):
            if group:
                things.append(label(title, "muted", size=theme.SMALL))
                things += [self._reason(each) for each in group]
        return things

    def _reason(self, hit: SkillHit) -> QWidget:
        made = QWidget()
        name = button(titled(hit.name), lambda: self.go.emit(f"skills/{hit.name}"), "link")
        said = hit.why[:1].upper() + hit.why[1:]
        line = row(name, None, gap=0)
        made.setLayout(column(line, label(said, "muted", size=theme.SMALL), gap=0))
        name.setCursor(Qt.CursorShape.PointingHandCursor)
        return made
