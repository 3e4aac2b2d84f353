"""Sessions, locks, films, networks and sleep, told by services on a real message bus."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.linux_presence import LinuxPresence
from metaclaw_tray.omls.sensing.logind import LogindIdle, Session
from metaclaw_tray.omls.sensing.mutter import MutterIdle
from metaclaw_tray.omls.sensing.network import NetworkManager
from metaclaw_tray.omls.sensing.screen import ScreenSaver
from metaclaw_tray.omls.sensing.sleeping import SleepWatch
from omls.sensing.bus import Answer, bus, needs_bus, service

pytestmark = needs_bus
LOGIN, MANAGER, MINE = (
    "org.freedesktop.login1",
    "/org/freedesktop/login1",
    "/org/freedesktop/login1/session/_31",
)
NETWORK, NETWORKS = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"


@pytest.fixture(autouse=True)
def _bus() -> Iterator[None]:
    with bus():
        yield


def login(**properties: Answer) -> dict[tuple[str, str], Any]:
    return {
        (MANAGER, "GetSession"): ("o", (MINE,)),
        (MANAGER, "ListInhibitors"): ("a(ssssuu)", ([],)),
        **{(MINE, name): answer for name, answer in properties.items()},
    }


@pytest.mark.parametrize("locked", [True, False])
def test_the_lock_is_told_by_logind(locked: bool) -> None:
    with service(LOGIN, login(LockedHint=("b", (locked,)))):
        session = Session({"XDG_SESSION_ID": "1"})
        assert session.locked() is locked
        session.close()


def test_who_is_started_outside_a_session_belongs_to_the_one_with_a_screen() -> None:
    user = f"{MANAGER}/user/_0"
    answers = login(LockedHint=("b", (True,))) | {
        (MANAGER, "GetSessionByPID"): f"{LOGIN}.NoSessionForPID",
        (MANAGER, "GetUser"): ("o", (user,)),
        (user, "Display"): ("(so)", (("1", MINE),)),
    }
    with service(LOGIN, answers):
        session = Session({})
        assert session.locked()
        session.close()


def test_idleness_by_logind_is_nothing_until_the_desktop_says_so() -> None:
    with service(LOGIN, login(IdleHint=("b", (False,)), IdleSinceHint=("t", (0,)))) as logind:
        idle = LogindIdle(Session({"XDG_SESSION_ID": "1"}), now=lambda: 1_000.0)
        assert idle.seconds_since_input() == 0.0
        logind.answers |= {(MINE, "IdleHint"): ("b", (True,)), (MINE, "IdleSinceHint"): ("t", (400_000_000,))}
        assert idle.seconds_since_input() == 600.0
        idle.close()


def test_a_film_or_a_call_holds_off_idleness_and_a_delay_of_sleep_does_not() -> None:
    film = ("idle", "player", "plays a film", "block", 1000, 7)
    sleep = ("sleep", "network", "leaves", "delay", 0, 8)
    for kept, expected in [([sleep], False), ([sleep, film], True)]:
        with service(LOGIN, login() | {(MANAGER, "ListInhibitors"): ("a(ssssuu)", (kept,))}):
            session = Session({"XDG_SESSION_ID": "1"})
            assert session.kept_awake() is expected
            session.close()


def test_without_logind_there_is_no_session() -> None:
    with pytest.raises(UnavailableError, match="logind knows no session"):
        Session({"XDG_SESSION_ID": "1"})


def test_gnome_tells_idleness_in_milliseconds() -> None:
    path = "/org/gnome/Mutter/IdleMonitor/Core"
    with service("org.gnome.Mutter.IdleMonitor", {(path, "GetIdletime"): ("t", (3865,))}) as mutter:
        idle = MutterIdle()
        assert idle.seconds_since_input() == 3.865
        mutter.close()
        with pytest.raises(OSError, match="GetIdletime"):
            idle.seconds_since_input()
        idle.close()


def test_without_gnome_its_way_is_not_there() -> None:
    with pytest.raises(UnavailableError, match="does not answer"):
        MutterIdle()


def test_a_screen_saver_that_runs_tells_the_lock_and_none_is_started_for_it() -> None:
    saver = ScreenSaver()
    assert saver.locked() is None
    with service("org.gnome.ScreenSaver", {("/org/gnome/ScreenSaver", "GetActive"): ("b", (True,))}):
        assert saver.locked() is True
    saver.close()


@pytest.mark.parametrize(("told", "metered"), [(1, True), (2, False), (3, True), (4, False), (0, None)])
def test_the_cost_of_the_network_is_told_by_its_manager(told: int, metered: bool | None) -> None:
    with service(NETWORK, {(NETWORKS, "Metered"): ("u", (told,))}):
        manager = NetworkManager()
        assert manager.metered() is metered
        manager.close()


@pytest.mark.parametrize(
    ("state", "connectivity", "online"), [(70, 4, True), (60, 1, True), (20, 1, False), (70, 2, False)]
)
def test_a_portal_that_wants_something_first_is_no_network(
    state: int, connectivity: int, online: bool
) -> None:
    answers: dict[tuple[str, str], Any] = {
        (NETWORKS, "Metered"): ("u", (2,)),
        (NETWORKS, "State"): ("u", (state,)),
        (NETWORKS, "Connectivity"): ("u", (connectivity,)),
    }
    with service(NETWORK, answers):
        manager = NetworkManager()
        assert manager.online() is online
        manager.close()


def presence(**changes: Any) -> LinuxPresence:
    return LinuxPresence(
        session=lambda: Session({"XDG_SESSION_ID": "1"}),
        microphone=changes.get("microphone", lambda: False),
        camera=changes.get("camera", lambda: False),
    )


def test_where_nobody_tells_the_lock_is_unknown_and_the_devices_still_tell() -> None:
    nobody = presence()
    assert nobody.locked() is None
    assert nobody.occupied() is False
    assert presence(microphone=lambda: True).occupied() is True
    assert presence(camera=lambda: True).occupied() is True
    nobody.close()


def test_a_manager_of_networks_that_stops_answering_leaves_it_unknown() -> None:
    answers: dict[tuple[str, str], Any] = {
        (NETWORKS, "Metered"): ("u", (1,)),
        (NETWORKS, "State"): ("u", (70,)),
        (NETWORKS, "Connectivity"): ("u", (4,)),
    }
    with service(NETWORK, answers):
        there = presence()
        assert there.network() == (True, True)
    assert there.network() == (None, None)
    there.close()


class Sleep:
    """Counts what the watch tells; `stopped` lets the machine sleep."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.asleep, self.awake = threading.Event(), threading.Event()
        self.stopped = threading.Event()

    def sleeps(self) -> None:
        self.told.append("sleeps")
        self.asleep.set()
        self.stopped.wait(30)

    def wakes(self) -> None:
        self.told.append("wakes")
        self.awake.set()


def test_sleep_waits_until_training_has_stopped_and_waking_is_told() -> None:
    ours, theirs = os.pipe()
    answers = login() | {(MANAGER, "Inhibit"): lambda *_: ("h", (theirs,))}
    with service(LOGIN, answers) as logind:
        seen = Sleep()
        watch = SleepWatch(seen.sleeps, seen.wakes)
        os.close(theirs)  # the watch has a copy, whose end lets the machine sleep
        os.set_blocking(ours, False)
        logind.emit(MANAGER, f"{LOGIN}.Manager", "PrepareForSleep", "b", True)
        assert seen.asleep.wait(30)
        with pytest.raises(BlockingIOError):
            os.read(ours, 1)  # it is still held
        seen.stopped.set()
        os.set_blocking(ours, True)
        assert os.read(ours, 1) == b""  # let go
        answers[(MANAGER, "Inhibit")] = "org.freedesktop.DBus.Error.AccessDenied"
        logind.emit(MANAGER, f"{LOGIN}.Manager", "PrepareForSleep", "b", False)
        assert seen.awake.wait(30)
        watch.close()
    os.close(ours)
    assert seen.told == ["sleeps", "wakes"]


def test_without_logind_sleep_is_not_told_beforehand() -> None:
    with pytest.raises(UnavailableError, match="logind"):
        SleepWatch(lambda: None, lambda: None)
