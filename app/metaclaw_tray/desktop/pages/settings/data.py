"""Where everything lies, and forgetting: all of it, what is old, or what one agent said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import (
    AgentRow,
    FileRow,
    ForgetOutlook,
    ForgetTurns,
    Forgotten,
    ListAgents,
    LookAtForgetting,
    Privacy,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.copying import CopyButton
from metaclaw_tray.desktop.narrow import Choices, path_label
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row
from metaclaw_tray.desktop.sure import be_sure

_AGES = (7, 30, 90)


class DataSection(QWidget):
    """The files, and what is forgotten for good."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._files = column(gap=theme.GAP_S)
        self.which = Choices()
        self.which.setAccessibleName(self.tr("What to forget"))

        self._said = label(kind="good")
        self._said.hide()
        look = button(self.tr("Look and forget…"), self._look)
        about = self.tr(
            "Conversations are taken out of the record for good. You see first how many. What was learnt "
            "from them stays until you retire it."
        )
        self.setLayout(
            column(
                Card(
                    heading(self.tr("Forget")),
                    label(about, "muted"),
                    row(self.which, look, None),
                    self._said,
                ),
                Card(heading(self.tr("Where everything lies")), self._files),
                gap=theme.GAP,
            )
        )

    def refresh(self) -> None:
        """Ask which agents there are."""
        self._bridge.ask(ListAgents(), self._agents, lambda _problem: None, owner=self)

    def show_privacy(self, told: Privacy) -> None:
        """Say where the files are."""
        clear(self._files)
        for each in told.files:
            self._files.addWidget(self._file(each))

    def _file(self, file: FileRow) -> QWidget:
        made = QWidget()
        path = self._keyring(file.path) if file.what == "keys" else file.path
        lines = column(label(self._name(file)), path_label(path, size=theme.SMALL), gap=1)
        inner = row(lines, gap=theme.GAP)
        inner.setStretch(0, 1)
        if path == file.path:
            inner.addWidget(CopyButton(file.path, self._name(file)))
        made.setLayout(inner)
        return made

    def _name(self, file: FileRow) -> str:
        name = {
            "settings": self.tr("Settings"),
            "record": self.tr("Conversations and what was learnt"),
            "skills": self.tr("Skills, as files to read"),
            "keys": self.tr("Keys and tokens"),
            "logs": self.tr("Logs, without any words of conversations"),
            "models": self.tr("Models that were downloaded"),
        }[file.what]
        if file.bytes is None:
            return name
        size = QLocale().formattedDataSize(file.bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
        return f"{name} · {size}"

    def _keyring(self, place: str) -> str:
        return {
            "keyring": self.tr("In the system's keyring"),
            "memory": self.tr("In memory only, until the app ends"),
        }.get(place, place)

    def _agents(self, rows: list[AgentRow]) -> None:
        self.which.clear()
        for days in _AGES:
            self.which.addItem(self.tr("What is older than %n day(s)", "", days), ("days", days))
        for each in rows:
            self.which.addItem(self.tr("All of {agent}").format(agent=each.name), ("agent", each.name))
        self.which.addItem(self.tr("Everything"), ("days", 0))

    def _look(self) -> None:
        chosen = self.which.currentData()
        if chosen is None:
            return
        kind, value = chosen
        agent = str(value) if kind == "agent" else ""
        before = None if agent else datetime.now(UTC) - timedelta(days=int(value))
        self._said.hide()

        def looked(outlook: ForgetOutlook) -> None:
            self._ask(outlook, ForgetTurns(agent=agent, before=before, until=outlook.until))

        self._bridge.ask(LookAtForgetting(agent=agent, before=before), looked, self._failed, owner=self)

    def _ask(self, outlook: ForgetOutlook, verb: ForgetTurns) -> None:
        if not outlook.turns:
            self._say(self.tr("There is nothing of that."))
            return
        text = self.tr("%n exchange(s) would be gone for good.", "", outlook.exchanges)
        if outlook.proposals:
            text += " " + self.tr(
                "%n proposal(s) that rest on them would be withdrawn.", "", len(outlook.proposals)
            )
        if outlook.skills:
            text += " " + self.tr("%n skill(s) learnt from them stay.", "", len(outlook.skills))

        def forget() -> None:
            self._bridge.ask(verb, self._forgotten, self._failed, owner=self)

        be_sure(self, self.tr("Forget these conversations?"), text, self.tr("Forget"), forget)

    def _forgotten(self, done: Forgotten) -> None:
        self._say(self.tr("Gone: %n exchange(s).", "", done.exchanges))

    def _say(self, words: str) -> None:
        self._said.setText(words)
        self._said.show()

    def _failed(self, problem: Problem) -> None:
        self._bridge.problem.emit(problem)
