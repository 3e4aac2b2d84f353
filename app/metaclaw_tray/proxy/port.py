"""The port, and who else may hold it."""

from __future__ import annotations

import errno
import ipaddress

import psutil
from aiohttp import web

from metaclaw_tray.errors import PortTakenError, UsageError


async def listen(runner: web.ServerRunner, host: str, port: int) -> int:
    """Listen on a loopback address; the port that was given (`port` 0 takes a free one).

    Raises PortTakenError with the holder's name, and UsageError for a host that others can reach.
    """
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise UsageError(
            "Not a loopback address", f"{host} can be reached from other machines.", "Use 127.0.0.1."
        )
    site = web.TCPSite(runner, host, port, backlog=1024)
    try:
        await site.start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                "The port is taken",
                f"{holder(port)} listens on {host}:{port}.",
                "Stop it, or choose another port: `metaclaw-tray serve --port N`, "
                "or for good `metaclaw-tray config set server.port N`.",
            ) from error
        if error.errno == errno.EACCES:
            raise PortTakenError(
                "The port is not allowed",
                f"The system lets this user not listen on port {port}.",
                "Choose one above 1024: `metaclaw-tray config set server.port N`.",
            ) from error
        raise
    return int(runner.addresses[0][1])


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
