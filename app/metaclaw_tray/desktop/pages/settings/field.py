"""One setting on the page: title, explanation, control, and the way back to its default."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import Said, SetConfig, SettingRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.narrow import beside
from metaclaw_tray.desktop.pages.settings import words
from metaclaw_tray.desktop.pages.settings.controls import as_text, control_for
from metaclaw_tray.desktop.parts import button, column, label, row


class SettingField(QWidget):
    """Says a change at once; what was refused is said below, and the former value stands again."""

    def __init__(self, bridge: Bridge, setting: SettingRow) -> None:
        super().__init__()
        self._bridge, self._setting = bridge, setting
        self._control = control_for(setting)
        self._control.changed.connect(self._change)
        self._mark = label(self.tr("Changed"), "chip-accent")
        self._back = button(self.tr("Reset"), self._reset, "link")
        self._back.setAccessibleName(self.tr("Reset {name}").format(name=words.title(setting.key)))
        self._notes = label(self._asked(), "muted", size=theme.SMALL)
        self._notes.setVisible(bool(self._notes.text()))
        self._wrong = label(kind="bad", size=theme.SMALL)
        self._wrong.hide()
        name = label(words.title(setting.key))
        name.setBuddy(self._control)
        text = column(
            name,
            label(words.explanation(setting), "muted", size=theme.SMALL),
            self._notes,
            row(self._mark, self._back, None, gap=theme.GAP_S),
            self._wrong,
            gap=2,
        )
        self.setLayout(beside(text, self._control))
        self.setToolTip(setting.key)
        self.show_row(setting)

    @property
    def key(self) -> str:
        """The setting's own name."""
        return self._setting.key

    def show_row(self, setting: SettingRow) -> None:
        """What it is now."""
        self._setting = setting
        self._control.show_value(setting.value)
        changed = setting.value != setting.default
        self._mark.setVisible(changed)
        self._back.setVisible(changed)
        self._back.setToolTip(
            self.tr("Back to {value}").format(value=as_text(setting.default) or self.tr("nothing"))
        )

    def fits(self, searched: str) -> bool:
        """Whether it is meant by what somebody searches for: each word counts."""
        text = " ".join((words.title(self._setting.key), words.explanation(self._setting), self._setting.key))
        return all(each in text.casefold() for each in searched.casefold().split())

    def _asked(self) -> str:
        asked = []
        if self._setting.restart:
            asked.append(self.tr("A change counts when the app starts next."))
        if self._setting.consent:
            asked.append(self.tr("A change asks for your yes."))
        return " ".join(asked)

    def _change(self, text: str) -> None:
        self._wrong.hide()
        self._bridge.ask(SetConfig(key=self.key, value=text), self._done, self._failed, owner=self)

    def _reset(self) -> None:
        self._change(as_text(self._setting.default))

    def _done(self, _said: Said) -> None:
        """News of the settings follow, and bring the new value."""

    def _failed(self, problem: Problem) -> None:
        self.show_row(self._setting)
        if problem.title == NOT_DONE:
            return
        self._wrong.setText(problem.words)
        self._wrong.show()
