"""A verb that was asked in the window: a click there is the person's yes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.consent import ConsentError, Granted
from metaclaw_tray.admin.peer import Origin, Peer
from metaclaw_tray.admin.server import Call, Speaker
from metaclaw_tray.admin.window import Agreed, Asked, Sheet, Told, ToWindow

log = logging.getLogger(__name__)


class WindowCall(Call):
    """A verb that came from the window. What it would have to show, the window shows."""

    def __init__(
        self, verb: Verb[Any], asked: Asked, pid: int, tell: Callable[[ToWindow], Awaitable[None]]
    ) -> None:
        self.verb = verb
        self.place = asked.place
        self.peer = _Window(0, pid)
        self._asked = asked
        self._tell = tell
        self._sheets: dict[int, asyncio.Future[bool]] = {}

    async def progress(self, text: str) -> None:
        await self._tell(Told(self._asked.number, text))

    async def consent(self, action: str, text: str, *, yes: bool) -> Granted:
        del yes  # a flag of the command line
        return await self._clicked(action, text)

    async def speaker(self, action: str) -> Speaker:  # noqa: ARG002
        """Whatever comes from the window is the person's word."""
        return self._asked.place

    async def confirm(self, action: str, text: str, *, yes: bool) -> Granted:
        del yes
        return await self._clicked(action, text)

    def answer(self, agreed: Agreed) -> None:
        """Take what the person said to a sheet of this call."""
        waiting = self._sheets.get(agreed.sheet)
        if waiting is not None and not waiting.done():
            waiting.set_result(agreed.yes)

    async def _clicked(self, action: str, text: str) -> Granted:
        if self._asked.seen != text and not await self._shown(action, text):
            raise ConsentError("Not done", f"Nothing was changed ({action}).", "")
        log.info("consent action=%r channel=%s", action, self._asked.place)
        return Granted(self._asked.place, ["the window"])

    async def _shown(self, action: str, text: str) -> bool:
        sheet = len(self._sheets) + 1
        self._sheets[sheet] = asyncio.get_running_loop().create_future()
        await self._tell(Sheet(self._asked.number, sheet, action, text))
        return await self._sheets[sheet]


class _Window(Peer):
    async def origin(self) -> Origin:
        return Origin(None, ["the window"])
