"""What the menu does: each is one verb, asked as from the tray; what fails is said in a dialog."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from metaclaw_tray.admin.api import (
    GiveFeedback,
    OpenProposal,
    PauseLearning,
    PauseTraining,
    RejectProposal,
    ResumeLearning,
    SetConfig,
    StartTraining,
    StopTraining,
    SwitchSkills,
    UseUpstream,
    Verb,
)
from metaclaw_tray.admin.api.tray import LatestConversation, LatestExchange
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.tray.correcting import WrongAnswer
from metaclaw_tray.desktop.tray.wording import Words

_MORNING = 6  # o'clock, when a pause until tomorrow ends


class TrayActions(QObject):
    """`open_page` brings the window up at a page; `ask_to_quit` asks how to leave; `done` hears when a verb
    was answered."""

    def __init__(
        self,
        bridge: Bridge,
        words: Words,
        open_page: Callable[[str], None],
        ask_to_quit: Callable[[], None],
        done: Callable[[], None],
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._words = words
        self._open_page = open_page
        self._ask_to_quit = ask_to_quit
        self._done = done
        self._dialog: QDialog | None = None

    def open_window(self, page: str = "") -> None:
        self._open_page(page)

    def reject(self, proposal: OpenProposal) -> None:
        """The app shows the whole text and asks for a yes."""
        self._ask(RejectProposal(id=proposal.id))

    def was_wrong(self, exchange: LatestExchange) -> None:
        """Ask what was wrong first."""
        if self._dialog is not None:
            self._dialog.close()
        made = WrongAnswer(exchange.agent, self._words.moment(exchange.at, datetime.now(UTC)))
        made.said.connect(lambda note: self._ask(GiveFeedback(exchange.id, "down", note)))
        made.finished.connect(self._forget_dialog)
        self._dialog = made
        made.show()
        made.raise_()
        made.activateWindow()

    def was_right(self, exchange: LatestExchange) -> None:
        self._ask(GiveFeedback(exchange.id, "up"))

    def use(self, upstream: str) -> None:
        self._ask(UseUpstream(upstream))

    def switch_skills(self, conversation: LatestConversation, *, on: bool) -> None:
        self._ask(SwitchSkills(conversation.id, on))

    def observe_only(self, *, on: bool) -> None:
        self._ask(SetConfig(key="injection.enabled", value="false" if on else "true"))

    def pause_for(self, minutes: int) -> None:
        self._ask(PauseLearning(datetime.now(UTC) + timedelta(minutes=minutes)))

    def pause_until_tomorrow(self) -> None:
        self._ask(PauseLearning(tomorrow(datetime.now().astimezone())))

    def resume(self) -> None:
        self._ask(ResumeLearning())

    def start_training(self) -> None:
        self._ask(StartTraining())

    def pause_training(self) -> None:
        self._ask(PauseTraining())

    def stop_training(self) -> None:
        self._ask(StopTraining())

    def quit(self) -> None:
        self._ask_to_quit()

    def _ask(self, verb: Verb[Any]) -> None:
        self._bridge.ask(verb, lambda _answer: self._done(), owner=self, place="tray")

    def _forget_dialog(self) -> None:
        self._dialog = None


def tomorrow(now: datetime) -> datetime:
    """The next morning by the clock on the wall, in UTC; `now` is aware."""
    morning = (now + timedelta(days=1)).replace(hour=_MORNING, minute=0, second=0, microsecond=0)
    return morning.astimezone(UTC)
