"""Small sheets before a decision: why it is rejected, how long it is tried, for whom it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLayout, QPlainTextEdit, QSpinBox, QWidget

from metaclaw_tray.admin.api import AgentRow, ListAgents, ScopeSkill, SkillRow, trial_terms
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.parts import button, column, heading, label, row, spaced

_SESSIONS = 20  # of a trial, unless told otherwise


class _Sheet(Dialog):
    """A question with a yes and a way out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent)

    def build(self, title: str, yes: str, *things: QWidget | QLayout, kind: str = "primary") -> None:
        """Put the sheet together: `yes` is what its button says."""
        self.setWindowTitle(title)
        self.yes = button(yes, self.accept, kind)
        no = button(self.tr("Cancel"), self.reject)
        buttons = row(None, no, self.yes, gap=theme.GAP_S)
        self.setLayout(column(heading(title), *things, buttons, margin=theme.GAP_L))
        self.yes.setDefault(True)


class RejectSheet(_Sheet):
    """Why: the reason is kept with the proposal, and it is not offered again."""

    said = Signal(str)

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.reason = QPlainTextEdit()
        self.reason.setPlaceholderText(self.tr("Why? You may leave this empty."))
        self.reason.setAccessibleName(self.tr("Reason"))
        self.reason.setTabChangesFocus(True)
        self.reason.setMaximumHeight(110)
        about = label(self.tr("It will not be offered again. The reason is kept with it."), "muted")
        asked = self.tr("Reject “{name}”?").format(name=title)
        self.build(asked, self.tr("Reject"), about, self.reason, kind="danger")
        self.reason.setFocus()
        self.accepted.connect(lambda: self.said.emit(self.reason.toPlainText().strip()))


class TrialSheet(_Sheet):
    """For how many sessions."""

    said = Signal(int)

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.sessions = spaced(QSpinBox())
        self.sessions.setRange(2, 200)
        self.sessions.setValue(_SESSIONS)
        self.sessions.setAccessibleName(self.tr("Conversations"))
        self._terms = label(trial_terms(_SESSIONS), "muted")
        self.sessions.valueChanged.connect(lambda number: self._terms.setText(trial_terms(number)))
        line = row(label(self.tr("Conversations"), wrap=False), self.sessions, None)
        explained = label(
            self.tr(
                "It is put in front of every other conversation that it fits. Comparing the two halves shows "
                "whether it helps. You decide afterwards."
            )
        )
        asked = self.tr("Try “{name}” first?").format(name=title)
        self.build(asked, self.tr("Start the trial"), explained, line, self._terms)
        self.accepted.connect(lambda: self.said.emit(self.sessions.value()))


class ScopeSheet(_Sheet):
    """For which agents a skill is."""

    def __init__(self, parent: QWidget, acting: Acting, skill: SkillRow) -> None:
        super().__init__(parent)
        self._acting = acting
        self._skill = skill
        self.boxes: dict[str, QCheckBox] = {}
        self._list = column(gap=theme.GAP_S)
        about = label(self.tr("With none of them ticked it is for all, those to come too."), "muted")
        asked = self.tr("For which agents is “{name}”?").format(name=titled(skill.name))
        self.build(asked, self.tr("Go on"), about, self._list)
        self.accepted.connect(self._ask)
        acting.bridge.ask(ListAgents(), self._show, owner=self)

    def _show(self, agents: list[AgentRow]) -> None:
        for each in agents:
            box = QCheckBox(each.name)
            box.setChecked(each.name in self._skill.agents)
            self.boxes[each.name] = box
            self._list.addWidget(box)
        if not agents:
            self._list.addWidget(label(self.tr("No agent is connected yet.")))
            self.yes.setEnabled(False)
        self.adjustSize()

    def _ask(self) -> None:
        wanted = [name for name, box in self.boxes.items() if box.isChecked()]
        name = titled(self._skill.name)
        words = self.tr("“{name}” is for {agents} only.").format(name=name, agents=", ".join(wanted))
        if not wanted:
            words = self.tr("“{name}” is for all agents.").format(name=name)
        self._acting.do(ScopeSkill(name=self._skill.name, agents=wanted), words)
