"""The network's proxies: found, gone through, and left when they are gone. With a small real one."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from yarl import URL

from metaclaw_tray.admin.probing import probe
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.learning.client import ChatModel, Target
from metaclaw_tray.network import way_to
from metaclaw_tray.proxy.relay import Relay
from metaclaw_tray.proxy.system_proxies import SystemProxies
from metaclaw_tray.settings import Upstream
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.spend import Caps
from proxy.house import House
from proxy.upstream import completion
from support.clock import FakeClock

FAR = URL("http://far.example:81/v1/chat/completions")
FAR_SECURE = URL("https://far.example/v1")


class HttpProxy:
    """Passes plain requests on to one place, wherever they want to go, and tunnels to nowhere."""

    def __init__(self, port: int) -> None:
        self._to = port
        self.heads: list[bytes] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                if head.startswith(b"CONNECT"):
                    writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                    break
                length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or b"0")
                there, onward = await asyncio.open_connection("127.0.0.1", self._to)
                onward.write(
                    head.replace(b"http://far.example:81", b"", 1) + await reader.readexactly(length)
                )
                answer = await there.readuntil(b"\r\n\r\n")
                size = int(answer.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
                writer.write(answer + await there.readexactly(size))
                onward.close()
        writer.close()


@pytest.fixture
async def network(house: House) -> AsyncIterator[HttpProxy]:
    """The house's upstream is reached as far.example, through a proxy only."""
    proxy = HttpProxy(house.upstream.port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    upstream = Upstream(base_url="http://far.example:81/v1", credential="key")
    house.proxy.replace_routing({"far": upstream}, "far", {"far": "sk-far"})
    async with server:
        yield proxy
        await use(house, {})  # closes what is kept open


def named_by(named: Mapping[str, str], bypass: object = False) -> SystemProxies:
    return SystemProxies(lambda address: way_to(address, lambda: named, lambda _: bypass))


async def use(house: House, named: dict[str, str], bypass: object = False) -> None:
    """Let the system name these proxies; the same dictionary may be changed later."""
    assert house.proxy._relay is not None
    assert house.proxy._carrier is not None
    await house.proxy._relay.close()
    house.proxy._relay = house.proxy._carrier._relay = Relay(SystemClock(), named_by(named, bypass))


async def message(house: House) -> tuple[int, str]:
    async with house.post({"messages": [{"role": "user", "content": "hi"}]}) as response:
        said = await response.json(content_type=None)
    return response.status, said.get("error", {}).get("message", "")


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("scheme", ["http", "all"])
async def test_a_proxy_is_gone_through(house: House, network: HttpProxy, scheme: str) -> None:
    await use(house, {scheme: f"http://127.0.0.1:{network.port}"})
    async with house.post({"messages": [{"role": "user", "content": "hi"}]}) as response:
        assert (response.status, await response.read()) == (200, completion())
    assert network.heads[0].startswith(b"POST http://far.example:81/v1/chat/completions HTTP/1.1\r\n")
    assert house.upstream.seen[0].header("Authorization") == "Bearer sk-far"


async def test_a_proxys_password_goes_to_the_proxy_and_into_no_words(
    house: House, network: HttpProxy, caplog: pytest.LogCaptureFixture
) -> None:
    await use(house, {"http": f"http://me:p%40ss@127.0.0.1:{network.port}"})
    assert (await message(house))[0] == 200
    login = base64.b64encode(b"me:p@ss")
    assert b"Proxy-Authorization: Basic " + login in network.heads[0]
    away = {"http": f"http://me:p%40ss@127.0.0.1:{closed_port()}"}
    await use(house, away)
    status, words = await message(house)
    assert (status, "the network's proxy 127.0.0.1:" in words) == (502, True)
    assert not [
        text
        for text in (words, caplog.text)
        for secret in ("p@ss", "p%40ss", login.decode())
        if secret in text
    ]


async def test_a_proxy_that_wants_a_password_is_said(house: House, network: HttpProxy) -> None:
    await use(house, {"https": f"http://127.0.0.1:{network.port}"})
    house.proxy.replace_routing({"far": Upstream(base_url="https://far.example/v1")}, "far", {})
    status, words = await message(house)
    assert status == 502
    assert "refused the way to far.example with status 407" in words
    assert network.heads[0].startswith(b"CONNECT far.example:443 HTTP/1.1\r\n")


async def test_a_proxy_that_is_gone_is_left_when_the_system_names_another(
    house: House, network: HttpProxy
) -> None:
    """C17: it was on at the start, and is off now."""
    named = {"http": f"http://127.0.0.1:{network.port}"}
    await use(house, named)
    assert (await message(house))[0] == 200
    named["http"] = f"http://127.0.0.1:{closed_port()}"
    assert house.proxy._relay is not None
    house.proxy._relay._upstreams._proxies.forget()
    assert (await message(house))[0] == 502
    named["http"] = f"http://127.0.0.1:{network.port}"
    assert (await message(house))[0] == 200, "the settings are read again once a connection has failed"


async def test_an_upstream_on_this_machine_is_reached_directly_whatever_the_system_names(
    house: House,
) -> None:
    for named in ({"all": "http://127.0.0.1:1"}, {"all": "socks5://127.0.0.1:1"}):
        await use(house, named)
        assert (await message(house))[0] == 200


async def test_a_socks_proxy_is_said_and_nothing_crashes(house: House, network: HttpProxy) -> None:
    """C15."""
    await use(house, {"all": "socks5://me:secret@127.0.0.1:1"})
    status, words = await message(house)
    assert status == 502
    assert "names a socks5 proxy at 127.0.0.1:1, and only http proxies work" in words
    assert "NO_PROXY" in words
    assert "secret" not in words


async def test_an_exception_is_reached_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    """C15."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "localhost,far.example")
    proxies = SystemProxies()
    assert await proxies.towards(FAR) is None
    assert await proxies.towards(URL("http://localhost:1/v1")) is None
    with pytest.raises(UpstreamError, match="socks5 proxy"):
        await proxies.towards(URL("https://other.example/v1"))


async def test_an_http_proxy_is_taken_where_there_is_a_socks_one_too() -> None:
    proxies = named_by({"https": "proxy.example:3128", "all": "socks5://x:1"})
    found = await proxies.towards(FAR_SECURE)
    assert found is not None
    assert (found.url, found.place) == ("http://proxy.example:3128", "proxy.example:3128")
    with pytest.raises(UpstreamError):
        await proxies.towards(FAR)


async def test_settings_are_read_again_after_a_minute_and_not_before() -> None:
    clock, read = FakeClock(), list[float]()
    proxies = SystemProxies(lambda _: read.append(clock.monotonic()), clock.monotonic)
    for _ in range(4):
        await proxies.towards(FAR)
        clock.advance(30.5)
    assert read == [0, 61]


@pytest.mark.parametrize(
    "address", ["http://[::1", "http://host:port", "http://", "ftp://x", "http://x:99999"]
)
async def test_a_setting_that_is_no_address_is_said(address: str) -> None:
    for _ in range(2):  # also where it is known already
        with pytest.raises(UpstreamError):
            await named_by({"http": address}).towards(FAR)


async def test_a_socks_proxy_that_the_system_names_without_a_scheme_is_none_for_http() -> None:
    """macOS says so."""
    with pytest.raises(UpstreamError, match=r"a socks proxy at box\.example:1080"):
        await named_by({"socks": "http://me:secret@box.example:1080"}).towards(FAR)


@pytest.mark.parametrize("base_url", ["https://far.example/v1", "http://127.0.0.1:1/v1"])
async def test_what_is_asked_seldom_survives_a_socks_proxy_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, base_url: str
) -> None:
    """C15: the client of learning and the test of an upstream are made without a crash, or say why not."""
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    upstream = Upstream(base_url=base_url)
    test = await probe("one", upstream, None)
    assert ("socks5 proxy at 127.0.0.1:1" in test.detail) is not upstream.loopback
    target = Target("one", upstream, "m")
    with contextlib.closing(Store.open(tmp_path / "store.db", FakeClock())) as store:
        try:
            await ChatModel(target, store, FakeClock(), lambda: Caps(1, 1), seconds=1).aclose()
        except UpstreamError:
            assert not upstream.loopback
        else:
            assert upstream.loopback
