"""Who is connected, and who has to go.

A connection is a *stranger's* until a request on it shows a token. Strangers have half a minute, a bounded
head, and make room for whoever comes when all places are taken: a flood of connections drives out itself, and
the agents stay.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.access import split_path
from metaclaw_tray.proxy.caller import Caller, Handle
from metaclaw_tray.proxy.endpoints import endpoint
from metaclaw_tray.proxy.limits import Patience
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reply import Reply, alone
from metaclaw_tray.proxy.request import Request

log = logging.getLogger(__name__)


class Visitors:
    """The connections of one server, at most so many at once."""

    def __init__(self, handle: Handle, *, clock: Clock, most: int, patience: Patience) -> None:
        """`most` is how many connections are held at once."""
        self._handle = handle
        self._clock = clock
        self._most = most
        self._patience = patience
        # Both in the order of `since`, the longest first.
        self._strangers: dict[Caller, None] = {}
        self._known: dict[Caller, None] = {}
        self._nobody = asyncio.Event()
        self.open: set[Caller] = set()
        self.ending = False

    def __call__(self) -> Caller:
        """The protocol of a new connection."""
        return Caller(self._handle, self, _WORDS)

    def came(self, caller: Caller) -> None:
        """A connection has been made."""
        self.open.add(caller)
        self._nobody.clear()
        caller.since = self._clock.monotonic()
        self._strangers[caller] = None
        if len(self._strangers) + len(self._known) > self._most:
            self._make_room(caller)

    def left(self, caller: Caller) -> None:
        """A connection has ended."""
        self._forget(caller)
        self.open.discard(caller)
        if not self.open:
            self._nobody.set()

    def know(self, caller: object) -> None:
        """A request on this connection has shown a token."""
        assert isinstance(caller, Caller)
        if self._forget(caller):
            caller.since = self._clock.monotonic()
            self._known[caller] = None

    def sweep(self) -> None:
        """Close the connections on which nothing has moved for too long."""
        now, patience = self._clock.monotonic(), self._patience
        for stranger in list(self._strangers):
            if now - stranger.since < patience.head:
                break
            self._abort(stranger)
        for known in list(self._known):
            unsent = known.transport.get_write_buffer_size()
            if unsent != known.unsent or not unsent:
                known.unsent, known.unsent_since = unsent, now
            if unsent and now - known.unsent_since >= patience.stalled:
                log.info("closed a connection whose client takes nothing any more unsent=%d", unsent)
                self._abort(known)
            elif not known.is_idle:
                known.since = now
            elif now - known.since >= patience.idle:
                self._abort(known)

    def end(self) -> None:
        """Close the connections that wait for a request, and each other one behind its answer."""
        self.ending = True
        for caller in list(self.open):
            if caller.is_idle:
                caller.close()

    async def close(self, seconds: float) -> None:
        """End what is being answered, give it so many seconds to close what it holds, and cut all
        connections."""
        for caller in list(self.open):
            caller.cancel()
        await self._empty(seconds)
        for caller in list(self.open):
            self._abort(caller)
        await self._empty(seconds)

    async def _empty(self, seconds: float) -> None:
        if self.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._nobody.wait(), seconds)

    def _make_room(self, newcomer: Caller) -> None:
        oldest = next(iter(self._strangers))
        if oldest is newcomer:
            oldest = next((each for each in self._known if each.is_idle), newcomer)
        self._abort(oldest)

    def _abort(self, caller: Caller) -> None:
        self._forget(caller)
        caller.transport.abort()

    def _forget(self, caller: Caller) -> bool:
        """Whether it was there."""
        found = caller in self._strangers or caller in self._known
        self._strangers.pop(caller, None)
        self._known.pop(caller, None)
        return found


class _Words:
    """What we say where nothing can be answered."""

    def unreadable(self) -> bytes:
        return alone(problem(400, "bad_request", "This request cannot be read safely.", close=True))

    def head_too_large(self) -> bytes:
        return (
            b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        )

    def fault(self, request: Request) -> Reply:
        wanted = endpoint(split_path(request.target.partition("?")[0])[1])
        words = "MetaClaw Tray met a fault of its own; its log holds the details."
        dialect = wanted.dialect if wanted else ""
        return problem(500, "internal_error", words, dialect=dialect, close=True)


_WORDS = _Words()
