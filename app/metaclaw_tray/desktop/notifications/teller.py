"""Asks the app what is due, has it shown, and says so to the app, which then never gives it again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from metaclaw_tray.admin.api import (
    ListNotifications,
    Notification,
    NotificationShown,
    SetAutostart,
)
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.notifications.wording import Told, Wording

_TOPICS: frozenset[Topic] = frozenset({"turns", "library", "status", "settings", "training"})
_GATHER_MS = 1500  # what comes together is told together
_LOOK_MS = 60_000  # quiet hours end, and trouble lasts, without any news


class Shows(Protocol):
    """The notifier, or its stand-in."""

    pressed: SignalInstance
    shown: SignalInstance
    failed: SignalInstance

    def show(self, number: int, told: Told) -> None: ...


class Teller(QObject):
    """Tells. `open_page` brings up the window at a page."""

    def __init__(
        self, bridge: Bridge, notifier: Shows, wording: Wording, open_page: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._notifier = notifier
        self._wording = wording
        self._open_page = open_page
        self._showing: dict[int, Notification] = {}
        self._count = 0
        notifier.pressed.connect(self._pressed)
        notifier.shown.connect(self._shown)
        notifier.failed.connect(self._failed)
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self._ask)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._ask)
        bridge.news.connect(self._news)

    def start(self) -> None:
        """Begin to tell."""
        self._look.start()
        self._gather.start()

    def _news(self, topics: list[Topic]) -> None:
        if _TOPICS & set(topics) and not self._gather.isActive():
            self._gather.start()

    def _ask(self) -> None:
        self._bridge.ask(ListNotifications(), self._due, self._unanswered, owner=self, place="tray")

    def _due(self, found: list[Notification]) -> None:
        under_way = {key for each in self._showing.values() for key in each.keys}
        for each in found:
            if not under_way & set(each.keys):
                self._count += 1
                self._showing[self._count] = each
                self._notifier.show(self._count, self._wording.told(each, datetime.now(UTC)))

    def _shown(self, number: int) -> None:
        each = self._showing[number]
        done = NotificationShown(each.kind, each.keys)

        def answered(_answer: object) -> None:
            del self._showing[number]

        self._bridge.ask(done, answered, self._unanswered, owner=self, place="tray")

    def _failed(self, number: int) -> None:
        del self._showing[number]  # it stays due, and the next look tries again

    def _unanswered(self, _problem: Problem) -> None:
        """Nobody has to hear of it: what was not told is due at the next look."""

    def _pressed(self, does: str) -> None:
        what, _, which = does.partition(":")
        if what == "page":
            self._open_page(which)
        elif what == "autostart":
            self._bridge.ask(SetAutostart(which == "on"), lambda _said: None, owner=self, place="tray")
