"""Putting the window together: the application, its language and looks, the bridge, tray and pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QDialog

from metaclaw_tray.admin.api import ShowTray, Tray
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Pipe, Problem
from metaclaw_tray.desktop.firstrun.offering import FirstStepsKeeper
from metaclaw_tray.desktop.language import LanguageKeeper, install_language, wanted_language
from metaclaw_tray.desktop.notifications.notifier import Notifier
from metaclaw_tray.desktop.notifications.teller import Teller
from metaclaw_tray.desktop.notifications.wording import Wording
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.agents.page import AgentsPage
from metaclaw_tray.desktop.pages.conversations.page import ConversationsPage
from metaclaw_tray.desktop.pages.settings.page import SettingsPage
from metaclaw_tray.desktop.pages.skills.page import SkillsPage
from metaclaw_tray.desktop.pages.today.page import TodayPage
from metaclaw_tray.desktop.pages.training.page import TrainingPage
from metaclaw_tray.desktop.quitting import QuitDialog
from metaclaw_tray.desktop.sheet import ConsentSheet, tell_problem
from metaclaw_tray.desktop.tray.picture import tray_icon
from metaclaw_tray.desktop.tray.state import State
from metaclaw_tray.desktop.tray.tray import TrayIcon
from metaclaw_tray.desktop.tray.wording import Words
from metaclaw_tray.desktop.window import Window
from metaclaw_tray.paths import Paths

_FLUSH_SECONDS = 2.0
_MEMORY = "window.ini"  # size, place and the like, in the state folder
_HOST_MS = 20_000  # that a start at log-in waits for a tray before it opens the window instead


def run(pipe: Pipe, argv: Sequence[str]) -> int:
    """Show the window until the app ends or the person leaves it; the exit code."""
    app = QApplication(["metaclaw-tray", *argv[1:]])  # X11 knows the windows by the first word
    install_language(app, Paths.find())
    app.setApplicationName("metaclaw-tray")
    app.setApplicationDisplayName("MetaClaw Tray")
    app.setDesktopFileName("metaclaw-tray")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(tray_icon(State.SERVING))
    desk = Desk(app, pipe)
    desk.start()
    code = app.exec()
    desk.finish()
    return code


def pages(bridge: Bridge) -> list[Page]:
    """The pages of the window, in their order."""
    return [
        TodayPage(bridge),
        SkillsPage(bridge),
        ConversationsPage(bridge),
        TrainingPage(bridge),
        AgentsPage(bridge),
        SettingsPage(bridge),
    ]


class Desk(QObject):
    """All that is on the screen."""

    def __init__(self, app: QApplication, pipe: Pipe) -> None:
        super().__init__()
        self._app = app
        theme.apply(app)
        app.styleHints().colorSchemeChanged.connect(lambda _scheme: theme.apply(app))
        self.memory = QSettings(str(Paths.find().state_dir / _MEMORY), QSettings.Format.IniFormat)
        self.bridge = Bridge(pipe)
        self.window = Window(self.bridge, pages(self.bridge), self.memory)
        self.window.installEventFilter(self)
        self.first_steps = FirstStepsKeeper(self.window, self.bridge)
        today = self.window.page(TodayPage.name)
        if isinstance(today, TodayPage):
            today.first_steps.connect(self.first_steps.begin)
        self.window.left.connect(self._window_closed)
        self.tray = TrayIcon(self.bridge, self.window.open_page, self.ask_to_quit)
        self.teller = Teller(self.bridge, Notifier(), Wording(Words(self)), self.window.open_page)
        self.language = LanguageKeeper(self.bridge, wanted_language(Paths.find()))
        self.language.changed.connect(self._renew)
        self._quitting: QuitDialog | None = None
        self._no_host = QTimer(self, singleShot=True, interval=_HOST_MS)
        self._no_host.timeout.connect(self._open_without_host)
        self._shown = False
        self.bridge.show_page.connect(self._show)
        self.bridge.stay_hidden.connect(self._stay_hidden)
        self.bridge.sheet.connect(self._sheet)
        self.bridge.problem.connect(self._problem)
        self.bridge.closed.connect(app.quit)

    def start(self) -> None:
        """Begin to talk with the app, which says when to appear."""
        self.bridge.start()

    def finish(self) -> None:
        """Keep what should be there at the next start, and say the last words."""
        self.window.remember()
        self.memory.sync()
        self.bridge.flush(_FLUSH_SECONDS)

    def ask_to_quit(self) -> None:
        """Ask how to leave, after a look at who talks through the app now."""

        def ask(tray: Tray) -> None:
            self._ask_to_quit(tray.talking)

        def without(_problem: Problem) -> None:
            known = self.tray.facts.tray
            self._ask_to_quit(known.talking if known is not None else [])

        self.bridge.ask(ShowTray(), ask, without, owner=self, place="tray")

    def leave(self, *, serve_on: bool) -> None:
        """The person leaves: the window only, or with it the app."""
        self.bridge.leave(serve_on=serve_on)
        self._app.quit()

    def _renew(self) -> None:
        """Begin anew in another language, where that takes nothing from the person; else the next start
        brings it."""
        if QApplication.activeModalWidget() is None and not any(e.has_unsaved() for e in self.window.pages):
            self.bridge.renew("" if self.window.isHidden() else self.window.where)
            self._app.quit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 Qt's own name
        if watched is self.window and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.bridge.visible(opened=event.type() == QEvent.Type.Show)
        return super().eventFilter(watched, event)

    def _ask_to_quit(self, talking: Sequence[str]) -> None:
        if self._quitting is not None:
            self._quitting.close()
        made = QuitDialog(talking)
        made.chosen.connect(lambda serve_on: self.leave(serve_on=serve_on))
        self._quitting = made
        made.show()
        made.raise_()
        made.activateWindow()

    def _show(self, page: str) -> None:
        self._appear()
        self._no_host.stop()
        self.window.open_page(page)

    def _stay_hidden(self) -> None:
        self._appear()
        self._no_host.start()

    def _appear(self) -> None:
        """Come out when the app first says so: it serves from then on."""
        if not self._shown:
            self._shown = True
            self.tray.start()
            self.teller.start()

    def _window_closed(self) -> None:
        """Without a tray nothing would be left on the screen: ask what is meant."""
        if not self.tray.is_hosted:
            self.ask_to_quit()

    def _open_without_host(self) -> None:
        if not self.tray.is_hosted:
            self.window.open_page("")

    def _sheet(self, sheet: Sheet) -> None:
        over = QApplication.activeModalWidget() or self.window
        ConsentSheet(over, self.bridge, sheet, self.bridge.verb_of(sheet)).open()

    def _go(self, place: str) -> None:
        """Open a page from a message; what stands over the window goes, or the page could not be used."""
        if isinstance(over := QApplication.activeModalWidget(), QDialog):
            over.reject()
        self.window.open_page(place)

    def _problem(self, problem: Problem) -> None:
        if problem.title == NOT_DONE:
            return  # the person's own no
        tell_problem(QApplication.activeModalWidget() or self.window, problem, self._go)
