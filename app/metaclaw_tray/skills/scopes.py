"""Which skills are for some agents only, as the hot path asks: one look into a table."""

from __future__ import annotations

from collections.abc import Mapping


class Scopes:
    """Worked out once for a library: what each agent does not get."""

    def __init__(self, scoped: Mapping[str, frozenset[str]] | None = None) -> None:
        """`scoped` are the skills that are for some agents only, each with these."""
        self.scoped = dict(scoped or {})
        agents = {agent for named in self.scoped.values() for agent in named}
        self._others = frozenset(self.scoped)
        self._hidden = {
            agent: frozenset(name for name, named in self.scoped.items() if agent not in named)
            for agent in agents
        }

    def hidden(self, agent: str) -> frozenset[str]:
        """The skills that are not for this agent."""
        return self._hidden.get(agent, self._others)


def agent_of(session_id: str) -> str:
    """The agent whose session it is: its name stands before the first slash."""
    return session_id.partition("/")[0]
