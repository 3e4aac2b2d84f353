"""The second step: an agent is let in and pointed here."""

from __future__ import annotations

from metaclaw_tray.admin.api import AgentRow, ListAgents, ListUpstreams, NewAgent, UpstreamRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.connecting import AddressFields, ConnectLines
from metaclaw_tray.desktop.firstrun.step import Step
from metaclaw_tray.desktop.pages.agents.adding import AgentForm
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row


class AgentStep(Step):
    """The form first; then what to copy, until the person goes on."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._agents: list[AgentRow] = []
        self._model = ""
        self._fresh = False
        self._place = column(gap=theme.GAP)
        self.form: AgentForm | None = None
        self.body.addLayout(self._place)

    def title(self) -> str:
        return self.tr("Connect an agent")

    def line(self) -> str:
        return self.tr("It gets an address and a token of its own. Nothing is changed behind your back.")

    @property
    def done(self) -> bool:
        return bool(self._agents)

    def enter(self) -> None:
        self.bridge.ask(ListUpstreams(), self._took_upstreams, self.failed, owner=self)

    def _took_upstreams(self, rows: list[UpstreamRow]) -> None:
        self._model = next((each.model for each in rows if each.default), "")
        self.bridge.ask(ListAgents(), self._took, self.failed, owner=self)

    def _took(self, rows: list[AgentRow]) -> None:
        self._agents = rows
        if not self._fresh and (self.form is None or rows):
            self._show_form()
        self.changed.emit()

    def _show_form(self) -> None:
        clear(self._place)
        if self._agents:
            names = ", ".join(each.name for each in self._agents)
            there = self.tr("Connected already: {names}. You can go on, or add another one.")
            self._place.addWidget(Card(label(there.format(names=names), "good"), kind="note"))
        self.form = AgentForm(self.bridge, [each.name for each in self._agents])
        self.form.added.connect(self._added)
        self._place.addWidget(Card(self.form, row(button(self.tr("Let it in"), self.form.send), None)))

    def _added(self, agent: NewAgent, kind: str) -> None:
        self._fresh = True
        self._agents = [*self._agents, AgentRow(name=agent.name, observe_only=False, token_known=True)]
        clear(self._place)
        self.form = None
        about = self.tr("Shown this once. Put the lines where they belong; the addresses hold the token.")
        title = heading(self.tr("Point {name} here").format(name=agent.name))
        self._place.addWidget(Card(title, label(about, "muted"), ConnectLines(agent, self._model, kind)))
        self._place.addWidget(Card(heading(self.tr("Or by hand")), AddressFields(agent)))
        self.changed.emit()
