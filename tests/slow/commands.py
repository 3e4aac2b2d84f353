"""The command line without the half second that a fresh interpreter takes.

`python -m slow.commands` is a process that reads the arguments of one command after the other, each a line of
JSON, runs it as `metaclaw-tray` would, and answers with what it said.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from support.processes import Home, Program

_SECONDS = 60.0  # a hang guard for one command


class QuickHome(Home):
    """A home whose commands all run in one process. One at a time; close it at the end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._commands = Program("-m", "slow.commands", env=self.env)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        stdin = self._commands.process.stdin
        assert stdin
        stdin.write(json.dumps(args).encode() + b"\n")
        stdin.flush()
        return subprocess.CompletedProcess(args, *json.loads(self._commands.line(_SECONDS)))

    def close(self) -> None:
        self._commands.stop()


class _Captured(io.TextIOWrapper):
    """Takes text and, as a real stream does, bytes."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", write_through=True)

    def text(self) -> str:
        self.seek(0)
        return self.read()


def main() -> None:
    from metaclaw_tray.cli.main import run

    answers = sys.stdout
    answers.write("{}\n")  # ready
    answers.flush()
    for line in sys.stdin:
        said, complained = _Captured(), _Captured()
        with redirect_stdout(said), redirect_stderr(complained):
            code = run(json.loads(line))
        answers.write(json.dumps([code, said.text(), complained.text()]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
