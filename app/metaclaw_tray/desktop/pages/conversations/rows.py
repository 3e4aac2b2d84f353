"""The list itself: rows of one height that are drawn, not made."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QListView

from metaclaw_tray.desktop.pages.conversations.delegate import ExchangeDelegate
from metaclaw_tray.desktop.pages.conversations.model import ExchangeModel


class ExchangeList(QListView):
    """The rows. Enter opens one."""

    opened = Signal(QModelIndex)

    def __init__(self, model: ExchangeModel, delegate: ExchangeDelegate) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(self.tr("Conversations"))
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 Qt's own name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
