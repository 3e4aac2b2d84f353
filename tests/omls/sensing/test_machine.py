"""Power, devices and networks as the system shows them; what it does not show is unknown."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from metaclaw_tray.omls.sensing.devices import camera_in_use, microphone_in_use
from metaclaw_tray.omls.sensing.machine import (
    agents_running,
    battery,
    has_network,
    load_of_others,
    own_processes,
    power,
)


@dataclass(frozen=True)
class Told:
    percent: float
    power_plugged: bool | None


@pytest.mark.parametrize(
    ("told", "mains", "charge"),
    [
        (None, True, 100.0),
        (Told(80, True), True, 80.0),
        (Told(12.5, False), False, 12.5),
        (Told(50, None), None, 50.0),
        (Told(math.nan, False), False, None),
    ],
)
def test_a_machine_without_a_battery_runs_on_mains(
    told: Told | None, mains: bool | None, charge: float | None
) -> None:
    assert power(told) == (mains, charge)


def test_this_machine_can_be_asked() -> None:
    power(battery())
    assert has_network() in (True, False)
    assert load_of_others([os.getpid(), 2**30]) >= 0
    assert agents_running(["there-is-no-such-agent"]) == ()
    assert agents_running([psutil.Process().name()]) == (psutil.Process().name(),)
    assert own_processes()[0] == os.getpid()


@pytest.mark.parametrize(("state", "used"), [("closed\n", False), ("state: RUNNING\nowner: 1\n", True)])
def test_a_device_that_records_is_in_use(tmp_path: Path, state: str, used: bool) -> None:
    status = tmp_path / "card0" / "pcm0c" / "sub0" / "status"
    status.parent.mkdir(parents=True)
    status.write_text(state)
    assert microphone_in_use(tmp_path) is used


def test_a_device_that_plays_is_no_microphone(tmp_path: Path) -> None:
    status = tmp_path / "card0" / "pcm0p" / "sub0" / "status"
    status.parent.mkdir(parents=True)
    status.write_text("state: RUNNING\n")
    assert not microphone_in_use(tmp_path)
    assert not microphone_in_use(tmp_path / "nothing")


def test_a_camera_is_in_use_while_a_process_holds_it(tmp_path: Path) -> None:
    camera = tmp_path / "dev" / "video0"
    camera.parent.mkdir()
    camera.touch()
    descriptors = tmp_path / "proc" / "42" / "fd"
    descriptors.mkdir(parents=True)
    (descriptors / "0").symlink_to("/dev/null")
    assert not camera_in_use(camera.parent, tmp_path / "proc")
    (descriptors / "5").symlink_to(camera)
    assert camera_in_use(camera.parent, tmp_path / "proc")
    camera.unlink()
    assert not camera_in_use(camera.parent, tmp_path / "proc")
