"""What one connection, and all of them together, may ask for."""

from __future__ import annotations

import asyncio
import gzip
import json
import resource
from collections.abc import Callable
from itertools import count

import brotli
import pytest
import zstandard

from attacks.shapes import FRAMINGS
from metaclaw_tray.proxy import limits
from metaclaw_tray.proxy.limits import Patience, connections_for, raise_descriptors
from metaclaw_tray.proxy.tee import AnswerCopy, CopyRoom
from proxy.house import TOKEN, House, open_house, raw_exchange
from proxy.upstream import Saw, Wire, completion

BODY = b'{"messages":[{"role":"user","content":"hi"}]}'
MEBIBYTE = 2**20


def head(house: House, *lines: str, path: str = f"/a/{TOKEN}/v1/chat/completions") -> bytes:
    """The head of a POST of JSON, with these lines more."""
    first = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{house.port}", "Content-Type: application/json"]
    return "\r\n".join([*first, *lines, "", ""]).encode()


async def closed(reader: asyncio.StreamReader) -> bytes:
    """What the server said until it closed."""
    try:
        async with asyncio.timeout(30):  # a guard
            return await reader.read()
    except ConnectionError:
        return b""


async def until(true: Callable[[], bool]) -> None:
    """Let the sockets breathe until something holds."""
    async with asyncio.timeout(30):  # a guard; it takes milliseconds
        while not true():
            await asyncio.sleep(0.001)


def connections(house: House) -> int:
    assert house.proxy._server is not None
    return len(house.proxy._server.open)


# --- heads


@pytest.mark.parametrize(
    "lines",
    [
        [f"X-Large: {'x' * (limits.FIELD_BYTES + 1)}"],
        [f"X-{number}: {'x' * 60_000}" for number in range(3)],
        [f"X-{number}: x" for number in range(limits.HEADERS + 1)],
    ],
    ids=["one too long", "together too long", "too many"],
)
async def test_a_head_has_its_limits(house: House, lines: list[str]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house, *lines, f"Content-Length: {len(BODY)}") + BODY)
    assert (await closed(reader))[9:12] in (b"400", b"431", b"")
    writer.close()
    assert house.upstream.seen == []


async def test_a_line_has_its_limit(house: House) -> None:
    path = "/" + "x" * limits.LINE_BYTES
    assert (await raw_exchange(house.port, head(house, path=path)))[0] == 400


async def test_a_head_that_never_ends_is_not_kept(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house)[:-2])
    sent = 0
    try:
        for number in count():
            line = f"X-{number}: {'x' * 10_000}\r\n".encode()
            writer.write(line)
            sent += len(line)
            await writer.drain()
            await asyncio.sleep(0)
            if reader.at_eof():
                break
    except ConnectionError:
        pass
    assert (await closed(reader))[9:12] in (b"431", b"")
    await until(lambda: connections(house) == 0)


async def test_headers_as_large_as_honest_ones_pass(house: House) -> None:
    async with house.post(BODY, X_Large="x" * 60_000, X_Other="y" * 50_000) as response:
        assert response.status == 200
    assert house.upstream.seen[0].header("X-Large") == "x" * 60_000


# --- time


async def test_a_stranger_has_half_a_minute(house: House) -> None:
    silent = await asyncio.open_connection("127.0.0.1", house.port)
    slow = await asyncio.open_connection("127.0.0.1", house.port)
    slow[1].write(head(house)[:40])
    await until(lambda: connections(house) == 2)
    house.clock.advance(20)
    slow[1].write(b"more")
    house.proxy.sweep()
    late = await asyncio.open_connection("127.0.0.1", house.port)
    await until(lambda: connections(house) == 3)
    house.clock.advance(11)
    house.proxy.sweep()
    for reader, writer in (silent, slow):
        assert await closed(reader) == b""
        writer.close()
    await until(lambda: connections(house) == 1)
    late[1].close()


async def test_an_agents_connection_outlasts_a_pause_and_ends_after_ten_minutes(house: House) -> None:
    await house.say("hi")
    for _ in range(2):
        house.clock.advance(590)
        house.proxy.sweep()
        await house.say("hi")
    assert connections(house) == 1
    house.clock.advance(601)
    house.proxy.sweep()
    await until(lambda: connections(house) == 0)
    assert (await house.say("hi")).status == 200


async def test_an_answer_that_takes_its_time_is_not_silence(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        asked.set()
        await go.wait()
        await wire.answer(completion())

    house.upstream.script, asked, go = script, asyncio.Event(), asyncio.Event()
    turn = asyncio.create_task(house.say("hi"))
    await asked.wait()
    for _ in range(3):
        house.clock.advance(599)
        house.proxy.sweep()
    house.clock.advance(3600)
    house.proxy.sweep()
    go.set()
    assert (await turn).status == 200
    house.proxy.sweep()
    assert connections(house) == 1


async def test_a_body_that_stops_is_given_up() -> None:
    async with open_house(patience=Patience(body=0.05)) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(head(house, "Content-Length: 100") + b'{"model":')
        answer = await closed(reader)
        writer.close()
        assert answer[9:12] == b"408"
        assert (house.upstream.seen, house.pipe.records) == ([], [])
        assert (await house.say("hi")).status == 200


async def test_a_client_that_takes_nothing_holds_little_and_is_let_go(house: House) -> None:
    """Its upstream waits, so that nothing piles up between the two."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        for _ in range(50):
            await wire.chunk(b"x" * MEBIBYTE)
            await wire.flowing()

    house.upstream.script = script
    _, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1024)
    writer.transport.pause_reading()
    writer.write(head(house, f"Content-Length: {len(BODY)}") + BODY)
    await house.upstream.stalled.wait()
    assert house.proxy._server is not None
    (caller,) = house.proxy._server.open
    transport = caller.transport
    await until(lambda: caller.stalled)
    assert transport.get_write_buffer_size() < MEBIBYTE
    house.proxy.sweep()
    house.clock.advance(599)
    house.proxy.sweep()
    assert connections(house) == 1
    house.clock.advance(2)
    house.proxy.sweep()
    (ended,) = await house.ended()
    assert ended.outcome == "gone"
    await until(lambda: connections(house) == 0)
    writer.close()


def test_the_copies_of_all_answers_share_one_room() -> None:
    room = CopyRoom(10)
    one, other = AnswerCopy(room=room), AnswerCopy(room=room)
    one.take(b"12345678")
    other.take(b"abcde")
    assert (one.truncated, other.truncated, other.body) == (False, True, b"ab")
    one.close()
    other.take(b"f")
    assert other.body == b"ab"  # nothing that would hide the gap
    other.close()
    assert room.bytes_left == 10


async def test_no_answer_keeps_its_room(house: House) -> None:
    await house.say("hi")
    async with house.client.get(f"{house.url}/models") as response:
        await response.read()
    assert house.proxy._copies.bytes_left == CopyRoom().bytes_left


# --- how many


async def test_beyond_so_many_requests_each_dialect_is_asked_to_come_again(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await go.wait()
        await wire.answer(completion())

    go = asyncio.Event()
    house.upstream.script = script
    house.route(dialects=["chat", "messages", "responses"])
    house.configure(server={"requests": 3})
    turns = [asyncio.create_task(house.say("hi", X_Session_Id=str(number))) for number in range(3)]
    await until(lambda: len(house.upstream.seen) == 3)
    for path, kind in (
        ("chat/completions", "invalid_request_error"),
        ("messages", "rate_limit_error"),
        ("responses", "invalid_request_error"),
    ):
        async with house.client.post(f"{house.url}/{path}", json=json.loads(BODY)) as response:
            assert (response.status, response.headers["Retry-After"]) == (429, "1")
            assert (await response.json())["error"]["type"] == kind
    async with house.client.get(f"http://127.0.0.1:{house.port}/healthz") as response:
        assert response.status == 200
    go.set()
    assert [(await turn).status for turn in turns] == [200] * 3
    assert (await house.say("hi")).status == 200
    assert len(house.upstream.seen) == 4


async def test_bodies_that_are_too_large_together_are_asked_to_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await go.wait()
        await wire.answer(completion())

    go = asyncio.Event()
    house.upstream.script = script
    monkeypatch.setattr(house.proxy._bodies, "_most", 3 * MEBIBYTE)
    large = b'{"messages":[{"role":"user","content":"%b"}]}' % (b"x" * 2 * MEBIBYTE)

    async def ask() -> int:
        async with house.post(large) as response:
            return response.status

    first = asyncio.create_task(ask())
    await until(lambda: len(house.upstream.seen) == 1)
    async with house.post(large) as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "1")
    go.set()
    assert await first == 200
    assert await ask() == 200
    await until(lambda: house.proxy._bodies.held == 0)


async def test_a_body_that_broke_off_is_held_no_more(house: House) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house, "Content-Length: 5000000") + b" " * MEBIBYTE)
    await until(lambda: house.proxy._bodies.held > 0)
    writer.close()
    await until(lambda: house.proxy._bodies.held == 0)


async def test_a_flood_of_connections_drives_out_itself() -> None:
    async with open_house({"server": {"connections": 16}}) as house:
        await house.say("hi")  # the agent keeps its connection
        flood = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(100)]
        await until(lambda: connections(house) == 16)
        assert (await house.say("hi", "hello", "more")).status == 200
        async with house.client.get(f"http://127.0.0.1:{house.port}/healthz") as response:
            assert response.status == 200
        for reader, _ in flood[:80]:
            assert await closed(reader) == b""
        assert house.upstream.connections == 1
        for _, writer in flood:
            writer.close()


async def test_agents_at_work_are_never_driven_out() -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await go.wait()
        await wire.answer(completion())

    go = asyncio.Event()
    async with open_house({"server": {"connections": 16}}) as house:
        house.upstream.script = script
        turns = [asyncio.create_task(house.say("hi", X_Session_Id=str(number))) for number in range(16)]
        await until(lambda: len(house.upstream.seen) == 16)
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        assert await closed(reader) == b""
        writer.close()
        go.set()
        assert [(await turn).status for turn in turns] == [200] * 16
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(head(house, f"Content-Length: {len(BODY)}") + BODY)  # an idle one makes room
        assert (await reader.readline())[9:12] == b"200"
        writer.close()


def test_descriptors_are_raised_to_what_the_system_allows() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        allowed = raise_descriptors()
        assert allowed == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert allowed == hard or allowed >= 10_240
        assert raise_descriptors() == allowed
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_few_descriptors_leave_some_for_everything_else() -> None:
    assert connections_for(1024, 65_536) == 1024
    assert connections_for(1024, 1024) == (1024 - 128) // 2
    assert connections_for(1024, 64) == 16


# --- what a body may become


def nested(layers: int) -> bytes:
    bomb = gzip.compress(b"0" * MEBIBYTE) * 200
    for _ in range(layers - 1):
        bomb = gzip.compress(bomb)
    return bomb


@pytest.mark.parametrize(
    ("encoding", "bomb"),
    [
        ("gzip", lambda: nested(1)),
        ("gzip, gzip, gzip", lambda: nested(3)),
        ("br", lambda: brotli.compress(b"0" * 101 * MEBIBYTE, quality=1)),
        ("zstd", lambda: zstandard.compress(b"0" * 101 * MEBIBYTE)),
    ],
    ids=["gzip", "nested", "br", "zstd"],
)
async def test_a_bomb_is_refused(house: House, encoding: str, bomb: Callable[[], bytes]) -> None:
    """C04."""
    async with house.post(bomb(), Content_Encoding=encoding) as response:
        assert response.status == 413
    assert (house.upstream.seen, house.pipe.records) == ([], [])


async def test_more_encodings_than_anybody_sends_are_not_taken_off(house: House) -> None:
    """C04. What is not read goes on as it is: the upstream decides."""
    async with house.post(BODY, Content_Encoding=", ".join(["gzip"] * 1000)) as response:
        assert response.status == 200
    assert house.upstream.seen[0].body == BODY


async def test_a_body_in_chunks_has_the_same_limit(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house, "Transfer-Encoding: chunked"))
    piece = b"%x\r\n" % (4 * MEBIBYTE) + b" " * (4 * MEBIBYTE) + b"\r\n"
    try:
        for _ in range(27):
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        pass
    assert (await closed(reader))[9:12] in (b"413", b"")
    writer.close()
    assert house.upstream.seen == []


# --- how it is framed

SMUGGLED = b"POST /a/%b/v1/embeddings HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


@pytest.mark.parametrize(
    ("lines", "body"),
    FRAMINGS,
)
async def test_two_readings_of_one_request_are_one_too_many(
    house: House, lines: list[str], body: bytes
) -> None:
    """Nothing that follows on the connection is read as a request of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house, *lines) + body + SMUGGLED % (TOKEN.encode(), house.port))
    answer = await closed(reader)
    writer.close()
    assert answer[9:12] in (b"400", b"411", b"413", b"415"), answer
    assert answer.count(b"HTTP/1.") == 1
    assert house.upstream.seen == []


@pytest.mark.parametrize("extension", [b";a=b", b";" + b"x" * 1000])
async def test_extensions_and_trailers_of_chunks_end_here(house: House, extension: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    framed = b"%x%b\r\n%b\r\n0\r\nAuthorization: Bearer trailed\r\n\r\n" % (len(BODY), extension, BODY)
    writer.write(head(house, "Transfer-Encoding: chunked") + framed)
    assert (await reader.readline())[9:12] in (b"200", b"400")
    writer.close()
    for saw in house.upstream.seen:
        assert saw.body == BODY
        assert "trailed" not in str(saw.headers)


async def test_a_chunk_extension_without_end_is_not_kept(house: House) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(head(house, "Transfer-Encoding: chunked") + b"2;")
    try:
        for _ in range(64):
            writer.write(b"x" * MEBIBYTE)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()
    assert house.upstream.seen == []


async def test_what_is_pipelined_passes_the_same_door(house: House) -> None:
    good = head(house, f"Content-Length: {len(BODY)}") + BODY
    foreign = head(house, "Origin: http://evil.example", f"Content-Length: {len(BODY)}") + BODY
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(good + good + foreign + good)
    answer = await closed(reader)
    writer.close()
    assert [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]] == [b"200", b"200", b"403"]
    assert len(house.upstream.seen) == 2


async def test_a_thousand_pipelined_requests_wait_their_turn(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n".encode()
    writer.write(request * 1000)
    answers = 0
    while answers < 1000:
        answers += (await reader.readuntil(b'{"status":"ok"}')).count(b"HTTP/1.1 200")
    writer.close()


async def test_a_fault_of_ours_is_a_500_in_the_dialect_and_says_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("prompt text")

    monkeypatch.setattr(house.proxy._desk, "begin", stumble)
    house.route(dialects=["messages"])
    async with house.client.post(f"{house.url}/messages", json={}) as response:
        assert (response.status, (await response.json())["error"]["type"]) == (500, "api_error")
        assert "prompt text" not in await response.text()
