"""What the app asks in between: a sheet with what would happen and the whole text; and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QPlainTextEdit, QWidget

from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.agreeing import Agreement, Agreements
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import Card, button, column, heading, label, row
from metaclaw_tray.desktop.unhidden import unhidden

_FEW_LINES, _FEW_LETTERS = 6, 400
_MANY_HEIGHT = 240  # pixels


class ConsentSheet(Dialog):
    """Shows all of what is agreed to. Closing it in any other way is a no."""

    def __init__(self, parent: QWidget, bridge: Bridge, sheet: Sheet, verb: Verb[Any] | None) -> None:
        """`verb` is what was asked that the sheet belongs to."""
        asked = Agreements().of(verb, sheet.action)
        super().__init__(asked.title, parent, width=560)
        self._bridge = bridge
        self._sheet = sheet
        no = button(self.tr("Cancel"), self.reject)
        self._yes = button(asked.yes, self.accept, "danger" if asked.danger else "primary", once=True)
        inner = column(
            heading(asked.title),
            self._facts(asked),
            self._whole(unhidden(sheet.text)),
            row(None, no, self._yes),
        )
        inner.setContentsMargins(theme.GAP_L, theme.GAP_L, theme.GAP_L, theme.GAP_L)
        self.setLayout(inner)
        no.setDefault(True)
        no.setFocus()
        self.finished.connect(self._said)

    def _whole(self, text: str) -> QWidget:
        """All that the yes is bound to: a few lines as they are, more of them to be scrolled."""
        if text.count("\n") < _FEW_LINES and len(text) < _FEW_LETTERS:
            shown = label(text)
            shown.setAccessibleName(self.tr("What you agree to, in full: {text}").format(text=text))
            return Card(shown, kind="inset")
        scrolled = QPlainTextEdit(text)
        scrolled.setReadOnly(True)
        scrolled.setTabChangesFocus(True)
        scrolled.setAccessibleName(self.tr("What you agree to, in full"))
        scrolled.setMinimumHeight(_MANY_HEIGHT)
        return scrolled

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


class _ProblemBox(Dialog):
    def __init__(self, parent: QWidget, problem: Problem, go: Callable[[str], object]) -> None:
        super().__init__(problem.title, parent)
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

    def _there(self) -> None:
        self.accept()
        self._go(self._place)


def tell_problem(parent: QWidget, problem: Problem, go: Callable[[str], object]) -> None:
    """Say what went wrong and what mends it; `go` opens the page where that is done."""
    _ProblemBox(parent, problem, go).open()


def _name(text: str) -> QLabel:
    return label(text, "muted", wrap=False)
