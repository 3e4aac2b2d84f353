"""The agents that there are ready-made lines for (resources/agents.toml)."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import field

from metaclaw_tray.admin.api import NewAgent
from metaclaw_tray.paths import resources_dir

NO_MODEL = "MODEL-NAME"
"""What stands in the lines where no model is known; the person puts theirs there."""


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What goes into one place."""

    where: str
    kind: Literal["env", "json", "toml", "yaml", "python"]
    text: str
    note: str = ""


class KnownAgent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent, how it is pointed at the app, and how back."""

    id: str
    name: str
    facts: str  # what the lines were tried with
    back: str
    lines: list[Lines] = field(default_factory=list)

    @property
    def names_model(self) -> bool:
        """Whether the lines say which model is asked for."""
        return any("{model}" in each.text for each in self.lines)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agents: list[KnownAgent]


@lru_cache(maxsize=1)
def known_agents() -> list[KnownAgent]:
    """All of them, in the order of the file."""
    text = (resources_dir() / "agents.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), type=_File).agents


def guess(name: str) -> KnownAgent:
    """The known agent that a name such as `claude-code-2` points to; the first that speaks OpenAI else."""
    for each in known_agents():
        if name.startswith(each.id) or each.id in name:
            return each
    return next(each for each in known_agents() if each.id == "openai")


def filled(text: str, agent: NewAgent, model: str) -> str:
    """The lines with this agent's own values."""
    values = {
        "{base_v1}": agent.base_url,
        "{base}": agent.anthropic_base_url,
        "{token}": agent.token,
        "{model}": model or NO_MODEL,
    }
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text.strip("\n")
