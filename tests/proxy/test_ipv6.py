"""Both families of loopback: `localhost` is either."""

from __future__ import annotations

import asyncio
import socket

import aiohttp
import pytest

from metaclaw_tray.errors import PortTakenError
from metaclaw_tray.proxy.port import _listen_on, listen
from metaclaw_tray.settings import Upstream
from proxy.house import TOKEN, House


def has_ipv6() -> bool:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no ::1")


@needs_ipv6
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
async def test_a_client_gets_through_whatever_localhost_is_to_it(house: House, host: str) -> None:
    url = f"http://{host}:{house.port}/a/{TOKEN}/v1/chat/completions"
    async with house.client.post(url, json={"messages": [{"role": "user", "content": "hi"}]}) as response:
        assert response.status == 200


@needs_ipv6
async def test_an_upstream_may_have_an_ipv6_address(house: House) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hosts.append((await reader.readuntil(b"\r\n\r\n")).split(b"Host: ")[1].split(b"\r\n")[0])
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    hosts: list[bytes] = []
    server = await asyncio.start_server(answer, "::1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        upstream = Upstream(base_url=f"http://[::1]:{port}/v1")
        house.proxy.replace_routing({"six": upstream}, "six", {})
        assert (await house.say("hi")).status == 200
    assert hosts == [b"[::1]:%d" % port]


@needs_ipv6
async def test_drain_leaves_neither_address_open(house: House) -> None:
    await house.proxy.drain(0)
    for host in ("127.0.0.1", "[::1]"):
        with pytest.raises(aiohttp.ClientConnectorError):
            await house.client.get(f"http://{host}:{house.port}/healthz")


@needs_ipv6
async def test_a_port_that_another_program_holds_in_the_other_family_is_taken() -> None:
    """Clients to whom localhost is ::1 would give that program their tokens."""
    with socket.socket(socket.AF_INET6) as other:
        other.bind(("::1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTakenError, match=rf"listens on \[::1\]:{port}"):
            await listen(asyncio.Protocol, "127.0.0.1", port)
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)


async def test_a_machine_without_the_other_family_is_served_in_one() -> None:
    listening = await _listen_on(asyncio.Protocol, ["127.0.0.1", "::2"], 0)
    assert [host for host, _ in listening.addresses] == ["127.0.0.1"]
    listening.close()


async def test_nothing_is_listened_on_where_the_first_address_cannot_be_had() -> None:
    with pytest.raises(OSError, match="::2"):
        await _listen_on(asyncio.Protocol, ["::2", "127.0.0.1"], 0)
