"""The third step: what the app may do by itself, and what it may spend."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton

from metaclaw_tray.admin.api import ListConfig, SetConfig, SettingRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.firstrun.step import Step
from metaclaw_tray.desktop.pages.settings.field import SettingField
from metaclaw_tray.desktop.parts import Card, clear, column, heading, label, rule

_BUDGET = ("budget.day_usd", "budget.month_usd")
_SKILLS = "injection.enabled"


class AllowedStep(Step):
    """Two ways, the careful one last; and the two caps, of which each change takes a yes."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.use = QRadioButton(self.tr("Use skills that I approved"))
        self.watch = QRadioButton(self.tr("Only watch for now"))
        group = QButtonGroup(self)
        for each in (self.use, self.watch):
            group.addButton(each)
            each.clicked.connect(self._choose)
        use = self.tr("What fits is put in front of the model. Nothing is ever used that you did not read.")
        watch = self.tr("Requests stay as they are. It learns, and proposes; you switch skills on later.")
        self.body.addWidget(
            Card(
                heading(self.tr("Skills")),
                column(self.use, _below(use), gap=2),
                column(self.watch, _below(watch), gap=2),
            )
        )
        self._caps = column(gap=theme.GAP)
        about = self.tr("What learning may cost, at most. What agents cost is between them and the provider.")
        self.body.addWidget(Card(heading(self.tr("Budget")), label(about, "muted"), self._caps))
        self._fields: dict[str, SettingField] = {}

    def title(self) -> str:
        return self.tr("What it may do")

    def line(self) -> str:
        return self.tr("You decide about every new skill. This can be changed at any time.")

    def enter(self) -> None:
        self.bridge.ask(ListConfig(), self._took, self.failed, owner=self)

    def _took(self, rows: list[SettingRow]) -> None:
        by_key = {each.key: each for each in rows}
        used = by_key[_SKILLS].value is True
        self.use.setChecked(used)
        self.watch.setChecked(not used)
        if not self._fields:
            clear(self._caps)
            for number, key in enumerate(_BUDGET):
                if number:
                    self._caps.addWidget(rule())
                self._fields[key] = SettingField(self.bridge, by_key[key])
                self._caps.addWidget(self._fields[key])
        for key, field in self._fields.items():
            field.show_row(by_key[key])

    def _choose(self) -> None:
        value = "true" if self.use.isChecked() else "false"

        def failed(problem: Problem) -> None:
            self.failed(problem)
            self.enter()

        self.bridge.ask(SetConfig(key=_SKILLS, value=value), lambda _said: self.fine(), failed, owner=self)


def _below(text: str) -> QLabel:
    made = label(text, "muted", size=theme.SMALL)
    made.setIndent(26)
    return made
