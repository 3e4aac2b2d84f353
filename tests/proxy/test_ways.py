"""The way to upstreams, where it is odd: names that are none, zones, proxies, answers with a wrong length."""

from __future__ import annotations

import asyncio

import pytest

from metaclaw_tray.proxy.connections import head_of
from metaclaw_tray.proxy.failures import ProxyRefusedError
from metaclaw_tray.proxy.opening import _Tunnel
from metaclaw_tray.settings import Upstream
from proxy.house import TOKEN, House
from proxy.upstream import Saw, Wire


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a" * 70])
async def test_a_name_that_cannot_be_one_is_not_known(house: House, host: str) -> None:
    upstream = Upstream(base_url=f"http://{host}/v1", credential="none")
    house.proxy.replace_routing({"m": upstream}, "m", {})
    async with house.post({"messages": []}) as response:
        assert response.status == 502
        assert "is not known" in (await response.json())["error"]["message"]
    assert house.proxy.counters.faults == 0


@pytest.mark.parametrize("zone", ["%eth0", "%25eth0"])
def test_a_zone_stays_on_this_machine(zone: str) -> None:
    head = head_of("GET", "/v1/models", f"[fe80::1{zone}]:8080", {}, None)
    assert b"\r\nHost: [fe80::1]:8080\r\n" in head


@pytest.mark.parametrize(
    ("said", "opens"),
    [
        (b"HTTP/1.1 200 Connection established\r\n\r\n", True),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", True),
        (b"HTTP/1.1 201 Yes\r\n\r\n", True),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", True),
        (b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.1 302 Found\r\nLocation: http://login.example\r\n\r\n", False),
    ],
)
async def test_any_success_of_a_proxy_opens_the_way(said: bytes, opens: bool) -> None:
    class Way(asyncio.Transport):
        def write(self, data: bytes | bytearray | memoryview) -> None:
            assert bytes(data).startswith(b"CONNECT far.example:443 HTTP/1.1\r\n")
            for byte in said:
                tunnel.data_received(bytes([byte]))

    tunnel = _Tunnel()
    if opens:
        await tunnel.ask(Way(), "far.example:443", "")
    else:
        with pytest.raises(ProxyRefusedError):
            await tunnel.ask(Way(), "far.example:443", "")


async def test_an_answer_that_may_have_no_length_has_none(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")

    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    for _ in range(2):
        writer.write(
            b"GET /a/%b/v1/models HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (TOKEN.encode(), house.port)
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 204 ")
        assert b"content-length" not in head.lower()
    writer.close()


@pytest.mark.parametrize("digits", [20, 5000])
async def test_an_answer_with_a_length_of_too_many_digits_is_none(house: House, digits: int) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: %b\r\n\r\n{}" % b"2".rjust(digits, b"0"))

    house.upstream.script = script
    async with house.post({"messages": []}) as response:
        assert response.status == 502
    assert house.proxy.counters.faults == 0


@pytest.mark.parametrize(("named", "status"), [("100-continue", 200), ("100-continue, x", 417), ("x", 417)])
async def test_each_expectation_is_looked_at(house: House, named: str, status: int) -> None:
    body = b'{"messages":[]}'
    lines = "".join(f"Expect: {each}\r\n" for each in named.split(", "))
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(
        b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n%b\r\n" % (TOKEN.encode(), house.port, len(body), lines.encode())
    )
    if status == 200:
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(body)
    assert (await reader.readuntil(b"\r\n\r\n"))[9:12] == b"%d" % status
    writer.transport.abort()
