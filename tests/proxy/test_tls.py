"""TLS towards upstreams: the host is the one that was meant, or nothing is sent."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from metaclaw_tray.clock import SystemClock
from metaclaw_tray.network import way_to
from metaclaw_tray.proxy import opening
from metaclaw_tray.proxy.relay import Relay
from metaclaw_tray.proxy.system_proxies import SystemProxies
from metaclaw_tray.settings import Upstream
from proxy.house import House

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificates with openssl")


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for a host, signed by itself, and its key."""
    made, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    names = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-days", "2"]
    subprocess.run([*command, *names, "-keyout", key, "-out", made], check=True, capture_output=True)
    return made, key


@pytest.mark.parametrize(
    ("host", "trusted", "status"),
    [("localhost", True, 200), ("localhost", False, 502), ("other.example", True, 502)],
)
async def test_a_key_goes_only_to_the_host_that_shows_its_name(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, trusted: bool, status: int
) -> None:
    made, key = certificate(tmp_path, host)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made, key)
    asked_for: list[str | None] = []
    context.sni_callback = lambda _, name, __: asked_for.append(name)
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                heads.append(await reader.readuntil(b"\r\n\r\n"))
                await reader.readexactly(len(b"{}"))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        writer.close()

    if trusted:
        trusting = ssl.create_default_context()
        trusting.load_verify_locations(made)
        monkeypatch.setattr(opening, "trusted", lambda: trusting)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    upstream = Upstream(base_url=f"https://localhost:{port}/v1", credential="key")
    house.proxy.replace_routing({"m": upstream}, "m", {"m": "sk-secret"})
    for _ in range(2):
        async with house.post(b"{}") as response:
            assert response.status == status
            words = await response.read()
    assert set(asked_for) == {"localhost"}
    if status == 200:
        assert len(heads) == 2
        assert len(asked_for) == 1, "the connection is used again"
        assert all(b"Bearer sk-secret" in head for head in heads)
    else:
        assert not heads
        assert b"certificate of localhost is not valid" in words
    server.close()


async def test_the_way_through_a_tunnel_is_as_closed_as_the_direct_one(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network's proxy gets its own password and the host's name, and neither key nor request."""
    made, key = certificate(tmp_path, "far.example")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made, key)
    trusting = ssl.create_default_context()
    trusting.load_verify_locations(made)
    monkeypatch.setattr(opening, "trusted", lambda: trusting)
    at_proxy: list[bytes] = []
    at_host: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                at_host.append(await reader.readuntil(b"\r\n\r\n"))
                await reader.readexactly(len(b"{}"))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        writer.close()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                at_proxy.append(data)
                writer.write(data)
        writer.close()

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at_proxy.append(await reader.readuntil(b"\r\n\r\n"))
        there, onward = await asyncio.open_connection("127.0.0.1", port_of(server))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(pass_on(reader, onward), pass_on(there, writer))

    def port_of(listening: asyncio.Server) -> int:
        return int(listening.sockets[0].getsockname()[1])

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    proxy = await asyncio.start_server(tunnel, "127.0.0.1", 0)
    named = {"https": f"http://me:word@127.0.0.1:{port_of(proxy)}"}
    ways = SystemProxies(lambda address: way_to(address, lambda: named, lambda _: False))
    assert house.proxy._relay is not None
    assert house.proxy._carrier is not None
    house.proxy._relay = house.proxy._carrier._relay = Relay(SystemClock(), ways)
    upstream = Upstream(base_url="https://far.example/v1", credential="key")
    house.proxy.replace_routing({"far": upstream}, "far", {"far": "sk-secret"})
    for _ in range(2):
        async with house.post(b"{}") as response:
            assert (response.status, await response.read()) == (200, b"{}")
    assert at_proxy[0].startswith(b"CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n")
    assert b"\r\nProxy-Authorization: Basic bWU6d29yZA==\r\n" in at_proxy[0]
    assert len([each for each in at_proxy if each.startswith(b"CONNECT")]) == 1
    assert not [each for each in at_proxy if b"sk-secret" in each or b"chat/completions" in each]
    assert [b"Bearer sk-secret" in head and b"bWU6d29yZA" not in head for head in at_host] == [True, True]
    await house.proxy._relay.close()
    server.close()
    proxy.close()
