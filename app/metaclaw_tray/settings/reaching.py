"""To which hosts the agents' own credentials go, and where that becomes another one.

An upstream with pass-through gets what an agent brought to open its provider. Who makes agents reach another
such host sends that there, so it takes a yes: by the default upstream, by an agent's own, or by what is left
when another goes. The very first upstream takes none: nothing was meant for another host then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metaclaw_tray.settings.addresses import origin_text
from metaclaw_tray.settings.model import EMBEDDED, Settings

DEFAULT = "default_upstream"

Moved = tuple[str, Any, Any]
"""A setting that takes a yes, what is asked for, and what is in force until then."""


def moved(wanted: Settings, agreed: Mapping[str, Any]) -> Iterator[Moved]:
    """Each setting by which agents would reach another host than before with their own credentials."""
    if not any(_is_address(key) for key in agreed):
        return
    former = _chosen(agreed)
    chosen = wanted.chosen_upstream
    if held := _held(DEFAULT, wanted.default_upstream, chosen, former, wanted, agreed):
        yield held
        chosen = former if held[0] == DEFAULT else chosen
    for name, agent in wanted.agents.items():
        key = own_key(name)
        before = agreed.get(key) or ""
        if agent.upstream or before:
            reached = agent.upstream or chosen
            if held := _held(key, agent.upstream, reached, before or former, wanted, agreed):
                yield held


def own_key(agent: str) -> str:
    """The setting that gives an agent an upstream of its own."""
    return f"agents.{agent}.upstream"


def _held(
    key: str, asked: str, reached: str, former: str, wanted: Settings, agreed: Mapping[str, Any]
) -> Moved | None:
    upstream = wanted.upstreams.get(reached)
    if upstream is None or upstream.credential != "pass-through" or reached == former:
        return None
    address = agreed.get(f"upstreams.{former}.base_url")
    if address and origin_text(address) == origin_text(upstream.base_url):
        return None
    if former in wanted.upstream_names:
        return key, asked, former
    return f"upstreams.{reached}.credential", "pass-through", "none"


def _chosen(agreed: Mapping[str, Any]) -> str:
    """What agents reached by what was agreed to: the default, or else the only upstream there was."""
    default = agreed.get(DEFAULT) or ""
    if default == EMBEDDED or agreed.get(f"upstreams.{default}.base_url"):
        return str(default)
    names = [key.split(".")[1] for key, value in agreed.items() if _is_address(key) and value]
    return names[0] if len(names) == 1 else ""


def _is_address(key: str) -> bool:
    return key.startswith("upstreams.") and key.endswith(".base_url")
