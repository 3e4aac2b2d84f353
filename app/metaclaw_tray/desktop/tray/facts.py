"""What the tray shows, kept: asked for on news and now and then, so that opening the menu never waits."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from metaclaw_tray.admin.api import ShowTray, Tray
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop.bridge import Bridge, Problem

_TOPICS: frozenset[Topic] = frozenset({"turns", "learning", "library", "status", "settings", "training"})
_GATHER_MS = 200  # news come in flocks
_SOON_MS, _LATER_MS = 5_000, 60_000  # until it is asked again: while something is at work, and else


class TrayFacts(QObject):
    """The last answer; `changed` tells of each new one."""

    changed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.tray: Tray | None = None
        self._asking = False
        self._again = False
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self.ask)
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self.ask)
        bridge.news.connect(self._news)

    def ask(self) -> None:
        """Ask again; what is asked for already is asked for once more after it."""
        if self._asking:
            self._again = True
            return
        self._asking = True
        self._bridge.ask(ShowTray(), self._came, self._failed, owner=self, place="tray")

    def _news(self, topics: list[Topic]) -> None:
        if _TOPICS & set(topics):
            self._gather.start()

    def _came(self, tray: Tray) -> None:
        self.tray = tray
        self._answered()
        self.changed.emit()

    def _failed(self, _problem: Problem) -> None:
        self._answered()  # what is shown stays; it is asked again

    def _answered(self) -> None:
        self._asking = False
        at_work = self.tray is not None and (self.tray.learning or self.tray.training.state == "running")
        self._later.start(_SOON_MS if at_work else _LATER_MS)
        if self._again:
            self._again = False
            self._gather.start()
