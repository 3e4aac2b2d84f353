"""The port, and who else may hold it."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
from collections.abc import Callable

import psutil

from metaclaw_tray.errors import PortTakenError, UsageError

_TRIES = 20  # free ports tried until one is free in both families


class Listening:
    """A port that is listened on, in one family or both."""

    def __init__(self, servers: list[asyncio.Server]) -> None:
        self._servers = servers

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Hosts, each with the port."""
        found = [each.getsockname() for server in self._servers for each in server.sockets]
        return [(str(name[0]), int(name[1])) for name in found]

    def close(self) -> None:
        """Take no more connections; those that are there stay."""
        for server in self._servers:
            server.close()


class _RefusedError(OSError):
    """The system does not let us listen on one of the addresses."""

    def __init__(self, host: str, reason: OSError) -> None:
        super().__init__(reason.errno, str(reason))
        self.host = f"[{host}]" if ":" in host else host
        self.reason = reason


Make = Callable[[], asyncio.Protocol]
"""Makes the protocol of a new connection."""


async def listen(make: Make, host: str, port: int) -> Listening:
    """Listen on a loopback address (`port` 0 takes a free one).

    127.0.0.1 takes ::1 along, where the machine has it: to many clients `localhost` is ::1 first, and another
    program there would get their tokens. Raises PortTakenError with the holder's name, and UsageError for a
    host that others can reach.
    """
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise UsageError(
            "Not a loopback address", f"{host} can be reached from other machines.", "Use 127.0.0.1."
        )
    hosts = ["127.0.0.1", "::1"] if host in ("127.0.0.1", "localhost") else [host]
    for left in reversed(range(_TRIES if port == 0 else 1)):
        try:
            return await _listen_on(make, hosts, port)
        except _RefusedError as refused:
            error = refused.reason
            if error.errno == errno.EADDRINUSE and left:
                continue
            raise _in_words(error, refused.host, port) from error
    raise AssertionError("the last try returns or raises")


async def _listen_on(make: Make, hosts: list[str], port: int) -> Listening:
    """One port on the first host, and on those of the others that the machine has. Raises _RefusedError, and
    then nothing is listened on."""
    loop = asyncio.get_running_loop()
    servers: list[asyncio.Server] = []
    for host in hosts:
        try:
            server = await loop.create_server(make, host, port, backlog=1024)
        except OSError as error:
            if servers and error.errno != errno.EADDRINUSE:  # a machine without IPv6
                continue
            Listening(servers).close()
            raise _RefusedError(host, error) from error
        servers.append(server)
        port = int(servers[0].sockets[0].getsockname()[1])
    return Listening(servers)


def _in_words(error: OSError, host: str, port: int) -> Exception:
    if error.errno == errno.EADDRINUSE:
        return PortTakenError(
            "The port is taken",
            f"{holder(port)} listens on {host}:{port}.",
            "Stop it, or choose another port: `metaclaw-tray serve --port N`, "
            "or for good `metaclaw-tray config set server.port N`.",
        )
    if error.errno == errno.EACCES:
        return PortTakenError(
            "The port is not allowed",
            f"The system lets this user not listen on port {port}.",
            "Choose one above 1024: `metaclaw-tray config set server.port N`.",
        )
    return error


def holder(port: int) -> str:
    """The program that listens on a port, as far as this user may see it."""
    try:
        listeners = {
            found.pid
            for found in psutil.net_connections(kind="tcp")
            if found.status == psutil.CONN_LISTEN and found.laddr and found.laddr.port == port and found.pid
        }
        names = [f"{psutil.Process(pid).name()} (pid {pid})" for pid in sorted(listeners)]
    except psutil.Error:
        names = []
    return " and ".join(names) or "Another program"
