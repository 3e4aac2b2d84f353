"""The menu on the screen. It is brought up to date whenever the facts change and as it opens.

A tray host shows a copy of the menu, and what is pressed there comes back by a number. So an entry that stays
is changed in place and keeps its number; only where entries come or go is the menu made anew, and not while
it is open.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from metaclaw_tray.desktop.tray.entries import Entry

_OPEN_AT_MOST_MS = 20_000  # some hosts never say that it was closed


class TrayMenu(QMenu):
    """Shows entries. `opens` tells that somebody is about to look: give it the latest with `show_entries`."""

    opens = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Entry, ...] = ()
        self._waiting: tuple[Entry, ...] | None = None
        self._inner: list[QMenu] = []
        self._open = QTimer(self, singleShot=True, interval=_OPEN_AT_MOST_MS)
        self._open.timeout.connect(self._closed)
        self.aboutToShow.connect(self._opens)
        self.aboutToHide.connect(self._closed)

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show these from now on."""
        if _shapes(entries) == _shapes(self._shown):
            self._shown, self._waiting = entries, None
            _update(self, entries)
        elif self._open.isActive():
            self._waiting = entries
        else:
            self._make(entries)

    def _opens(self) -> None:
        self._open.stop()
        self.opens.emit()
        self._open.start()

    def _closed(self) -> None:
        self._open.stop()
        if self._waiting is not None:
            # What was pressed is told after the menu is closed: let it arrive first.
            QTimer.singleShot(0, self, self._make_waiting)

    def _make_waiting(self) -> None:
        if self._waiting is not None and not self._open.isActive():
            self._make(self._waiting)

    def _make(self, entries: tuple[Entry, ...]) -> None:
        self._shown, self._waiting = entries, None
        self.clear()
        for each in self._inner:
            each.deleteLater()
        self._inner = []
        self._fill(self, entries)
        _update(self, entries)

    def _fill(self, menu: QMenu, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.inner:
                inner = QMenu(self)
                self._inner.append(inner)
                self._fill(inner, entry.inner)
                if entry.one_of:
                    _choice(inner)
                menu.addMenu(inner)
            elif not entry.text:
                menu.addSeparator()
            else:
                menu.addAction(self._action(menu, entry))

    def _action(self, menu: QMenu, entry: Entry) -> QAction:
        action = QAction(menu)
        action.setObjectName(entry.key)
        action.setCheckable(entry.checked is not None)
        action.triggered.connect(lambda _checked=False, key=entry.key: self._pressed(key))
        return action

    def _pressed(self, key: str) -> None:
        found = _find(self._shown, key)
        if found is None:
            return
        _update(self, self._shown)  # Qt turned the mark at once; the facts say when it is so
        if found.act is not None:
            found.act()


def _choice(menu: QMenu) -> None:
    group = QActionGroup(menu)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
    for action in menu.actions():
        group.addAction(action)


def _update(menu: QMenu, entries: Sequence[Entry]) -> None:
    for action, entry in zip(menu.actions(), entries, strict=True):
        action.setText(entry.text.replace("&", "&&"))
        action.setEnabled(entry.enabled)
        if entry.checked is not None:
            action.setChecked(entry.checked)
        inner = action.menu()
        if isinstance(inner, QMenu) and entry.inner:
            _update(inner, entry.inner)


def _find(entries: Sequence[Entry], key: str) -> Entry | None:
    for each in entries:
        found = each if each.key == key else _find(each.inner, key)
        if found is not None:
            return found
    return None


def _shapes(entries: Sequence[Entry]) -> tuple[object, ...]:
    return tuple(each.shape for each in entries)
