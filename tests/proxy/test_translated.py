"""Clients of other dialects on an upstream that speaks chat completions only."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from metaclaw_tray.store.records import TurnBegun
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.messages import MESSAGES
from proxy.house import House, open_house
from proxy.upstream import DONE, Saw, Wire, completion, delta

ASKED: dict[str, dict[str, Any]] = {
    "messages": {
        "model": "m",
        "max_tokens": 50,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "about dates"}]}],
    },
    "responses": {"model": "m", "store": False, "instructions": "Be brief.", "input": "about dates"},
}
PATHS = {"messages": "/messages?beta=true", "responses": "/responses"}
BOTH = pytest.mark.parametrize("dialect", ["messages", "responses"])


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.route(credential="key", key="sk-upstream", dialects=["chat"])
        yield opened


async def ask(house: House, dialect: str, stream: bool = False, **headers: str) -> tuple[int, Any, bytes]:
    body = ASKED[dialect] | ({"stream": True} if stream else {})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with house.client.post(f"{house.url}{PATHS[dialect]}", json=body, headers=named) as response:
        return response.status, response.headers, await response.read()


def text_of(dialect: str, body: bytes, content_type: str) -> str:
    answer = DIALECTS[dialect].assemble(body, content_type)
    assert answer.complete, answer
    assert answer.message is not None
    return str(answer.message["content"])


@BOTH
async def test_a_whole_answer_comes_back_in_the_clients_dialect(house: House, dialect: str) -> None:
    house.library.add("dates")
    status, headers, body = await ask(house, dialect, X_Api_Key="theirs", Anthropic_Version="2023-06-01")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert text_of(dialect, body, "application/json") == "hello"
    saw = house.upstream.seen[0]
    assert saw.line == "POST /v1/chat/completions HTTP/1.1"
    system, person = saw.json["messages"]
    assert system["role"] == "system"
    assert system["content"].startswith("Be brief.")
    assert system["content"].endswith(house.library.skills["dates"][0])
    assert person == {"role": "user", "content": "about dates"}
    assert saw.header("Authorization") == "Bearer sk-upstream"
    assert saw.header("x-api-key") is saw.header("anthropic-version") is None
    begun, ended = (await house.begun())[0], (await house.ended())[0]
    assert (begun.dialect, ended.outcome) == (dialect, "ok")
    assert json.loads(begun.body) == ASKED[dialect], "the record is what the client said"
    assert text_of(dialect, ended.body, ended.content_type) == "hello"


@BOTH
async def test_a_stream_is_translated_as_it_comes(house: House, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        assert saw.json["stream_options"] == {"include_usage": True}
        await wire.stream_head()
        whole = delta("北") + delta("京", "stop") + DONE
        for place in range(0, len(whole), 7):
            await wire.chunk(whole[place : place + 7])
        await wire.end()

    house.upstream.script = script
    status, headers, body = await ask(house, dialect, stream=True)
    assert (status, headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert text_of(dialect, body, "text/event-stream") == "北京"
    assert (await house.ended())[0].outcome == "ok"


@BOTH
async def test_a_stream_that_is_cut_ends_in_the_clients_protocol(house: House, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("half"))
        wire.reset()

    house.upstream.script = script
    body = ASKED[dialect] | {"stream": True}
    pieces = b""
    async with house.client.post(f"{house.url}{PATHS[dialect]}", json=body) as response:
        with contextlib.suppress(aiohttp.ClientError):  # the connection ends without the end of the body
            async for piece in response.content.iter_any():
                pieces += piece
    answer = DIALECTS[dialect].assemble(pieces, "text/event-stream")
    assert "stopped in the middle" in answer.error
    assert (await house.ended())[0].outcome == "cut"


@BOTH
async def test_an_upstream_that_ends_without_an_end_is_no_answer(house: House, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("half"))
        await wire.end()

    house.upstream.script = script
    _, _, body = await ask(house, dialect, stream=True)
    assert not DIALECTS[dialect].assemble(body, "text/event-stream").complete or (
        DIALECTS[dialect].assemble(body, "text/event-stream").error
    )


@BOTH
async def test_errors_keep_their_status_and_say_when_to_come_back(house: House, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        error = {"error": {"message": "slow down", "type": "rate_limit", "code": None}}
        await wire.answer(json.dumps(error).encode(), "429 Too Many Requests")

    house.upstream.script = script
    for stream in (False, True):
        status, headers, body = await ask(house, dialect, stream=stream)
        assert (status, headers["retry-after"]) == (429, "5")
        assert "slow down" in json.loads(body)["error"]["message"]
    assert [each.outcome for each in await house.ended(2)] == ["failed", "failed"]


@BOTH
async def test_what_cannot_be_said_is_refused_by_name(house: House, dialect: str) -> None:
    tools = [{"type": "code_execution_20260120", "name": "run"}]
    if dialect == "responses":
        tools = [{"type": "code_interpreter", "container": {"type": "auto"}}]
    body = ASKED[dialect] | {"tools": tools}
    async with house.client.post(f"{house.url}{PATHS[dialect]}", json=body) as response:
        assert response.status == 400
        assert "tools[0]" in (await response.json())["error"]["message"]
    assert not house.upstream.seen
    assert (await house.ended())[0].outcome == "failed"


async def test_tokens_are_estimated_and_it_is_said(house: House) -> None:
    body = ASKED["messages"]
    async with house.client.post(f"{house.url}/messages/count_tokens?beta=true", json=body) as response:
        assert response.headers["x-metaclaw-estimated"] == "true"
        assert 5 <= (await response.json())["input_tokens"] <= 30
    assert not house.upstream.seen
    assert not house.pipe.of(TurnBegun)


async def test_a_quiet_upstream_gets_the_client_a_sign_of_life(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metaclaw_tray.proxy.translated_answer._QUIET_SECONDS", 0.01)
    heard = False

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("he"))
        while not heard:
            await wire.flowing()
            await wire.send(b"")
        await wire.chunk(delta("llo", "stop") + DONE)
        await wire.end()

    house.upstream.script = script
    body, pieces = ASKED["messages"] | {"stream": True}, b""
    async with house.client.post(f"{house.url}/messages", json=body) as response:
        async for piece in response.content.iter_any():
            pieces += piece
            heard = heard or b"event: ping" in pieces
    assert text_of("messages", pieces, "text/event-stream") == "hello"


async def test_a_stream_that_comes_whole_is_a_stream_to_the_client(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(completion("hello"))

    house.upstream.script = script
    status, headers, body = await ask(house, "messages", stream=True)
    assert (status, headers["content-type"]) == (200, "text/event-stream")
    assert text_of("messages", body, "text/event-stream") == "hello"


@BOTH
async def test_a_stream_that_is_encoded_unasked_is_read_all_the_same(house: House, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        said = gzip.compress(delta("hel") + delta("lo", "stop") + DONE)
        await wire.answer(said, content_type="text/event-stream", Content_Encoding="gzip")

    house.upstream.script = script
    status, headers, body = await ask(house, dialect, stream=True)
    assert (status, headers["content-type"]) == (200, "text/event-stream")
    assert "content-encoding" not in headers
    assert text_of(dialect, body, "text/event-stream") == "hello"
    assert (await house.ended())[0].outcome == "ok"


@BOTH
async def test_of_the_upstreams_headers_only_what_is_true_of_the_answer_comes_along(
    house: House, dialect: str
) -> None:
    passing = {"Retry-After": "7", "X-Request-Id": "r1", "X-RateLimit-Remaining-Tokens": "9"}
    staying = {"Set-Cookie": "u=1", "ETag": "x", "Link": "</v1>", "Content-Disposition": "attachment"}

    async def script(saw: Saw, wire: Wire) -> None:
        named = {name.replace("-", "_"): value for name, value in (passing | staying).items()}
        await wire.answer(completion("hello"), **named)

    house.upstream.script = script
    _, headers, _ = await ask(house, dialect)
    assert {name: headers.get(name) for name in passing} == passing
    assert not [name for name in staying if name in headers]


@BOTH
@pytest.mark.parametrize("status", ["307 Temporary Redirect", "202 Accepted"])
async def test_what_is_neither_an_answer_nor_an_error_is_told_in_words(
    house: House, dialect: str, status: str
) -> None:
    """A client that followed would send what it has to a place that does not speak its dialect."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b"{}", status, Location="http://elsewhere.example/v1/chat/completions")

    house.upstream.script = script
    told, headers, body = await ask(house, dialect)
    assert (told, "location" in headers) == (502, False)
    assert f"status {status[:3]}" in json.loads(body)["error"]["message"]
    assert (await house.ended())[0].outcome == "failed"


async def test_a_picture_is_not_counted_as_text_where_a_stream_begins(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("hello", "stop") + DONE)
        await wire.end()

    house.upstream.script = script
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 400_000}
    body = ASKED["messages"] | {
        "stream": True,
        "messages": [{"role": "user", "content": [{"type": "image", "source": source}]}],
    }
    async with house.client.post(f"{house.url}/messages", json=body) as response:
        usage = MESSAGES.assemble(await response.read(), "text/event-stream").usage
    assert usage is not None
    assert usage.input < 2000
