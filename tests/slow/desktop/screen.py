"""A desktop on a virtual screen: window manager, session bus, a tray host, a notification server.

It is the founders' script that puts it together (shared/tools); this is the way to it from a test.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

import psutil
import pytest

TOOLS = Path(__file__).parents[4] / "shared" / "tools"
SCRIPT, MENU = TOOLS / "tray_under_xvfb.sh", TOOLS / "sni_menu.py"
_PROGRAMS = ("Xvfb", "xfce4-panel", "trayer", "openbox", "xdotool", "xwininfo", "dbus-run-session")
_SECONDS = 30.0  # a hang guard
T = TypeVar("T")

Host = Literal["sni", "xembed"]

needs_screen = pytest.mark.skipif(
    not SCRIPT.exists() or not all(map(shutil.which, _PROGRAMS)),
    reason="needs shared/tools and the programs of a desktop (Xvfb, xfce4-panel, trayer …)",
)


def until(true: Callable[[], T], what: str = "", seconds: float = _SECONDS) -> T:
    """Wait until something is so; what it is."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, f"never came: {what or true}"
        time.sleep(0.1)
    return found


@dataclass
class Screen:
    """A running desktop. `env` is that of the programs on it."""

    env: dict[str, str]
    host: Host
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def run(self, *command: str) -> str:
        """A program's output; it must succeed."""
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def menu(self) -> list[str]:
        """What the tray's menu says; empty where no tray shows it. Only of a host over D-Bus."""
        done = subprocess.run(
            [sys.executable, str(MENU), "list"],
            env=self.env, capture_output=True, text=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
        lines = done.stdout.splitlines() if done.returncode == 0 else []
        return [
            line.split(", ", 1)[1].split(", '", 1)[0].strip("'\"")
            for line in lines
            if line.startswith("   (")
        ]

    def press(self, text: str) -> None:
        """Press an entry of the menu."""
        until(lambda: text in self.menu(), f"{text!r} in the menu")
        assert "pressed" in self.run(sys.executable, str(MENU), "press", text)

    def windows(self, name: str) -> list[str]:
        """The ids of the visible windows with this name."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", name],
            env=self.env, capture_output=True, text=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
        return found.stdout.split()

    def key(self, window: str, *keys: str) -> None:
        """Press keys in a window."""
        self.run("xdotool", "windowactivate", "--sync", window)
        self.run("xdotool", "key", *keys)

    def picture(self, file: Path) -> None:
        self.run("import", "-window", "root", str(file))

    def end_host(self) -> None:
        """The tray host crashes."""
        name = "xfce4-panel" if self.host == "sni" else "trayer"
        for each in self._processes(name):
            each.kill()
            with contextlib.suppress(psutil.Error):
                each.wait(_SECONDS)
        for started in self._started:
            started.wait(_SECONDS)

    def start_host(self) -> None:
        """It comes, or comes again."""
        command = (
            ["xfce4-panel", "--disable-wm-check"]
            if self.host == "sni"
            else ["trayer", "--edge", "top", "--align", "right", "--widthtype", "request", "--height", "28"]
        )
        nowhere = subprocess.DEVNULL
        self._started.append(
            subprocess.Popen(command, env=self.env, stdin=nowhere, stdout=nowhere, stderr=nowhere)
        )

    def _processes(self, name: str) -> list[psutil.Process]:
        found = []
        for each in psutil.process_iter(["name"]):
            try:
                if each.name() == name and each.environ().get("DISPLAY") == self.env["DISPLAY"]:
                    found.append(each)
            except psutil.Error:
                continue
        return found


@contextmanager
def screen(host: Host, folder: Path, notifications: str = "xfce") -> Iterator[Screen]:
    """A desktop while the block lasts."""
    folder.mkdir(parents=True, exist_ok=True)
    told, number = folder / "environment.json", _free_display()
    say = (
        "import json, os, sys; "
        f"open({str(told)!r}, 'w').write(json.dumps(dict(os.environ))); sys.stdin.read()"
    )
    with (folder / "screen.log").open("wb") as log:
        process = subprocess.Popen(
            ["bash", SCRIPT, "-m", host, "-n", notifications, "-d", str(number), sys.executable, "-c", say],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        )
    made = Screen({}, host)
    try:
        until(lambda: told.exists() and told.read_text(), "the desktop")
        # Tests of widgets in the same run want Qt without a screen; here it has one.
        made.env = {**json.loads(told.read_text()), "QT_QPA_PLATFORM": "xcb"}
        yield made
    finally:
        if made.env:
            made.end_host()  # one that a test started is nobody else's
        assert process.stdin
        process.stdin.close()
        process.wait(_SECONDS)


def _free_display() -> int:
    taken = {each.name for each in Path("/tmp").glob(".X*-lock")}
    first = 200 + os.getpid() % 400
    return next(number for number in range(first, first + 100) if f".X{number}-lock" not in taken)
