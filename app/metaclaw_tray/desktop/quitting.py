"""How to leave: the agents that talk through the app go on being served, unless the person says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.dialog import Dialog
from metaclaw_tray.desktop.parts import button, column, heading, label, row


class QuitDialog(Dialog):
    """`chosen` tells how: True keeps agents served without a window, False ends all. Closing it is a no."""

    chosen = Signal(bool)

    def __init__(self, talking: Sequence[str]) -> None:
        """`talking`: the agents that asked for something a short while ago."""
        super().__init__("", width=500)
        self.setWindowTitle(self.tr("Quit MetaClaw Tray"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # whoever made it closes it again
        # Made in the order in which they stand, which is the order of the Tab key.
        cancel = button(self.tr("Cancel"), self.reject)
        end = button(self.tr("Quit"), self._end)
        keep = button(self.tr("Keep serving in the background"), self._keep, "primary")
        self.setLayout(
            column(
                heading(self.tr("Quit MetaClaw Tray?")),
                label(self._who(talking)),
                label(
                    self.tr(
                        "In the background they are served as before; only the icon and the window go. "
                        "Starting MetaClaw Tray again brings them back."
                    ),
                    "muted",
                ),
                row(cancel, None, end, keep),
                margin=theme.GAP_L,
            )
        )
        for each in (cancel, end, keep):
            each.setAutoDefault(True)  # the return key presses the one that has the focus
        keep.setDefault(True)
        keep.setFocus()

    def _who(self, talking: Sequence[str]) -> str:
        if not talking:
            return self.tr(
                "No agent has asked for anything in the last 15 minutes. An agent that is set up to talk "
                "through it would find nobody."
            )
        names = QLocale().createSeparatedList(list(talking))
        return self.tr(
            "%n agent(s) talked through it in the last 15 minutes: {names}. If you quit, they get no "
            "answers.",
            "",
            len(talking),
        ).format(names=names)

    def _keep(self) -> None:
        self.accept()
        self.chosen.emit(True)

    def _end(self) -> None:
        self.accept()
        self.chosen.emit(False)
