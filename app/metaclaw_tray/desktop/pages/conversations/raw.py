"""The request and the answer of one turn, letter by letter as they are kept; asked for when it is opened."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from metaclaw_tray.admin.api import RawTurn, ShowRaw
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.copying import CopyButton
from metaclaw_tray.desktop.pages.conversations.pieces import monospaced
from metaclaw_tray.desktop.parts import button, clear, column, heading, label, row


class RawSheet(QDialog):
    """A window over the page."""

    def __init__(self, parent: QWidget, bridge: Bridge, turn: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Request and answer"))
        self.resize(760, 600)
        self._inner: QVBoxLayout = column(label(self.tr("One moment…"), "muted"), None)
        close = button(self.tr("Close"), self.accept)
        close.setDefault(True)
        outer = column(heading(self.tr("Request and answer")), self._about(), margin=theme.GAP_L)
        outer.addLayout(self._inner, 1)
        outer.addLayout(row(None, close))
        self.setLayout(outer)
        bridge.ask(ShowRaw(turn), self._show, self._failed, owner=self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _about(self) -> QWidget:
        return label(
            self.tr(
                "As it is kept: secrets are taken out, very long texts are cut, and skills are not in it, "
                "for they were put in on the way."
            ),
            "muted",
        )

    def _show(self, turn: RawTurn) -> None:
        clear(self._inner)
        tabs = QTabWidget()
        for title, text in ((self.tr("Request"), turn.request), (self.tr("Answer"), turn.answer)):
            tabs.addTab(self._text(title, text), title)
        if turn.cut:
            self._inner.addWidget(label(self.tr("It is longer than what is shown here."), "muted"))
        self._inner.addWidget(tabs, 1)
        tabs.setFocus()

    def _text(self, title: str, text: str) -> QWidget:
        shown = QPlainTextEdit(text or self.tr("There was no answer."))
        shown.setReadOnly(True)
        shown.setFont(monospaced())
        shown.setAccessibleName(title)
        made = QWidget()
        inner = column(row(None, CopyButton(text, title)), shown, gap=theme.GAP_S)
        inner.setContentsMargins(0, theme.GAP_S, 0, 0)
        made.setLayout(inner)
        return made

    def _failed(self, problem: Problem) -> None:
        clear(self._inner)
        self._inner.addWidget(label(problem.title, bold=True))
        self._inner.addWidget(label(f"{problem.detail} {problem.remedy}".strip()))
        self._inner.addStretch(1)
