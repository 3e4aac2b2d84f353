"""Writing: a proposal in the person's own words, a skill anew, or a new one; checked as it is typed.

What would change is seen before anything is saved: the first press of the button turns to it, the second
saves.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from metaclaw_tray.admin.api import AddSkill, CheckedText, CheckText, EditProposal
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.changes import DiffView
from metaclaw_tray.desktop.pages.skills.reading import SkillText
from metaclaw_tray.desktop.pages.skills.writing import NewSkill, PlainSkill
from metaclaw_tray.desktop.parts import button, column, heading, label, row, set_kind

_PAUSE_MS = 250  # of typing, before the text is checked
_TEXT, _PREVIEW, _CHANGE = range(3)


class Editor(QWidget):
    """One text being written. `closed` when it is saved or given up."""

    closed = Signal()

    def __init__(self, bridge: Bridge, acting: Acting) -> None:
        super().__init__()
        self._bridge = bridge
        self._acting = acting
        self._proposal = ""
        self._checked: CheckedText | None = None
        self._asked = 0
        self._title = heading("")
        self._plain, self._new = PlainSkill(), NewSkill()
        self._preview, self._change = SkillText(), DiffView()
        self._tabs = QTabWidget()
        self._write: PlainSkill | NewSkill = self._plain
        self._state = label(kind="muted")
        self._state.setAccessibleName(self.tr("What the app says of the text"))
        self.save = button("", self._go_on, "primary")
        self._cancel = button(self.tr("Cancel"), self.give_up)
        line = row(self._state, self._cancel, self.save, gap=theme.GAP_S)
        line.setStretch(0, 1)
        self.setLayout(column(self._title, self._tabs, line, gap=theme.GAP))
        self._tabs.setDocumentMode(True)
        self._tabs.currentChanged.connect(lambda _place: self._name_button())
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._check)
        for each in (self._plain, self._new):
            each.changed.connect(self._changed)

    @property
    def is_changed(self) -> bool:
        """Whether giving up would lose something."""
        return self.isVisible() and self._write.is_changed

    def edit(self, name: str, text: str, proposal: str = "") -> None:
        """Write a skill anew, or a proposal in one's own words."""
        self._plain.begin(text)
        self._begin(self._plain, self.tr("Edit “{name}”").format(name=titled(name)), proposal)

    def write_new(self) -> None:
        """Write a skill that is not there yet."""
        self._new.begin()
        self._begin(self._new, self.tr("A new skill"), "")

    def give_up(self) -> None:
        """Leave it as it was."""
        self.closed.emit()

    def _begin(self, write: PlainSkill | NewSkill, title: str, proposal: str) -> None:
        self._write, self._proposal, self._checked = write, proposal, None
        self._title.setText(title)
        self._tabs.clear()
        self._tabs.addTab(write, self.tr("Text"))
        self._tabs.addTab(self._preview, self.tr("As it will read"))
        self._tabs.addTab(self._change, self.tr("What you change"))
        self._tabs.setTabVisible(_CHANGE, write is self._plain)
        self._say("", "muted")
        self._changed()
        write.begin_typing()

    def _changed(self) -> None:
        self._checked = None
        self.save.setEnabled(False)
        self._name_button()
        self._pause.start()

    def _check(self) -> None:
        if self._asked:
            self._bridge.drop(self._asked)
        text = self._write.text()
        verb = CheckText(text=text, proposal=self._proposal)
        self._asked = self._bridge.ask(verb, _with(self._take, text), owner=self)

    def _take(self, text: str, checked: CheckedText) -> None:
        self._asked = 0
        if text != self._write.text():
            return  # typed on meanwhile; the next check comes
        if checked.title:
            if self._write.is_changed or self._write is self._plain:
                self._say(
                    f"{checked.title}. {Problem.of(checked.title, checked.detail, checked.remedy).words}",
                    "bad",
                )
            return
        self._checked = checked
        remarks = "; ".join(checked.remarks)
        size = self.tr("about %n token(s)", "", checked.tokens)
        self._say(f"{size}. {remarks}" if remarks else size, "warn" if remarks else "muted")
        self._preview.show_text(checked.text)
        self._change.show_change(checked.before, checked.text)
        self.save.setEnabled(self._write.is_changed)

    def _say(self, words: str, kind: str) -> None:
        self._state.setText(words)
        set_kind(self._state, kind)

    def _name_button(self) -> None:
        last = self._tabs.currentIndex() == self._last
        if not last:
            self.save.setText(self.tr("See what changes") if self._last == _CHANGE else self.tr("See it"))
        elif self._proposal:
            self.save.setText(self.tr("Approve this text"))
        else:
            self.save.setText(self.tr("Save"))

    @property
    def _last(self) -> int:
        """The tab that is seen before saving."""
        return _CHANGE if self._write is self._plain else _PREVIEW

    def _go_on(self) -> None:
        if self._tabs.currentIndex() != self._last:
            self._tabs.setCurrentIndex(self._last)
            return
        checked = self._checked
        if checked is None:
            return
        title = titled(checked.name)
        if self._proposal:
            verb = EditProposal(id=self._proposal, text=self._write.text())
            words = self.tr("“{name}” is approved in your words.").format(name=title)
            self._acting.do(verb, words, seen=checked.full, then=self.closed.emit)
        else:
            words = self.tr("“{name}” is saved.").format(name=title)
            add = AddSkill(text=self._write.text())
            self._acting.do(add, words, seen=checked.full, then=self.closed.emit)


def _with(take: Callable[[str, CheckedText], None], text: str) -> Callable[[CheckedText], None]:
    return lambda checked: take(text, checked)
