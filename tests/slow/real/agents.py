"""Claude Code and Codex, run headless: each in a home of its own, beside a project to work in.

They get an environment of their own, so nothing of whoever runs the tests; what they would say to other hosts
than loopback goes to a proxy that is not there. A run is bounded, and ends with all that it began.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from slow.real.plays import Call, Step, Usage
from slow.real.tools import CLAUDE_CODE, CODEX, program_of

MODEL = "a-model"
CREDENTIAL = "the-clients-own-credential"
KNOWN_MODEL = "gpt-5.5"
"""A model that Codex knows, so that it offers tools which take free text."""

BEFORE, AFTER = "The version is seven.\n", "The version is eight.\n"
"""What stands in an agent's file, and what shall."""

_SECONDS = 60.0  # a hang guard: a task takes two or three
_NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    code: int
    said: str
    complained: str

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.said[-1500:]}\n{self.complained[-3000:]}"


class Run:
    """A run that has begun."""

    def __init__(self, args: list[str], env: dict[str, str], project: Path) -> None:
        self._process = subprocess.Popen(
            args,
            env=env,
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def end(self) -> Ran:
        """Wait for its end, for as long as a run may take. It is killed then."""
        with suppress(subprocess.TimeoutExpired):
            self._process.communicate(timeout=_SECONDS)
        return self.kill()

    def kill(self) -> Ran:
        """End it and all that it began, if anything is left: they are a group of their own."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        said, complained = self._process.communicate()  # what was read before is kept
        return Ran(self._process.returncode, said, complained)


class Agent:
    """A client and the project that it works in."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        self.file.write_text(BEFORE)

    @property
    def file(self) -> Path:
        """What it is to work on."""
        return self.project / "notes.txt"

    def begin(self, words: str, *, go_on: bool = False) -> Run:
        """Give it a task; `go_on` continues the session before."""
        raise NotImplementedError

    def editing(self) -> list[Step]:
        """A model's part in a task of four calls with its tools: read the file, edit it, look twice."""
        raise NotImplementedError

    def delegating(self, task: str) -> list[Step]:
        """A model's part in handing a task to a sub-agent."""
        raise NotImplementedError

    def running(self, command: str) -> Call:
        """The call that runs a command."""
        raise NotImplementedError

    def _looking(self) -> tuple[Call, ...]:
        """Two calls at once."""
        return (self.running("cat notes.txt"), self.running("wc -l notes.txt"))

    def run(self, words: str, *, go_on: bool = False) -> Ran:
        run = self.begin(words, go_on=go_on)
        try:
            return run.end()
        finally:
            run.kill()

    def environment(self, **more: str) -> dict[str, str]:
        plain = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "dumb"}
        away = {"HTTPS_PROXY": _NOWHERE, "HTTP_PROXY": _NOWHERE, "NO_PROXY": "127.0.0.1"}
        return {**plain, **away, **more}


class ClaudeCode(Agent):
    dialect = "messages"

    def __init__(self, folder: Path, agent: dict[str, str], **env: str) -> None:
        super().__init__(folder)
        self._program = program_of(CLAUDE_CODE)
        self._env = self.environment(
            ANTHROPIC_BASE_URL=agent["anthropic_base_url"],
            ANTHROPIC_AUTH_TOKEN=CREDENTIAL,
            ANTHROPIC_MODEL=MODEL,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            **env,
        )

    def begin(self, words: str, *, go_on: bool = False) -> Run:
        allowed = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(*)"]
        args = [str(self._program), "-p", words, *allowed, *(["--continue"] if go_on else [])]
        return Run(args, self._env, self.project)

    def editing(self) -> list[Step]:
        file = {"file_path": str(self.file)}
        change = {**file, "old_string": BEFORE.strip(), "new_string": AFTER.strip()}
        return [
            Step(
                "I read it first.",
                (Call("Read", file),),
                thought="What does it say?",
                usage=Usage(1200, 0, 40),
            ),
            Step("Now I change it.", (Call("Edit", change),), usage=Usage(1300, 1100, 61)),
            Step("Is it right?", self._looking(), usage=Usage(1400, 1250, 32)),
            Step("It is done.", usage=Usage(1500, 1350, 13)),
        ]

    def delegating(self, task: str) -> list[Step]:
        about = {"description": "look around", "subagent_type": "general-purpose"}
        return [Step("I hand it on.", (Call("Agent", {"prompt": task, **about}),))]

    def running(self, command: str) -> Call:
        return Call("Bash", {"command": command, "description": "a command"})


class Codex(Agent):
    dialect = "responses"

    def __init__(
        self, folder: Path, agent: dict[str, str], model: str = MODEL, limits: tuple[int, int] | None = None
    ) -> None:
        """`limits` are its window and where it makes a summary, in tokens."""
        super().__init__(folder)
        self._knows = model == KNOWN_MODEL
        self._program = program_of(CODEX)
        self._env = self.environment(TOKEN=CREDENTIAL)
        window, compacts = limits or (200_000, 150_000)
        config = self.home / ".codex" / "config.toml"
        config.parent.mkdir()
        config.write_text(
            f'model = "{model}"\n'
            'model_provider = "app"\n'
            f"model_context_window = {window}\n"
            f"model_auto_compact_token_limit = {compacts}\n"
            "[model_providers.app]\n"
            'name = "app"\n'
            f'base_url = "{agent["base_url"]}"\n'
            'wire_api = "responses"\n'
            'env_key = "TOKEN"\n'
        )

    def begin(self, words: str, *, go_on: bool = False) -> Run:
        free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
        args = [str(self._program), "exec", *free, *(["resume", "--last"] if go_on else []), words]
        return Run(args, self._env, self.project)

    def editing(self) -> list[Step]:
        patch = f"*** Begin Patch\n*** Update File: notes.txt\n@@\n-{BEFORE}+{AFTER}*** End Patch\n"
        in_place = self.running(f"sed -i 's/{BEFORE.strip()}/{AFTER.strip()}/' notes.txt")
        change = Call("apply_patch", patch) if self._knows else in_place
        return [
            Step(
                "I read it first.", (self.running("cat notes.txt"),), "What does it say?", Usage(1200, 0, 40)
            ),
            Step("Now I change it.", (change,), usage=Usage(1300, 1100, 61)),
            Step("Is it right?", self._looking(), usage=Usage(1400, 1250, 32)),
            Step("It is done.", usage=Usage(1500, 1350, 13)),
        ]

    def delegating(self, task: str) -> list[Step]:
        find = Step("How do I do that?", (Call("tool_search", {"query": "spawn an agent", "limit": 8}),))
        hand_on = Step("I hand it on.", (Call("spawn_agent", {"message": task}, "multi_agent_v1"),))
        return [find, hand_on] if self._knows else [hand_on]  # tools to be found before they are called

    def running(self, command: str) -> Call:
        return Call("exec_command", {"cmd": command})
