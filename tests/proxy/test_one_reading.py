"""What our server reads is what a strict one reads, what goes on says the same, and the rest is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.proxy.heads import Chunks, UnreadableError, read_head
from metaclaw_tray.settings import Upstream
from proxy.house import TOKEN, House
from proxy.odd_requests import LAST, ODD
from proxy.strict import Read, Reading, disagreement, ours, strictly

_WORDS = r"""
\r\n|\n|\r| |\t|\0|:|;|,|0|+|-|0x|#|HTTP/1.1|HTTP/1.0
\x0b|\x7f|\xff|\xc2\xa0|chunked|Transfer-Encoding: chunked\r\n
Content-Length: 2\r\n|Host: y\r\n|Connection: close\r\n|Expect: 100-continue\r\n|\r\n\r\n|CONNECT
"""
_LETTERS = [
    word.encode().decode("unicode-escape").encode("latin-1")
    for line in _WORDS.strip().splitlines()
    for word in line.split("|")
]
_SOUND = (
    b'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{"a":"\r\n\r\n"}',
    b"POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: t\r\n\r\n",
    b"GET /c HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /d HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /f HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
)


GUARD = 60.0  # seconds, against a hang


class Ears(asyncio.Protocol):
    """An upstream's end of a connection: keeps the bytes it got, and answers what stands there."""

    def __init__(self, house: list[Ears]) -> None:
        house.append(self)
        self.heard = b""
        self._answered = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.heard += data
        found = len(strictly(self.heard).requests)
        for _ in range(self._answered, found):
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        self._answered = found

    def take(self) -> list[Read]:
        """What has come since the last time, if it was well-formed to the last byte."""
        reading, self.heard, self._answered = strictly(self.heard), b"", 0
        assert not reading.refused
        return reading.requests


@asynccontextmanager
async def listening(house: House) -> AsyncIterator[list[Ears]]:
    ears: list[Ears] = []
    server = await asyncio.get_running_loop().create_server(lambda: Ears(ears), "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    house.proxy.replace_routing({"m": Upstream(base_url=url, credential="none")}, "m", {})
    try:
        yield ears
    finally:
        server.close()
        for each in ears:
            each.transport.abort()


async def told(house: House, sent: bytes) -> bytes:
    """All that is answered until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(sent)
    answer = b""
    try:
        async with asyncio.timeout(GUARD):
            while piece := await reader.read(65536):
                answer += piece
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()
    return answer


def is_said(onward: Read, asked: Read) -> bool:
    """Whether what went on says what was asked."""
    named = {
        option.strip().lower()
        for name, value in asked.headers
        if name == b"connection"
        for option in value.split(b",")
    }
    told = [each for each in onward.headers if each[0].startswith(b"x-") and each[0] != b"x-metaclaw-hop"]
    meant = [each for each in asked.headers if each[0].startswith(b"x-") and each[0] not in named]
    path = asked.target.removeprefix(b"/a/" + TOKEN.encode())
    return (onward.method, onward.target, told, onward.body) == (asked.method, path, meant, asked.body)


@pytest.mark.parametrize("part", range(8))
async def test_what_goes_on_is_what_a_strict_reader_reads(house: House, part: int) -> None:
    assert len(ODD) >= 150
    async with listening(house) as ears:
        for odd in ODD[part::8]:
            sent = (odd + LAST).replace(b"{port}", b"%d" % house.port).replace(b"{token}", TOKEN.encode())
            theirs, answer = strictly(sent), await told(house, sent)
            asked = iter(theirs.requests)
            for each in [read for connection in ears for read in connection.take()]:
                assert any(is_said(each, one) for one in asked), (odd[:200], each)
                names = [name for name, _ in each.headers]
                assert not {b"connection", b"expect", b"te", b"trailer", b"upgrade", b"keep-alive"} & set(
                    names
                )
                assert names.count(b"host") == 1
            _assert_closed_well(odd, answer, theirs)
    assert house.proxy.counters.faults == 0


def _assert_closed_well(odd: bytes, answer: bytes, theirs: Reading) -> None:
    """The last request was answered, or nothing was behind the refusal."""
    statuses = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:] if part[:3] != b"100"]
    statuses += [part[:3] for part in answer.split(b"HTTP/1.0 ")[1:]]
    assert b"500" not in statuses, odd[:200]
    if theirs.refused:
        assert b'{"status":"ok"}' not in answer, odd[:200]
        assert statuses, odd[:200]
        ended = b"\r\nConnection: close\r\n" in answer  # behind a body in chunks nothing is read at all
        assert ended, odd[:200]
        assert statuses[-1][:1] == b"4" or b"chunked" in odd, (odd[:200], answer)
    assert len(statuses) <= len(theirs.requests) + 1


@st.composite
def oddities(draw: st.DrawFn) -> bytes:
    sent = b"".join(draw(st.lists(st.sampled_from(_SOUND), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(sent)))
        put = draw(st.one_of(st.sampled_from(_LETTERS), st.binary(max_size=2)))
        sent = sent[:place] + put + sent[place + draw(st.integers(0, 6)) :]
    return sent


@settings(deadline=None, max_examples=400)
@given(oddities(), st.lists(st.integers(0, 300), max_size=6))
def test_no_bytes_are_read_in_another_way_than_a_strict_reader_reads_them(
    sent: bytes, places: list[int]
) -> None:
    ends = sorted({min(place, len(sent)) for place in places} | {0, len(sent)})
    mine = asyncio.run(ours([sent[start:end] for start, end in pairwise(ends)]))
    assert disagreement(mine, strictly(sent)) == ""


def test_nothing_of_another_request_becomes_part_of_a_body() -> None:
    chunks = Chunks()
    behind = b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nother"
    assert chunks.feed(b"2\r\n{}\r\n0\r\n\r\n" + behind) == b"{}"
    assert (chunks.done, chunks.trailed) == (True, True)


def test_a_request_to_switch_behind_a_body_in_chunks_is_no_fault() -> None:
    chunks = Chunks()
    behind = b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    assert chunks.feed(b"2\r\n{}\r\n0\r\n\r\n" + behind) == b"{}"
    assert (chunks.done, chunks.trailed) == (True, True)


@pytest.mark.parametrize(
    ("line", "headers", "keeps"),
    [
        (b"GET / HTTP/1.1", b"", True),
        (b"GET / HTTP/1.1", b"Connection: close\r\n", False),
        (b"GET / HTTP/1.1", b"Connection: Keep-Alive, Close\r\n", False),
        (b"GET / HTTP/1.1", b"Connection: x\r\nConnection: close\r\nContent-Length: 1\r\n", False),
        (b"GET / HTTP/1.0", b"", False),
        (b"GET / HTTP/1.0", b"Connection: keep-alive\r\n", True),
        (b"GET / HTTP/1.0", b"Connection: keep-alive, close\r\n", False),
        (b"POST / HTTP/1.0", b"Connection: keep-alive\r\nContent-Length: 1\r\n", True),
    ],
)
def test_a_client_says_whether_its_connection_is_kept(line: bytes, headers: bytes, keeps: bool) -> None:
    assert read_head(line + b"\r\n" + headers + b"\r\n").keeps is keeps


@pytest.mark.parametrize("digits", [20, 5000])
def test_a_length_of_too_many_digits_is_none(digits: int) -> None:
    with pytest.raises(UnreadableError):
        read_head(b"POST / HTTP/1.1\r\nContent-Length: %b\r\n\r\n" % (b"2".rjust(digits, b"0")))
