"""A switch: on or off, by a click, the space bar or a word from a screen reader."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from metaclaw_tray.desktop import theme

_WIDTH, _HEIGHT, _EDGE = 38, 22, 3


class Switch(QAbstractButton):
    """`toggled` tells of each change, `clicked` of those by the person. Without a text of its own; give it a
    name for screen readers."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802 Qt's own name
        return QSize(_WIDTH + 2 * _EDGE, _HEIGHT + 2 * _EDGE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 Qt's own name
        now = theme.colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        track = QRectF(_EDGE, _EDGE, _WIDTH, _HEIGHT)
        if self.hasFocus():
            painter.setPen(QPen(QColor(now.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            around = track.adjusted(-2, -2, 2, 2)
            painter.drawRoundedRect(around, around.height() / 2, around.height() / 2)
        on, over = self.isChecked(), self.underMouse() and self.isEnabled()
        painter.setPen(QPen(QColor(now.accent if on else now.muted), 1.4))
        painter.setBrush(QColor(now.accent if on else now.raised if over else now.surface))
        painter.drawRoundedRect(track.adjusted(0.7, 0.7, -0.7, -0.7), _HEIGHT / 2, _HEIGHT / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.on_accent if on else now.muted))
        x = track.right() - _HEIGHT / 2 if on else track.left() + _HEIGHT / 2
        radius = _HEIGHT / 2 - (4 if on else 5.5)
        painter.drawEllipse(QPointF(x, track.center().y()), radius, radius)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 Qt's own name
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        self.update()
        super().leaveEvent(event)
