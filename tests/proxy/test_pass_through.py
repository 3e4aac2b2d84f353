"""Bytes are sacred, in both directions."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest
from openai import AsyncOpenAI
from yarl import URL

from proxy.house import TOKEN, House
from proxy.upstream import DONE, Saw, Wire, completion, delta

ODD_BODY = (
    b'{ "messages":[{"content":"caf\\u00e9 \xc3\xa9","role":"user"}],\n'
    b' "model":"m","seed":1e2, "x":{"b":1,"a":2.50} }'
)


async def test_a_request_goes_on_byte_for_byte(house: House) -> None:
    async with house.post(ODD_BODY, X_Custom="kept", X_Session_Id="s", X_Turn_Type="main") as response:
        assert response.status == 200
    (saw,) = house.upstream.seen
    assert saw.body == ODD_BODY
    assert saw.line == "POST /v1/chat/completions HTTP/1.1"
    assert saw.header("X-Custom") == "kept"
    assert saw.header("Host") == f"127.0.0.1:{house.upstream.port}"
    for ours in ("X-Session-Id", "X-Turn-Type", "X-Session-Done", "Connection"):
        assert saw.header(ours) is None


async def test_a_query_goes_on_as_it_is_written(house: House) -> None:
    url = URL(f"{house.url}/models?limit=10&q=a%2Fb+c", encoded=True)
    await (await house.client.get(url)).read()
    assert house.upstream.seen[0].line == "GET /v1/models?limit=10&q=a%2Fb+c HTTP/1.1"


async def test_nothing_is_added_that_the_client_did_not_send(house: House) -> None:
    await house.say("hi")
    names = {name.lower() for name, _ in house.upstream.seen[0].headers} - {"x-metaclaw-hop"}
    assert names <= {"host", "accept", "accept-encoding", "user-agent", "content-type", "content-length"}
    assert "stream_options" not in house.upstream.seen[0].json


async def test_an_answer_comes_back_byte_for_byte(house: House) -> None:
    body = b' {"choices" : [ ] , "x":1.0}\n'

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(
            body, "203 Odd But Fine", X_Request_Id="r-1", Connection="keep-alive", Keep_Alive="timeout=5"
        )

    house.upstream.script = script
    async with house.post(ODD_BODY) as response:
        assert (response.status, response.reason) == (203, "Odd But Fine")
        assert await response.read() == body
        assert response.headers["x-request-id"] == "r-1"
        assert response.headers["content-length"] == str(len(body))
        assert "keep-alive" not in response.headers
        assert len(response.headers["x-metaclaw-turn"]) == 26
        assert response.headers["x-metaclaw-generation"] == "0"


async def test_encoded_answers_keep_their_encoding(house: House) -> None:
    packed = gzip.compress(completion())

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(packed, Content_Encoding="gzip")

    house.upstream.script = script
    async with house.post(ODD_BODY, Accept_Encoding="gzip, br;q=1.0, zstd") as response:
        assert response.headers["content-encoding"] == "gzip"
        assert await response.read() == packed
    assert house.upstream.seen[0].header("Accept-Encoding") == "gzip, br;q=1.0, zstd"
    (ended,) = await house.ended()
    assert (ended.body, ended.content_encoding) == (packed, "gzip")


async def test_encoded_requests_are_read_and_go_on_as_they_are(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(completion())

    house.upstream.script = script
    packed = gzip.compress(ODD_BODY)
    async with house.post(packed, Content_Encoding="gzip") as response:
        await response.read()
    house.library.add("caf")
    packed = gzip.compress(ODD_BODY.replace(b"caf", b"the caf"))
    async with house.post(packed, Content_Encoding="gzip") as response:
        await response.read()
    untouched, injected = house.upstream.seen
    assert (untouched.header("Content-Encoding"), gzip.decompress(untouched.body)) == ("gzip", ODD_BODY)
    assert injected.header("Content-Encoding") is None
    assert "[note" in injected.json["messages"][0]["content"]
    assert [begun.body[:1] for begun in await house.begun(2)] == [b"{", b"{"]


async def test_chunks_arrive_while_the_upstream_is_still_speaking(house: House) -> None:
    told: asyncio.Queue[bytes] = asyncio.Queue()

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        while piece := await told.get():
            await wire.chunk(piece)
        await wire.end()

    house.upstream.script = script
    whole = delta("北京") + DONE
    cut = whole.index("京".encode()) + 1  # in the middle of a character
    async with house.post({"stream": True, "messages": [{"role": "user", "content": "hi"}]}) as response:
        assert response.status == 200  # the head is here before any chunk
        for piece in (whole[:cut], whole[cut:]):
            told.put_nowait(piece)
            assert await response.content.readexactly(len(piece)) == piece
        told.put_nowait(b"")
        assert await response.content.read() == b""
    (ended,) = await house.ended()
    assert (ended.outcome, ended.body, ended.truncated) == ("ok", whole, False)
    assert ended.first_byte_at > 0


async def test_a_long_answer_with_a_length_is_streamed_too(house: House) -> None:
    go_on = asyncio.Event()

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.head(Content_Type="application/json", Content_Length="6")
        await wire.send(b'"ab')
        await go_on.wait()
        await wire.send(b'cd"')

    house.upstream.script = script
    async with house.post(ODD_BODY) as response:
        assert await response.content.readexactly(3) == b'"ab'
        go_on.set()
        assert await response.content.read() == b'cd"'


@pytest.mark.parametrize("status", ["429 Too Many Requests", "400 Bad Request", "500 Oops", "307 Elsewhere"])
async def test_refusals_of_the_upstream_come_back_as_they_are(house: House, status: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b'{"error":"x"}', status, Retry_After="17", Location="http://127.0.0.1:9/")

    house.upstream.script = script
    url, json_type = f"{house.url}/chat/completions", {"Content-Type": "application/json"}
    async with house.client.post(url, data=ODD_BODY, headers=json_type, allow_redirects=False) as response:
        assert f"{response.status} {response.reason}" == status
        assert await response.read() == b'{"error":"x"}'
        assert response.headers["Retry-After"] == "17"
    assert len(house.upstream.seen) == 1
    (ended,) = await house.ended()
    assert (ended.outcome, ended.status) == ("failed", response.status)


async def test_a_page_instead_of_an_answer_comes_back_and_counts_as_failed(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b"<html>log in</html>", content_type="text/html")

    house.upstream.script = script
    async with house.post(ODD_BODY) as response:
        assert (response.status, await response.read()) == (200, b"<html>log in</html>")
    (ended,) = await house.ended()
    assert ended.outcome == "failed"
    assert "text/html" in ended.error


async def test_an_error_inside_a_200_passes_and_is_left_to_the_scribe(house: House) -> None:
    error = b'event: error\ndata: {"error":{"message":"overloaded"}}\n\n'

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(error)
        await wire.end()

    house.upstream.script = script
    async with house.post(ODD_BODY) as response:
        assert await response.read() == error
    (ended,) = await house.ended()
    assert (ended.outcome, ended.body) == ("ok", error)


async def test_the_routed_model_replaces_the_clients_and_nothing_else(house: House) -> None:
    house.route(model="better")
    async with house.post(ODD_BODY) as response:
        await response.read()
    assert house.upstream.seen[0].json == {**json.loads(ODD_BODY), "model": "better"}
    assert b'"x":{"b":1,"a":2.50}' in house.upstream.seen[0].body
    (begun,) = await house.begun()
    assert (begun.model, begun.upstream, begun.body) == ("better", "main", ODD_BODY)


@pytest.mark.parametrize("body", [b"", b"not JSON", b"[]", b'{"messages": 7}', b'{"messages":[NaN]}'])
async def test_what_cannot_be_read_goes_on_untouched(house: House, body: bytes) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b'{"error":{}}', "400 Bad Request")

    house.upstream.script = script
    async with house.post(body) as response:
        assert response.status == 400
    assert house.upstream.seen[0].body == body
    (begun,) = await house.begun()
    assert (begun.kind, begun.nodes) == ("side", [])


async def test_a_request_that_reading_stumbles_over_goes_on_untouched(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("metaclaw_tray.wire.tree.Reader.path", stumble)
    async with house.post(ODD_BODY) as response:
        assert response.status == 200
    assert house.upstream.seen[0].body == ODD_BODY
    assert house.proxy.counters.faults == 1
    assert "KeyError" in caplog.text, "it is a bug all the same"


async def test_a_large_body_passes_whole(house: House) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "x" * 5_000_000}]}).encode()
    async with house.post(body) as response:
        assert response.status == 200
    assert house.upstream.seen[0].body == body


async def test_answers_beyond_the_limit_are_kept_in_part(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(b'"' + b"x" * (9 * 2**20) + b'"')

    house.upstream.script = script
    async with house.post(ODD_BODY) as response:
        assert len(await response.read()) == 9 * 2**20 + 2
    (ended,) = await house.ended()
    assert ended.truncated
    assert len(ended.body) == 8 * 2**20


async def test_the_openai_package_streams_and_waits(house: House) -> None:
    client = AsyncOpenAI(base_url=house.url, api_key="unused", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": "hi"}]
    async with client:
        whole = await client.chat.completions.create(model="m", messages=messages)
        stream = await client.chat.completions.create(model="m", messages=messages, stream=True)
        pieces = [chunk.choices[0].delta.content async for chunk in stream]
    assert (whole.choices[0].message.content, pieces) == ("hello", ["hel", "lo"])


async def test_a_turn_is_told_before_it_goes_upstream_and_after_it_ended(house: House) -> None:
    known_upstream: list[int] = []

    async def script(saw: Saw, wire: Wire) -> None:
        known_upstream.append(len(house.pipe.records))
        await wire.answer(completion())

    house.upstream.script = script
    response = await house.say("hi")
    (begun,), (ended,) = await house.begun(), await house.ended()
    assert known_upstream == [1]
    assert begun.turn_id == ended.turn_id == response.headers["x-metaclaw-turn"]
    assert (begun.agent, begun.kind, begun.dialect, begun.opening, begun.model) == (
        "claw",
        "main",
        "chat",
        0,
        "m",
    )
    assert (ended.outcome, ended.status, ended.error) == ("ok", 200, "")
    assert house.proxy.counters.turns == 1
    assert house.proxy.counters.open_turns == 0


async def test_connections_are_used_again(house: House) -> None:
    for place in range(3):
        await house.say(f"hi {place}")
    assert len(house.upstream.seen) == 3
    assert house.upstream.connections == 1


async def test_an_http_1_0_client_is_served(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    body = b'{"stream":true,"messages":[{"role":"user","content":"hi"}]}'
    writer.write(
        b"POST /a/%b/v1/chat/completions HTTP/1.0\r\nHost: localhost:%d\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
        % (TOKEN.encode(), house.port, len(body), body)
    )
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.0 200 ")
    assert answer.endswith(delta("hel") + delta("lo", "stop") + DONE)


async def test_expect_100_is_answered_before_the_body_is_sent(house: House) -> None:
    url, json_type = f"{house.url}/chat/completions", {"Content-Type": "application/json"}
    async with house.client.post(url, data=ODD_BODY, headers=json_type, expect100=True) as response:
        assert response.status == 200
    assert house.upstream.seen[0].header("Expect") is None
    async with house.post(ODD_BODY, Expect="bogus") as response:
        assert response.status == 417


def test_the_words_of_kinds_and_outcomes_are_those_of_the_store() -> None:
    from typing import get_args

    from metaclaw_tray.proxy.kinds import Kind
    from metaclaw_tray.proxy.seen import Outcome
    from metaclaw_tray.store.tables import TurnKind, TurnOutcome

    assert set(get_args(Kind)) == {kind.value for kind in TurnKind}
    assert set(get_args(Outcome)) < {outcome.value for outcome in TurnOutcome}


async def test_a_turn_of_twenty_megabytes_is_recorded_with_the_beginnings_of_its_texts(house: House) -> None:
    said = [{"role": "user", "content": words} for words in ("many words " * 2_000_000, "so?")]
    async with house.post(json.dumps({"model": "m", "messages": said}).encode()) as response:
        assert response.status == 200
    assert len(house.upstream.seen[0].body) > 20 * 2**20
    (begun,) = await house.begun()
    assert len(begun.body) < 2**20
    first, last = json.loads(begun.body)["messages"]
    assert first["content"].startswith("many words many")
    assert "[left out: 2" in first["content"]
    assert last["content"] == "so?"
    assert len(begun.nodes) == 2
