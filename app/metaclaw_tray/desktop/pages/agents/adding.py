"""Let an agent in: its kind and its name."""

from __future__ import annotations

import re
from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from metaclaw_tray.admin.api import AddAgent, NewAgent
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.known import known_agents
from metaclaw_tray.desktop.parts import button, column, heading, label, row
from metaclaw_tray.desktop.steady import Steady


def free_name(kind: str, taken: Collection[str]) -> str:
    """A name for an agent of this kind that none has yet."""
    number = 1
    while (name := kind if number == 1 else f"{kind}-{number}") in taken:
        number += 1
    return name


def as_name(text: str) -> str:
    """What a person typed, as a name may be: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.strip().lower()).strip("-_")[:41]


class AgentForm(QWidget):
    """Kind and name; `added` gives the new agent and its kind."""

    added = Signal(object, str)

    def __init__(self, bridge: Bridge, taken: Collection[str]) -> None:
        super().__init__()
        self._bridge, self._taken = bridge, set(taken)
        self.kinds = Steady()
        for each in known_agents():
            self.kinds.addItem(each.name, each.id)
        self.name = QLineEdit()
        self._problem = label(kind="bad")
        self._problem.hide()
        which, named = label(self.tr("What is it?")), label(self.tr("A name for it"))
        which.setBuddy(self.kinds)
        named.setBuddy(self.name)
        self.kinds.setAccessibleName(which.text())
        self.name.setAccessibleName(named.text())
        hint = self.tr("So that you can tell its conversations from those of others.")
        self.setLayout(
            column(
                column(which, self.kinds, gap=4),
                column(named, self.name, label(hint, "muted", size=theme.SMALL), gap=4),
                self._problem,
                gap=theme.GAP,
            )
        )
        self.kinds.currentIndexChanged.connect(lambda _index: self._suggest())
        self._suggest()

    def send(self) -> None:
        """Let it in, and hear of it by `added`."""
        name = as_name(self.name.text())
        if not name:
            self._say(self.tr("Give it a name of letters and digits."))
            return
        if name in self._taken:
            self._say(self.tr("There is an agent named {name} already.").format(name=name))
            return
        self._problem.hide()
        self._bridge.ask(AddAgent(name), self._let_in, self._failed, owner=self)

    def _let_in(self, agent: NewAgent) -> None:
        self._taken.add(agent.name)
        self.added.emit(agent, str(self.kinds.currentData()))

    def _failed(self, problem: Problem) -> None:
        self._say(problem.words)

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.show()

    def _suggest(self) -> None:
        self.name.setText(free_name(str(self.kinds.currentData()), self._taken))


class AddAgentDialog(Dialog):
    """The form by itself, over the page."""

    def __init__(self, parent: QWidget, bridge: Bridge, taken: Collection[str]) -> None:
        super().__init__("", parent, width=440)
        self.setWindowTitle(self.tr("Add an agent"))
        self.form = AgentForm(bridge, taken)
        add = button(self.tr("Add"), self.form.send, "primary")
        add.setDefault(True)
        self.setLayout(
            column(
                heading(self.tr("Add an agent")),
                label(self.tr("It gets a token of its own, and nothing of it is changed."), "muted"),
                self.form,
                row(None, button(self.tr("Cancel"), self.reject), add),
                gap=theme.GAP,
                margin=theme.GAP_L,
            )
        )
        self.form.added.connect(lambda _agent, _kind: self.accept())
