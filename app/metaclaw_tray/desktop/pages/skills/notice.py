"""What was just done, in a line, with the way back."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import Card, button, label, row

_SHOWN_MS = 20_000


class Notice(Card):
    """Shows itself when told something, and goes by itself."""

    undo = Signal(str)  # an entry of the ledger

    def __init__(self) -> None:
        super().__init__(kind="note")
        self._entry = ""
        self._words = label()
        self._words.setAccessibleName(self.tr("What was done"))
        self._undo = button(self.tr("Undo"), self._ask, symbol="undo")
        self._close = button(self.tr("Close"), self.hide, "link")
        line = row(self._words, self._undo, self._close, gap=theme.GAP)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self.body.setContentsMargins(12, 7, 8, 7)
        self._clock = QTimer(self, singleShot=True, interval=_SHOWN_MS)
        self._clock.timeout.connect(self.hide)
        self.hide()

    def tell(self, words: str, entry: str) -> None:
        """Say what was done; `entry` undoes it, where there is one."""
        self._entry = entry
        self._words.setText(words)
        self._undo.setVisible(bool(entry))
        self.show()
        self._clock.start()

    def _ask(self) -> None:
        self.hide()
        self.undo.emit(self._entry)
