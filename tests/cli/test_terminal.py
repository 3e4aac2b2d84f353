"""A real command at a real terminal: the typed code."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app
from support.processes import environment

SHOWN = "--- a/SKILL.md\n+Always use ISO dates.\x1b[8m hidden" + "\nline" * 200 + "\nthe last line"


async def approve(verb: api.ApproveProposal, call) -> api.Said:
    granted = await call.consent(f"approve {verb.id}", SHOWN, yes=verb.yes)
    return api.Said(text=f"approved by {granted.channel}, {granted.ancestry[0].split()[0]}")


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory) -> Paths:
    return Paths.find({"METACLAW_TRAY_HOME": str(tmp_path_factory.mktemp("h"))})


class Terminal:
    """A pseudo-terminal with a command in front of it."""

    def __init__(self, command: subprocess.Popen[bytes], master: int) -> None:
        self.command = command
        self._master = master
        self.seen = ""

    def read_until(self, pattern: str) -> re.Match[str]:
        while not (found := re.search(pattern, self.seen)):
            try:
                self.seen += os.read(self._master, 65536).decode()
            except OSError:
                raise AssertionError(f"the command ended: {self.end()}") from None
        return found

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def end(self) -> tuple[int, str, str]:
        out, err = self.command.communicate(timeout=60)
        return self.command.returncode, out.decode(), err.decode()


@contextmanager
def at_a_terminal(paths: Paths, *args: str) -> Iterator[Terminal]:
    """Run a command that has a controlling terminal, but whose output goes elsewhere."""
    master, slave = os.openpty()
    command = subprocess.Popen(
        [sys.executable, "-P", "-m", "metaclaw_tray", *args],
        env=environment({"METACLAW_TRAY_HOME": str(paths.home)}),
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(slave)  # so that reading fails, and does not wait, once the command has ended
    try:
        yield Terminal(command, master)
    finally:
        if command.poll() is None:
            command.kill()
            command.communicate()
        os.close(master)


def test_the_code_is_asked_at_the_terminal_after_the_whole_text(paths: Paths):
    app = admin_app(paths, Answers({api.ApproveProposal: approve}))
    with app, at_a_terminal(paths, "review", "approve", "p1") as terminal:
        asked = terminal.read_until(r"To approve p1, type ([A-Z0-9]{4}) ")
        assert "+Always use ISO dates.\\u{1b}[8m hidden" in terminal.seen
        assert terminal.seen.index("the last line") < asked.start()
        terminal.type(f"{asked[1].lower()}\n")
        code, out, err = terminal.end()
    assert (code, err) == (0, "")
    assert out.startswith("approved by terminal, ")


@pytest.mark.parametrize("typed", ["\n", "y\n", "yes\n", "\x04"])
def test_anything_else_changes_nothing(paths: Paths, typed: str):
    app = admin_app(paths, Answers({api.ApproveProposal: approve}))
    with app, at_a_terminal(paths, "review", "approve", "p1") as terminal:
        terminal.read_until(r"To approve p1, type [A-Z0-9]{4} ")
        terminal.type(typed)
        code, out, err = terminal.end()
    assert (code, out) == (1, "")
    assert "The code was not typed, so nothing was changed (approve p1)." in err


def test_a_command_without_a_terminal_is_refused(paths: Paths):
    with admin_app(paths, Answers({api.ApproveProposal: approve})):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "metaclaw_tray", "review", "approve", "p1"],
            env=environment({"METACLAW_TRAY_HOME": str(paths.home)}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 1
    assert "this command has no terminal to ask at" in done.stderr


def test_a_budget_is_raised_at_a_terminal_while_no_app_runs(paths: Paths):
    with at_a_terminal(paths, "config", "set", "budget.day_usd", "2") as terminal:
        asked = terminal.read_until(r"To change budget.day_usd, type ([A-Z0-9]{4}) ")
        assert "(what learning may cost in a day, in USD) is 0.5 now and would be 2." in terminal.seen
        terminal.type(f"{asked[1]}\n")
        code, out, _ = terminal.end()
    assert (code, out) == (0, "budget.day_usd is 2 now, was 0.5.\n")


def test_output_into_a_pipe_that_nobody_reads_ends_without_a_traceback(paths: Paths):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "metaclaw_tray", "config", "show"],
        env=environment({"METACLAW_TRAY_HOME": str(paths.home)}),
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")
