"""Small things beside each other, on as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_GAP = 6


class _FlowLayout(QLayout):
    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 Qt's own name
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 Qt's own name
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 Qt's own name
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 Qt's own name
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 Qt's own name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 Qt's own name
        return self._place(QRect(0, 0, width, 0), put=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 Qt's own name
        super().setGeometry(rect)
        self._place(rect, put=True)

    def sizeHint(self) -> QSize:  # noqa: N802 Qt's own name
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 Qt's own name
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, put: bool) -> int:
        """Lay the items out; the height they take."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            width = min(hint.width(), rect.width())
            if x > rect.x() and x + width > rect.right() + 1:
                x, y, line = rect.x(), y + line + _GAP, 0
            if put:
                item.setGeometry(QRect(x, y, width, hint.height()))
            x, line = x + width + _GAP, max(line, hint.height())
        return y + line - rect.y()


class Flow(QWidget):
    """Takes widgets."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = _FlowLayout()
        self.setLayout(self._layout)

    def add(self, widget: QWidget) -> None:
        self._layout.addWidget(widget)
