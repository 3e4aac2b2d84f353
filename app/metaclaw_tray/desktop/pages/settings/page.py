"""The page of the settings: sections at the left, a search over all of them, and what is declared."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from metaclaw_tray.admin.api import ListConfig, Privacy, SettingRow, ShowPrivacy
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.settings.data import DataSection
from metaclaw_tray.desktop.pages.settings.field import SettingField
from metaclaw_tray.desktop.pages.settings.models.section import ModelsSection
from metaclaw_tray.desktop.pages.settings.pane import Pane
from metaclaw_tray.desktop.pages.settings.privacy import PrivacySection
from metaclaw_tray.desktop.pages.settings.program import ProgramSection
from metaclaw_tray.desktop.pages.settings.sections import Section, rows_of, section_of, section_title
from metaclaw_tray.desktop.parts import Card, Scroller, column, label, row

_LIST_WIDTH = 148


class SettingsPage(Page):
    """Everything that can be set. `first_steps` asks for them to be shown."""

    name, symbol = "settings", "settings"
    topics = frozenset({"settings"})
    first_steps = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._rows: list[SettingRow] = []
        self._fields: dict[str, SettingField] = {}
        self.models, self.privacy = ModelsSection(bridge), PrivacySection()
        self.data, self.program = DataSection(bridge), ProgramSection(bridge)
        self.program.first_steps.connect(self.first_steps)
        special: dict[Section, QWidget] = {
            Section.MODELS: self.models,
            Section.PRIVACY: self.privacy,
            Section.LANGUAGE: self._dropping(),
            Section.DATA: self.data,
            Section.PROGRAM: self.program,
        }
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(240)
        self.search.textChanged.connect(self._search)
        self.tools.addWidget(self.search)
        self.list = QListWidget()
        self.list.setProperty("kind", "nav")
        self.list.setAccessibleName(self.tr("Sections"))
        self.list.setFixedWidth(_LIST_WIDTH)
        self._stack = QStackedWidget()
        self.panes: dict[Section, Pane] = {}
        for section in Section:
            item = QListWidgetItem(section_title(section))
            item.setData(Qt.ItemDataRole.UserRole, str(section))
            item.setSizeHint(QSize(0, self.list.fontMetrics().height() + 18))
            self.list.addItem(item)
            pane = Pane(section, special.get(section))
            self.panes[section] = pane
            self._stack.addWidget(pane)
        self._found = QWidget()
        self._found_body = column(gap=theme.GAP_L)
        self._found.setLayout(self._found_body)
        self._stack.addWidget(Scroller(self._found))
        self.list.currentRowChanged.connect(self._turn)
        self.list.setCurrentRow(0)
        inner = row(self.list, self._stack, gap=theme.GAP_L)
        inner.setStretch(1, 1)
        self.body.setLayout(inner)

    def title(self) -> str:
        return self.tr("Settings")

    def refresh(self) -> None:
        self.bridge.ask(ListConfig(), self._took, self.failed, owner=self)
        self.bridge.ask(ShowPrivacy(), self._privacy, self._no_privacy, owner=self)
        self.models.refresh()
        self.data.refresh()
        self.program.refresh()

    def go_to(self, place: str) -> None:
        if place in list(Section):
            self.search.clear()
            self.list.setCurrentRow(list(Section).index(Section(place)))

    def place(self) -> str:
        return str(self._section)

    @property
    def _section(self) -> Section:
        return list(Section)[max(0, self.list.currentRow())]

    def field(self, key: str) -> SettingField:
        """The field of a setting. Raises KeyError."""
        return self._fields[key]

    def _dropping(self) -> QWidget:
        """How another language comes in."""
        text = self.tr(
            "Another one? Put its translation, a file such as fr.qm, into the folder “languages” beside the "
            "settings file. It is in the list from then on."
        )
        return Card(label(text, "muted"), kind="note")

    def _took(self, rows: list[SettingRow]) -> None:
        mine = [each for each in rows if section_of(each.key) is not None]
        if [_form(each) for each in mine] == [_form(each) for each in self._rows]:
            for each in mine:
                self._fields[each.key].show_row(each)
        else:
            self._build(mine)
        self._rows = mine
        self.ready()

    def _build(self, rows: list[SettingRow]) -> None:
        self._clear_found()
        self._fields = {each.key: SettingField(self.bridge, each) for each in rows}
        for section, pane in self.panes.items():
            pane.show_fields([self._fields[each.key] for each in rows_of(section, rows)])
        self._search(self.search.text())

    def _privacy(self, told: Privacy) -> None:
        self.privacy.show_privacy(told)
        self.data.show_privacy(told)

    def _no_privacy(self, _problem: Problem) -> None:
        """Said already: the settings have no answer either."""

    def _turn(self, at: int) -> None:
        if at >= 0:
            self.search.clear()
            self._stack.setCurrentIndex(at)

    def _search(self, text: str) -> None:
        """Show what fits, from all sections; with nothing searched, the section again."""
        self._clear_found()
        if not text.strip():
            self._stack.setCurrentIndex(max(0, self.list.currentRow()))
            return
        found = 0
        for section, pane in self.panes.items():
            fitting = [each for each in pane.fields if each.fits(text)]
            if fitting:
                self._found_body.addWidget(label(section_title(section), "muted"))
                self._found_body.addWidget(pane.lend(fitting))
                found += len(fitting)
        if not found:
            none = self.tr("No setting has “{text}” in it.").format(text=text.strip())
            self._found_body.addWidget(label(none, "muted"))
        self._found_body.addStretch(1)
        self._stack.setCurrentIndex(self._stack.count() - 1)

    def _clear_found(self) -> None:
        for pane in self.panes.values():
            pane.take_back()
        while (item := self._found_body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


def _form(row: SettingRow) -> tuple[object, ...]:
    """What a control is built from."""
    return row.key, row.kind, tuple(row.choices), row.minimum, row.maximum
