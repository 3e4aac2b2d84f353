"""From a command to the app that runs, or to the files themselves while none does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from metaclaw_tray.admin import consent
from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.cli.output import note, plain, say_json
from metaclaw_tray.errors import NotRunningError
from metaclaw_tray.paths import Paths

if TYPE_CHECKING:
    from metaclaw_tray.admin.connecting import Connecting
    from metaclaw_tray.cli.alone import Alone

R = TypeVar("R")
Command = Callable[..., Any]


def json_option(command: Command) -> Command:
    """`--json`, for scripts."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def yes_option(command: Command) -> Command:
    """`--yes`, which counts only where the app was started for scripted use."""
    text = f"Skip the typed code; counts only if the app was started with {consent.SCRIPTED_VARIABLE}=1."
    return click.option("--yes", is_flag=True, help=text)(command)


def ask(verb: Verb[R]) -> R:
    """The running app's answer. Raises NotRunningError."""
    return AdminClient(Paths.find()).call(verb, on_progress=note, on_challenge=type_code)


def answer(verb: Verb[R], as_json: bool, show: Callable[[R], None]) -> None:
    """Ask, and show the answer to a person or a script."""
    value = ask(verb)
    if as_json:
        say_json(value)
    else:
        show(value)


def ask_or_do(verb: Verb[R], alone: Callable[[Connecting], Awaitable[R]]) -> R:
    """The running app's answer; while none runs, what `alone` does with settings and vault."""
    return ask_or_change(verb, lambda here: alone(here.connecting()))


def ask_or_change(verb: Verb[R], alone: Callable[[Alone], Awaitable[R]]) -> R:
    """The same for what changes settings in other ways."""
    try:
        return ask(verb)
    except NotRunningError:
        pass
    from metaclaw_tray.cli.alone import here  # late: most commands have an app to ask

    return asyncio.run(here(Paths.find(), alone, yes=getattr(verb, "yes", False)))


def type_code(challenge: Challenge) -> str:
    """Show the whole text at the terminal itself, wherever output goes, and read the code from it."""
    try:
        # Unbuffered, since a terminal cannot be sought in.
        with open("/dev/tty", "r+b", buffering=0) as terminal:  # noqa: PTH123
            terminal.write(
                f"{plain(challenge.text)}\n\n"
                f"To {plain(challenge.action)}, type {challenge.code} (anything else: no): ".encode()
            )
            return terminal.readline().decode("utf-8", "replace").strip()
    except OSError:
        return ""
