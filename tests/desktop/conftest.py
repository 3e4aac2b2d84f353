"""Widgets without a screen: any warning of Qt fails the test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded

import pytest
from pytestqt.qtbot import QtBot

from desktop.stand_in import StandInBridge
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.lasting import make_none_last
from metaclaw_tray.paths import resources_dir
from support.gui_guard import guard

_HERE = Path(__file__).parent
_done_on_the_gui_thread: list[str] = []
_NOISE = ("does not support propagateSizeHints", "does not support raise")  # of the plugin without a screen


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*_NOISE))


guard(_done_on_the_gui_thread.append)

for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitExposed, QtBot.waitActive):
    assert _wait.__kwdefaults__ is not None
    _wait.__kwdefaults__["timeout"] = 40_000  # a hang guard, also on a machine that has much else to do


@pytest.fixture(autouse=True)
def nothing_waits_on_the_gui_thread() -> Iterator[None]:
    """No code of the window opened a database, a socket, another program or a file in this test."""
    _done_on_the_gui_thread.clear()
    yield
    assert _done_on_the_gui_thread == []


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["metaclaw-tray"]


make_none_last()


@pytest.fixture(autouse=True)
def dressed(qapp: object) -> None:
    """The application as the window dresses it."""
    from PySide6.QtWidgets import QApplication

    assert isinstance(qapp, QApplication)
    if not qapp.styleSheet():
        theme.apply(qapp)


@pytest.fixture
def bridge(qapp: object) -> StandInBridge:
    return StandInBridge()


@pytest.fixture
def dutch(qapp: object) -> Iterator[None]:
    """What is made in this test speaks Dutch, whose words are longer."""
    from PySide6.QtCore import QTranslator
    from PySide6.QtWidgets import QApplication

    assert isinstance(qapp, QApplication)
    translator = QTranslator()
    assert translator.load(str(resources_dir() / "languages" / "nl.qm"))
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)
