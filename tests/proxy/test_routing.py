"""Which upstream an agent reaches, and what it is told where it reaches none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.routing import NoRoute, Route, Routing
from metaclaw_tray.settings import Upstream
from proxy.house import OTHER_TOKEN, House


def routing(
    default: str = "one", agents: dict[str, str] | None = None, **upstreams: dict[str, Any]
) -> Routing:
    """Upstreams by name; a `key` among their settings is the key that is kept."""
    keys = {name: options.pop("key") for name, options in upstreams.items() if "key" in options}
    made = Routing()
    made.replace(
        {
            name: Upstream.model_validate({"base_url": f"http://{name}.example/v1", **options})
            for name, options in upstreams.items()
        },
        default,
        keys,
        30000,
        agents,
    )
    return made


def found(of: Routing, agent: str = "claw", dialect: str = "chat", model: str = "m") -> Route:
    route = of.route_for(agent, dialect, model)
    assert isinstance(route, Route), route
    return route


def refused(of: Routing, agent: str = "claw", dialect: str = "chat") -> NoRoute:
    route = of.route_for(agent, dialect, "m")
    assert isinstance(route, NoRoute), route
    return route


def test_an_agent_reaches_its_own_upstream_and_the_others_the_default_one() -> None:
    both = routing(agents={"claw": "two", "other": ""}, one={}, two={})
    assert found(both, "claw").name == "two"
    assert found(both, "other").name == "one"
    assert found(both, "stranger").name == "one"


def test_a_dialect_that_is_not_spoken_is_refused_with_what_to_do() -> None:
    both = routing(one={"dialects": ["messages"]}, two={"dialects": ["chat", "responses"]})
    no = refused(both, dialect="chat")
    assert (no.status, no.code) == (400, "dialect_not_spoken")
    assert "metaclaw-tray upstream use two --agent claw" in no.message
    assert "metaclaw-tray config set upstreams.one.dialects messages,chat" in no.message
    alone = refused(routing(one={"dialects": ["messages"]}), dialect="chat")
    assert "Add an upstream that speaks it" in alone.message
    keyless = refused(
        routing(one={"dialects": ["messages"]}, two={"dialects": ["chat"], "credential": "key"}),
        dialect="chat",
    )
    assert "'two'" not in keyless.message, "it has no key, so it is no help"


def test_other_dialects_are_translated_for_an_upstream_of_chat_completions() -> None:
    both = routing(one={"fallback": "two"}, two={"dialects": ["responses"]})
    route = found(both, dialect="responses")
    assert (route.dialect, route.speaks) == ("responses", "chat")
    assert route.fallback is not None
    assert route.fallback.speaks == "responses"


def test_a_request_of_no_dialect_goes_to_any_upstream() -> None:
    both = routing(one={"dialects": ["messages"], "fallback": "two"}, two={"dialects": ["chat"]})
    route = found(both, dialect="", model="e")
    assert (route.dialect, route.sends) == ("", "e")
    assert route.fallback is not None, "and to any fallback"


@pytest.mark.parametrize(
    ("options", "default", "words"),
    [
        ({}, "", "No upstream is chosen"),
        ({}, "gone", "'gone' is not among the settings"),
        ({}, "embedded", "embedded model is not served"),
        ({"credential": "key"}, "one", "metaclaw-tray secret set upstream:one"),
        ({"base_url": "http://127.0.0.1:30000/v1"}, "one", "is this program itself"),
    ],
)
def test_what_is_missing_is_said(options: dict[str, Any], default: str, words: str) -> None:
    no = refused(routing(default, one=options))
    assert (no.status, no.code) == (503, "no_upstream")
    assert words in no.message
    made = routing(default, one=options)
    assert made.missing == no.message
    assert made.faults == ({"one": no.message} if options else {})


def test_one_agent_with_an_upstream_is_enough_to_be_ready() -> None:
    assert routing("", agents={"claw": "one"}, one={}).missing == ""
    assert routing("", agents={"claw": "one"}, one={"credential": "key"}).missing


def test_models_go_by_the_upstreams_own_names() -> None:
    mapped = routing(one={"models": {"big": "large", "small-*": "tiny"}})
    assert (found(mapped, model="big").model, found(mapped, model="big").sends) == ("large", "large")
    assert found(mapped, model="small-1").model == "tiny"
    assert (found(mapped, model="other").model, found(mapped, model="other").sends) == (None, "other")
    same = routing(one={"model": "m"})
    assert found(same, model="m").model is None, "what stays the same is not written anew"


def test_a_fallback_has_its_own_key_and_names() -> None:
    both = routing(
        one={"fallback": "two", "key": "k1", "credential": "key", "models": {"m": "m1"}},
        two={"key": "k2", "credential": "key", "model": "m2"},
    )
    route = found(both)
    assert route.fallback is not None
    assert (route.key, route.sends, route.fallback.key, route.fallback.sends) == ("k1", "m1", "k2", "m2")
    assert "k1" not in repr(route)


@pytest.mark.parametrize(
    "two",
    [
        {"dialects": ["messages"]},
        {"credential": "key"},
        {"base_url": "http://localhost:30000/v1"},
        {"fallback": "one"},
    ],
)
def test_a_fallback_that_cannot_help_now_is_left_out(two: dict[str, Any]) -> None:
    both = routing(one={"fallback": "two", "dialects": ["chat", "messages"]}, two=two)
    route = found(both)
    if "fallback" in two:
        assert route.fallback is not None
        assert route.fallback.fallback is None, "no request goes in a circle"
    else:
        assert route.fallback is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 417, 426, 429, 502, 503, 504, 508])
@pytest.mark.parametrize("dialect", ["chat", "messages", "responses"])
def test_an_error_of_ours_has_the_shape_of_the_dialect(status: int, dialect: str) -> None:
    response = problem(status, "code", "words \udce9", dialect=dialect)
    assert isinstance(response.body, bytes)
    said = json.loads(response.body)
    if dialect == "messages":
        assert set(said) == {"type", "error"}
        assert set(said["error"]) == {"type", "message"}
        assert said["error"]["type"].endswith(("_error", "request_too_large"))
    else:
        assert set(said) == {"error"}
        assert set(said["error"]) == {"message", "type", "param", "code"}
    assert said["error"]["message"] == r"words \udce9"
    assert ("Retry-After" in response.headers) is (status == 429)


async def test_two_agents_reach_two_upstreams(house: House) -> None:
    house.proxy.replace_routing(
        {
            "main": Upstream(base_url=house.upstream.base_url),
            "second": Upstream(base_url=house.upstream.base_url.replace("/v1", "/second/v1")),
        },
        "main",
        {},
        {"other": "second"},
    )
    await house.say("hi")
    url = f"http://127.0.0.1:{house.port}/v1/chat/completions"
    headers = {"Authorization": f"Bearer {OTHER_TOKEN}"}
    async with house.client.post(url, json={"messages": []}, headers=headers) as response:
        assert response.status == 200
    lines = [saw.line.split()[1] for saw in house.upstream.seen]
    assert lines == ["/v1/chat/completions", "/second/v1/chat/completions"]


async def test_a_dialect_that_is_not_spoken_is_refused_in_that_dialect(house: House) -> None:
    house.route(dialects=["responses"])
    async with house.client.post(f"{house.url}/messages?beta=true", json={"messages": []}) as response:
        said = await response.json()
    assert (response.status, said["type"], said["error"]["type"]) == (400, "error", "invalid_request_error")
    assert "metaclaw-tray" in said["error"]["message"]
    async with house.post({"messages": []}) as response:
        assert (response.status, (await response.json())["error"]["code"]) == (400, "dialect_not_spoken")
    assert house.upstream.seen == []
    assert house.proxy.counters.turns == 0


@pytest.mark.parametrize(("asked", "sent"), [("big", "large"), ("small-4", "tiny"), ("other", "other")])
async def test_the_upstream_is_asked_for_its_own_name_of_a_model(house: House, asked: str, sent: str) -> None:
    house.route(models={"big": "large", "small*": "tiny"})
    async with house.post({"model": asked, "messages": [{"role": "user", "content": "hi"}]}) as response:
        assert response.status == 200
    assert house.upstream.seen[0].json["model"] == sent
    (begun,) = await house.begun()
    assert begun.model == sent


async def test_the_model_of_an_embedding_keeps_its_name(house: House) -> None:
    house.route(model="large")
    async with house.client.post(f"{house.url}/embeddings", json={"model": "e", "input": "x"}) as response:
        await response.read()
    assert house.upstream.seen[0].json == {"model": "e", "input": "x"}


async def test_a_stranger_is_told_in_its_own_dialect(house: House) -> None:
    url = f"http://127.0.0.1:{house.port}/v1/messages"
    async with house.client.post(url, json={}, headers={"x-api-key": "wrong"}) as response:
        assert (response.status, (await response.json())["error"]["type"]) == (401, "authentication_error")
