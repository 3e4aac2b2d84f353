"""What the head of an upstream's answer may hold, and what the client gets of it: one answer, framed once."""

from __future__ import annotations

import pytest

from proxy.house import House
from proxy.upstream import Saw, Wire


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length : 2",
        b"Connection: content-length\r\nContent-Length: 2",
        b"Content-Length: 2\r\nX-Odd: a\0b\x01\x7f",
        b"Content-Length:\r\n 2",
    ],
)
async def test_the_client_gets_one_answer_framed_once(house: House, head: bytes) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 O\x01K\r\n" + head + b"\r\n\r\n{}")

    house.upstream.script = script
    for _ in range(2):  # on the same connection
        async with house.post({"messages": []}) as response:
            assert (response.status, await response.read()) == (200, b"{}")
            assert response.headers.getall("Content-Length") == ["2"]
            assert "Transfer-Encoding" not in response.headers
            assert not [name for name in response.headers if " " in name]


async def test_a_chunked_answer_is_framed_once(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n"
        await wire.send(head + b"2\r\n{}\r\n0\r\nContent-Encoding: gzip\r\n\r\n")

    house.upstream.script = script
    async with house.post({"messages": []}) as response:
        assert await response.read() == b"{}"
        assert response.headers.getall("Transfer-Encoding") == ["chunked"]
        assert "Content-Encoding" not in response.headers
    assert house.proxy.counters.faults == 0
