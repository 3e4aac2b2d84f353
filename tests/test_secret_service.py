"""Against a real Secret Service: a bus and a keyring daemon of our own, unlocked and locked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="needs gnome-keyring and dbus",
)

USE = """
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import open_vault
from metaclaw_tray.settings import Settings

vault = open_vault(Paths.find(), Settings())
print(vault.backend, vault.warning)
vault.set("agent:claw", "mct_first")
vault.set("agent:claw", "mct_ü")
print(open_vault(Paths.find(), Settings()).get("agent:claw"), vault.names())
vault.remove("agent:claw")
print(vault.get("agent:claw"), vault.names())
"""


def run(tmp_path: Path, daemon: str) -> str:
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")
    }
    environment |= {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "METACLAW_TRAY_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(Path(__file__).parents[1] / "app"),
        "PYTHONUTF8": "1",
    }
    script = f'{daemon} >/dev/null 2>&1; exec "$0" -c "$1"'
    done = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script, sys.executable, USE],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_unlocked_secret_service_keeps_secrets(tmp_path: Path):
    said = run(tmp_path, "printf pw | gnome-keyring-daemon --unlock --components=secrets")
    assert said.splitlines() == ["keyring ", "mct_ü ['agent:claw']", "None []"]


def test_a_locked_secret_service_without_a_screen_is_told_apart_from_one_that_works(tmp_path: Path):
    said = run(tmp_path, "gnome-keyring-daemon --start --components=secrets")
    assert said.startswith("memory Keys and tokens are kept in memory for this run only: ")


def test_without_a_keyring_daemon_memory_serves(tmp_path: Path):
    said = run(tmp_path, "true")
    assert said.startswith("memory Keys and tokens are kept in memory for this run only: ")
