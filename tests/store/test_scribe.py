"""The scribe's batches: what comes in one moment is one commit, and nobody waits for what may come later."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from metaclaw_tray.child import ChildPipe
from metaclaw_tray.store import scribe, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.records import Flush, Flushed, FromScribe, Ready, SessionEnded, Stored, ToScribe
from metaclaw_tray.store.scribe import Scribe
from metaclaw_tray.store.writing import OpenTurn, Pen
from store.conversation import START, Client, agent, person
from support.clock import FakeClock


class Pipe:
    """The scribe's end of a pipe, with a test at the other."""

    def __init__(self) -> None:
        self._coming: queue.Queue[ToScribe | None] = queue.Queue()
        self.said: queue.Queue[FromScribe] = queue.Queue()

    def tell(self, *records: ToScribe) -> None:
        for record in records:
            self._coming.put(record)

    def end(self) -> None:
        self._coming.put(None)

    def hear(self) -> FromScribe:
        """What the scribe says next."""
        return self.said.get(timeout=30)

    def __iter__(self) -> Iterator[ToScribe]:
        while (record := self._coming.get()) is not None:
            yield record

    def send(self, message: FromScribe) -> bool:
        self.said.put(message)
        return True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


@pytest.fixture
def pipe(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    """The pipe of a scribe that is at work, and waits very long for what else may come."""
    monkeypatch.setattr(scribe, "_GATHERING_SECONDS", 3600.0)
    made = Pipe()
    at_work = Scribe(store, FakeClock(), cast("ChildPipe[ToScribe, FromScribe]", made))
    thread = threading.Thread(target=at_work.run, daemon=True)
    thread.start()
    assert made.hear() == Ready()
    yield made
    made.end()
    thread.join(30)
    assert not thread.is_alive()


def test_whoever_asks_for_a_flush_waits_for_nothing_that_comes_later(pipe: Pipe) -> None:
    pipe.tell(SessionEnded("a", "quit", START), Flush(1), SessionEnded("b", "quit", START))
    heard = [pipe.hear(), pipe.hear()]
    assert Flushed(1) in heard


def test_the_end_of_the_pipe_ends_the_gathering(store: Store, pipe: Pipe) -> None:
    begun = Client(store.read(turns.node_key)).begin([person("hello")])
    pipe.tell(begun)
    pipe.end()
    assert pipe.hear() == Stored(1, [], [])
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "open"


def test_a_record_that_cannot_be_stored_leaves_those_gathered_with_it_alone(store: Store, pipe: Pipe) -> None:
    client = Client(store.read(turns.node_key))
    one, orphan, two = (client.begin([person(text)]) for text in ("one", "never told", "two"))
    told = [
        one,
        client.end(orphan, agent("?")),
        two,
        client.end(one, agent("a")),
        client.end(two, agent("b")),
    ]
    pipe.tell(*told, Flush(1))
    assert pipe.hear() == Stored(5, [one.turn_id, two.turn_id], [])
    assert pipe.hear() == Flushed(1)
    told_of = store.read(turns.notices)
    assert [(each.kind, each.subject) for each in told_of] == [("fault", orphan.turn_id)]
    assert {view.turn.outcome for view in store.read(turns.turns)} == {"ok"}
    assert store.check() == []


def test_a_turn_that_ends_later_than_it_began_is_not_asked_for_again(
    store: Store, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(_pen: Pen, turn_id: str) -> OpenTurn | None:
        asked.append(turn_id)
        return None

    monkeypatch.setattr(Pen, "open_turn", ask)
    client = Client(store.read(turns.node_key))
    begun = client.begin([person("hello")])
    pipe.tell(begun, Flush(1))
    assert [pipe.hear(), pipe.hear()] == [Stored(1, [], []), Flushed(1)]
    pipe.tell(client.end(begun, agent("hi")), Flush(2))
    assert pipe.hear() == Stored(1, [begun.turn_id], [])
    assert asked == []
    assert store.read(turns.notices) == []
