"""What is wrong now, a sentence each, for the status; and keeping a service of the loop alive."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError

log = logging.getLogger(__name__)

_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 300.0  # seconds before a service that failed is started again
_HEALTHY_SECONDS = 60.0  # of running, after which the last failure is forgotten


class Troubles:
    """Sentences by subject. An empty one means that the subject is well."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._on_change = on_change
        self._by_subject: dict[str, str] = {}

    def set(self, subject: str, sentence: str) -> None:
        if self._by_subject.get(subject, "") == sentence:
            return
        if sentence:
            log.warning("trouble subject=%s %s", subject, sentence)
        if sentence:
            self._by_subject[subject] = sentence
        else:
            self._by_subject.pop(subject, None)
        self._on_change()

    def replace(self, prefix: str, sentences: Mapping[str, str]) -> None:
        """All that is wrong with subjects of one sort, named `prefix` and then the key."""
        for subject in [each for each in self._by_subject if each.startswith(prefix)]:
            if subject.removeprefix(prefix) not in sentences:
                self.set(subject, "")
        for name, sentence in sentences.items():
            self.set(f"{prefix}{name}", sentence)

    def all(self) -> list[str]:
        return list(self._by_subject.values())


async def supervise(
    name: str, service: Callable[[], Awaitable[None]], clock: Clock, troubles: Troubles
) -> None:
    """Run a service until it is cancelled. One that fails is started again after a pause that doubles, while
    the others, the proxy above all, go on; its trouble is over when it has run for a while."""
    pause = _SHORTEST_PAUSE
    while True:
        begun = clock.monotonic()
        healing = asyncio.create_task(_heal(name, troubles), name=f"{name}-healing")
        try:
            await service()
            return
        except KnownError as error:
            troubles.set(name, " ".join(error.lines()))
        except Exception as error:
            log.exception("a service failed name=%s", name)
            troubles.set(name, f"{name} failed ({type(error).__name__}) and is started again; see the log.")
        finally:
            healing.cancel()
        if clock.monotonic() - begun > _HEALTHY_SECONDS:
            pause = _SHORTEST_PAUSE
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _heal(name: str, troubles: Troubles) -> None:
    await asyncio.sleep(_HEALTHY_SECONDS)
    troubles.set(name, "")
