"""The left side of the page: search, filters, and the list, which asks for its pages as it is scrolled."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QProgressBar, QStackedLayout, QWidget

from metaclaw_tray.admin.api import ExchangeRow, Exchanges, ListExchanges, ListFacets
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.conversations.delegate import ExchangeDelegate
from metaclaw_tray.desktop.pages.conversations.filters import Filters
from metaclaw_tray.desktop.pages.conversations.model import ExchangeModel
from metaclaw_tray.desktop.pages.conversations.rows import ExchangeList
from metaclaw_tray.desktop.parts import Empty, button, column, label, row

PAGE = 60
"""Exchanges that are asked for at a time."""

_PAUSE_MS = 250  # of typing, before it is searched
_AHEAD = 40  # lines before the end, at which the next page is asked for
_INDEXING_MS = 2_000  # between two looks at how much can be searched


class Listing(QWidget):
    """`chosen` tells the exchange that is selected, `opened` that it is gone into, `failed` that there is no
    answer, `ready` that there is one: whether anything was ever recorded."""

    chosen = Signal(object)
    opened = Signal()
    failed = Signal(object)
    ready = Signal(bool)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._wanted = ListExchanges(limit=PAGE)
        self._asked = 0  # the number of the page that is waited for; 0: none
        self._next = ""
        self._searchable = 1.0
        self._ever = False
        self._news = False  # something changed while a page was on its way
        self.model = ExchangeModel(self)
        self.model.missing.connect(self._refill)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search in what was said"))
        self.search.setAccessibleName(self.tr("Search in what was said"))
        self.search.setToolTip(
            self.tr("All words must be there, and parts of them are enough. “Quoted words” stand together.")
        )
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search", theme.colours().muted), QLineEdit.ActionPosition.LeadingPosition)
        self.filters = Filters()
        self.filters.hide()
        self._more = button("", self._turn_filters, "link")
        self._delegate = ExchangeDelegate(self)
        self.list = ExchangeList(self.model, self._delegate)
        self._nothing = Empty(
            "search",
            self.tr("Nothing found"),
            self.tr("Nothing fits these words and choices."),
            button(self.tr("Show all"), self.show_all),
        )
        self._nothing.text.setMinimumWidth(200)  # else its lines are cut where the list is narrow
        self._looking = Empty("clock", self.tr("Looking…"), "")
        self._states = QStackedLayout()
        for each in (self.list, self._nothing, self._looking):
            self._states.addWidget(each)
        self._status = label(kind="muted", size=theme.SMALL)
        self._share = QProgressBar()
        self._share.setTextVisible(False)
        self._share.setAccessibleName(self.tr("How much can be searched"))
        self._share.hide()
        outer = column(
            self.search,
            row(self._status, None, self._more, gap=theme.GAP_S),
            self._share,
            self.filters,
            gap=theme.GAP_S,
        )
        outer.addLayout(self._states, 1)
        self.setLayout(outer)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.begin)
        self._again = QTimer(self, singleShot=True, interval=_INDEXING_MS)
        self._again.timeout.connect(self.look_for_new)
        self.search.textChanged.connect(lambda _text: self._pause.start())
        self.search.returnPressed.connect(self._into_list)
        self.filters.changed.connect(self.begin)
        self.list.selectionModel().currentChanged.connect(self._selected)
        self.list.opened.connect(lambda _index: self.opened.emit())
        self.list.clicked.connect(lambda _index: self.opened.emit())
        self.list.verticalScrollBar().valueChanged.connect(lambda _value: self._read_on())
        self._say()

    @property
    def current(self) -> ExchangeRow | None:
        """The exchange that is selected."""
        return self.model.row(self.list.currentIndex())

    @property
    def is_narrowed(self) -> bool:
        """Whether words or choices leave something out."""
        return bool(self.search.text().strip()) or self.filters.count > 0

    def begin(self) -> None:
        """Ask for what is wanted now, from the beginning."""
        self._pause.stop()
        wanted = replace(self.filters.asked(self.search.text().strip()), limit=PAGE)
        self._wanted = wanted
        self._forget_asked()
        self._ask_facets()
        self._ask("")
        if self.model.found == 0 or self.is_narrowed:
            self._states.setCurrentWidget(self._looking if self.model.found == 0 else self.list)
        self._say()

    def look_for_new(self) -> None:
        """Take up what is new at the top, and what changed in what was loaded last, without moving what is
        read."""
        self._news = bool(self._asked) or self._pause.isActive()
        if self._news:
            return
        if not self.model.found or self._wanted.text:
            if not self._wanted.text or self.list.verticalScrollBar().value() == 0:
                self.begin()
            return
        wanted = self._wanted

        def take(page: Exchanges) -> None:
            if wanted == self._wanted and not self._asked:
                self._put_first(page)

        self._bridge.ask(wanted, take, lambda _problem: None, owner=self)

    def select(self, exchange: str) -> bool:
        """Select an exchange that is in the list. False where it is not."""
        found = self.model.place_of(exchange)
        if found.isValid():
            self.list.setCurrentIndex(found)
            self.list.scrollTo(found)
        return found.isValid()

    def reselect(self, exchange: str) -> None:
        """Select an exchange, where it is in the list, without telling: it is shown already."""
        found = self.model.place_of(exchange)
        if found.isValid() and found != self.list.currentIndex():
            self._put_current(found)
            self.list.scrollTo(found)

    def unselect(self) -> None:
        """Select nothing, without telling."""
        self._put_current(QModelIndex())

    def _put_current(self, place: QModelIndex) -> None:
        self.list.selectionModel().blockSignals(True)
        self.list.setCurrentIndex(place)
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()

    def forget(self, exchange: str) -> None:
        """One is gone."""
        self.model.forget(exchange)
        if not self.model.found:
            self.begin()

    def show_all(self) -> None:
        """Take all words and choices away."""
        for each in (self.search, self.filters):
            each.blockSignals(True)
            each.clear()
            each.blockSignals(False)
        self.begin()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._delegate.dress()
            self.list.doItemsLayout()

    def _ask(self, before: str) -> None:
        wanted = replace(self._wanted, before=before)
        self._asked = self._bridge.ask(
            wanted, lambda page: self._take(wanted, page), self._refused, owner=self
        )

    def _forget_asked(self) -> None:
        if self._asked:
            self._bridge.drop(self._asked)
            self._asked = 0

    def _take(self, wanted: ListExchanges, page: Exchanges) -> None:
        self._asked = 0
        kept = self.current.id if self.current is not None and not wanted.before else ""
        if not wanted.before:
            self.list.selectionModel().blockSignals(True)
            self.model.clear(by_day=not wanted.text)
            self.list.selectionModel().blockSignals(False)
        self.model.add(wanted.before, page.rows)
        self._next, self._searchable = page.next, page.searchable
        if not wanted.before:
            self._after_first(kept)
        self._show_state()
        self._read_on()
        if self._news and not self._asked:
            self.look_for_new()

    def _after_first(self, kept: str) -> None:
        """Select what was selected, or else the first that was found."""
        self._ever = self._ever or bool(self.model.found) or self.is_narrowed or bool(self._next)
        self.list.scrollToTop()
        self.ready.emit(self._ever)
        found = self.model.place_of(kept)
        self._put_current(found if found.isValid() else self.model.first())
        if self.current is not None:
            self.chosen.emit(self.current)

    def _put_first(self, page: Exchanges) -> None:
        bar = self.list.verticalScrollBar()
        before = bar.value()
        lines = self.model.put_first(page.rows)
        self._searchable = page.searchable
        if lines and before > 0:
            self.list.doItemsLayout()
            bar.setValue(before + lines * self._delegate_height())
        self._show_state()

    def _delegate_height(self) -> int:
        return self.list.sizeHintForRow(0)

    def _refill(self, page: int) -> None:
        key, size = self.model.key_of(page)
        wanted = replace(self._wanted, before=key, limit=size)

        def take(found: Exchanges) -> None:
            if replace(self._wanted, before=key, limit=size) == wanted:
                self.model.refill(page, found.rows)

        self._bridge.ask(wanted, take, lambda _problem: None, owner=self)

    def _read_on(self) -> None:
        """Ask for the next page where its lines will soon be wanted, or there are too few to scroll."""
        if self._asked or not self._next or self._pause.isActive():
            return
        bar = self.list.verticalScrollBar()
        left = bar.maximum() - bar.value()
        if left < _AHEAD * self._delegate_height() or self.model.found < PAGE // 2:
            self._ask(self._next)
            self._say()

    def _refused(self, problem: Problem) -> None:
        self._asked = 0
        self.failed.emit(problem)

    def _ask_facets(self) -> None:
        self._bridge.ask(ListFacets(), self.filters.show_facets, lambda _problem: None, owner=self)

    def _show_state(self) -> None:
        waits = not self.model.found and bool(self._next)
        nothing = not self.model.found and not waits
        self._states.setCurrentWidget(self._looking if waits else self._nothing if nothing else self.list)
        if nothing:
            self.chosen.emit(None)
        self._say()

    def _say(self) -> None:
        """What is searched, how far that has come, and how many choices were made."""
        indexing = bool(self._wanted.text) and self._searchable < 1.0
        self._share.setVisible(indexing)
        self._share.setValue(int(self._searchable * 100))
        if indexing:
            self._again.start()
        self._status.setText(
            words.making_ready(self._searchable)
            if indexing
            else words.found(self.model.found, looking=bool(self._asked), more=bool(self._next))
            if self.is_narrowed
            else ""
        )
        count = self.filters.count
        open_now = not self.filters.isHidden()
        said = self.tr("Fewer filters") if open_now else self.tr("Filters")
        self._more.setText(f"{said} ({words.number(count)})" if count else said)
        self._more.setAccessibleName(said)

    def _turn_filters(self) -> None:
        self.filters.setVisible(self.filters.isHidden())
        self._say()
        if not self.filters.isHidden():
            self.filters.outcome.setFocus()

    def _selected(self, now: QModelIndex, _before: QModelIndex) -> None:
        self.chosen.emit(self.model.row(now))

    def _into_list(self) -> None:
        if self._pause.isActive():
            self.begin()
        self.list.setFocus()
