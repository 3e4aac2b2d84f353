from __future__ import annotations

import asyncio
from dataclasses import dataclass

from metaclaw_tray import events
from metaclaw_tray.events import Bus


@dataclass(frozen=True)
class News:
    number: int


@dataclass(frozen=True)
class GoodNews(News):
    pass


async def test_events_arrive_in_order_at_those_who_asked_for_their_kind():
    bus, seen, good = Bus(), [], []
    bus.on(News, seen.append)
    bus.on(GoodNews, good.append)
    for event in (News(1), GoodNews(2), News(3), "something else"):
        bus.publish(event)
    await asyncio.sleep(0)
    assert seen == [News(1), GoodNews(2), News(3)]
    assert good == [GoodNews(2)]


async def test_a_subscription_iterates_until_it_is_closed():
    bus = Bus()
    with bus.subscribe(News) as news:
        bus.publish(News(1))
        bus.publish(News(2))
        seen = []
        async for event in news:
            seen.append(event.number)
            if len(seen) == 2:
                break
    bus.publish(News(3))
    await asyncio.sleep(0)
    assert seen == [1, 2]
    assert not news._waiting


async def test_a_listener_that_fails_hurts_neither_publisher_nor_the_others():
    bus, seen, bugs = Bus(), [], []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: bugs.append(context["exception"]))
    bus.on(News, lambda event: 1 / 0)
    bus.on(News, seen.append)
    bus.publish(News(1))
    await asyncio.sleep(0)
    assert seen == [News(1)]
    assert [type(bug) for bug in bugs] == [ZeroDivisionError]


async def test_a_slow_subscriber_loses_the_oldest_and_knows_how_many(monkeypatch):
    monkeypatch.setattr(events, "BACKLOG", 3)
    bus = Bus()
    with bus.subscribe(News) as news:
        for number in range(5):
            bus.publish(News(number))
        await asyncio.sleep(0)
        assert news.missed == 2
        assert (await anext(aiter(news))).number == 2


async def test_a_callback_can_be_taken_back_twice():
    bus, seen = Bus(), []
    end = bus.on(News, seen.append)
    end()
    end()
    bus.publish(News(1))
    await asyncio.sleep(0)
    assert seen == []
