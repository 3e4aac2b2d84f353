"""What the two commands do before the program runs: a stand-in for Python shows what they ask of it."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"
TOOLS = ("bash", "cat", "chmod", "cksum", "cp", "dirname", "flock", "grep", "id", "mkdir", "rm")

STAND_IN = """#!/bin/bash
echo "$*" >>"$CALLS"
case "$*" in
*ensurepip*) exit "${NO_ENSUREPIP:-0}" ;;
*print*) echo python3.11 ;;
*"-m venv"*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" && echo "#!$4/bin/python" >"$4/bin/pip" ;;
*"pip install"*) exit "${PIP_FAILS:-0}" ;;
esac
"""


class Checkout:
    """A checkout whose only tools are these, and maybe a Python that writes down what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a checkout"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        (self.root / "packaging").mkdir(parents=True)
        for script in ("environment.sh", "run"):
            shutil.copy(PACKAGING / script, self.root / "packaging")
        (self.root / "pyproject.toml").write_text("[project]\n")
        self.bin.mkdir()
        for tool in TOOLS:
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        self.calls.touch()

    def add_python(self, name: str = "python3") -> None:
        (self.bin / name).write_text(STAND_IN)
        (self.bin / name).chmod(0o755)

    def prepare(self, extras: str = "one,two", **env: str) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        script = f". '{self.root}/packaging/environment.sh' && prepare {extras}"
        return subprocess.run(
            [str(self.bin / "bash"), "-c", script],
            env={"PATH": str(self.bin), "CALLS": str(self.calls), **env},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )

    def demo(self, *args: str, terminal: int | None = None) -> str:
        """What `packaging/run` asks the program to do last."""
        return self.run(*args, terminal=terminal)[-1]

    def run(self, *args: str, terminal: int | None = None, **env: str) -> list[str]:
        """All that `packaging/run` calls."""
        subprocess.run(
            [str(self.bin / "bash"), str(self.root / "packaging" / "run"), *args],
            env={"PATH": str(self.bin), "CALLS": str(self.calls), **env},
            cwd="/",
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.DEVNULL if terminal is None else terminal,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return self.calls.read_text().splitlines()

    @property
    def installed(self) -> list[str]:
        return [line.split()[-1] for line in self.calls.read_text().splitlines() if "pip install" in line]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_without_a_python_the_line_to_type_is_said(checkout):
    done = checkout.prepare()
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Python 3.11 or newer is needed. On Debian or Ubuntu type: sudo apt install python3 python3-venv"
    ]


def test_a_python_that_cannot_make_environments_is_said_with_its_package(checkout):
    checkout.add_python()
    done = checkout.prepare(NO_ENSUREPIP="1")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "python3.11 is here but cannot make virtual environments. Type: sudo apt install python3.11-venv"
    ]


def test_it_is_installed_once_and_again_only_when_the_project_file_changes(checkout):
    checkout.add_python("python3.12")
    assert checkout.prepare().returncode == 0
    assert checkout.installed == ["checkout[one,two]"]
    assert checkout.prepare().returncode == 0
    assert checkout.installed == []
    (checkout.root / "pyproject.toml").write_text("[project]\nname = 'new'\n")
    assert checkout.prepare().returncode == 0
    assert checkout.installed == ["checkout[one,two]"]


def test_run_and_test_share_the_environment_without_undoing_each_other(checkout):
    checkout.add_python()
    checkout.prepare("one")
    checkout.prepare("two")
    assert checkout.installed == ["checkout[two]"]
    assert "-m venv" not in checkout.calls.read_text()
    checkout.prepare("one")
    assert checkout.installed == []


def test_an_installation_that_failed_is_tried_again(checkout):
    checkout.add_python()
    done = checkout.prepare(PIP_FAILS="1")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
    assert checkout.prepare().returncode == 0
    assert checkout.installed == ["checkout[one,two]"]


def test_a_checkout_that_was_moved_gets_a_new_environment(checkout):
    checkout.add_python()
    checkout.prepare()
    checkout.root = checkout.root.rename(checkout.root.with_name("elsewhere"))
    assert checkout.prepare().returncode == 0
    assert "-m venv --clear" in checkout.calls.read_text()
    assert checkout.installed[0].endswith("elsewhere[one,two]")


def test_run_asks_at_a_terminal_and_takes_the_start_for_a_yes_without_one(checkout):
    checkout.add_python()
    assert checkout.demo("--model", "m") == "-P -m metaclaw_tray demo --yes --model m"
    keyboard, screen = pty.openpty()
    try:
        assert checkout.demo(terminal=screen) == "-P -m metaclaw_tray demo"
    finally:
        os.close(keyboard)
        os.close(screen)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(checkout):
    checkout.add_python()
    checkout.root.chmod(0o555)
    done = checkout.prepare()
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert "cannot be written" in said
    assert "Clone the project into a folder of your own" in said


def test_with_a_screen_the_app_itself_comes_up_after_the_loop(checkout):
    checkout.add_python()
    *_, loop, _, app = checkout.run(DISPLAY=":7")
    assert checkout.installed == ["checkout[embedded,demo,desktop]"]
    assert loop.endswith("-m metaclaw_tray demo --yes")
    assert app.endswith("-P -m metaclaw_tray")


def test_who_says_how_the_loop_is_to_run_gets_the_loop_alone(checkout):
    checkout.add_python()
    assert checkout.run("--seed", "1", DISPLAY=":7")[-1].endswith("demo --yes --seed 1")
    assert checkout.run("tray")[-1].endswith("-P -m metaclaw_tray")
