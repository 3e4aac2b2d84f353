"""Many requests, many clients, large bodies: nothing is left behind, and nothing is lost."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable

import pytest

from proxy.house import TOKEN, House, raw_exchange
from proxy.upstream import Saw, Wire, completion, delta

BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}'


def request(house: House, body: bytes = BODY) -> bytes:
    return (
        b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
        % (TOKEN.encode(), house.port, len(body), body)
    )


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):  # a guard; it takes milliseconds
        while not true():
            await asyncio.sleep(0)


def kept_upstream(house: House) -> tuple[int, int]:
    """Connections to upstreams that are in use, and that wait to be used again."""
    assert house.proxy._relay is not None
    pool = house.proxy._relay._upstreams._pool
    idle = sum(map(len, pool.idle.values()))
    return len(pool.open) - idle, idle


async def test_a_thousand_requests_need_two_connections(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(completion())

    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    for _ in range(1000):
        writer.write(request(house))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert await reader.readexactly(len(completion())) == completion()
    writer.close()
    assert (len(house.upstream.seen), house.upstream.connections) == (1000, 1)
    assert kept_upstream(house) == (0, 1)


@pytest.mark.parametrize("when", ["before the head", "in the middle"])
async def test_three_hundred_clients_that_vanish_leave_nothing_open(house: House, when: str) -> None:
    """C13."""

    async def script(saw: Saw, wire: Wire) -> None:
        nonlocal arrived, gone
        if when == "in the middle":
            await wire.stream_head()
            await wire.chunk(delta("a"))
        arrived += 1
        await wire.left.wait()
        gone += 1

    arrived = gone = 0
    house.upstream.script = script
    house.configure(server={"requests": 300})
    clients = []
    for _ in range(300):
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(request(house))
        clients.append((reader, writer))
    await until(lambda: arrived == 300)
    for place, (_, writer) in enumerate(clients):
        if place % 2:  # half of them as a crash would
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    await until(lambda: gone == 300)
    ended = await house.ended(300)
    assert {each.outcome for each in ended} == {"gone"}
    assert house.proxy.counters.open_turns == 0
    assert house.proxy._server is not None
    await until(lambda: not house.proxy._server.open)  # type: ignore[union-attr]
    assert kept_upstream(house) == (0, 0)


@pytest.mark.parametrize("megabytes", [1.1, 2.1, 33])
async def test_a_body_with_pictures_passes_whole(house: House, megabytes: float) -> None:
    """C05, C07: curl asks first from one megabyte on."""
    picture = b"A" * int(megabytes * 2**20)
    body = (
        b'{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"%b"}}]}]}' % picture
    )
    head, _, _ = request(house, body).partition(b"\r\n\r\n")
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head + b"\r\nExpect: 100-continue\r\n\r\n")
    assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    writer.write(body)
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    writer.close()
    assert house.upstream.seen[0].body == body
    assert house.upstream.seen[0].header("Content-Length") == str(len(body))


async def test_a_tool_call_of_many_fragments_arrives_as_it_is_written(house: House) -> None:
    """A21."""
    fragments = [delta("x" * size) for size in (1, 5214, 3, 40_000)]
    turn: asyncio.Queue[int] = asyncio.Queue()

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        for fragment in fragments:
            await turn.get()
            await wire.chunk(fragment)
        await wire.end()

    house.upstream.script = script
    async with house.post(BODY) as response:
        for fragment in fragments:
            turn.put_nowait(1)
            assert await response.content.readexactly(len(fragment)) == fragment


async def test_two_requests_in_one_packet_are_answered_in_order(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(completion(str(len(house.upstream.seen))))

    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(request(house) * 2)
    for number in ("1", "2"):
        await reader.readuntil(b"\r\n\r\n")
        body = completion(number)
        assert await reader.readexactly(len(body)) == body
    writer.close()


async def test_cookies_of_the_upstream_reach_the_client_each_on_its_own(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(
            b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nContent-Type: application/json\r\n"
            b"set-cookie: b=2, 3\r\nX-Odd:  spaced \r\nContent-Length: 2\r\n\r\n{}"
        )

    house.upstream.script = script
    status, answer = await raw_exchange(house.port, request(house))
    assert status == 200
    assert b"\r\nSet-Cookie: a=1; Path=/\r\n" in answer
    assert b"\r\nset-cookie: b=2, 3\r\n" in answer.lower()
    assert b"\r\nX-Odd: spaced\r\n" in answer


@pytest.mark.parametrize("encoding", ["br", "gzip", "zstd", "deflate"])
async def test_header_and_body_of_an_encoded_answer_agree(house: House, encoding: str) -> None:
    """C01: what the client asked for and what it gets is between it and the upstream; we unpack nothing."""
    packed = bytes(range(256))

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(packed, Content_Encoding=encoding)

    house.upstream.script = script
    async with house.post(BODY, Accept_Encoding=encoding) as response:
        assert response.headers["Content-Encoding"] == encoding
        assert response.headers["Content-Length"] == "256"
        assert await response.read() == packed
