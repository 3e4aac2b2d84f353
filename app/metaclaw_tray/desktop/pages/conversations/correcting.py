"""What was wrong with an answer: a note in the person's own words, or only that it was."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import button, column, heading, label, row

_LONGEST = 2000  # letters


class WrongSheet(QDialog):
    """Asks for a note; `said` gives it, empty where none was written."""

    said = Signal(str)

    def __init__(self, parent: QWidget, agent: str, when: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What was wrong?"))
        self.setMinimumWidth(480)
        self._note = QPlainTextEdit()
        self._note.setPlaceholderText(self.tr("For example: always write amounts with the currency."))
        self._note.setAccessibleName(self.tr("What should be done differently"))
        self._note.setTabChangesFocus(True)
        self._note.setFixedHeight(96)
        more = self.tr(
            "A sentence on what to do differently helps most: one such note is enough to propose a skill. "
            "You can also leave it empty."
        )
        no = button(self.tr("Cancel"), self.reject)
        yes = button(self.tr("It was wrong"), self.accept, "primary")
        for each in (no, yes):
            each.setAutoDefault(True)  # the return key presses the one that has the focus
        yes.setDefault(True)
        self.setLayout(
            column(
                heading(self.tr("What was wrong?")),
                label(self.tr("The answer to {agent}, {when}.").format(agent=agent, when=when), "muted"),
                self._note,
                label(more, "muted", size=theme.SMALL),
                row(None, no, yes),
                margin=theme.GAP_L,
            )
        )
        self._note.setFocus()
        self.accepted.connect(lambda: self.said.emit(self._note.toPlainText().strip()[:_LONGEST]))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
