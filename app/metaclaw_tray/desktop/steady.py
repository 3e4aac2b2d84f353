"""Boxes of choices that change only when somebody makes a choice in them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

_SCROLLING = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Steady(QComboBox):
    """While it is closed, the wheel and the keys that turn pages scroll what is around it; Qt's own box would
    take its next choice."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 Qt's own name
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 Qt's own name
        if event.key() in _SCROLLING:
            event.ignore()
        else:
            super().keyPressEvent(event)
