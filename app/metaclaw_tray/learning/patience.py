"""How long to wait for a server that says that it is busy: as long as it asks, within bounds."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime

BUSY = frozenset((429, 503, 529))
"""Statuses of a server that is there and has no room now (RFC 6585, RFC 9110; 529 is Anthropic's)."""

TRIES = 4  # of one call
LONGEST_SECONDS = 60.0  # of one pause; a longer one is the caller's to wait
_FIRST_SECONDS = 2.0


def pause_after(tries: int) -> float:
    """Seconds to wait after so many tries, the first being 1, where the server does not say: twice as long
    each time."""
    return _FIRST_SECONDS * 2.0 ** (tries - 1)


def retry_after(value: str, now: datetime) -> float | None:
    """Seconds that a `Retry-After` asks for (RFC 9110, 10.2.3): a number or a date. None where it is
    neither."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
        # A date without a zone is in UTC: HTTP knows no other.
        return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=now.tzinfo)) - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


class Turnstile:
    """Lets so many calls of learning through at a time, in their order; how many may change meanwhile."""

    def __init__(self, width: Callable[[], int]) -> None:
        self._width = width
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """Wait for a place, and give it back at the end of the block."""
        await self._enter()
        try:
            yield
        finally:
            self._leave()

    async def _enter(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_in()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # let in and cancelled in one breath
                self._leave()
            raise

    def _leave(self) -> None:
        self._inside -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._inside < self._width():
            place = self._waiting.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(None)
