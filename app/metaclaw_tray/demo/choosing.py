"""Which model the demonstration uses: one that the person named, one that is there, or the embedded one."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from metaclaw_tray.demo.telling import Teller
from metaclaw_tray.embedded.fetch import FetchPlan, Progress, fetch, plan
from metaclaw_tray.embedded.manifest import Model, load_manifest
from metaclaw_tray.embedded.offers import Offer, find_servers
from metaclaw_tray.errors import KnownError, ModelError, UsageError
from metaclaw_tray.paths import Paths

_TENTHS = 10


@dataclass(frozen=True)
class DemoOptions:
    """What the command line said."""

    upstream: str = ""  # base URL of another model's server
    model: str = ""
    key_env: str = ""  # environment variable that holds its key
    yes: bool = False  # nobody is asked
    keep: bool = False  # the temporary home stays


@dataclass(frozen=True)
class Chosen:
    """The model in use. Without an address it is the embedded one."""

    model: str
    base_url: str = ""
    key: str = ""

    @property
    def embedded(self) -> bool:
        return not self.base_url


def choose(options: DemoOptions, paths: Paths, teller: Teller) -> Chosen:
    """Choose, ask where somebody is there to be asked, and fetch what is missing.

    Raises UsageError, ModelError, or KnownError where the person said no.
    """
    if options.upstream:
        return _named(options)
    if options.model or options.key_env:
        raise UsageError("An address is missing", "--model and --key-env belong to --upstream URL.", "")
    if not options.yes:
        offered = _offer(asyncio.run(find_servers()), teller)
        if offered is not None:
            return offered
    model = load_manifest(paths).default
    _fetched(model, paths, options, teller)
    return Chosen(model.id)


def _named(options: DemoOptions) -> Chosen:
    if not options.model:
        raise UsageError("A model is missing", "--upstream needs --model NAME.", "")
    key = os.environ.get(options.key_env, "") if options.key_env else ""
    if options.key_env and not key:
        raise UsageError(
            "The key is missing", f"{options.key_env} is not set.", "Set it, or leave out --key-env."
        )
    return Chosen(options.model, options.upstream, key)


def _offer(offers: list[Offer], teller: Teller) -> Chosen | None:
    """A server that answers now, if the person wants it. Keys are named; using one costs money, so it is only
    done by --upstream."""
    servers = [offer for offer in offers if offer.models and offer.dialect == "chat"]
    for offer in offers:
        if offer.key_env:
            teller.say(
                f"{offer.key_env} is set. To use it: --upstream {offer.base_url} --model NAME "
                f"--key-env {offer.key_env} (that provider's prices hold)."
            )
    for offer in servers:
        if _yes(f"{offer} is here. Use its model {offer.models[0]}?"):
            return Chosen(offer.models[0], offer.base_url)
    return None


def _fetched(model: Model, paths: Paths, options: DemoOptions, teller: Teller) -> None:
    planned: FetchPlan = plan(model, paths)
    for line in planned.lines():
        teller.say(line)
    if planned.present:
        return
    if not options.yes and not _yes("Fetch it?"):
        raise ModelError(
            "There is no model",
            "The embedded model was not fetched.",
            "Run it again and say yes, or name another: --upstream URL --model NAME.",
        )
    last = -1

    def show(progress: Progress) -> None:
        nonlocal last
        if progress.news:
            teller.say(progress.news)
        tenth = _TENTHS * progress.done // max(progress.total, 1)
        if tenth != last:
            last = tenth
            teller.say(f"… {100 * tenth // _TENTHS} % of {progress.total / 1e9:.1f} GB")

    fetch(model, paths, show)


def _yes(question: str) -> bool:
    try:
        return input(f"   {question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError as error:
        raise KnownError("Nobody answered", question, "Run it at a terminal, or with --yes.") from error
