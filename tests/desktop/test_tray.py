"""The tray's menu says what is, does what it says by one verb each, and never waits as it opens."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin.api import (
    GiveFeedback,
    OpenProposal,
    PauseLearning,
    PauseTraining,
    RejectProposal,
    ResumeLearning,
    SetConfig,
    ShowTray,
    StartTraining,
    StopTraining,
    SwitchSkills,
    Tray,
    UseUpstream,
)
from metaclaw_tray.admin.api.tray import LatestConversation, LatestExchange, Model, TrainingBrief
from metaclaw_tray.desktop.tray.actions import tomorrow
from metaclaw_tray.desktop.tray.correcting import WrongAnswer
from metaclaw_tray.desktop.tray.state import State, state_of
from metaclaw_tray.desktop.tray.tray import TrayIcon

NOW = datetime.now(UTC)
SKILL = OpenProposal(
    id="p1", op="create", skill="ask-before-deleting", why="You said: “Ask me & wait\nbefore you delete.”"
)
CALM = Tray(
    url="http://127.0.0.1:1",
    exchanges_today=3,
    latest=LatestExchange(id="x1", agent="coder", at=NOW),
    conversation=LatestConversation(
        id="coder/s1", agent="coder", words="Tidy up my downloads folder, please, all of it", skills=True
    ),
    proposals=[],
    models=[
        Model(upstream="home", model="qwen3", chosen=True),
        Model(upstream="cloud", model="", chosen=False),
    ],
    observe_only=False,
    learning=False,
    why_not_learning="",
    paused=False,
    paused_until=None,
    training=TrainingBrief(state="none"),
    trouble=[],
    talking=["coder"],
)


class House:
    def __init__(self, qtbot: QtBot, bridge: StandInBridge) -> None:
        self.qtbot = qtbot
        self.bridge = bridge
        self.pages: list[str] = []
        self.quits = 0
        self.icon = TrayIcon(bridge, self.pages.append, self._quit)

    def _quit(self) -> None:
        self.quits += 1

    def show(self, tray: Tray | None) -> None:
        self.bridge.answers[ShowTray] = tray
        with self.qtbot.waitSignal(self.icon.facts.changed):
            self.icon.facts.ask()

    @property
    def texts(self) -> list[str]:
        return [each.text().replace("&&", "&") for each in actions(self.icon.menu) if not each.isSeparator()]

    def find(self, beginning: str) -> QAction:
        (found,) = [each for each in actions(self.icon.menu) if each.text().startswith(beginning)]
        return found

    def press(self, beginning: str) -> None:
        self.find(beginning).trigger()


def actions(menu: QMenu) -> Iterator[QAction]:
    for each in menu.actions():
        yield each
        if isinstance(inner := each.menu(), QMenu):
            yield from actions(inner)


@pytest.fixture
def house(qtbot: QtBot, bridge: StandInBridge) -> House:
    return House(qtbot, bridge)


def test_the_menu_says_how_things_are_and_offers_what_the_person_came_for(house: House) -> None:
    house.show(replace(CALM, proposals=[SKILL]))
    texts = house.texts
    assert texts[0] == "3 exchange(s) today"
    assert texts[1:7] == [
        "Review 1 new skill(s)",
        "Ask before deleting",
        "You said: “Ask me & wait before you delete.”",
        "Approve…",
        "Reject…",
        "Show",
    ]
    assert texts[7].startswith("Last answer was wrong… (coder, ")
    assert texts[8].startswith("Last answer was right (coder, ")
    assert texts[9:13] == ["Read the last answer", "Model", "home (qwen3)", "cloud"]
    assert texts[13:] == [
        "Skills off for “Tidy up my downloads folder, pl…”",
        "Observe only",
        "Pause learning",
        "For 30 minutes",
        "Until tomorrow",
        "On",
        "Training",
        "No training is set up",
        "Details",
        "Open MetaClaw Tray",
        "Quit…",
    ]


def test_before_the_first_answer_the_window_can_be_opened_and_left(house: House) -> None:
    house.icon.menu.opens.emit()
    house.press("Open")
    house.press("Quit")
    assert house.texts[0] == "One moment…"
    assert (house.pages, house.quits) == ([""], 1)


@pytest.mark.parametrize(
    ("pressed", "asked"),
    [
        ("Last answer was right", GiveFeedback("x1", "up")),
        ("cloud", UseUpstream("cloud")),
        ("Skills off", SwitchSkills("coder/s1", False)),
        ("Observe only", SetConfig(key="injection.enabled", value="false")),
        ("Reject…", RejectProposal(id="p1")),
        ("On", ResumeLearning()),
    ],
)
def test_each_entry_is_one_verb_asked_from_the_tray(house: House, pressed: str, asked: Any) -> None:
    house.show(replace(CALM, proposals=[SKILL]))
    house.press(pressed)
    assert house.bridge.asked[-1] == asked
    assert house.bridge.places[-1] == "tray"


def test_what_was_done_is_asked_for_again(house: House, qtbot: QtBot) -> None:
    house.show(CALM)
    house.bridge.answers[ShowTray] = replace(CALM, observe_only=True)
    house.press("Observe only")
    qtbot.waitUntil(lambda: house.find("Observe only").isChecked())
    house.press("Observe only")
    assert house.bridge.of(SetConfig)[-1].value == "true"
    assert not house.find("Skills off").isEnabled()


def test_a_mark_changes_only_when_it_is_so(house: House) -> None:
    house.show(CALM)
    house.bridge.answers[SetConfig] = AWAY
    house.press("Observe only")
    assert not house.find("Observe only").isChecked()
    house.press("cloud")
    assert house.find("home").isChecked()


def test_approving_and_showing_open_the_card_with_the_whole_text(house: House) -> None:
    house.show(replace(CALM, proposals=[SKILL]))
    house.press("Approve…")
    house.press("Show")
    assert house.pages == ["skills/p1", "skills/p1"]


def test_the_last_answer_is_read_among_the_conversations(house: House) -> None:
    house.show(CALM)
    house.press("Read the last answer")
    assert CALM.latest is not None
    assert house.pages == [f"conversations/{CALM.latest.id}"]


def test_a_wrong_answer_asks_for_a_note(house: House, qtbot: QtBot) -> None:
    house.show(CALM)
    house.press("Last answer was wrong")
    dialog = house.icon.actions._dialog
    assert isinstance(dialog, WrongAnswer)
    note = dialog.findChild(QPlainTextEdit)
    assert isinstance(note, QPlainTextEdit)
    qtbot.keyClicks(note, "  Ask first. ")
    (send,) = [each for each in dialog.findChildren(QPushButton) if each.text() == "It was wrong"]
    send.click()
    assert house.bridge.of(GiveFeedback) == [GiveFeedback("x1", "down", "Ask first.")]


def test_a_note_that_is_called_off_says_nothing(house: House) -> None:
    house.show(CALM)
    house.press("Last answer was wrong")
    dialog = house.icon.actions._dialog
    assert dialog is not None
    dialog.reject()
    assert house.bridge.of(GiveFeedback) == []


def test_a_thumb_that_was_given_is_marked(house: House) -> None:
    latest = LatestExchange(id="x1", agent="coder", at=NOW, thumb="down")
    house.show(replace(CALM, latest=latest))
    assert house.find("Last answer was wrong").isChecked()
    assert not house.find("Last answer was right").isCheckable()


def test_a_pause_has_an_end_and_says_it(house: House) -> None:
    house.show(CALM)
    before = datetime.now(UTC)
    house.press("For 30 minutes")
    after = datetime.now(UTC)
    (asked,) = house.bridge.of(PauseLearning)
    assert before <= asked.until - timedelta(minutes=30) <= after
    house.press("Until tomorrow")
    assert house.bridge.of(PauseLearning)[-1].until > datetime.now(UTC)
    house.show(replace(CALM, paused=True, paused_until=NOW + timedelta(minutes=30)))
    assert "learning rests until" in house.texts[0]
    assert not house.find("On").isChecked()
    assert any(each.startswith("Learning rests until") for each in house.texts)


def test_tomorrow_is_the_next_morning() -> None:
    late = datetime(2026, 3, 3, 23, 50, tzinfo=UTC)
    assert tomorrow(late) == datetime(2026, 3, 4, 6, tzinfo=UTC)


def test_the_next_window_and_what_it_is_are_said(house: House) -> None:
    training = TrainingBrief(state="waiting", why_not="you are working", next_at=NOW, next_why="meeting")
    house.show(replace(CALM, training=training))
    assert house.texts[0].startswith("3 exchange(s) today · next window ")
    assert house.texts[0].endswith(", meeting")
    assert "You are working" in house.texts


@pytest.mark.parametrize(
    ("state", "offered", "asked"),
    [
        ("waiting", ["Start now", "Pause"], [StartTraining(), PauseTraining()]),
        ("running", ["Pause", "Stop"], [PauseTraining(), StopTraining()]),
        ("paused", ["Go on now"], [StartTraining()]),
        ("none", [], []),
    ],
)
def test_training_can_be_begun_paused_and_stopped_where_that_makes_sense(
    house: House, state: Any, offered: list[str], asked: list[Any]
) -> None:
    house.show(replace(CALM, training=TrainingBrief(state=state, why_not="you are working")))
    acts = ("Start now", "Go on now", "Pause", "Stop")
    assert [each for each in house.texts if each in acts] == offered
    for each in offered:
        next(entry for entry in actions(house.icon.menu) if entry.text() == each).trigger()
    assert house.bridge.asked[-len(asked) :] == asked if asked else house.bridge.of(StartTraining) == []
    house.press("Details")
    assert house.pages[-1] == "training"


def test_a_menu_whose_entries_stay_keeps_them_when_words_change(house: House) -> None:
    house.show(CALM)
    before = list(actions(house.icon.menu))
    house.show(replace(CALM, exchanges_today=4, observe_only=True))
    after = list(actions(house.icon.menu))
    assert all(one is other for one, other in zip(before, after, strict=True))
    assert house.texts[0] == "4 exchange(s) today · observe only"


def test_a_menu_that_is_open_is_not_made_anew_under_the_persons_hand(house: House, qtbot: QtBot) -> None:
    house.show(CALM)
    house.icon.menu.aboutToShow.emit()
    before = house.texts
    house.show(replace(CALM, proposals=[SKILL]))
    assert house.texts == before
    house.icon.menu.aboutToHide.emit()
    qtbot.waitUntil(lambda: "Review 1 new skill(s)" in house.texts)


def test_opening_shows_what_is_known_and_asks_again(house: House) -> None:
    house.show(CALM)
    house.bridge.answers[ShowTray] = None  # nobody answers
    count = len(house.bridge.of(ShowTray))
    house.icon.menu.aboutToShow.emit()
    assert house.texts[0] == "3 exchange(s) today"
    assert len(house.bridge.of(ShowTray)) == count + 1


def test_an_app_that_does_not_answer_leaves_what_is_shown(house: House, qtbot: QtBot) -> None:
    house.show(CALM)
    house.bridge.answers[ShowTray] = AWAY
    house.icon.facts.ask()
    qtbot.waitUntil(lambda: not house.icon.facts._asking)
    assert house.texts[0] == "3 exchange(s) today"


def test_news_are_gathered_into_one_question(house: House, qtbot: QtBot) -> None:
    house.show(CALM)
    count = len(house.bridge.of(ShowTray))
    for _ in range(20):
        house.bridge.news.emit(["turns"])
    with qtbot.waitSignal(house.icon.facts.changed):
        pass
    assert len(house.bridge.of(ShowTray)) == count + 1


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, State.SERVING),
        ({"learning": True}, State.LEARNING),
        ({"paused": True}, State.PAUSED),
        ({"observe_only": True}, State.PAUSED),
        ({"training": TrainingBrief(state="running"), "learning": True}, State.TRAINING),
        ({"proposals": [SKILL], "paused": True}, State.ATTENTION),
        ({"models": []}, State.ATTENTION),
        ({"proposals": [SKILL], "trouble": ["The disk is full."]}, State.TROUBLE),
    ],
)
def test_the_icon_says_what_matters_most(change: dict[str, Any], state: State) -> None:
    assert state_of(replace(CALM, **change)) is state


def test_a_trouble_leads_to_where_it_is_said(house: House) -> None:
    house.show(replace(CALM, trouble=["The disk is full."]))
    house.press("1 thing(s) to look at")
    assert house.pages == ["today"]


def test_several_changes_are_no_new_skills(house: House) -> None:
    other = OpenProposal(id="p2", op="retire", skill="old-one", why="It never helped.")
    house.show(replace(CALM, proposals=[SKILL, other]))
    assert "Review 2 change(s)" in house.texts
    assert "Retire: Old one" in house.texts
