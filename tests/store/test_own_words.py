"""No conversation tells what was said in another one, however alike the two look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from metaclaw_tray.store import turns
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import TurnBegun
from metaclaw_tray.store.tables import Message, Node
from store.conversation import Client, agent, person
from store.test_recorder import Bench

RANDOM = "call_62136354b1c94e2a8f0d"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def calling(call_id: str, arguments: str) -> dict[str, Any]:
    function = {"name": "bash", "arguments": arguments}
    return agent("") | {"tool_calls": [{"id": call_id, "type": "function", "function": function}]}


def result(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def play(bench: Bench, client: Client, *, first: str, call_id: str, name: str) -> list[TurnBegun]:
    """A conversation with one call: of its own arguments, with a result of its own."""
    said = [person(first)]
    one = client.begin(list(said))
    call = calling(call_id, f'{{"cmd": "cat {name}"}}')
    bench.record(one, client.end(one, call))
    two = client.begin([*said, call, result(call_id, f"the words of {name}")])
    bench.record(two, client.end(two, agent("done")))
    return [one, two]


def told(bench: Bench, turn: TurnBegun) -> str:
    return str(bench.store.read(lambda db: turns.conversation(db, turn.turn_id)))


def left_over(bench: Bench) -> list[str]:
    """The roles of messages that no node shows."""
    shown = select(col(Node.message_id))
    left = select(Message.role).where(col(Message.id).not_in(shown), col(Message.role) != "settings")
    return bench.store.read(lambda db: list(db.exec(left)))


@pytest.mark.parametrize("call_id", ["functions.bash:0", "toolu_000000000000000001", RANDOM])
def test_calls_of_one_id_in_conversations_of_different_words(bench: Bench, call_id: str) -> None:
    for name in ("ann", "bob"):
        client = Client(bench.key, name="agent", session=name)
        ends = play(bench, client, first=f"I am {name}", call_id=call_id, name=name)
        assert f"cat {name}" in told(bench, ends[0])
        assert f"the words of {name}" in told(bench, ends[1])
        assert name == "ann" or "ann" not in told(bench, ends[0]) + told(bench, ends[1])


@pytest.mark.parametrize("call_id", ["functions.bash:0", "toolu_000000000000000001", RANDOM])
def test_calls_of_one_id_of_two_agents(bench: Bench, call_id: str) -> None:
    for name in ("ann", "bob"):
        ends = play(bench, Client(bench.key, name, name), first="hi", call_id=call_id, name=name)
        assert f"the words of {name}" in told(bench, ends[1])
        assert name == "ann" or "ann" not in told(bench, ends[0]) + told(bench, ends[1])


@pytest.mark.parametrize("call_id", ["functions.bash:0", "toolu_000000000000000001"])
def test_calls_of_an_id_that_is_counted_up_in_sessions_that_began_alike(bench: Bench, call_id: str) -> None:
    for name in ("ann", "bob"):
        client = Client(bench.key, name="agent", session=name)
        ends = play(bench, client, first="hi", call_id=call_id, name=name)
        assert name == "ann" or "ann" not in told(bench, ends[0]) + told(bench, ends[1])


def test_what_a_client_adds_to_the_same_words_for_two_agents(bench: Bench) -> None:
    for name in ("ann", "bob"):
        client = Client(bench.key, name, name)
        begun = client.begin([person(f"hi <system-reminder>of {name}</system-reminder>")])
        bench.record(begun, client.end(begun, agent("hello")))
        assert f"of {name}" in told(bench, begun)


def test_a_result_that_is_emptied_later_is_told_as_it_was_and_nothing_is_left_over(bench: Bench) -> None:
    client = bench.client
    one, two = play(bench, client, first="hi", call_id=RANDOM, name="ann")
    bench.recorder = Recorder(bench.key)  # a new process, which remembers nothing
    call = calling(RANDOM, '{"cmd":"cat ann "}')
    later = client.begin([person("hi"), call, result(RANDOM, "[cleared]"), agent("done"), person("more")])
    bench.record(later)
    assert later.nodes[: len(two.nodes)] == two.nodes
    assert bench.turn(two.turn_id).next_turn_id == later.turn_id
    assert "the words of ann" in told(bench, later)
    assert "[cleared]" not in told(bench, later)
    assert left_over(bench) == []
    assert one.nodes == later.nodes[:1]


def test_an_answer_given_twice_leaves_no_message_that_nothing_shows(bench: Bench) -> None:
    """Such a message would stay when its turns are forgotten."""
    for thought in ("this", "that"):
        begun = bench.client.begin([person("hi")])
        bench.record(begun, bench.client.end(begun, agent("hello") | {"reasoning_content": thought}))
    assert left_over(bench) == []
