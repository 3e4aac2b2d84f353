"""The page of the settings: sections at the left, a search over all of them, and what is declared."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from metaclaw_tray.admin.api import ListConfig, Privacy, SettingRow, ShowPrivacy
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.settings.calendars.section import CalendarsSection
from metaclaw_tray.desktop.pages.settings.data import DataSection
from metaclaw_tray.desktop.pages.settings.field import SettingField
from metaclaw_tray.desktop.pages.settings.models.section import ModelsSection
from metaclaw_tray.desktop.pages.settings.pane import Pane
from metaclaw_tray.desktop.pages.settings.privacy import PrivacySection
from metaclaw_tray.desktop.pages.settings.program import ProgramSection
from metaclaw_tray.desktop.pages.settings.sections import Section, rows_of, section_of, section_title
from metaclaw_tray.desktop.parts import Card, Scroller, column, label, row

_LIST_WIDTH = 148
_SLICE_SECONDS = 0.008  # of building at a time: less than a frame
_DONE = object()


class SettingsPage(Page):
    """Everything that can be set. `first_steps` asks for them to be shown."""

    name, symbol = "settings", "settings"
    topics = frozenset({"settings"})
    first_steps = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._rows: list[SettingRow] = []
        self._fields: dict[str, SettingField] = {}
        self._work: Iterator[None] | None = None  # fields that are still to be built
        self.models, self.privacy = ModelsSection(bridge), PrivacySection()
        self.data, self.program = DataSection(bridge), ProgramSection(bridge)
        self.program.first_steps.connect(self.first_steps)
        self.calendars = CalendarsSection(bridge)
        special: dict[Section, QWidget] = {
            Section.MODELS: self.models,
            Section.PRIVACY: self.privacy,
            Section.AWAY: self.calendars,
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
        self.calendars.refresh()
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
        self._finish()
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
        self._finish()
        if [_form(each) for each in mine] == [_form(each) for each in self._rows]:
            for each in mine:
                self._fields[each.key].show_row(each)
        else:
            self._build(mine)
        self._rows = mine
        self.ready()

    def _build(self, rows: list[SettingRow]) -> None:
        """Build the section that is seen now, and the others a little at a time: all at once would hold up
        the window."""
        self._clear_found()
        self._fields = {}
        order = sorted(self.panes, key=lambda section: section is not self._section)
        self._work = self._building(order, rows)
        for _ in range(len(rows_of(order[0], rows)) + 1):
            next(self._work)
        QTimer.singleShot(0, self, self._go_on)

    def _building(self, order: list[Section], rows: list[SettingRow]) -> Iterator[None]:
        for section in order:
            fields = []
            for each in rows_of(section, rows):
                self._fields[each.key] = SettingField(self.bridge, each)
                fields.append(self._fields[each.key])
                yield
            self.panes[section].show_fields(fields)
            yield

    def _go_on(self) -> None:
        """Build for as long as nobody notices, and come back."""
        end = time.monotonic() + _SLICE_SECONDS
        while self._work is not None and time.monotonic() < end:
            if next(self._work, _DONE) is _DONE:
                self._work = None
                self._search(self.search.text())
        if self._work is not None:
            QTimer.singleShot(0, self, self._go_on)

    def _finish(self) -> None:
        """Build what is left, for somebody who needs all of it now."""
        if self._work is not None:
            deque(self._work, maxlen=0)
            self._work = None

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
        if text.strip():
            self._finish()
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
