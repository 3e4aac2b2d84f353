"""A card with a heading, a line of explanation, and rows that are made anew only where they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QLabel, QLayout, QVBoxLayout, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import Card, clear, column, heading, label, rule

R = TypeVar("R")


class Section(Card, Generic[R]):
    """`make` builds one row; `nothing` is said where there is none."""

    def __init__(self, title: str, about: str, nothing: str, make: Callable[[R], QWidget]) -> None:
        self._rows: QVBoxLayout = column(gap=theme.GAP)
        self._nothing = label(nothing, "muted")
        about_it = [label(about, "muted", size=theme.SMALL)] if about else []
        head: QLayout = column(heading(title), *about_it, gap=2)
        super().__init__(head, self._nothing, self._rows)
        self._make = make
        self._shown: list[R] | None = None

    @property
    def nothing(self) -> QLabel:
        return self._nothing

    def show_rows(self, rows: Sequence[R], *, anew: bool = False) -> None:
        """Show these; `anew` though they are the same."""
        if not anew and self._shown == list(rows):
            return
        self._shown = list(rows)
        clear(self._rows)
        for place, widget in enumerate(map(self._make, rows)):
            if place:
                self._rows.addWidget(rule())
            self._rows.addWidget(widget)
        self._nothing.setVisible(not rows)


def holding(layout: QLayout) -> QWidget:
    """A widget of a layout."""
    made = QWidget()
    layout.setContentsMargins(0, 0, 0, 0)
    made.setLayout(layout)
    return made


def paragraphs(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line)
