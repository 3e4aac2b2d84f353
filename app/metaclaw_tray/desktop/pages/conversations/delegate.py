"""How a row is drawn: a shape for how it went, the person's words, the time; the agent and a line below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from metaclaw_tray.admin.api import ExchangeRow
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.conversations.model import HEADING, ROW
from metaclaw_tray.desktop.rows import MIDDLE, RIGHT, Index, RowDelegate, draw_text
from metaclaw_tray.desktop.theme import Colours
from metaclaw_tray.desktop.unhidden import unhidden

_TEXT_LEFT = 36  # where texts begin; the shape stands before
_DOT = 5.0  # half of a shape's width


class ExchangeDelegate(RowDelegate):
    """Rows whose words are on their way are drawn as bars."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(HEADING, parent)

    def draw_row(self, painter: QPainter, rect: QRect, index: Index, now: Colours) -> None:
        row = index.data(ROW)
        if row is None:
            self._draw_waiting(painter, rect, now)
        else:
            self._draw_row(painter, rect, row, now)

    def _draw_waiting(self, painter: QPainter, rect: QRect, now: Colours) -> None:
        """A line whose words are on their way."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.raised))
        top, width = rect.top() + rect.height() / 2, rect.width() - _TEXT_LEFT - RIGHT
        painter.drawRoundedRect(QRectF(_TEXT_LEFT, top - 14, width * 0.7, 9), 4, 4)
        painter.drawRoundedRect(QRectF(_TEXT_LEFT, top + 5, width * 0.45, 9), 4, 4)

    def _draw_row(self, painter: QPainter, rect: QRect, row: ExchangeRow, now: Colours) -> None:
        top = self.top_of(rect)
        left, right = rect.left() + _TEXT_LEFT, rect.right() - RIGHT
        _draw_shape(painter, QPointF(rect.left() + 20, top + self.title_height / 2), row, now)
        painter.setFont(self.small)
        painter.setPen(QColor(now.muted))
        time = words.date(row.at) if row.snippet else words.time(row.at)
        width = painter.fontMetrics().horizontalAdvance(time)
        painter.drawText(QRect(right - width, top, width, self.title_height), MIDDLE, time)
        painter.setFont(self.title)
        painter.setPen(QColor(now.text))
        draw_text(painter, QRect(left, top, right - width - 10 - left, self.title_height), words.asked(row))
        under = QRect(left, top + self.title_height + 2, right - left, self.small_height)
        painter.setFont(self.small)
        self._draw_under(painter, under, row, now)

    def _draw_under(self, painter: QPainter, rect: QRect, row: ExchangeRow, now: Colours) -> None:
        painter.setPen(QColor(now.muted))
        if row.snippet:
            spans = [(len(unhidden(row.snippet[:a])), len(unhidden(row.snippet[:b]))) for a, b in row.spans]
            _draw_marked(painter, rect, unhidden(row.snippet), spans, now)
            return
        count = words.skills(len(row.skills)) if row.skills else ""
        if count:
            width = painter.fontMetrics().horizontalAdvance(count)
            painter.setPen(QColor(now.accent))
            painter.drawText(rect.adjusted(rect.width() - width, 0, 0, 0), MIDDLE, count)
            rect = rect.adjusted(0, 0, -width - 10, 0)
            painter.setPen(QColor(now.muted))
        draw_text(painter, rect, f"{row.agent} · {unhidden(row.answered)}" if row.answered else row.agent)


def _draw_marked(
    painter: QPainter, rect: QRect, text: str, spans: Sequence[tuple[int, int]], now: Colours
) -> None:
    """A line with what was looked for on a ground of its own."""
    metrics = painter.fontMetrics()
    first = spans[0][0] if spans else 0
    if metrics.horizontalAdvance(text[: spans[0][1] if spans else 0]) > rect.width() * 0.8:
        text, spans = f"… {text[first:]}", [(a - first + 2, b - first + 2) for a, b in spans]
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    for start, end in spans:
        if start < len(shown):
            x = rect.left() + metrics.horizontalAdvance(shown[:start])
            width = metrics.horizontalAdvance(shown[:end]) + rect.left() - x
            painter.fillRect(QRect(x - 1, rect.top(), width + 2, rect.height()), QColor(now.warn_soft))
    painter.drawText(rect, MIDDLE, shown)


def _draw_shape(painter: QPainter, at: QPointF, row: ExchangeRow, now: Colours) -> None:
    """How it went differs in shape too, not only in colour: a tick, a cross, a bar, an empty ring."""
    score = row.thumb or row.score
    if row.outcome in ("failed", "cut", "lost") and not row.thumb:
        score = -1
    colour = QColor({1: now.good, -1: now.bad}.get(score or 0, now.muted))
    painter.setPen(
        QPen(colour, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y, half = at.x(), at.y(), _DOT - 0.5
    if score == 1:
        painter.drawPolyline(
            [QPointF(x - half, y + 0.5), QPointF(x - 1.2, y + half - 0.8), QPointF(x + half, y - half + 0.8)]
        )
    elif score == -1:
        painter.drawLine(QPointF(x - half + 1, y - half + 1), QPointF(x + half - 1, y + half - 1))
        painter.drawLine(QPointF(x - half + 1, y + half - 1), QPointF(x + half - 1, y - half + 1))
    elif score == 0:
        painter.drawLine(QPointF(x - half, y), QPointF(x + half, y))
    else:
        painter.setPen(QPen(colour, 1.5))
        painter.drawEllipse(at, half - 0.5, half - 0.5)
