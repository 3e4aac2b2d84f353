"""Answers of upstreams: every framing that HTTP/1.1 has, however the network cuts it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.connections import Connection, head_of
from metaclaw_tray.proxy.failures import CutError, NotHttpError

CHUNKED = (
    b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nX-Odd: caf\xe9 \r\n\r\n"
    b"5;name=value\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: yes\r\n\r\n"
)
SIZED = b"HTTP/1.1 200 Fine\r\nContent-Length: 11\r\nX-Odd: caf\xe9\r\n\r\nhello world"
CLOSED = b"HTTP/1.1 200 Fine\r\nX-Odd: caf\xe9\r\n\r\nhello world"
EARLY = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"


class Line(asyncio.Transport):
    """A transport that goes nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.reads = True
        self.ended = False
        self.connection: Connection | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return self.ended

    def abort(self) -> None:
        if not self.ended:
            self.ended = True
            assert self.connection is not None
            self.connection.connection_lost(None)


async def asked() -> tuple[Line, Connection, list[Connection], asyncio.Task[Answer]]:
    """A connection on which a request has gone out, and those that were told to be free."""
    line, free = Line(), list[Connection]()
    line.connection = Connection(line, free.append)
    task = asyncio.ensure_future(line.connection.ask(b"GET / HTTP/1.1\r\n\r\n", b""))
    await asyncio.sleep(0)
    return line, line.connection, free, task


async def whole(answer: Answer) -> bytes:
    body = b""
    while chunk := await answer.read():
        body += chunk
    return body


@given(
    st.sampled_from([CHUNKED, SIZED, CLOSED, EARLY + CHUNKED, EARLY + SIZED, EARLY + CLOSED]),
    st.lists(st.integers(1, 200), max_size=8),
)
def test_an_answer_is_the_same_however_it_is_cut(sent: bytes, cuts: Sequence[int]) -> None:
    async def run() -> None:
        _, connection, free, task = await asked()
        places = sorted({0, *(cut for cut in cuts if cut < len(sent)), len(sent)})
        for start, end in pairwise(places):
            connection.data_received(sent[start:end])
            await asyncio.sleep(0)
        closes = sent.endswith(CLOSED)
        if closes:
            connection.connection_lost(None)
        answer = await task
        assert (answer.status, answer.reason, answer.headers["X-Odd"]) == (200, "Fine", "caf\udce9")
        assert await whole(answer) == b"hello world"
        assert not connection.closed or closes
        answer.release()
        assert free[0] is connection

    asyncio.run(run())


@pytest.mark.parametrize("sent", [CHUNKED, SIZED])
@pytest.mark.parametrize("left", [1, 3, 11])
async def test_a_body_that_is_cut_is_no_whole_one(sent: bytes, left: int) -> None:
    _, connection, _, task = await asked()
    connection.data_received(sent[:-left])
    connection.connection_lost(None)
    answer = await task
    with pytest.raises(CutError):
        await whole(answer)


@pytest.mark.parametrize(
    "sent",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x15\x03\x01\x00\x02\x02",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\na",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 099 OK\r\nContent-Length: 1\r\n\r\na" + SIZED,
    ],
)
async def test_what_is_no_http_or_can_be_read_in_two_ways_is_refused(sent: bytes) -> None:
    line, connection, _, task = await asked()
    connection.data_received(sent)
    with pytest.raises(NotHttpError):
        await (await task).read()
    assert line.ended


async def test_a_head_without_end_is_refused() -> None:
    line, connection, _, task = await asked()
    connection.data_received(b"HTTP/1.1 200 OK\r\n")
    for _ in range(40):
        if not line.ended:
            connection.data_received(b"X-Odd: " + b"x" * 10_000 + b"\r\n")
    with pytest.raises(NotHttpError):
        await task
    assert line.ended


@pytest.mark.parametrize("more", [b"X-Odd: " + b"x" * 10_000 + b"\r\n", b"x" * 10_000])
@pytest.mark.parametrize("before", [b"0\r\n", b"0;name="])
async def test_trailers_and_extensions_without_end_are_refused(before: bytes, more: bytes) -> None:
    line, connection, _, task = await asked()
    connection.data_received(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n" + before)
    for _ in range(40):
        if not line.ended:
            connection.data_received(more)
    assert line.ended
    with pytest.raises(CutError):
        await whole(await task)


async def test_a_trailer_is_no_header() -> None:
    _, connection, _, task = await asked()
    connection.data_received(CHUNKED.replace(b"X-Trailer", b"Content-Encoding"))
    assert set((await task).headers) == {"Transfer-Encoding", "X-Odd"}


async def test_header_bytes_that_no_header_may_hold_become_spaces() -> None:
    _, connection, _, task = await asked()
    odd = b"X-Odd: a\0b\x1b\x7f\tc\r\n d\r\nContent-Length : 0\r\n\r\n"
    connection.data_received(b"HTTP/1.1 200 \0\x01O\x7fK\r\n" + odd)
    answer = await task
    assert (answer.reason, dict(answer.headers)) == ("  O K", {"X-Odd": "a b  \tc d", "Content-Length": "0"})


async def test_a_connection_whose_answer_nobody_read_is_not_used_again() -> None:
    """Reading may be paused on it, for ever."""
    line, connection, free, task = await asked()
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000)
    (await task).release()
    assert (free, line.ended) == ([connection], True)


async def test_a_body_that_we_gave_up_is_no_whole_one() -> None:
    _, connection, _, task = await asked()
    connection.data_received(CLOSED)
    answer = await task
    connection.abort()
    with pytest.raises(CutError):
        await whole(answer)


async def test_hints_without_end_are_refused() -> None:
    line, connection, _, task = await asked()
    for _ in range(30):
        if not line.ended:
            connection.data_received(EARLY * 200)
    with pytest.raises(NotHttpError):
        await task


@pytest.mark.parametrize("more", [SIZED, b"\r\nnonsense"])
async def test_a_connection_with_something_behind_the_answer_is_not_used_again(more: bytes) -> None:
    line, connection, _, task = await asked()
    connection.data_received(SIZED + more)
    answer = await task
    assert await whole(answer) == b"hello world"
    answer.release()
    assert line.ended


async def test_what_comes_unasked_ends_the_connection() -> None:
    line, connection, free, task = await asked()
    connection.data_received(SIZED)
    (await task).release()
    assert free == [connection]
    connection.data_received(SIZED)
    assert line.ended


@pytest.mark.parametrize("said", [b"HTTP/1.0 200 OK", b"HTTP/1.1 200 OK\r\nConnection: close"])
async def test_a_connection_that_the_server_closes_is_not_used_again(said: bytes) -> None:
    line, connection, _, task = await asked()
    connection.data_received(said + b"\r\nContent-Length: 2\r\n\r\n{}")
    answer = await task
    assert await whole(answer) == b"{}"
    answer.release()
    assert line.ended


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
async def test_an_answer_without_a_body_ends_with_its_head(status: bytes) -> None:
    line, connection, free, task = await asked()
    connection.data_received(b"HTTP/1.1 " + status + b"\r\n\r\n")
    answer = await task
    assert await answer.read() == b""
    answer.release()
    assert (free, line.ended) == ([connection], False)


async def test_no_more_is_taken_than_somebody_reads() -> None:
    line, connection, _, task = await asked()
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n")
    answer = await task
    for _ in range(5):
        connection.data_received(b"x" * 100_000)
    assert not line.reads
    assert len(await answer.read()) == 500_000
    assert line.reads
    answer.close()
    assert line.ended


async def test_a_reader_that_gave_up_can_come_back() -> None:
    _, connection, _, task = await asked()
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
    answer = await task
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await answer.read()
    connection.data_received(b"{}")
    assert await answer.read() == b"{}"
    assert await answer.read() == b""


async def test_an_early_answer_to_a_large_body_costs_the_connection() -> None:
    line, free = Line(), list[Connection]()
    connection = line.connection = Connection(line, free.append)
    connection.pause_writing()
    task = asyncio.ensure_future(connection.ask(b"POST / HTTP/1.1\r\n\r\n", b"x" * 2**20))
    await asyncio.sleep(0)
    connection.data_received(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
    answer = await task
    assert (answer.status, await answer.read()) == (413, b"")
    answer.release()
    assert line.ended
    assert line.sent == b"POST / HTTP/1.1\r\n\r\n"


@pytest.mark.parametrize("value", ["a\r\nX-More: b", "a\nb", "a\rb", "a\0b"])
def test_no_header_becomes_two(value: str) -> None:
    with pytest.raises(ValueError, match="header"):
        head_of("GET", "/", "localhost", {"X": value}, None)


def test_header_bytes_that_are_no_utf8_go_on_as_they_came() -> None:
    head = head_of("POST", "/v1", "localhost:1", {"X": "caf\udce9", "Y": "北"}, 3)
    assert head == (
        b"POST /v1 HTTP/1.1\r\nHost: localhost:1\r\n"
        b"X: caf\xe9\r\nY: \xe5\x8c\x97\r\nContent-Length: 3\r\n\r\n"
    )
