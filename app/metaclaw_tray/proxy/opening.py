"""How connections to upstreams come about: names, both families at once, the network's proxies, TLS."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable
from functools import cache
from typing import TypeVar
from urllib.parse import unquote

from aiohappyeyeballs import AddrInfoType, start_connection
from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from yarl import URL

from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.failures import (
    CertificateError,
    ConnectingTooLongError,
    DisconnectedError,
    NameUnknownError,
    NoConnectionError,
    NotHttpError,
    NotTlsError,
    ProxyAwayError,
    ProxyRefusedError,
)

_CONNECT_SECONDS = 30
_STAGGER_SECONDS = 0.25  # until the next address is tried beside those before (RFC 8305, 5)
_PROBES = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}  # a dead host is found in two minutes
_HEAD_BYTES = 64 * 1024  # of what a proxy says

Secured = TypeVar("Secured")


async def open_transport(
    url: URL, proxy: SystemProxy | None, protocol: asyncio.Protocol
) -> asyncio.Transport:
    """A new connection to where a URL leads, for a protocol to read.

    Raises ExchangeError, OSError where none came about.
    """
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            if proxy is None:
                return await _connected(url, protocol)
            return await _through(proxy, url, protocol)
    except TimeoutError as error:
        raise ConnectingTooLongError(f"no connection to {url.host}") from error


async def _through(proxy: SystemProxy, url: URL, protocol: asyncio.Protocol) -> asyncio.Transport:
    """A connection by way of a proxy: to it, for plain requests, or through it."""
    way = URL(proxy.url)
    if url.scheme != "https":
        return await _reaching(way, protocol)
    tunnel = _Tunnel()
    transport = await _reaching(way, tunnel)
    try:
        await tunnel.ask(transport, f"{url.host_subcomponent}:{url.port}", proxy.login)
        loop, name = asyncio.get_running_loop(), url.raw_host
        secured = await _secured(loop.start_tls(transport, protocol, await _trust(), server_hostname=name))
    except BaseException:
        transport.abort()
        raise
    if secured is None:
        raise DisconnectedError
    return secured


async def _reaching(way: URL, protocol: asyncio.Protocol) -> asyncio.Transport:
    try:
        return await _connected(way, protocol)
    except NoConnectionError as error:
        raise ProxyAwayError(error.reason) from error


async def _connected(url: URL, protocol: asyncio.Protocol) -> asyncio.Transport:
    loop, name, port = asyncio.get_running_loop(), unquote(url.raw_host or ""), url.port or 0  # of a zone
    connected = await _socket_to(name, port)
    try:
        if url.scheme == "https":
            context = await _trust()
            opening = loop.create_connection(
                lambda: protocol, sock=connected, ssl=context, server_hostname=name
            )
            transport, _ = await _secured(opening)
        else:
            transport, _ = await loop.create_connection(lambda: protocol, sock=connected)
    except BaseException:
        connected.close()
        raise
    return transport


async def _socket_to(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except socket.gaierror as error:
        raise NameUnknownError(error) from error
    except UnicodeError as error:  # no name can be written so
        raise NameUnknownError(OSError(str(error))) from error
    try:
        return await start_connection(
            found, happy_eyeballs_delay=_STAGGER_SECONDS, interleave=1, socket_factory=made_socket
        )
    except TimeoutError:
        raise
    except OSError as error:
        raise NoConnectionError(error) from error


def made_socket(address: AddrInfoType) -> socket.socket:
    """A socket that asks a silent host whether it is still there."""
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _PROBES.items():
        if hasattr(socket, option):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return made


async def _secured(opening: Awaitable[Secured]) -> Secured:
    """What becomes of a connection once it speaks TLS."""
    try:
        return await opening
    except ssl.SSLCertVerificationError as error:
        raise CertificateError(str(error)) from error
    except ssl.SSLError as error:
        raise NotTlsError(str(error)) from error


async def _trust() -> ssl.SSLContext:
    return await asyncio.to_thread(trusted)  # the first time it reads all that the system trusts


@cache
def trusted() -> ssl.SSLContext:
    """Whom this system trusts."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class _Tunnel(asyncio.Protocol):
    """Asks a proxy for the way to a host, and reads what it says to that."""

    def __init__(self) -> None:
        self._answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._parser = HttpResponseParser(self)
        self._come = 0

    async def ask(self, transport: asyncio.Transport, place: str, login: str) -> None:
        """Have a tunnel to a place. Raises ProxyRefusedError, NotHttpError, DisconnectedError."""
        lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
        if login:
            lines.append(f"Proxy-Authorization: {login}")
        transport.write("\r\n".join([*lines, "", ""]).encode("ascii"))
        status = await self._answered
        if status >= 300:  # any success opens the way (RFC 9110, 9.3.6)
            raise ProxyRefusedError(status)

    def data_received(self, data: bytes) -> None:
        self._come += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            pass
        except HttpParserError as error:
            self._fail(NotHttpError(str(error)))
        if self._come > _HEAD_BYTES:
            self._fail(NotHttpError("its proxy says too much"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or DisconnectedError())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status >= 200 and not self._answered.done():
            self._answered.set_result(status)

    def _fail(self, error: Exception) -> None:
        if not self._answered.done():
            self._answered.set_exception(error)
