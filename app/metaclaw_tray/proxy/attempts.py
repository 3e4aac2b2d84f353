"""Asking an upstream, until the head of its answer is there. What can be repeated safely is repeated once."""

from __future__ import annotations

import asyncio

from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.connections import Connection, head_of
from metaclaw_tray.proxy.failures import (
    FAILURES,
    CertificateError,
    ConnectingTooLongError,
    DisconnectedError,
    NoConnectionError,
    NotTlsError,
)
from metaclaw_tray.proxy.forwarding import Outgoing
from metaclaw_tray.proxy.pool import Place, Pool
from metaclaw_tray.proxy.problems import unreachable
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.system_proxies import SystemProxies

# A connection that the server had closed shows it within half a round trip. What takes longer may be work.
_AT_ONCE_SECONDS = 0.2


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
        self._pool = Pool()

    async def close(self) -> None:
        self._pool.close()

    async def ask(self, outgoing: Outgoing, route: Route) -> Answer:
        """An answer of which the head has come. Raises UpstreamError with the reason where none did."""
        proxy = await self._proxies.towards(outgoing.url)
        place = _place(outgoing, proxy)
        kept = self._pool.kept(place)
        try:
            return await _once(self._pool, outgoing, place, kept)
        except FAILURES as error:
            first = error
        if kept is None or not _stale(kept, first):  # the network may be another one by now
            self._proxies.forget()
            proxy = await self._proxies.towards(outgoing.url)
            other = proxy != place.proxy
            if not _nothing_was_sent(first) and not (isinstance(first, _NO_CONNECTION) and other):
                raise unreachable(first, route, place.proxy) from first
        try:
            return await _once(self._pool, outgoing, _place(outgoing, proxy), None)
        except FAILURES as error:
            raise unreachable(error, route, proxy) from error


_NO_CONNECTION = (NoConnectionError, ConnectingTooLongError, CertificateError, NotTlsError)


async def _once(pool: Pool, outgoing: Outgoing, place: Place, kept: Connection | None) -> Answer:
    """Send a request on a connection that was kept, or on a new one."""
    connection = await pool.new(place, outgoing.url) if kept is None else kept
    url, headers, body = outgoing.url, outgoing.headers, outgoing.body
    target = url.raw_path_qs
    if place.proxy is not None and place.scheme == "http":
        target = str(url)
        if place.proxy.login:  # for this way only: another attempt may take another one
            headers = headers.copy()
            headers["Proxy-Authorization"] = place.proxy.login
    length = None if outgoing.method == "GET" and not body else len(body)
    try:
        head = head_of(outgoing.method, target, url.host_port_subcomponent or "", headers, length)
        return await connection.ask(head, body)
    except BaseException:
        connection.abort()
        raise


def _place(outgoing: Outgoing, proxy: SystemProxy | None) -> Place:
    url = outgoing.url
    return Place(url.scheme, url.raw_host, url.port, proxy)


def _stale(kept: Connection, error: BaseException) -> bool:
    """Whether a kept connection was closed already: not a byte came, and that showed before anybody could
    have worked on the request."""
    if kept.heard or not isinstance(error, OSError | DisconnectedError):
        return False
    if kept.written_at is None:
        return True
    return asyncio.get_running_loop().time() - kept.written_at < _AT_ONCE_SECONDS


def _nothing_was_sent(error: BaseException) -> bool:
    """Whether no connection came about, for a reason that may be gone a moment later."""
    return isinstance(error, NoConnectionError)
