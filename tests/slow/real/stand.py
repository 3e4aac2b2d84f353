"""The app in front of the vendor, with an agent that may use it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

from slow.commands import QuickHome
from slow.real.vendor import KEY, Vendor
from support.processes import Home, Program

Route = Literal["pass-through", "translated"]
_PATIENCE_SECONDS = 15.0  # a hang guard; all that is waited for comes within one


class Stand:
    """Everything between a client and its model. Close it at the end."""

    def __init__(self, folder: Path, route: Route, dialect: str) -> None:
        self.route: Route = route
        with ExitStack() as stack:
            self.vendor = Vendor()
            stack.callback(self.vendor.close)
            self.home = QuickHome(folder / "app")
            stack.callback(self.home.close)
            self.app: Program = self.home.serve()
            stack.callback(lambda: self.app.stop())
            self.port = int(self.app.ready["url"].rpartition(":")[2])
            self._add_upstream(dialect if route == "pass-through" else "chat")
            self.agent: dict[str, str] = self.home.listing("agents", "add", "agent")
            self._all = stack.pop_all()

    def _add_upstream(self, dialect: str) -> None:
        self.home.env["VENDORS_KEY"] = KEY
        given = ("--base-url", self.vendor.base_url, "--dialects", dialect, "--key-env", "VENDORS_KEY")
        added = Home.run(self.home, "upstream", "add", "vendor", *given)  # in a process that sees the key
        assert added.returncode == 0, added.stderr

    def close(self) -> None:
        self._all.close()

    def add_skill(self, name: str, description: str, body: str) -> None:
        """One that the person wrote and approved."""
        folder = self.home.folder.with_name("drafts") / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n\n{body}\n")
        self.home.do("skills", "add", str(folder), "--yes")

    def kill(self) -> None:
        """As a crash would: at once, and with nothing said."""
        self.app.kill()

    def start_again(self) -> None:
        """Where it was before, as a service manager would."""
        serve = ("-m", "metaclaw_tray", "serve", "--json", "--port", str(self.port))
        self.app = Program(*serve, env=self.home.env, log=self.home.folder.with_suffix(".log"))

    def turns(self) -> list[dict[str, Any]]:
        """The record, the oldest turn first, once every turn has ended."""
        found: list[dict[str, Any]] = []

        def ended() -> bool:
            found[:] = reversed(self.home.listing("turns", "list"))
            return all(turn["outcome"] != "open" for turn in found)

        until(ended, "a turn does not end")
        return found

    def shown(self, turn: dict[str, Any]) -> dict[str, Any]:
        shown: dict[str, Any] = self.home.listing("turns", "show", turn["id"])
        return shown


def until(holds: Callable[[], bool], what: str) -> None:
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < _PATIENCE_SECONDS, what
        time.sleep(0.02)
