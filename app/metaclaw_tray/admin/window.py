"""Between the app and its window: the same verbs as on the socket, on a pipe that nobody else has.

The window is a child of the app, so its pipe speaks for the person at the screen: a click there is a consent
of its own kind, and no other process of the user can claim to be it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

from metaclaw_tray.admin.api import Verb
from metaclaw_tray.admin.consent import ConsentError, Granted
from metaclaw_tray.admin.peer import Origin, Peer
from metaclaw_tray.admin.protocol import Failed
from metaclaw_tray.admin.server import Call, Speaker

log = logging.getLogger(__name__)

Place = Literal["tray", "window"]
Topic = Literal["turns", "learning", "library", "status", "settings", "training"]


class Asked(msgspec.Struct, frozen=True, tag=True):
    """From the window: a verb, as JSON. `seen` is the text of a consent that the person has before them."""

    number: int
    verb: bytes
    place: Place = "window"
    seen: str | None = None


class Agreed(msgspec.Struct, frozen=True, tag=True):
    """From the window: what the person said to a sheet of a call."""

    number: int
    sheet: int
    yes: bool


class Dropped(msgspec.Struct, frozen=True, tag=True):
    """From the window: nobody waits for this answer any more."""

    number: int


class Leaving(msgspec.Struct, frozen=True, tag=True):
    """From the window: the person quits; `serve_on` keeps agents served without it."""

    serve_on: bool


class Renewing(msgspec.Struct, frozen=True, tag=True):
    """From the window: it ends now, to be started again at this page, such as in another language."""

    page: str


class Visible(msgspec.Struct, frozen=True, tag=True):
    """From the window: whether the person has it open, so that one that crashed comes back as it was."""

    open: bool


class Answered(msgspec.Struct, frozen=True, tag=True):
    """To the window: the answer, as JSON."""

    number: int
    value: bytes


class Refused(msgspec.Struct, frozen=True, tag=True):
    """To the window: there is no answer, and why."""

    number: int
    title: str
    detail: str
    remedy: str


class Told(msgspec.Struct, frozen=True, tag=True):
    """To the window: a step of a long verb."""

    number: int
    text: str


class Sheet(msgspec.Struct, frozen=True, tag=True):
    """To the window: show this text in full, and ask for a yes to the action."""

    number: int
    sheet: int
    action: str
    text: str


class News(msgspec.Struct, frozen=True, tag=True):
    """To the window: something of this kind changed; whoever shows it asks again."""

    topics: list[Topic]


class Show(msgspec.Struct, frozen=True, tag=True):
    """To the window: come to the front, at this page where one is named; or stay hidden behind the tray."""

    page: str = ""
    hidden: bool = False


ToWindow = Answered | Refused | Told | Sheet | News | Show
FromWindow = Asked | Agreed | Dropped | Leaving | Renewing | Visible


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


def refused(number: int, failed: Failed) -> Refused:
    """A failure as the window gets it."""
    return Refused(number, failed.title, failed.detail, failed.remedy)
