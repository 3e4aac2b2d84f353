"""The right side of the page: one exchange, read as a conversation."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from metaclaw_tray.admin.api import ExchangeDetail, ShowExchange, ShowTurn, TurnDetail
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.conversations.carried import Carried
from metaclaw_tray.desktop.pages.conversations.course import Course
from metaclaw_tray.desktop.pages.conversations.flow import Flow
from metaclaw_tray.desktop.pages.conversations.side import as_exchange
from metaclaw_tray.desktop.pages.conversations.worth import Worth
from metaclaw_tray.desktop.pages.skills.pieces import Fold
from metaclaw_tray.desktop.parts import Empty, Scroller, button, clear, column, label, row, set_kind

_LOADING_MS = 250


class Detail(QWidget):
    """`go` names a page; the rest are what the person wants done with the exchange that is shown."""

    go = Signal(str)
    back = Signal()
    right = Signal(str)
    wrong = Signal(str)
    forget = Signal(str)
    raw = Signal(str)  # a turn
    arrived = Signal(str)  # an exchange is shown, by its own id

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._asked = 0
        self._sought = ""
        self.exchange = ""  # that is shown or on its way
        self.shown: ExchangeDetail | None = None
        self.back_button = button(self.tr("All conversations"), self.back.emit, "link", symbol="back")
        self.back_button.hide()
        self._title = label(size=1.2, bold=True)
        self._line = label(kind="muted", size=theme.SMALL)
        self.right_button = button(self.tr("Right"), lambda: self.right.emit(self.exchange), symbol="up")
        self.wrong_button = button(self.tr("Wrong…"), lambda: self.wrong.emit(self.exchange), symbol="down")
        self.raw_button = button(self.tr("Raw…"), self._ask_raw)
        self.raw_button.setToolTip(self.tr("The last request and its answer, letter by letter"))
        self.forget_button = button(self.tr("Forget…"), lambda: self.forget.emit(self.exchange), "danger")
        actions = Flow()
        for each in (self.right_button, self.wrong_button, self.raw_button, self.forget_button):
            actions.add(each)
        self._course: QVBoxLayout = column(gap=theme.GAP)
        self._course.setContentsMargins(0, 0, theme.GAP_S, theme.GAP)
        inner = QWidget()
        inner.setLayout(self._course)
        self.scroller = Scroller(inner)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scroller.setAccessibleName(self.tr("The exchange"))
        body = QWidget()
        whole = column(column(self._title, self._line, gap=2), actions, self.scroller, gap=theme.GAP)
        whole.setStretch(2, 1)
        body.setLayout(whole)
        self._body = body
        self._states = QStackedLayout()
        self._states.addWidget(body)
        outer = column(row(self.back_button, None), gap=theme.GAP_S)
        outer.addLayout(self._states, 1)
        outer.setContentsMargins(theme.GAP, 0, 0, 0)
        self.setLayout(outer)
        self._slow = QTimer(self, singleShot=True, interval=_LOADING_MS)
        self._slow.timeout.connect(lambda: self._put(Empty("clock", self.tr("One moment…"), "")))
        self.show_nothing()

    def show_exchange(self, exchange: str, sought: str = "", *, side: bool = False) -> None:
        """Ask for an exchange and show it, with what was looked for marked; a side turn of none by its id."""
        if exchange == self.exchange and self.shown is not None and sought == self._sought:
            return
        self.exchange, self._sought, self.shown = exchange, sought, None
        self._ask(side=side)
        self._slow.start()

    def refresh(self) -> None:
        """Ask again; what is read stays where it is."""
        if self.exchange and self.shown is not None and self.shown.row.kind == "main":
            self._ask(side=False)

    def show_nothing(self) -> None:
        """Nothing is selected."""
        self._drop()
        self.exchange, self.shown = "", None
        self._put(
            Empty(
                "conversations",
                self.tr("Choose an exchange"),
                self.tr(
                    "Here you read what was asked and answered, which skills helped, and what it was worth."
                ),
            )
        )

    def show_forgotten(self) -> None:
        """What was shown is gone."""
        self._drop()
        self.exchange, self.shown = "", None
        self._put(Empty("trash", self.tr("Forgotten"), self.tr("Nothing of it is kept.")))

    def take_focus(self) -> None:
        (self.back_button if self.back_button.isVisible() else self.scroller).setFocus()

    def _ask(self, *, side: bool) -> None:
        self._drop()
        if side:
            self._asked = self._bridge.ask(ShowTurn(self.exchange), self._take_turn, self._failed, owner=self)
        else:
            self._asked = self._bridge.ask(ShowExchange(self.exchange), self._take, self._failed, owner=self)

    def _drop(self) -> None:
        self._slow.stop()
        if self._asked:
            self._bridge.drop(self._asked)
            self._asked = 0

    def _take(self, detail: ExchangeDetail) -> None:
        self._asked = 0
        self._slow.stop()
        before = self.shown
        if detail == before:
            return
        bar = self.scroller.verticalScrollBar()
        at = bar.value() if before is not None and before.row.id == detail.row.id else 0
        self.exchange, self.shown = detail.row.id, detail
        if not detail.row.turns:
            self.show_forgotten()
            return
        self._fill(detail)
        self.arrived.emit(detail.row.id)
        self._states.setCurrentWidget(self._body)
        self._clear_empty()
        QTimer.singleShot(0, self, lambda: bar.setValue(at))

    def _take_turn(self, turn: TurnDetail) -> None:
        """A turn that the client made for itself, and that belongs to no exchange."""
        self._take(as_exchange(turn))

    def _fill(self, detail: ExchangeDetail) -> None:
        self._title.setText(f"{detail.row.agent}, {words.moment(detail.row.at)}")
        self._line.setText(self._about(detail))
        main = detail.row.kind == "main"
        self.forget_button.setVisible(main)
        answered = any(step.said or step.calls for step in detail.steps) or bool(detail.row.thumb)
        for each in (self.right_button, self.wrong_button):
            each.setVisible(main and answered)  # where nothing came back, nothing was right or wrong
        set_kind(self.right_button, "chosen" if detail.row.thumb > 0 else "")
        set_kind(self.wrong_button, "chosen" if detail.row.thumb < 0 else "")
        clear(self._course)
        if main:
            carried = Carried(self._bridge, detail)
            carried.go.connect(self.go)
            self._course.addWidget(carried)
        self._course.addWidget(Course(detail, self._sought))
        if main:
            worth = Worth(detail)
            worth.go.connect(self.go)
            self._course.addWidget(worth)
        if detail.steps:
            said = self.tr("Models, times, tokens and costs")
            self._course.addWidget(Fold(said, None, lambda: self._figures(detail)))
        self._course.addStretch(1)

    def _about(self, detail: ExchangeDetail) -> str:
        row_ = detail.row
        parts = [f"{row_.model} ({row_.upstream})" if row_.upstream else row_.model]
        parts.append(self.tr("%n answer(s)", "", row_.turns))
        times = [step.total_ms for step in detail.steps if step.total_ms is not None]
        if times:
            parts.append(words.seconds(sum(times)))
        parts.append(words.money(row_.cost) if row_.cost is not None else self.tr("cost not known"))
        if detail.side:
            parts.append(self.tr("%n errand(s) of the agent's own beside it", "", detail.side))
        return " · ".join(part for part in parts if part)

    def _figures(self, detail: ExchangeDetail) -> QWidget:
        made = QWidget()
        inner = column(gap=2)
        inner.setContentsMargins(theme.GAP, 0, 0, 0)
        for number, step in enumerate(detail.steps, 1):
            if step.turn:
                said = self.tr("Answer {number}: {facts}").format(number=number, facts=words.took(step))
                look = button(self.tr("Raw…"), partial(self.raw.emit, step.turn), "link")
                line = row(label(said, size=theme.SMALL), look, gap=theme.GAP_S)
                line.setStretch(0, 1)
                inner.addLayout(line)
        made.setLayout(inner)
        return made

    def _ask_raw(self) -> None:
        if self.shown is not None and self.shown.row.turn:
            self.raw.emit(self.shown.row.turn)

    def _failed(self, problem: Problem) -> None:
        self._asked = 0
        self._slow.stop()
        again = button(self.tr("Try again"), lambda: self._ask(side=False))
        self._put(Empty("warning", problem.title, f"{problem.detail}\n{problem.remedy}".strip(), again))

    def _put(self, state: Empty) -> None:
        self._clear_empty()
        self._states.addWidget(state)
        self._states.setCurrentWidget(state)

    def _clear_empty(self) -> None:
        for place in range(self._states.count() - 1, 0, -1):
            old = self._states.widget(place)
            if old is not None and old is not self._body:
                self._states.removeWidget(old)
                old.deleteLater()
