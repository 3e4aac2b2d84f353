"""Widgets without a screen: any warning of Qt fails the test."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded

import pytest

from desktop.stand_in import StandInBridge
from metaclaw_tray.desktop import theme

_HERE = Path(__file__).parent
_NOISE = ("does not support propagateSizeHints", "does not support raise")  # of the plugin without a screen


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*_NOISE))


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["metaclaw-tray"]


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
