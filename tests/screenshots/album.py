"""One look: every page with its parts, each dialog, and the menu, as pictures in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QTabWidget,
    QWidget,
)

from metaclaw_tray.desktop.application import Desk
from metaclaw_tray.desktop.page import Page

_QUIET_MS = 400  # without an answer outstanding, after which a page has settled
_PATIENCE_MS = 15_000


class Album:
    """Takes the pictures of one window."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self._folder, self.desk = folder, desk
        self.taken: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, name: str, widget: QWidget | None = None) -> None:
        """A picture of a widget, of the window if none is given, when it has settled."""
        self.settle()
        file = self._folder / f"{len(self.taken) + 1:02} {name}.png"
        (widget or self.desk.window).grab().save(str(file))
        self.taken.append(file)

    def settle(self) -> None:
        """Wait until nothing that was asked is unanswered for a while."""
        quiet = waited = 0
        while quiet < _QUIET_MS and waited < _PATIENCE_MS:
            QTest.qWait(50)
            waited += 50
            quiet = 0 if self.desk.bridge.is_waiting else quiet + 50

    def take_dialog(self, name: str, open_it: Callable[[], object]) -> None:
        """A picture of the dialog that comes up, and away with it."""
        before = set(_dialogs())
        open_it()
        self.settle()
        for dialog in [each for each in _dialogs() if each not in before]:
            self.take(name, dialog)
            dialog.close()
        QTest.qWait(50)

    def take_pages(self) -> None:
        """Each page, and each tab and each first row that it has."""
        for page in self.desk.window.pages:
            self.desk.window.open_page(page.name)
            self.take(page.name)
            self._take_parts(page)

    def _take_parts(self, page: Page) -> None:
        for tabs in _shown(page.findChildren(QTabWidget)):
            for place in range(1, tabs.count()):
                if tabs.isTabVisible(place):
                    tabs.setCurrentIndex(place)
                    self.take(f"{page.name}, {tabs.tabText(place)}")
            tabs.setCurrentIndex(0)
        for rows in _shown(page.findChildren(QAbstractItemView)):
            model = rows.model()
            if not rows.objectName().startswith("qt_") and 1 < model.rowCount() < 12:
                for row in range(model.rowCount()):
                    rows.setCurrentIndex(model.index(row, 0))
                    self.take(f"{page.name}, row {row + 1}")

    def resize(self, width: int, height: int) -> None:
        self.desk.window.resize(QSize(width, height))


def _shown(widgets: Iterable[QWidget]) -> list[QWidget]:
    return [each for each in widgets if each.isVisible()]


def _dialogs() -> list[QDialog]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
