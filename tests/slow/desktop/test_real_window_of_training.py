"""Training in the real app: in a meeting of a Google calendar, and while nobody touches the computer.

The job is the stand-in; all else is as it is for a person: sign-in, calendar, senses, tray, notifications.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("googleapiclient")

from metaclaw_tray.omls.sensing.machine import has_network
from omls.driven.job import goes_on_without_a_gap, runs, steps
from slow.desktop.accessible import LAUNCHER, Reader, reader
from slow.desktop.desk import Desk
from slow.desktop.popups import heard, lower_right
from slow.desktop.screen import Screen, needs_screen, screen, until
from support.google import Google, google
from support.processes import Home, ScriptedLlm
from support.xvfb import move_mouse

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.timeout(600),
    needs_screen,
    pytest.mark.skipif(not LAUNCHER.exists(), reason="needs at-spi2-core"),
    pytest.mark.skipif(not has_network(), reason="without a network nothing is trained"),
]

# The shortest times that may be set; and a machine that tests on battery trains too.
SETTINGS = """
[schedule]
idle_minutes = 1
minimum_minutes = 1
on_battery = true
battery_percent = 0
on_metered = true
"""

BROWSER = """
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
opener.open(sys.argv[1], timeout=20).read()
"""

IDLE_SECONDS = 240.0  # a hang guard: idle after 60
STAMP = len("Tue 2026-12-01 16:58  ")


def stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


@dataclass
class House:
    """Everything together, from the person's Google to the steps of their training."""

    desk: Desk
    screen: Screen
    eyes: Reader
    google: Google
    told: list[tuple[str, str]]  # notifications
    work: Path

    @property
    def home(self) -> Home:
        return self.desk.home

    def picture(self, name: str) -> None:
        self.screen.picture(self.work / f"{name}.png")

    def touch(self) -> None:
        move_mouse(self.screen.env["DISPLAY"])

    def connect_a_meeting(self) -> None:
        """Sign in; the calendar says that a meeting began ten minutes ago."""
        begin = datetime.now(UTC) - timedelta(minutes=10)
        self.google.busy = [(stamp(begin), stamp(begin + timedelta(hours=1)))]
        client = self.work / "client.json"
        client.write_text(self.google.client_file())
        self.home.do("calendar", "connect", "google", "--client-file", str(client), "--name", "work", "--yes")

    @property
    def pid(self) -> int:
        """Of the job's last process."""
        return steps(self.work)[-1][1]

    def says(self, command: str) -> list[str]:
        """What a command of `schedule` prints, line by line, without the time at the beginning."""
        return [line[STAMP:] for line in self.home.do("schedule", command).splitlines()]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    browser, work = tmp_path / "browser.py", tmp_path / "work"
    browser.write_text(BROWSER)
    work.mkdir()
    model = ScriptedLlm()
    try:
        with (
            google() as server,
            screen("sni", tmp_path / "screen") as made,
            reader(made) as eyes,
            heard(made) as told,
            Desk(tmp_path, made, model) as desk,
        ):
            config = desk.home.folder / "config" / "config.toml"
            config.write_text(config.read_text() + SETTINGS)
            desk.env |= eyes.env
            desk.env["BROWSER"] = f"{sys.executable} {browser} %s &"
            # The session of whoever runs the tests, which may be locked, is not this screen's.
            desk.env["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
            command = [sys.executable, "-m", "slow.desktop.training_app", str(work)]
            desk.start_by(command, desk.env)
            desk.home.do("autostart", "on")  # so that this is not suggested meanwhile
            desk.connect()  # else the first steps stand over the window
            yield House(desk, made, eyes, server, told, work)
    finally:
        model.stop()


def test_it_begins_in_a_meeting_and_is_told_and_while_nobody_is_there_a_mouse_move_stops_it(
    house: House,
) -> None:
    house.connect_a_meeting()
    until(lambda: len(steps(house.work)) >= 3, "steps in the meeting")
    in_meeting = house.pid
    right, bottom = until(lambda: lower_right(house.screen), "the notification")
    house.picture("1 told")
    ((title, text),) = house.told
    assert title == "Training has begun"
    assert re.fullmatch(r"during a meeting \(\d\d:\d\d to \d\d:\d\d\)", text)

    # Who clicks in a meeting is in it nevertheless: the job goes on.
    details = str(right - 57), str(bottom - 30)
    house.screen.run("xdotool", "mousemove", *details, "click", "1")
    until(lambda: house.eyes.find("Training now"), "how training stands, on its page")
    until(lambda: house.eyes.find("Opened: You are in a meeting."), "the window, on the same page")
    assert house.home.listing("status")["open_window"] == "You are in a meeting."
    done = len(steps(house.work))
    until(lambda: len(steps(house.work)) >= done + 3, "more steps")
    assert house.pid == in_meeting
    house.picture("2 page")

    house.google.busy.clear()
    house.home.do("calendar", "test", "work")
    until(lambda: not runs(in_meeting), "the job's end with the meeting's")
    until(lambda: house.home.listing("status")["why_not"] == "You are at the computer.", "why not now")

    # Nobody touches anything for a minute.
    until(lambda: house.pid != in_meeting, "an idle window, and steps in it", IDLE_SECONDS)
    idle = house.pid
    until(lambda: len(house.told) == 2, "the second notification")
    house.touch()
    until(lambda: not runs(idle), "the job's end with the mouse's move")
    until(lambda: house.eyes.find("Closed: You are at the computer."), "the end of the window, on its page")
    house.picture("3 over")
    assert goes_on_without_a_gap(house.work)

    assert house.told[1] == ("Training has begun", "while you were away")
    assert house.says("log") == [
        "open    You are in a meeting.",
        "closed  The meeting ends.",
        "open    Nobody has touched the computer.",
        "closed  You are at the computer.",
    ]
    meeting, absence = house.says("windows")
    assert "You are in a meeting. Closed: The meeting ends. Trained for " in meeting
    assert "Nobody has touched the computer. Closed: You are at the computer. Trained for " in absence
    said = house.home.do("schedule", "status")
    assert said.startswith("No training now. You ")
