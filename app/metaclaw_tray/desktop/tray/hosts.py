"""Whether there is a tray to be in, and when one comes or goes.

A desktop that has trays over D-Bus owns the name below; one that starts after us, or starts again, is noticed
by it. The older trays of X11 have no such name; Qt knows whether one is there.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

_WATCHER = "org.kde.StatusNotifierWatcher"
_LOOK_MS = 3000  # between two looks for a tray of X11


class TrayHosts(QObject):
    """Watches. `came`: an icon has to be made to be seen, also where one was; `went`: nobody shows it."""

    came = Signal()
    went = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._over_bus = False
        self._there = False
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._check)

    @property
    def there(self) -> bool:
        """Whether there is a tray now."""
        return self._there

    def start(self) -> None:
        """Begin to watch. Whoever listens hears at once of a tray that is there."""
        if not (sys.platform.startswith("linux") and self._watch_bus()):
            self._check()
        self._look.start()

    def _check(self) -> None:
        there = self._over_bus or QSystemTrayIcon.isSystemTrayAvailable()
        if there != self._there:
            self._there = there
            (self.came if there else self.went).emit()

    def _watch_bus(self) -> bool:
        from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return False
        mode = QDBusServiceWatcher.WatchModeFlag
        self._watcher = QDBusServiceWatcher(
            _WATCHER, bus, mode.WatchForRegistration | mode.WatchForUnregistration, self
        )
        self._watcher.serviceRegistered.connect(self._came)
        self._watcher.serviceUnregistered.connect(self._went)
        self._ask_bus()
        return True

    def _ask_bus(self) -> None:
        """Ask once whether a host is there already, without waiting for the answer."""
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        place = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
        question = QDBusMessage.createMethodCall(*place, "NameHasOwner")
        question.setArguments([_WATCHER])
        self._asked = QDBusPendingCallWatcher(QDBusConnection.sessionBus().asyncCall(question), self)

        def answered(call: QDBusPendingCallWatcher) -> None:
            if not call.isError() and call.reply().arguments() == [True]:
                self._came(_WATCHER)
            else:
                self._check()

        self._asked.finished.connect(answered)

    def _came(self, _service: str) -> None:
        self._over_bus = self._there = True
        self.came.emit()

    def _went(self, _service: str) -> None:
        """An icon that stayed would register with the next host too, beside the one that is made then."""
        self._over_bus = self._there = False
        self.went.emit()
        self._check()
