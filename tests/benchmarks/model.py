"""The benchmark's model: the least that a server can do which reads a request and gives a known answer.

It speaks the three dialects (`benchmarks.answers`) and looks at no more of a body than its first bytes,
where the model's name stands, so that it is fast with long ones. A model that reads what it is asked is
`support.scripted_llm`.

`python -m benchmarks.model` prints one line of JSON with its URL and serves until its standard input ends.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from typing import cast

import uvloop

from benchmarks.answers import ANSWERS, PACE_SECONDS, STAMP, Answer, whole
from support.standalone import announce, until_input_ends

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_BEGINNING = 400  # bytes of a body in which the model's name must stand
_DIALECTS = ((b"/chat/completions", "chat"), (b"/messages", "messages"), (b"/responses", "responses"))
_MODELS = ("bench-json", "bench-burst", "bench-paced")
_UNKNOWN = whole(b'{"error":{"message":"no such path or model"}}', b"404 Not Found")
_BY_NAME = [
    (path, [(model.encode(), ANSWERS[dialect, model]) for model in _MODELS]) for path, dialect in _DIALECTS
]


def answer_to(head: bytes, beginning: bytes) -> Answer | None:
    """The answer that a request line and the first bytes of a body ask for."""
    target = head[: head.find(b"\r\n")]
    for path, models in _BY_NAME:
        if path in target:
            return next((answer for model, answer in models if model in beginning), None)
    return None


class Connection(asyncio.Protocol):
    """One client, which asks again only after it was answered."""

    def __init__(self) -> None:
        self._head = b""  # of the request that is being read; empty between two
        self._beginning = b""
        self._left = 0  # bytes of its body that have not come yet
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it
        self._loop = asyncio.get_running_loop()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        if self._left:
            body = data
        else:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            self._head, body = self._head[:end], self._head[end + 4 :]
            length = _LENGTH.search(self._head)
            self._left = int(length[1]) if length else 0
            self._beginning = b""
        if len(self._beginning) < _BEGINNING:
            self._beginning += body[:_BEGINNING]
        self._left -= len(body)
        if self._left > 0:
            return
        answer = answer_to(self._head, self._beginning)
        self._head, self._left = b"", 0
        if answer is None:
            self._transport.write(_UNKNOWN)
        elif len(answer.pieces) == 1:
            self._transport.write(answer.pieces[0])
        else:
            self._piece(self._loop.time(), answer, 0)

    def _piece(self, due: float, answer: Answer, index: int) -> None:
        """Each piece is due a whole pause after the one before it was, however late that one went out."""
        self._transport.write(answer.pieces[index].replace(STAMP, b"T%019d" % time.monotonic_ns()))
        if index + 1 < len(answer.pieces):
            due += PACE_SECONDS
            self._timer = self._loop.call_at(due, self._piece, due, answer, index + 1)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=512)
    async with server:
        announce(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await until_input_ends()
        os._exit(0)  # streams still running are of no use to anybody


if __name__ == "__main__":
    uvloop.run(_serve())
