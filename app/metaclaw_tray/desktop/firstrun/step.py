"""What each of the first steps is: a title, a line, and something to do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.parts import column, label


class Step(QWidget):
    """A page of the first steps. `changed` tells that `done` may be another."""

    changed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self._wrong = label(kind="bad")
        self._wrong.hide()
        self.body = column(gap=theme.GAP)
        outer = column(label(self.title(), size=theme.TITLE, bold=True), label(self.line(), "muted"), gap=4)
        outer.addSpacing(theme.GAP)
        outer.addLayout(self.body)
        outer.addWidget(self._wrong)
        outer.addStretch(1)
        self.setLayout(outer)

    def title(self) -> str:
        """What it is called."""
        raise NotImplementedError

    def line(self) -> str:
        """What it is about."""
        raise NotImplementedError

    @property
    def done(self) -> bool:
        """Whether its purpose is reached; nothing keeps a person from going on without."""
        return True

    def enter(self) -> None:
        """It is shown now."""

    def failed(self, problem: Problem) -> None:
        """Say why something was not done; the person's own no is not worth a word."""
        self._wrong.setVisible(problem.title != NOT_DONE)
        self._wrong.setText(problem.words)

    def fine(self) -> None:
        """What was wrong is over."""
        self._wrong.hide()
