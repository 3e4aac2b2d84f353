"""Whoever quits is told who is served, and the safe answer is the near one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from metaclaw_tray.desktop.quitting import QuitDialog


def button(dialog: QuitDialog, text: str) -> QPushButton:
    (found,) = [each for each in dialog.findChildren(QPushButton) if each.text() == text]
    return found


@pytest.mark.parametrize(("pressed", "serve_on"), [("Keep serving in the background", True), ("Quit", False)])
def test_each_button_is_an_answer(qtbot: QtBot, pressed: str, serve_on: bool) -> None:
    dialog = QuitDialog(["coder"])
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.chosen) as heard:
        button(dialog, pressed).click()
    assert heard.args == [serve_on]


def test_the_return_key_keeps_agents_served(qtbot: QtBot) -> None:
    dialog = QuitDialog(["coder"])
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.chosen) as heard:
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert heard.args == [True]


def test_the_return_key_presses_the_button_that_has_the_focus(qtbot: QtBot) -> None:
    dialog = QuitDialog(["coder"])
    qtbot.addWidget(dialog)
    dialog.show()
    focused = button(dialog, "Keep serving in the background")
    qtbot.keyClick(focused, Qt.Key.Key_Backtab)
    with qtbot.waitSignal(dialog.chosen) as heard:
        qtbot.keyClick(button(dialog, "Quit"), Qt.Key.Key_Return)
    assert heard.args == [False]


def test_closing_it_is_no_answer(qtbot: QtBot) -> None:
    dialog = QuitDialog([])
    qtbot.addWidget(dialog)
    heard: list[bool] = []
    dialog.chosen.connect(heard.append)
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert heard == []


def test_the_agents_are_named(qtbot: QtBot) -> None:
    dialog = QuitDialog(["coder", "notes"])
    qtbot.addWidget(dialog)
    said = " ".join(each.text() for each in dialog.findChildren(QLabel))
    assert "coder" in said
    assert "notes" in said
