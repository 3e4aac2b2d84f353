"""The page of the agents: who there is at the left, one of them at the right."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from metaclaw_tray.admin.api import (
    AgentRow,
    ListAgents,
    ListUpstreams,
    NewAgent,
    RemoveAgent,
    RotateAgent,
    UpstreamRow,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.moments import ago
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.agents.adding import AddAgentDialog
from metaclaw_tray.desktop.pages.agents.detail import AgentDetail
from metaclaw_tray.desktop.parts import Empty, Scroller, button, column, row
from metaclaw_tray.desktop.sure import be_sure

_LIST_WIDTH = 190


class AgentsPage(Page):
    """Connect agents, test them, say what each may do."""

    name, symbol = "agents", "agents"
    topics = frozenset({"turns", "settings"})

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._agents: list[AgentRow] = []
        self._upstreams: list[UpstreamRow] = []
        self._fresh: dict[str, tuple[NewAgent, str]] = {}  # with its kind, until the person has it
        self._wanted = ""
        self._detail: AgentDetail | None = None
        self._shown: tuple[str, ...] = ()  # what the detail was built from
        self._add = button(self.tr("Add an agent"), self.add, "primary", symbol="plus")
        self.tools.addWidget(self._add)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Agents"))
        self.list.setProperty("kind", "nav")
        self.list.setFixedWidth(_LIST_WIDTH)
        self.list.setIconSize(QSize(18, 18))
        self.list.currentItemChanged.connect(lambda now, _before: self._choose(now))
        self._place = QWidget()
        self._right = column()
        self._place.setLayout(self._right)
        self.scroller = Scroller(self._place)
        self.body.setLayout(row(self.list, self.scroller, gap=theme.GAP_L))

    def title(self) -> str:
        return self.tr("Agents")

    def subtitle(self) -> str:
        return self.tr("Programs that ask a model through this app, each with a token of its own.")

    def refresh(self) -> None:
        self.bridge.ask(ListUpstreams(), self._took_upstreams, self.failed, owner=self)

    def go_to(self, place: str) -> None:
        self._wanted = place
        self._select()

    def place(self) -> str:
        return self._wanted

    def add(self) -> None:
        """Ask for a kind and a name, then show what to copy."""
        dialog = AddAgentDialog(self, self.bridge, [each.name for each in self._agents])
        dialog.form.added.connect(self._let_in)
        dialog.open()

    def _took_upstreams(self, rows: list[UpstreamRow]) -> None:
        self._upstreams = rows
        self.bridge.ask(ListAgents(), self._took, self.failed, owner=self)

    def _took(self, rows: list[AgentRow]) -> None:
        self._agents = rows
        self._add.setVisible(bool(rows))
        if not rows:
            self._wanted = ""
            self.empty(self._nobody())
            return
        self._fill()
        self.ready()

    def _nobody(self) -> Empty:
        return Empty(
            "agents",
            self.tr("No agent is connected yet"),
            self.tr(
                "Point an agent such as Claude Code or Codex at this app. It goes on as before; the app "
                "learns from what goes wrong and helps the next time."
            ),
            button(self.tr("Add an agent"), self.add, "primary"),
        )

    def _fill(self) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for each in self._agents:
            when = ago(each.last_seen) if each.last_seen is not None else self.tr("not seen yet")
            item = QListWidgetItem(icon("agents", theme.colours().muted), f"{each.name}\n{when}")
            item.setData(Qt.ItemDataRole.UserRole, each.name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{each.name}, {when}")
            item.setSizeHint(QSize(0, 2 * self.list.fontMetrics().height() + 18))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._select()

    def _select(self) -> None:
        names = [each.name for each in self._agents]
        if not names:
            return
        at = names.index(self._wanted) if self._wanted in names else 0
        self.list.blockSignals(True)
        self.list.setCurrentRow(at)
        self.list.blockSignals(False)
        self._show(self._agents[at])

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._wanted = str(item.data(Qt.ItemDataRole.UserRole))
            self._show(next(each for each in self._agents if each.name == self._wanted))

    def _show(self, agent: AgentRow) -> None:
        fresh, kind = self._fresh.get(agent.name, (None, ""))
        built_from = (
            agent.name,
            fresh.token if fresh else "",
            *(f"{each.name} {each.model} {each.default}" for each in self._upstreams),
        )
        if self._detail is not None and built_from == self._shown:
            self._detail.show_row(agent)
            return
        if self._detail is not None:
            self._right.removeWidget(self._detail)
            self._detail.deleteLater()
        made = AgentDetail(self.bridge, agent, self._upstreams, fresh, kind)
        made.rotate.connect(self._rotate)
        made.remove.connect(self._remove)
        made.test.connect(self._test)
        made.copied.connect(self._forget)
        self._detail, self._shown = made, built_from
        self._right.addWidget(made)

    def _test(self) -> None:
        if self._detail is not None:
            self._detail.tested()
        self.refresh()

    def _let_in(self, agent: NewAgent, kind: str) -> None:
        self._fresh[agent.name] = (agent, kind)
        self._wanted = agent.name
        self.refresh()

    def _forget(self, name: str) -> None:
        self._fresh.pop(name, None)
        self._select()

    def _rotate(self, name: str) -> None:
        text = self.tr("The old token of {name} opens nothing any more, until the agent has the new one.")

        def rotate() -> None:
            self.bridge.ask(RotateAgent(name), lambda made: self._let_in(made, ""), owner=self)

        be_sure(self, self.tr("Make a new token?"), text.format(name=name), self.tr("New token"), rotate)

    def _remove(self, name: str) -> None:
        text = self.tr(
            "Its token opens nothing any more. Point {name} back first, or it cannot ask its model. What was "
            "learnt from it stays."
        )

        def remove() -> None:
            self._fresh.pop(name, None)
            self.bridge.ask(RemoveAgent(name), lambda _said: self.refresh(), owner=self)

        be_sure(self, self.tr("Remove this agent?"), text.format(name=name), self.tr("Remove"), remove)
