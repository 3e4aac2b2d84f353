"""A bridge with nobody behind it: answers verbs from a table, and notes what was asked and said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from metaclaw_tray.admin.api import Said, Verb, answer_type
from metaclaw_tray.admin.window import Place, Sheet
from metaclaw_tray.desktop.bridge import Bridge, Problem

AWAY = Problem("Not possible", "The app does not answer.", "Start it again.")


class NoPipe:
    """A pipe that nothing comes out of."""

    def receive(self) -> None:
        return None

    def send(self, message: object) -> bool:
        return True


class StandInBridge(Bridge):
    """`answers` by verb: a value, a function of the verb, or a Problem. What is not there is answered `Said`
    where that is the verb's answer, else not at all."""

    def __init__(self) -> None:
        super().__init__(NoPipe())
        self.answers: dict[type[Verb[Any]], Any] = {}
        self.asked: list[Verb[Any]] = []
        self.places: list[Place] = []
        self.seen: list[str | None] = []
        self.dropped: set[int] = set()
        self.left: list[bool] = []
        self.agreed: list[tuple[Sheet, bool]] = []
        self.opened: list[bool] = []
        self.renewed: list[str] = []

    def of(self, kind: type[Verb[Any]]) -> list[Any]:
        """What was asked of this kind."""
        return [each for each in self.asked if isinstance(each, kind)]

    def ask(
        self,
        verb: Verb[Any],
        done: Callable[[Any], None],
        failed: Callable[[Problem], None] | None = None,
        *,
        owner: QObject | None = None,
        told: Callable[[str], None] | None = None,
        place: Place = "window",
        seen: str | None = None,
    ) -> int:
        self.asked.append(verb)
        self.places.append(place)
        self.seen.append(seen)
        found = self.answers.get(type(verb))
        answer = found(verb) if callable(found) else found
        if answer is None and answer_type(type(verb)) is Said:
            answer = Said(text="Done.")

        number = len(self.asked)

        def deliver() -> None:
            if number in self.dropped or (owner is not None and not isValid(owner)):
                return
            if not isinstance(answer, Problem):
                done(answer)
            elif failed is not None:
                failed(answer)
            else:
                self.problem.emit(answer)

        if answer is not None:
            QTimer.singleShot(0, deliver)
        return number

    def drop(self, number: int) -> None:
        self.dropped.add(number)

    def agree(self, sheet: Sheet, *, yes: bool) -> None:
        self.agreed.append((sheet, yes))

    def leave(self, *, serve_on: bool) -> None:
        self.left.append(serve_on)

    def renew(self, page: str) -> None:
        self.renewed.append(page)

    def visible(self, *, opened: bool) -> None:
        self.opened.append(opened)
