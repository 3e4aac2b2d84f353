"""A real app in a home of its own, set up as a person would, with an agent at it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.learning.agent import Agent
from metaclaw_tray.admin import api
from metaclaw_tray.demo.app import App, started
from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.errors import ModelError, UpstreamError
from metaclaw_tray.paths import Paths
from metaclaw_tray.settings import EMBEDDED, SettingsFile

_OTHER = "other"
_AGENT = "team"
_PER_DAY = 100  # proposals: five rules are taught within one day

Say = Callable[[str], None]


@dataclass(frozen=True)
class Chosen:
    """The model in use. Without an address it is the embedded one."""

    model: str
    base_url: str = ""
    key: str = ""


def embedded() -> Chosen:
    """The embedded model. Raises ModelError where its file is not here."""
    model = load_manifest(Paths.find()).default
    if not model.is_present(Paths.find()):
        raise ModelError(
            "The embedded model is not here",
            f"{model.file} is missing.",
            "Fetch it: `metaclaw-tray model fetch`.",
        )
    return Chosen(model.id)


@contextmanager
def house(folder: Path, chosen: Chosen, say: Say) -> Iterator[tuple[App, Agent]]:
    """Start the app with `folder` as its home, and give it an agent; a folder that was used before goes on.

    Raises KnownError where the app or its model does not start.
    """
    paths = Paths.find({**os.environ, "METACLAW_TRAY_HOME": str(folder)})
    paths.prepare()
    _configure(SettingsFile(paths.config_file), chosen)
    with started(paths, scripted=True) as app:
        if chosen.base_url:
            _connect(app, chosen)
        app.wait_until_ready(lambda reason: say(f"waiting: {reason}"))
        agent = Agent(_AGENT, _address(app), chosen.model)
        try:
            yield app, agent
        finally:
            agent.close()


def _configure(settings: SettingsFile, chosen: Chosen) -> None:
    settings.set("secrets.backend", "file")  # the person's own keyring stays as it is
    settings.set("learning.enabled", False)  # it is switched on when a rule was taught
    settings.set("review.per_day", _PER_DAY)
    if not chosen.base_url:
        settings.set("embedded.model", chosen.model)
        settings.set("default_upstream", EMBEDDED)
        settings.set("learning.upstream", EMBEDDED)


def _connect(app: App, chosen: Chosen) -> None:
    app.commands.call(
        api.AddUpstream(
            name=_OTHER,
            base_url=chosen.base_url,
            model=chosen.model,
            credential="key" if chosen.key else "none",
            key=chosen.key or None,
            default=True,
            yes=True,
        )
    )
    app.commands.call(api.SetConfig(key="learning.upstream", value=_OTHER, yes=True))
    app.commands.call(api.SetConfig(key="learning.model", value=chosen.model, yes=True))
    tested = app.commands.call(api.TestUpstream(_OTHER))
    if not tested.status:
        raise UpstreamError("The model's server is away", tested.detail, "Start it, or name another one.")


def _address(app: App) -> str:
    """Where the agent finds the proxy; an agent of an earlier run gets a new token."""
    known = {each.name for each in app.commands.call(api.ListAgents())}
    verb = api.RotateAgent(_AGENT) if _AGENT in known else api.AddAgent(_AGENT)
    return app.commands.call(verb).base_url
