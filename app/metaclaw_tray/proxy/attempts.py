"""Asking an upstream, until the head of its answer is there. What can be repeated safely is repeated once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextvars import ContextVar

import aiohttp
from aiohttp import AddrInfoType
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload

from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.forwarding import Outgoing
from metaclaw_tray.proxy.problems import unreachable
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.system_proxies import SystemProxies

_CONNECT_SECONDS = 30
# Servers on a laptop close what was idle for 5 seconds; a request sent at that very moment would be lost.
_IDLE_PLAIN_SECONDS, _IDLE_SECURE_SECONDS = 4, 60
_PROBES = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}  # a dead host is found in two minutes
# A connection that the server had closed shows it within half a round trip. What takes longer may be work.
_AT_ONCE_SECONDS = 0.2
_PIECE = 256 * 1024  # bytes of a body sent at a time; a larger body lets other turns go on in between
_NO_HEADERS_OF_OURS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
_HEADER_BYTES = 64 * 1024


class Upstreams:
    """The client towards upstreams; its connections are kept.

    How long an answer may take is the client's to say, and none is given up here before the client leaves or
    the upstream's host is gone. A request is repeated once, at once, in two cases: where no connection came
    about, so that nothing was sent; and where a kept connection turned out to be closed, at once and before
    one byte of an answer came. One that closes later may have worked on the request, and two are two bills.
    All other repeating is the client's.
    """

    def __init__(self, proxies: SystemProxies | None = None) -> None:
        """To be made inside a running loop."""
        self._proxies = proxies or SystemProxies()
        self._plain = _session(_IDLE_PLAIN_SECONDS)
        self._secure = _session(_IDLE_SECURE_SECONDS)
        self._fresh = _session(None)  # no connection of its is used twice

    async def close(self) -> None:
        for session in (self._plain, self._secure, self._fresh):
            await session.close()

    async def ask(self, outgoing: Outgoing, route: Route) -> aiohttp.ClientResponse:
        """An answer of which the head has come. Raises UpstreamError with the reason where none did."""
        session = self._secure if outgoing.url.scheme == "https" else self._plain
        proxy = await self._proxies.towards(outgoing.url)
        try:
            return await _once(session, outgoing, proxy)
        except _FAILURES as error:
            first = error
            stale = _stale(error)
        if stale:
            session = self._fresh
        else:  # the network may be another one by now
            former = proxy
            self._proxies.forget()
            proxy = await self._proxies.towards(outgoing.url)
            if not _nothing_was_sent(first) and not (isinstance(first, _NO_CONNECTION) and proxy != former):
                raise unreachable(first, route, former) from first
        try:
            return await _once(session, outgoing, proxy)
        except _FAILURES as error:
            raise unreachable(error, route, proxy) from error


class _Attempt:
    """How far one attempt came."""

    __slots__ = ("opened", "written_at")

    def __init__(self) -> None:
        self.opened = False  # it opened a connection of its own
        self.written_at: float | None = None  # the loop's seconds; None until the whole of it is on its way


_FAILURES = (aiohttp.ClientError, OSError, TimeoutError)
_NO_CONNECTION = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
_attempt: ContextVar[_Attempt] = ContextVar("attempt")


async def _once(
    session: aiohttp.ClientSession, outgoing: Outgoing, proxy: SystemProxy | None
) -> aiohttp.ClientResponse:
    attempt, body = _Attempt(), outgoing.body
    _attempt.set(attempt)
    if len(body) > _PIECE:
        data: bytes | Pieces | None = Pieces(body, attempt)
    else:
        data = body or None  # a GET has none, and no length of one
        attempt.written_at = asyncio.get_running_loop().time()
    return await session.request(
        outgoing.method,
        outgoing.url,
        data=data,
        headers=outgoing.headers,
        allow_redirects=False,
        proxy=None if proxy is None else proxy.url,
        # aiohttp moves this one to where the proxy, and nobody else, gets it.
        proxy_headers={"Authorization": proxy.login} if proxy is not None and proxy.login else None,
    )


def _stale(error: BaseException) -> bool:
    """Whether a kept connection was closed already: it was not opened for this, not a byte came, and that
    showed before anybody could have worked on the request."""
    attempt = _attempt.get()
    if attempt.opened or isinstance(error, aiohttp.ClientConnectorError):
        return False
    if attempt.written_at is not None:
        waited = asyncio.get_running_loop().time() - attempt.written_at
        if waited >= _AT_ONCE_SECONDS:
            return False
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return isinstance(error.message, str)  # else a part of an answer's head
    return isinstance(error, ConnectionError | aiohttp.ClientOSError)


def _nothing_was_sent(error: BaseException) -> bool:
    """Whether no connection came about, for a reason that may be gone a moment later."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError):
        return False
    return isinstance(error, aiohttp.ClientConnectorError)


class Pieces(Payload):
    """A body that is sent piece by piece and never copied as a whole."""

    def __init__(self, body: bytes, attempt: _Attempt) -> None:
        super().__init__(body)
        self._size = len(body)
        self._attempt = attempt

    def __iter__(self) -> Iterator[memoryview]:
        view = memoryview(self._value)
        return (view[start : start + _PIECE] for start in range(0, len(view), _PIECE))

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return str(self._value, encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        for piece in self:
            await writer.write(piece)
        self._attempt.written_at = asyncio.get_running_loop().time()


def _session(idle_seconds: float | None) -> aiohttp.ClientSession:
    """`idle_seconds` None makes a connection for each request."""
    connector = aiohttp.TCPConnector(
        limit=0, keepalive_timeout=idle_seconds, force_close=idle_seconds is None, socket_factory=_socket
    )
    return aiohttp.ClientSession(
        connector=connector,
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        trust_env=False,
        skip_auto_headers=_NO_HEADERS_OF_OURS,
        max_line_size=_HEADER_BYTES,
        max_field_size=_HEADER_BYTES,
    )


def _socket(address: AddrInfoType) -> socket.socket:
    """A socket that asks a silent host whether it is still there."""
    _attempt.get().opened = True
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _PROBES.items():
        if hasattr(socket, option):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return made
