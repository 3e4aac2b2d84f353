"""The app itself: whether it starts with the computer, and the first steps again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import Autostart, SetAutostart, ShowAutostart
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.parts import Card, button, column, label, row
from metaclaw_tray.desktop.switch import Switch


class ProgramSection(QWidget):
    """`first_steps` asks for them."""

    first_steps = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._switch = Switch(self.tr("Start when I log in"))
        self._switch.clicked.connect(self._set)
        self._where = label(kind="muted", size=theme.SMALL)
        again = button(self.tr("Open"), self.first_steps.emit)
        again.setAccessibleName(self.tr("Open the first steps"))
        self.setLayout(
            column(
                Card(
                    _line(label(self.tr("Start when I log in")), self._where, self._switch),
                    _line(
                        label(self.tr("First steps")),
                        label(self.tr("Choose a model, connect an agent, see that it works."), "muted"),
                        again,
                    ),
                    gap=theme.GAP_L,
                )
            )
        )

    def refresh(self) -> None:
        """Ask whether it starts."""
        self._bridge.ask(ShowAutostart(), self._show, lambda _problem: None, owner=self)

    def _show(self, found: Autostart) -> None:
        self._switch.setChecked(found.on)
        self._switch.setEnabled(not found.why_not)
        asked = self.tr("As a symbol in the bar, without this window.")
        self._where.setText(found.why_not or asked)

    def _set(self, on: bool) -> None:
        def failed(problem: Problem) -> None:
            self.refresh()
            self._bridge.problem.emit(problem)

        self._bridge.ask(SetAutostart(on), lambda _said: self.refresh(), failed, owner=self)


def _line(title: QWidget, explained: QWidget, control: QWidget) -> QWidget:
    made = QWidget()
    inner = row(column(title, explained, gap=2), control, gap=theme.GAP_L)
    inner.setStretch(0, 1)
    made.setLayout(inner)
    return made
