"""The same bytes, read by our server and by h11, which knows HTTP/1.1 by its grammar and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import h11
from multidict import CIMultiDict

from metaclaw_tray.proxy.caller import Caller
from metaclaw_tray.proxy.limits import Patience
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.request import BrokenBodyError, Request
from metaclaw_tray.proxy.visitors import Visitors
from support.clock import FakeClock

_MOST = 2**20  # bytes of a head, for h11

_FRAMING = frozenset({b"content-length", b"transfer-encoding"})


@dataclass(frozen=True)
class Read:
    """A whole request as somebody reads it."""

    method: bytes
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...]  # names in small letters, without what only frames the body
    body: bytes


@dataclass
class Reading:
    """What somebody reads of some bytes."""

    requests: list[Read] = field(default_factory=list)
    refused: bool = False  # what follows is none
    last: bool = False  # the last one says that no other follows
    blind: bool = False  # it does not look behind the last one


def strictly(sent: bytes) -> Reading:
    """As h11 reads it."""
    reading = Reading()
    while sent := _without_blank_lines(sent):
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=_MOST)
        connection.receive_data(sent)
        try:
            read = _one(connection, reading)
        except h11.RemoteProtocolError:
            reading.refused = True
            return reading
        if not read or reading.last or reading.blind:
            return reading
        sent = connection.trailing_data[0]
    return reading


def _one(connection: h11.Connection, reading: Reading) -> bool:
    """Whether there is one more whole request."""
    asked, body = connection.next_event(), b""
    if not isinstance(asked, h11.Request):
        return False
    while isinstance(piece := connection.next_event(), h11.Data):
        body += bytes(piece.data)
    if not isinstance(piece, h11.EndOfMessage):
        return False
    headers = tuple((name, value) for name, value in asked.headers if name not in _FRAMING)
    if asked.method in (b"GET", b"HEAD"):  # a body of theirs means nothing, and we drop it
        body = b""
    reading.requests.append(Read(asked.method, asked.target, headers, body))
    connection.send(h11.Response(status_code=400, headers=[("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())
    if connection.our_state is not h11.DONE:
        reading.last = not (asked.http_version == b"1.0" and _stays(asked))
        reading.blind = not reading.last  # h11 knows no old client that stays
    return True


def _without_blank_lines(sent: bytes) -> bytes:
    """As RFC 9112, 2.2 asks, and h11 does not."""
    while sent.startswith(b"\r\n"):
        sent = sent[2:]
    return b"" if sent == b"\r" else sent


def _stays(asked: h11.Request) -> bool:
    options = [value for name, value in asked.headers if name == b"connection"]
    return any(each.strip().lower() == b"keep-alive" for value in options for each in value.split(b","))


class Line(asyncio.Transport):
    """A client's end, of which we see what is said to it."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.ended = False
        self._caller: Caller | None = None

    def connect(self, caller: Caller) -> None:
        self._caller = caller
        caller.connection_made(self)

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True

    def is_closing(self) -> bool:
        return self._caller is None

    def close(self) -> None:
        caller, self._caller, self.ended = self._caller, None, True
        if caller is not None:
            caller.connection_lost(None)

    abort = close

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


async def ours(pieces: Sequence[bytes]) -> Reading:
    """As our server reads it, however it is cut."""
    reading = Reading()

    async def handle(request: Request) -> Reply | None:
        body = b""
        if len(request.headers.getall("Host", ())) != 1:
            return Reply(403, CIMultiDict(), b"", ends=True)  # as the door does
        try:
            while piece := await request.more():
                body += piece
        except BrokenBodyError:
            return Reply(400, CIMultiDict(), b"", ends=True)
        headers = tuple(
            (name.lower().encode(), value.encode("utf-8", "surrogateescape"))
            for name, value in request.headers.items()
            if name.lower().encode() not in _FRAMING
        )
        reading.requests.append(Read(request.method.encode(), request.target.encode(), headers, body))
        reading.last = not request.keeps
        return Reply(200, CIMultiDict(), b"")

    line = Line()
    caller = Visitors(handle, clock=FakeClock(), most=16, patience=Patience())()
    line.connect(caller)
    for piece in pieces:
        if line.ended:
            break
        caller.data_received(piece)
        await asyncio.sleep(0)
    idle = 0
    while idle < 8 and not line.ended:  # turns of the loop; each answer takes a few
        before = line.said
        await asyncio.sleep(0)
        idle = idle + 1 if line.said == before else 0
    assert b"HTTP/1.1 500" not in line.said
    answers = line.said.count(b"HTTP/1.")
    reading.refused = answers > len(reading.requests)
    assert answers <= len(reading.requests) + 1
    assert not reading.refused or line.ended
    line.close()
    return reading


def disagreement(mine: Reading, theirs: Reading) -> str:
    """What we read that a strict reader does not; "" where there is nothing. We may refuse more."""
    for place, read in enumerate(mine.requests):
        if place >= len(theirs.requests):
            if theirs.blind:
                return ""
            return f"only we read {read}"
        if read != theirs.requests[place]:
            return f"we read {read}, it reads {theirs.requests[place]}"
    if len(mine.requests) < len(theirs.requests) and not mine.refused and not mine.last:
        return f"we wait where it reads {theirs.requests[len(mine.requests)]}"
    if theirs.refused and not mine.refused and not mine.last and len(mine.requests) > len(theirs.requests):
        return "we go on where it refuses"
    if theirs.last and not mine.refused and not mine.last and len(mine.requests) == len(theirs.requests):
        return "we keep a connection that is to end"
    return ""
