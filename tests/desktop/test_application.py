"""The window, its tray and its dialogs put together: when it appears, when it stays away, how it is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.stand_in import AWAY, NoPipe, StandInBridge
from desktop.test_tray import CALM
from metaclaw_tray.admin.api import ListConfig, ListNotifications, SettingRow, ShowTray
from metaclaw_tray.desktop import application
from metaclaw_tray.desktop.application import Desk
from metaclaw_tray.desktop.quitting import QuitDialog


@pytest.fixture
def desk(
    qtbot: QtBot,
    qapp: QApplication,
    bridge: StandInBridge,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Desk]:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path))
    monkeypatch.setattr(application, "Bridge", lambda _pipe: bridge)
    made = Desk(qapp, NoPipe())
    quits: list[bool] = []
    made._app = type("App", (), {"quit": lambda self: quits.append(True)})()
    qtbot.addWidget(made.window)
    yield made
    if made._quitting is not None:
        made._quitting.close()
    made.deleteLater()


def the_question(desk: Desk) -> QuitDialog | None:
    return desk._quitting if desk._quitting is not None and desk._quitting.isVisible() else None


def test_nothing_is_asked_or_shown_before_the_app_serves(desk: Desk, bridge: StandInBridge) -> None:
    assert not desk.window.isVisible()
    assert bridge.of(ShowTray) == []


def test_asked_for_it_opens_and_says_so(desk: Desk, bridge: StandInBridge) -> None:
    bridge.show_page.emit("")
    assert desk.window.isVisible()
    assert bridge.opened == [True]
    assert bridge.of(ShowTray)
    desk.window.hide()
    assert bridge.opened == [True, False]


def test_started_hidden_it_opens_only_where_no_tray_comes(desk: Desk, bridge: StandInBridge) -> None:
    bridge.stay_hidden.emit()
    assert not desk.window.isVisible()
    desk._no_host.timeout.emit()
    assert desk.window.isVisible()


def test_notifications_are_looked_for_from_then_on(desk: Desk, bridge: StandInBridge, qtbot: QtBot) -> None:
    bridge.stay_hidden.emit()
    qtbot.waitUntil(lambda: bool(bridge.of(ListNotifications)))


def test_closing_the_window_without_a_tray_asks_what_is_meant(
    desk: Desk, bridge: StandInBridge, qtbot: QtBot
) -> None:
    bridge.answers[ShowTray] = replace(CALM, talking=["coder"])
    bridge.show_page.emit("")
    desk.window.close()
    qtbot.waitUntil(lambda: the_question(desk) is not None)
    asked = the_question(desk)
    assert asked is not None
    asked.chosen.emit(True)
    assert bridge.left == [True]


def test_an_app_that_does_not_answer_can_be_left_all_the_same(
    desk: Desk, bridge: StandInBridge, qtbot: QtBot
) -> None:
    bridge.answers[ShowTray] = AWAY
    desk.ask_to_quit()
    qtbot.waitUntil(lambda: the_question(desk) is not None)
    asked = the_question(desk)
    assert asked is not None
    asked.chosen.emit(False)
    assert bridge.left == [False]


def set_language(bridge: StandInBridge, code: str) -> None:
    row = SettingRow(key="window.language", kind="choice", value=code, default="", description="the language")
    bridge.answers[ListConfig] = [row]
    bridge.news.emit(["settings"])


def test_another_language_comes_with_a_window_that_begins_anew_where_it_was(
    desk: Desk, bridge: StandInBridge, qtbot: QtBot
) -> None:
    bridge.show_page.emit("settings/language")
    set_language(bridge, "")
    qtbot.waitUntil(lambda: bool(bridge.of(ListConfig)))
    assert bridge.renewed == []
    set_language(bridge, "nl")
    qtbot.waitUntil(lambda: bridge.renewed == ["settings/language"])


def test_a_window_that_is_hidden_stays_so_in_another_language(
    desk: Desk, bridge: StandInBridge, qtbot: QtBot
) -> None:
    set_language(bridge, "nl")
    qtbot.waitUntil(lambda: bridge.renewed == [""])


def test_another_language_takes_nothing_that_is_being_written(
    desk: Desk, bridge: StandInBridge, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bridge.show_page.emit("")
    monkeypatch.setattr(desk.window.page("skills"), "has_unsaved", lambda: True)
    with qtbot.waitSignal(desk.language.changed):
        set_language(bridge, "nl")
    assert bridge.renewed == []
