"""The proxies on the way to upstreams, as of now.

They change while the program runs: a laptop is carried from one network to the next. So they are read again
after a while, and whenever a connection fails.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from yarl import URL

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.network import SystemProxy, way_to
from metaclaw_tray.settings.addresses import is_loopback

_FRESH_SECONDS = 60.0


@dataclass(frozen=True)
class _Found:
    way: SystemProxy | UpstreamError | None
    until: float  # on the monotonic clock


class SystemProxies:
    """Which proxy leads to which host."""

    def __init__(
        self,
        find: Callable[[str], SystemProxy | None] = way_to,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._find = find
        self._now = now
        self._found: dict[tuple[str, str | None, int | None], _Found] = {}

    async def towards(self, url: URL) -> SystemProxy | None:
        """The proxy on the way to an address; None where the way is direct.

        Raises UpstreamError where the system names a proxy that this program cannot use.
        """
        place = (url.scheme, url.raw_host, url.port)
        found = self._found.get(place)
        if found is None or found.until < self._now():
            found = self._found[place] = await self._look_up(url)
        if isinstance(found.way, UpstreamError):
            raise UpstreamError(found.way.title, found.way.detail, found.way.remedy)
        return found.way

    def forget(self) -> None:
        """Read the settings again with the next request."""
        self._found.clear()

    async def _look_up(self, url: URL) -> _Found:
        if is_loopback(url.host or ""):
            return _Found(None, float("inf"))
        way: SystemProxy | UpstreamError | None
        try:
            way = await asyncio.to_thread(self._find, str(url.origin()))
        except UpstreamError as error:
            way = error
        return _Found(way, self._now() + _FRESH_SECONDS)
