"""The page Today: what happened, what waits, and earlier days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop import days
from desktop.looking import press, said
from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.desktop.pages.today import words
from metaclaw_tray.desktop.pages.today.page import TodayPage


@pytest.fixture(autouse=True)
def _the_same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Midnight may come between a day that was made and its test."""
    monkeypatch.setattr(words, "today", lambda: date.fromisoformat(days.FULL.date))


def shown(
    qtbot: QtBot,
    bridge: StandInBridge,
    day: api.Day = days.FULL,
    tray: api.Tray = days.TRAY,
    steps: api.FirstRun = days.DONE,
) -> TodayPage:
    bridge.answers |= {api.ShowDay: day, api.ShowTray: tray, api.ShowFirstRun: steps}
    page = TodayPage(bridge)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    qtbot.waitUntil(lambda: page._day is not None and page._tray is not None and page._steps is not None)
    QApplication.processEvents()  # what has just come into a layout is shown with the next events
    return page


def test_a_full_day_is_told_in_sentences_and_four_figures(qtbot: QtBot, bridge: StandInBridge) -> None:
    text = said(shown(qtbot, bridge))
    assert "23 exchange(s): 14 with claude-code, 7 with openclaw, 2 with hermes." in text
    assert "9 of them had a skill to go by: “Weekly report in bullets”, “Sql with named columns”." in text
    assert "17 answer(s) were judged: 13 helped, 2 did not. You put 2 answer(s) right." in text
    assert "0.18 USD" in text
    assert "of at most 0.50 USD" in text
    assert "A new skill is proposed: Amounts with currency code" in text
    assert "nobody but a page that was read stands behind its second sentence" in text
    assert "2 answer(s) failed at the model's side" in text
    assert "429: too many requests" in text
    assert "Measuring skills" in text
    assert "No training is set up. Skills are learnt all the same." in text


def test_a_day_without_anything_is_calm(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, days.EMPTY)
    text = said(page)
    assert "Nobody has asked anything yet today." in text
    for heading in ("What went wrong", "What learning cost", "What learning came to"):
        assert heading not in text
    assert page.waits.isHidden()
    assert not page._before.isEnabled()
    assert page.band.chart.accessibleDescription() == "Nothing happened in it so far."


def test_where_training_is_set_up_the_day_shows_the_person_and_the_next_window(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, days.WITH_TRAINING)
    text = said(page)
    assert "No training now: you are at work. Next window: 15:00 to 16:00, a meeting." in text
    for each in ("Sleep hours", "Meeting", "Away", "Next window"):
        assert each in text  # the legend
    aloud = page.band.chart.accessibleDescription()
    assert aloud.index("Sleep hours") < aloud.index("Agents at work") < aloud.index("Next window")
    page.band.turn()
    kinds = [page.band.table.item(at, 2).text() for at in range(page.band.table.rowCount())]
    assert kinds[0] == "Sleep hours"
    assert "Next window" in kinds


def test_proposals_wait_with_a_way_to_review_them(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, tray=replace(days.TRAY, proposals=days.PROPOSALS))
    went: list[str] = []
    page.go.connect(went.append)
    assert "2 proposal(s) wait for your review." in said(page)
    press(page, "Review")
    press(page.told, "Show")
    assert went == ["skills/p1", "skills/p3"]


def test_trouble_is_said_with_its_remedy_and_an_agreement_can_be_looked_at(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, replace(days.FULL, waiting=days.WAITING))
    text = said(page)
    assert "The upstream openai has no key." in text
    assert "Not in force yet: budget.day_usd." in text
    assert "metaclaw-tray" not in text
    went: list[str] = []
    page.go.connect(went.append)
    press(page, "Take me there")
    assert went == ["settings/models"]
    asked = len(bridge.of(api.ShowDay))
    bridge.answers[api.Reload] = api.Reloaded(changed=[], restart=[])
    press(page, "Look at it…")
    assert bridge.of(api.Reload) == [api.Reload()]
    qtbot.waitUntil(lambda: len(bridge.of(api.ShowDay)) > asked)


def test_the_first_steps_are_offered_until_they_are_done(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, days.EMPTY, steps=days.NEW)
    assert "Nothing can be served yet." in said(page)
    with qtbot.waitSignal(page.first_steps):
        press(page, "Begin")
    bridge.answers[api.ShowFirstRun] = replace(days.NEW, state="begun")
    page._ask()
    qtbot.waitUntil(lambda: "The first steps are not done yet." in said(page))
    bridge.answers[api.ShowFirstRun] = days.DONE
    page._ask()
    qtbot.waitUntil(lambda: page.waits.isHidden())


def test_without_a_model_there_is_a_way_to_choose_one(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, tray=replace(days.TRAY, models=[]))
    went: list[str] = []
    page.go.connect(went.append)
    press(page, "Choose a model")
    assert went == ["settings/models"]


def test_learning_without_a_model_says_what_it_wants_and_not_what_a_setting_is_called(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    why = "Empty: learning.upstream and learning.model."
    tray = replace(days.TRAY, why_not_learning=why)
    page = shown(qtbot, bridge, replace(days.EMPTY, learning_model=""), tray)
    text = said(page)
    assert "Learning has no model." in text
    assert why not in text
    went: list[str] = []
    page.go.connect(went.append)
    press(page, "Choose a model")
    assert went == ["settings/models"]
    bridge.answers[api.ShowDay] = days.EMPTY
    bridge.answers[api.ShowTray] = replace(days.TRAY, why_not_learning="The cap is reached.")
    page._ask()
    qtbot.waitUntil(lambda: "Learning waits: The cap is reached." in said(page))


def test_arrows_go_to_earlier_days_and_back(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge)
    today = words.today()

    def answer(verb: api.ShowDay) -> api.Day:
        if not verb.date:
            return days.FULL
        return replace(days.FULL, date=verb.date, now=None, counted_usd=None, exchanges=3)

    bridge.answers[api.ShowDay] = answer
    assert not page._after.isEnabled()
    page._before.click()
    qtbot.waitUntil(lambda: page.title() == "Yesterday" and page._day is not None)
    assert page._training.isHidden()
    page._before.click()
    qtbot.waitUntil(lambda: page.title() == words.long_date((today - timedelta(days=2)).isoformat()))
    qtbot.waitUntil(lambda: page._day is not None)
    asked = len(bridge.asked)
    bridge.news.emit(["turns"])  # an earlier day does not change
    page.news({"turns"})
    assert len(bridge.asked) == asked + 1
    page._to_today.click()
    qtbot.waitUntil(lambda: page.title() == "Today" and page._day is not None)
    assert bridge.of(api.ShowDay)[-1].date == ""


def test_a_late_answer_for_another_day_is_not_shown(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge)
    page.go_to("2026-01-02")
    page._came("", days.EMPTY)
    assert page._day is None


def test_news_of_a_flock_are_one_question(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge)
    page._gather.setInterval(20)
    count = len(bridge.of(api.ShowDay))
    for _ in range(30):
        page.news({"turns"})
    qtbot.waitUntil(lambda: len(bridge.of(api.ShowDay)) == count + 1)
    qtbot.wait(60)
    assert len(bridge.of(api.ShowDay)) == count + 1


def test_what_does_not_change_keeps_the_hand_that_is_on_it(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, tray=replace(days.TRAY, proposals=days.PROPOSALS))
    review = next(each for each in page.findChildren(QPushButton) if each.text() == "Review")
    page._ask()
    qtbot.wait(30)
    assert next(each for each in page.findChildren(QPushButton) if each.text() == "Review") is review


def test_an_app_that_does_not_answer_is_said_and_asked_again(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= {api.ShowDay: AWAY, api.ShowTray: AWAY, api.ShowFirstRun: AWAY}
    page = TodayPage(bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: "The app does not answer." in said(page))
    bridge.answers |= {api.ShowDay: days.FULL, api.ShowTray: days.TRAY, api.ShowFirstRun: days.DONE}
    press(page, "Try again")
    qtbot.waitUntil(lambda: "23 exchange(s)" in said(page))


def test_all_of_it_is_reached_by_keyboard(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, tray=replace(days.TRAY, proposals=days.PROPOSALS))
    page._before.setFocus()
    reached = set()
    for _ in range(14):
        QTest.keyClick(page.focusWidget() or page, Qt.Key.Key_Tab)
        found = page.focusWidget()
        reached.add(getattr(found, "text", lambda: "")() or found.accessibleName())  # type: ignore[union-attr]
    assert {"Review", "The day", "As a table", "Show"} <= reached


@pytest.mark.parametrize(
    ("usd", "words_"), [(0.0, "0.00 USD"), (0.001, "under 0.01 USD"), (12.5, "12.50 USD")]
)
def test_a_little_money_is_not_nothing(usd: float, words_: str) -> None:
    assert words.money(usd) == words_


def test_without_training_no_window_is_announced_though_the_scheduler_knows_one(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, replace(days.WITH_TRAINING, training="none", spans=days.FULL.spans))
    assert "Next window" not in said(page)
    assert "Next window" not in page.band.chart.accessibleDescription()


def test_words_without_a_place_to_break_do_not_make_the_page_wider(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    long = "https://example.org/" + "x" * 400
    fault = api.DayFault(kind="failed", count=1, reason=long, subject="coder", at=days.at(9))
    waiting = [api.Waiting(kind="trouble", text=f"Nobody answers at {long}.")]
    page = shown(qtbot, bridge, replace(days.FULL, faults=[fault], waiting=waiting))
    assert page.told.minimumSizeHint().width() < 600
    assert page.waits.minimumSizeHint().width() < 600
