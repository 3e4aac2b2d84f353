"""Notifications are worded for a person, shown once, and what is pressed on them is done."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QLocale, QObject, Signal
from pytestqt.qtbot import QtBot

from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin.api import (
    ListNotifications,
    Notification,
    NotificationShown,
    OpenProposal,
    SetAutostart,
    TrainingNews,
)
from metaclaw_tray.desktop.notifications.teller import Teller
from metaclaw_tray.desktop.notifications.wording import Told, Wording
from metaclaw_tray.desktop.tray.wording import Words, local

NOW = datetime(2026, 3, 3, 15, 30, tzinfo=UTC)
ONE = OpenProposal(id="p1", op="create", skill="ask-before-deleting", why="You said so.")
TWO = OpenProposal(id="p2", op="update", skill="short-mails", why="You said so, too.")
NEW = Notification(kind="proposal", keys=["proposal:p1"], proposals=[ONE])


class Server(QObject):
    """A notifier that only notes."""

    pressed = Signal(str)
    shown = Signal(int)
    failed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[int, Told] = {}

    def show(self, number: int, told: Told) -> None:
        self.told[number] = told


class House:
    def __init__(self, qtbot: QtBot, bridge: StandInBridge) -> None:
        self.bridge = bridge
        self.server = Server()
        self.pages: list[str] = []
        self.words = Words()
        self.wording = Wording(self.words)
        self.teller = Teller(bridge, self.server, self.wording, self.pages.append)
        self.qtbot = qtbot

    def look(self) -> None:
        """One look at what is due."""
        count = len(self.bridge.of(ListNotifications))
        self.bridge.news.emit(["library"])
        self.qtbot.waitUntil(lambda: len(self.bridge.of(ListNotifications)) > count)
        self.qtbot.wait(20)


@pytest.fixture
def house(qtbot: QtBot, bridge: StandInBridge) -> House:
    return House(qtbot, bridge)


def test_what_was_shown_is_said_to_the_app_and_not_shown_meanwhile(house: House, qtbot: QtBot) -> None:
    house.bridge.answers[ListNotifications] = [NEW]
    house.look()
    house.look()
    assert list(house.server.told) == [1]
    house.server.shown.emit(1)
    assert house.bridge.of(NotificationShown) == [NotificationShown("proposal", ["proposal:p1"])]


def test_what_could_not_be_shown_is_tried_again(house: House) -> None:
    house.bridge.answers[ListNotifications] = [NEW]
    house.look()
    house.server.failed.emit(1)
    house.look()
    assert list(house.server.told) == [1, 2]
    assert house.bridge.of(NotificationShown) == []


def test_an_app_that_does_not_answer_makes_no_fuss(house: House) -> None:
    house.bridge.answers[ListNotifications] = AWAY
    heard: list[object] = []
    house.bridge.problem.connect(heard.append)
    house.look()
    assert (heard, house.server.told) == ([], {})


def test_what_is_pressed_is_done(house: House) -> None:
    house.server.pressed.emit("page:skills/p1")
    house.server.pressed.emit("autostart:on")
    house.server.pressed.emit("nonsense")
    assert house.pages == ["skills/p1"]
    assert house.bridge.of(SetAutostart) == [SetAutostart(True)]


def test_one_proposal_is_named_and_opens_its_card(house: House) -> None:
    told = house.wording.told(NEW, NOW)
    assert (told.title, told.text) == ("A new skill: Ask before deleting", "You said so.")
    assert [(each.text, each.does) for each in told.buttons] == [
        ("Approve…", "page:skills/p1"),
        ("Review", "page:skills"),
    ]
    assert told.click == "page:skills/p1"


def test_several_are_told_together(house: House) -> None:
    many = [ONE, TWO, *(OpenProposal(id=str(n), op="create", skill=f"s-{n}", why="") for n in range(3))]
    told = house.wording.told(Notification(kind="proposal", keys=[], proposals=many), NOW)
    assert told.title == "5 thing(s) to review"
    assert told.text == "Ask before deleting, Short mails, S 0 and 2 more"
    assert [each.text for each in told.buttons] == ["Review"]


def clock(hour: int) -> str:
    at = datetime(2026, 3, 3, hour, tzinfo=UTC)
    return str(QLocale().toString(local(at).time(), QLocale.FormatType.ShortFormat))


MEETING = TrainingNews(
    job="j",
    ended=True,
    window="meeting",
    window_from=datetime(2026, 3, 3, 14, tzinfo=UTC),
    window_until=datetime(2026, 3, 3, 15, tzinfo=UTC),
    minutes=41.2,
    score_before=0.61,
    score_after=0.66,
    outcome="used",
)


def test_a_training_is_told_with_the_window_it_ran_in(house: House) -> None:
    told = house.wording.told(Notification(kind="training", keys=[], training=MEETING), NOW)
    assert told.title == "Training is done"
    assert told.text == (
        f"Trained for 41 minute(s) during a meeting ({clock(14)} to {clock(15)}) · held-out score 0.61 → 0.66"
    )
    assert [each.does for each in told.buttons] == ["page:training"]


def test_a_training_that_goes_on_in_the_next_window_pauses(house: House) -> None:
    paused = TrainingNews(job="j", ended=True, window="idle", minutes=12, more_to_do=True)
    told = house.wording.told(Notification(kind="training", keys=[], training=paused), NOW)
    assert (told.title, told.text) == ("Training pauses", "Trained for 12 minute(s) while you were away")


def test_a_training_that_begins_says_why_now(house: House) -> None:
    begun = TrainingNews(job="j", ended=False, window="idle")
    told = house.wording.told(Notification(kind="training", keys=[], training=begun), NOW)
    assert (told.title, told.text) == ("Training has begun", "while you were away")


def test_a_title_is_said_where_the_app_gives_one(house: House) -> None:
    titled = TrainingNews(job="j", ended=False, window="meeting", title="Budget")
    told = house.wording.told(Notification(kind="training", keys=[], training=titled), NOW)
    assert told.text == "during “Budget”"


def test_a_trouble_is_urgent_and_leads_to_where_more_is_said(house: House) -> None:
    told = house.wording.told(Notification(kind="trouble", keys=[], sentences=["The disk is full."]), NOW)
    assert told.urgent
    assert (told.text, told.click) == ("The disk is full.", "page:today")


def test_starting_at_log_in_is_offered_with_a_no(house: House) -> None:
    told = house.wording.told(Notification(kind="autostart", keys=["autostart"], agent="coder"), NOW)
    assert [each.does for each in told.buttons] == ["autostart:on", ""]
    assert "coder" in told.title
