"""When the first steps come up: with the window where nothing could be served yet, and when asked for."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from shiboken6 import isValid

from metaclaw_tray.admin.api import FirstRun, ShowFirstRun
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.firstrun.dialog import FirstSteps
from metaclaw_tray.desktop.pages.settings.page import SettingsPage
from metaclaw_tray.desktop.window import Window


class FirstStepsKeeper(QObject):
    """Offers them once in a run of the window, and never to who said no."""

    def __init__(self, window: Window, bridge: Bridge) -> None:
        super().__init__(window)
        self._window, self._bridge = window, bridge
        self._offered = False
        self.dialog: FirstSteps | None = None
        window.installEventFilter(self)
        settings = window.page(SettingsPage.name)
        if isinstance(settings, SettingsPage):
            settings.first_steps.connect(self.begin)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 Qt's own name
        if watched is self._window and event.type() == QEvent.Type.Show and not self._offered:
            self._offered = True
            self._bridge.ask(ShowFirstRun(), self._look, self._nothing, owner=self)
        return super().eventFilter(watched, event)

    def _look(self, found: FirstRun) -> None:
        if found.is_left_open or (found.state == "new" and found.needed):
            self._open(found.step)

    def begin(self) -> None:
        """Show them from the first one."""
        self._open(0)

    def _open(self, at: int) -> None:
        if self.dialog is not None and isValid(self.dialog):
            self.dialog.raise_()
            return
        self.dialog = FirstSteps(self._window, self._bridge, at)
        self.dialog.open()

    def _nothing(self, _problem: Problem) -> None:
        """The window says by itself that the app does not answer."""
