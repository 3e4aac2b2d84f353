"""The head of the detail: what it is called, how it stands, and what a person should know first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.subject import Subject
from metaclaw_tray.desktop.parts import Card, button, clear, column, label, row
from metaclaw_tray.desktop.unhidden import unhidden

_STATES = {"active": "chip-good", "trial": "chip-accent"}
_OUTCOMES = {"better": "chip-good", "promising": "chip-accent", "worse": "chip-bad"}


class Head(QWidget):
    """Name, chips, a line; and before all else where a proposal comes from, if that asks for care."""

    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.back_button = button(self.tr("All skills"), self.back.emit, "link", symbol="back")
        self.back_button.hide()
        self._title = label(size=1.35, bold=True)
        self._line = label(kind="muted")
        self._chips: QHBoxLayout = row(gap=theme.GAP_S)
        self.care = Card(kind="warning")
        self._care = label(bold=True)
        self.care.body.addWidget(self._care)
        self.setLayout(
            column(
                row(self.back_button, None),
                self.care,
                column(self._title, self._line, gap=4),
                self._chips,
                gap=8,
            )
        )

    def show_subject(self, subject: Subject) -> None:
        """Say what is known of it."""
        entry = subject.entry
        self._title.setText(entry.title)
        clear(self._chips)
        if subject.is_proposal:
            self._show_proposal(subject)
        else:
            self._care.setText("")
            self._line.setText(unhidden(subject.skill.skill.description) if subject.skill else entry.line)
            self._show_skill(subject)
        self.care.setVisible(bool(self._care.text()))
        self._chips.addStretch(1)

    def _show_proposal(self, subject: Subject) -> None:
        entry, reading = subject.entry, subject.reading
        detail = reading.detail if reading else None
        careful = detail is not None and (entry.tainted or detail.proposal.state == "refused")
        self._care.setText(detail.source if detail is not None and careful else "")
        why = unhidden(detail.proposal.why) if detail else entry.line
        lines = [words.proposed(entry.state), why]
        if detail is not None and detail.merges:
            names = ", ".join(detail.merges)
            lines.append(self.tr("It takes the place of {names} too.").format(names=names))
        self._line.setText(" ".join(lines))
        self._chip(words.state(entry.state), "chip-accent")
        gate = detail.proposal.gate if detail else None
        if gate is not None:
            self._chip(self._measured(gate.outcome), _OUTCOMES.get(gate.outcome, "chip"))
        elif detail is not None:
            self._chip(self.tr("Not measured"), "chip")
        if detail is not None and any(each.state == "running" for each in detail.trials):
            self._chip(self.tr("On trial"), "chip-accent")

    def _show_skill(self, subject: Subject) -> None:
        entry = subject.entry
        self._chip(words.state(entry.state), _STATES.get(entry.state, "chip"))
        self._chip(words.source(entry.source), "chip")
        if subject.skill is None:
            return
        skill = subject.skill.skill
        self._chip(self.tr("Version {number}").format(number=skill.version), "chip")
        if skill.trust == "trusted":
            self._chip(
                self.tr("Trusted"),
                "chip",
                self.tr(
                    "Better versions of it may take effect by themselves, "
                    "where you allow that in the settings."
                ),
            )
        if skill.agents:
            self._chip(self.tr("Only for {agents}").format(agents=", ".join(skill.agents)), "chip")
        used = self.tr("Used in %n exchange(s)", "", subject.skill.used)
        self._chip(used if subject.skill.used else self.tr("Not used yet"), "chip")

    def _measured(self, outcome: str) -> str:
        return {
            "better": self.tr("Measured better"),
            "promising": self.tr("Promising"),
            "same": self.tr("No difference seen"),
            "worse": self.tr("Measured worse"),
        }.get(outcome, self.tr("Measured"))

    def _chip(self, text: str, kind: str, tip: str = "") -> None:
        made: QLabel = label(text, kind, size=theme.SMALL)
        made.setToolTip(tip)
        self._chips.addWidget(made)
