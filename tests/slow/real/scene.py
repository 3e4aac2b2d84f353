"""A client, the app and the vendor, with a hop between client and app."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from slow.real.agents import KNOWN_MODEL, MODEL, Agent, ClaudeCode, Codex
from slow.real.hop import Hop
from slow.real.stand import Route, Stand
from slow.real.tools import CLAUDE_CODE, CODEX, Tool, program_of

EDIT = "In the release notes, change the version from seven to eight. [EDIT]"
"""A task of four calls with tools, two of them at once. The word in brackets is the scripted model's cue."""


@dataclass(frozen=True)
class Client:
    tool: Tool
    dialect: str
    model: str
    make: Callable[..., Agent]


CLIENTS = {
    "claude-code": Client(CLAUDE_CODE, "messages", MODEL, ClaudeCode),
    "codex": Client(CODEX, "responses", MODEL, Codex),
    "codex-patching": Client(CODEX, "responses", KNOWN_MODEL, partial(Codex, model=KNOWN_MODEL)),
}

ROUTES = [(client, route) for route in get_args(Route) for client in CLIENTS]
"""Each client on each route."""

PASS_THROUGH = [(client, "pass-through") for client in CLIENTS]

on_each_route = pytest.mark.parametrize(("client", "route"), ROUTES)
each_client_once = pytest.mark.parametrize(
    ("client", "route"), [each for each in ROUTES if each[0] != "codex-patching"]
)
"""Less what differs only in its tools."""


class Scene:
    """Close it at the end. `direct` leaves out the hop; `more` is the client's own."""

    def __init__(self, folder: Path, client: str, route: Route, *, direct: bool = False, **more: Any) -> None:
        self.client = CLIENTS[client]
        program_of(self.client.tool)  # skips before anything is started
        with ExitStack() as stack:
            self.stand = Stand(folder, route, self.client.dialect)
            stack.callback(self.stand.close)
            self.vendor = self.stand.vendor
            self.hop = Hop(self.stand.app.ready["url"])
            stack.callback(self.hop.close)
            at = self.stand.agent if direct else self._through_the_hop()
            self.agent = self.client.make(folder / "client", at, **more)
            self.vendor.plays.add("[EDIT]", *self.agent.editing())
            self._all = stack.pop_all()

    def _through_the_hop(self) -> dict[str, str]:
        base_url = f"{self.hop.url}{self.stand.agent['base_url'].partition(f':{self.stand.port}')[2]}"
        return {"base_url": base_url, "anthropic_base_url": base_url.removesuffix("/v1")}

    def close(self) -> None:
        self._all.close()

    def run(self, words: str, *, go_on: bool = False) -> None:
        """One run of the client, which must end well."""
        ran = self.agent.run(words, go_on=go_on)
        assert ran.code == 0, str(ran)
