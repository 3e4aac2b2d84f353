"""Whether an agent stands behind a command.

An agent with a shell runs as the person, and may make a terminal of its own and read the code from it. What
it cannot hide as easily is where its processes come from: one of their parents is a program known to be an
agent, or speaks to this app's own port for agents. This makes its way longer, not impossible: a process that
was cut loose from its parents is nobody's child.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath

import psutil

_AGENTS = frozenset(
    """
    aider amp auggie claude claude-code cline codex copilot crush cursor-agent devin droid gemini goose
    hermes hermes-agent kimi nanobot openclaw opencode openhands picoclaw plandex qwen qwen-code roo swe-agent
    zeroclaw
    """.split()  # noqa: SIM905 - a list of literals reads worse
)
_RUNNERS = re.compile(r"(?:python|node|bun|deno|npx|pnpm|yarn|npm|uvx?|pipx|sh|bash|dash|zsh)[\d.]*")
_BEHIND = 2  # words behind a runner that may be the program: `uv run aider`, `python -m aider`
_ENDINGS = (".exe", ".js", ".mjs", ".cjs", ".py", ".cmd")


def agent_among(family: Sequence[psutil.Process], ports: Collection[int]) -> str:
    """The first of these processes that is an agent, as "name (pid)"; empty where none is. `ports`: where
    this app serves agents. Blocking."""
    for process in family:
        name = _agent_name(process)
        if name or _speaks_to(process, ports):
            return f"{name or _name(process)} ({process.pid})"
    return ""


def _agent_name(process: psutil.Process) -> str:
    try:
        line = process.cmdline()
    except psutil.Error:
        line = []
    words = [_name(process), *line[:1]]
    if line and _RUNNERS.fullmatch(_program(line[0])):
        words += [word for word in line[1:] if not word.startswith("-")][:_BEHIND]
    return next((program for word in words if (program := _program(word)) in _AGENTS), "")


def _program(word: str) -> str:
    """The name of a program in small letters, without its folder and ending."""
    word = PurePath(word.replace("\\", "/")).name.casefold()
    return next((word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)), word)


def _speaks_to(process: psutil.Process, ports: Collection[int]) -> bool:
    """Whether the process has a connection to this app's port for agents now."""
    if not ports:
        return False
    try:
        connections = process.net_connections(kind="tcp")
    except (psutil.Error, OSError):
        return False
    return any(
        each.raddr and each.raddr.port in ports and each.raddr.ip in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
        for each in connections
    )


def _name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.Error:
        return "?"
