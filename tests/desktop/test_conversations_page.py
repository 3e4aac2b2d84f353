"""The page of conversations with the app's own handlers behind it, on a real store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import AWAY, StandInBridge
from desktop.talks import TalkingApp, Talks, fill
from metaclaw_tray.admin.api import (
    Exchanges,
    Facets,
    ListExchanges,
    ListFacets,
    ShowExchange,
)
from metaclaw_tray.admin.window import News
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.pages.conversations.correcting import WrongSheet
from metaclaw_tray.desktop.pages.conversations.detail import Detail
from metaclaw_tray.desktop.pages.conversations.forgetting import ForgetSheet
from metaclaw_tray.desktop.pages.conversations.page import ConversationsPage
from metaclaw_tray.desktop.pages.conversations.raw import RawSheet
from metaclaw_tray.desktop.pages.skills.pieces import Fold

_LONG_MS = 30_000  # a hang guard


class Home:
    """A store that was filled once, for all tests to begin with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.turns = fill(folder / "store.sqlite3")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("talks"))


class Window:
    """The page on a bridge to a live app."""

    def __init__(self, qtbot: QtBot, folder: Path, home: Home | None) -> None:
        if home is not None:
            shutil.copytree(home.folder, folder, dirs_exist_ok=True)
        self.bot = qtbot
        self.turns = home.turns if home is not None else {}
        self.app = TalkingApp(folder)
        self.bridge = Bridge(self.app)
        self.problems: list[Any] = []
        self.went: list[str] = []
        self.page = ConversationsPage(self.bridge)
        self.page.go.connect(self.went.append)
        self.bridge.problem.connect(self.problems.append)
        self.bridge.news.connect(lambda topics: self.page.news(set(topics)))
        self.page.resize(1000, 700)
        qtbot.addWidget(self.page)
        self.bridge.start()
        self.page.show()

    def wait(self, condition: Any) -> None:
        self.bot.waitUntil(condition, timeout=_LONG_MS)

    def is_shown(self) -> bool:
        return self.page.detail.shown is not None

    def go_to(self, name: str) -> None:
        wanted = self.turns[name]
        self.page.go_to(wanted)
        self.wait(lambda: self.is_shown() and self.page.detail.shown.row.turn == wanted)

    def search(self, text: str) -> None:
        self.page.listing.search.setText(text)
        self.page.listing.begin()
        self.wait(lambda: not self.page.listing._asked)

    def dialog(self, kind: type[QDialog]) -> Any:
        self.wait(lambda: bool(self.page.findChildren(kind)))
        return self.page.findChildren(kind)[-1]

    def reads(self, words: str) -> None:
        """Wait until the exchange says this: what was just put into a layout is seen a moment later."""
        self.wait(lambda: words in said(self.page.detail))

    def words(self) -> str:
        return said(self.page.detail)

    def close(self) -> None:
        assert self.problems == []
        self.app.close()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, home: Home) -> Iterator[Window]:
    made = Window(qtbot, tmp_path, home)
    made.wait(made.is_shown)
    yield made
    made.close()


def test_the_newest_exchange_is_read_at_once(window: Window) -> None:
    assert window.page.detail.shown.row.asked == "Now in Dutch, please."
    window.reads("Drie rapporten")
    assert window.page.place() == window.page.detail.exchange


def test_an_exchange_reads_as_a_conversation_with_its_calls_folded(window: Window) -> None:
    window.go_to("tools")
    window.reads("Which of the reports of last week")
    window.reads("Nothing else was changed.")
    window.reads("You said to that\nAnd the invoices?")
    assert "permission denied" not in window.words()
    folds = [each for each in window.page.detail.findChildren(Fold) if "Called run" in each._title]
    assert len(folds) == 3
    folds[1]._turn()
    window.reads("Error: permission denied")


def test_the_verdict_is_said_in_words_with_how_sure_it_is(window: Window) -> None:
    window.go_to("tools")
    window.reads("The judge found that it went well. 2 of 3 times it was asked, it said so.")
    window.reads("The person thanked for it")


def test_skills_in_front_lead_to_their_page_and_say_why(window: Window) -> None:
    window.go_to("tools")
    press(window.page.detail, "Clear commits")
    assert window.went == ["skills/clear-commits"]
    (why,) = [each for each in window.page.detail.findChildren(Fold) if "Why these" in each._title]
    why._turn()
    window.wait(lambda: "No skill shares a word with what you asked." in window.words())


def test_what_failed_says_so(window: Window) -> None:
    window.go_to("failed")
    window.reads("Failed")
    window.reads("the upstream took too long")
    window.reads("did not come to an answer")


def test_where_nothing_came_back_nothing_can_be_right_or_wrong(window: Window) -> None:
    detail = window.page.detail
    assert detail.right_button.isVisible()
    window.go_to("failed")
    assert not detail.right_button.isVisible()
    assert not detail.wrong_button.isVisible()
    assert detail.forget_button.isVisible()


def test_what_is_looked_for_is_marked_in_the_conversation(window: Window) -> None:
    window.search("large reports")
    window.wait(lambda: window.is_shown() and window.page.detail.shown.row.session == "tools")
    marked = [
        each.text()
        for each in window.page.detail.findChildren(QLabel)
        if each.textFormat() == Qt.TextFormat.RichText
    ]
    assert any("background-color" in text and ">large</span>" in text for text in marked)
    row = window.page.listing.current
    assert row is not None
    assert next(row.snippet[start:end].lower() for start, end in row.spans) in ("report", "reports", "large")


def test_chinese_is_found(window: Window) -> None:
    window.search("会议")
    window.wait(lambda: window.is_shown() and window.page.detail.shown.row.session == "zh")


def test_a_thumb_is_given_taken_back_and_seen_in_the_list(window: Window) -> None:
    window.go_to("tools")
    exchange = window.page.detail.exchange
    press(window.page.detail, "Right")
    window.wait(lambda: window.page.detail.shown is not None and window.page.detail.shown.row.thumb == 1)
    window.reads("You said: right.")
    window.wait(
        lambda: window.page.listing.model.row(window.page.listing.model.place_of(exchange)).thumb == 1
    )
    press(window.page.notice, "Undo")
    window.wait(lambda: window.page.detail.shown.row.thumb == 0)


def test_what_was_wrong_takes_a_note(window: Window) -> None:
    window.go_to("tools")
    press(window.page.detail, "Wrong…")
    sheet = window.dialog(WrongSheet)
    sheet.findChild(QPlainTextEdit).setPlainText("Ask before you use sudo.")
    press(sheet, "It was wrong")
    window.wait(lambda: window.page.detail.shown.row.thumb == -1)
    assert window.page.detail.shown.note == "Ask before you use sudo."
    window.reads("Ask before you use sudo.")


def test_forgetting_shows_what_goes_first_and_leaves_nothing(window: Window) -> None:
    window.go_to("chinese")
    exchange = window.page.detail.exchange
    press(window.page.detail, "Forget…")
    sheet = window.dialog(ForgetSheet)
    window.wait(lambda: "These go for good:" in said(sheet))
    press(sheet, "Forget it")
    window.wait(lambda: "Nothing of it is kept." in window.words())
    assert not window.page.listing.model.place_of(exchange).isValid()
    window.search("会议")
    window.wait(lambda: "Nothing found" in said(window.page.listing))


def test_a_no_forgets_nothing(window: Window) -> None:
    window.go_to("chinese")
    press(window.page.detail, "Forget…")
    sheet = window.dialog(ForgetSheet)
    window.wait(lambda: "These go for good:" in said(sheet))
    press(sheet, "Cancel")
    window.search("会议")
    window.wait(lambda: window.page.listing.model.found == 1)


def test_the_raw_request_and_answer_are_asked_for_when_they_are_wanted(window: Window) -> None:
    window.go_to("tools")
    press(window.page.detail, "Raw…")
    sheet = window.dialog(RawSheet)
    window.wait(lambda: len(sheet.findChildren(QPlainTextEdit)) == 2)
    texts = {each.accessibleName(): each.toPlainText() for each in sheet.findChildren(QPlainTextEdit)}
    request, answer = texts["Request"], texts["Answer"]
    assert '"content": "Which of the reports' in request
    assert "Nothing else was changed." in answer
    assert len([each for each in sheet.findChildren(QPushButton) if each.text() == "Copy"]) == 2


def test_a_new_turn_comes_in_without_moving_what_is_read(window: Window) -> None:
    window.go_to("tools")
    talks = Talks(window.app.store, window.app.clock, "claw")
    talks.say("And now something else.", "Yes.", session="new")
    window.app._to.put(News(["turns"]))
    window.wait(lambda: window.page.listing.model.row(window.page.listing.model.first()).session == "new")
    assert window.page.detail.shown.row.turn == window.turns["tools"]
    assert window.page.listing.current is not None
    assert window.page.listing.current.id == window.page.detail.exchange


def test_an_exchange_that_goes_on_is_read_on_where_it_was(window: Window) -> None:
    window.go_to("tools")
    window.app.store.write(lambda db: None)
    before = window.page.detail.shown
    window.app._to.put(News(["learning"]))
    window.wait(lambda: not window.page._calm.isActive())
    QTest.qWait(50)
    assert window.page.detail.shown is before, "nothing changed, so nothing is drawn anew"


def test_all_of_it_is_reached_by_keys(window: Window) -> None:
    window.page.activateWindow()
    window.page.listing.list.setFocus()
    QTest.keyClick(window.page.listing.list, Qt.Key.Key_Down)
    window.wait(lambda: window.page.detail.exchange == window.page.listing.current.id)
    QTest.keySequence(window.page, "Ctrl+F")
    assert window.page.listing.search.hasFocus()
    seen: set[str] = set()
    for _ in range(60):
        now = window.page.focusWidget()
        if isinstance(now, QWidget):
            seen.add(now.accessibleName() or (now.text() if isinstance(now, QPushButton) else ""))
        QTest.keyClick(window.page.focusWidget() or window.page, Qt.Key.Key_Tab)
    assert {"Conversations", "Right", "Wrong…", "Forget…", "Raw…"} <= seen


def test_in_a_narrow_window_list_and_exchange_take_turns(window: Window) -> None:
    window.page.resize(620, 560)
    QTest.qWait(0)
    assert window.page.listing.isVisible()
    assert not window.page.detail.isVisible()
    QTest.keyClick(window.page.listing.list, Qt.Key.Key_Return)
    assert window.page.detail.isVisible()
    press(window.page.detail, "All conversations")
    assert window.page.listing.isVisible()


def test_a_home_without_a_turn_says_what_will_be_here(qtbot: QtBot, tmp_path: Path) -> None:
    window = Window(qtbot, tmp_path, None)
    window.wait(lambda: "Nothing was said yet" in said(window.page))
    talks = Talks(window.app.store, window.app.clock)
    talks.say("hello", "good day")
    window.app._to.put(News(["turns"]))
    window.wait(window.is_shown)
    window.reads("good day")
    window.close()


def test_an_app_that_does_not_answer_can_be_asked_again(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= {ListExchanges: AWAY, ListFacets: Facets(agents=[], models=[])}
    page = ConversationsPage(bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: AWAY.title in said(page))
    bridge.answers[ListExchanges] = Exchanges(rows=[], next="", searchable=1.0)
    press(page, "Try again")
    qtbot.waitUntil(lambda: "Nothing was said yet" in said(page))


def test_an_exchange_that_cannot_be_read_says_why(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[ShowExchange] = AWAY
    detail = Detail(bridge)
    qtbot.addWidget(detail)
    detail.show()
    detail.show_exchange("e1")
    qtbot.waitUntil(lambda: AWAY.title in said(detail))


def test_nothing_is_asked_twice_while_the_same_exchange_is_shown(window: Window) -> None:
    window.go_to("tools")
    shown = window.page.detail.shown
    window.page.detail.show_exchange(window.page.detail.exchange)
    assert window.page.detail.shown is shown
