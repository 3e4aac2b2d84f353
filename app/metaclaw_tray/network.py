"""The way to a host: directly, or through the proxy that the system, or the environment, names.

A proxy's password is in no text that a person or a log gets.
"""

from __future__ import annotations

import base64
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.settings.addresses import is_loopback, origin_of


@dataclass(frozen=True)
class SystemProxy:
    """An HTTP proxy to go through."""

    url: str  # without credentials
    place: str  # for a person to read
    login: str = field(default="", repr=False)  # the value of an Authorization header

    @property
    def headers(self) -> dict[str, str]:
        """What the proxy, and nobody else, gets."""
        return {"Proxy-Authorization": self.login} if self.login else {}


def way_to(
    address: str,
    read: Callable[[], Mapping[str, str]] = urllib.request.getproxies,
    bypass: Callable[[str], object] = urllib.request.proxy_bypass,
) -> SystemProxy | None:
    """The proxy on the way to an address; None where the way is direct, as it always is on this machine.

    May take a moment: some systems ask a name server about exceptions. Raises UpstreamError where the system
    names a proxy that this program cannot use.
    """
    scheme, host, port = origin_of(address)
    if is_loopback(host):
        return None
    named = read()
    proxy = named.get(scheme) or named.get("all") or ""
    socks = "" if proxy else named.get("socks", "")
    if not (proxy or socks) or bypass(f"{host}:{port}"):
        return None
    if socks:  # macOS and Windows name it without its scheme
        raise _unusable(f"the system names a socks proxy at {_place(socks)}, and only http proxies work")
    return _proxy(proxy)


def _proxy(address: str) -> SystemProxy:
    if "://" not in address:
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _unusable("the proxy that the system names is not an address") from None
    if not host:
        raise _unusable("the proxy that the system names has no host")
    place = f"[{host}]" if ":" in host else host
    if port:
        place += f":{port}"
    if parts.scheme not in ("http", "https"):
        raise _unusable(f"the system names a {parts.scheme} proxy at {place}, and only http proxies work")
    if parts.username is None:
        return SystemProxy(f"{parts.scheme}://{place}", place)
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return SystemProxy(f"{parts.scheme}://{place}", place, f"Basic {base64.b64encode(login).decode()}")


def _place(address: str) -> str:
    return address.rpartition("://")[2].rpartition("@")[2]


def _unusable(detail: str) -> UpstreamError:
    return UpstreamError(
        "The network's proxy cannot be used",
        detail,
        "Set HTTPS_PROXY to an http proxy, or name the upstream's host in NO_PROXY to go there directly, and "
        "start MetaClaw Tray again.",
    )
