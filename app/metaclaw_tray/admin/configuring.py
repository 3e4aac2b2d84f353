"""The settings as rows for a person, and what they mean for privacy. Nothing is asked or changed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal
from urllib.parse import urlsplit

from metaclaw_tray.admin.api.configuring import HostRow, SettingRow
from metaclaw_tray.admin.setting import AT_THE_NEXT_START
from metaclaw_tray.settings import EMBEDDED, Declared, Settings, declared, list_settings, may_ask
from metaclaw_tray.settings.addresses import is_loopback

_PORTS = {"http": 80, "https": 443}


def config_rows(settings: Settings, languages: Sequence[str] = ()) -> list[SettingRow]:
    """Each setting with all that a control for it has to know. `languages`: of the window, by their codes."""
    rows = []
    for line in list_settings(settings):
        form = declared(line)
        rows.append(
            SettingRow(
                key=line.key,
                kind=form.kind,
                value=line.value,
                default=line.default,
                description=line.meaning,
                choices=_choices(line.key, form, settings, languages),
                unit=form.unit,
                minimum=form.minimum,
                maximum=form.maximum,
                optional=form.optional,
                restart=line.key in AT_THE_NEXT_START,
                consent=may_ask(line.key, settings),
            )
        )
    return rows


def _choices(key: str, form: Declared, settings: Settings, languages: Sequence[str]) -> list[str]:
    if key == "window.language":
        return ["", *languages]
    return settings.upstream_names if form.kind == "upstream" else list(form.choices)


def host_rows(settings: Settings, fetched_from: Sequence[tuple[str, str]] = ()) -> list[HostRow]:
    """Where something is sent, by these settings. `fetched_from`: model and host of each download that could
    be asked for."""
    rows = [*_agents(settings), *_learning(settings), *_calendars(settings)]
    for model, host in fetched_from:
        rows.append(HostRow(host=host, here=False, purpose="model", model=model, on=False))
    return rows


def _agents(settings: Settings) -> Iterator[HostRow]:
    reached: dict[str, list[str]] = {name: [] for name in settings.upstream_names}
    for name, agent in settings.agents.items():
        upstream = agent.upstream or settings.chosen_upstream
        if upstream:
            reached[upstream].append(name)
    for upstream, agents in reached.items():
        yield _row(settings, upstream, "agents", agents=agents, on=bool(agents))
        following = settings.upstreams[upstream].fallback if upstream in settings.upstreams else ""
        if following and agents:
            yield _row(settings, following, "fallback", agents=agents)


def _learning(settings: Settings) -> Iterator[HostRow]:
    chosen = settings.learning
    if chosen.upstream:
        on = chosen.enabled and settings.review.policy != "off"
        yield _row(settings, chosen.upstream, "learning", model=chosen.model, on=on)


def _calendars(settings: Settings) -> Iterator[HostRow]:
    for name, calendar in settings.calendars.items():
        if calendar.host:
            here = is_loopback(urlsplit(f"//{calendar.host}").hostname or "")
            yield HostRow(host=calendar.host, here=here, purpose="calendar", calendar=name)


def _row(
    settings: Settings,
    name: str,
    purpose: Literal["agents", "fallback", "learning"],
    *,
    agents: Sequence[str] = (),
    model: str = "",
    on: bool = True,
) -> HostRow:
    upstream = settings.upstreams.get(name)
    if upstream is None:
        assert name == EMBEDDED, "every name of an upstream is checked"
        host, here, credential = "", True, "none"
        model = model or settings.embedded.model
    else:
        host, here, credential = _host(upstream.base_url), upstream.loopback, upstream.credential
        model = model or upstream.model
    return HostRow(
        host=host,
        here=here,
        purpose=purpose,
        upstream=name,
        agents=list(agents),
        credential=credential,
        model=model,
        on=on,
    )


def _host(address: str) -> str:
    parts = urlsplit(address)
    port = parts.port or _PORTS[parts.scheme]
    return parts.hostname or "" if port == _PORTS[parts.scheme] else f"{parts.hostname}:{port}"
