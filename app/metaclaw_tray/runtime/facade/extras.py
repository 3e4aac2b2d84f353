"""Extras by verb: what there is, adding one after a yes, taking it away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from metaclaw_tray.admin.api import AddExtra, ExtraRow, ListExtras, RemoveExtra, Said
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.errors import ExtraError
from metaclaw_tray.extras.installing import Plan, Progress, add, plan, remove
from metaclaw_tray.extras.places import Found, find, find_all
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import Runtime

_TELL_SECONDS = 0.5
_MEGABYTE = 1e6

Tell = Callable[[str], Awaitable[None]]


class ExtrasDesk:
    """One handler for each verb."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self) -> Handlers:
        return {ListExtras: self._list, AddExtra: self._add, RemoveExtra: self._remove}

    async def _list(self, _verb: ListExtras, _call: Call) -> list[ExtraRow]:
        return await asyncio.to_thread(extra_rows, self._runtime.paths)

    async def _add(self, verb: AddExtra, call: Call) -> Said:
        paths = self._runtime.paths
        found = await asyncio.to_thread(find, verb.name, paths)
        if found.state in ("here", "environment"):
            return Said(text=f"{found.extra.title} is here already.")
        planned = await asyncio.to_thread(plan, found.extra, paths)
        await call.consent(f"install {verb.name}", "\n".join(planned.lines()), yes=verb.yes)
        await adding(planned, paths, call.progress)
        await self._runtime.apply()
        return Said(text=added(planned))

    async def _remove(self, verb: RemoveExtra, call: Call) -> Said:
        paths = self._runtime.paths
        found = await asyncio.to_thread(find, verb.name, paths)
        if found.folder is not None:
            await call.confirm(f"remove {verb.name}", removal(found), yes=verb.yes)
        freed = await asyncio.to_thread(remove, verb.name, paths)
        await self._runtime.apply()
        return Said(text=removed(found, freed))


async def adding(planned: Plan, paths: Paths, tell: Tell) -> None:
    """Install in a thread, and tell how far it is. Cancelled, it ends at its next step and leaves nothing.

    Raises ExtraError.
    """
    stop, told = threading.Event(), [""]

    def heard(progress: Progress) -> None:
        if stop.is_set():
            raise _NobodyWaitsError
        told[0] = str(progress)

    work = asyncio.create_task(asyncio.to_thread(add, planned, paths, heard), name="extra")
    said = ""
    try:
        while not (await asyncio.wait({work}, timeout=_TELL_SECONDS))[0]:
            if told[0] != said:
                said = told[0]
                await tell(said)
    finally:
        stop.set()
        if not work.done():
            work.add_done_callback(_hushed)
    work.result()


def extra_rows(paths: Paths) -> list[ExtraRow]:
    """Each extra. Blocking: asks pip for its settings."""
    return [_row(each, paths) for each in find_all(paths)]


def added(planned: Plan) -> str:
    """That it is here, in a sentence."""
    return f"{planned.extra.title} is installed, in {planned.folder}."


def removal(found: Found) -> str:
    """What removing it means."""
    return f"{found.extra.title}: {found.folder} is removed. What uses it stops, and it can be added again."


def removed(found: Found, freed: int) -> str:
    """That it is gone, in a sentence."""
    return f"{found.extra.title} was removed; {freed / _MEGABYTE:.0f} MB are free again."


def _row(found: Found, paths: Paths) -> ExtraRow:
    extra, lines, why_not, size = found.extra, [], "", 0
    if found.state in ("missing", "older"):
        try:
            planned = plan(extra, paths)
            lines, size = planned.lines(), planned.bytes
        except ExtraError as error:
            why_not = " ".join((error.detail, error.remedy)).strip()
    return ExtraRow(
        name=extra.name,
        title=extra.title,
        about=extra.about,
        state=found.state,
        packages=[f"{each.name} {each.version}" for each in extra.packages],
        bytes=size,
        bytes_installed=extra.bytes_installed,
        folder=str(found.folder or ""),
        plan=lines,
        why_not=why_not,
    )


class _NobodyWaitsError(Exception):
    """Ends an installation from within."""


def _hushed(work: asyncio.Task[Any]) -> None:
    """Take what it ended with that nobody waits for."""
    if not work.cancelled():
        work.exception()
