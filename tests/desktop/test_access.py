"""Everybody can use the window: names, the Tab key, a focus that is seen, contrast, the system's look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop.reading_aloud import controls, unnamed, unreached
from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import application, theme
from metaclaw_tray.desktop.application import Desk
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.firstrun.dialog import FirstSteps
from metaclaw_tray.desktop.pages.agents.adding import AddAgentDialog
from metaclaw_tray.desktop.pages.settings.models.dialog import UpstreamDialog
from metaclaw_tray.desktop.pages.skills.asking import RejectSheet, TrialSheet
from metaclaw_tray.desktop.pages.skills.losing import LoseSheet
from metaclaw_tray.desktop.parts import button, heading, label
from metaclaw_tray.desktop.quitting import QuitDialog
from metaclaw_tray.desktop.sheet import ConsentSheet, _ProblemBox
from metaclaw_tray.desktop.sure import SureDialog
from metaclaw_tray.desktop.theme import DARK, LIGHT, Colours
from metaclaw_tray.desktop.tray.correcting import WrongAnswer
from metaclaw_tray.paths import resources_dir
from screenshots import filled
from screenshots.house import House

ROOM = Path(application.__file__).parent


@pytest.fixture(params=["full", "new", "wrong"])
def desk(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """The window at an app that has been in use, at a new one, and at one in trouble."""
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path))
    getattr(filled, request.param)(tmp_path)
    with House(tmp_path) as house:
        made = Desk(qapp, house)
        made.bridge.closed.disconnect()
        made.window.removeEventFilter(made.first_steps)
        made.start()
        made.window.open_page("")
        yield made
        made.window.removeEventFilter(made)
        made.window.close()
    made.bridge._threads[0].join(20)
    made.deleteLater()


def settle(desk: Desk) -> None:
    """Wait until nothing that was asked is unanswered."""
    for _ in range(3):
        for _ in range(1_000):
            QTest.qWait(20)
            if not desk.bridge.is_waiting:
                break


def test_every_control_of_every_page_has_a_name_and_the_tab_key_comes_to_it(desk: Desk) -> None:
    wrong: dict[str, list[str]] = {}

    def look(where: str) -> None:
        settle(desk)
        if found := unnamed(desk.window):
            wrong[where] = found

    for page in desk.window.pages:
        desk.window.open_page(page.name)
        look(page.name)
        if found := unreached(desk.window):
            wrong[f"{page.name}, by the Tab key"] = found
        for tabs in [each for each in page.findChildren(QTabWidget) if each.isVisible()]:
            for place in range(tabs.count()):
                if tabs.isTabVisible(place):
                    tabs.setCurrentIndex(place)
                    look(f"{page.name}, {tabs.tabText(place)}")
        for rows in [each for each in page.findChildren(QAbstractItemView) if each.isVisible()]:
            model = rows.model()
            for row in range(min(model.rowCount(), 4)) if model.rowCount() > 1 else ():
                rows.setCurrentIndex(model.index(row, 0))
                look(f"{page.name}, row {row}")
    assert wrong == {}


@pytest.fixture
def away(
    qtbot: QtBot, qapp: QApplication, bridge: StandInBridge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path))
    monkeypatch.setattr(application, "Bridge", lambda _pipe: bridge)
    made = Desk(qapp, bridge._pipe)
    qtbot.addWidget(made.window)
    yield made
    made.deleteLater()


def test_a_page_that_failed_is_read_aloud_too(away: Desk, bridge: StandInBridge) -> None:
    bridge.answers = dict.fromkeys(api.all_verbs(), AWAY)
    for page in away.window.pages:
        away.window.open_page(page.name)
        QTest.qWait(50)
        assert unnamed(away.window) == []
        assert unreached(away.window) == []


def dialogs(parent: QWidget, bridge: StandInBridge) -> Iterator[QWidget]:
    sheet = Sheet(1, 1, "act", "All of it.\n" * 20)
    yield ConsentSheet(parent, bridge, sheet, api.EnableSkill(name="dates"))
    yield ConsentSheet(parent, bridge, Sheet(1, 1, "act", "All of it."), api.Undo(entry="1"))
    yield _ProblemBox(parent, Problem("No", "It is not there.", "Add it.", "agents"), print)
    yield RejectSheet(parent, "Dates")
    yield TrialSheet(parent, "Dates")
    yield LoseSheet(parent, print)
    yield WrongAnswer("coder", "14:00")
    yield QuitDialog(["coder"])
    yield SureDialog(parent, "Sure?", "It is gone then.", "Forget it")
    yield UpstreamDialog(parent, bridge, None, [])
    yield AddAgentDialog(parent, bridge, [])
    for at in range(4):
        yield FirstSteps(parent, bridge, at)


def test_every_dialog_is_read_aloud_and_used_by_keys(qtbot: QtBot, bridge: StandInBridge) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    wrong: dict[str, list[str]] = {}
    for each in dialogs(parent, bridge):
        each.show()
        QTest.qWait(20)
        if found := unnamed(each) + unreached(each):
            wrong[type(each).__name__] = found
        assert each.windowTitle()
        each.close()
    assert wrong == {}


def test_where_the_focus_is_can_be_seen(qtbot: QtBot, bridge: StandInBridge) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    unseen = []
    for dialog in dialogs(parent, bridge):
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        for each in list(controls(dialog)):
            if each.isEnabled() and each.isVisible() and each.focusPolicy():
                other = dialog.focusWidget()
                if other is each:
                    other.clearFocus()
                before = each.grab().toImage()
                each.setFocus()
                QTest.qWait(1)
                if each.grab().toImage() == before:
                    unseen.append(f"{type(each).__name__} of {type(dialog).__name__}")
        dialog.close()
    assert unseen == []


_ON = {
    "text": ("back", "side", "surface", "raised", "accent_soft", "code", "warn_soft", "bad_soft"),
    "muted": ("back", "side", "surface", "raised", "accent_soft", "code"),
    "accent": ("back", "side", "surface", "accent_soft", "code"),
    "on_accent": ("accent",),
    "good": ("back", "side", "surface", "good_soft", "accent_soft"),
    "warn": ("back", "side", "surface", "warn_soft", "code"),
    "bad": ("back", "side", "surface", "bad_soft", "code"),
}  # fmt: skip


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), [(words, ground) for words in _ON for ground in _ON[words]])
def test_words_stand_out_from_their_ground(colours: Colours, words: str, ground: str) -> None:
    assert contrast(getattr(colours, words), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_each_rule_of_the_style_sheet_that_sets_both_keeps_the_contrast(colours: Colours) -> None:
    sheet = theme.style_sheet(colours)
    for rule in re.findall(r"\{([^}]*)\}", sheet):
        words = re.search(r"(?<![-\w])color: (#\w{6})", rule)
        ground = re.search(r"background: (#\w{6})", rule)
        if words and ground:
            assert contrast(words[1], ground[1]) >= 4.5, rule


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: the ratio of their relative luminances."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in _rgb(colour)
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _rgb(colour: str) -> tuple[float, float, float]:
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()


def test_words_that_are_larger_or_smaller_follow_the_font_of_the_system(
    away: Desk, qapp: QApplication
) -> None:
    usual = qapp.font()
    title = heading("A title")
    title.setParent(away.window)
    before = title.font().pointSizeF()
    try:
        larger = QFont(usual)
        larger.setPointSizeF(usual.pointSizeF() * 2)
        qapp.setFont(larger)
        QTest.qWait(10)
        assert title.font().pointSizeF() == pytest.approx(before * 2, rel=0.05)
        assert title.font().weight() == QFont.Weight.DemiBold
    finally:
        qapp.setFont(usual)
        QTest.qWait(10)
    assert title.font().pointSizeF() == pytest.approx(before)


def test_colours_and_symbols_follow_the_theme_while_the_window_is_open(
    away: Desk, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    away.window.open_page("")
    made, words = button("Add", print, "primary", symbol="plus"), label("Words", "muted")
    for each in (made, words):
        each.setParent(away.window)
        each.show()
    images = []
    try:
        for dark in (False, True):
            monkeypatch.setattr(theme, "is_dark", lambda dark=dark: dark)
            theme.apply(qapp)
            QTest.qWait(20)
            images.append((made.icon().pixmap(16).toImage(), words.grab().toImage(), _symbol_of(away)))
            assert words.palette().windowText().color().name() in (LIGHT.muted, DARK.muted)
    finally:
        monkeypatch.undo()
        theme.apply(qapp)
    assert all(light != dark for light, dark in zip(*images, strict=True))


def _symbol_of(desk: Desk) -> object:
    nav = next(each for each in desk.window.findChildren(QPushButton) if each.property("kind") == "nav")
    return nav.icon().pixmap(20).toImage()


def test_nothing_moves_by_itself() -> None:
    """So there is nothing to still for whoever asked the system for less motion."""
    for file in ROOM.rglob("*.py"):
        text = file.read_text("utf-8")
        assert not re.search(r"Q\w*Animation|QMovie|QTimeLine|setRange\(0, 0\)", text), file
    assert "animation" not in (resources_dir() / "style" / "window.qss").read_text("utf-8")
