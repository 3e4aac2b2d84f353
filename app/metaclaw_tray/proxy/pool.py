"""The connections to upstreams: opened, kept while they may be used again, and closed."""

from __future__ import annotations

import asyncio
import socket
from typing import NamedTuple

import aiohttp
from aiohttp import AddrInfoType
from yarl import URL

from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.connections import Connection

_CONNECT_SECONDS = 30
# Servers on a laptop close what was idle for 5 seconds; a request sent at that very moment would be lost.
_IDLE_PLAIN_SECONDS, _IDLE_SECURE_SECONDS = 4, 60
_SWEEP_SECONDS = 1.0
_PROBES = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}  # a dead host is found in two minutes


class Place(NamedTuple):
    """Where connections lead, and by which way."""

    scheme: str
    host: str | None
    port: int | None
    proxy: SystemProxy | None


class Opener(aiohttp.TCPConnector):
    """Opens connections as aiohttp does: names, both families at once, proxies and their tunnels, TLS."""

    def __init__(self) -> None:
        super().__init__(limit=0, socket_factory=_socket)

    async def open(self, url: URL, proxy: SystemProxy | None) -> asyncio.Transport:
        """A new connection. Raises aiohttp.ClientError, OSError with the reason where none came about."""
        request = aiohttp.ClientRequest(
            "GET",
            url,
            loop=asyncio.get_running_loop(),
            proxy=None if proxy is None else URL(proxy.url),
            # aiohttp moves this one to where the proxy, and nobody else, gets it.
            proxy_headers={"Authorization": proxy.login} if proxy is not None and proxy.login else None,
        )
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS)
        try:
            handler = await self._create_connection(request, [], timeout)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(f"no connection to {url.host}") from error
        transport = handler.transport
        if transport is None:  # it has ended already
            raise aiohttp.ServerDisconnectedError
        return transport


class Pool:
    """Connections by the place where they lead. The one used last is used first."""

    def __init__(self) -> None:
        """To be made inside a running loop."""
        self.opener = Opener()
        self.idle: dict[Place, list[tuple[Connection, float]]] = {}  # with the loop's seconds until it ends
        self.open: dict[Connection, Place] = {}
        self._loop = asyncio.get_running_loop()
        self._sweeping: asyncio.TimerHandle | None = None

    def kept(self, place: Place) -> Connection | None:
        """A connection that is open already."""
        idle = self.idle.get(place)
        now = self._loop.time()
        while idle:
            connection, until = idle.pop()
            if until > now and connection.is_silent():
                return connection
            connection.abort()
        return None

    async def new(self, place: Place, url: URL) -> Connection:
        """A new connection. Raises as `Opener.open` does."""
        transport = await self.opener.open(url, place.proxy)
        connection = Connection(transport, self._freed)
        transport.set_protocol(connection)
        self.open[connection] = place
        return connection

    async def close(self) -> None:
        """End all connections."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in list(self.open):
            connection.abort()
        await self.opener.close()

    def _freed(self, connection: Connection) -> None:
        if connection.closed:
            place = self.open.pop(connection, None)
            if place is not None and (idle := self.idle.get(place)):
                idle[:] = [kept for kept in idle if kept[0] is not connection]
            return
        place = self.open[connection]
        seconds = _IDLE_SECURE_SECONDS if place.scheme == "https" else _IDLE_PLAIN_SECONDS
        self.idle.setdefault(place, []).append((connection, self._loop.time() + seconds))
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(_SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """Close what has been idle for too long."""
        now = self._loop.time()
        for place, idle in list(self.idle.items()):
            for connection, until in idle:
                if until <= now:
                    connection.abort()
            idle[:] = [kept for kept in idle if kept[1] > now]
            if not idle:
                del self.idle[place]
        again = self._loop.call_later(_SWEEP_SECONDS, self._sweep) if self.idle else None
        self._sweeping = again


def _socket(address: AddrInfoType) -> socket.socket:
    """A socket that asks a silent host whether it is still there."""
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _PROBES.items():
        if hasattr(socket, option):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return made
