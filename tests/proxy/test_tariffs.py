"""What an upstream takes travels with each turn, as the settings say at its end."""

from __future__ import annotations

from metaclaw_tray.prices import FREE, OwnPrices, Tariff
from proxy.house import House


async def test_the_scribe_is_told_what_the_upstream_takes_now(house: House) -> None:
    house.configure(upstreams={"main": {"base_url": house.upstream.base_url}})
    await house.say("well?")
    priced = {"base_url": "https://one.example/v1"}
    house.configure(upstreams={"main": priced})
    await house.say("and now?")
    house.configure(upstreams={"main": {**priced, "input_usd_per_million": 1, "output_usd_per_million": 2}})
    await house.say("and then?")
    house.configure(upstreams={})
    await house.say("and at the end?")
    assert [each.tariff for each in await house.ended(4)] == [
        FREE,
        Tariff("https://one.example/v1"),
        Tariff(own=OwnPrices(1, 2, 1, 1)),
        None,
    ]
