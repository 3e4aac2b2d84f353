"""Ask once more before what cannot be taken back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import button, column, heading, label, row


class SureDialog(Dialog):
    """A question, what comes of a yes, and a button that names it. Anything else is a no."""

    def __init__(self, parent: QWidget, title: str, text: str, action: str) -> None:
        super().__init__(title, parent, width=440)
        no = button(self.tr("Cancel"), self.reject)
        yes = button(action, self.accept, "danger")
        self.setLayout(column(heading(title), label(text), row(None, no, yes), margin=theme.GAP_L))
        no.setDefault(True)
        no.setFocus()


def be_sure(parent: QWidget, title: str, text: str, action: str, yes: Callable[[], object]) -> SureDialog:
    """Ask over `parent`; `yes` is called where the person says so."""
    dialog = SureDialog(parent, title, text, action)
    dialog.accepted.connect(lambda: yes())
    dialog.open()
    return dialog
