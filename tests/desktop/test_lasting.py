"""A window that paints for days does not use None up."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from metaclaw_tray.desktop.lasting import make_none_last


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None has no count there")
def test_none_outlasts_what_a_painter_takes_from_it(qapp: object) -> None:
    make_none_last()
    before = sys.getrefcount(None)
    assert before > 1 << 39
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    for _ in range(100_000):
        painter.drawLine(QPointF(1, 2), QPointF(3, 4))
    painter.end()
    make_none_last()
    assert sys.getrefcount(None) > before - (1 << 30), "it is given once, and holds"
