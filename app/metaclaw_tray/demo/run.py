"""`metaclaw-tray demo`: everything in a temporary home, started, shown, and gone again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metaclaw_tray.admin import api
from metaclaw_tray.demo.app import App, started
from metaclaw_tray.demo.choosing import Chosen, DemoOptions, choose
from metaclaw_tray.demo.story import Story
from metaclaw_tray.demo.telling import Teller
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.paths import Paths
from metaclaw_tray.settings import EMBEDDED, SettingsFile, Upstream

_OTHER = "demo-upstream"
_PATIENCE_SECONDS = 900.0  # with one call


def run_demo(
    *,
    upstream: str | None = None,
    model: str | None = None,
    key_env: str | None = None,
    yes: bool = False,
    keep: bool = False,
) -> int:
    """Show the loop; the exit code. Raises KnownError where a part of it did not work."""
    options = DemoOptions(upstream or "", model or "", key_env or "", yes, keep)
    teller = Teller()
    teller.step("A model")
    chosen = choose(options, Paths.find(), teller)
    with _home(options.keep) as home:
        paths = Paths.find({**os.environ, "METACLAW_TRAY_HOME": str(home)})
        paths.prepare()
        _configure(SettingsFile(paths.config_file), chosen)
        with started(paths, scripted=options.yes) as app:
            _connect(app, chosen, teller)
            Story(app, chosen.model, teller, scripted=options.yes).run()
        _say_where(home, options, teller)
    return 0


def _configure(settings: SettingsFile, chosen: Chosen) -> None:
    # The demonstration leaves no trace in the person's own keyring.
    settings.set("secrets.backend", "memory")
    # A small model on a busy machine takes minutes over a note; that is no reason to end the demonstration.
    settings.set("learning.timeout_seconds", _PATIENCE_SECONDS)
    if chosen.embedded:
        settings.set("embedded.model", chosen.model)
        settings.set("default_upstream", EMBEDDED)
        settings.set("learning.upstream", EMBEDDED)
    else:  # who names a server on the command line has agreed to it: a first start takes the file as it is
        upstream = Upstream(
            base_url=chosen.base_url, model=chosen.model, credential="key" if chosen.key else "none"
        )
        settings.put_upstream(_OTHER, upstream, default=True)
        settings.set("learning.upstream", _OTHER)
        settings.set("learning.model", chosen.model)


def _connect(app: App, chosen: Chosen, teller: Teller) -> None:
    # Learning would go on in the background; here it rests, so that each step can be seen.
    app.commands.call(api.PauseLearning())
    if not chosen.embedded:
        app.commands.call(
            api.AddUpstream(
                name=_OTHER,
                base_url=chosen.base_url,
                model=chosen.model,
                credential="key" if chosen.key else "none",
                key=chosen.key or None,
                default=True,
            )
        )
        tested = app.commands.call(api.TestUpstream(_OTHER))
        if not tested.status:
            raise UpstreamError("The model's server is away", tested.detail, "Start it, or name another one.")
    app.wait_until_ready(lambda reason: teller.say(f"waiting: {reason}"))
    teller.say(f"{chosen.model} answers; the proxy is at {app.url}.")


@contextmanager
def _home(keep: bool) -> Iterator[Path]:
    if keep:
        yield Path(tempfile.mkdtemp(prefix="metaclaw-demo-"))
        return
    with tempfile.TemporaryDirectory(prefix="metaclaw-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _say_where(home: Path, options: DemoOptions, teller: Teller) -> None:
    teller.say("")
    if not options.keep:
        teller.say("All of it was in a temporary folder and is gone. `metaclaw-tray demo --keep` leaves it.")
        return
    teller.say(f"Everything is still in {home}. To look at it: start the app there,")
    teller.verbatim(f"METACLAW_TRAY_HOME={home} metaclaw-tray serve --port 0")
    teller.say("and in a second terminal, with the same METACLAW_TRAY_HOME:")
    teller.verbatim(
        "metaclaw-tray review list --all\nmetaclaw-tray review show ID\n"
        "metaclaw-tray generations list\nmetaclaw-tray ledger list\nmetaclaw-tray undo ENTRY"
    )
