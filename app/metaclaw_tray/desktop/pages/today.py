"""What happened today, in sentences and a few figures."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from metaclaw_tray.admin.api import GetStatus, Status
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.parts import Card, Scroller, clear, column, label


class TodayPage(Page):
    """The first page."""

    name, symbol = "today", "today"
    topics = frozenset({"turns", "learning", "library", "status"})

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._figures = QHBoxLayout()
        self._trouble = Card(kind="warning")
        inner = QWidget()
        inner.setLayout(column(self._trouble, self._figures, None, gap=theme.GAP_L))
        self.body.setLayout(column(Scroller(inner)))

    def title(self) -> str:
        return self.tr("Today")

    def refresh(self) -> None:
        self.bridge.ask(GetStatus(), self._show, self.failed, owner=self)

    def _show(self, status: Status) -> None:
        clear(self._figures)
        for value, words in (
            (str(status.turns), self.tr("turns kept")),
            (str(status.active_skills), self.tr("active skills")),
            (str(status.pending_proposals), self.tr("wait for you")),
            (f"{status.spent_today_usd:.2f} USD", self.tr("spent on learning today")),
        ):
            self._figures.addWidget(
                Card(label(value, size=theme.TITLE, bold=True), label(words, "muted"), gap=2)
            )
        clear(self._trouble.body)
        for each in status.trouble:
            self._trouble.body.addWidget(label(each))
        self._trouble.setVisible(bool(status.trouble))
        self.ready()
