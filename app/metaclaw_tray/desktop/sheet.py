"""What the app asks in between: a sheet with what would happen and the whole text; and what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QPlainTextEdit, QWidget

from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.agreeing import Agreement, Agreements
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.parts import button, column, heading, label, row


class ConsentSheet(QDialog):
    """Shows all of what is agreed to. Closing it in any other way is a no."""

    def __init__(self, parent: QWidget, bridge: Bridge, sheet: Sheet) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._sheet = sheet
        asked = Agreements().of(bridge.verb_of(sheet), sheet.action)
        self.setWindowTitle(asked.title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumSize(560, 440)
        shown = QPlainTextEdit(sheet.text)
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setAccessibleName(self.tr("What you agree to, in full"))
        no = button(self.tr("Cancel"), self.reject)
        self._yes = button(asked.yes, self.accept, "danger" if asked.danger else "primary")
        inner = column(heading(asked.title), self._facts(asked), shown, row(None, no, self._yes))
        inner.setContentsMargins(theme.GAP_L, theme.GAP_L, theme.GAP_L, theme.GAP_L)
        self.setLayout(inner)
        no.setDefault(True)
        no.setFocus()
        self.finished.connect(self._said)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _facts(self, asked: Agreement) -> QGridLayout:
        """A line for each thing to know: its name at the left, the sentence beside it."""
        lines = (
            (self.tr("What happens"), asked.happens),
            (self.tr("What leaves this machine"), asked.leaves),
            (self.tr("What it costs"), asked.costs),
            (self.tr("The way back"), asked.back),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(theme.GAP_S)
        grid.setColumnStretch(1, 1)
        for place, (name, sentence) in enumerate((name, said) for name, said in lines if said):
            grid.addWidget(_name(name), place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(sentence), place, 1)
        return grid

    def _said(self, result: int) -> None:
        self._bridge.agree(self._sheet, yes=result == QDialog.DialogCode.Accepted)


class _ProblemBox(QDialog):
    def __init__(self, parent: QWidget, problem: Problem, go: Callable[[str], object]) -> None:
        super().__init__(parent)
        self.setWindowTitle(problem.title)
        self.setMinimumWidth(460)
        self._place, self._go = problem.place, go
        close = button(self.tr("Close"), self.accept, "" if problem.place else "primary")
        buttons = row(None, close)
        if problem.place:
            there = button(self.tr("Take me there"), self._there, "primary")
            buttons.addWidget(there)
        self.setLayout(
            column(
                heading(problem.title),
                label(problem.detail),
                *([label(problem.remedy, "muted")] if problem.remedy else []),
                buttons,
                margin=theme.GAP_L,
            )
        )
        close.setDefault(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _there(self) -> None:
        self.accept()
        self._go(self._place)


def tell_problem(parent: QWidget, problem: Problem, go: Callable[[str], object]) -> None:
    """Say what went wrong and what mends it; `go` opens the page where that is done."""
    _ProblemBox(parent, problem, go).open()


def _name(text: str) -> QLabel:
    return label(text, "muted", wrap=False)
