"""The last step: a request of an agent is seen; and what is said honestly of calendars."""

from __future__ import annotations

from metaclaw_tray.admin.api import AgentRow, ListAgents
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.firstrun.step import Step
from metaclaw_tray.desktop.moments import ago
from metaclaw_tray.desktop.parts import Card, heading, label, row, set_kind


class TryingStep(Step):
    """Waits for news of turns, and says whose request was the first."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._seen = False
        self._state = label(kind="chip")
        self._words = label()
        self.body.addWidget(
            Card(row(heading(self.tr("A request is seen")), self._state, None), self._words, gap=theme.GAP)
        )
        calendar = self.tr(
            "Once you train a model, it can be trained while you are in a meeting. Calendars are connected "
            "in the settings, under “While you are away”."
        )
        self.body.addWidget(
            Card(heading(self.tr("Calendar, later")), label(calendar, "muted"), kind="inset", gap=theme.GAP_S)
        )
        bridge.news.connect(self._news)
        self._waiting()

    def title(self) -> str:
        return self.tr("See that it works")

    def line(self) -> str:
        return self.tr("Ask your agent anything, as you always do.")

    @property
    def done(self) -> bool:
        return self._seen

    def enter(self) -> None:
        self.bridge.ask(ListAgents(), self._took, self.failed, owner=self)

    def _news(self, topics: list[Topic]) -> None:
        if "turns" in topics and self.isVisible():
            self.enter()

    def _took(self, rows: list[AgentRow]) -> None:
        seen = [(each.last_seen, each.name) for each in rows if each.last_seen is not None]
        if seen:
            when, name = max(seen)
            self._seen = True
            set_kind(self._state, "chip-good")
            self._state.setText(self.tr("It works"))
            self._words.setText(
                self.tr("{name} asked {when}, and its request went through.").format(
                    name=name, when=ago(when)
                )
            )
        elif not rows:
            self._waiting()
            self._words.setText(self.tr("No agent is connected yet: go back one or two steps."))
        else:
            self._waiting()
        self.changed.emit()

    def _waiting(self) -> None:
        self._seen = False
        set_kind(self._state, "chip")
        self._state.setText(self.tr("Waiting…"))
        self._words.setText(
            self.tr("Nothing came yet. As soon as an agent asks for something, it is said here.")
        )
