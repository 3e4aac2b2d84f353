"""Bringing in skills of other programs: what lies in a folder, and what to know of each, before a yes."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QSplitter, QStackedLayout, QWidget

from metaclaw_tray.admin.api import FoundSkill, FoundSkills, ImportSkills, LookForSkills
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.reading import SkillText
from metaclaw_tray.desktop.parts import Card, Empty, button, column, heading, label, row

_FOUND = Qt.ItemDataRole.UserRole


class BringSheet(QDialog):
    """Looks into a folder, and brings in what is ticked once the person has read it."""

    def __init__(self, parent: QWidget, acting: Acting, path: str) -> None:
        super().__init__(parent)
        self._acting = acting
        self.setWindowTitle("MetaClaw Tray")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(QSize(780, 540))
        self._about = label(path, "muted")
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Skills that were found"))
        self.list.currentItemChanged.connect(lambda now, _before: self._show_one(now))
        self.list.itemChanged.connect(lambda _item: self._count())
        self._said = label()
        self._remarks = Card(self._said, kind="warning")
        self._remarks.hide()
        self._text = SkillText()
        right = QWidget()
        right.setLayout(column(self._remarks, self._text, gap=theme.GAP_S))
        both = QSplitter()
        both.addWidget(self.list)
        both.addWidget(right)
        both.setHandleWidth(theme.GAP)
        both.setStretchFactor(1, 1)
        both.setSizes([260, 500])
        self._aside = label(kind="muted", size=theme.SMALL)
        self.bring = button("", self._bring, "primary")
        self.bring.setEnabled(False)
        found = QWidget()
        found.setLayout(column(both, self._aside))
        self._states = QStackedLayout()
        self._states.addWidget(Empty("clock", self.tr("Looking…"), ""))
        self._states.addWidget(found)
        title = heading(self.tr("Import skills"))
        buttons = row(None, button(self.tr("Cancel"), self.reject), self.bring, gap=theme.GAP_S)
        outer = column(title, self._about, margin=theme.GAP_L)
        outer.addLayout(self._states, 1)
        outer.addLayout(buttons)
        self.setLayout(outer)
        self._count()
        acting.bridge.ask(LookForSkills(path), self._show, self._failed, owner=self)

    def _show(self, found: FoundSkills) -> None:
        self._about.setText(
            self.tr("Found in {folder}. Nothing there is run; programs beside a skill are left out.").format(
                folder=found.folder
            )
        )
        if not found.skills:
            text = self.tr("A skill is a folder with a file SKILL.md in it.")
            self._put(Empty("search", self.tr("No skill lies there"), text))
            return
        for each in found.skills:
            self.list.addItem(self._item(each))
        aside = [*found.aside, *([found.stopped] if found.stopped else [])]
        self._aside.setText(self.tr("Left aside: {what}").format(what="; ".join(aside)) if aside else "")
        self._aside.setVisible(bool(aside))
        self._states.setCurrentIndex(1)
        self.list.setCurrentRow(0)
        self.list.setFocus()
        self._count()

    def _item(self, found: FoundSkill) -> QListWidgetItem:
        standing = {
            "same": self.tr("is there already"),
            "differs": self.tr("differs from yours: becomes a proposal"),
        }.get(found.standing, "")
        item = QListWidgetItem(f"{titled(found.name)}\n{standing}" if standing else titled(found.name))
        item.setData(_FOUND, found)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        wanted = found.standing != "same"
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
        return item

    def _show_one(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        found: FoundSkill = item.data(_FOUND)
        self._text.show_text(found.brought.text)
        self._said.setText("\n".join(found.brought.remarks))
        self._remarks.setVisible(bool(found.brought.remarks))

    def _ticked(self) -> list[FoundSkill]:
        items = (self.list.item(place) for place in range(self.list.count()))
        return [item.data(_FOUND) for item in items if item.checkState() == Qt.CheckState.Checked]

    def _count(self) -> None:
        number = len(self._ticked())
        self.bring.setText(self.tr("Import %n skill(s)…", "", number) if number else self.tr("Import"))
        self.bring.setEnabled(bool(number))

    def _bring(self) -> None:
        """The app shows all of it once more, as one text, before it does it."""
        chosen = [each.brought for each in self._ticked()]
        self._acting.do(ImportSkills(skills=chosen), "")
        self.accept()

    def _failed(self, problem: Problem) -> None:
        self._put(Empty("warning", problem.title, problem.words))

    def _put(self, state: Empty) -> None:
        self._states.addWidget(state)
        self._states.setCurrentWidget(state)
