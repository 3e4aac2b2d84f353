"""The notifier works on a thread of its own, so that the screen never waits, and says what was not shown."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from metaclaw_tray.desktop.notifications.notifier import Notifier
from metaclaw_tray.desktop.notifications.wording import Told

TOLD = Told("A title", "A text", (), "page:today", "")
_seen: list[str] = []


def _listen(event: str, _args: tuple[Any, ...]) -> None:
    if event.startswith("socket.") and threading.current_thread() is threading.main_thread():
        _seen.append(event)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the bus is that of Linux")
def test_without_a_bus_it_fails_and_the_screen_never_waits(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    sys.addaudithook(_listen)
    notifier = Notifier()
    _seen.clear()
    failed: list[int] = []
    notifier.failed.connect(failed.append)
    notifier.show(1, TOLD)
    notifier.show(2, TOLD)
    qtbot.waitUntil(lambda: failed == [1, 2], timeout=30_000)
    notifier.show(3, TOLD)
    qtbot.waitUntil(lambda: failed == [1, 2, 3], timeout=30_000)
    assert _seen == []
