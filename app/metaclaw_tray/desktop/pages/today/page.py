"""What happened today, in sentences, four figures and a band; what waits; and earlier days."""

from __future__ import annotations

from datetime import date, timedelta

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import Day, FirstRun, Reload, Reloaded, ShowDay, ShowFirstRun, ShowTray, Tray
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.today import words
from metaclaw_tray.desktop.pages.today.band import DayPane
from metaclaw_tray.desktop.pages.today.told import Figures, Told
from metaclaw_tray.desktop.pages.today.waits import Waits
from metaclaw_tray.desktop.parts import Card, Scroller, button, column, label

_GATHER_MS = 1_500  # news come in flocks, and a day is many rows
_MINUTE_MS = 60_000  # after which now is elsewhere


class TodayPage(Page):
    """The first page. `first_steps` asks for them."""

    name, symbol = "today", "today"
    topics = frozenset[Topic]({"turns", "learning", "library", "status", "settings", "training"})

    first_steps = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._date = ""  # of the day that is shown; "" is today
        self._day: Day | None = None
        self._tray: Tray | None = None
        self._steps: FirstRun | None = None
        self._before = button("", self._go_back, symbol="back")
        self._before.setAccessibleName(self.tr("The day before"))
        self._before.setToolTip(self.tr("The day before"))
        self._after = button("", self._go_on, symbol="forward")
        self._after.setAccessibleName(self.tr("The day after"))
        self._after.setToolTip(self.tr("The day after"))
        self._to_today = button(self.tr("Today"), lambda: self.go_to(""))
        for each in (self._before, self._to_today, self._after):
            self.tools.addWidget(each)
        self.waits = Waits()
        self.waits.open_page.connect(self.go)
        self.waits.first_steps.connect(self.first_steps)
        self.waits.agree.connect(self._agree)
        self._sentences = label()
        self._training = label(kind="muted")
        self.figures = Figures()
        self.band = DayPane()
        self.told = Told()
        self.told.open_page.connect(self.go)
        inner = QWidget()
        inner.setLayout(
            column(
                self.waits,
                self._sentences,
                self.figures,
                Card(self.band, self._training, gap=theme.GAP_S),
                self.told,
                None,
                gap=theme.GAP_L,
            )
        )
        self.body.setLayout(column(Scroller(inner)))
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self._gathered)
        self._minute = QTimer(self, interval=_MINUTE_MS)
        self._minute.timeout.connect(self._gathered)
        self._minute.start()
        self._arrows()

    def title(self) -> str:
        return words.day_title(self._date) if self._date else self.tr("Today")

    def subtitle(self) -> str:
        shown = self._date or words.today().isoformat()
        return words.long_date(shown) if not self._date or words.is_yesterday(shown) else ""

    def place(self) -> str:
        return ""  # the next start begins with its own day

    def go_to(self, place: str) -> None:
        """Show a day, as 2026-03-03; today where nothing is said."""
        self._date = place
        self._day = None
        self._ask()

    def news(self, topics: set[Topic]) -> None:
        if self.topics & topics and not self._date and self.isVisible():
            if not self._gather.isActive():
                self._gather.start()
        else:
            super().news(topics)

    def refresh(self) -> None:
        asked = self._date
        self.bridge.ask(
            ShowDay(asked),
            lambda day: self._came(asked, day),
            lambda why: self._failed(asked, why),
            owner=self,
        )
        if not asked:
            self.bridge.ask(ShowTray(), self._show_tray, self._without, owner=self)
            self.bridge.ask(ShowFirstRun(), self._show_steps, self._without, owner=self)

    def _gathered(self) -> None:
        if self.isVisible() and not self._date:
            self._ask()

    def _came(self, asked: str, day: Day) -> None:
        if asked != self._date:  # the person went on meanwhile
            return
        self._day = day
        if day.now is not None:
            self._date = ""
        self._sentences.setText("\n".join(words.happened(day)))
        self._training.setText(words.training(day) if day.now is not None else "")
        self._training.setVisible(day.now is not None)
        self.figures.show_day(day)
        self.band.show_day(day)
        self._show_rest()
        self._arrows()
        self.ready()

    def _failed(self, asked: str, problem: Problem) -> None:
        if asked == self._date:
            self.failed(problem)

    def _show_tray(self, tray: Tray) -> None:
        self._tray = tray
        self._show_rest()

    def _show_steps(self, steps: FirstRun) -> None:
        self._steps = steps
        self._show_rest()

    def _without(self, _problem: Problem) -> None:
        """The day says by itself that the app does not answer."""

    def _show_rest(self) -> None:
        """What waits and what learning came to: of more than one answer."""
        day = self._day
        if day is None:
            return
        here = day.now is not None
        tray = self._tray if here else None
        self.waits.show_waiting(day, tray, self._steps if here else None)
        self.told.show_day(day, self._tray.why_not_learning if self._tray is not None else "")

    def _arrows(self) -> None:
        day = self._day
        now = theme.colours()
        for made, symbol, there in (
            (self._before, "back", day is not None and day.earlier),
            (self._after, "forward", bool(self._date)),
        ):
            made.setEnabled(there)
            made.setIcon(icon(symbol, now.text if there else now.muted))
        self._to_today.setVisible(bool(self._date))

    def _go_back(self) -> None:
        self._step(-1)

    def _go_on(self) -> None:
        self._step(1)

    def _step(self, days: int) -> None:
        if self._day is not None:
            wanted = date.fromisoformat(self._day.date) + timedelta(days=days)
            self.go_to(wanted.isoformat() if wanted < words.today() else "")

    def _agree(self) -> None:
        def done(_reloaded: Reloaded) -> None:
            self._ask()

        self.bridge.ask(Reload(), done, owner=self)
