"""Whether an address is this machine itself."""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache
from urllib.parse import urlsplit

_NEARBY = (".local", ".localhost", ".lan", ".home", ".internal", ".home.arpa")
_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=1024)  # asked with every request
def origin_of(base_url: str) -> tuple[str, str, int]:
    """Scheme, host and port: what a credential is meant for."""
    parts = urlsplit(base_url)
    return parts.scheme, (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme, 0)


def origin_text(base_url: str) -> str:
    """The same as a person writes it, such as `https://host` or `http://[::1]:8080`."""
    scheme, host, port = origin_of(base_url)
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port == _PORTS.get(scheme) else f":{port}")


@lru_cache(maxsize=1024)
def is_loopback(host: str) -> bool:
    """Whether a host is this machine and nothing leaves on the way to it."""
    address = _address(host)
    if address is not None:
        return address.is_loopback
    return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=1024)
def is_nearby(host: str) -> bool:
    """Whether a host is, by its name or number, on this machine or in its own network."""
    address = _address(host)
    if address is not None:
        return address.is_private or address.is_link_local or address.is_unspecified
    return "." not in host or host.endswith(_NEARBY)


def is_own(host: str) -> bool:
    """Whether a host is this machine under any of its names and addresses. Asks no name server."""
    address = _address(host)
    if address is None:
        names = {"localhost", *(name.lower() for name in _own_names())}
        return host.lower() in names or host.endswith(".localhost")
    if address.is_loopback or address.is_unspecified:
        return True
    import psutil  # late: seldom needed, and this room is read at every start of a command

    return str(address) in {
        entry.address.partition("%")[0]
        for entries in psutil.net_if_addrs().values()
        for entry in entries
        if entry.family in (socket.AF_INET, socket.AF_INET6)
    }


def leads_to(base_url: str, port: int) -> bool:
    """Whether a base URL is a port of this machine."""
    _, host, its_port = origin_of(base_url)
    return its_port == port and port != 0 and is_own(host)


def _own_names() -> list[str]:
    name = socket.gethostname()
    short = name.partition(".")[0]
    return [name, short, *(f"{short}{ending}" for ending in _NEARBY)]


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The number that a host is written as, also in the short forms of C's `inet_aton` (`127.1`)."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except (OSError, UnicodeError, ValueError):
            return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found
