"""The app as a person starts it: with its tray and window, on a virtual screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import httpx
import psutil

from slow.desktop.screen import Screen, until
from support.processes import APP, TESTS, Home, ScriptedLlm, environment

ASKED = "Which amounts of money, by currency code, does the tram cost?"
RULE = "Always write amounts of money with the currency code."
_WATCHED = TESTS / "support" / "watched"  # its `sitecustomize` watches the window from inside
_SECONDS = 30.0


class Desk:
    """A home that a model serves, and the app on a screen. Use it as a context."""

    def __init__(self, folder: Path, screen: Screen, model: ScriptedLlm) -> None:
        self.screen = screen
        self.home = Home(folder / "home")
        config = self.home.folder / "config" / "config.toml"
        config.write_text(
            '[secrets]\nbackend = "file"\n[server]\nport = 0\n'
            '[notifications]\nquiet_from = ""\n'
            f'[learning]\nupstream = "scripted"\nmodel = "scripted"\nquiet_seconds = 0\n'
            f'[upstreams.scripted]\nbase_url = "{model.url}"\nmodel = "scripted"\n'
        )
        self._waited = folder / "waited on the gui thread.txt"
        self.env = {
            **screen.env,
            **self.home.env,
            "PYTHONPATH": os.pathsep.join((str(_WATCHED), str(APP), str(TESTS))),
            "METACLAW_TEST_GUI_FILE": str(self._waited),
        }
        self.log = folder / "app.log"
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.token = ""

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if error is None and self._waited.exists():
            assert self._waited.read_text() == ""

    def start(self, *args: str) -> None:
        """Start the app, as `metaclaw-tray`."""
        self.start_by([sys.executable, "-m", "metaclaw_tray", *args], self.env)

    def start_by(self, command: list[str], env: dict[str, str]) -> None:
        """Start the app by a command."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=environment(env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert "serves at" in line, (line, self.log.read_text())
        self.url = line.split("serves at ")[1].split(" ")[0]

    def second_start(self, *args: str) -> int:
        """Start it once more while it runs; the exit code."""
        command = [sys.executable, "-m", "metaclaw_tray", *args]
        return subprocess.run(command, env=environment(self.env), timeout=_SECONDS, check=False).returncode

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(_SECONDS)
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None

    def kill(self) -> None:
        """Kill -9 of the app."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(_SECONDS)
        assert self.process.stdout
        self.process.stdout.close()
        self.process = None

    def window_process(self) -> psutil.Process | None:
        """The child that is the window, where there is one."""
        assert self.process is not None
        for each in psutil.Process(self.process.pid).children():
            try:
                if each.cmdline()[-2:] == ["--child", "window"]:
                    return each
            except psutil.Error:
                continue
        return None

    def connect(self) -> None:
        """Give an agent its token."""
        self.token = json.loads(self.home.do("agents", "add", "coder", "--json"))["token"]

    def ask(self, *said: str, session: str) -> tuple[str, bool]:
        """One exchange of the agent: the answer, and whether a skill stood in it."""
        roles = ("user", "assistant")
        messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
        answer = httpx.post(
            f"{self.url}/a/{self.token}/v1/chat/completions",
            json={"model": "scripted", "messages": messages},
            headers={"X-Session-Id": session},
            timeout=_SECONDS,
            trust_env=False,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["choices"][0]["message"]["content"], "x-metaclaw-skills" in answer.headers

    def teach(self) -> str:
        """A conversation from which a skill is learnt; the id of the proposal."""
        first, _ = self.ask(ASKED, session="taught")
        second, _ = self.ask(ASKED, first, f"No. {RULE}", session="taught")
        self.ask(ASKED, first, f"No. {RULE}", second, "Thank you.", session="taught")
        self.home.do("learn", "now")
        rows = until(lambda: self.home.listing("review", "list"), "a proposal")
        return str(rows[0]["id"])

    @property
    def generation(self) -> int:
        return int(self.home.listing("status")["generation"])
