"""Asking before something that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import button, column, heading, label, row


class LoseSheet(Dialog):
    """Keep writing, or throw it away."""

    def __init__(self, parent: QWidget, lose: Callable[[], object]) -> None:
        super().__init__("", parent, width=420)
        self.setWindowTitle(self.tr("Throw away what you wrote?"))
        keep = button(self.tr("Keep writing"), self.reject, "primary")
        away = button(self.tr("Throw it away"), self.accept, "danger")
        self.setLayout(
            column(
                heading(self.tr("Throw away what you wrote?")),
                label(self.tr("Your text is not saved."), "muted"),
                row(None, away, keep, gap=theme.GAP_S),
                margin=theme.GAP_L,
            )
        )
        keep.setDefault(True)
        self.accepted.connect(lose)
