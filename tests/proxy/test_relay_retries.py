"""What is repeated, and what never is."""

from __future__ import annotations

import asyncio
import socket

import pytest
from aiohappyeyeballs import AddrInfoType

from metaclaw_tray.proxy import opening
from metaclaw_tray.proxy.attempts import Upstreams
from metaclaw_tray.settings import Upstream
from proxy.house import House
from proxy.upstream import Saw, Wire, completion


async def answers(saw: Saw, wire: Wire) -> None:
    await wire.answer(completion())


@pytest.fixture
async def used(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house with one kept connection to its upstream. What closes at once does so however slow this is."""
    monkeypatch.setattr("metaclaw_tray.proxy.attempts._AT_ONCE_SECONDS", 60.0)
    house.upstream.script = answers
    assert (await house.say("before")).status == 200
    assert house.upstream.connections == 1
    return house


@pytest.mark.parametrize("how", ["cut", "reset"])
@pytest.mark.parametrize("size", [10, 3_000_000])
async def test_a_kept_connection_that_was_closed_is_replaced_once(used: House, how: str, size: int) -> None:
    """The server had closed it before the request was there; here it closes upon it, which looks the same."""

    async def script(saw: Saw, wire: Wire) -> None:
        if used.upstream.connections == 1:
            getattr(wire, how)()
        else:
            await wire.answer(completion())

    used.upstream.script = script
    async with used.post(b'{"messages":[{"role":"user","content":"%s"}]}' % (b"x" * size)) as response:
        assert (response.status, await response.read()) == (200, completion())
    assert used.upstream.connections == 2
    _, first, second = used.upstream.seen
    assert first.body == second.body


@pytest.mark.parametrize("how", ["cut", "reset"])
@pytest.mark.parametrize("size", [10, 3_000_000])
async def test_a_kept_connection_that_closes_after_a_while_is_not_asked_again(
    used: House, monkeypatch: pytest.MonkeyPatch, how: str, size: int
) -> None:
    """What stands between may give up on a server that still works: asked again, it would do all of it twice,
    and both would be paid for."""
    monkeypatch.setattr("metaclaw_tray.proxy.attempts._AT_ONCE_SECONDS", 0.0)  # so that any time is a while

    async def script(saw: Saw, wire: Wire) -> None:
        getattr(wire, how)()

    used.upstream.script = script
    async with used.post(b'{"messages":[{"role":"user","content":"%s"}]}' % (b"x" * size)) as response:
        assert response.status == 502
    assert len(used.upstream.seen) == 2


async def test_a_body_that_was_still_on_its_way_is_sent_again_however_long_it_took(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody works on half a request."""
    monkeypatch.setattr("metaclaw_tray.proxy.attempts._AT_ONCE_SECONDS", 0.0)
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        for number in range(connections, 3):
            head = await reader.readuntil(b"\r\n\r\n")
            if (connections, number) == (1, 2):
                writer.transport.abort()
                return
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        house.proxy.replace_routing({"m": Upstream(base_url=f"http://127.0.0.1:{port}/v1")}, "m", {})
        assert (await house.say("before")).status == 200
        large = b'{"messages":[{"role":"user","content":"%s"}]}' % (b"x" * 40_000_000)
        async with house.post(large) as response:
            assert (response.status, await response.read()) == (200, b"{}")
    assert connections == 2


async def test_a_request_without_a_body_says_nothing_of_one(house: House) -> None:
    async with house.client.get(f"{house.url}/models") as response:
        await response.read()
    assert house.upstream.seen[0].header("Content-Length") is None
    async with house.post(b"") as response:
        await response.read()
    assert house.upstream.seen[1].header("Content-Length") == "0"


async def test_it_is_replaced_once_only(used: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        wire.cut()

    used.upstream.script = script
    assert (await used.say("hi")).status == 502
    assert len(used.upstream.seen) == 3


async def test_a_new_connection_that_closes_without_an_answer_is_not_repeated(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        wire.cut()

    house.upstream.script = script
    assert (await house.say("hi")).status == 502
    assert len(house.upstream.seen) == 1


@pytest.mark.parametrize("begun", [b"HTTP/1.1 200 OK\r\nContent-Ty", b"HTTP/1.1 200 OK\r\n"])
async def test_an_answer_that_has_begun_is_not_repeated(used: House, begun: bytes) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(begun)
        wire.cut()

    used.upstream.script = script
    assert (await used.say("hi")).status == 502
    assert len(used.upstream.seen) == 2


@pytest.mark.parametrize("status", ["429 Slow Down", "500 Oops", "503 Away", "529 Overloaded"])
async def test_no_answer_is_asked_for_twice(used: House, status: str) -> None:
    """B28: the client does that, in its own time."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b"{}", status, Retry_After="17")

    used.upstream.script = script
    async with used.post({"messages": []}) as response:
        assert (f"{response.status} {response.reason}", response.headers["Retry-After"]) == (status, "17")
    assert len(used.upstream.seen) == 2


async def test_a_connection_that_did_not_come_about_is_tried_once_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []
    real = opening.made_socket

    def refused_at_first(address: AddrInfoType) -> socket.socket:
        tried.append(address)
        if len(tried) == 1:
            raise ConnectionRefusedError(111, "refused")
        return real(address)

    monkeypatch.setattr(opening, "made_socket", refused_at_first)
    assert (await house.say("hi")).status == 200
    assert (len(tried), len(house.upstream.seen)) == (2, 1)


async def test_an_upstream_that_is_away_is_tried_twice_and_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0
    real = Upstreams.__init__.__globals__["_once"]

    async def counting(*given: object) -> object:
        nonlocal tried
        tried += 1
        return await real(*given)

    monkeypatch.setattr("metaclaw_tray.proxy.attempts._once", counting)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    house.proxy.replace_routing({"away": Upstream(base_url=away)}, "away", {})
    assert (await house.say("hi")).status == 502
    assert tried == 2


async def test_a_client_that_leaves_while_the_upstream_is_being_reached_ends_that(house: House) -> None:
    """C13: a listener whose queue is full takes no connection and says nothing."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(deaf.getsockname())
        silent = Upstream(base_url=f"http://127.0.0.1:{deaf.getsockname()[1]}/v1")
        house.proxy.replace_routing({"silent": silent}, "silent", {})
        client = asyncio.ensure_future(house.say("hi"))
        await house.begun()
        client.cancel()
        await asyncio.wait([client])
        (ended,) = await house.ended()
        assert ended.outcome == "gone"
        assert house.proxy.counters.open_turns == 0
        for filler in fillers:
            filler.close()
