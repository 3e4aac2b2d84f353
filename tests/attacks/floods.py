"""Too much of everything: connections, patience, heads, halves of bodies, answers that nobody takes."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from itertools import count

from attacks.shapes import BODY
from attacks.wire import Tally, Target, answer_on, connected, until_closed

_KEPT_BACK = 300  # descriptors of the attacker's own


def most_connections(wanted: int) -> int:
    """How many connections this process can open of so many wanted."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted + _KEPT_BACK:
        soft = hard if hard != resource.RLIM_INFINITY and hard < wanted + _KEPT_BACK else wanted + _KEPT_BACK
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(wanted, soft - _KEPT_BACK)


async def connections(target: Target, wanted: int = 10_000) -> Tally:
    """As many connections as there are descriptors, each of them silent; then what still answers."""
    tally, most = Tally(), most_connections(wanted)
    writers: list[asyncio.StreamWriter] = []
    try:
        for _ in range(most):
            with contextlib.suppress(OSError):
                writers.append((await asyncio.open_connection(target.host, target.port))[1])
            tally.tries += 1
        async with connected(target) as (reader, writer):
            writer.write(target.head(method="GET", path="/healthz"))
            tally.judge("health behind the flood", await answer_on(reader), 200)
    finally:
        for each in writers:
            each.transport.abort()
    tally.seen["opened"] = len(writers)
    return tally


async def slow_heads(target: Target, clients: int = 400, seconds: float = 5.0) -> Tally:
    """Slowloris: a letter of a header now and then."""
    tally = Tally(tries=clients)

    async def drip() -> None:
        with contextlib.suppress(OSError):
            async with connected(target) as (_, writer):
                writer.write(target.head()[:-2] + b"X-Slow: ")
                while True:
                    await asyncio.sleep(0.1)
                    writer.write(b"x")
                    await writer.drain()

    await _for(seconds, [drip() for _ in range(clients)])
    return tally


async def endless_heads(target: Target, clients: int = 100) -> Tally:
    """Headers without end, one large or many small."""
    tally = Tally()

    async def write(line: bytes) -> None:
        async with connected(target) as (reader, writer):
            with contextlib.suppress(ConnectionError):
                writer.write(target.head()[:-2])
                for number in count():
                    if reader.at_eof() or number * len(line) > 64 * 2**20:
                        break
                    writer.write(line.replace(b"#", b"%d" % number))
                    await writer.drain()
            tally.judge("a head without end", await until_closed(reader), 0, 400, 431)

    lines = [b"x" * 100_000, b"X-#: " + b"x" * 50_000 + b"\r\n", b"X-#: x\r\n" * 1]
    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(write(lines[number % len(lines)]))
    return tally


async def half_bodies(target: Target, clients: int = 100, seconds: float = 3.0) -> Tally:
    """Bodies announced and begun, by somebody who has a token: held open, then left."""
    tally = Tally(tries=clients)

    async def begin() -> None:
        with contextlib.suppress(OSError):
            async with connected(target) as (_, writer):
                head = target.head("Content-Type: application/json", "Content-Length: 50000000")
                writer.write(head + b'{"model":"' + b"x" * 100_000)
                await asyncio.sleep(seconds * 2)

    await _for(seconds, [begin() for _ in range(clients)])
    return tally


async def strangers_bodies(target: Target, clients: int = 50) -> Tally:
    """Large bodies without a token: nothing of them is kept."""
    tally = Tally()

    async def send() -> None:
        async with connected(target) as (reader, writer):
            with contextlib.suppress(ConnectionError):
                writer.write(
                    target.head(
                        "Content-Type: application/json", "Content-Length: 90000000", path="/v1/messages"
                    )
                )
                for _ in range(90):
                    writer.write(b" " * 1_000_000)
                    await writer.drain()
            tally.judge("a stranger's body", await until_closed(reader), 0, 401)

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(send())
    return tally


async def takers_of_nothing(target: Target, body: bytes, clients: int = 50, seconds: float = 5.0) -> Tally:
    """Long answers asked for with a token, and never read. `body` is a request that is answered at length."""
    tally = Tally(tries=clients)

    async def ask() -> None:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(target.host, target.port, limit=1024)
            try:
                writer.transport.pause_reading()
                writer.write(target.post(body))
                await asyncio.sleep(seconds * 2)
            finally:
                writer.transport.abort()
                del reader

    await _for(seconds, [ask() for _ in range(clients)])
    return tally


async def pipelines(target: Target, clients: int = 20, requests: int = 2000) -> Tally:
    """Thousands of requests in one breath, none of them with a token."""
    tally = Tally()

    async def write() -> None:
        async with connected(target) as (reader, writer):
            with contextlib.suppress(ConnectionError):
                writer.write(target.post(BODY, path="/v1/messages") * requests)
                await writer.drain()
            got = await until_closed(reader)
            tally.judge("a pipeline", got, 0, 401)
            if got.count(b"HTTP/1.1 ") > 1:
                tally.got.append("a pipeline goes on behind a refusal")

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(write())
    return tally


async def _for(seconds: float, attackers: list) -> None:  # type: ignore[type-arg]
    """Let them all run for so long."""
    tasks = [asyncio.ensure_future(each) for each in attackers]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
