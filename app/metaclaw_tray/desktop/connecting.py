"""How one agent is pointed at the app: its address and token while they are known, and ready-made lines."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from metaclaw_tray.admin.api import NewAgent
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.copying import CodeBlock, SecretField
from metaclaw_tray.desktop.known import NO_MODEL, KnownAgent, filled, guess, known_agents
from metaclaw_tray.desktop.parts import clear, column, label, row
from metaclaw_tray.desktop.steady import Steady


class ConnectLines(QWidget):
    """The lines for one kind of agent, which the person chooses, with this agent's values filled in."""

    def __init__(self, agent: NewAgent, model: str, kind: str = "") -> None:
        super().__init__()
        self._agent, self._model = agent, model
        self._lines: QVBoxLayout = column(gap=theme.GAP)
        self.kinds = Steady()
        self.kinds.setAccessibleName(self.tr("Kind of agent"))
        for each in known_agents():
            self.kinds.addItem(each.name, each.id)
        chosen = kind or guess(agent.name).id
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(chosen)))
        self.kinds.currentIndexChanged.connect(lambda _index: self._show())
        which = label(self.tr("Lines for"), "muted", wrap=False)
        which.setBuddy(self.kinds)
        self.setLayout(column(row(which, self.kinds, None), self._lines, gap=theme.GAP))
        self._show()

    @property
    def kind(self) -> KnownAgent:
        """The kind that is chosen."""
        return known_agents()[self.kinds.currentIndex()]

    def _show(self) -> None:
        clear(self._lines)
        kind = self.kind
        for each in kind.lines:
            text = filled(each.text, self._agent, self._model)
            note = each.note.replace("{model}", self._model or NO_MODEL)
            self._lines.addWidget(CodeBlock(each.where, text, secret=self._agent.token, note=note))
        if kind.names_model and not self._model:
            asked = self.tr("Put the name of your model in the place of {name}.").format(name=NO_MODEL)
            self._lines.addWidget(label(asked, "warn"))
        self._lines.addWidget(label(self.tr("And back: {how}").format(how=kind.back), "muted"))
        tried = self.tr("Tried with {facts}.").format(facts=kind.facts)
        self._lines.addWidget(label(tried, "muted", size=theme.SMALL))


class AddressFields(QWidget):
    """Addresses and token, masked, each to be copied."""

    def __init__(self, agent: NewAgent) -> None:
        super().__init__()
        token = agent.token
        self.setLayout(
            column(
                SecretField(self.tr("Address for OpenAI's protocols"), agent.base_url, token),
                SecretField(self.tr("Address for Anthropic's protocol"), agent.anthropic_base_url, token),
                SecretField(self.tr("Token, where one is asked for"), token, token),
                gap=theme.GAP_S,
            )
        )
