"""How a row is drawn: a shape for its state, its name, one line, and at the right a word if need be."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.entries import Entry, Section
from metaclaw_tray.desktop.pages.skills.model import ENTRY, HEADING
from metaclaw_tray.desktop.theme import Colours

_Index = QModelIndex | QPersistentModelIndex
_TEXT_LEFT = 34  # where texts begin; the shape stands before
_RIGHT = 14
_DOT = 5.0  # half of a shape's width


class EntryDelegate(QStyledItemDelegate):
    """Draws entries and headings, all of one height: a long list is laid out without looking at it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dress()

    def dress(self) -> None:
        """Take up the system's font, now or again."""
        self._title = theme.scaled(1.0, QFont.Weight.DemiBold)
        self._small = theme.scaled(theme.SMALL)
        self._heading = theme.scaled(theme.SMALL, QFont.Weight.DemiBold)
        self._title_height = QFontMetrics(self._title).height()
        self._small_height = QFontMetrics(self._small).height()
        self._height = self._title_height + self._small_height + 22

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 Qt's own name
        del option, index
        return QSize(160, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        now = theme.colours()
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        heading = index.data(HEADING)
        if heading is not None:
            self._draw_heading(painter, rect, heading, now)
        else:
            state: QStyle.StateFlag = option.state
            self._draw_back(painter, rect, state, now)
            self._draw_entry(painter, rect, index.data(ENTRY), now)
        painter.restore()

    def _draw_heading(self, painter: QPainter, rect: QRect, text: str, now: Colours) -> None:
        painter.setFont(self._heading)
        painter.setPen(QColor(now.muted))
        painter.drawText(
            rect.adjusted(14, 0, -_RIGHT, -8), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text
        )

    @staticmethod
    def _draw_back(painter: QPainter, rect: QRect, state: QStyle.StateFlag, now: Colours) -> None:
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if not selected and not state & QStyle.StateFlag.State_MouseOver:
            return
        focused = selected and bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QPen(QColor(now.accent), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.accent_soft if selected else now.raised))
        painter.drawRoundedRect(QRectF(rect).adjusted(5, 2, -5, -2), theme.RADIUS, theme.RADIUS)

    def _draw_entry(self, painter: QPainter, rect: QRect, entry: Entry, now: Colours) -> None:
        top = rect.top() + (rect.height() - self._title_height - self._small_height - 2) // 2
        right = rect.right() - _RIGHT
        _draw_shape(painter, QPointF(rect.left() + 20, top + self._title_height / 2), entry, now)
        right = self._draw_word(painter, entry, top, right, now)
        left = rect.left() + _TEXT_LEFT
        painter.setFont(self._title)
        painter.setPen(QColor(now.muted if entry.state in ("disabled", "retired") else now.text))
        self._draw_text(painter, QRect(left, top, right - left, self._title_height), entry.title)
        painter.setFont(self._small)
        painter.setPen(QColor(now.muted))
        under = QRect(left, top + self._title_height + 2, rect.right() - _RIGHT - left, self._small_height)
        self._draw_text(painter, under, entry.line)

    def _draw_word(self, painter: QPainter, entry: Entry, top: int, right: int, now: Colours) -> int:
        """The word at the right, if any; where the name has to end."""
        if entry.section is Section.SKILLS and entry.state == "active":
            return right
        word = words.state(entry.state)
        painter.setFont(self._small)
        painter.setPen(QColor(now.warn if entry.tainted else now.muted))
        width = painter.fontMetrics().horizontalAdvance(word)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(right - width, top, width, self._title_height), flags, word)
        return right - width - 10

    @staticmethod
    def _draw_text(painter: QPainter, rect: QRect, text: str) -> None:
        line = text.replace("\n", " ")
        cut = painter.fontMetrics().elidedText(line[:400], Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)


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
