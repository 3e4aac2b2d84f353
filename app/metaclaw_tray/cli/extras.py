"""Parts that are installed later: list, add, remove. Without a running app the command does it itself."""

from __future__ import annotations

import asyncio
import os

import click

from metaclaw_tray.admin import consent
from metaclaw_tray.admin.api import AddExtra, ExtraRow, RemoveExtra
from metaclaw_tray.admin.peer import find_origin
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.cli.asking import ask, json_option, type_code, yes_option
from metaclaw_tray.cli.output import note, say, say_json, table
from metaclaw_tray.errors import NotRunningError
from metaclaw_tray.paths import Paths

_STATES = {
    "missing": "no",
    "here": "yes",
    "older": "yes, an older version",
    "environment": "yes, with this Python",
}


@click.group()
def extras() -> None:
    """Parts that are installed later, into a folder of the app's own."""


@extras.command("list")
@json_option
def extras_list(as_json: bool) -> None:
    """What can be added, and what is here."""
    from metaclaw_tray.runtime.facade.extras import extra_rows

    rows = extra_rows(Paths.find())
    if as_json:
        say_json(rows)
    else:
        _show(rows)


@extras.command("add")
@click.argument("name")
@yes_option
def extras_add(name: str, yes: bool) -> None:
    """Install a part, after showing what it is, its size and where it comes from."""
    try:
        say(ask(AddExtra(name=name, yes=yes)).text)
    except NotRunningError:
        say(asyncio.run(_add(name, yes)))


@extras.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Remove it without asking.")
def extras_remove(name: str, yes: bool) -> None:
    """Take a part away again. What you recorded and learnt stays."""
    try:
        say(ask(RemoveExtra(name=name, yes=yes)).text)
    except NotRunningError:
        say(asyncio.run(_remove(name, yes)))


async def _add(name: str, yes: bool) -> str:
    from metaclaw_tray.extras.installing import plan
    from metaclaw_tray.extras.places import find
    from metaclaw_tray.runtime.facade.extras import added, adding

    paths = Paths.find()
    found = await asyncio.to_thread(find, name, paths)
    if found.state in ("here", "environment"):
        return f"{found.extra.title} is here already."
    planned = await asyncio.to_thread(plan, found.extra, paths)
    await consent.ask(
        f"install {name}",
        "\n".join(planned.lines()),
        origin=await asyncio.to_thread(find_origin, os.getpid()),
        scripted=yes,
        allow_scripted=os.environ.get(consent.SCRIPTED_VARIABLE) == "1",
        challenge=_typed,
    )

    async def tell(step: str) -> None:
        note(step)

    await adding(planned, paths, tell)
    return added(planned)


async def _remove(name: str, yes: bool) -> str:
    from metaclaw_tray.extras.installing import remove
    from metaclaw_tray.extras.places import find
    from metaclaw_tray.runtime.facade.extras import removal, removed

    paths = Paths.find()
    found = await asyncio.to_thread(find, name, paths)
    if found.folder is not None:
        origin = await asyncio.to_thread(find_origin, os.getpid())
        await consent.confirm(f"remove {name}", removal(found), origin=origin, yes=yes, challenge=_typed)
    return removed(found, await asyncio.to_thread(remove, name, paths))


async def _typed(challenge: Challenge) -> str:
    return await asyncio.to_thread(type_code, challenge)


def _show(rows: list[ExtraRow]) -> None:
    cells = [
        (row.name, _STATES[row.state], f"{row.bytes / 1e6:.0f} MB" if row.bytes else "-", row.title)
        for row in rows
    ]
    say(table(["name", "here", "to download", "what it is"], cells, empty="There are no extras."))
    for row in rows:
        if row.why_not:
            say(f"{row.name}: {row.why_not}")


COMMANDS = [extras]
