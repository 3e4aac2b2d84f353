"""One call of learning: held to the schema, the clock and the budget, on a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from sqlmodel import select

from metaclaw_tray.errors import LearningError, UpstreamError
from metaclaw_tray.learning.allowance import Allowance, SpentError, Within
from metaclaw_tray.learning.client import Asked, ChatModel, Target, UnusableAnswerError
from metaclaw_tray.learning.model import TurnedDownError
from metaclaw_tray.learning.patience import Turnstile
from metaclaw_tray.settings import Upstream
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.spend import Caps
from metaclaw_tray.store.tables import Spend
from support.clock import FakeClock

Body = dict[str, Any]
Reply = Callable[[Body], Awaitable[web.Response] | web.Response]

CAPS = Caps(day_usd=0.50, month_usd=5.0)
ASKED = Asked("judge", [{"role": "user", "content": "well?"}], max_tokens=50)
ANOTHER = Asked("judge", [{"role": "user", "content": "and now?"}], max_tokens=50)


class Colour(msgspec.Struct):
    colour: str


SCHEMA = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}


class Server:
    """A server of chat completions that a test answers for."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        answer = reply(body)
        return answer if isinstance(answer, web.Response) else await answer


def says(text: str | None, usage: Any = None, logprobs: Any = None) -> Reply:
    choice = {"message": {"role": "assistant", "content": text}, "logprobs": logprobs}
    payload = {"choices": [choice], **({"usage": usage} if usage else {})}
    return lambda _: web.json_response(payload)


def fails(status: int, text: str) -> Reply:
    return lambda _: web.Response(status=status, text=text)


def without(field: str, text: str, otherwise: Reply) -> Reply:
    """Refuses a request that has this field."""
    return lambda body: fails(400, text)(body) if field in body else otherwise(body)


@pytest.fixture
def store(tmp_path: Path):
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


@asynccontextmanager
async def asking(
    store: Store,
    server: Server,
    *,
    caps: Caps = CAPS,
    seconds: float = 20.0,
    key: str | None = None,
    base_url: str = "",
    name: str = "m",
    concurrency: int = 1,
    clock: FakeClock | None = None,
    pauses: list[float] | None = None,
    **prices: float,
) -> AsyncIterator[ChatModel]:
    async def sleep(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.handle)
    async with TestServer(app) as running:
        upstream = Upstream(base_url=str(running.make_url("/v1")))
        if prices or base_url:  # a host that is not this machine, reached through a transport that leads here
            upstream = Upstream(base_url=base_url or "http://models.invalid/v1", **prices)
        model = ChatModel(
            Target("up", upstream, name, key),
            store,
            clock or FakeClock(),
            lambda: caps,
            seconds=seconds,
            turnstile=Turnstile(lambda: concurrency),
            sleep=sleep,
            transport=_Here(running.port) if prices or base_url else None,
        )
        try:
            yield model
        finally:
            await model.aclose()


class _Here(httpx.AsyncHTTPTransport):
    """Takes every request to this machine's port, whatever host it names."""

    def __init__(self, port: int | None) -> None:
        super().__init__()
        self._port = port

    async def handle_async_request(self, request):
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        return await super().handle_async_request(request)


def spends(store: Store) -> list[Spend]:
    return store.read(lambda db: list(db.exec(select(Spend).order_by(Spend.id))))


PRICES = {"input_usd_per_million": 100.0, "output_usd_per_million": 200.0}


async def test_an_answer_is_held_to_its_schema(store: Store) -> None:
    server = Server(says('{"colour": "red"}'))
    async with asking(store, server, key="k") as model:
        assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert server.headers[0]["Authorization"] == "Bearer k"


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_that_refuses_schemas_gets_them_in_words(store: Store, status: int) -> None:
    server = Server(fails(status, "response_format is not supported"), says('Sure! {"colour": "red"} Enjoy.'))
    async with asking(store, server) as model:
        assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
        assert (await model.fill(ANOTHER, Colour, SCHEMA)).colour == "red"
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert json.dumps(SCHEMA, separators=(",", ":")) in server.bodies[1]["messages"][-1]["content"]


async def test_an_answer_out_of_shape_is_asked_for_once_more(store: Store) -> None:
    server = Server(fails(400, "no"), says("red"), says('{"colour": "red"}'))
    async with asking(store, server) as model:
        assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
    assert server.bodies[-1]["messages"][-2] == {"role": "assistant", "content": "red"}


@pytest.mark.parametrize("text", ["red", '{"colour": 7}', "{", "[" * 100_000, "}{", None, "  "])
async def test_what_stays_out_of_shape_is_unusable(store: Store, text: str | None) -> None:
    server = Server(fails(400, "no"), says(text))
    async with asking(store, server) as model:
        with pytest.raises(UnusableAnswerError):
            await model.fill(ASKED, Colour, SCHEMA)
    assert len(server.bodies) <= 3


@pytest.mark.parametrize(
    "reply",
    [
        fails(200, "<html>Sign in to the hotel's network</html>"),
        fails(200, ""),
        fails(200, '{"error": {"message": "overloaded"}}'),
        fails(200, "[]"),
        fails(429, "slow down"),
        fails(503, "loading"),
        fails(401, "who are you?"),
    ],
)
async def test_an_answer_that_is_none_is_said(store: Store, reply: Reply) -> None:
    async with asking(store, Server(reply)) as model:
        with pytest.raises(UpstreamError) as fault:
            await model.text(ASKED)
    assert fault.value.detail


async def test_nobody_at_the_address_is_said(store: Store) -> None:
    model = ChatModel(
        Target("up", Upstream(base_url="http://127.0.0.1:9/v1"), "m"),
        store,
        FakeClock(),
        lambda: CAPS,
        seconds=20,
    )
    with pytest.raises(UpstreamError, match="cannot be reached"):
        await model.text(ASKED)
    await model.aclose()


async def test_patience_ends(store: Store) -> None:
    left = asyncio.Event()

    async def never(_: Body) -> web.Response:
        await left.wait()
        return web.Response()

    async with asking(store, Server(never), seconds=0.05) as model:
        with pytest.raises(UpstreamError, match=r"longer than 0\.05 seconds"):
            await model.text(ASKED)
        left.set()


async def test_secrets_are_taken_out_before_anything_is_sent(store: Store) -> None:
    secret = "sk-ant-" + "a1B2" * 8
    server = Server(says("fine"))
    async with asking(store, server) as model:
        await model.text(Asked("judge", [{"role": "user", "content": f"my key is {secret}"}], 10))
    assert secret not in json.dumps(server.bodies)


async def test_a_model_on_this_machine_costs_nothing_even_when_nothing_may_be_spent(store: Store) -> None:
    server = Server(says("fine", usage={"prompt_tokens": 9, "completion_tokens": 3}))
    async with asking(store, server, caps=Caps(0.0, 0.0)) as model:
        assert await model.text(ASKED) == "fine"
    assert [(each.settled_usd, each.input_tokens, each.output_tokens) for each in spends(store)] == [
        (0.0, 9, 3)
    ]


async def test_a_call_is_settled_by_what_the_server_counted(store: Store) -> None:
    server = Server(says("fine", usage={"prompt_tokens": 10, "completion_tokens": 5}))
    async with asking(store, server, **PRICES) as model:
        await model.text(ASKED)
    (made,) = spends(store)
    assert made.settled_usd == pytest.approx((10 * 100 + 5 * 200) / 1e6)
    assert made.reserved_usd >= 50 * 200 / 1e6


async def test_each_kind_of_token_is_settled_at_its_price(store: Store) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 600},
        "completion_tokens_details": {"reasoning_tokens": 70},
        "cost": 0,  # some say so of a call that they charge
    }
    async with asking(
        store, Server(says("fine", usage=usage)), **PRICES, cached_usd_per_million=10.0
    ) as model:
        await model.text(ASKED)
    (made,) = spends(store)
    assert made.settled_usd == pytest.approx((400 * 100 + 600 * 10 + 100 * 200) / 1e6)
    assert (made.upstream, made.cached_tokens, made.reasoning_tokens) == ("up", 600, 70)


async def test_eight_at_once_stay_under_the_cap_together(store: Store) -> None:
    arrived, left = asyncio.Semaphore(0), asyncio.Event()

    async def late(_: Body) -> web.Response:
        arrived.release()
        await left.wait()
        return web.json_response({"choices": [{"message": {"content": "fine"}}]})

    server = Server(late)
    async with asking(store, server, caps=Caps(0.03, 5.0), concurrency=8, **PRICES) as model:
        calls = [asyncio.create_task(model.text(ASKED)) for _ in range(8)]
        for _ in range(2):  # each may cost a little more than 0.01
            await arrived.acquire()
        done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_EXCEPTION)
        left.set()
        results = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(each, LearningError) for each in results) == 6
    assert len(server.bodies) == 2
    assert done


async def test_a_server_that_counts_nothing_is_charged_for_what_was_reserved(store: Store) -> None:
    async with asking(store, Server(says("fine")), **PRICES) as model:
        await model.text(ASKED)
    (made,) = spends(store)
    assert made.settled_usd == pytest.approx(made.reserved_usd)


async def test_over_the_cap_nothing_is_sent(store: Store) -> None:
    server = Server(says("fine"))
    async with asking(store, server, caps=Caps(0.001, 5.0), **PRICES) as model:
        with pytest.raises(LearningError, match="cap"):
            await model.text(ASKED)
    assert server.bodies == []


async def test_an_unknown_price_counts_as_over_the_cap(store: Store) -> None:
    server = Server(says("fine"))
    async with asking(store, server, input_usd_per_million=1.0) as model:
        with pytest.raises(LearningError, match="not known"):
            await model.text(ASKED)
    assert server.bodies == []


async def test_a_call_without_a_price_of_one_s_own_is_priced_by_the_table(store: Store) -> None:
    server = Server(says("fine", usage={"prompt_tokens": 1000, "completion_tokens": 100}))
    async with asking(store, server, base_url="https://api.openai.com/v1", name="gpt-5-mini") as model:
        await model.text(ASKED)
    (made,) = spends(store)
    assert made.settled_usd == pytest.approx((1000 * 0.25 + 100 * 2) / 1e6)


async def test_a_model_that_the_table_does_not_know_is_not_asked(store: Store) -> None:
    server = Server(says("fine"))
    async with asking(store, server, base_url="https://api.openai.com/v1", name="of-tomorrow") as model:
        with pytest.raises(LearningError, match="not known"):
            await model.text(ASKED)
    assert server.bodies == []


async def test_a_schema_is_reserved_for_too(store: Store) -> None:
    async with asking(store, Server(says('{"colour": "red"}')), **PRICES) as model:
        await model.text(ASKED)
        (bare,) = spends(store)
        await model.fill(ASKED, Colour, SCHEMA)
    (with_schema,) = (each for each in spends(store) if each.id != bare.id)
    assert with_schema.reserved_usd > bare.reserved_usd


async def test_a_connection_that_breaks_after_the_request_was_sent_may_have_been_charged(
    store: Store,
) -> None:
    server = Server(says("fine"))

    async def breaks(request: web.Request) -> web.Response:
        await request.read()
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    server.handle = breaks  # type: ignore[method-assign]
    async with asking(store, server, **PRICES) as model:
        with pytest.raises(UpstreamError):
            await model.text(ASKED)
    (made,) = spends(store)
    assert made.settled_usd == pytest.approx(made.reserved_usd)


async def test_what_could_not_be_sent_costs_nothing(store: Store) -> None:
    target = Target("up", Upstream(base_url="http://127.0.0.2:9/v1", **PRICES), "m")
    model = ChatModel(target, store, FakeClock(), lambda: CAPS, seconds=20)
    with pytest.raises(UpstreamError):
        await model.text(ASKED)
    await model.aclose()
    (made,) = spends(store)
    assert made.settled_usd == 0.0


async def test_what_is_foreseen_counts_what_a_model_thinks_too(store: Store) -> None:
    refusal = "Unsupported parameter: use max_completion_tokens instead of max_tokens"
    server = Server(without("max_tokens", refusal, says("fine")))
    async with asking(store, server, **PRICES) as model:
        before = await model.outlay(2, 0, 100)
        await model.text(ASKED)
        after = await model.outlay(2, 0, 100)
    assert before.usd is not None
    assert after.usd is not None
    assert after.usd - before.usd == pytest.approx(2 * 2000 * 200 / 1e6)


@pytest.mark.parametrize("status", [400, 413])
async def test_a_request_that_is_too_long_speaks_against_no_schema(store: Store, status: int) -> None:
    too_long = fails(status, "the request is too long")
    server = Server(too_long, too_long, says('{"colour": "red"}'))
    async with asking(store, server) as model:
        with pytest.raises(TurnedDownError):
            await model.fill(ASKED, Colour, SCHEMA)
        await model.fill(ANOTHER, Colour, SCHEMA)
    assert ["response_format" in body for body in server.bodies] == [True, False, True]


@pytest.mark.parametrize("status", [404, 501])
async def test_a_model_that_is_not_there_turns_no_single_request_down(store: Store, status: int) -> None:
    async with asking(store, Server(fails(status, "no such model"))) as model:
        with pytest.raises(UpstreamError) as fault:
            await model.fill(ASKED, Colour, SCHEMA)
    assert not isinstance(fault.value, TurnedDownError)


async def test_a_call_cut_short_stays_reserved_in_full(store: Store) -> None:
    arrived, left = asyncio.Event(), asyncio.Event()

    async def never(_: Body) -> web.Response:
        arrived.set()
        await left.wait()
        return web.Response()

    async with asking(store, Server(never), **PRICES) as model:
        call = asyncio.create_task(model.text(ASKED))
        await arrived.wait()
        call.cancel()
        await asyncio.wait([call])
        left.set()
    (made,) = spends(store)
    assert made.settled_usd is None
    assert made.reserved_usd > 0


async def test_how_likely_an_answer_is_adds_up_to_one(store: Store) -> None:
    tops = [
        {"token": " Yes", "logprob": -0.7},
        {"token": "yes", "logprob": -2.0},
        {"token": "no", "logprob": -1.6},
    ]
    server = Server(says("yes", logprobs={"content": [{"token": " Yes", "top_logprobs": tops}]}))
    async with asking(store, server) as model:
        likely = await model.weigh(ASKED, ("yes", "no"))
    assert likely is not None
    assert likely["yes"] > 0.7
    assert sum(likely.values()) == pytest.approx(1)


@pytest.mark.parametrize("reply", [says("yes"), fails(400, "logprobs are not supported with this model")])
async def test_a_server_that_does_not_tell_how_likely_is_not_asked_again(store: Store, reply: Reply) -> None:
    server = Server(reply)
    async with asking(store, server) as model:
        assert await model.weigh(ASKED, ("yes", "no")) is None
        assert await model.weigh(ANOTHER, ("yes", "no")) is None
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        fails(400, "This model's maximum context length is 4096 tokens."),
        fails(413, "Request too large; logprobs were asked."),
        fails(500, "Internal error"),
        fails(400, ""),
    ],
)
async def test_a_refusal_of_one_request_says_nothing_of_how_likely_others_are(
    store: Store, refusal: Reply
) -> None:
    tops = [{"token": "yes", "logprob": -0.1}]
    server = Server(refusal, says("yes", logprobs={"content": [{"token": "yes", "top_logprobs": tops}]}))
    async with asking(store, server) as model:
        assert await model.weigh(ASKED, ("yes", "no")) is None
        assert await model.weigh(ANOTHER, ("yes", "no")) == {"yes": 1.0, "no": 0.0}


@pytest.mark.parametrize(
    "said",
    [
        "logprobs are not supported with this model",
        "Unsupported parameter: 'top_logprobs'",
        '{"detail":[{"type":"extra_forbidden","loc":["body","logprobs"]}]}',
    ],
)
async def test_another_model_is_asked_anew_how_likely_an_answer_is(store: Store, said: str) -> None:
    server = Server(fails(422, said))
    for name in ("one", "another"):
        async with asking(store, server, name=name) as model:
            assert await model.weigh(ASKED, ("yes", "no")) is None
            assert await model.weigh(ANOTHER, ("yes", "no")) is None
    assert [body["model"] for body in server.bodies] == ["one", "another"]


async def test_a_call_that_could_pass_what_was_said_before_is_not_made(store: Store) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 10}
    server = Server(fails(400, "no"), says("yes", usage))
    async with asking(store, server, **PRICES) as model:
        outlay = await model.outlay(2, 40, 100)
        held = Within(model, Allowance(2, outlay.usd or 0.0))
        with pytest.raises(TurnedDownError):
            await held.text(ASKED)  # costs nothing, and is no call
        assert await held.text(ASKED) == "yes"
        assert await held.text(ANOTHER) == "yes"
        assert await held.text(ANOTHER) == "yes", "kept answers are not counted"
        with pytest.raises(SpentError, match="up to 2 calls"):
            await held.text(replace(ASKED, seed=3))
    assert len(server.bodies) == 3
    assert len(spends(store)) == 3


async def test_a_dear_call_is_not_made_though_calls_are_left(store: Store) -> None:
    server = Server(says("yes", {"prompt_tokens": 10, "completion_tokens": 50}))
    async with asking(store, server, **PRICES) as model:
        held = Within(model, Allowance(100, 0.025))  # an answer of 50 tokens may come to 0.01 USD
        made = await asyncio.gather(
            *(held.text(replace(ASKED, seed=seed)) for seed in range(10)), return_exceptions=True
        )
    assert {type(each) for each in made} == {str, SpentError}
    assert 0 < sum(each.settled_usd or each.reserved_usd for each in spends(store)) <= 0.025


async def test_parameters_that_a_server_refuses_by_name_are_left_out(store: Store) -> None:
    taken = says('{"colour": "red"}')
    temperature = without("temperature", "Unsupported value: 'temperature'.", taken)
    tokens = without("max_tokens", "Unsupported parameter: use 'max_completion_tokens' instead.", temperature)
    server = Server(tokens)
    async with asking(store, server) as model:
        assert (await model.fill(ASKED, Colour, SCHEMA)).colour == "red"
        assert (await model.fill(ANOTHER, Colour, SCHEMA)).colour == "red"
    assert len(server.bodies) == 4
    assert server.bodies[-1]["max_completion_tokens"] > 50
    assert "temperature" not in server.bodies[-1]
    assert "response_format" in server.bodies[-1]


async def test_a_refusal_without_a_name_is_no_endless_loop(store: Store) -> None:
    server = Server(fails(400, "temperature max_completion_tokens seed"))
    async with asking(store, server) as model:
        with pytest.raises(UpstreamError, match="HTTP 400"):
            await model.text(ASKED)
    assert len(server.bodies) == 3
