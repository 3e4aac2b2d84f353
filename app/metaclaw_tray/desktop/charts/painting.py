"""Axes, limits and patterns, drawn alike in every chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QLocale, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.geometry import Box, Tick, decimals

MARGIN = 7.0  # pixels that stay free at the sides of a chart, for the mark of focus
_STRIPE = 6.0  # pixels between the lines of a pattern
_BESIDE = 7.0  # pixels between a label and its axis


def axis_words(ticks: Sequence[Tick]) -> Callable[[float], str]:
    """Numbers of an axis as the person writes them, with as many digits as tell them apart."""
    step = ticks[1].value - ticks[0].value if len(ticks) > 1 else 1.0
    digits = decimals(abs(step))
    return lambda value: number(value, digits)


def number(value: float, digits: int) -> str:
    """A number as the person's language writes it; never "-0"."""
    rounded = round(value, digits) + 0.0
    return str(QLocale().toString(rounded, "f", digits))


def draw_y_axis(
    painter: QPainter, box: Box, ticks: Sequence[Tick], words: Callable[[float], str], c: theme.Colours
) -> None:
    """Thin lines across the box, their values at its left."""
    high = painter.fontMetrics().height()
    for tick in ticks:
        painter.setPen(QPen(QColor(c.line), 1))
        painter.drawLine(QLineF(box.x, round(tick.at) + 0.5, box.right, round(tick.at) + 0.5))
        painter.setPen(QColor(c.muted))
        place = QRectF(0, tick.at - high / 2, box.x - _BESIDE, high)
        painter.drawText(
            place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words(tick.value)
        )


def draw_x_axis(
    painter: QPainter, box: Box, ticks: Sequence[tuple[float, str]], c: theme.Colours, width: float
) -> None:
    """Labels below the box; one that would touch the one before it is left out. `width` is the chart's."""
    metrics = painter.fontMetrics()
    painter.setPen(QColor(c.muted))
    free = MARGIN
    for at, words in ticks:
        wide = metrics.horizontalAdvance(words) + 2
        left = min(max(MARGIN, at - wide / 2), width - wide - MARGIN)
        if left < free:
            continue
        free = left + wide + _BESIDE
        place = QRectF(left, box.bottom + 4, wide, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)


def draw_limit(painter: QPainter, box: Box, at: float, words: str, c: theme.Colours) -> None:
    """A dashed line that says what it is."""
    painter.setPen(QPen(QColor(c.warn), 1.5, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(box.x, at, box.right, at))
    high = painter.fontMetrics().height()
    above = at - high - 2 >= 0
    place = QRectF(box.x, at - high - 2 if above else at + 2, box.width, high)
    painter.setPen(QColor(c.warn))
    painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)


def stripe(painter: QPainter, area: QRectF, colour: QColor) -> None:
    """Slanted lines, so that an area is known without its colour."""
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(colour, 1.2))
    at = area.left() - area.height()
    while at < area.right():
        painter.drawLine(QPointF(at, area.bottom()), QPointF(at + area.height(), area.top()))
        at += _STRIPE
    painter.restore()


def widest(
    painter_metrics: Callable[[str], int], ticks: Sequence[Tick], words: Callable[[float], str]
) -> float:
    """Pixels that the labels of an axis need, the gap to it included."""
    return max((float(painter_metrics(words(tick.value))) for tick in ticks), default=0.0) + _BESIDE + MARGIN
