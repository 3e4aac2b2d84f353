"""Closed to everyone but the agents."""

from __future__ import annotations

import os
import socket

import psutil
import pytest

from attacks.shapes import BROWSERS, HOSTS, ORIGINS, TARGETS, TYPES
from metaclaw_tray.errors import PortTakenError, UsageError
from metaclaw_tray.proxy.access import TokenTable
from proxy.house import OTHER_TOKEN, TOKEN, House, open_house, raw_exchange
from proxy.upstream import Saw, Wire, completion

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


OURS = "127.0.0.1:{port}"


async def refused(house: House, request: bytes, *statuses: int) -> bytes:
    """The answer to a request that is refused before anything happens, and gives pages no permission."""
    status, answer = await raw_exchange(house.port, request)
    assert status in statuses, answer
    assert b"access-control" not in answer.lower()
    assert house.upstream.seen == []
    assert house.pipe.records == []
    return answer


@pytest.mark.parametrize("host", HOSTS)
async def test_only_our_own_names_are_hosts(house: House, host: str) -> None:
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", f"Host: {host}", host="")
    await refused(house, request, 400, 403)


@pytest.mark.parametrize("origin", ORIGINS)
async def test_only_our_own_pages_are_origins(house: House, origin: str) -> None:
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", f"Origin: {origin}", host=OURS)
    await refused(house, request, 403)


@pytest.mark.parametrize("headers", BROWSERS)
async def test_what_a_browser_says_of_a_foreign_page_counts(house: House, headers: list[str]) -> None:
    """C20."""
    await refused(house, post(house, f"/a/{TOKEN}/v1/chat/completions", *headers, host=OURS), 403)
    lines = "\r\n".join(headers).format(port=house.port)
    for path in ("/healthz", "/v1/models", f"/a/{TOKEN}/v1/models"):
        got = f"GET {path} HTTP/1.1\r\nHost: localhost:{house.port}\r\n{lines}\r\n\r\n"
        await refused(house, got.encode(), 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:{port}", ""])
async def test_a_page_that_asks_first_gets_no_permission(house: House, origin: str) -> None:
    asks = f"Origin: {origin}\r\n".format(port=house.port) if origin else ""
    request = (
        f"OPTIONS /a/{TOKEN}/v1/chat/completions HTTP/1.1\r\nHost: localhost:{house.port}\r\n{asks}"
        "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n"
        "Access-Control-Request-Private-Network: true\r\n\r\n"
    )
    await refused(house, request.encode(), 403, 405)


async def test_what_the_upstream_allows_pages_changes_for_agents_only(house: House) -> None:
    """Its headers are the agent's, byte for byte; no page ever gets as far as an answer of the upstream."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(completion(), Access_Control_Allow_Origin="*")

    house.upstream.script = script
    assert (await house.say("hi")).headers["Access-Control-Allow-Origin"] == "*"
    house.upstream.seen.clear()
    house.pipe.records.clear()
    path = f"/a/{TOKEN}/v1/chat/completions"
    await refused(house, post(house, path, "Origin: http://evil.example", host=OURS), 403)


@pytest.mark.parametrize("target", TARGETS)
async def test_a_target_that_names_a_host_is_refused(house: House, target: str) -> None:
    line = target.format(token=TOKEN, port=house.port)
    method = "OPTIONS" if target == "*" else "GET"
    request = f"{method} {line} HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n"
    await refused(house, request.encode(), 400, 403)


async def test_nobody_tunnels_through_us(house: House) -> None:
    request = f"CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n"
    await refused(house, request.encode(), 400, 403)


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_request_without_a_host_is_refused(house: House, version: str) -> None:
    request = f"GET /healthz HTTP/{version}\r\n\r\n"
    await refused(house, request.encode(), 400, 403)


@pytest.mark.parametrize("declared", TYPES)
async def test_only_json_is_taken(house: House, declared: list[str]) -> None:
    """C20: what a page can send without asking first is never read."""
    lines = "".join(f"Content-Type: {one}\r\n" for one in declared)
    for path in ("chat/completions", "messages", "messages/count_tokens", "responses", "embeddings"):
        request = (
            f"POST /a/{TOKEN}/v1/{path} HTTP/1.1\r\nHost: localhost:{house.port}\r\n{lines}"
            f"Content-Length: {len(BODY)}\r\n\r\n"
        )
        await refused(house, request.encode() + BODY, 400, 415)


@pytest.mark.parametrize(
    "declared", ["application/json", "Application/JSON; charset=utf-8", "application/vnd.x+json"]
)
async def test_every_way_to_say_json_is_taken(house: House, declared: str) -> None:
    async with house.post(BODY, Content_Type=declared) as response:
        assert response.status == 200
    assert house.upstream.seen[0].header("Content-Type") == declared


async def test_our_own_origin_is_let_in(house: House) -> None:
    own = "Origin: http://localhost:{port}"
    request = post(house, f"/a/{TOKEN}/v1/chat/completions", own, host="localhost:{port}")
    assert (await raw_exchange(house.port, request))[0] == 200
    assert house.upstream.seen[0].header("Origin") is None


async def test_two_hosts_are_refused(house: House) -> None:
    path = f"/a/{TOKEN}/v1/chat/completions"
    for second in ("evil.example", "127.0.0.1:{port}"):
        await refused(house, post(house, path, f"Host: {second}"), 400, 403)


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


async def test_a_token_that_was_not_read_yet_is_told_to_come_back(house: House) -> None:
    house.tokens.known = False
    for path, kind in (("chat/completions", "upstream_error"), ("messages", "api_error")):
        url = f"http://127.0.0.1:{house.port}/a/{'u' * 43}/v1/{path}"
        async with house.client.post(url, json={}) as response:
            assert (response.status, response.headers["retry-after"]) == (503, "1")
            assert (await response.json())["error"]["type"] == kind
    assert not TokenTable().known
    assert TokenTable({}).known
