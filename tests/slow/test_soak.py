"""Thousands of requests by clients that leave at every moment, to an upstream that fails in every way."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import gzip
import os
import random
import socket
import struct
import sys
from collections.abc import Callable

import psutil
import pytest

from proxy.house import TOKEN, House, open_house
from proxy.upstream import DONE, Saw, Wire, completion, delta

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

REQUESTS = int(os.environ.get("METACLAW_TRAY_SOAK", "6000"))  # more of them by hand
WARM = 2_000
WORKERS = 32
GROWTH = 24 * 2**20  # bytes that may be held more; one of a hundred leaks of a turn would be more
LINGER = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
BODY = b'{"model":"m","messages":[{"role":"user","content":"%d"}]}'
LARGE = b'{"model":"m","messages":[{"role":"user","content":"' + b"x" * 400_000 + b'"}]}'

_FAULTS = """none none stream stream reset close half-a-head cut reset-in-the-middle short 500 429 no-http
closes-after hints more-behind never 204 large trailers"""
FAULTS = _FAULTS.split()


async def upstream(saw: Saw, wire: Wire) -> None:
    with contextlib.suppress(OSError):  # it has left
        await answer(saw.header("X-Fault") or "none", wire)


async def answer(fault: str, wire: Wire) -> None:
    if fault in ("stream", "cut", "reset-in-the-middle", "trailers"):
        await wire.stream_head()
        for _ in range(4):
            await wire.chunk(delta("word "))
        if fault == "stream":
            await wire.chunk(DONE)
            await wire.end()
        elif fault == "trailers":
            await wire.send(b"0\r\nX-A: b\r\n\r\n")
        elif fault == "cut":
            wire.cut()
        else:
            wire.reset()
    elif fault == "never":
        await wire.left.wait()
    elif fault == "reset":
        wire.reset()
    elif fault == "close":
        wire.cut()
    elif fault == "half-a-head":
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Le")
        wire.cut()
    elif fault == "short":
        await wire.head(Content_Length="5000", Content_Type="application/json")
        await wire.send(b"{")
        wire.cut()
    elif fault == "no-http":
        await wire.send(b"SSH-2.0-x\r\n")
        wire.cut()
    elif fault == "hints":
        await wire.send(b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n")
        await wire.answer(completion())
    elif fault == "more-behind":
        await wire.answer(completion())
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    elif fault == "204":
        await wire.send(b"HTTP/1.1 204 No Content\r\n\r\n")
    elif fault == "large":
        await wire.answer(completion("x" * 3_000_000))
    else:
        await wire.answer(completion(), {"500": "500 Oh", "429": "429 Slow"}.get(fault, "200 OK"))
        if fault == "closes-after":
            wire.cut()


class Client:
    """One client after the other; each does one thing of what clients do."""

    def __init__(self, house: House, chance: random.Random) -> None:
        self._house = house
        self._chance = chance
        self.done = 0

    def _request(self, fault: str) -> bytes:
        head = (
            f"POST /a/{TOKEN}/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{self._house.port}\r\n"
            f"Content-Type: application/json\r\nX-Fault: {fault}\r\n"
        ).encode()
        body = LARGE if self._chance.random() < 0.05 else BODY % self._chance.randrange(50)
        match self._chance.randrange(8):
            case 0:
                return head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
            case 1:
                body = gzip.compress(body, 1)
                return head + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
            case 2:
                return head + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
            case 3:
                return b"GET /a/%b/v1/models HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Fault: %b\r\n\r\n" % (
                    TOKEN.encode(),
                    self._house.port,
                    fault.encode(),
                )
        return head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    async def once(self) -> None:
        chance, fault = self._chance, self._chance.choice(FAULTS)
        sent = self._request(fault)
        reader, writer = await asyncio.open_connection("127.0.0.1", self._house.port)
        try:
            match chance.randrange(8):
                case 0:  # gone in the middle of its request
                    writer.write(sent[: chance.randrange(len(sent))])
                    await self._turns(20)
                case 1:  # gone before the answer, or in it
                    writer.write(sent)
                    await self._turns(60)
                case 2 if fault != "never":  # takes a little of the answer
                    writer.write(sent)
                    await reader.read(100)
                case 3:  # ends its side
                    writer.write(sent)
                    writer.write_eof()
                    await reader.read()
                case 4:  # says what is no request
                    place = chance.randrange(len(sent))
                    writer.write(sent[:place] + chance.randbytes(3) + sent[place:])
                    await self._turns(60)
                case 5:  # two at once
                    writer.write(sent + sent)
                    await self._turns(100)
                case _ if fault != "never":
                    writer.write(sent)
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write_eof()
                    await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            if chance.random() < 0.3:
                raw = writer.get_extra_info("socket")
                with contextlib.suppress(OSError):
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
            writer.transport.abort()
            self.done += 1

    async def _turns(self, most: int) -> None:
        for _ in range(self._chance.randrange(most)):
            await asyncio.sleep(0)


async def run(house: House, count: int, seed: int) -> None:
    clients = [Client(house, random.Random(seed * 1000 + place)) for place in range(WORKERS)]

    async def work(client: Client) -> None:
        while sum(each.done for each in clients) < count:
            async with asyncio.timeout(120):  # a guard
                await client.once()
            house.upstream.seen.clear()
            house.upstream.tasks = {task for task in house.upstream.tasks if not task.done()}
            house.pipe.records.clear()

    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(work(client))


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.01)


async def settled(house: House) -> tuple[int, int]:
    """Once nothing is open: descriptors, and bytes of memory."""
    server, relay = house.proxy._server, house.proxy._relay
    assert server is not None
    assert relay is not None
    pool = relay._upstreams._pool
    await until(lambda: not server.open and not house.proxy.counters.open_turns and not house.proxy._open)
    await until(lambda: len(pool.open) == sum(map(len, pool.idle.values())))
    pool.close()
    await until(lambda: not pool.open)
    assert not server._strangers
    assert not server._known
    assert house.proxy._bodies.held == 0
    assert house.proxy.counters.faults == 0
    await until(lambda: not [task for task in asyncio.all_tasks() if "Caller" in str(task.get_coro())])
    await until(lambda: not [task for task in house.upstream.tasks if not task.done()])
    gc.collect()
    process = psutil.Process()
    descriptors = process.num_fds() if hasattr(process, "num_fds") else process.num_handles()
    return descriptors, process.memory_info().rss


async def soak() -> None:
    async with open_house() as house:
        house.upstream.script = upstream
        await run(house, WARM, 1)
        descriptors, memory = await settled(house)
        await run(house, REQUESTS, 2)
        after, more = await settled(house)
        assert after <= descriptors + 2
        assert more <= memory + GROWTH
        house.upstream.tasks.clear()
        assert (await house.say("hi")).status == 200


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_nothing_is_left_of_clients_that_leave_and_upstreams_that_fail(loop: str) -> None:
    if loop == "asyncio":
        asyncio.run(soak())
        return
    pytest.importorskip("uvloop", reason="there is none here").run(soak())
