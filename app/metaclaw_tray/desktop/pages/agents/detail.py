"""One agent: whether it is seen, how it is pointed here, what it may do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import AgentRow, NewAgent, SetConfig, UpstreamRow, UseUpstream
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.connecting import AddressFields, ConnectLines
from metaclaw_tray.desktop.moments import ago
from metaclaw_tray.desktop.narrow import Choices, beside
from metaclaw_tray.desktop.parts import Card, button, column, heading, label, row, set_kind
from metaclaw_tray.desktop.switch import Switch

_DEFAULT = "default"  # gives an agent back to what all reach


class AgentDetail(QWidget):
    """Built anew for each agent; `show_row` brings what changed of it."""

    rotate = Signal(str)
    remove = Signal(str)
    test = Signal()
    copied = Signal(str)  # the person has its token, so it need not be shown any more

    def __init__(
        self,
        bridge: Bridge,
        agent: AgentRow,
        upstreams: Sequence[UpstreamRow],
        fresh: NewAgent | None,
        kind: str,
    ) -> None:
        super().__init__()
        self._bridge, self._agent = bridge, agent
        self._upstreams = list(upstreams)
        self._tested = False
        self._seen = label(kind="chip")
        self._said = label(kind="muted")
        self._skills = Switch(self.tr("Use skills with this agent"))
        self._reach = Choices()
        self._reach.setAccessibleName(self.tr("Model that it reaches"))
        parts = [self._head(), self._lines(fresh, kind), self._may(), self._end()]
        self.setLayout(column(*parts, None, gap=theme.GAP_L))
        self.show_row(agent)
        self._skills.clicked.connect(self._switch_skills)
        self._reach.activated.connect(lambda _index: self._use())

    def show_row(self, agent: AgentRow) -> None:
        """What is known of it now."""
        self._agent = agent
        if agent.last_seen is not None:
            set_kind(self._seen, "chip-good")
            self._seen.setText(self.tr("Seen {when}").format(when=ago(agent.last_seen)))
        else:
            set_kind(self._seen, "chip")
            self._seen.setText(self.tr("Not seen yet"))
        if self._tested:
            self._say_test()
        self._skills.setChecked(not agent.observe_only)
        self._reach.setCurrentIndex(max(0, self._reach.findData(agent.upstream or _DEFAULT)))

    def tested(self) -> None:
        """The person asks whether a request came: say so, now and when one comes."""
        self._tested = True
        self._say_test()

    def _say_test(self) -> None:
        seen = self._agent.last_seen
        if seen is not None:
            set_kind(self._said, "good")
            self._said.setText(
                self.tr("It works: a request of {name} came {when}.").format(
                    name=self._agent.name, when=ago(seen)
                )
            )
        else:
            set_kind(self._said, "muted")
            self._said.setText(
                self.tr("Nothing came yet. Ask {name} anything; this changes as soon as it asks.").format(
                    name=self._agent.name
                )
            )
        self._said.show()

    def _head(self) -> QWidget:
        made = QWidget()
        test = button(self.tr("Test"), self.test.emit)
        test.setToolTip(self.tr("Look whether a request of it came"))
        name = heading(self._agent.name)
        name.setWordWrap(False)
        made.setLayout(column(row(name, self._seen, None, test), self._said, gap=theme.GAP_S))
        self._said.hide()
        return made

    def _lines(self, fresh: NewAgent | None, kind: str) -> Card:
        if fresh is None:
            asked = self.tr(
                "Its token was shown once and is kept where nobody reads it. To see ready-made lines again, "
                "make a new token; the old one opens nothing from then on."
            )
            again = button(self.tr("New token…"), lambda: self.rotate.emit(self._agent.name))
            return Card(heading(self.tr("Point it here")), label(asked, "muted"), row(again, None))
        model = next(
            (each.model for each in self._upstreams if each.name == self._agent.upstream),
            next((each.model for each in self._upstreams if each.default), ""),
        )
        done = button(self.tr("I have it"), lambda: self.copied.emit(self._agent.name))
        about = self.tr("The addresses hold the token. This is shown once: copy what you need.")
        return Card(
            heading(self.tr("Point it here")),
            label(about, "muted"),
            AddressFields(fresh),
            ConnectLines(fresh, model, kind),
            row(None, done),
        )

    def _may(self) -> Card:
        default = next((each for each in self._upstreams if each.default), None)
        what = self.tr("What all agents reach ({name})").format(name=default.name if default else "–")
        self._reach.addItem(what, _DEFAULT)
        for each in self._upstreams:
            self._reach.addItem(f"{each.name} · {each.model}" if each.model else each.name, each.name)

        skills = self.tr("Off: it is only watched. It is learnt from, but its requests stay as they are.")
        reach = self.tr("The provider that answers it.")
        return Card(
            heading(self.tr("What it may do")),
            _line(self.tr("Use skills with this agent"), skills, self._skills),
            _line(self.tr("Model that it reaches"), reach, self._reach),
        )

    def _end(self) -> QWidget:
        made = QWidget()
        remove = button(
            self.tr("Remove this agent…"),
            lambda: self.remove.emit(self._agent.name),
            "danger",
            symbol="trash",
        )
        made.setLayout(row(remove, None))
        return made

    def _switch_skills(self) -> None:
        value = "false" if self._skills.isChecked() else "true"
        self._change(SetConfig(key=f"agents.{self._agent.name}.observe_only", value=value))

    def _use(self) -> None:
        self._change(UseUpstream(str(self._reach.currentData()), self._agent.name))

    def _change(self, verb: SetConfig | UseUpstream) -> None:
        def failed(problem: Problem) -> None:
            self.show_row(self._agent)  # as it was
            self._bridge.problem.emit(problem)

        self._bridge.ask(verb, lambda _said: None, failed, owner=self)


def _line(title: str, explained: str, control: QWidget) -> QWidget:
    made = QWidget()
    words = column(label(title), label(explained, "muted", size=theme.SMALL), gap=2)
    made.setLayout(beside(words, control))
    return made
