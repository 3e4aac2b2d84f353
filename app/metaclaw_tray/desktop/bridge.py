"""The window's way to the app: verbs out, answers and news in, nothing ever waited for.

Two threads hold the two ends of the pipe; the GUI thread only puts into a queue and takes signals. A page
asks with functions for what comes back, and is not called any more once it is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from metaclaw_tray.admin.api import Verb, answer_type
from metaclaw_tray.admin.window import (
    Agreed,
    Answered,
    Asked,
    Dropped,
    FromWindow,
    Leaving,
    News,
    Place,
    Refused,
    Renewing,
    Sheet,
    Show,
    Told,
    ToWindow,
    Visible,
)
from metaclaw_tray.desktop.remedies import in_window

R = TypeVar("R")

NOT_DONE = "Not done"
"""The title of the problem that comes of the person's own no: nothing that needs to be told them."""


@dataclass(frozen=True)
class Problem:
    """Why there is no answer, in words for the person."""

    title: str
    detail: str
    remedy: str
    place: str = ""  # the page that mends it, as in `settings/models`

    @property
    def words(self) -> str:
        """All but the title, in one piece."""
        return f"{self.detail} {self.remedy}".strip()

    @classmethod
    def of(cls, title: str, detail: str, remedy: str) -> Problem:
        """As the app told it, without commands to type."""
        said, mended = in_window(detail), in_window(remedy)
        return cls(title, said.text, mended.text, mended.place or said.place)


class Pipe(Protocol):
    """The window's end of the pipe (`child.ChildPipe`)."""

    def receive(self) -> ToWindow | None: ...

    def send(self, message: FromWindow) -> bool: ...


@dataclass
class _Waiting(Generic[R]):
    verb: Verb[R]
    owner: QObject | None
    done: Callable[[R], None]
    failed: Callable[[Problem], None] | None
    told: Callable[[str], None] | None

    @property
    def listens(self) -> bool:
        return self.owner is None or isValid(self.owner)


class Bridge(QObject):
    """Asks the app for the window."""

    news = Signal(list)  # topics that changed
    show_page = Signal(str)  # come to the front
    stay_hidden = Signal()  # the tray is enough, where there is one
    sheet = Signal(object)  # a Sheet: show its text, then `agree`
    problem = Signal(object)  # a Problem that no asker took
    closed = Signal()  # the app ended

    _arrived = Signal(object)

    def __init__(self, pipe: Pipe, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pipe = pipe
        self._waiting: dict[int, _Waiting[Any]] = {}
        self._count = 0
        self._out: SimpleQueue[FromWindow | None] = SimpleQueue()
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._read, name="pipe-in", daemon=True),
            threading.Thread(target=self._write, name="pipe-out", daemon=True),
        ]

    def start(self) -> None:
        """Begin to listen. Connect the signals before."""
        for thread in self._threads:
            thread.start()

    def ask(
        self,
        verb: Verb[R],
        done: Callable[[R], None],
        failed: Callable[[Problem], None] | None = None,
        *,
        owner: QObject | None = None,
        told: Callable[[str], None] | None = None,
        place: Place = "window",
        seen: str | None = None,
    ) -> int:
        """Ask the app; `done` gets the answer, `failed` the reason why there is none (else `problem` tells).

        Nothing is called once `owner` is deleted. `seen` is the text of a consent that stands before the
        person already; where the app would show another one, a sheet comes up all the same. Gives a number
        for `drop`.
        """
        self._count += 1
        self._waiting[self._count] = _Waiting(verb, owner, done, failed, told)
        self._out.put(Asked(self._count, msgspec.json.encode(verb), place, seen))
        return self._count

    def drop(self, number: int) -> None:
        """Wait for this answer no longer; what has not begun is not done."""
        if self._waiting.pop(number, None) is not None:
            self._out.put(Dropped(number))

    @property
    def is_waiting(self) -> bool:
        """Whether something that was asked is not answered yet."""
        return bool(self._waiting)

    def verb_of(self, sheet: Sheet) -> Verb[Any] | None:
        """What was asked that a sheet belongs to; None where nobody waits for it any more."""
        waiting = self._waiting.get(sheet.number)
        return waiting.verb if waiting is not None else None

    def agree(self, sheet: Sheet, *, yes: bool) -> None:
        """Say what the person said to a sheet."""
        self._out.put(Agreed(sheet.number, sheet.sheet, yes))

    def leave(self, *, serve_on: bool) -> None:
        """The person quits the window, or the whole app."""
        self._out.put(Leaving(serve_on))

    def renew(self, page: str) -> None:
        """Ask to be started again, at this page, or hidden with none."""
        self._out.put(Renewing(page))

    def visible(self, *, opened: bool) -> None:
        """Say whether the window is open, so that one that crashed comes back as it was."""
        self._out.put(Visible(opened))

    def flush(self, seconds: float) -> None:
        """Wait until all that was said is in the pipe. For the very end only."""
        self._out.put(None)
        self._threads[1].join(seconds)

    def _read(self) -> None:
        while (message := self._pipe.receive()) is not None:
            self._arrived.emit(message)
        self._arrived.emit(None)

    def _write(self) -> None:
        while (message := self._out.get()) is not None:
            if not self._pipe.send(message):
                return

    def _take(self, message: ToWindow | None) -> None:
        match message:
            case None:
                self.closed.emit()
            case Answered():
                self._answered(message)
            case Refused():
                self._refused(message)
            case Told():
                waiting = self._waiting.get(message.number)
                if waiting is not None and waiting.told is not None and waiting.listens:
                    waiting.told(message.text)
            case Sheet():
                self.sheet.emit(message)
            case News():
                self.news.emit(list(message.topics))
            case Show(hidden=True):
                self.stay_hidden.emit()
            case Show():
                self.show_page.emit(message.page)

    def _answered(self, message: Answered) -> None:
        waiting = self._waiting.pop(message.number, None)
        if waiting is not None and waiting.listens:
            waiting.done(msgspec.json.decode(message.value, type=answer_type(type(waiting.verb))))

    def _refused(self, message: Refused) -> None:
        waiting = self._waiting.pop(message.number, None)
        if waiting is None or not waiting.listens:
            return
        problem = Problem.of(message.title, message.detail, message.remedy)
        if waiting.failed is not None:
            waiting.failed(problem)
        else:
            self.problem.emit(problem)
