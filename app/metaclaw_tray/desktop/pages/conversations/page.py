"""The page of conversations: the list at the left, one exchange at the right, or one at a time."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSplitter

from metaclaw_tray.admin.api import ExchangeRow, Forgotten, GiveFeedback, Said, TakeBackFeedback, Verb
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.conversations import forgetting, words
from metaclaw_tray.desktop.pages.conversations.correcting import WrongSheet
from metaclaw_tray.desktop.pages.conversations.detail import Detail
from metaclaw_tray.desktop.pages.conversations.listing import Listing
from metaclaw_tray.desktop.pages.conversations.raw import RawSheet
from metaclaw_tray.desktop.pages.skills.notice import Notice
from metaclaw_tray.desktop.parts import Empty, column

_NARROW = 740  # pixels below which list and detail do not stand beside each other
_CALM_MS = 700  # news of many turns at once is one look


class ConversationsPage(Page):
    """Find, read, say whether it was right, forget."""

    name, symbol = "conversations", "conversations"
    topics: ClassVar[frozenset[Topic]] = frozenset({"turns", "learning"})

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._is_narrow = False
        self._begun = False
        self._wanted = ""
        self.listing = Listing(bridge)
        self.detail = Detail(bridge)
        self.notice = Notice()
        both = QSplitter()
        both.setChildrenCollapsible(False)
        both.setHandleWidth(theme.GAP)
        both.addWidget(self.listing)
        both.addWidget(self.detail)
        both.setStretchFactor(0, 2)
        both.setStretchFactor(1, 4)
        both.setSizes([320, 540])
        inner = column(self.notice, both, gap=theme.GAP)
        inner.setStretch(1, 1)
        self.body.setLayout(inner)
        self.listing.chosen.connect(self._choose)
        self.listing.opened.connect(self._go_into)
        self.listing.ready.connect(self._list_is_there)
        self.listing.failed.connect(self.failed)
        self.detail.back.connect(self._go_back)
        self.detail.arrived.connect(self.listing.reselect)
        self.detail.go.connect(self.go)
        self.detail.right.connect(self._right)
        self.detail.wrong.connect(self._wrong)
        self.detail.forget.connect(self._forget)
        self.detail.raw.connect(lambda turn: RawSheet(self, self.bridge, turn).open())
        self.notice.undo.connect(self._take_back)
        self._calm = QTimer(self, singleShot=True, interval=_CALM_MS)
        self._calm.timeout.connect(self._take_news)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._find)

    def title(self) -> str:
        return self.tr("Conversations")

    def subtitle(self) -> str:
        return self.tr("What you asked, what came back, which skills helped, and what it was worth.")

    def refresh(self) -> None:
        if not self._begun or self._states.currentWidget() is not self.body:
            self._begun = True
            self.listing.begin()
        else:
            self._calm.start()

    def go_to(self, place: str) -> None:
        """An exchange, by its id or that of one of its turns, or `last`."""
        self._wanted = place
        if self._begun and self._states.currentWidget() is self.body:
            self._show_wanted()

    def place(self) -> str:
        return self.detail.exchange

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self.detail.back_button.setVisible(narrow)
            self.listing.setVisible(True)
            self.detail.setVisible(not narrow)

    def _list_is_there(self, ever: bool) -> None:
        if not ever and not self._wanted:
            self.empty(
                Empty(
                    "conversations",
                    self.tr("Nothing was said yet"),
                    self.tr(
                        "When an agent asks through this app, each request and its answer can be read and "
                        "searched here. They stay on this machine."
                    ),
                )
            )
            return
        self.ready()
        self._show_wanted()

    def _show_wanted(self) -> None:
        """Go where somebody asked to go; what is not in the list is shown beside it all the same."""
        if not self._wanted:
            return
        wanted, self._wanted = self._wanted, ""
        if not self.listing.select(wanted):
            self.listing.unselect()
            self.detail.show_exchange(wanted)
        self._go_into()

    def _take_news(self) -> None:
        self.listing.look_for_new()
        self.detail.refresh()

    def _choose(self, row: ExchangeRow | None) -> None:
        if self._wanted:
            return
        if row is None:
            self.detail.show_nothing()
        else:
            sought = self.listing.search.text().strip()
            self.detail.show_exchange(row.id, sought, side=row.id == row.turn)

    def _go_into(self) -> None:
        if self._is_narrow:
            self.listing.hide()
            self.detail.show()
            self.detail.take_focus()

    def _go_back(self) -> None:
        self.detail.hide()
        self.listing.show()
        self.listing.list.setFocus()

    def _find(self) -> None:
        if self._is_narrow:
            self._go_back()
        self.listing.search.setFocus()
        self.listing.search.selectAll()

    def _right(self, exchange: str) -> None:
        shown = self.detail.shown
        if shown is not None and shown.row.thumb > 0:
            self._take_back(exchange)
        else:
            self._do(GiveFeedback(exchange, "up"), self.tr("Noted: that was right."), exchange)

    def _wrong(self, exchange: str) -> None:
        shown = self.detail.shown
        if shown is None:
            return
        if shown.row.thumb < 0:
            self._take_back(exchange)
            return
        sheet = WrongSheet(self, shown.row.agent, words.moment(shown.row.at))
        done = self.tr("Noted: that was wrong.")
        sheet.said.connect(lambda note: self._do(GiveFeedback(exchange, "down", note), done, exchange))
        sheet.open()

    def _take_back(self, exchange: str) -> None:
        self._do(TakeBackFeedback(exchange), self.tr("Your thumb is taken back."), "")

    def _do(self, verb: Verb[Said], done: str, undo: str) -> None:
        def told(_said: Said) -> None:
            self.notice.tell(done, undo)
            self._take_news()

        self.bridge.ask(verb, told, self._not_done, owner=self)

    def _not_done(self, problem: Problem) -> None:
        if problem.title != NOT_DONE:
            self.bridge.problem.emit(problem)

    def _forget(self, exchange: str) -> None:
        sheet = forgetting.ForgetSheet(self, self.bridge, exchange)
        sheet.forgotten.connect(lambda gone: self._forgotten(exchange, gone))
        sheet.open()

    def _forgotten(self, exchange: str, gone: Forgotten) -> None:
        self.notice.tell(forgetting.said(gone), "")
        self.detail.show_forgotten()
        self.listing.unselect()
        self.listing.forget(exchange)
