"""What was wrong with the last answer: a note in the person's own words, or only that it was."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import button, column, heading, label, row

_LONGEST = 2000  # letters


class WrongAnswer(Dialog):
    """Asks for a note; `said` gives it, empty where none was written."""

    said = Signal(str)

    def __init__(self, agent: str, time: str) -> None:
        super().__init__("", width=480)
        self.setWindowTitle(self.tr("What was wrong?"))
        self._note = QPlainTextEdit()
        self._note.setPlaceholderText(self.tr("For example: always write amounts with the currency."))
        self._note.setAccessibleName(self.tr("What should be done differently"))
        self._note.setTabChangesFocus(True)
        self._note.setFixedHeight(96)
        which = self.tr("The last answer that {agent} got, at {time}.").format(agent=agent, time=time)
        more = self.tr(
            "A sentence on what to do differently helps most: one such note is enough to propose a skill. "
            "You can also leave it empty."
        )
        cancel = button(self.tr("Cancel"), self.reject)
        send = button(self.tr("It was wrong"), self.accept, "primary")
        for each in (cancel, send):
            each.setAutoDefault(True)  # the return key presses the one that has the focus
        send.setDefault(True)
        self.setLayout(
            column(
                heading(self.tr("What was wrong?")),
                label(which, "muted"),
                self._note,
                label(more, "muted", size=theme.SMALL),
                row(None, cancel, send),
                margin=theme.GAP_L,
            )
        )
        self._note.setFocus()
        self.accepted.connect(lambda: self.said.emit(self._note.toPlainText().strip()[:_LONGEST]))
