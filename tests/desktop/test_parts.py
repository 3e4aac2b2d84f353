"""Buttons and boxes do what somebody meant, and nothing besides."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.looking import twice_pressed
from metaclaw_tray.desktop.parts import button
from metaclaw_tray.desktop.steady import Steady


@pytest.mark.parametrize(("once", "presses"), [(True, 1), (False, 2)])
def test_a_double_click_presses_as_often_as_it_is_meant_to(qtbot: QtBot, once: bool, presses: int) -> None:
    pressed: list[int] = []
    shown = button("Approve", lambda: pressed.append(1), once=once)
    qtbot.addWidget(shown)
    shown.show()
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
    twice_pressed(shown)
    assert len(pressed) == presses


@pytest.fixture
def box(qtbot: QtBot) -> Steady:
    made = Steady()
    made.addItems(["All", "In use", "Off"])
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_wheel_over_a_box_chooses_nothing(box: Steady) -> None:
    box.setFocus()
    at = QPointF(5, 5)
    turned = QWheelEvent(
        at,
        box.mapToGlobal(at),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,  # not turned round
    )
    QApplication.sendEvent(box, turned)
    assert not turned.isAccepted()
    assert box.currentIndex() == 0


def test_keys_that_turn_pages_choose_nothing_and_arrows_do(qtbot: QtBot, box: Steady) -> None:
    qtbot.keyClick(box, Qt.Key.Key_PageDown)
    assert box.currentIndex() == 0
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentIndex() == 1
