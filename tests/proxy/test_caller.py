"""A client's connection: what is read of it, in which order it is answered, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import re
import sys
import weakref
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multidict import CIMultiDict

from attacks.shapes import FRAMINGS
from metaclaw_tray.proxy import limits
from metaclaw_tray.proxy.caller import _BEHIND_BYTES, Caller
from metaclaw_tray.proxy.heads import Chunks, UnreadableError, read_head
from metaclaw_tray.proxy.limits import Patience
from metaclaw_tray.proxy.reply import Reply, Response
from metaclaw_tray.proxy.request import BrokenBodyError, Request
from metaclaw_tray.proxy.visitors import Visitors
from proxy.house import TOKEN, House, open_house
from proxy.upstream import Saw, Wire, completion
from support.clock import FakeClock

BODY = b'{"messages":[{"role":"user","content":"hi"}]}'


class Line(asyncio.Transport):
    """A client's end, which hands over exactly the pieces that it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.ended = False  # we say nothing more
        self.paused = False
        self.protocol: Caller | None = None

    def connect(self, visitors: Visitors) -> Caller:
        caller = self.protocol = visitors()
        caller.connection_made(self)
        return caller

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def writelines(self, list_of_data: Any) -> None:
        self.said += b"".join(list_of_data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True

    def is_closing(self) -> bool:
        return self.protocol is None

    def close(self) -> None:
        caller, self.protocol, self.ended = self.protocol, None, True
        if caller is not None:
            caller.connection_lost(None)

    abort = close

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def get_write_buffer_size(self) -> int:
        return 0


class Desk:
    """Answers each request with what was read of it."""

    def __init__(self) -> None:
        self.read: list[tuple[str, str, bytes]] = []

    async def __call__(self, request: Request) -> Reply | None:
        body = b""
        try:
            while piece := await request.more():
                body += piece
        except BrokenBodyError:
            return Reply(400, CIMultiDict(), b"broken", ends=True)
        self.read.append((request.method, request.target, body))
        return Reply(200, CIMultiDict(), b"%d" % len(self.read))


def visitors(handle: Any) -> Visitors:
    return Visitors(handle, clock=FakeClock(), most=16, patience=Patience())


async def fed(pieces: list[bytes]) -> tuple[list[tuple[str, str, bytes]], bytes, bool]:
    """What is read of these pieces, what is said, and whether that is all."""
    desk, line = Desk(), Line()
    caller = line.connect(visitors(desk))
    for piece in pieces:
        if line.protocol is not None:
            caller.data_received(piece)
        await asyncio.sleep(0)
    for _ in range(40):
        await asyncio.sleep(0)
    said, ended = line.said, line.ended
    line.close()
    return desk.read, re.sub(rb"Date: [^\r]*", b"", said), ended


def cut(whole: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({min(place, len(whole)) for place in places} | {0, len(whole)})
    return [whole[start:end] for start, end in pairwise(ends)]


PLAIN = b'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{"a":"\r\n\r\n"}'
CHUNKED = (
    b"POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: t\r\n\r\n"
)
EMPTY = b"\r\nGET /c HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADING = b"POST /d HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}"
BROKEN = b"POST /e HTTP/1.1\r\nX: a\nContent-Length: 2\r\n\r\n{}"
OLD = b"GET /f HTTP/1.0\r\n\r\n"

SEQUENCES = [
    [PLAIN],
    [PLAIN, EMPTY, PLAIN],
    [EMPTY, UPGRADING, CHUNKED],
    [UPGRADING, BROKEN, EMPTY],
    [PLAIN, OLD],
]


@settings(deadline=None)
@given(st.sampled_from(SEQUENCES), st.lists(st.integers(0, 400), max_size=12))
def test_requests_that_are_cut_anywhere_are_read_alike(sequence: list[bytes], places: list[int]) -> None:
    whole = b"".join(sequence)
    expected = asyncio.run(fed([whole]))
    assert len(expected[0]) == (sequence.index(BROKEN) if BROKEN in sequence else len(sequence))
    assert asyncio.run(fed(cut(whole, places))) == expected


@settings(deadline=None)
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=6))
def test_any_bytes_are_read_or_refused_and_never_a_fault(junk: bytes, places: list[int]) -> None:
    whole = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + junk
    for start in (0, whole.index(b"T"), len(whole) - len(junk)):
        read, said, _ = asyncio.run(fed(cut(whole[start:], places)))
        assert len(read) <= 1 + junk.count(b"\r\n\r\n")
        assert b"HTTP/1.1 500" not in said


@pytest.mark.parametrize(("lines", "body"), FRAMINGS)
@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_two_readings_are_refused_however_they_are_cut(
    lines: list[str], body: bytes, size: int
) -> None:
    whole = "\r\n".join(["POST / HTTP/1.1", "Host: x", *lines, "", ""]).encode() + body + EMPTY
    read, said, ended = await fed([whole[at : at + size] for at in range(0, len(whole), size)])
    assert [target for _, target, _ in read if target == "/c"] == []
    assert (said[9:12], said.count(b"HTTP/1.1 "), ended) == (b"400", 1, True)


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/0.9",
        b"GET / HTTP/2.0",
        b"GET /",
        b"OPTIONS * RTSP/1.0",
        b"SOURCE / ICE/1.0",
        b"get / HTTP/1.1",
        b"\x16\x03\x01 / HTTP/1.1",
        b"GET / HTTP/1.1 ",
        b"GET /a b HTTP/1.1",
        b"GET /\x00 HTTP/1.1",
        b"PRI * HTTP/2.0",
    ],
)
async def test_what_is_no_http_1_is_refused(line: bytes) -> None:
    read, said, ended = await fed([line + b"\r\nHost: x\r\n\r\n"])
    assert (read, said[9:12], ended) == ([], b"400", True)


async def test_a_client_that_speaks_tls_is_told_at_once() -> None:
    read, said, ended = await fed([b"\x16\x03\x01\x02\x00\x01\x00"])
    assert (read, said[9:12], ended) == ([], b"400", True)


@pytest.mark.parametrize("coding", ["gzip, chunked", "identity", "chunked,", "CHUNKED, chunked"])
def test_no_other_transfer_coding_is_taken(coding: str) -> None:
    with pytest.raises(UnreadableError):
        read_head(f"POST / HTTP/1.1\r\nTransfer-Encoding: {coding}\r\n\r\n".encode())


def test_chunks_of_an_old_client_are_none() -> None:
    with pytest.raises(UnreadableError):
        read_head(b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")


def test_what_stands_beside_a_body_in_chunks_has_a_limit() -> None:
    chunks = Chunks()
    assert chunks.feed(b"2;x=y\r\n{}\r\n0\r\n") == b"{}"
    with pytest.raises(UnreadableError):
        chunks.feed((b"X: " + b"y" * 1000 + b"\r\n") * 100)


# --- in order


async def test_nothing_behind_a_body_in_chunks_is_read() -> None:
    """The parser has read on into it, so the connection ends, and the client sends it again."""
    read, said, ended = await fed([CHUNKED + EMPTY])
    assert [target for _, target, _ in read] == ["/b"]
    assert b"Connection: close" in said
    assert ended


@pytest.mark.parametrize("room", [1, -1])
async def test_what_is_pipelined_is_answered_up_to_a_limit(room: int) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    async def handle(request: Request) -> Reply | None:
        started.set()
        await go_on.wait()
        return Reply(200, CIMultiDict(), b"")

    line = Line()
    caller = line.connect(visitors(handle))
    caller.data_received(EMPTY)
    await started.wait()
    count = _BEHIND_BYTES // len(EMPTY) - room
    for _ in range(count):
        caller.data_received(EMPTY)
    assert not line.paused  # else nobody would see the client leave
    go_on.set()
    answers = count + 1 if room > 0 else 1
    while line.said.count(b"HTTP/1.1 200") < answers:
        await asyncio.sleep(0)
    assert line.ended is (room < 0)
    assert (b"Connection: close" in line.said) is (room < 0)
    line.close()


@pytest.mark.parametrize("framing", ["behind", "a body that nobody reads"])
async def test_a_client_that_sends_on_and_leaves_is_seen_to_leave(house: House, framing: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        asked.set()
        await wire.left.wait()
        gone.set()

    asked, gone = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    _, writer = await asyncio.open_connection("127.0.0.1", house.port)
    length = 0 if framing == "behind" else 50_000_000
    writer.write(
        b"GET /a/%b/v1/models HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n\r\n"
        % (TOKEN.encode(), house.port, length)
    )
    await asked.wait()
    for _ in range(40):
        writer.write(b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000)
        await writer.drain()
    writer.close()
    await gone.wait()
    async with asyncio.timeout(30):  # a guard
        while house.proxy._server is not None and house.proxy._server.open:
            await asyncio.sleep(0)


async def test_a_client_that_ends_its_side_and_takes_nothing_ends_its_request(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        with contextlib.suppress(ConnectionError):
            while not wire.left.is_set():
                await wire.chunk(b"x" * 100_000)
                await wire.flowing()
        gone.set()

    gone = asyncio.Event()
    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1000)
    writer.write(
        b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (TOKEN.encode(), house.port, len(BODY), BODY)
    )
    await reader.readexactly(100)
    await house.upstream.stalled.wait()
    writer.write_eof()
    await gone.wait()
    writer.transport.abort()


async def test_a_body_that_nobody_reads_waits_in_the_client() -> None:
    go_on = asyncio.Event()

    async def handle(request: Request) -> Reply | None:
        await go_on.wait()
        size = 0
        while piece := await request.more():
            size += len(piece)
        return Reply(200, CIMultiDict(), b"%d" % size)

    line = Line()
    caller = line.connect(visitors(handle))
    caller.data_received(b"POST / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n")
    caller.data_received(b" " * 1_500_000)
    assert line.paused
    go_on.set()
    while line.paused:
        await asyncio.sleep(0)
    caller.data_received(b" " * 1_500_000)
    while not line.said.endswith(b"3000000"):
        await asyncio.sleep(0)
    line.close()


# --- answers


async def test_an_answer_to_head_has_no_body(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    for method in (b"HEAD", b"GET"):
        writer.write(b"%b /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (method, house.port))
        head = await reader.readuntil(b"\r\n\r\n")
        assert (head[9:12], b"Content-Length: 15\r\n" in head) == (b"200", True)
    assert await reader.readexactly(15) == b'{"status":"ok"}'
    writer.close()


@pytest.mark.parametrize("keeps", [True, False])
async def test_an_old_client_gets_what_it_can_read(house: House, keeps: bool) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        if len(house.upstream.seen) == 1 and keeps:
            await wire.answer(completion())
            return
        await wire.stream_head()
        await wire.chunk(b"data: 1\n\n")
        await wire.end()

    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    line = b"Connection: keep-alive\r\n" if keeps else b""
    request = (
        b"POST /a/%b/v1/chat/completions HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n%b\r\n%b" % (TOKEN.encode(), house.port, len(BODY), line, BODY)
    )
    if keeps:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"\r\nConnection: keep-alive\r\n" in head
        await reader.readexactly(len(completion()))
    writer.write(request)
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.0 200 ")
    assert b"chunked" not in answer
    assert answer.endswith(b"\r\n\r\ndata: 1\n\n")
    writer.close()


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_an_answer_that_has_no_body_is_not_framed(house: House, status: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.send(f"HTTP/1.1 {status}\r\nETag: x\r\n\r\n".encode())

    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    for _ in range(2):
        writer.write(
            b"GET /a/%b/v1/models HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (TOKEN.encode(), house.port)
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status}\r\n".encode())
        assert b"Transfer-Encoding" not in head
    writer.close()


async def test_no_header_of_an_answer_becomes_two() -> None:
    async def handle(request: Request) -> Reply | None:
        return Reply(200, CIMultiDict({"X": "a\r\nSet-Cookie: b"}), b"")

    line = Line()
    line.connect(visitors(handle)).data_received(EMPTY)
    while not line.said:
        await asyncio.sleep(0)
    assert line.said.startswith(b"HTTP/1.1 500 ")
    assert b"Set-Cookie" not in line.said


async def test_a_request_that_is_given_up_ends_its_connection() -> None:
    """Nobody waits for an answer that will not come."""

    async def handle(request: Request) -> Reply | None:
        return None

    line = Line()
    line.connect(visitors(handle)).data_received(EMPTY)
    while not line.ended:
        await asyncio.sleep(0)
    assert line.said == b""


async def test_an_answer_that_meets_a_fault_in_its_middle_never_ends_well() -> None:
    async def handle(request: Request) -> Reply | None:
        response = Response(request, 200, "OK", CIMultiDict())
        await response.write(b"half")
        raise RuntimeError

    line = Line()
    line.connect(visitors(handle)).data_received(EMPTY)
    while not line.ended:
        await asyncio.sleep(0)
    assert line.said.endswith(b"4\r\nhalf\r\n")


# --- the end


async def test_a_refusal_reaches_a_client_that_is_still_sending(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(
        b"POST /a/nobody/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
        b"Content-Type: application/json\r\nContent-Length: 50000000\r\n\r\n" % house.port
    )
    for _ in range(20):
        writer.write(b" " * 500_000)
        await asyncio.sleep(0)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 401 ")
    assert b"\r\nConnection: close\r\n" in head
    assert json.loads(await reader.read())["error"]
    writer.transport.abort()


@pytest.mark.parametrize("when", ["before the answer", "in the middle of the body"])
async def test_a_client_that_ends_its_side_ends_its_request(house: House, when: str) -> None:
    """As every client does that leaves: nobody tells one that only waits from one that is gone."""

    async def script(saw: Saw, wire: Wire) -> None:
        asked.set()
        await wire.left.wait()
        gone.set()

    asked, gone = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    length = len(BODY) + (when != "before the answer")
    writer.write(
        b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (TOKEN.encode(), house.port, length, BODY)
    )
    if when == "before the answer":
        await asked.wait()
    writer.write_eof()
    assert await reader.read() == b""
    if when == "before the answer":
        await gone.wait()
    else:
        assert house.upstream.seen == []
    writer.close()


async def test_a_connection_that_is_closed_by_and_by_takes_no_other_request(house: House) -> None:
    """While the program ends, an answer says that it is the last."""

    async def script(saw: Saw, wire: Wire) -> None:
        asked.set()
        await go_on.wait()
        await wire.answer(completion())

    asked, go_on = asyncio.Event(), asyncio.Event()
    house.upstream.script = script
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(
        b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (TOKEN.encode(), house.port, len(BODY), BODY)
    )
    await asked.wait()
    draining = asyncio.create_task(house.proxy.drain(30))
    while house.proxy._listening is not None:
        await asyncio.sleep(0)
    go_on.set()
    answer = await reader.read()
    assert b"\r\nConnection: close\r\n" in answer
    assert answer.endswith(completion())
    await draining
    writer.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop")
def test_all_of_it_runs_on_the_loop_that_the_app_runs_on() -> None:
    import uvloop

    async def ask() -> None:
        async with open_house({"server": {"connections": 16}}) as house:
            assert (await house.say("hi")).status == 200
            async with house.client.get(f"{house.url}/models") as response:
                assert response.status == 200
            flood = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(40)]
            reader, writer = flood[-1]
            writer.write(b"GET / HTTP/1.1\r\nX: " + b"x" * limits.HEAD_BYTES)
            assert (await reader.read())[9:12] == b"431"
            reader, writer = flood[-2]
            writer.write(BROKEN)
            assert (await reader.read())[9:12] == b"400"
            assert (await house.say("hi", "ho", "hi")).status == 200
            for _, writer in flood:
                writer.close()

    uvloop.run(ask())


async def test_a_client_that_left_leaves_nothing_behind_that_only_a_search_for_cycles_finds(
    house: House,
) -> None:
    """Searches are seldom in the app, and what a turn held may be large."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(b"x" * 2**20)
        await wire.left.wait()

    house.upstream.script = script
    gc.disable()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(
            b"POST /a/%b/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (TOKEN.encode(), house.port, len(BODY), BODY)
        )
        await reader.readexactly(1000)
        assert house.proxy._server is not None
        (caller,) = house.proxy._server.open
        assert caller._task is not None
        task = weakref.ref(caller._task)  # it holds all that it worked on
        del caller
        writer.transport.abort()
        await house.ended()
        for _ in range(10):
            await asyncio.sleep(0)
        assert task() is None
    finally:
        gc.enable()
