"""Doing what the person decided, and telling what came of it with a way back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from metaclaw_tray.admin.api import Said, Verb
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.remedies import in_window


class Acting(QObject):
    """Every change of the library that the page asks for goes through here."""

    told = Signal(str, str)  # what was done, and the entry of the ledger by which it is undone
    busy = Signal(bool)

    def __init__(self, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self.bridge = bridge

    def do(
        self,
        verb: Verb[Said],
        words: str,
        *,
        seen: str | None = None,
        then: Callable[[], object] | None = None,
    ) -> None:
        """Ask for a change; `words` say it once it is done, the app's own where they are empty. `seen` is the
        text of the consent that stands before the person."""

        def done(said: Said) -> None:
            self.busy.emit(False)
            self.told.emit(words or in_window(said.text).text, said.undo)
            if then is not None:
                then()

        self.busy.emit(True)
        self.bridge.ask(verb, done, self._failed, owner=self, told=self._step, seen=seen)

    def _step(self, words: str) -> None:
        self.told.emit(in_window(words).text, "")

    def _failed(self, problem: Problem) -> None:
        self.busy.emit(False)
        self.bridge.problem.emit(problem)
