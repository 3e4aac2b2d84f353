"""The body of a request: whole, in time, and no larger than it may be."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from metaclaw_tray.proxy.headers import encoding_of
from metaclaw_tray.proxy.limits import ALL_BODIES_BYTES, BODY_BYTES
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.request import BrokenBodyError, Request
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import TooLargeError, decoded

_QUICK_BYTES = 2**20  # what is decoded at once; more is decoded beside the loop
_DECODERS = 2  # bodies that are decoded beside the loop at the same time


class Sent(Struct, frozen=True, gc=False):
    """A body as it goes upstream."""

    body: bytes
    plain: bytes | None  # without its content encoding; None where that cannot be taken off
    recoded: bool  # it lost the content encoding that it came with


class Body(Struct, frozen=True, gc=False):
    """A request's body, whole."""

    came: bytes = b""
    plain: bytes | None = b""  # without its content encoding; None where that was not taken off

    @property
    def unchanged(self) -> Sent:
        return Sent(self.came, self.plain, recoded=False)

    def changed(self, plain: bytes) -> Sent:
        """Another one in its place."""
        return Sent(plain, plain, recoded=self.plain is not self.came)


class Share:
    """What one request holds of the room that all open ones share: its body as it came, as it was read and as
    it went on, each for as long as the request is open."""

    def __init__(self, room: Bodies) -> None:
        self._room = room
        self._size = 0

    def take(self, size: int) -> None:
        """Hold so many bytes more."""
        self._size += size
        self._room.held += size

    def let_go(self, size: int | None = None) -> None:
        """Hold so many bytes less, or none at all any more."""
        size = self._size if size is None else size
        self._size -= size
        self._room.held -= size


class Bodies:
    """Reads the bodies of requests, and knows how much those that are open hold together."""

    def __init__(self, patience: float, most: int = ALL_BODIES_BYTES) -> None:
        """`patience` is how many seconds may pass between two pieces of a body."""
        self.held = 0  # bytes
        self._patience = patience
        self._most = most
        self._decoders = asyncio.Semaphore(_DECODERS)

    async def read(self, request: Request, dialect: str, share: Share, *, decode: bool) -> Body | Reply:
        """The whole body, or the answer that says why it was not taken. With `decode` its content encoding is
        taken off, where that can be done."""

        def refused(status: int, code: str, message: str) -> Reply:
            return problem(status, code, message, dialect=dialect, close=True)

        announced = request.announced
        if expected := ", ".join(request.headers.getall("Expect", ())):
            if expected.lower() != "100-continue":
                return refused(417, "expectation_failed", f"Expect: {expected} is not known here.")
            if announced <= BODY_BYTES and not request.head.old:
                request.proceed()
        try:
            if announced > BODY_BYTES:
                raise _TooMuchError
            came = await self._pieces(request, share)
            encoding = encoding_of(request.headers)
            if not encoding:
                return Body(came, came)
            return Body(came, await self._plain(came, encoding, share) if decode else None)
        except _TooMuchError:
            return refused(413, "request_too_large", f"It is larger than {BODY_BYTES // 2**20} MB.")
        except TooLargeError:
            return refused(413, "request_too_large", f"It is larger than {BODY_BYTES // 2**20} MB, decoded.")
        except _FullError:
            return refused(
                429, "too_many_requests", "The open requests are too large together. Try again soon."
            )
        except TimeoutError:
            return refused(
                408, "request_timeout", f"Nothing more of it came in {self._patience:.0f} seconds."
            )
        except BrokenBodyError:
            return refused(400, "broken_body", "The request's body is cut, or framed wrongly.")

    async def _pieces(self, request: Request, share: Share) -> bytes:
        """All pieces in one. Raises _TooMuchError, _FullError, TimeoutError."""
        if request.whole:  # all of it came with the head
            body = request.taken()
            share.take(len(body))
            return body
        loop = asyncio.get_running_loop()
        whole = bytearray()  # one large block, which the system takes back, where many small ones stay
        async with asyncio.timeout(self._patience) as limit:
            while piece := await request.more():
                whole += piece
                share.take(len(piece))
                if len(whole) > BODY_BYTES:
                    raise _TooMuchError
                if self.held > self._most:
                    raise _FullError
                limit.reschedule(loop.time() + self._patience)
        return bytes(whole)

    async def _plain(self, body: bytes, encoding: str, share: Share) -> bytes | None:
        """The body without its content encoding; None where that cannot be taken off.

        Nobody knows how much it becomes before it is there. So what is not small is decoded beside the loop,
        and the room for the largest is held as long. Raises TooLargeError, _FullError.
        """
        try:
            plain = _quickly(body, encoding)
            if plain is None:
                async with self._decoders:
                    plain = await self._beside(body, encoding, share)
            if plain is not body:
                share.take(len(plain))
            return plain
        except TooLargeError:
            raise
        except WireError:
            return None

    async def _beside(self, body: bytes, encoding: str, share: Share) -> bytes:
        share.take(BODY_BYTES)
        try:
            if self.held > self._most:
                raise _FullError
            return await asyncio.to_thread(decoded, body, encoding, BODY_BYTES)
        finally:
            share.let_go(BODY_BYTES)


def _quickly(body: bytes, encoding: str) -> bytes | None:
    """A small body without its encoding; None where it is not small."""
    if len(body) > _QUICK_BYTES:
        return None
    try:
        return decoded(body, encoding, _QUICK_BYTES)
    except TooLargeError:
        return None


class _TooMuchError(Exception):
    """The body is larger than one may be."""


class _FullError(Exception):
    """The body is one too many."""
