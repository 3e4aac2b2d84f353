"""What was asked once is not paid again, and nothing of it outlives what it quotes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from aiohttp import web
from sqlmodel import select

from learning.test_client import (
    ANOTHER,
    ASKED,
    PRICES,
    SCHEMA,
    Body,
    Colour,
    Server,
    asking,
    fails,
    says,
    spends,
)
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.client import Asked, UnusableAnswerError
from metaclaw_tray.store import forgetting, leaving, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.kept import KEPT_FOR
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.tables import Exchange
from metaclaw_tray.store.tables_learning import KeptAnswer
from store.conversation import Client, agent, person
from support.clock import FakeClock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def kept(store: Store) -> list[KeptAnswer]:
    return store.read(lambda db: list(db.exec(select(KeptAnswer))))


async def test_what_was_asked_before_a_kill_is_not_paid_again_after_it(store: Store) -> None:
    server = Server(says('{"colour": "red"}'))
    for _ in range(2):  # two programs, one after the other
        async with asking(store, server, **PRICES) as model:
            assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
    assert len(server.bodies) == 1
    assert len(spends(store)) == 1


@pytest.mark.parametrize(
    "other",
    [
        ANOTHER,
        Asked("gate", ASKED.messages, 50),
        Asked("judge", ASKED.messages, 51),
        Asked("judge", ASKED.messages, 50, temperature=0.5),
        Asked("judge", ASKED.messages, 50, seed=1),
        Asked("judge", ASKED.messages, 50, tools=({"type": "function", "function": {"name": "f"}},)),
        Asked("judge", ASKED.messages, 50, anew=True),
    ],
)
async def test_anything_asked_otherwise_is_asked(store: Store, other: Asked) -> None:
    server = Server(says("fine"))
    async with asking(store, server) as model:
        await model.text(ASKED)
        await model.text(other)
    assert len(server.bodies) == 2


async def test_another_model_and_another_server_are_asked_themselves(store: Store) -> None:
    server = Server(says("fine"))
    for name, url in (("m", ""), ("n", ""), ("m", "http://elsewhere.invalid/v1")):
        async with asking(store, server, name=name, base_url=url, **PRICES) as model:
            await model.text(ASKED)
    assert len(server.bodies) == 3


async def test_an_answer_of_no_use_is_not_kept(store: Store) -> None:
    server = Server(says("red"), says('{"colour": "red"}'))
    async with asking(store, server) as model:
        with pytest.raises(UnusableAnswerError):
            await model.fill(ASKED, Colour, SCHEMA)
        assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
    assert len(kept(store)) == 1


async def test_an_answer_is_kept_for_thirty_days(store: Store) -> None:
    server, clock = Server(says("fine")), FakeClock()
    async with asking(store, server, clock=clock) as model:
        await model.text(ASKED)
        clock.advance(KEPT_FOR.total_seconds() + 1)
        await model.text(ANOTHER)
        assert len(kept(store)) == 1, "the old one left when the new one came"
        await model.text(ASKED)
    assert len(server.bodies) == 3


async def test_an_answer_that_holds_a_secret_is_not_kept(store: Store) -> None:
    server = Server(says("it is sk-ant-" + "a1B2" * 8))
    async with asking(store, server) as model:
        await model.text(ASKED)
    assert kept(store) == []


def talk(store: Store) -> None:
    recorder, client = Recorder(store.read(turns.node_key)), Client(store.read(turns.node_key))
    begun = client.begin([person("hello")])
    store.write(lambda db: [recorder.apply(db, each) for each in (begun, client.end(begun, agent("hi")))])


def forget(store: Store) -> None:
    store.write(
        lambda db: forgetting.forget(
            db, leaving.chosen(db, Which(agent="agent")), FakeClock().now(), learnt=True
        )
    )


async def test_forgetting_takes_every_kept_answer_with_it(store: Store) -> None:
    talk(store)
    async with asking(store, Server(says("fine"))) as model:
        await model.text(ASKED)
    forget(store)
    assert kept(store) == []


async def test_turns_that_are_no_longer_kept_take_only_the_answers_that_quote_them(store: Store) -> None:
    talk(store)
    (exchange,) = store.read(lambda db: list(db.exec(select(Exchange.id))))
    async with asking(store, Server(says("fine"))) as model:
        await model.text(Asked("judge", ASKED.messages, 40))
        await About(model, [exchange]).text(Asked("judge", ASKED.messages, 41))
        await About(model, ["another"]).text(Asked("judge", ASKED.messages, 42))
        await About(model, ()).text(Asked("judge", ASKED.messages, 43))
    assert len(kept(store)) == 4
    store.write(
        lambda db: forgetting.forget(
            db, leaving.chosen(db, Which(agent="agent")), FakeClock().now(), learnt=False
        )
    )
    about = [msgspec.json.decode(each.body)["about"] for each in kept(store)]
    assert sorted(about) == [[], ["another"]]


async def test_an_answer_that_comes_after_a_forgetting_is_not_kept(store: Store) -> None:
    talk(store)
    arrived, left = asyncio.Event(), asyncio.Event()

    async def late(body: Body):
        arrived.set()
        await left.wait()
        return says("hello was said")(body)

    async with asking(store, Server(late)) as model:
        call = asyncio.create_task(model.text(ASKED))
        await arrived.wait()
        await asyncio.to_thread(forget, store)
        left.set()
        assert await call == "hello was said"
    assert kept(store) == []


async def test_one_thing_is_asked_at_a_time(store: Store) -> None:
    inside, most = 0, 0

    async def counted(body: Body):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        inside -= 1
        return says("fine")(body)

    async with asking(store, Server(counted)) as model:
        await asyncio.gather(
            *(model.text(Asked("judge", [{"role": "user", "content": str(n)}], 9)) for n in range(6))
        )
    assert most == 1


async def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(store: Store) -> None:

    def busy(_: Body) -> web.Response:
        return web.Response(status=429, headers={"Retry-After": "17"}, text="slow down")

    pauses: list[float] = []
    server = Server(busy, fails(503, "loading"), says("fine"))
    async with asking(store, server, pauses=pauses, **PRICES) as model:
        assert await model.text(ASKED) == "fine"
    assert pauses == [17, 4]
    assert sorted(each.settled_usd > 0 for each in spends(store)) == [False, False, True]


@pytest.mark.parametrize("after", ["3600", "", "nonsense"])
async def test_patience_with_a_busy_server_ends_and_says_so(store: Store, after: str) -> None:

    def busy(_: Body) -> web.Response:
        return web.Response(status=429, headers={"Retry-After": after} if after else {}, text="slow down")

    pauses: list[float] = []
    server = Server(busy)
    async with asking(store, server, pauses=pauses) as model:
        with pytest.raises(UpstreamError, match="HTTP 429"):
            await model.text(ASKED)
    assert len(server.bodies) == (1 if after == "3600" else 4)
    assert sum(pauses) <= 60


async def test_the_call_of_a_tool_is_an_answer_and_no_tool_is_run(store: Store) -> None:

    call = {"id": "1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}}
    reply = {"choices": [{"message": {"content": None, "tool_calls": [call]}}]}
    tools = ({"type": "function", "function": {"name": "read", "parameters": {}}},)
    server = Server(lambda _: web.json_response(reply))
    async with asking(store, server) as model:
        said = await model.text(Asked("gate", ASKED.messages, 50, tools=tools))
    assert said == '[calls read with {"path": "a"}]'
    assert server.bodies[0]["tools"] == list(tools)


async def test_an_answer_is_about_all_that_any_of_its_askers_names(store: Store) -> None:
    server = Server(says("fine"))
    async with asking(store, server) as model:
        await About(About(model, ["one"]), ["two", "one"]).text(ASKED)
    (answer,) = kept(store)
    assert sorted(msgspec.json.decode(answer.body)["about"]) == ["one", "two"]
