"""One section of the page: what it has of its own, and its settings, those for few people behind a line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.settings.field import SettingField
from metaclaw_tray.desktop.pages.settings.sections import Section, for_few, section_line, section_title
from metaclaw_tray.desktop.parts import Card, Scroller, button, clear, column, heading, label, rule

_WIDEST = 860


class Pane(QWidget):
    """Fields stay the pane's own; a search borrows them."""

    def __init__(self, section: Section, special: QWidget | None) -> None:
        super().__init__()
        self.fields: list[SettingField] = []
        self._few_open = False
        self._main, self._few = Card(gap=theme.GAP), Card(gap=theme.GAP)
        self._more = button("", self._toggle, "link")
        inner = QWidget()
        body = column(gap=theme.GAP)
        title = heading(section_title(section))
        body.addWidget(title)
        body.addWidget(label(section_line(section), "muted"))
        first = [special, self._main] if special is not None else [self._main]
        if section in (Section.DATA, Section.LANGUAGE):
            first.reverse()  # what can be chosen comes before what is told
        for each in first:
            body.addWidget(each)
        body.addWidget(self._more)
        body.addWidget(self._few)
        body.addStretch(1)
        body.setContentsMargins(0, 0, theme.GAP, theme.GAP)
        inner.setLayout(body)
        inner.setMaximumWidth(_WIDEST)
        self.setLayout(column(Scroller(inner)))
        self._main.hide()
        self._few.hide()
        self._more.hide()

    def show_fields(self, fields: Sequence[SettingField]) -> None:
        """Take these fields in the place of the former ones."""
        clear(self._main.body)
        clear(self._few.body)
        self.fields = list(fields)
        self._place()

    def lend(self, fields: Sequence[SettingField]) -> Card:
        """A card with some of the fields, for results of a search."""
        card = Card(gap=theme.GAP)
        _put(card.body, fields)
        return card

    def take_back(self) -> None:
        """Have all fields again."""
        self._place()

    def _place(self) -> None:
        for body in (self._main.body, self._few.body):
            while (item := body.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None and not isinstance(widget, SettingField):
                    widget.hide()
                    widget.deleteLater()
        few = [each for each in self.fields if for_few(each.key)]
        _put(self._main.body, [each for each in self.fields if not for_few(each.key)])
        _put(self._few.body, few)
        self._main.setVisible(len(few) < len(self.fields))
        self._more.setVisible(bool(few))
        self._show_few()

    def _toggle(self) -> None:
        self._few_open = not self._few_open
        self._show_few()

    def _show_few(self) -> None:
        few = any(for_few(each.key) for each in self.fields)
        self._few.setVisible(few and self._few_open)
        self._more.setText(self.tr("Fewer settings") if self._few_open else self.tr("More settings"))


def _put(body: QVBoxLayout, fields: Sequence[SettingField]) -> None:
    for number, each in enumerate(fields):
        if number:
            body.addWidget(rule())
        body.addWidget(each)
        each.show()
