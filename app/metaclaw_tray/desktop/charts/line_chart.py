"""A line with a band around it: how a figure went, how sure it is, and the limit it must keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.chart import Chart, Place, Table, polygon
from metaclaw_tray.desktop.charts.geometry import Box
from metaclaw_tray.desktop.charts.lines import Lines, Value, lay_lines
from metaclaw_tray.desktop.charts.painting import (
    MARGIN,
    axis_words,
    draw_limit,
    draw_x_axis,
    draw_y_axis,
    number,
    widest,
)

_DOTS = 40  # values at most that each get a dot


class LineChart(Chart):
    """`words` says one value; `columns` are the headings of its table: place, value, and both edges."""

    def __init__(
        self, name: str, words: Callable[[Value], str], columns: Sequence[str], *, height: int = 190
    ) -> None:
        super().__init__(name, height)
        self._words = words
        self._columns = tuple(columns)
        self._values: tuple[Value, ...] = ()
        self._limit: tuple[float, str] | None = None
        self._from_zero = False
        self._digits = 2
        self._box = Box(0, 0, 1, 1)
        self._lines = lay_lines((), self._box)

    def show_values(
        self,
        values: Sequence[Value],
        *,
        limit: tuple[float, str] | None = None,
        from_zero: bool = False,
        digits: int = 2,
    ) -> None:
        """Show these; `limit` is a value and what it is; `digits` are those of the table."""
        self._values, self._limit = tuple(values), limit
        self._from_zero, self._digits = from_zero, digits
        self.renew()

    def table(self) -> Table:
        def written(value: float | None) -> str:
            return "" if value is None else number(value, self._digits)

        edged = any(each.low is not None for each in self._values)
        rows = [
            (number(each.x, 0), *map(written, (each.y, each.low, each.high) if edged else (each.y,)))
            for each in self._values
            if each.known
        ]
        return Table(self._columns[: 4 if edged else 2], tuple(rows))

    def arrange(self, width: float, height: float) -> Sequence[Place]:
        metrics = QFontMetrics(theme.scaled(theme.SMALL))
        high = float(metrics.height())
        first = self._laid(Box(0, high / 2, width, height - 2 * high - 6))
        left = widest(metrics.horizontalAdvance, first.y_ticks, axis_words(first.y_ticks))
        self._box = Box(left, high / 2 + 4, max(10.0, width - left - 10 - MARGIN), height - 2 * high - 10)
        self._lines = self._laid(self._box)
        return [
            Place(Box(place.x, place.y, 0, 0), self._words(value))
            for place, value in zip(self._lines.places, self._values, strict=True)
            if place is not None
        ]

    def draw(self, painter: QPainter, colours: theme.Colours) -> None:
        draw_y_axis(painter, self._box, self._lines.y_ticks, axis_words(self._lines.y_ticks), colours)
        ticks = [(tick.at, number(tick.value, 0)) for tick in self._lines.x_ticks]
        draw_x_axis(painter, self._box, ticks, colours, self.width())
        accent = QColor(colours.accent)
        soft = QColor(accent)
        soft.setAlpha(46)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        for band in self._lines.bands:
            painter.drawPolygon(polygon(band))
        if self._lines.limit is not None and self._limit is not None:
            draw_limit(painter, self._box, self._lines.limit, self._limit[1], colours)
        painter.setPen(
            QPen(accent, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        painter.setBrush(accent)
        for run in self._lines.runs:
            if len(run) > 1:
                painter.drawPolyline(QPolygonF([QPointF(*each) for each in run]))
        dotted = len(self._values) <= _DOTS
        for run in self._lines.runs:
            for place in run if dotted or len(run) == 1 else ():
                painter.drawEllipse(QPointF(*place), 2.2, 2.2)
        if (here := self.current) is not None:
            painter.setBrush(QColor(colours.surface))
            painter.drawEllipse(QPointF(*here.box.middle), 4.5, 4.5)

    def _laid(self, box: Box) -> Lines:
        limit = self._limit[0] if self._limit is not None else None
        return lay_lines(self._values, box, from_zero=self._from_zero, limit=limit)
