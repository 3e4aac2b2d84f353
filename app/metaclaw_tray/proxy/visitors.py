"""Who is connected, and who has to go.

A connection is a *stranger's* until a request on it shows a token. Strangers have half a minute, a bounded
head, and make room for whoever comes when all places are taken: a flood of connections drives out itself, and
the agents stay.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.access import split_path
from metaclaw_tray.proxy.endpoints import endpoint
from metaclaw_tray.proxy.limits import HEAD_BYTES, Patience
from metaclaw_tray.proxy.problems import problem

log = logging.getLogger(__name__)

_END_OF_HEAD = b"\r\n\r\n"


class Visitor(RequestHandler):
    """One connection. What cannot be read on it is refused in few words, and the log quotes none of it."""

    __slots__ = ("_head",)

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._head = 0  # bytes of a head that has not come whole

    @property
    def is_idle(self) -> bool:
        """Whether it waits for a request, or for the rest of a head."""
        return self._waiter is not None and not self._messages

    def data_received(self, data: bytes) -> None:
        """As aiohttp does, but for a head that is too large as a whole, whatever its parts are."""
        if not self.is_idle:
            super().data_received(data)
            return
        room = HEAD_BYTES - self._head
        if len(data) > room and data.find(_END_OF_HEAD, 0, room) < 0:
            self._refuse_head()
            return
        super().data_received(data)
        self._head = self._head + len(data) if not self._messages else 0

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what cannot be read, or to a fault of ours. Ends the connection."""
        del message  # it quotes the request
        if isinstance(exc, HttpProcessingError):
            log.debug("a request could not be read reason=%s", type(exc).__name__)
            return problem(400, "bad_request", "This request cannot be read safely.", close=True)
        log.error("a request met a fault of ours", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun, so only the end of the connection tells")
        wanted = endpoint(split_path(request.raw_path.partition("?")[0])[1])
        words = "MetaClaw Tray met a fault of its own; its log holds the details."
        return problem(status, "internal_error", words, dialect=wanted.dialect if wanted else "", close=True)

    def _refuse_head(self) -> None:
        if self.transport is not None:
            self.transport.write(_HEAD_TOO_LARGE)
        self.force_close()


_HEAD_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


@dataclass(slots=True)
class _Presence:
    """What is known of a connection."""

    visitor: Visitor
    transport: asyncio.Transport
    since: float  # the clock's seconds: when it came, or when it was last seen at work
    unsent: int = 0  # bytes of an answer that wait for the client
    unsent_since: float = 0.0


class Visitors(web.Server):
    """The connections of one server, at most so many at once."""

    def __init__(self, *args: Any, clock: Clock, most: int, patience: Patience, **named: Any) -> None:
        """`most` is how many connections are held at once; what else is given goes to aiohttp's server."""
        super().__init__(*args, **named)
        self._clock = clock
        self._most = most
        self._patience = patience
        # Both in the order of `since`, the longest first.
        self._strangers: dict[RequestHandler, _Presence] = {}
        self._known: dict[RequestHandler, _Presence] = {}

    def __call__(self) -> RequestHandler:
        return Visitor(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        assert isinstance(handler, Visitor)
        self._strangers[handler] = _Presence(handler, transport, self._clock.monotonic())
        if len(self._strangers) + len(self._known) > self._most:
            self._make_room(handler)

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        self._forget(handler)
        super().connection_lost(handler, exc)

    def know(self, handler: RequestHandler) -> None:
        """A request on this connection has shown a token."""
        presence = self._strangers.pop(handler, None) or self._known.pop(handler, None)
        if presence is not None:
            presence.since = self._clock.monotonic()
            self._known[handler] = presence

    def sweep(self) -> None:
        """Close the connections on which nothing has moved for too long."""
        now, patience = self._clock.monotonic(), self._patience
        for handler, stranger in list(self._strangers.items()):
            if now - stranger.since < patience.head:
                break
            self._close(handler)
        for handler, known in list(self._known.items()):
            unsent = known.transport.get_write_buffer_size()
            if unsent != known.unsent or not unsent:
                known.unsent, known.unsent_since = unsent, now
            if unsent and now - known.unsent_since >= patience.stalled:
                log.info("closed a connection whose client takes nothing any more unsent=%d", unsent)
                self._close(handler)
            elif not known.visitor.is_idle:
                known.since = now
            elif now - known.since >= patience.idle:
                self._close(handler)

    def close_idle(self) -> None:
        """Close the connections that wait for a request. The others may still have to bring the rest of one:
        aiohttp's own way to close politely reads nothing more."""
        for handler in list(self.connections):
            assert isinstance(handler, Visitor)
            if handler.is_idle:
                handler.close()

    def _make_room(self, newcomer: RequestHandler) -> None:
        oldest = next(iter(self._strangers))
        if oldest is newcomer:
            oldest = next((each for each, known in self._known.items() if known.visitor.is_idle), newcomer)
        self._close(oldest)

    def _close(self, handler: RequestHandler) -> None:
        presence = self._forget(handler)
        if presence is not None:
            presence.transport.abort()

    def _forget(self, handler: RequestHandler) -> _Presence | None:
        return self._strangers.pop(handler, None) or self._known.pop(handler, None)
