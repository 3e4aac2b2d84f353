"""A question or a message over the window, as high as its words need at its width."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class Dialog(QDialog):
    """Goes away for good when it is closed. Over a parent it holds up that window only."""

    def __init__(self, title: str, parent: QWidget | None = None, *, width: int = 460) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(width)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if parent is not None:
            self.setWindowModality(Qt.WindowModality.WindowModal)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 Qt's own name
        """A layout guesses the height of wrapped words before it knows their width."""
        super().showEvent(event)
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():
            layout.activate()
            self.resize(self.width(), max(self.minimumHeight(), layout.totalHeightForWidth(self.width())))
