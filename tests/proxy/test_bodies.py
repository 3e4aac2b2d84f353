"""How much the bodies of open requests hold, and where they are decoded."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import threading
from collections.abc import Callable
from typing import Any

import brotli
import pytest
import zstandard

from metaclaw_tray.proxy import bodies
from metaclaw_tray.settings import Upstream
from metaclaw_tray.wire.coding import decoded
from proxy.house import House
from proxy.upstream import Saw, Wire, completion, open_upstream

MEBIBYTE = 2**20
LARGE = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 3 * MEBIBYTE}]}).encode()


class Held:
    """An upstream that lets its requests wait, so that one can see what they hold."""

    def __init__(self) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    async def script(self, saw: Saw, wire: Wire) -> None:
        self.asked.set()
        await self.go.wait()
        await wire.answer(completion())


async def answers(saw: Saw, wire: Wire) -> None:
    await wire.answer(completion())


async def held_by(house: House, path: str, body: bytes, upstream: Held, **headers: str) -> int:
    """How many bytes one request holds while its upstream works."""
    named = {"Content-Type": "application/json", **headers}

    async def ask() -> int:
        async with house.client.post(f"{house.url}/{path}", data=io.BytesIO(body), headers=named) as response:
            await response.read()
            return response.status

    asking = asyncio.create_task(ask())
    await upstream.asked.wait()
    held = house.proxy._bodies.held
    upstream.go.set()
    assert await asking == 200
    while house.proxy._bodies.held:
        await asyncio.sleep(0)
    return held


async def test_a_body_counts_as_it_came_as_it_was_read_and_as_it_went_on(house: House) -> None:
    upstream = Held()
    house.upstream.script = upstream.script
    packed = gzip.compress(LARGE)
    house.route(model="other")
    held = await held_by(house, "chat/completions", packed, upstream, **{"Content-Encoding": "gzip"})
    assert held == len(packed) + len(LARGE) + len(house.upstream.seen[0].body)


async def test_a_body_that_goes_on_as_it_came_counts_once(house: House) -> None:
    for path in ("chat/completions", "embeddings"):
        upstream = Held()
        house.upstream.script = upstream.script
        assert await held_by(house, path, LARGE, upstream) == len(LARGE)


async def test_a_body_that_is_translated_counts_in_both_dialects(house: House) -> None:
    upstream = Held()
    house.upstream.script = upstream.script
    house.route(dialects=["chat"])
    body = json.dumps({**json.loads(LARGE), "max_tokens": 5}).encode()
    held = await held_by(house, "messages", body, upstream)
    assert held == len(body) + len(house.upstream.seen[0].body)


async def test_a_body_that_a_fallback_gets_by_another_name_counts_twice(house: House) -> None:
    async def away(saw: Saw, wire: Wire) -> None:
        await wire.answer(b"{}", "503 Away")

    upstream = Held()
    house.upstream.script = away
    async with open_upstream(upstream.script) as spare:
        first = Upstream(base_url=house.upstream.base_url, fallback="spare")
        second = Upstream(base_url=spare.base_url, model="theirs")
        house.proxy.replace_routing({"main": first, "spare": second}, "main", {})
        held = await held_by(house, "chat/completions", LARGE, upstream)
        assert held == len(LARGE) + len(spare.seen[0].body)


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("br", lambda body: brotli.compress(body, quality=1)),
        ("zstd", zstandard.compress),
    ],
)
async def test_what_becomes_large_is_decoded_beside_the_loop(
    house: House, monkeypatch: pytest.MonkeyPatch, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    """However small it is before."""
    house.upstream.script = answers
    on_the_loop: list[int] = []
    beside: list[int] = []

    def watched(body: bytes, named: str, limit: int) -> bytes:
        here = threading.current_thread() is threading.main_thread()
        (on_the_loop if here else beside).append(limit)
        return decoded(body, named, limit)

    monkeypatch.setattr(bodies, "decoded", watched)
    async with house.post(pack(LARGE), Content_Encoding=encoding) as response:
        assert response.status == 200
    (begun,) = await house.begun()
    assert json.loads(begun.body)["model"] == "m", "it was read"
    assert max(on_the_loop) <= MEBIBYTE
    assert len(beside) == 1
    async with house.post(pack(b'{"messages":[]}'), Content_Encoding=encoding) as response:
        assert response.status == 200
    assert len(beside) == 1, "what is small is read at once"


async def test_where_no_room_is_left_to_decode_a_request_is_asked_to_come_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.upstream.script = answers
    monkeypatch.setattr(house.proxy._bodies, "_most", 50 * MEBIBYTE)
    async with house.post(gzip.compress(LARGE), Content_Encoding="gzip") as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "1")
    while house.proxy._bodies.held:
        await asyncio.sleep(0)
    monkeypatch.setattr(house.proxy._bodies, "_most", 150 * MEBIBYTE)
    async with house.post(gzip.compress(LARGE), Content_Encoding="gzip") as response:
        assert response.status == 200


@pytest.mark.parametrize("encoding", ["gzip", "lzma", "gzip, gzip"])
async def test_what_cannot_be_decoded_goes_on_as_it_is_and_holds_no_more(house: House, encoding: str) -> None:
    upstream = Held()
    house.upstream.script = upstream.script
    body = b"x" * 2 * MEBIBYTE
    more: dict[str, Any] = {"Content-Encoding": encoding}
    assert await held_by(house, "chat/completions", body, upstream, **more) == len(body)
    assert house.upstream.seen[0].body == body
