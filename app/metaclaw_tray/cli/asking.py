"""From a command to the app that runs, or to the files themselves while none does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from metaclaw_tray.admin import consent
from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.peer import find_origin
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.cli.output import note, plain, say_json
from metaclaw_tray.errors import NotRunningError
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import aopen_vault
from metaclaw_tray.settings import SettingsFile

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
    try:
        return ask(verb)
    except NotRunningError:
        pass
    paths = Paths.find()

    async def do() -> R:
        file = SettingsFile(paths.config_file)
        vault = await aopen_vault(paths, file.settings)
        address = f"http://127.0.0.1:{file.settings.server.port}"
        return await alone(Connecting(file, vault, address, alone=True))

    return asyncio.run(do())


def consent_alone(action: str, text: str, *, yes: bool) -> None:
    """The typed code for a change that is made while no app runs. Raises ConsentError."""

    async def challenge(shown: Challenge) -> str:
        return await asyncio.to_thread(type_code, shown)

    asyncio.run(
        consent.ask(
            action,
            text,
            origin=find_origin(os.getpid()),
            scripted=yes,
            allow_scripted=os.environ.get(consent.SCRIPTED_VARIABLE) == "1",
            challenge=challenge,
        )
    )


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
