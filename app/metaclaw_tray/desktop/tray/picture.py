"""The icon, painted: a tile with the marks of a claw, and for each state a shape in its corner.

Panels are light or dark whatever the rest of the screen is, so the tile is a colour that stands out on both,
and what it says is said by form: a star, bars, a dot with a number, an outline with a pause, a triangle.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from metaclaw_tray.desktop.tray.state import State

SIZES = (16, 20, 22, 24, 32, 40, 44, 48, 64, 96, 128)

_GRID = 64.0
_TILE = QRectF(3, 3, 58, 58)
_CORNER = QPointF(45, 45)  # where the shape stands
_SMALL = 20  # pixels; below, a number cannot be read

_BLUE, _GREY, _WHITE = "#2f6fd6", "#6a7280", "#ffffff"
_BLUE_ON_DARK, _GREY_ON_DARK = "#4a88ee", "#8a93a3"
_GOLD, _GREEN, _ORANGE, _RED = "#f0a500", "#1fa463", "#d4500c", "#d3302b"


def tray_icon(state: State, count: int = 0, *, dark: bool = False) -> QIcon:
    """The icon for a state; `count` stands in the dot of attention."""
    made = QIcon()
    for size in SIZES:
        made.addPixmap(QPixmap.fromImage(paint(state, count, size, dark=dark)))
    return made


def paint(state: State, count: int, size: int, *, dark: bool = False) -> QImage:
    """One picture, `size` pixels wide and high."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / _GRID, size / _GRID)
    blue, grey = (_BLUE_ON_DARK, _GREY_ON_DARK) if dark else (_BLUE, _GREY)
    if state is State.PAUSED:
        _paused(painter, grey)
    else:
        _tile(painter, grey if state is State.TROUBLE else blue)
        _claw(painter)
    match state:
        case State.LEARNING:
            _clear(painter, _star(25))
            painter.fillPath(_star(20), QColor(_GOLD))
        case State.TRAINING:
            _bars(painter)
        case State.ATTENTION:
            _dot(painter, count if size >= _SMALL else 0)
        case State.TROUBLE:
            _triangle(painter, exclaims=size >= _SMALL)
        case _:
            pass
    painter.end()
    return image


def _tile(painter: QPainter, colour: str) -> None:
    path = QPainterPath()
    path.addRoundedRect(_TILE, 15, 15)
    painter.fillPath(path, QColor(colour))


def _claw(painter: QPainter) -> None:
    """Three marks, from the upper right to the lower left."""
    painter.setPen(QPen(QColor(_WHITE), 5.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for shift in (-12.0, 0.0, 12.0):
        path = QPainterPath(QPointF(38 + shift, 15))
        path.quadTo(QPointF(35.5 + shift, 33), QPointF(24 + shift, 49))
        painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)


def _paused(painter: QPainter, colour: str) -> None:
    """An empty tile with two bars."""
    painter.setPen(QPen(QColor(colour), 6))
    painter.drawRoundedRect(_TILE.adjusted(3, 3, -3, -3), 13, 13)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for left in (20.0, 36.0):
        painter.drawRoundedRect(QRectF(left, 19, 8, 26), 3, 3)


def _clear(painter: QPainter, path: QPainterPath) -> None:
    """Leave a gap between the tile and the shape, so that both can be told apart on any panel."""
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.fillPath(path, QColor(_WHITE))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _star(reach: float) -> QPainterPath:
    """A star of four points."""
    near = reach * 0.30
    points = [(0, -reach), (near, -near), (reach, 0), (near, near), (0, reach), (-near, near), (-reach, 0)]
    return _shape([*points, (-near, -near)], QPointF(44, 44))


def _bars(painter: QPainter) -> None:
    """Three bars that rise."""
    bars = [QRectF(left, 62 - height, 10.5, height) for left, height in ((24, 15), (37.5, 26), (51, 37))]
    for bar in bars:
        gap = QPainterPath()
        gap.addRoundedRect(bar.adjusted(-4, -4, 4, 4), 5, 5)
        _clear(painter, gap)
    painter.setBrush(QColor(_GREEN))
    for bar in bars:
        painter.drawRoundedRect(bar, 2.5, 2.5)


def _dot(painter: QPainter, count: int) -> None:
    gap, dot = QPainterPath(), QPainterPath()
    gap.addEllipse(_CORNER, 22, 22)
    dot.addEllipse(_CORNER, 17.5, 17.5)
    _clear(painter, gap)
    painter.fillPath(dot, QColor(_ORANGE))
    if count:
        _write(painter, str(count) if count < 10 else "9+", 25 if count < 10 else 19, _CORNER)


def _triangle(painter: QPainter, *, exclaims: bool) -> None:
    _clear(painter, _shape([(0, -25), (26, 21), (-26, 21)], _CORNER))
    round_pen = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(QPen(QColor(_RED), 5, *round_pen))
    painter.setBrush(QColor(_RED))
    painter.drawPolygon(QPolygonF([_CORNER + QPointF(*at) for at in ((0, -15), (16.5, 14.5), (-16.5, 14.5))]))
    painter.setPen(Qt.PenStyle.NoPen)
    if exclaims:
        painter.setBrush(QColor(_WHITE))
        painter.drawRoundedRect(QRectF(_CORNER.x() - 2.6, _CORNER.y() - 8, 5.2, 13), 2.6, 2.6)
        painter.drawEllipse(_CORNER + QPointF(0, 10.5), 2.9, 2.9)


def _write(painter: QPainter, text: str, pixels: int, middle: QPointF) -> None:
    font = QFont()
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.setPen(QColor(_WHITE))
    box = QRectF(middle.x() - 20, middle.y() - 20, 40, 40)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.setPen(Qt.PenStyle.NoPen)


def _shape(points: Sequence[tuple[float, float]], middle: QPointF) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([middle + QPointF(*at) for at in points]))
    path.closeSubpath()
    return path
