"""Small multiples: the same steps seen by several figures, side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from metaclaw_tray.desktop import theme

_LEAST = 250  # pixels of one


class Multiples(QWidget):
    """Lays charts out in as many columns as fit."""

    def __init__(self, charts: Sequence[QWidget]) -> None:
        super().__init__()
        self._charts = tuple(charts)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.GAP_L)
        self._grid.setVerticalSpacing(theme.GAP)
        self._place(1)

    @property
    def columns(self) -> int:
        return self._columns

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        self._place(columns_for(event.size().width(), len(self._charts)))

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        for place, each in enumerate(self._charts):
            self._grid.addWidget(each, place // columns, place % columns)
        for place in range(max(columns, self._columns)):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)
        self._columns = columns


def columns_for(width: float, count: int) -> int:
    """How many charts fit beside each other: as many as there is room for, but no row with holes where fewer
    columns would do."""
    fitting = max(1, min(count, int((width + theme.GAP_L) // (_LEAST + theme.GAP_L))))
    rows = -(-count // fitting) if count else 1
    return max(1, -(-count // rows))
