"""What the app asks in between: a sheet with the whole text, and a yes; and what went wrong, in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.parts import button, column, heading, label, row


class ConsentSheet(QDialog):
    """Shows all of what is agreed to. Closing it in any other way is a no."""

    def __init__(self, parent: QWidget, bridge: Bridge, sheet: Sheet) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._sheet = sheet
        self.setWindowTitle("MetaClaw Tray")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumSize(560, 420)
        shown = QPlainTextEdit(sheet.text)
        shown.setReadOnly(True)
        shown.setAccessibleName(self.tr("What you agree to"))
        action = sheet.action[:1].upper() + sheet.action[1:]
        self._yes = button(action, self.accept, "primary")
        no = button(self.tr("Cancel"), self.reject)
        self.setLayout(
            column(
                heading(action),
                label(self.tr("Please read it first."), "muted"),
                shown,
                row(None, no, self._yes),
                margin=theme.GAP_L,
            )
        )
        no.setDefault(True)
        no.setFocus()
        self.finished.connect(self._said)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _said(self, result: int) -> None:
        self._bridge.agree(self._sheet, yes=result == QDialog.DialogCode.Accepted)


class _ProblemBox(QDialog):
    def __init__(self, parent: QWidget, problem: Problem) -> None:
        super().__init__(parent)
        self.setWindowTitle("MetaClaw Tray")
        self.setMinimumWidth(460)
        close = button(self.tr("Close"), self.accept, "primary")
        self.setLayout(
            column(
                heading(problem.title),
                label(problem.detail),
                *([label(problem.remedy, "muted")] if problem.remedy else []),
                row(None, close),
                margin=theme.GAP_L,
            )
        )
        close.setDefault(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


def tell_problem(parent: QWidget, problem: Problem) -> None:
    """Say what went wrong, and what mends it."""
    _ProblemBox(parent, problem).open()
