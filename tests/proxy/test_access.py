"""Closed to everyone but the agents."""

from __future__ import annotations

import os
import socket

import psutil
import pytest

from metaclaw_tray.errors import PortTakenError, UsageError
from proxy.house import OTHER_TOKEN, TOKEN, House, open_house, raw_exchange

BODY = b'{"messages":[{"role":"user","content":"hi"}]}'


def post(
    house: House, path: str = "/v1/chat/completions", *headers: str, host: str = "127.0.0.1:{port}"
) -> bytes:
    lines = [
        f"POST {path} HTTP/1.1",
        *([f"Host: {host}"] if host else []),
        *headers,
        "Content-Type: application/json",
        f"Content-Length: {len(BODY)}",
    ]
    return "\r\n".join([*lines, "", ""]).format(port=house.port).encode() + BODY


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (f"/a/{TOKEN}/v1/chat/completions", []),
        ("/v1/chat/completions", [f"Authorization: Bearer {TOKEN}"]),
        ("/v1/chat/completions", [f"authorization: bearer  {TOKEN}"]),
        ("/v1/chat/completions", [f"X-Api-Key: {TOKEN}"]),
        ("/v1/chat/completions", ["Authorization: Bearer sk-own", f"x-api-key: {TOKEN}"]),
    ],
)
async def test_a_token_opens_the_door(house: House, path: str, headers: list[str]) -> None:
    status, _ = await raw_exchange(house.port, post(house, path, *headers))
    assert status == 200
    (begun,) = await house.begun()
    assert begun.agent == "claw"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/chat/completions", []),
        ("/a//v1/chat/completions", []),
        (f"/a/{TOKEN[:-1]}/v1/chat/completions", []),
        (f"/a/{TOKEN}x/v1/chat/completions", [f"Authorization: Bearer {TOKEN}"]),
        ("/v1/chat/completions", ["Authorization: Bearer "]),
        ("/v1/chat/completions", [f"Authorization: Basic {TOKEN}"]),
        ("/v1/chat/completions", [f"Cookie: {TOKEN}"]),
    ],
)
async def test_without_one_nothing_happens(house: House, path: str, headers: list[str]) -> None:
    status, answer = await raw_exchange(house.port, post(house, path, *headers))
    assert status == 401
    assert b'"code":"invalid_api_key"' in answer
    assert house.upstream.seen == []
    assert house.pipe.records == []


async def test_a_replaced_token_no_longer_opens(house: House) -> None:
    house.tokens.replace({OTHER_TOKEN: "claw"})
    assert (await house.say("hi")).status == 401


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
async def test_our_own_names_are_answered(house: House, host: str) -> None:
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", host=host)
    assert (await raw_exchange(house.port, request))[0] == 200


@pytest.mark.parametrize(
    ("host", "headers"),
    [
        ("evil.example", []),
        ("evil.example:{port}", []),
        ("localhost", []),
        ("localhost:1", []),
        ("localhost.evil.example:{port}", []),
        ("127.0.0.1:{port}.evil.example", []),
        ("127.0.0.1:{port}", ["Origin: http://evil.example"]),
        ("127.0.0.1:{port}", ["Origin: null"]),
        ("127.0.0.1:{port}", ["Origin: https://127.0.0.1:{port}"]),
        ("127.0.0.1:{port}", ["Origin: http://localhost:1"]),
        ("127.0.0.1:{port}", ["Origin: http://localhost:{port}", "Origin: http://evil.example"]),
    ],
)
async def test_web_pages_and_rebound_names_are_refused_before_anything_happens(
    house: House, host: str, headers: list[str]
) -> None:
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", *headers, host=host)
    status, answer = await raw_exchange(house.port, request)
    assert status == 403
    assert b"access-control" not in answer.lower()
    assert house.upstream.seen == []
    assert house.pipe.records == []


async def test_our_own_origin_is_let_in(house: House) -> None:
    own = "Origin: http://localhost:{port}"
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", own, host="localhost:{port}")
    assert (await raw_exchange(house.port, request))[0] == 200
    assert house.upstream.seen[0].header("Origin") is None


async def test_two_hosts_or_none_are_refused(house: House) -> None:
    path = f"/a/{TOKEN}/v1/chat/completions"
    assert (await raw_exchange(house.port, post(house, path, "Host: evil.example")))[0] in (400, 403)
    assert (await raw_exchange(house.port, post(house, path, host="")))[0] in (400, 403)
    assert house.upstream.seen == []


@pytest.mark.parametrize("path", ["/v1/responses", f"/a/{TOKEN}/v1/responses", "/"])
async def test_websockets_are_turned_away_at_once(house: House, path: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: localhost:{house.port}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert (await raw_exchange(house.port, request.encode()))[0] == 426


async def test_probes_without_a_token_get_a_quiet_404(house: House, caplog: pytest.LogCaptureFixture) -> None:
    origin = f"http://127.0.0.1:{house.port}"
    for method, path in (
        ("HEAD", "/api/hello"),
        ("HEAD", "/v1/models"),
        ("GET", "/api/tags"),
        ("GET", "/v1/props"),
    ):
        async with house.client.request(method, origin + path) as response:
            assert response.status == 404
    assert caplog.records == []


async def test_unknown_routes_and_wrong_methods_are_said(house: House) -> None:
    async with house.client.get(f"{house.url}/nothing") as response:
        assert (response.status, (await response.json())["error"]["code"]) == (404, "unknown_url")
    async with house.client.get(f"{house.url}/chat/completions") as response:
        assert (response.status, response.headers["Allow"]) == (405, "POST")


async def test_health_and_readiness_need_no_token() -> None:
    missing = "the scribe has not started"
    async with open_house(readiness=lambda: missing) as house:
        origin = f"http://127.0.0.1:{house.port}"
        async with house.client.get(f"{origin}/healthz") as response:
            assert (response.status, await response.json()) == (200, {"status": "ok"})
        async with house.client.get(f"{origin}/readyz") as response:
            assert (response.status, await response.json()) == (
                503,
                {"status": "not ready", "reason": missing},
            )
        missing = ""
        async with house.client.get(f"{origin}/readyz") as response:
            assert response.status == 200
        house.proxy.replace_routing({}, "", {})
        async with house.client.get(f"{origin}/readyz") as response:
            assert (response.status, "No upstream" in (await response.json())["reason"]) == (503, True)


async def test_a_body_beyond_the_limit_is_refused_unread(house: House) -> None:
    request = (
        f"POST /a/{TOKEN}/v1/chat/completions HTTP/1.1\r\nHost: localhost:{house.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {101 * 2**20}\r\n\r\n"
    )
    status, answer = await raw_exchange(house.port, request.encode())
    assert status == 413
    assert b"100 MB" in answer


OWN = {"Authorization": "Bearer sk-own", "x-api-key": "own", "Cookie": "c=1"}


async def test_the_clients_own_credentials_go_to_a_pass_through_upstream_only(house: House) -> None:
    async with house.post(BODY, **OWN) as response:
        assert response.status == 200
    house.route(credential="pass-through")
    async with house.post(BODY, **OWN) as response:
        assert response.status == 200
    withheld, passed = house.upstream.seen
    for name, value in OWN.items():
        assert withheld.header(name) is None
        assert passed.header(name) == value


async def test_our_key_takes_the_place_of_the_clients(house: House) -> None:
    house.route(credential="key", key="sk-ours")
    async with house.post(BODY, **OWN) as response:
        assert response.status == 200
    assert house.upstream.seen[0].header("Authorization") == "Bearer sk-ours"
    assert house.upstream.seen[0].header("x-api-key") is None


@pytest.mark.parametrize("header", [f"Authorization: Bearer {TOKEN}", f"x-api-key: {TOKEN}"])
async def test_a_header_that_opened_our_door_goes_nowhere(house: House, header: str) -> None:
    house.route(credential="pass-through")
    for path in ("/v1/chat/completions", f"/a/{TOKEN}/v1/chat/completions"):
        status, _ = await raw_exchange(house.port, post(house, path, header))
        assert status == 200
    assert TOKEN not in repr(house.upstream.seen)


async def test_headers_of_this_hop_are_not_forwarded(house: House) -> None:
    headers = ["Connection: keep-alive, X-Hop", "X-Hop: 1", "TE: trailers", "Proxy-Authorization: Basic x"]
    await raw_exchange(house.port, post(house, f"/a/{TOKEN}/v1/chat/completions", *headers))
    (saw,) = house.upstream.seen
    for name in ("Connection", "X-Hop", "TE", "Proxy-Authorization"):
        assert saw.header(name) is None


async def test_a_taken_port_is_said_with_its_holder() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        async with open_house() as house:
            await house.proxy.drain(0)
            with pytest.raises(PortTakenError) as raised:
                await house.proxy.start(port)
    assert f"{psutil.Process().name()} (pid {os.getpid()})" in raised.value.detail
    assert "--port" in raised.value.remedy


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7"])
async def test_only_loopback_is_listened_on(host: str) -> None:
    async with open_house() as house:
        await house.proxy.drain(0)
        with pytest.raises(UsageError):
            await house.proxy.start(0, host)


async def test_a_drained_proxy_starts_again(house: House) -> None:
    await house.proxy.drain(0)
    house.port = await house.proxy.start(0)
    async with house.client.get(f"{house.url}/models") as response:
        assert response.status == 200
