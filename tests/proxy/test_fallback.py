"""Another upstream in the place of one that is away, where the person said so."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from metaclaw_tray.settings import Upstream
from proxy.house import House
from proxy.upstream import Saw, Script, Wire, completion, delta, open_upstream
from proxy.upstream import Upstream as ScriptedUpstream

HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "seed": 1}


@pytest.fixture
async def spare() -> AsyncIterator[ScriptedUpstream]:
    async with open_upstream() as upstream:
        yield upstream


def says(status: str, body: bytes = b'{"error":"x"}', **headers: str) -> Script:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(body, status, **headers)

    return script


def fall_back(
    house: House,
    spare: ScriptedUpstream,
    main: dict[str, Any] | None = None,
    others: dict[str, dict[str, Any]] | None = None,
    **more: Any,
) -> None:
    keys = {"main": "k-main", "spare": "k-spare", "third": "k-third"}
    main = {"base_url": house.upstream.base_url, "fallback": "spare", **(main or {})}
    upstreams = {"main": main, "spare": {"base_url": spare.base_url, **more}, **(others or {})}
    house.proxy.replace_routing(
        {name: Upstream.model_validate(options) for name, options in upstreams.items()}, "main", keys
    )


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
async def test_an_upstream_that_is_overloaded_is_replaced(
    house: House, spare: ScriptedUpstream, status: int
) -> None:
    house.upstream.script = says(f"{status} Away")
    fall_back(house, spare)
    async with house.post(HELLO) as response:
        assert (response.status, await response.read()) == (200, completion())
    assert [saw.body for saw in spare.seen] == [saw.body for saw in house.upstream.seen]
    (ended,) = await house.ended()
    assert ended.outcome == "ok"


@pytest.mark.parametrize("how", ["cut", "reset"])
async def test_an_upstream_that_hangs_up_is_replaced(house: House, spare: ScriptedUpstream, how: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        getattr(wire, how)()

    house.upstream.script = script
    fall_back(house, spare)
    assert (await house.say("hi")).status == 200


async def test_an_upstream_that_cannot_be_reached_is_replaced(house: House, spare: ScriptedUpstream) -> None:
    await house.upstream.stop()
    fall_back(house, spare)
    assert (await house.say("hi")).status == 200
    await house.upstream.start()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 413, 429, 501])
async def test_what_the_upstream_says_of_the_request_is_its_answer(
    house: House, spare: ScriptedUpstream, status: int
) -> None:
    """B28."""
    house.upstream.script = says(f"{status} No", Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")
    fall_back(house, spare)
    async with house.post(HELLO) as response:
        assert (response.status, await response.read()) == (status, b'{"error":"x"}')
        assert response.headers["Retry-After"] == "Wed, 21 Oct 2026 07:28:00 GMT"
    assert (len(house.upstream.seen), spare.seen) == (1, [])


async def test_without_a_fallback_nothing_else_is_asked(house: House, spare: ScriptedUpstream) -> None:
    house.upstream.script = says("503 Away", Retry_After="3")
    fall_back(house, spare, {"fallback": ""})
    async with house.post(HELLO) as response:
        assert (response.status, response.headers["Retry-After"]) == (503, "3")
    assert spare.seen == []


async def test_an_answer_that_has_begun_is_never_replaced(house: House, spare: ScriptedUpstream) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        await wire.chunk(delta("half"))
        wire.cut()

    house.upstream.script = script
    fall_back(house, spare)
    with pytest.raises(aiohttp.ClientError):
        await house.say("hi")
    assert spare.seen == []


async def test_the_first_words_of_an_upstream_come_back_where_the_fallback_is_unheard(
    house: House, spare: ScriptedUpstream
) -> None:
    house.upstream.script = says("529 Overloaded", Retry_After="7")
    fall_back(house, spare)
    await spare.stop()
    async with house.post(HELLO) as response:
        assert (response.status, response.headers["Retry-After"]) == (529, "7")
        assert await response.read() == b'{"error":"x"}'
    await spare.start()


@pytest.mark.parametrize("status", [307, 400, 401, 403, 404, 429, 500, 503])
async def test_a_fallback_that_refuses_hides_nothing_of_what_the_upstream_said(
    house: House, spare: ScriptedUpstream, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """To the agent it would look as if its own key or model were wrong, and it would give up."""
    house.upstream.script = says("503 Away", b'{"error":"first"}', Retry_After="7")
    spare.script = says(f"{status} No", b'{"error":"second"}')
    fall_back(house, spare)
    async with house.post(HELLO) as response:
        assert (response.status, response.headers["Retry-After"]) == (503, "7")
        assert await response.read() == b'{"error":"first"}'
    assert f"upstream=spare status={status}" in caplog.text
    (ended,) = await house.ended()
    assert (ended.upstream, ended.status) == ("main", 503)


async def test_a_fallback_that_refuses_is_not_taken_for_the_upstream_that_is_away(
    house: House, spare: ScriptedUpstream
) -> None:
    await house.upstream.stop()
    spare.script = says("401 No")
    fall_back(house, spare)
    async with house.post(HELLO) as response:
        assert response.status == 502
        assert "'main'" in (await response.json())["error"]["message"]
    await house.upstream.start()


async def test_behind_a_fallback_that_refuses_the_next_one_is_asked(
    house: House, spare: ScriptedUpstream
) -> None:
    house.upstream.script = says("503 Away")
    spare.script = says("401 No")
    async with open_upstream() as third:
        fall_back(house, spare, fallback="third", others={"third": {"base_url": third.base_url}})
        assert (await house.say("hi")).status == 200
    (ended,) = await house.ended()
    assert ended.upstream == "third"


async def test_where_all_are_unheard_the_agents_own_upstream_is_named(
    house: House, spare: ScriptedUpstream
) -> None:
    fall_back(house, spare)
    await house.upstream.stop()
    await spare.stop()
    async with house.post(HELLO) as response:
        assert response.status == 502
        assert "'main'" in (await response.json())["error"]["message"]
    await house.upstream.start()
    await spare.start()


async def test_each_host_gets_its_own_key_and_never_the_clients(
    house: House, spare: ScriptedUpstream
) -> None:
    """C10."""
    house.upstream.script = says("503 Away")
    fall_back(house, spare, {"credential": "pass-through"}, credential="key")
    own = {
        "Authorization": "Bearer sk-own",
        "x-api-key": "own",
        "Cookie": "c=1",
        "X-Vendor-Token": "own",
        "X-Functions-Key": "own",
        "apikey": "own",
        "OpenAI-Organization": "org-own",
        "X-Tenant": "own",
        "User-Agent": "kept",
    }
    url = f"{house.url}/chat/completions?key=own&code=own"
    async with house.client.post(url, json=HELLO, headers=own) as response:
        assert response.status == 200
    (first,), (second,) = house.upstream.seen, spare.seen
    assert {name: first.header(name) for name in own} == own
    assert first.line == "POST /v1/chat/completions?key=own&code=own HTTP/1.1"
    assert second.header("Authorization") == "Bearer k-spare"
    assert second.header("User-Agent") == "kept"
    assert second.line == "POST /v1/chat/completions HTTP/1.1"
    assert "own" not in repr(second.headers)


async def test_no_credential_of_the_client_reaches_another_host_whatever_the_settings_say(
    house: House, spare: ScriptedUpstream
) -> None:
    """C10: such settings are refused, but the hot path does not rely on it."""
    house.upstream.script = says("503 Away")
    fall_back(house, spare, {"credential": "pass-through"}, credential="pass-through")
    headers = {"Authorization": "Bearer sk-own"}
    async with house.client.post(f"{house.url}/chat/completions", json=HELLO, headers=headers) as response:
        assert response.status == 200
    assert spare.seen[0].header("Authorization") is None


@pytest.mark.parametrize("packed", [False, True])
async def test_the_fallback_is_asked_for_its_own_model(
    house: House, spare: ScriptedUpstream, packed: bool
) -> None:
    house.upstream.script = says("503 Away")
    fall_back(house, spare, model="theirs")
    body = b'{ "seed":1e2, "model":"m", "messages":[ {"content":"hi","role":"user"} ]}'
    if packed:
        async with house.post(gzip.compress(body), Content_Encoding="gzip") as response:
            assert response.status == 200
        assert house.upstream.seen[0].header("Content-Encoding") == "gzip"
    else:
        async with house.post(body) as response:
            assert response.status == 200
        assert house.upstream.seen[0].body == body
    (saw,) = spare.seen
    assert saw.header("Content-Encoding") is None
    assert saw.json == {**json.loads(body), "model": "theirs"}
    assert b'"seed":1e2' in saw.body


async def test_a_body_that_cannot_be_read_goes_to_the_fallback_as_it_is(
    house: House, spare: ScriptedUpstream
) -> None:
    house.upstream.script = says("503 Away")
    spare.script = says("200 OK", b"{}")
    fall_back(house, spare, model="theirs")
    async with house.post(b"not json") as response:
        assert response.status == 200
    assert spare.seen[0].body == b"not json"


async def test_a_client_that_leaves_ends_the_asking(house: House, spare: ScriptedUpstream) -> None:
    """C13."""
    house.upstream.script = says("503 Away")
    fall_back(house, spare)
    arrived, left = asyncio.Event(), asyncio.Event()

    async def script(saw: Saw, wire: Wire) -> None:
        arrived.set()
        await wire.left.wait()
        left.set()

    spare.script = script
    client = asyncio.ensure_future(house.say("hi"))
    await arrived.wait()
    client.cancel()
    await asyncio.wait([client])
    async with asyncio.timeout(10):
        await left.wait()
    (ended,) = await house.ended()
    assert ended.outcome == "gone"


async def test_the_answer_says_who_gave_it_where_that_is_another_one(
    house: House, spare: ScriptedUpstream
) -> None:
    fall_back(house, spare)
    assert "x-metaclaw-upstream" not in (await house.say("hi")).headers
    house.upstream.script = says("503 Away")
    assert (await house.say("hi")).headers["x-metaclaw-upstream"] == "spare"


async def test_embeddings_have_no_fallback(house: House, spare: ScriptedUpstream) -> None:
    """Another model's numbers lie in another space: an index of both finds nothing."""
    house.upstream.script = says("503 Away")
    fall_back(house, spare)
    async with house.client.post(f"{house.url}/embeddings", json={"model": "e", "input": "x"}) as response:
        assert response.status == 503
    assert not spare.seen
