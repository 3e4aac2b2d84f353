"""What is wrong now, a sentence each, for the status; and keeping a service of the loop alive."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError

log = logging.getLogger(__name__)

_RESTARTS, _WITHIN_SECONDS = 3, 600.0
_PAUSE_SECONDS = 2.0


class Troubles:
    """Sentences by subject. An empty one means that the subject is well."""

    def __init__(self) -> None:
        self._by_subject: dict[str, str] = {}

    def set(self, subject: str, sentence: str) -> None:
        if sentence and self._by_subject.get(subject) != sentence:
            log.warning("trouble subject=%s %s", subject, sentence)
        if sentence:
            self._by_subject[subject] = sentence
        else:
            self._by_subject.pop(subject, None)

    def all(self) -> list[str]:
        return list(self._by_subject.values())


async def supervise(
    name: str, service: Callable[[], Awaitable[None]], clock: Clock, troubles: Troubles
) -> None:
    """Run a service until it is cancelled. One that fails is started again, at most three times in ten
    minutes, and then its end is said; the other services, the proxy above all, go on."""
    deaths: deque[float] = deque()
    while True:
        try:
            await service()
        except KnownError as error:
            troubles.set(name, " ".join(error.lines()))
        except Exception as error:
            log.exception("a service failed name=%s", name)
            troubles.set(name, f"{name} failed ({type(error).__name__}) and was started again; see the log.")
        else:
            return
        now = clock.monotonic()
        while deaths and now - deaths[0] > _WITHIN_SECONDS:
            deaths.popleft()
        deaths.append(now)
        if len(deaths) > _RESTARTS:
            troubles.set(name, f"{name} failed three times in ten minutes and is off until the next start.")
            return
        await asyncio.sleep(_PAUSE_SECONDS)
