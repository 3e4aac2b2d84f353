"""A person at the command line who lists, decides, changes the library and gives feedback, in any order."""

from __future__ import annotations

import json
import random
import threading
from types import TracebackType
from typing import Any

from slow.acknowledged import Acknowledged
from support.processes import Home

_OWN = "---\nname: {name}\ndescription: About {topic}.\n---\n\n{rule}\n"
_CHANGES = {"disable": "disabled", "enable": "active", "retire": "retired"}  # verb → state after it
_SECONDS = 60.0  # a hang guard for the command that runs when the person leaves


class Operator:
    """Runs commands in a thread of its own until it is left, and writes down what they acknowledged.

    Only what a command that ended with 0 said is acknowledged; the others may or may not have been done.
    """

    def __init__(self, home: Home, acknowledged: Acknowledged, seed: int) -> None:
        self._home = home
        self._acknowledged = acknowledged
        self._rng = random.Random(seed)
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._work, name="operator")
        self.commands = 0

    def __enter__(self) -> Operator:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        self._thread.join(_SECONDS)

    def _work(self) -> None:
        actions = [*4 * [self._review], *3 * [self._look], self._change, self._feedback]
        while not self._leaving.is_set():
            self._rng.choice(actions)()

    def _review(self) -> None:
        rows = self._listing("review", "list")
        self._acknowledged.see_proposals(rows)
        waiting = [row["id"] for row in rows if row.get("state", "pending") == "pending"]
        if not waiting or self._leaving.is_set():
            return
        chosen = self._rng.choice(waiting)
        if self._rng.random() < 0.15:
            self._done("review", "trial", chosen, "--sessions", "2", "--yes")
            return
        if self._rng.random() < 0.8:
            if self._done("review", "approve", chosen, "--yes"):
                self._acknowledged.decided[chosen] = "approved"
        elif self._done("review", "reject", chosen, "--yes"):
            self._acknowledged.decided[chosen] = "rejected"

    def _look(self) -> None:
        look = self._rng.randrange(4)
        if look == 0:
            self._acknowledged.see_turns(self._listing("turns", "list"))
        elif look == 1:
            self._acknowledged.see_generations(self._listing("generations", "list"))
        elif look == 2:
            self._acknowledged.see_ledger(self._listing("ledger", "list"))
        else:
            self._acknowledged.see_skills(self._listing("skills", "list"))

    def _change(self) -> None:
        """Add a skill of one's own, or turn one off or on again."""
        shelf = self._rng.randrange(99)  # agents never talk of shelves: what covers their rules teaches none
        topic, rule = f"shelf {shelf}", f"Dust shelf {shelf} first."
        name = f"own-shelf-{shelf}"
        known = self._acknowledged.states
        if name not in known and self._rng.random() < 0.5:
            folder = self._home.folder.with_name("drafts") / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "SKILL.md").write_text(
                f"---\nname: {name}\ndescription: About {topic}.\n---\n\n{rule}\n"
            )
            if self._done("skills", "add", str(folder), "--yes"):
                known[name] = "active"
        elif known:
            name = self._rng.choice(sorted(known))
            verb, state = self._rng.choice(
                [("disable", "disabled"), ("enable", "active"), ("retire", "retired")]
            )
            before = known.pop(name)  # in doubt until the command has answered
            if before == state or before == "retired":
                known[name] = before
            elif self._done("skills", verb, name, "--yes"):
                known[name] = state

    def _feedback(self) -> None:
        if self._done("feedback", "last", self._rng.choice(["up", "down"])):
            self._acknowledged.feedback += 1

    def _listing(self, *args: str) -> list[dict[str, Any]]:
        done = self._home.run(*args, "--json")
        self.commands += 1
        rows: list[dict[str, Any]] = json.loads(done.stdout) if done.returncode == 0 else []
        return rows

    def _done(self, *args: str) -> bool:
        self.commands += 1
        return self._home.run(*args).returncode == 0
