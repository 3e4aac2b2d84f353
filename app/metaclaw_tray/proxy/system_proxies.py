"""The proxies of the network that the system, or the environment, names.

They change while the program runs: a laptop is carried from one network to the next. So they are read again
after a while, and whenever a connection fails. Their credentials are in no text that a person or a log gets.
"""

from __future__ import annotations

import asyncio
import base64
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from yarl import URL

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.settings.addresses import is_loopback

_FRESH_SECONDS = 60.0


@dataclass(frozen=True)
class SystemProxy:
    """A proxy to go through."""

    url: URL  # without credentials
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def place(self) -> str:
        """Where it is, for a person to read."""
        return f"{self.url.host}:{self.url.port}"


@dataclass(frozen=True)
class _Found:
    proxy: SystemProxy | None
    refusal: str
    until: float  # on the monotonic clock


class SystemProxies:
    """Which proxy leads to which host, as of now."""

    def __init__(
        self,
        read: Callable[[], Mapping[str, str]] = urllib.request.getproxies,
        bypass: Callable[[str], object] = urllib.request.proxy_bypass,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read = read
        self._bypass = bypass
        self._now = now
        self._found: dict[tuple[str, str | None, int | None], _Found] = {}

    async def towards(self, url: URL) -> SystemProxy | None:
        """The proxy for an address; None where the way is direct, as it always is on this machine.

        Raises UpstreamError where the system names a proxy that this program cannot use.
        """
        place = (url.scheme, url.raw_host, url.port)
        found = self._found.get(place)
        if found is None or found.until < self._now():
            found = self._found[place] = await self._look_up(url)
        if found.refusal:
            raise UpstreamError("The network's proxy cannot be used", found.refusal, _MEND)
        return found.proxy

    def forget(self) -> None:
        """Read the settings again with the next request."""
        self._found.clear()

    async def _look_up(self, url: URL) -> _Found:
        host = url.host or ""
        if is_loopback(host):
            return _Found(None, "", float("inf"))
        # In a thread: some systems ask a name server about exceptions.
        proxy, refusal = await asyncio.to_thread(self._settled, url.scheme, host, url.port)
        return _Found(proxy, refusal, self._now() + _FRESH_SECONDS)

    def _settled(self, scheme: str, host: str, port: int | None) -> tuple[SystemProxy | None, str]:
        named = self._read()
        address = named.get(scheme) or named.get("all") or named.get("socks") or ""
        if not address or self._bypass(f"{host}:{port}"):
            return None, ""
        return _proxy(address)


def _proxy(address: str) -> tuple[SystemProxy | None, str]:
    if "://" not in address:
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
        url = URL.build(scheme=parts.scheme, host=parts.hostname or "", port=parts.port)
    except ValueError:
        return None, "the proxy that the system names is not an address"
    if parts.scheme not in ("http", "https"):
        return (
            None,
            f"the system names a {parts.scheme} proxy at {parts.hostname}, and only http proxies work",
        )
    if not parts.hostname:
        return None, "the proxy that the system names has no host"
    if parts.username is None:
        return SystemProxy(url), ""
    # aiohttp moves this one to where the proxy, and nobody else, gets it.
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return SystemProxy(url, {"Authorization": f"Basic {base64.b64encode(login).decode()}"}), ""


_MEND = (
    "Set HTTPS_PROXY to an http proxy, or name the upstream's host in NO_PROXY to go there directly, and "
    "start MetaClaw Tray again."
)
