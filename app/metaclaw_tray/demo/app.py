"""The real app, in a process of its own and a temporary home, for as long as the demonstration takes."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.child import own_command
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths

_START_SECONDS = 60.0
_LOAD_SECONDS = 240.0  # a cold disk reads a gigabyte slowly
_END_SECONDS = 60.0


class App:
    """A running `metaclaw-tray serve`, and the way to give it commands."""

    def __init__(self, paths: Paths, process: subprocess.Popen[str], url: str) -> None:
        self.paths = paths
        self.url = url
        self.commands = AdminClient(paths)
        self._process = process

    def wait_until_ready(self, waiting: Callable[[str], None]) -> None:
        """Until requests would be answered. Raises KnownError with the app's own reason after a while."""
        reason, told = "", ""
        deadline = time.monotonic() + _LOAD_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            answer = httpx.get(f"{self.url}/readyz", trust_env=False, timeout=10)
            if answer.status_code == httpx.codes.OK:
                return
            reason = str(answer.json().get("reason", ""))
            if reason != told:
                told = reason
                waiting(reason)
            time.sleep(0.2)
        raise KnownError(
            "The app did not get ready", reason or "It ended.", f"Its log: {self.paths.logs_dir}"
        )


@contextmanager
def started(paths: Paths, *, scripted: bool) -> Iterator[App]:
    """Start the app on a free port and end it with the block. Raises KnownError where it does not start."""
    paths.prepare()
    log = paths.logs_dir / "output.log"
    environ = {
        **os.environ,
        "METACLAW_TRAY_HOME": str(paths.home),
        SCRIPTED_VARIABLE: "1" if scripted else "0",
    }
    command = [*own_command(), "serve", "--json", "--port", "0"]
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=output, text=True, env=environ)
    try:
        yield App(paths, process, _first_line(process, log))
    finally:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _first_line(process: subprocess.Popen[str], log: Path) -> str:
    """The address that the app announces when it is ready."""
    lines: list[str] = []

    def read() -> None:
        assert process.stdout is not None
        lines.append(process.stdout.readline())

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(_START_SECONDS)
    if not lines or not lines[0]:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise KnownError(
            "The app did not start", said[-1] if said else "It said nothing.", f"All it said is in {log}."
        )
    return str(json.loads(lines[0])["url"])
