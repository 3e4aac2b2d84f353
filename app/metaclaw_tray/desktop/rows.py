"""How rows of the long lists are drawn: one height for all, headings, and the ground of the chosen row."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.theme import Colours

Index = QModelIndex | QPersistentModelIndex
RIGHT = 14  # between texts and the right border
MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

_HEADING = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
_LONGEST = 400  # letters of a text that are looked at, for the few that fit


class RowDelegate(QStyledItemDelegate):
    """Two lines a row, all of one height, so that a long list is laid out without looking at it.

    `heading_role` gives the text of a row that is a heading; who draws the others says so in `draw_row`.
    """

    def __init__(self, heading_role: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heading_role = heading_role
        self.dress()

    def dress(self) -> None:
        """Take up the system's font, now or again."""
        self.title = theme.scaled(1.0, QFont.Weight.DemiBold)
        self.small = theme.scaled(theme.SMALL)
        self._heading = theme.scaled(theme.SMALL, QFont.Weight.DemiBold)
        self.title_height = QFontMetrics(self.title).height()
        self.small_height = QFontMetrics(self.small).height()
        self._height = self.title_height + self.small_height + 22

    def draw_row(self, painter: QPainter, rect: QRect, index: Index, now: Colours) -> None:
        """Draw a row that is no heading, on its ground."""
        raise NotImplementedError

    def top_of(self, rect: QRect) -> int:
        """Where the first line begins, so that both stand in the middle."""
        return rect.top() + (rect.height() - self.title_height - self.small_height - 2) // 2

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 Qt's own name
        del option, index
        return QSize(160, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.colours()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        heading = index.data(self._heading_role)
        if heading is not None:
            painter.setFont(self._heading)
            painter.setPen(QColor(now.muted))
            painter.drawText(rect.adjusted(14, 0, -RIGHT, -8), _HEADING, heading)
        else:
            _draw_ground(painter, rect, state, now)
            self.draw_row(painter, rect, index, now)
        painter.restore()


def draw_text(painter: QPainter, rect: QRect, text: str) -> None:
    """One line, with dots where it does not fit."""
    line = text[:_LONGEST].replace("\n", " ")
    cut = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, MIDDLE, cut)


def _draw_ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag, now: Colours) -> None:
    selected = bool(state & QStyle.StateFlag.State_Selected)
    if not selected and not state & QStyle.StateFlag.State_MouseOver:
        return
    focused = selected and bool(state & QStyle.StateFlag.State_HasFocus)
    painter.setPen(QPen(QColor(now.accent), 2) if focused else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(now.accent_soft if selected else now.raised))
    painter.drawRoundedRect(QRectF(rect).adjusted(5, 2, -5, -2), theme.RADIUS, theme.RADIUS)
