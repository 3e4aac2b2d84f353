"""Memory that the program has done with goes back to the machine.

A hundred megabytes of a picture, or many long answers at once, leave holes in the C library's heap that it
keeps for later. On a laptop that later may never come.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import sys
from collections.abc import Callable

import psutil

log = logging.getLogger(__name__)

_EVERY_SECONDS = 10.0
_WORTH = 32 * 2**20  # bytes of growth for which the heap is looked through


class Heap:
    """Gives memory back once the program has grown and come to rest."""

    def __init__(
        self, size: Callable[[], int] | None = None, trim: Callable[[], object] | None = None
    ) -> None:
        """`size` tells the bytes that the program takes up; `trim` gives back what is free among them."""
        self._size = size or _resident
        self._trim = trim if trim is not None else _trimmer()
        self._floor = 0
        self._last = 0

    async def run(self) -> None:
        """Look from time to time, until it is cancelled."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Trim where the program has grown since the last time, and grows no more."""
        now, last = self._size(), self._last
        self._last = now
        self._floor = min(self._floor or now, now)
        if self._trim is None or now - self._floor < _WORTH or now > last:
            return
        await asyncio.to_thread(self._trim)
        self._floor = self._last = self._size()
        log.info("gave memory back before=%d after=%d", now, self._floor)


def _resident() -> int:
    return int(psutil.Process().memory_info().rss)


def _trimmer() -> Callable[[], object] | None:
    """What the C library has for it; None where it gives back by itself, or cannot."""
    if sys.platform != "linux":
        return None
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, musl does not
    return None if trim is None else lambda: trim(0)
