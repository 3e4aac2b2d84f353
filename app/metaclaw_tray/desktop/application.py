"""Putting the window together: the application, its language and looks, the bridge, tray and pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication

from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Pipe, Problem
from metaclaw_tray.desktop.pages.today import TodayPage
from metaclaw_tray.desktop.sheet import ConsentSheet, tell_problem
from metaclaw_tray.desktop.window import Window
from metaclaw_tray.paths import Paths

_FLUSH_SECONDS = 2.0
_MEMORY = "window.ini"  # size, place and the like, in the state folder


def run(pipe: Pipe, argv: Sequence[str]) -> int:
    """Show the window until the app ends or the person leaves it; the exit code."""
    app = QApplication(list(argv))
    app.setApplicationName("metaclaw-tray")
    app.setApplicationDisplayName("MetaClaw Tray")
    app.setDesktopFileName("metaclaw-tray")
    app.setQuitOnLastWindowClosed(False)
    desk = Desk(app, pipe)
    desk.start()
    code = app.exec()
    desk.finish()
    return code


class Desk(QObject):
    """All that is on the screen."""

    def __init__(self, app: QApplication, pipe: Pipe) -> None:
        super().__init__()
        self._app = app
        theme.apply(app)
        app.styleHints().colorSchemeChanged.connect(lambda _scheme: theme.apply(app))
        self.memory = QSettings(str(Paths.find().state_dir / _MEMORY), QSettings.Format.IniFormat)
        self.bridge = Bridge(pipe)
        self.window = Window(self.bridge, [TodayPage(self.bridge)], self.memory)
        self.bridge.show_page.connect(self.window.open_page)
        self.bridge.sheet.connect(self._sheet)
        self.bridge.problem.connect(self._problem)
        self.bridge.closed.connect(app.quit)

    def start(self) -> None:
        """Begin to talk with the app."""
        self.bridge.start()

    def finish(self) -> None:
        """Keep what should be there at the next start, and say the last words."""
        self.window.remember()
        self.memory.sync()
        self.bridge.flush(_FLUSH_SECONDS)

    def leave(self, *, serve_on: bool) -> None:
        """The person leaves: the window only, or with it the app."""
        self.bridge.leave(serve_on=serve_on)
        self._app.quit()

    def _sheet(self, sheet: Sheet) -> None:
        ConsentSheet(self.window, self.bridge, sheet).open()

    def _problem(self, problem: Problem) -> None:
        tell_problem(self.window, problem)
