"""Symbols of our own (resources/icons), sharp at every size and in any colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from metaclaw_tray.desktop import theme
from metaclaw_tray.paths import resources_dir

_SIZES = (16, 20, 24, 32, 40, 48, 64)

_STROKE = 'stroke="#000000"'  # in the files; the colour asked for takes its place


def icon(name: str, colour: str = "") -> QIcon:
    """A symbol in a colour, in that of text where none is given. Raises FileNotFoundError for no symbol of
    ours."""
    made = QIcon()
    for size in _SIZES:
        made.addPixmap(_pixmap(name, colour or theme.colours().text, size))
    return made


@lru_cache(maxsize=512)
def _pixmap(name: str, colour: str, size: int) -> QPixmap:
    image = QImage(size * 2, size * 2, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _renderer(name, colour).render(painter, QRectF(0, 0, size * 2, size * 2))
    painter.end()
    image.setDevicePixelRatio(2)
    return QPixmap.fromImage(image)


def _renderer(name: str, colour: str) -> QSvgRenderer:
    drawn = (resources_dir() / "icons" / f"{name}.svg").read_text("utf-8")
    return QSvgRenderer(QByteArray(drawn.replace(_STROKE, f'stroke="{colour}"').encode()))
