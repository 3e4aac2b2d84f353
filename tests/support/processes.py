"""Programs under test, started as a person or a service manager would start them."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

TESTS = Path(__file__).parents[1]
APP = TESTS.parent / "app"
_SERVE = ("-m", "metaclaw_tray", "serve", "--json", "--port", "0")
_START_SECONDS = 30.0  # a hang guard: everything here starts within two
_STOP_SECONDS = 20.0
_COMMAND_SECONDS = 60.0


class StartError(RuntimeError):
    """The program ended, or stayed silent, before it said that it was ready."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment, in which `metaclaw_tray` and the helpers of the tests can be imported."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(APP), str(TESTS))), **(extra or {})}


def _pin_to(cpu: int | None) -> Callable[[], None] | None:
    """What a new process does first, to stay on one processor."""
    if cpu is None or not hasattr(os, "sched_setaffinity") or cpu not in os.sched_getaffinity(0):
        return None
    return lambda: os.sched_setaffinity(0, {cpu})


class Program:
    """A process that says one line of JSON on standard output when it is ready.

    `cpu` pins it, and all that it starts, to one processor where the system can do that.
    """

    def __init__(
        self,
        *args: str,
        env: Mapping[str, str] | None = None,
        cpu: int | None = None,
        log: Path | None = None,
    ) -> None:
        begun = time.monotonic()
        self.log, self.command = log, " ".join(args)
        with (log or Path(os.devnull)).open("ab") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment(env),
                preexec_fn=_pin_to(cpu),
            )
        self.ready: dict[str, Any] = json.loads(self.line(_START_SECONDS))
        self.ready_seconds = time.monotonic() - begun

    @property
    def pid(self) -> int:
        return self.process.pid

    def line(self, seconds: float) -> bytes:
        """The next line that it says. Raises `StartError` if none comes in time."""
        assert self.process.stdout
        answered, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if answered else b""
        if not line:
            self.kill()
            tail = self.log.read_text(errors="replace")[-2000:] if self.log else ""
            raise StartError(f"{self.command}: nothing said (exit code {self.process.returncode})\n{tail}")
        return line

    def tree(self) -> list[psutil.Process]:
        """The process and all below it, itself first."""
        try:
            top = psutil.Process(self.pid)
            return [top, *top.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def stop(self) -> int:
        """Ask it to end (its input ends, then SIGTERM), insist if it does not, and give the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_STOP_SECONDS)
        return self.kill()

    def kill(self) -> int:
        """Kill -9 what is still there; gives the exit code. Its children are left to themselves."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        return self.process.wait()


class ScriptedLlm(Program):
    """The deterministic model (`support.scripted_llm`) in its own process, so that it outlives a kill."""

    def __init__(self, cpu: int | None = None) -> None:
        super().__init__("-m", "support.scripted_llm", cpu=cpu)
        self.url: str = self.ready["url"]

    def stop(self) -> int:
        """It ends when its input does."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(_STOP_SECONDS)
        return self.kill()


class Home:
    """One METACLAW_TRAY_HOME: its environment, its commands, and the app that serves it.

    Secrets lie in a file: a test never touches the keyring of whoever runs it, and tokens outlive a kill.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"METACLAW_TRAY_HOME": str(folder), "METACLAW_TRAY_ALLOW_SCRIPTED": "1"}
        config = folder / "config" / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not config.exists():
            config.write_text('[secrets]\nbackend = "file"\n')
            config.chmod(0o600)

    def serve_briefly(self, seconds: float) -> None:
        """Start the app and kill it -9 after so long, ready or not."""
        process = subprocess.Popen(
            [sys.executable, *_SERVE],
            env=environment(self.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        process.kill()
        process.wait()

    def serve(self, cpu: int | None = None) -> Program:
        """Start the app. Its log goes to `serve.log` beside the home."""
        return Program(*_SERVE, env=self.env, cpu=cpu, log=self.folder.with_suffix(".log"))

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """One command of the command line, without a terminal."""
        return subprocess.run(
            [sys.executable, "-m", "metaclaw_tray", *args],
            env=environment(self.env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )

    def do(self, *args: str) -> str:
        """As `run`, for a command that must succeed; gives what it printed."""
        done = self.run(*args)
        if done.returncode:
            raise RuntimeError(
                f"metaclaw-tray {' '.join(args)}: {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def listing(self, *args: str) -> Any:
        """What a command with `--json` says."""
        return json.loads(self.do(*args, "--json"))
