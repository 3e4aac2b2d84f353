"""How a row is drawn: a shape for its state, its name, one line, and at the right a word if need be."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.entries import Entry, Section
from metaclaw_tray.desktop.pages.skills.model import ENTRY, HEADING
from metaclaw_tray.desktop.rows import RIGHT, Index, RowDelegate, draw_text
from metaclaw_tray.desktop.theme import Colours

_TEXT_LEFT = 34  # where texts begin; the shape stands before
_DOT = 5.0  # half of a shape's width


class EntryDelegate(RowDelegate):
    """Skills and proposals."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(HEADING, parent)

    def draw_row(self, painter: QPainter, rect: QRect, index: Index, now: Colours) -> None:
        entry: Entry = index.data(ENTRY)
        top = self.top_of(rect)
        right = rect.right() - RIGHT
        _draw_shape(painter, QPointF(rect.left() + 20, top + self.title_height / 2), entry, now)
        right = self._draw_word(painter, entry, top, right, now)
        left = rect.left() + _TEXT_LEFT
        painter.setFont(self.title)
        painter.setPen(QColor(now.muted if entry.state in ("disabled", "retired") else now.text))
        draw_text(painter, QRect(left, top, right - left, self.title_height), entry.title)
        painter.setFont(self.small)
        painter.setPen(QColor(now.muted))
        under = QRect(left, top + self.title_height + 2, rect.right() - RIGHT - left, self.small_height)
        draw_text(painter, under, entry.line)

    def _draw_word(self, painter: QPainter, entry: Entry, top: int, right: int, now: Colours) -> int:
        """The word at the right, if any; where the name has to end."""
        if entry.section is Section.SKILLS and entry.state == "active":
            return right
        word = words.state(entry.state)
        painter.setFont(self.small)
        painter.setPen(QColor(now.warn if entry.tainted else now.muted))
        width = painter.fontMetrics().horizontalAdvance(word)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(right - width, top, width, self.title_height), flags, word)
        return right - width - 10


def _draw_shape(painter: QPainter, at: QPointF, entry: Entry, now: Colours) -> None:
    """States differ in shape too, not only in colour."""
    box = QRectF(at.x() - _DOT, at.y() - _DOT, 2 * _DOT, 2 * _DOT)
    if entry.tainted:
        colour = QColor(now.warn)
        painter.setPen(QPen(colour, 1.6, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        corners = [QPointF(at.x(), box.top() - 1), box.bottomRight(), box.bottomLeft()]
        painter.drawPolygon(QPolygonF(corners))
        painter.drawLine(QPointF(at.x(), at.y() - 1.5), QPointF(at.x(), at.y() + 1.5))
        return
    if entry.section is not Section.SKILLS:  # a diamond
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.accent if entry.section is Section.WAITS else now.muted))
        corners = [
            QPointF(at.x(), box.top()),
            QPointF(box.right(), at.y()),
            QPointF(at.x(), box.bottom()),
            QPointF(box.left(), at.y()),
        ]
        painter.drawPolygon(QPolygonF(corners))
        return
    colour = QColor({"active": now.good, "trial": now.accent}.get(entry.state, now.muted))
    painter.setPen(QPen(colour, 1.8))
    if entry.state == "retired":
        painter.drawLine(QPointF(box.left() + 1, at.y()), QPointF(box.right() - 1, at.y()))
        return
    painter.setBrush(colour if entry.state == "active" else Qt.BrushStyle.NoBrush)
    inner = box.adjusted(1, 1, -1, -1)
    painter.drawEllipse(inner)
    if entry.state == "trial":  # half of it filled
        painter.setBrush(colour)
        painter.drawPie(inner, 90 * 16, 180 * 16)
