"""An upstream that does as it is told, byte for byte, and remembers what it saw."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Saw:
    """One request as it arrived."""

    line: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(found) <= 1, f"{name} came twice"
        return found[0] if found else None

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """The upstream's end of one connection, while it answers one request."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._transport = connection.transport
        self.left = connection.left  # set once the connection is gone

    async def send(self, data: bytes) -> None:
        self._transport.write(data)
        await asyncio.sleep(0)  # let it reach the socket before the next piece

    async def flowing(self) -> None:
        """Return once the other side takes more; says so when it has to wait."""
        if not self._connection.flowing.is_set():
            self._connection.upstream.stalled.set()
            await self._connection.flowing.wait()

    async def head(self, status: str = "200 OK", **headers: str) -> None:
        lines = [f"HTTP/1.1 {status}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        await self.send("\r\n".join([*lines, "", ""]).encode())

    async def stream_head(self, content_type: str = EVENT_STREAM) -> None:
        await self.head(Content_Type=content_type, Transfer_Encoding="chunked")

    async def chunk(self, data: bytes) -> None:
        await self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end(self) -> None:
        await self.send(b"0\r\n\r\n")

    async def answer(
        self,
        body: bytes,
        status: str = "200 OK",
        content_type: str = "application/json",
        **headers: str,
    ) -> None:
        await self.head(status, Content_Type=content_type, Content_Length=str(len(body)), **headers)
        await self.send(body)

    def cut(self) -> None:
        """End the connection as if all had been said."""
        self._transport.close()

    def reset(self) -> None:
        """End it as a crash would."""
        raw = self._transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()


Script = Callable[[Saw, Wire], Awaitable[None]]


def completion(text: str = "hello", **more: Any) -> bytes:
    """A plain answer."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return json.dumps(
        {
            "id": "c1",
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            **more,
        }
    ).encode()


def delta(text: str, finish: str | None = None) -> bytes:
    """One event of a streamed answer."""
    chunk = {"id": "c1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


async def says_hello(saw: Saw, wire: Wire) -> None:
    if saw.body and saw.json.get("stream"):
        await wire.stream_head()
        for event in (delta("hel"), delta("lo", "stop"), DONE):
            await wire.chunk(event)
        await wire.end()
    else:
        await wire.answer(completion())


class Upstream:
    """Listens on loopback; `script` answers every request."""

    def __init__(self) -> None:
        self.script: Script = says_hello
        self.seen: list[Saw] = []
        self.connections = 0
        self.stalled = asyncio.Event()  # a connection has taken no more for a while
        self.tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self.tasks:
            task.cancel()
        failed = await asyncio.gather(*self.tasks, return_exceptions=True)
        assert not [each for each in failed if isinstance(each, Exception)]


@contextlib.asynccontextmanager
async def open_upstream(script: Script | None = None) -> AsyncIterator[Upstream]:
    """One more upstream beside the house's own."""
    upstream = Upstream()
    upstream.script = script or upstream.script
    await upstream.start()
    try:
        yield upstream
    finally:
        await upstream.stop()


class _Connection(asyncio.Protocol):
    """Cuts what comes into requests and has each of them answered."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self.left = asyncio.Event()
        self.flowing = asyncio.Event()
        self.flowing.set()
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it
        self.upstream.connections += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self.left.set()
        self.flowing.set()

    def pause_writing(self) -> None:
        self.flowing.clear()

    def resume_writing(self) -> None:
        self.flowing.set()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._buffer.startswith(b"\x16\x03"):  # TLS, which this port does not speak
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            self.transport.close()
            return
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        line, *rest = self._buffer[:end].decode("latin1").split("\r\n")
        headers = [(name, value.strip()) for name, _, value in (each.partition(":") for each in rest)]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        if len(self._buffer) < end + 4 + length:
            return
        saw = Saw(line, headers, bytes(self._buffer[end + 4 : end + 4 + length]))
        del self._buffer[: end + 4 + length]
        self.upstream.seen.append(saw)
        task = asyncio.ensure_future(self._answer(saw))
        self.upstream.tasks.add(task)

    async def _answer(self, saw: Saw) -> None:
        await self.upstream.script(saw, Wire(self))
