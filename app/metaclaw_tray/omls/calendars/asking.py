"""The child that reads calendars, as the app sees it: started for one question, gone after its answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from metaclaw_tray.child import ChildEndedError, FrameError, start_child
from metaclaw_tray.omls.calendars.frames import Failed, FromCalendar, SignIn, SignInAt, ToCalendar

log = logging.getLogger(__name__)

SECONDS = 90.0
"""Patience with one reading; a file that takes longer is not worth it."""

Tell = Callable[[str], Awaitable[None]]
Ask = Callable[[ToCalendar, Tell], Awaitable[FromCalendar]]
"""Has a question answered; the second argument hears the address at which the person signs in."""


async def silent(_text: str) -> None:
    """Nobody wants to know."""


async def ask_child(message: ToCalendar, tell: Tell = silent, seconds: float = SECONDS) -> FromCalendar:
    """The child's answer; one that ends or takes too long is an answer too."""
    if isinstance(message, SignIn):
        seconds += message.seconds
    try:
        async with (
            asyncio.timeout(seconds),
            start_child("calendar", to_child=ToCalendar, from_child=FromCalendar, grace=1.0) as child,
        ):
            await child.send(message)
            async for said in child.messages():
                if isinstance(said, SignInAt):
                    await tell(said.url)
                else:
                    return said  # type: ignore[no-any-return]  # messages are of any type at this edge
    except TimeoutError:
        return Failed(trouble="broken", detail="It took too long to read.")
    except (ChildEndedError, FrameError, OSError) as error:
        log.warning("the child that reads calendars failed error=%s", type(error).__name__)
    return Failed(trouble="broken", detail="The process that reads it ended without an answer.")
