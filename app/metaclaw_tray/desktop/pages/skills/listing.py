"""The left side of the page: search, filters, and the list."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QTimer, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView, QStackedLayout, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.delegate import EntryDelegate
from metaclaw_tray.desktop.pages.skills.entries import Entry, Section, State, Wanted
from metaclaw_tray.desktop.pages.skills.model import EntryModel
from metaclaw_tray.desktop.parts import Empty, button, column, row
from metaclaw_tray.desktop.steady import Steady

_PAUSE_MS = 60  # of typing, before the list follows


class EntryList(QListView):
    """The rows. Enter opens one."""

    opened = Signal(QModelIndex)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 Qt's own name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class Listing(QWidget):
    """`chosen` tells the entry that is selected, `opened` the one that is gone into."""

    chosen = Signal(object)
    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.model = EntryModel(self)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search skills"))
        self.search.setAccessibleName(self.tr("Search skills"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search", theme.colours().muted), QLineEdit.ActionPosition.LeadingPosition)
        self.states, self.sources = Steady(), Steady()
        self.states.setAccessibleName(self.tr("Which skills"))
        self.sources.setAccessibleName(self.tr("Made by whom"))
        for state, said in (
            (State.ALL, self.tr("All")),
            (State.WAITS, words.section(Section.WAITS)),
            (State.ACTIVE, words.state("active")),
            (State.TRIAL, words.state("trial")),
            (State.DISABLED, words.state("disabled")),
            (State.RETIRED, words.state("retired")),
            (State.REFUSED, words.section(Section.REFUSED)),
        ):
            self.states.addItem(said, state.value)
        self.sources.addItem(self.tr("By anyone"), "")
        for source in ("learnt", "person", "builtin", "imported"):
            self.sources.addItem(words.source(source), source)
        self.list = EntryList()
        self.list.setModel(self.model)
        self._delegate = EntryDelegate(self)
        self.list.setItemDelegate(self._delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName(self.tr("Skills and proposals"))
        self.list.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        self._nothing = Empty(
            "search",
            self.tr("Nothing found"),
            self.tr("No skill fits these words and choices."),
            button(self.tr("Show all"), self.show_all),
        )
        self._nothing.text.setMinimumWidth(200)  # else its lines are cut where the list is narrow
        self._states = QStackedLayout()
        self._states.addWidget(self.list)
        self._states.addWidget(self._nothing)
        filters = row(self.states, self.sources, gap=theme.GAP_S)
        filters.setStretch(0, 1)
        filters.setStretch(1, 1)
        for each in (self.states, self.sources):
            each.setMinimumWidth(60)
            each.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        outer = column(self.search, filters, gap=theme.GAP_S)
        outer.addLayout(self._states, 1)
        self.setLayout(outer)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._filter)
        self.search.textChanged.connect(lambda _text: self._pause.start())
        self.search.returnPressed.connect(self._into_list)
        for box in (self.states, self.sources):
            box.currentIndexChanged.connect(lambda _place: self._filter())
        self.list.selectionModel().currentChanged.connect(self._selected)
        self.list.opened.connect(lambda _index: self.opened.emit())
        self.list.clicked.connect(lambda _index: self.opened.emit())

    @property
    def current(self) -> Entry | None:
        """The entry that is selected."""
        return self.model.entry(self.list.currentIndex())

    def put(self, proposals: list[Entry], skills: list[Entry]) -> None:
        """Show these; what was selected stays so, where it is there still."""
        self._keep(lambda: self.model.put(proposals, skills))

    def select(self, key: str) -> bool:
        """Select an entry, without filters where they hide it. False where it is not there."""
        found = self.model.place_of(key)
        if not found.isValid():
            self.show_all()
            found = self.model.place_of(key)
        if found.isValid():
            self.list.setCurrentIndex(found)
            self.list.scrollTo(found)
        return found.isValid()

    def reselect(self, key: str) -> None:
        """Select an entry again, without telling: it was never left."""
        found = self.model.place_of(key)
        self.list.selectionModel().blockSignals(True)
        self.list.setCurrentIndex(found)
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()

    def show_all(self) -> None:
        """Take all filters away."""
        self.search.clear()
        self.states.setCurrentIndex(0)
        self.sources.setCurrentIndex(0)
        self._filter()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._delegate.dress()
            self.list.doItemsLayout()

    def _filter(self) -> None:
        self._pause.stop()
        wanted = Wanted(
            self.search.text().strip(), State(self.states.currentData()), self.sources.currentData()
        )
        self._keep(lambda: self.model.want(wanted))

    def _keep(self, change: Callable[[], None]) -> None:
        """Make a change of the rows, and keep the selection; the first one, where that is gone."""
        before = self.current
        self.list.selectionModel().blockSignals(True)
        try:
            change()
            found = self.model.place_of(before.key) if before else QModelIndex()
            gone = not found.isValid()
            found = self.model.first() if gone else found
            self.list.setCurrentIndex(found)
        finally:
            self.list.selectionModel().blockSignals(False)
        if gone:
            self.list.scrollToTop()
        else:
            self.list.scrollTo(found)
        self._states.setCurrentWidget(self.list if self.model.found else self._nothing)
        after = self.current
        if after != before:
            self.chosen.emit(after)

    def _selected(self, now: QModelIndex, _before: QModelIndex) -> None:
        self.chosen.emit(self.model.entry(now))

    def _into_list(self) -> None:
        self._filter()
        self.list.setFocus()
