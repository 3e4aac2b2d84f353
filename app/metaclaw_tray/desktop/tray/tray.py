"""The tray put together: facts into icon, hint and menu, wherever there is a tray to be in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.tray.actions import TrayActions
from metaclaw_tray.desktop.tray.entries import Entries
from metaclaw_tray.desktop.tray.facts import TrayFacts
from metaclaw_tray.desktop.tray.hosts import TrayHosts
from metaclaw_tray.desktop.tray.menu import TrayMenu
from metaclaw_tray.desktop.tray.picture import tray_icon
from metaclaw_tray.desktop.tray.state import State, state_of
from metaclaw_tray.desktop.tray.wording import Words

_NAME = "MetaClaw Tray"


class TrayIcon(QObject):
    """The icon with its menu."""

    def __init__(
        self, bridge: Bridge, open_page: Callable[[str], None], ask_to_quit: Callable[[], None]
    ) -> None:
        super().__init__()
        self._words = Words(self)
        self._open_page = open_page
        self.facts = TrayFacts(bridge)
        self.actions = TrayActions(bridge, self._words, open_page, ask_to_quit, self.facts.ask)
        self._entries = Entries(self.actions, self._words)
        self.menu = TrayMenu()
        self.menu.opens.connect(self._opens)
        self.facts.changed.connect(self._show)
        self._icon: QSystemTrayIcon | None = None
        self._painted: tuple[State, int, bool] | None = None
        self._hosts = TrayHosts()
        self._hosts.came.connect(self._make)
        self._hosts.went.connect(self._drop)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _scheme: self._show())

    @property
    def is_hosted(self) -> bool:
        """Whether a tray shows it now."""
        return self._hosts.there

    def start(self) -> None:
        """Appear where there is a tray, and ask for what there is to show."""
        self._hosts.start()
        self.facts.ask()

    def _make(self) -> None:
        """Make the icon anew: one that was made before a host came is not seen by it."""
        self._drop()
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._activated)
        self._painted = None
        self._show()
        self._icon.show()

    def _drop(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _opens(self) -> None:
        self._show()
        self.facts.ask()

    def _show(self) -> None:
        tray, now = self.facts.tray, datetime.now(UTC)
        self.menu.show_entries(self._entries.made(tray, now))
        if self._icon is None:
            return
        state, count = (state_of(tray), len(tray.proposals)) if tray is not None else (State.SERVING, 0)
        painted = (state, count, theme.is_dark())
        if painted != self._painted:
            self._painted = painted
            self._icon.setIcon(tray_icon(state, count, dark=painted[2]))
        hint = self._words.hint(tray, now) if tray is not None else ""
        self._icon.setToolTip(f"{_NAME}\n{hint}" if hint else _NAME)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.DoubleClick,
        ):
            self._open_page("")
