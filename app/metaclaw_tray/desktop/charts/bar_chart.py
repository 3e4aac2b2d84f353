"""Bars of what was spent, a limit above them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.bars import Bars, lay_bars
from metaclaw_tray.desktop.charts.chart import Chart, Place, Table, rect
from metaclaw_tray.desktop.charts.geometry import Box
from metaclaw_tray.desktop.charts.painting import (
    MARGIN,
    axis_words,
    draw_limit,
    draw_x_axis,
    draw_y_axis,
    number,
    widest,
)


@dataclass(frozen=True)
class Bar:
    label: str  # below it
    value: float
    words: str  # what it says


class BarChart(Chart):
    """`columns` are the two headings of its table."""

    def __init__(self, name: str, columns: tuple[str, str], *, height: int = 150) -> None:
        super().__init__(name, height)
        self._columns = columns
        self._values: tuple[Bar, ...] = ()
        self._limit: tuple[float, str] | None = None
        self._digits = 2
        self._box = Box(0, 0, 1, 1)
        self._bars: Bars = lay_bars((), self._box)

    def show_bars(
        self, bars: Sequence[Bar], *, limit: tuple[float, str] | None = None, digits: int = 2
    ) -> None:
        """Show these; `limit` is a value and what it is; `digits` are those of the table."""
        self._values, self._limit, self._digits = tuple(bars), limit, digits
        self.renew()

    def table(self) -> Table:
        return Table(
            self._columns, tuple((each.label, number(each.value, self._digits)) for each in self._values)
        )

    def arrange(self, width: float, height: float) -> Sequence[Place]:
        metrics = QFontMetrics(theme.scaled(theme.SMALL))
        high = float(metrics.height())
        inner = Box(0, high / 2 + 4, width, height - 2 * high - 10)
        left = widest(
            metrics.horizontalAdvance, self._laid(inner).y_ticks, axis_words(self._laid(inner).y_ticks)
        )
        self._box = Box(left, inner.y, max(10.0, width - left - MARGIN), inner.height)
        self._bars = self._laid(self._box)
        return [Place(box, value.words) for box, value in zip(self._bars.bars, self._values, strict=True)]

    def draw(self, painter: QPainter, colours: theme.Colours) -> None:
        draw_y_axis(painter, self._box, self._bars.y_ticks, axis_words(self._bars.y_ticks), colours)
        middles = [
            (box.middle.x, each.label) for box, each in zip(self._bars.bars, self._values, strict=True)
        ]
        draw_x_axis(painter, self._box, middles, colours, self.width())
        here = self.current
        for box in self._bars.bars:
            looked = here is not None and here.box == box
            painter.setPen(QPen(QColor(colours.text), 2) if looked else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(rect(box), 2, 2)
        if self._bars.limit is not None and self._limit is not None:
            draw_limit(painter, self._box, self._bars.limit, self._limit[1], colours)

    def _laid(self, box: Box) -> Bars:
        return lay_bars(
            [each.value for each in self._values], box, limit=self._limit[0] if self._limit else None
        )
