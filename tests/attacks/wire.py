"""Bytes to the app and back, for attackers who write their HTTP by hand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

_SECONDS = 60.0  # a hang guard


@dataclass(frozen=True)
class Target:
    """The app, and what the attacker knows of it."""

    port: int
    token: str = ""  # one that opens, for attacks by those who have one
    host: str = "127.0.0.1"

    @property
    def path(self) -> str:
        return f"/a/{self.token}/v1/chat/completions"

    def head(self, *lines: str, method: str = "POST", path: str = "", host: str | None = None) -> bytes:
        """The head of a request. `{port}` and `{token}` in lines are filled in; `host` "" is none at all."""
        named = "127.0.0.1:{port}" if host is None else host
        all_lines = [f"{method} {path or self.path} HTTP/1.1", *([f"Host: {named}"] if named else []), *lines]
        text = "\r\n".join([*all_lines, "", ""])
        return text.replace("{port}", str(self.port)).replace("{token}", self.token).encode()

    def post(self, body: bytes, *lines: str, **more: str) -> bytes:
        """A whole request of JSON."""
        length = f"Content-Length: {len(body)}"
        return self.head("Content-Type: application/json", *lines, length, **more) + body


@dataclass
class Tally:
    """What an attack came to."""

    tries: int = 0
    got: list[str] = field(default_factory=list)
    """What it should not have got; nothing, where the app is closed."""
    seen: dict[str, int] = field(default_factory=dict)
    """How it was answered, by status, and how often."""

    def judge(self, what: str, answer: bytes, *fine: int) -> None:
        """Count an answer. It is a gain where its status is none of those that are fine; 0 is a connection
        that was closed without a word."""
        status = int(answer[9:12]) if answer[:5] == b"HTTP/" and answer[9:12].isdigit() else 0
        self.tries += 1
        self.seen[str(status)] = self.seen.get(str(status), 0) + 1
        if status not in fine:
            self.got.append(f"{what}: {answer[:80]!r}")
        if b"access-control-" in answer.lower():
            self.got.append(f"{what}: a permission for pages")


@contextlib.asynccontextmanager
async def connected(target: Target) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(target.host, target.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def exchange(target: Target, request: bytes) -> bytes:
    """All that the app says to these bytes until it closes, or until one answer with a length is whole."""
    async with connected(target) as (reader, writer):
        with contextlib.suppress(ConnectionError):
            writer.write(request)
            await writer.drain()
        return await answer_on(reader)


async def answer_on(reader: asyncio.StreamReader) -> bytes:
    """The next answer with its body; what came of it where the connection closes."""
    try:
        async with asyncio.timeout(_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            lengths = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
            return head + await reader.readexactly(lengths[0] if lengths else 0)
    except asyncio.IncompleteReadError as error:
        return error.partial
    except ConnectionError:
        return b""


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    """All that comes."""
    try:
        async with asyncio.timeout(_SECONDS):
            return await reader.read()
    except ConnectionError:
        return b""
