"""GNOME tells of the first touch after an absence, once for each absence."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest

from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.returning import ReturnWatch
from omls.sensing.bus import bus, needs_bus, service

pytestmark = needs_bus
PATH, NAME = "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor"


@pytest.fixture(autouse=True)
def _bus() -> Iterator[None]:
    with bus():
        yield


def test_the_next_touch_is_told_once_and_again_after_the_next_absence() -> None:
    numbers = itertools.count(7)
    added = threading.Semaphore(0)

    def add(*_: object) -> tuple[str, tuple[int]]:
        added.release()
        return "u", (next(numbers),)

    told = threading.Semaphore(0)
    answers = {(PATH, "AddIdleWatch"): ("u", (3,)), (PATH, "AddUserActiveWatch"): add}
    with service(NAME, answers) as mutter:
        watch = ReturnWatch(told.release)
        assert added.acquire(timeout=30)
        mutter.emit(PATH, NAME, "WatchFired", "u", 99)  # somebody else's
        mutter.emit(PATH, NAME, "WatchFired", "u", 7)
        assert told.acquire(timeout=30)
        mutter.emit(PATH, NAME, "WatchFired", "u", 7)  # it was told already
        mutter.emit(PATH, NAME, "WatchFired", "u", 3)  # nothing was touched for a while
        assert added.acquire(timeout=30)
        mutter.emit(PATH, NAME, "WatchFired", "u", 3)
        mutter.emit(PATH, NAME, "WatchFired", "u", 8)
        assert told.acquire(timeout=30)
        assert not told.acquire(blocking=False)
        watch.close()


def test_without_gnome_there_is_no_such_watch() -> None:
    with pytest.raises(UnavailableError, match="GNOME"):
        ReturnWatch(lambda: None)
