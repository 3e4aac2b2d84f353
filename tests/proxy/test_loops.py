"""Requests that come back to where they began."""

from __future__ import annotations

import json

import aiohttp
import pytest
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from metaclaw_tray.proxy.loops import HEADER, Hops
from metaclaw_tray.settings import Upstream
from proxy.house import TOKEN, House, open_house
from proxy.upstream import Saw, Wire, completion

NONE: CIMultiDictProxy[str] = CIMultiDictProxy(CIMultiDict())


def towards(house: House) -> Upstream:
    return Upstream(base_url=house.url)


async def test_two_programs_in_a_row_are_fine(house: House) -> None:
    async with open_house() as first:
        first.proxy.replace_routing({"next": towards(house)}, "next", {})
        async with first.post({"messages": [{"role": "user", "content": "hi"}]}) as response:
            assert (response.status, await response.read()) == (200, completion())
    assert len(house.upstream.seen) == 1


async def test_a_loop_of_two_programs_ends_where_it_began(house: House) -> None:
    """C18."""
    async with open_house() as second:
        house.proxy.replace_routing({"second": towards(second)}, "second", {})
        second.proxy.replace_routing({"first": towards(house)}, "first", {})
        async with house.post({"messages": [{"role": "user", "content": "hi"}]}) as response:
            said = json.loads(await response.read())
    assert (response.status, said["error"]["code"]) == (508, "loop")
    assert "metaclaw-tray upstream list" in said["error"]["message"]
    assert house.proxy.counters.turns == second.proxy.counters.turns == 1


async def test_a_loop_through_another_forwarder_ends_too(house: House) -> None:
    """C18: the upstream's address is not ours, and yet it leads back."""

    async def script(saw: Saw, wire: Wire) -> None:
        rounds.append(saw)
        async with aiohttp.ClientSession() as forwarder:
            url = f"http://127.0.0.1:{house.port}/a/{TOKEN}/v1/chat/completions"
            kept = {
                name: value for name, value in saw.headers if name.lower() not in ("host", "content-length")
            }
            async with forwarder.post(url, data=saw.body, headers=kept) as response:
                await wire.answer(await response.read(), f"{response.status} Back")

    rounds: list[Saw] = []
    house.upstream.script = script
    assert (await house.say("hi")).status == 508
    assert len(rounds) == 1


def test_a_long_chain_ends_whoever_is_in_it() -> None:
    headers: CIMultiDict[str] = CIMultiDict()
    length = 0
    while not (hops := Hops()).refusal(CIMultiDictProxy(headers)):
        hops.mark(headers, CIMultiDictProxy(headers.copy()), URL("http://127.0.0.1/v1"))
        length += 1
    assert length == 8


@pytest.mark.parametrize("marks", ["", ",", " , x,, y", "\x00"])
def test_odd_marks_are_no_loop(marks: str) -> None:
    assert not Hops().refusal(CIMultiDictProxy(CIMultiDict({HEADER: marks})))


@pytest.mark.parametrize("host", ["api.openai.com", "8.8.8.8", "[2606:4700::1111]"])
def test_a_provider_far_away_is_told_nothing_about_us(host: str) -> None:
    """C12."""
    onward: CIMultiDict[str] = CIMultiDict()
    Hops().mark(onward, NONE, URL(f"https://{host}/v1"))
    assert not onward


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "192.168.1.2", "box.local", "box"])
def test_a_host_nearby_is_marked(host: str) -> None:
    onward: CIMultiDict[str] = CIMultiDict()
    Hops().mark(onward, NONE, URL(f"http://{host}:1/v1"))
    assert len(onward[HEADER]) == 16
