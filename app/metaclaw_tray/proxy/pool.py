"""The connections to upstreams: opened, kept while they may be used again, and closed."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from yarl import URL

from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.connections import Connection
from metaclaw_tray.proxy.failures import DisconnectedError
from metaclaw_tray.proxy.opening import open_transport

# Servers on a laptop close what was idle for 5 seconds; a request sent at that very moment would be lost.
_IDLE_PLAIN_SECONDS, _IDLE_SECURE_SECONDS = 4, 60
_SWEEP_SECONDS = 1.0


class Place(NamedTuple):
    """Where connections lead, and by which way."""

    scheme: str
    host: str | None
    port: int | None
    proxy: SystemProxy | None


class Pool:
    """Connections by the place where they lead. The one used last is used first."""

    def __init__(self) -> None:
        """To be made inside a running loop."""
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
        """A new connection. Raises as `open_transport` does."""
        opened = _Opened()
        transport = await open_transport(url, place.proxy, opened)
        if opened.over or transport.is_closing():
            transport.abort()
            raise DisconnectedError
        connection = Connection(transport, self._freed)
        transport.set_protocol(connection)
        self.open[connection] = place
        return connection

    def close(self) -> None:
        """End all connections."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in list(self.open):
            connection.abort()

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


class _Opened(asyncio.Protocol):
    """A connection that nobody has yet. Nothing may come on it, since nothing was asked."""

    def __init__(self) -> None:
        self.over = False

    def data_received(self, data: bytes) -> None:
        del data
        self.over = True

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.over = True
