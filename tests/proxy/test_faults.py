"""What goes wrong between agent and upstream, and what each of them sees of it."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import aiohttp
import pytest

from metaclaw_tray.settings import Upstream
from proxy.house import House
from proxy.upstream import DONE, Saw, Wire, completion, delta

HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
STREAMED = {**HELLO, "stream": True}


async def error_of(house: House, body: Any = HELLO) -> tuple[int, dict[str, Any]]:
    async with house.post(body) as response:
        answer = json.loads(await response.read())
    assert set(answer["error"]) == {"message", "type", "param", "code"}
    return response.status, answer["error"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        ("http://127.0.0.1:{free}/v1", "127.0.0.1 cannot be reached: connection refused"),
        ("http://no-such-host.invalid/v1", "is not known"),
        ("https://127.0.0.1:{upstream}/v1", "does not speak TLS"),
    ],
)
async def test_an_upstream_out_of_reach_is_said_in_words(house: House, base_url: str, words: str) -> None:
    address = base_url.format(free=free_port(), upstream=house.upstream.port)
    house.proxy.replace_routing({"far": Upstream(base_url=address)}, "far", {})
    status, error = await error_of(house)
    assert (status, error["code"]) == (502, "upstream_unreachable")
    assert words in error["message"]
    assert "'far'" in error["message"]
    (ended,) = await house.ended()
    assert (ended.outcome, ended.status, ended.body) == ("failed", 502, b"")
    assert words in ended.error


async def test_an_upstream_that_says_nothing_is_a_502(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        wire.cut()

    house.upstream.script = script
    status, error = await error_of(house)
    assert status == 502
    assert "without an answer" in error["message"]


async def test_an_upstream_that_resets_is_a_502(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        wire.reset()

    house.upstream.script = script
    assert (await error_of(house))[0] == 502


async def test_an_upstream_that_speaks_something_else_is_a_502(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(b"SSH-2.0-OpenSSH_9.9\r\n\r\n")
        wire.cut()

    house.upstream.script = script
    status, error = await error_of(house)
    assert status == 502
    assert "does not speak HTTP" in error["message"]


async def test_no_upstream_says_how_to_add_one(house: House) -> None:
    house.proxy.replace_routing({}, "", {})
    status, error = await error_of(house)
    assert (status, error["code"]) == (503, "no_upstream")
    assert "metaclaw-tray upstream add" in error["message"]


async def test_the_program_never_forwards_to_itself(house: House) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        own = Upstream(base_url=f"http://{host}:{house.port}/a/x/v1")
        house.proxy.replace_routing({"loop": own}, "loop", {})
        status, error = await error_of(house)
        assert (status, "is this program itself" in error["message"]) == (503, True)


async def test_a_missing_key_says_how_to_set_it(house: House) -> None:
    house.route(credential="key")
    status, error = await error_of(house)
    assert status == 503
    assert "metaclaw-tray secret set upstream:main" in error["message"]
    assert house.upstream.seen == []


@pytest.mark.parametrize("how", ["cut", "reset"])
@pytest.mark.parametrize("body", [STREAMED, HELLO])
async def test_an_answer_cut_in_the_middle_is_cut_for_the_client_too(
    house: House, how: str, body: dict[str, Any]
) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        if saw.json.get("stream"):
            await wire.stream_head()
            await wire.chunk(delta("half a"))
        else:
            await wire.head(Content_Type="application/json", Content_Length="1000")
            await wire.send(b'{"half":')
        await said.wait()
        getattr(wire, how)()

    said = asyncio.Event()
    house.upstream.script = script
    async with house.post(body) as response:
        assert response.status == 200
        got = await response.content.readany()
        said.set()
        with pytest.raises(aiohttp.ClientError):
            await response.content.read()
    (ended,) = await house.ended()
    assert (ended.outcome, ended.status, ended.body) == ("cut", 200, got)
    assert house.proxy.counters.open_turns == 0


@pytest.mark.parametrize("how", ["cut", "reset"])
@pytest.mark.parametrize(
    ("dialect", "path"), [("chat", "chat/completions"), ("messages", "messages"), ("responses", "responses")]
)
async def test_an_answer_of_which_nothing_came_but_its_head_is_a_502_in_words(
    house: House, how: str, dialect: str, path: str
) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.head(Content_Type="application/json", Content_Length="1000", X_Own="theirs")
        getattr(wire, how)()

    house.upstream.script = script
    house.route(dialects=[dialect])
    body = {"model": "m", "input": "hi", "messages": []}
    async with house.client.post(f"{house.url}/{path}", json=body) as response:
        assert response.status == 502
        assert "X-Own" not in response.headers
        assert "x-metaclaw-turn" in response.headers
        error = (await response.json())["error"]
    assert "'main'" in error["message"]
    assert ("code" in error) == (dialect != "messages")
    (ended,) = await house.ended()
    assert (ended.outcome, ended.status) == ("failed", 502)


async def test_a_stream_cut_before_its_first_byte_is_cut(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        wire.cut()

    house.upstream.script = script
    with pytest.raises(aiohttp.ClientError):
        async with house.post(STREAMED) as response:
            await response.content.read()
    (ended,) = await house.ended()
    assert (ended.outcome, ended.first_byte_at) == ("cut", 0.0)


async def test_a_cut_shows_to_a_client_that_knows_no_chunks(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(b'data: {"half a')
        await said.wait()
        wire.cut()

    said = asyncio.Event()
    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    path, body = house.url.removeprefix(f"http://127.0.0.1:{house.port}"), json.dumps(STREAMED)
    writer.write(
        f"POST {path}/chat/completions HTTP/1.0\r\nHost: 127.0.0.1:{house.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    await reader.readuntil(b"half a")
    said.set()
    with pytest.raises(ConnectionResetError):
        await reader.read()
    writer.close()


@pytest.mark.parametrize("when", ["before the head", "in the middle"])
async def test_a_client_that_leaves_ends_the_upstreams_work(house: House, when: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        if when == "in the middle":
            await wire.stream_head()
            await wire.chunk(delta("a"))
        arrived.set()
        await wire.left.wait()
        closed.set()

    arrived, closed = asyncio.Event(), asyncio.Event()
    house.upstream.script = script

    async def leave() -> None:
        async with house.post(STREAMED) as response:
            await response.content.readany()
            await asyncio.Event().wait()

    client = asyncio.ensure_future(leave())
    await arrived.wait()
    client.cancel()
    await asyncio.wait([client])
    async with asyncio.timeout(10):  # a guard; it takes milliseconds
        await closed.wait()
    (ended,) = await house.ended()
    assert ended.outcome == "gone"
    assert house.proxy.counters.open_turns == 0


async def test_a_slow_client_slows_the_upstream_and_fills_no_memory(house: House) -> None:
    sent = 0

    async def script(saw: Saw, wire: Wire) -> None:
        nonlocal sent
        await wire.stream_head()
        for _ in range(64):
            await wire.flowing()
            await wire.chunk(b"x" * 2**20)
            sent += 1
        await wire.end()

    house.upstream.script = script
    async with house.post(STREAMED) as response:
        assert len(await response.content.readexactly(1000)) == 1000
        await house.upstream.stalled.wait()
        assert sent < 60
        assert len(await response.content.read()) == 64 * 2**20 - 1000
    (ended,) = await house.ended()
    assert (ended.outcome, ended.truncated, len(ended.body)) == ("ok", True, 8 * 2**20)


async def test_broken_requests_get_a_400_and_no_turn(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    path = house.url.removeprefix(f"http://127.0.0.1:{house.port}")
    writer.write(
        f"POST {path}/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n".encode()
    )
    assert (await reader.readline())[8:].startswith(b" 400")
    writer.close()
    assert house.proxy.counters.turns == 0


async def test_drain_lets_running_answers_end_and_takes_no_more(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("a"))
        running.set()
        await go_on.wait()
        await wire.chunk(DONE)
        await wire.end()

    running, go_on = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    async with house.post(STREAMED) as response:
        await running.wait()
        draining = asyncio.ensure_future(house.proxy.drain(30))
        await until_closed(house)
        with pytest.raises(aiohttp.ClientConnectorError):
            async with aiohttp.ClientSession() as newcomer:
                await newcomer.get(f"{house.url}/models")
        assert not draining.done()
        go_on.set()
        assert await response.content.read() == delta("a") + DONE
    await draining
    (ended,) = await house.ended()
    assert ended.outcome == "ok"


async def until_closed(house: House) -> None:
    """Wait until nobody is let in any more."""
    while house.proxy._listening is not None:
        await asyncio.sleep(0)


@pytest.mark.parametrize("path", ["embeddings", "completions", "models", "messages/count_tokens"])
async def test_drain_lets_requests_end_that_are_no_turns(house: House, path: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        running.set()
        await go_on.wait()
        await wire.answer(b'{"data":[]}')

    running, go_on = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    house.route(dialects=["chat", "messages"])

    async def ask() -> tuple[int, bytes]:
        method = "GET" if path == "models" else "POST"
        body = None if path == "models" else {"input": "x", "messages": []}
        async with house.client.request(method, f"{house.url}/{path}", json=body) as response:
            return response.status, await response.read()

    asking = asyncio.ensure_future(ask())
    await running.wait()
    draining = asyncio.ensure_future(house.proxy.drain(30))
    await until_closed(house)
    go_on.set()
    assert await asking == (200, b'{"data":[]}')
    await draining


async def test_drain_lets_a_request_come_whole_that_is_on_its_way(house: House) -> None:
    body = json.dumps(HELLO).encode()
    path = house.url.removeprefix(f"http://127.0.0.1:{house.port}")
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(
        f"POST {path}/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body[:10]
    )
    while not house.proxy._bodies.held:
        await asyncio.sleep(0)
    draining = asyncio.ensure_future(house.proxy.drain(30))
    await until_closed(house)
    writer.write(body[10:])
    assert (await reader.readline())[9:12] == b"200"
    await draining
    writer.close()
    (ended,) = await house.ended()
    assert ended.outcome == "ok"


async def test_drain_cuts_what_does_not_end_in_time(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("a"))
        await wire.left.wait()

    house.upstream.script = script
    async with house.post(STREAMED) as response:
        await response.content.readany()
        await house.proxy.drain(0.01)
        with pytest.raises(aiohttp.ClientError):
            await response.content.read()
    (ended,) = await house.ended()
    assert (ended.outcome, ended.error) == ("cut", "the program ended in the middle of the answer")


async def test_the_route_can_change_while_an_answer_is_on_its_way(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        running.set()
        await go_on.wait()
        await wire.answer(completion())

    running, go_on = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    first = asyncio.ensure_future(house.say("hi"))
    await running.wait()
    house.proxy.replace_routing({}, "", {})
    go_on.set()
    assert (await first).status == 200
    assert (await house.say("hi")).status == 503
