"""Connecting a calendar: by its secret address or a file, or by signing in at Google."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QWidget

from metaclaw_tray.admin.api.calendars import CalendarRow, ConnectGoogle, ConnectIcs
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import button, column, heading, label, row, set_kind


class _ConnectDialog(Dialog):
    """What both share: a button that asks, and what came of it."""

    connected = Signal()

    def __init__(self, title: str, parent: QWidget, bridge: Bridge) -> None:
        super().__init__(title, parent, width=540)
        self._bridge = bridge
        self._said = label(kind="muted")
        self._said.hide()
        self._go = button(self.tr("Connect"), self.connect_it, "primary")
        self._go.setDefault(True)
        self._number = 0

    def connect_it(self) -> None:
        """Ask the app, which asks the person first."""

    def reject(self) -> None:
        if self._number:
            self._bridge.drop(self._number)
        super().reject()

    def _finish(self, *parts: QWidget) -> None:
        buttons = row(None, button(self.tr("Cancel"), self.reject), self._go)
        inner = column(heading(self.windowTitle()), *parts, self._said, buttons)
        inner.setContentsMargins(theme.GAP_L, theme.GAP_L, theme.GAP_L, theme.GAP_L)
        self.setLayout(inner)

    def _ask(self, verb: ConnectIcs | ConnectGoogle, waiting: str) -> None:
        self._tell(waiting, "muted")
        self._go.setEnabled(False)
        self._number = self._bridge.ask(verb, self._done, self._failed, owner=self, told=self._step)

    def _step(self, text: str) -> None:
        self._tell(text, "muted")

    def _done(self, _row: CalendarRow) -> None:
        self._number = 0
        self.connected.emit()
        self.accept()

    def _failed(self, problem: Problem) -> None:
        self._number = 0
        self._go.setEnabled(True)
        if problem.title == NOT_DONE:
            self._said.hide()
        else:
            self._tell(problem.words, "bad")

    def _tell(self, text: str, kind: str) -> None:
        set_kind(self._said, kind)
        self._said.setText(text)
        self._said.show()


class IcsDialog(_ConnectDialog):
    """An address to paste, or a file."""

    def __init__(self, parent: QWidget, bridge: Bridge) -> None:
        super().__init__(parent.tr("Add a calendar"), parent, bridge)
        self.address = QLineEdit()
        self.address.setAccessibleName(self.tr("Secret address, or file"))
        self.address.setPlaceholderText("https://…/basic.ics")
        self.me = QLineEdit()
        self.me.setAccessibleName(self.tr("Your own address in its invitations"))
        self.me.setPlaceholderText("you@example.org")
        choose = button(self.tr("Choose a file…"), self._choose)
        where = self.tr(
            "In Google Calendar: the calendar's settings, “Secret address in iCal format”. In Outlook: "
            "shared calendars, “Publish”. Others call it a private link. The address opens your calendar to "
            "whoever has it, so it is kept in the system's keyring."
        )
        mine = self.tr("So that invitations you declined do not count. It may stay empty.")
        line = QWidget()
        line.setLayout(row(self.address, choose))
        self._finish(
            label(self.tr("Secret address, or file"), bold=True),
            line,
            label(where, "muted", size=theme.SMALL),
            label(self.tr("Your own address in its invitations"), bold=True),
            self.me,
            label(mine, "muted", size=theme.SMALL),
        )

    def connect_it(self) -> None:
        text = self.address.text().strip()
        if not text:
            self._tell(self.tr("Paste the address first, or choose a file."), "bad")
            return
        me = self.me.text().strip()
        verb = ConnectIcs(address=text, me=me) if "://" in text else ConnectIcs(path=text, me=me)
        self._ask(verb, self.tr("It is read once…"))

    def _choose(self) -> None:
        chooser = QFileDialog(self, self.tr("Which calendar file?"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilter(self.tr("Calendars (*.ics)"))
        chooser.fileSelected.connect(self.address.setText)
        chooser.open()


class GoogleDialog(_ConnectDialog):
    """The person's own client file, and how much may be read."""

    def __init__(self, parent: QWidget, bridge: Bridge) -> None:
        super().__init__(parent.tr("Add a Google account"), parent, bridge)
        self.file = QLineEdit()
        self.file.setAccessibleName(self.tr("Client file"))
        self.file.setPlaceholderText("client_secret_….json")
        self.titles = QCheckBox(self.tr("Read events with their titles too, not only busy times"))
        choose = button(self.tr("Choose a file…"), self._choose)
        about = self.tr(
            "Google lets a program read a calendar only through a client that somebody has registered. You "
            "register your own, once; how is in the README under “Google Calendar”. A calendar's secret "
            "address is simpler and needs none of it."
        )
        line = QWidget()
        line.setLayout(row(self.file, choose))
        self._finish(
            label(about, "muted"),
            label(self.tr("Client file"), bold=True),
            line,
            self.titles,
        )

    def connect_it(self) -> None:
        path = self.file.text().strip()
        if not path:
            self._tell(self.tr("Choose the client file first."), "bad")
            return
        verb = ConnectGoogle(client_file=path, titles=self.titles.isChecked())
        self._ask(verb, self.tr("Your browser opens for the sign-in…"))

    def _choose(self) -> None:
        chooser = QFileDialog(self, self.tr("Which client file?"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilter("JSON (*.json)")
        chooser.fileSelected.connect(self.file.setText)
        chooser.open()
