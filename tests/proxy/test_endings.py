"""How an answer ends whose upstream stopped in the middle."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from typing import Any

import aiohttp
import pytest
from anthropic import APIStatusError, AsyncAnthropic
from hypothesis import example, given
from hypothesis import strategies as st
from openai import APIError, AsyncOpenAI

from metaclaw_tray.proxy.endings import between_events, ending, finished, tail_of
from proxy.house import House
from proxy.upstream import DONE, Saw, Wire, delta

DIALECTS = ["chat", "messages", "responses"]
STREAMED = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
CREATED = (
    b'event: response.created\ndata: {"type":"response.created","sequence_number":0,'
    b'"response":{"id":"resp_1","object":"response","model":"m","status":"in_progress","output":[],"x":1}}\n\n'
)
TEXT = (
    b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":4,'
    b'"delta":"a"}\n\n'
)


def events(stream: bytes) -> list[tuple[str, str]]:
    """The events of a whole stream as a browser reads them: name and data (WHATWG HTML, 9.2.6)."""
    found: list[tuple[str, str]] = []
    name, data = "message", list[str]()
    for line in re.split(r"\r\n|\n|\r", stream.decode()):
        if not line:
            if data:
                found.append((name, "\n".join(data)))
            name, data = "message", []
        elif not line.startswith(":"):
            key, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if key == "event":
                name = value
            elif key == "data":
                data.append(value)
    return found


LINE_END = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINE = st.sampled_from([b"data: 1", b"event: x", b": ping", b"data:", b"id: 3", b""])


@given(st.lists(st.tuples(LINE, LINE_END), max_size=12), st.data())
@example([(b"data: 1", b"\r\n")], None)
@example([(b"data: 1", b"\r"), (b"", b"\r\n")], None)
def test_an_ending_never_becomes_a_part_of_an_event(lines: list[tuple[bytes, bytes]], data: Any) -> None:
    """Wherever the stream is cut: either nothing is said, or the events before stay as they were."""
    stream = b"".join(line + end for line, end in lines)
    cut = stream if data is None else stream[: data.draw(st.integers(0, len(stream)))]
    tail = b""
    for start in range(0, len(cut), 3):
        tail = tail_of(tail, cut[start : start + 3])
    assert tail == cut[-4:]
    if between_events(tail):
        said = ending("messages", "away", cut, 0)
        assert events(cut + said) == [*events(cut), ("error", events(said)[0][1])]


@pytest.mark.parametrize("tail", [b"", b"\n\n", b"x\r\r", b"\r\n\r\n", b"\n\r\n"])
def test_a_blank_line_parts_events(tail: bytes) -> None:
    assert between_events(tail)


@pytest.mark.parametrize("tail", [b"\n", b"\r\n", b"a\r\n", b"}", b": ping\n"[-4:], b"\n\nd"])
def test_what_is_no_blank_line_does_not(tail: bytes) -> None:
    assert not between_events(tail)


def test_messages_end_in_an_error_event() -> None:
    ((name, data),) = events(ending("messages", "it stopped", b"", 0))
    assert (name, json.loads(data)) == (
        "error",
        {"type": "error", "error": {"type": "api_error", "message": "it stopped"}},
    )


def test_chat_ends_in_an_error_and_no_done() -> None:
    said = ending("chat", "it stopped", delta("a"), 0)
    ((name, data),) = events(said)
    assert (name, json.loads(data)["error"]["message"]) == ("message", "it stopped")
    assert b"[DONE]" not in said


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_responses_end_as_the_response_that_was_opened(end: bytes) -> None:
    stream = (CREATED + TEXT).replace(b"\n", end)
    ((name, data),) = events(ending("responses", "it stopped", stream, 1.5))
    failed = json.loads(data)
    assert (name, failed["type"], failed["sequence_number"]) == ("response.failed", "response.failed", 5)
    response = failed["response"]
    assert (response["id"], response["status"], response["x"]) == ("resp_1", "failed", 1)
    assert response["error"] == {"code": "server_error", "message": "it stopped"}


@pytest.mark.parametrize(
    "stream", [b"", b"data: [\n\n", b'data: {"response":1}\n\n', b"data: " + b"[" * 9999]
)
def test_responses_that_were_never_opened_end_in_a_response_all_the_same(stream: bytes) -> None:
    ((_, data),) = events(ending("responses", "it stopped", stream, 1.5))
    response = json.loads(data)["response"]
    assert (response["status"], response["created_at"], response["output"]) == ("failed", 1, [])


@pytest.mark.parametrize(
    ("dialect", "stream", "whole"),
    [
        ("chat", delta("a") + DONE, True),
        ("chat", delta("a", "stop"), True),
        ("chat", delta("a", "stop") + b'data: {"choices":[],"usage":{}}\n\n', True),
        ("chat", delta("[finish] a"), False),
        ("chat", delta("a") + b'data: {"error":{"message":"x"}}\n\n', True),
        ("", delta("a") + DONE, True),
        ("chat", b"", False),
        ("messages", b'event: message_stop\ndata: {"type":"message_stop"}\n\n', True),
        ("messages", b'event: error\ndata: {"type":"error","error":{}}\n\n', True),
        ("messages", b'event: message_stop\r\ndata: {"type": "message_stop"}\r\n\r\n', True),
        ("messages", b'data: {"type":"message_stop"}', True),
        ("messages", b'event: ping\ndata: {"type":"ping"}\n\n', False),
        ("responses", CREATED + TEXT, False),
        ("responses", CREATED + b'data: {"type":"response.completed"}\n\n', True),
        ("responses", CREATED + b'data: {"type":"response.incomplete"}\n\n', True),
    ],
)
def test_the_last_word_of_a_protocol_is_known(dialect: str, stream: bytes, whole: bool) -> None:
    """A07, A08."""
    assert finished(dialect, stream) is whole


PATHS = {"chat": "/chat/completions", "messages": "/messages", "responses": "/responses"}


async def cut_after(
    house: House, pieces: list[bytes], dialect: str = "chat", **headers: str
) -> tuple[bytes, bool]:
    """What the client got of a stream that was reset after these pieces, and whether it looked whole."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.head(Content_Type="text/event-stream", Transfer_Encoding="chunked", **headers)
        for piece in pieces:
            await wire.chunk(piece)
        await said.wait()
        wire.reset()

    said = asyncio.Event()
    house.upstream.script = script
    house.route(dialects=DIALECTS)
    got = b""
    async with house.client.post(house.url + PATHS[dialect], json=STREAMED) as response:
        if sent := sum(len(piece) for piece in pieces):
            got = await response.content.readexactly(sent)
        said.set()
        try:
            while chunk := await response.content.readany():
                got += chunk
        except aiohttp.ClientError:
            return got, False
    return got, True


@pytest.mark.parametrize("pieces", [[], [delta("a")], [delta("a"), delta("b"), delta("c")], [b": ping\n\n"]])
async def test_a_stream_cut_between_two_events_ends_in_an_error(house: House, pieces: list[bytes]) -> None:
    """A17."""
    got, whole = await cut_after(house, pieces)
    sent = b"".join(pieces)
    assert not whole, "the connection breaks off all the same"
    assert got.startswith(sent)
    ((_, data),) = events(got.removeprefix(sent))
    assert "'main' stopped in the middle of its answer" in json.loads(data)["error"]["message"]
    assert b"[DONE]" not in got
    (ended,) = await house.ended()
    assert (ended.outcome, ended.body) == ("cut", sent), "what we said is no part of the answer"


BLOCK = b'event: content_block_delta\ndata: {"type":"content_block_delta"}\n\n'


@pytest.mark.parametrize(
    ("dialect", "pieces", "name", "words"),
    [
        ("messages", [BLOCK] * 3, "error", ["error", "message"]),
        ("messages", [], "error", ["error", "message"]),
        ("responses", [CREATED, TEXT], "response.failed", ["response", "error", "message"]),
    ],
)
async def test_each_dialect_is_told_in_its_own_way(
    house: House, dialect: str, pieces: list[bytes], name: str, words: list[str]
) -> None:
    """A17."""
    got, whole = await cut_after(house, pieces, dialect)
    ((said, data),) = events(got.removeprefix(b"".join(pieces)))
    told = json.loads(data)
    for word in words:
        told = told[word]
    assert (said, whole, "stopped in the middle" in told) == (name, False, True)


async def test_a_response_that_was_completed_is_not_said_to_have_failed(house: House) -> None:
    """A08: no [DONE] comes, and none is missed."""
    pieces = [CREATED, b'event: response.completed\ndata: {"type":"response.completed","response":{}}\n\n']
    assert await cut_after(house, pieces, "responses") == (b"".join(pieces), False)


@pytest.mark.parametrize("pieces", [[b'data: {"a'], [delta("a"), b"data: 1\n"], [delta("a", "stop") + DONE]])
async def test_a_stream_cut_elsewhere_is_cut_and_nothing_is_said(house: House, pieces: list[bytes]) -> None:
    got, whole = await cut_after(house, pieces)
    assert (got, whole) == (b"".join(pieces), False)


async def test_an_encoded_stream_is_cut_and_nothing_is_said(house: House) -> None:
    packed = gzip.compress(delta("a"))
    assert await cut_after(house, [packed], Content_Encoding="gzip") == (packed, False)


@pytest.mark.parametrize("end", [delta("a", "stop"), delta("a") + DONE])
async def test_a_stream_that_ends_with_its_connection_is_whole_after_its_last_word(
    house: House, end: bytes
) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.head(Content_Type="text/event-stream", Connection="close")
        await wire.send(end)
        wire.cut()

    house.upstream.script = script
    async with house.post(STREAMED) as response:
        assert await response.read() == end
    (ended,) = await house.ended()
    assert ended.outcome == "ok"


async def test_a_stream_that_ends_with_its_connection_is_cut_before_its_last_word(house: House) -> None:
    """Else we would vouch for an end that the upstream never gave."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.head(Content_Type="text/event-stream", Connection="close")
        await wire.send(delta("a"))
        wire.cut()

    house.upstream.script = script
    with pytest.raises(aiohttp.ClientError):
        async with house.post(STREAMED) as response:
            await response.read()
    (ended,) = await house.ended()
    assert ended.outcome == "cut"


async def test_a_client_without_chunks_is_told_in_words(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("half a"))
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
    assert b"stopped in the middle" in await reader.read()
    writer.close()


async def test_the_openai_package_raises_what_it_is_told(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("half"))
        wire.cut()

    house.upstream.script = script
    async with AsyncOpenAI(base_url=house.url, api_key="unused", max_retries=0) as client:
        messages: list[Any] = [{"role": "user", "content": "hi"}]
        stream = await client.chat.completions.create(model="m", messages=messages, stream=True)
        with pytest.raises(APIError, match="stopped in the middle of its answer"):
            async for _ in stream:
                pass


async def test_the_anthropic_package_raises_what_it_is_told(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(BLOCK.replace(b"}", b',"index":0,"delta":{"type":"text_delta","text":"a"}}'))
        wire.cut()

    house.upstream.script = script
    house.route(dialects=["messages"])
    base_url = house.url.removesuffix("/v1")
    async with AsyncAnthropic(base_url=base_url, auth_token="unused", max_retries=0) as client:
        stream = await client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
        )
        with pytest.raises(APIStatusError, match="stopped in the middle of its answer"):
            async for _ in stream:
                pass
