"""What a model thought comes back to it, also from clients that never send it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.proxy.reasoning import ReasoningMemory, Thought
from metaclaw_tray.settings import Upstream
from metaclaw_tray.wire.translation.missing_thoughts import REMEDY
from proxy.house import OTHER_TOKEN, House, open_house
from proxy.thinker import MISSING, PATHS, Forgetful, Thinker
from proxy.upstream import Saw, Wire

DIALECT = pytest.mark.parametrize("dialect", ["messages", "responses"])
STREAM = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
CHANCE = ("call_00_h3Kq9Xw2LmZ7pRt5", "call_01_bV8nD4yGs1Qf6Jc0")
COUNTED = ("call_0", "call_1")
SPELLED = ("functions.read:0",)  # spelled out for clients of messages
LONG = "The three files are read, their dates agree with each other, and nothing in them has to be changed."


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.route(dialects=["chat"])
        yield opened


@pytest.fixture
def thinker(house: House) -> Thinker:
    house.upstream.script = thinker = Thinker()
    return thinker


@DIALECT
@STREAM
async def test_an_answer_in_words_gets_its_thoughts_back(
    house: House, thinker: Thinker, dialect: str, stream: bool
) -> None:
    client = Forgetful(house, dialect, stream)
    thoughts = []
    for words in ("one", "two", "three"):
        await client.say(words)
        assert client.status == 200
        thoughts.append(thinker.thought)
    assert thinker.returned == thoughts[:2]


@DIALECT
@STREAM
@pytest.mark.parametrize("ids", [CHANCE, COUNTED, SPELLED], ids=["chance", "counted", "spelled"])
async def test_an_answer_that_calls_gets_its_thoughts_back(
    house: House, thinker: Thinker, dialect: str, stream: bool, ids: tuple[str, ...]
) -> None:
    client = Forgetful(house, dialect, stream)
    thinker.calls = list(ids)
    await client.say("read")
    first = thinker.thought
    called = [each["id"] for each in _calls(client)]
    thinker.calls = []
    await client.give(*called)
    assert (client.status, thinker.returned) == (200, [first])
    second = thinker.thought
    await client.say("thanks")
    assert (client.status, thinker.returned) == (200, [first, second])


def _calls(client: Forgetful) -> list[dict[str, Any]]:
    if client.dialect == "messages":
        return [each for each in client.said[-1]["content"] if each["type"] == "tool_use"]
    return [{"id": each["call_id"]} for each in client.said if each.get("type") == "function_call"]


@DIALECT
async def test_with_a_block_of_ours_in_the_request_thoughts_find_their_place(
    house: House, thinker: Thinker, dialect: str
) -> None:
    house.library.add("dates")
    client = Forgetful(house, dialect, stream=True)
    await client.say("about dates")
    first = thinker.thought
    await client.say("more")
    assert (client.status, thinker.returned) == (200, [first])
    assert house.library.skills["dates"][0] in json.dumps(thinker.got[-1])


@DIALECT
async def test_what_the_client_sends_itself_is_left_as_it_is(
    house: House, thinker: Thinker, dialect: str
) -> None:
    client = Forgetful(house, dialect, stream=False)
    await client.say("one")
    whole = json.loads(client.heard)
    if dialect == "messages":
        client.said[-1] = {"role": "assistant", "content": whole["content"]}
        client.said[-1]["content"][0]["thinking"] = "what the client made of it"
    else:
        client.said[-1:] = whole["output"]
        client.said[-2]["summary"][0]["text"] = "what the client made of it"
    await client.say("two")
    assert thinker.returned == ["what the client made of it"]


@DIALECT
async def test_an_edited_answer_has_no_thoughts_and_the_refusal_says_what_to_do(
    house: House, thinker: Thinker, dialect: str
) -> None:
    client = Forgetful(house, dialect, stream=True)
    await client.say("one")
    part = client.said[-1]["content"][0]
    part["text"] = "Something that it never said."
    await client.say("two")
    assert client.status == 400
    said = json.loads(client.heard)["error"]["message"]
    assert said == f"{MISSING} {REMEDY}"


@DIALECT
async def test_where_the_beginning_was_cut_away_calls_and_long_words_are_known_all_the_same(
    house: House, thinker: Thinker, dialect: str
) -> None:
    client = Forgetful(house, dialect, stream=True)
    await client.say("one")
    thinker.calls = list(CHANCE)
    await client.say("two")
    calls = thinker.thought
    thinker.calls, thinker.text = [], LONG
    await client.give(*CHANCE)
    words = thinker.thought
    client.said[:3] = [{"role": "user", "content": "We spoke of things."}]
    if dialect == "responses":
        client.said = [each for each in client.said if each.get("content") != "two"]
    await client.say("three")
    assert (client.status, thinker.returned) == (200, [calls, words])


@DIALECT
async def test_short_words_are_not_known_in_another_conversation(
    house: House, thinker: Thinker, dialect: str
) -> None:
    thinker.strict = False
    client = Forgetful(house, dialect, stream=True)
    await client.say("about Ann's money")
    other = Forgetful(house, dialect, stream=True)
    other.said = [{"role": "user", "content": "about Ben"}, *client.said[1:]]
    await other.say("more")
    assert thinker.returned == [None]


@DIALECT
async def test_two_agents_never_share(house: House, thinker: Thinker, dialect: str) -> None:
    thinker.strict, thinker.calls, thinker.text = False, list(CHANCE), LONG
    client = Forgetful(house, dialect, stream=True)
    await client.say("one")
    other = Forgetful(house, dialect, stream=True, url=f"http://127.0.0.1:{house.port}/a/{OTHER_TOKEN}/v1")
    other.said = list(client.said)
    await other.give(*CHANCE)
    assert thinker.returned == [None]
    await client.give(*CHANCE)
    assert None not in thinker.returned


@DIALECT
async def test_another_upstream_gets_nothing_of_it(house: House, thinker: Thinker, dialect: str) -> None:
    thinker.strict = False
    client = Forgetful(house, dialect, stream=True)
    await client.say("one")
    upstream = Upstream.model_validate({"base_url": house.upstream.base_url, "dialects": ["chat"]})
    house.proxy.replace_routing({"second": upstream}, "second", {})
    await client.say("two")
    assert thinker.returned == [None]


@DIALECT
@STREAM
async def test_a_model_that_never_thinks_gets_the_request_as_ever(
    house: House, thinker: Thinker, dialect: str, stream: bool
) -> None:
    thinker.strict = thinker.thinks = False
    client = Forgetful(house, dialect, stream)
    await client.say("one")
    await client.say("two")
    async with open_house() as fresh:  # a proxy that has seen nothing
        fresh.route(dialects=["chat"])
        fresh.upstream.script = again = Thinker(strict=False, thinks=False)
        await Forgetful(fresh, dialect, stream, said=client.said[:-1]).go_on()
    assert again.got[-1] == thinker.got[-1]
    assert thinker.returned == [None]


@DIALECT
async def test_who_goes_on_at_the_last_event_has_no_need_to_wait_for_the_streams_end(
    house: House, thinker: Thinker, dialect: str
) -> None:
    """The upstream says that all is said, and leaves its connection open; the client goes on at once."""
    over = asyncio.Event()
    asked = 0

    async def script(saw: Saw, wire: Wire) -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            real_end = wire.end

            async def late() -> None:
                await over.wait()
                await real_end()

            wire.end = late  # type: ignore[method-assign]
        await thinker(saw, wire)

    house.upstream.script = script
    client = Forgetful(house, dialect, stream=True)
    client.said = [{"role": "user", "content": "one"}]
    last = b"message_stop" if dialect == "messages" else b"response.completed"
    async with house.client.post(f"{house.url}{PATHS[dialect]}", json=client.body()) as response:
        pieces = b""
        while last not in pieces:
            pieces += await response.content.readany()
        client.said.append({"role": "assistant", "content": thinker.text})
        await client.say("two")
        over.set()
    assert (client.status, thinker.returned) == (200, ["The person wants it, number 1.\nSo I do it."])


@DIALECT
async def test_an_answer_that_was_cut_leaves_nothing(house: House, thinker: Thinker, dialect: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        chunk = {"id": "c", "choices": [{"index": 0, "delta": {"reasoning_content": "Half of a"}}]}
        await wire.chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        await wire.end()

    house.upstream.script = script
    client = Forgetful(house, dialect, stream=True)
    client.said = [{"role": "user", "content": "one"}]
    async with house.client.post(f"{house.url}{PATHS[dialect]}", json=client.body()) as response:
        await response.read()
    assert house.proxy._desk._reasoning.size == 0


async def test_thoughts_that_are_put_back_are_counted(house: House, thinker: Thinker) -> None:
    client = Forgetful(house, "messages", stream=False)
    asked = {"model": "m", "messages": client.said}

    async def count() -> int:
        async with house.client.post(f"{house.url}/messages/count_tokens", json=asked) as response:
            return int((await response.json())["input_tokens"])

    await client.say("one")
    with_thoughts = await count()
    house.proxy._desk._reasoning.let_go(set(_nodes(house.proxy._desk._reasoning)))
    assert with_thoughts > await count() + 5


def _nodes(memory: ReasoningMemory) -> list[bytes]:
    return [node for kept in memory._kept.values() for node in kept]


def thought(
    node: str, text: str = "thought", *, agent: str = "a", upstream: str = "u", mark: str = ""
) -> Thought:
    return Thought(agent, upstream, node.encode(), mark.encode(), text)


def test_the_room_is_bounded_in_bytes_and_what_was_used_last_stays() -> None:
    memory = ReasoningMemory(most=20_000)
    for number in range(100):
        memory.put(thought(f"n{number}", "x" * 1000, mark=f"m{number}"))
        assert memory.at("a", "u", b"n0"), "it is used again and again"
        assert memory.size <= 20_000
    assert memory.at("a", "u", b"n99")
    assert not memory.at("a", "u", b"n50")
    assert len(_nodes(memory)) == len(memory._marked) < 20


def test_a_thought_as_large_as_the_room_drives_nothing_out() -> None:
    memory = ReasoningMemory(most=20_000)
    memory.put(thought("small"))
    memory.put(thought("large", "x" * 19_000))
    assert memory.at("a", "u", b"small")
    assert not memory.at("a", "u", b"large")


def test_a_busy_agent_drives_out_its_own_and_nobody_elses() -> None:
    memory = ReasoningMemory(most=20_000)
    memory.put(thought("quiet", agent="quiet"))
    for number in range(200):
        memory.put(thought(f"n{number}", "x" * 500, agent="busy"))
    assert memory.at("quiet", "u", b"quiet")


def test_what_left_the_record_is_given_to_nobody() -> None:
    memory = ReasoningMemory()
    memory.put(thought("gone", mark="mark"))
    memory.put(thought("stays"))
    memory.let_go({b"gone", b"unknown"})
    assert not memory.at("a", "u", b"gone")
    assert not memory.alike("a", "u", b"mark")
    assert memory.at("a", "u", b"stays")
    memory.let_go({b"stays"})
    assert (memory.size, memory.holds("a", "u")) == (0, False)


def test_of_two_answers_that_are_alike_neither_is_taken_for_the_other() -> None:
    memory = ReasoningMemory()
    memory.put(thought("one", "of Ann", mark="mark"))
    assert memory.alike("a", "u", b"mark") == "of Ann"
    memory.put(thought("two", "of Ben", mark="mark"))
    assert memory.alike("a", "u", b"mark") == ""
    memory.let_go({b"one"})
    assert memory.alike("a", "u", b"mark") == "of Ben"
    memory.put(thought("two", "of Ben anew", mark="mark"))
    assert memory.alike("a", "u", b"mark") == "of Ben anew"


STEPS = st.lists(
    st.tuples(
        st.sampled_from("abc"),  # agent
        st.sampled_from("uv"),  # upstream
        st.integers(0, 12),  # node
        st.sampled_from(["", "m", "n"]),  # what it is known by
        st.integers(0, 900),  # length of the text
        st.booleans(),  # whether its node leaves the record instead
    ),
    max_size=80,
)


@settings(deadline=None)
@given(STEPS)
def test_whatever_comes_and_goes_the_room_holds_what_it_says(
    steps: list[tuple[str, str, int, str, int, bool]],
) -> None:
    memory = ReasoningMemory(most=8_000)
    for agent, upstream, number, mark, length, leaves in steps:
        node = f"n{number}"
        if leaves:
            memory.let_go({node.encode()})
            assert not memory.at(agent, upstream, node.encode())
        else:
            memory.put(thought(node, "x" * length, agent=agent, upstream=upstream, mark=mark))
        kept = [each for by_node in memory._kept.values() for each in by_node.values()]
        assert memory.size == sum(each.size for each in kept) <= 8_000
        assert sum(memory._sizes.values()) == memory.size
        marked = sorted(
            (each.agent, each.upstream, each.known_by, each.node) for each in kept if each.known_by
        )
        said = [(*holder, mark, node) for (holder, mark), nodes in memory._marked.items() for node in nodes]
        assert marked == sorted(said)


def test_answers_that_are_all_alike_are_not_kept_without_end() -> None:
    memory = ReasoningMemory()
    memory.put(thought("first", "other", mark="m"))
    for number in range(100):
        memory.put(thought(f"n{number}", "why", mark="m"))
    ((_, nodes),) = memory._marked.items()
    assert len(nodes) == len(memory._kept["a", "u"]) < 100
    assert memory.alike("a", "u", b"m") == "why"
