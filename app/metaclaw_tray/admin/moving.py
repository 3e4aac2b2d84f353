"""Agents that would reach another host with their own credentials: what a person is told before they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metaclaw_tray.settings import Held, Settings, Upstream, origin_text


def where_to(held: Iterable[Held], before: Settings, after: Settings) -> list[str]:
    """A sentence for each way by which that happens, with the host. `held`: what takes a yes of a change from
    `before` to `after`."""
    return list(dict.fromkeys(each for one in held for each in _sentences(one, before, after)))


def with_upstream(
    settings: Settings, name: str, upstream: Upstream | None, *, default: bool = False
) -> Settings:
    """The settings with an upstream put there, or without it where there is none."""
    others = {key: each for key, each in settings.upstreams.items() if key != name}
    if upstream is not None:
        others[name] = upstream
    update = {"upstreams": others} | ({"default_upstream": name} if default else {})
    return settings.model_copy(update=update)


def _sentences(held: Held, before: Settings, after: Settings) -> Iterator[str]:
    section, name, field = ([*held.key.split("."), "", ""])[:3]
    if section == "default_upstream":
        who, was, now = "the agents", before.chosen_upstream, after.chosen_upstream
    elif section == "agents" and field == "upstream":
        who = f"the agent {name}"
        was, now = (each.agents[name].upstream or each.chosen_upstream for each in (before, after))
    elif section == "upstreams" and field == "credential":
        who, was, now = "the agents that reach it", name if name in before.upstreams else "", name
    else:
        return
    if now not in after.upstreams:
        return
    there = origin_text(after.upstreams[now].base_url)
    meant = origin_text(before.upstreams[was].base_url) if was in before.upstreams else ""
    told = f"; until now their requests go to {meant}" if meant not in ("", there) else ""
    yield f"The keys of their own that {who} bring would be sent to {there}{told}."
