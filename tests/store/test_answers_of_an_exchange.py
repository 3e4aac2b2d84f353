"""Which turn gave which answer of an exchange."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metaclaw_tray.store import turns
from store.conversation import Client, agent, person
from store.test_recorder import Bench


def call(number: int) -> dict[str, Any]:
    function = {"name": "run", "arguments": "{}"}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
    }


def result(number: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": "done"}


def test_the_nth_answer_is_the_nth_turn_of_the_exchange(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "store.sqlite3")
    client: Client = bench.client
    said: list[dict[str, Any]] = [person("hello")]
    first = client.begin(said)
    bench.record(first, client.end(first, agent("hi")))
    said += [agent("hi"), person("do three things")]
    made = []
    for number in (1, 2):
        begun = client.begin(said)
        bench.record(begun, client.end(begun, call(number)))
        made.append(begun.turn_id)
        said += [call(number), result(number)]
    retry = client.begin(said)  # the same request once more, cut off before
    bench.record(retry, client.end(retry, None, outcome="cut", body=b""))
    last = client.begin(said)
    bench.record(last, client.end(last, agent("all done")))
    assert bench.store.read(lambda db: turns.answered_by(db, last.turn_id)) == [*made, last.turn_id]
    assert bench.store.read(lambda db: turns.answered_by(db, made[0])) == [made[0]]
