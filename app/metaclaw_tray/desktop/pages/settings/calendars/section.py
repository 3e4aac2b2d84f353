"""The calendars that are connected, how fresh each is, and connecting another one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api.calendars import CalendarRow, DisconnectCalendar, ListCalendars, ReadCalendar
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.moments import ago
from metaclaw_tray.desktop.pages.settings.calendars.dialog import GoogleDialog, IcsDialog
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row, rule
from metaclaw_tray.desktop.remedies import in_window
from metaclaw_tray.desktop.sure import be_sure


class CalendarsSection(QWidget):
    """Asks for what it shows whenever `refresh` is called."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._rows: list[CalendarRow] | None = None
        self._lines = column(gap=theme.GAP)
        by_address = button(self.tr("Add by address or file…"), self.add, symbol="plus")
        by_google = button(self.tr("Add a Google account…"), self.add_google, "link")
        about = self.tr(
            "While you are in a meeting, a model of yours may be trained. What your calendars say stays on "
            "this machine."
        )
        self.setLayout(
            column(
                Card(
                    heading(self.tr("Calendars")),
                    label(about, "muted"),
                    self._lines,
                    row(by_address, by_google, None),
                )
            )
        )

    def refresh(self) -> None:
        """Ask anew."""
        self._bridge.ask(ListCalendars(), self._took, lambda _problem: None, owner=self)

    def add(self) -> None:
        """One by its secret address, or a file."""
        self._open(IcsDialog(self, self._bridge))

    def add_google(self) -> None:
        """One of a Google account."""
        self._open(GoogleDialog(self, self._bridge))

    def _open(self, dialog: IcsDialog | GoogleDialog) -> None:
        dialog.connected.connect(self.refresh)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _took(self, rows: list[CalendarRow]) -> None:
        if rows == self._rows:
            return  # what a test said stays
        self._rows = rows
        clear(self._lines)
        for each in rows:
            line = CalendarLine(each)
            line.read.connect(self._read)
            line.remove.connect(self._remove)
            self._lines.addWidget(line)
            self._lines.addWidget(rule())
        if not rows:
            self._lines.addWidget(label(self.tr("None yet."), "muted"))

    def _read(self, name: str) -> None:
        self._bridge.ask(ReadCalendar(name), lambda _row: self.refresh(), self._told, owner=self)

    def _remove(self, name: str) -> None:
        def remove() -> None:
            verb = DisconnectCalendar(name=name, yes=True)
            self._bridge.ask(verb, lambda _said: self.refresh(), self._told, owner=self)

        text = self.tr(
            "What it said, and its address or permission, are forgotten here. Nothing changes in the "
            "calendar itself."
        )
        be_sure(self, self.tr("Disconnect {name}?").format(name=name), text, self.tr("Disconnect"), remove)

    def _told(self, problem: Problem) -> None:
        self._bridge.problem.emit(problem)


class CalendarLine(QWidget):
    """One calendar. Signals name it."""

    read = Signal(str)
    remove = Signal(str)

    def __init__(self, calendar: CalendarRow, parent: QObject | None = None) -> None:
        del parent
        super().__init__()
        name = label(calendar.name, bold=True)
        name.setWordWrap(False)
        now = button(self.tr("Read now"), lambda: self.read.emit(calendar.name))
        now.setAccessibleName(self.tr("Read {name} now").format(name=calendar.name))
        gone = button(self.tr("Disconnect"), lambda: self.remove.emit(calendar.name), "link")
        gone.setAccessibleName(self.tr("Disconnect {name}").format(name=calendar.name))
        words = column(row(name, self._chip(calendar), None, gap=theme.GAP_S), gap=2)
        words.addWidget(label(self._about(calendar), "muted", size=theme.SMALL))
        if calendar.trouble:
            words.addWidget(label(in_window(calendar.trouble).text, "bad", size=theme.SMALL))
        inner = row(words, now, gone, gap=theme.GAP)
        inner.setStretch(0, 1)
        self.setLayout(inner)

    def _chip(self, calendar: CalendarRow) -> QWidget:
        text, kind = {
            "fresh": (self.tr("Fresh"), "chip-good"),
            "old": (self.tr("A while ago"), "chip"),
            "stale": (self.tr("Too old to count"), "chip-warn"),
            "signed out": (self.tr("Sign in again"), "chip-bad"),
            "failing": (self.tr("Cannot be read"), "chip-bad"),
        }[calendar.state]
        return label(text, kind)

    def _about(self, calendar: CalendarRow) -> str:
        place = calendar.host or calendar.path
        counted = self.tr("%n event(s) in these weeks", "", calendar.events)
        may = self.tr("training may run in %n of them", "", calendar.meetings)
        parts = [place, f"{counted}, {may}"]
        if calendar.kind == "google" and not calendar.titles:
            parts.append(self.tr("busy times only"))
        if calendar.skipped:
            parts.append(self.tr("%n could not be read", "", calendar.skipped))
        if calendar.read_at is not None:
            parts.append(self.tr("read {when}").format(when=ago(calendar.read_at)))
        return " · ".join(parts)
