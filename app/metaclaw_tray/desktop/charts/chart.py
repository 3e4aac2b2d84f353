"""What all charts share: places that can be pointed at or walked through, what they say, and how it is drawn.

A subclass lays itself out for a size (`arrange`), paints what was laid out (`draw`), and gives its values as
rows of a table. The text alternative is the accessible description; while a place is looked at, it is that
place's words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.geometry import Box, Point

_NEAR = 28.0  # pixels around a point in which it is meant
_PADDING = 7.0  # of the bubble
_AWAY = 10.0  # of the bubble from its place
_WRAPPED = Qt.TextFlag.TextWordWrap

_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


@dataclass(frozen=True)
class Place:
    """Something that has a value: where it is, and what it says."""

    box: Box  # of a point: of no size
    words: str


@dataclass(frozen=True)
class Table:
    """A chart's values as rows."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = field(default=())


class Chart(QWidget):
    """A chart. `looked_at` tells the number of the place that is looked at, -1 for none."""

    looked_at = Signal(int)

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._places: tuple[Place, ...] = ()
        self._at = -1
        self._said = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """All that can be looked at, in the order of the arrow keys."""
        return self._places

    @property
    def current(self) -> Place | None:
        """The place that is looked at."""
        return self._places[self._at] if 0 <= self._at < len(self._places) else None

    def table(self) -> Table:
        """The values, as rows."""
        raise NotImplementedError

    def arrange(self, width: float, height: float) -> Sequence[Place]:
        """Lay out for a size; the places there are then."""
        raise NotImplementedError

    def draw(self, painter: QPainter, colours: theme.Colours) -> None:
        """Paint what was laid out."""
        raise NotImplementedError

    def say(self, words: str) -> None:
        """The whole chart in a sentence or two, for who does not see it."""
        self._said = words
        self.setAccessibleDescription(words)

    def look(self, number: int) -> None:
        """Look at a place; -1 looks at none."""
        number = number if 0 <= number < len(self._places) else -1
        if number == self._at:
            return
        self._at = number
        here = self.current
        self.setAccessibleDescription(here.words if here is not None else self._said)
        self.looked_at.emit(number)
        self.update()

    def renew(self) -> None:
        """Lay out again: values or size are others."""
        self._places = tuple(self.arrange(float(self.width()), float(self.height())))
        if self._at >= len(self._places):
            self.look(-1)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        self.renew()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.renew()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 Qt's own name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.scaled(theme.SMALL))
        now = theme.colours()
        self.draw(painter, now)
        if self.hasFocus():
            painter.setPen(QPen(QColor(now.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        if (here := self.current) is not None:
            self._bubble(painter, here, now)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 Qt's own name
        self.look(nearest(self._places, Point(event.position().x(), event.position().y())))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().leaveEvent(event)
        self.look(-1)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 Qt's own name
        super().focusOutEvent(event)
        self.look(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 Qt's own name
        key, last = event.key(), len(self._places) - 1
        if key in _STEPS and self._places:
            self.look(min(last, max(0, self._at + _STEPS[Qt.Key(key)])))
        elif key == Qt.Key.Key_Home and self._places:
            self.look(0)
        elif key == Qt.Key.Key_End and self._places:
            self.look(last)
        elif key == Qt.Key.Key_Escape and self._at >= 0:
            self.look(-1)
        else:
            super().keyPressEvent(event)

    def _bubble(self, painter: QPainter, here: Place, now: theme.Colours) -> None:
        """What a place says, above it where there is room."""
        metrics = painter.fontMetrics()
        text = QRectF(metrics.boundingRect(0, 0, max(80, self.width() - 24), 400, _WRAPPED, here.words))
        bubble = text.adjusted(-_PADDING, -_PADDING + 2, _PADDING, _PADDING - 2)
        bubble.moveCenter(QPointF(here.box.middle.x, 0))
        bubble.moveBottom(here.box.y - _AWAY)
        if bubble.top() < 0:
            bubble.moveTop(min(here.box.bottom + _AWAY, self.height() - bubble.height()))
        bubble.moveLeft(min(max(1.0, bubble.left()), self.width() - bubble.width() - 1))
        painter.setPen(QPen(QColor(now.muted), 1))
        painter.setBrush(QColor(now.surface))
        painter.drawRoundedRect(bubble, 5, 5)
        painter.setPen(QColor(now.text))
        painter.drawText(
            bubble.adjusted(_PADDING, 0, -_PADDING, 0), _WRAPPED | Qt.AlignmentFlag.AlignVCenter, here.words
        )


def nearest(places: Sequence[Place], to: Point) -> int:
    """The number of the place that is meant by pointing there; -1 where none is near."""
    best, found = _NEAR, -1
    for number, each in enumerate(places):
        away = _away(each.box, to)
        if away < best or (away == best == 0.0):
            best, found = away, number
    return found


def _away(box: Box, to: Point) -> float:
    aside = max(box.x - to.x, 0.0, to.x - box.right)
    above = max(box.y - to.y, 0.0, to.y - box.bottom)
    return float((aside**2 + above**2) ** 0.5)


def rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)


def polygon(points: Sequence[Point]) -> QPolygonF:
    return QPolygonF([QPointF(*each) for each in points])
