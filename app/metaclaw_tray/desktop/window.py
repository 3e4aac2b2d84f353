"""The window: pages at the left, one of them beside, and what the app asks in between.

It remembers its size and its place; closing it leaves the tray, where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from metaclaw_tray.admin.api import GetStatus, Status
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.parts import column, label, row, set_kind
from metaclaw_tray.desktop.remedies import in_window

_SIZE = QSize(1120, 740)
_SMALLEST = QSize(860, 560)


class Window(QMainWindow):
    """The main window. `left` tells that it was closed."""

    left = Signal()

    def __init__(self, bridge: Bridge, pages: Sequence[Page], memory: QSettings) -> None:
        super().__init__()
        self._bridge = bridge
        self._memory = memory
        self._pages = {page.name: page for page in pages}
        self._buttons: dict[str, QPushButton] = {}
        self._stack = QStackedWidget()
        for page in pages:
            self._stack.addWidget(page)
            page.go.connect(self.open_page)
        self._status = _Status()
        root = QWidget()
        root.setProperty("kind", "back")
        inner = QHBoxLayout(root)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self._side(pages))
        inner.addWidget(self._stack, 1)
        self.setCentralWidget(root)
        self.setWindowTitle("MetaClaw Tray")
        self.setMinimumSize(_SMALLEST)
        self._restore(pages[0].name)
        bridge.news.connect(self._news)
        self._ask_status()

    def open_page(self, where: str) -> None:
        """Come to the front at a page, or at one thing of it: `skills`, `skills/NAME`. Empty: as it was."""
        name, _, place = where.partition("/")
        if name in self._pages:
            self._turn_to(name)
            if place:
                self._pages[name].go_to(place)
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    @property
    def pages(self) -> list[Page]:
        """All of them, in their order."""
        return list(self._pages.values())

    def page(self, name: str) -> Page:
        """A page, by its name. Raises KeyError."""
        return self._pages[name]

    @property
    def where(self) -> str:
        """What `open_page` would bring here again, such as `skills/NAME`."""
        name, page = next(each for each in self._pages.items() if each[1] is self._stack.currentWidget())
        return f"{name}/{page.place()}"

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 Qt's own name
        self.remember()
        super().closeEvent(event)
        self.left.emit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retitle()
        elif event.type() == QEvent.Type.PaletteChange:
            self._paint_symbols()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ApplicationFontChange:
            theme.rescale()
        return super().event(event)

    def remember(self) -> None:
        """Keep size and place for the next start."""
        self._memory.setValue("window/geometry", self.saveGeometry())
        self._memory.setValue("window/page", self.where)

    def _restore(self, first: str) -> None:
        self.resize(_SIZE)
        geometry = self._memory.value("window/geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        kept = str(self._memory.value("window/page", first))
        name, _, place = kept.partition("/")
        self._turn_to(name if name in self._pages else first)
        if place and name in self._pages:
            self._pages[name].go_to(place)

    def _side(self, pages: Sequence[Page]) -> QWidget:
        side = QWidget()
        side.setProperty("kind", "side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side.setFixedWidth(theme.SIDE_WIDTH)
        group = QButtonGroup(side)
        brand = label("MetaClaw Tray", size=theme.HEADING, bold=True)
        inner = column(brand, gap=3)
        inner.setContentsMargins(12, theme.GAP_L + 4, 12, theme.GAP)
        inner.addSpacing(theme.GAP)
        for number, page in enumerate(pages, 1):
            made = QPushButton()
            made.setProperty("kind", "nav")
            made.setCheckable(True)
            made.setIconSize(QSize(20, 20))
            made.clicked.connect(lambda _checked=False, name=page.name: self._turn_to(name))
            group.addButton(made)
            inner.addWidget(made)
            self._buttons[page.name] = made
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda name=page.name: self._turn_to(name))
        inner.addStretch(1)
        inner.addWidget(self._status)
        side.setLayout(inner)
        self._retitle()
        return side

    def _retitle(self) -> None:
        for number, (name, made) in enumerate(self._buttons.items(), 1):
            made.setText(self._pages[name].title())
            made.setToolTip(self.tr("{title} (Ctrl+{number})").format(title=made.text(), number=number))
        self._paint_symbols()

    def _turn_to(self, name: str) -> None:
        if self.focusWidget() in self._buttons.values():
            self._buttons[name].setFocus()  # or the mark of the focus would stay with the page before
        self._stack.setCurrentWidget(self._pages[name])
        self._buttons[name].setChecked(True)
        self._paint_symbols()

    def _paint_symbols(self) -> None:
        now = theme.colours()
        for name, made in self._buttons.items():
            made.setIcon(icon(self._pages[name].symbol, now.accent if made.isChecked() else now.muted))

    def _news(self, topics: list[Topic]) -> None:
        for page in self._pages.values():
            page.news(set(topics))
        if {"status", "settings", "library"} & set(topics):
            self._ask_status()

    def _ask_status(self) -> None:
        self._bridge.ask(GetStatus(), self._status.show_status, self._status.show_problem, owner=self)


class _Status(QWidget):
    """How the app is, at the foot of the bar."""

    def __init__(self) -> None:
        super().__init__()
        self._dot = QLabel("●")
        self._words = label(kind="muted", size=theme.SMALL)
        inner = row(self._dot, self._words, gap=theme.GAP_S)
        inner.setStretch(1, 1)
        self.setLayout(inner)

    def show_status(self, status: Status) -> None:
        if status.trouble:
            self._say(
                "warn",
                self.tr("%n thing(s) to look at", "", len(status.trouble)),
                "\n".join(in_window(each).text for each in status.trouble),
            )
        elif not status.upstream:
            self._say(
                "warn", self.tr("No model yet"), self.tr("Agents cannot be served before a model is chosen.")
            )
        else:
            self._say("good", self.tr("Serving"), status.url)

    def show_problem(self, problem: object) -> None:
        self._say("bad", self.tr("The app does not answer"), str(getattr(problem, "detail", "")))

    def _say(self, kind: str, words: str, more: str) -> None:
        set_kind(self._dot, kind)
        self._words.setText(words)
        self.setToolTip(more)
        self._dot.setAccessibleName(words)
