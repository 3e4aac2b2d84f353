"""The scribe as a real child: what was offered is stored, whoever dies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import msgspec
import pytest
from sqlmodel import Session

from metaclaw_tray.child import ChildPipe
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.runtime.scribe import ScribeKeeper
from metaclaw_tray.store import turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.records import (
    BlockInjected,
    Fault,
    FromScribe,
    Ready,
    SessionEnded,
    Stored,
    ToScribe,
)
from metaclaw_tray.store.scribe import Scribe
from store.conversation import START, Client, agent, person

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def store(tmp_path: Path):
    opened = Store.open(tmp_path / "store.sqlite3", SystemClock())
    yield opened
    opened.close()


@asynccontextmanager
async def keeping(store: Store, **options: int) -> AsyncIterator[tuple[ScribeKeeper, list[Stored]]]:
    said: list[Stored] = []
    keeper = ScribeKeeper(store.path, SystemClock(), said.append, **options)
    running = asyncio.create_task(keeper.run())
    try:
        async with asyncio.timeout(30):
            await keeper.ready.wait()
        yield keeper, said
    finally:
        await keeper.stop()
        await running


async def test_what_is_offered_is_stored_and_said(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    async with keeping(store) as (keeper, said):
        begun = client.begin([person("hello")])
        assert keeper.offer(begun)
        assert keeper.offer(client.end(begun, agent("hi")))
        assert await keeper.flush()
        assert keeper.queue == 0
        assert [turn for each in said for turn in each.turns] == [begun.turn_id]
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "ok"


async def test_a_killed_scribe_loses_nothing_that_was_offered(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    begun = []
    async with keeping(store) as (keeper, _):
        for number in range(60):
            if number in (10, 35):
                os.kill(keeper.pid, signal.SIGKILL)
            begun.append(client.begin([person(f"question {number}")]))
            assert keeper.offer(begun[-1])
            assert keeper.offer(client.end(begun[-1], agent("answer")))
            await asyncio.sleep(0.01)
        async with asyncio.timeout(30):
            while keeper.queue:
                await asyncio.sleep(0.05)
    listed = store.read(lambda db: turns.turns(db, limit=100))
    assert {view.turn.id for view in listed} == {each.turn_id for each in begun}
    assert {view.turn.outcome for view in listed} == {"ok"}
    assert store.check() == []


async def test_what_waits_is_bounded_and_the_rest_refused(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    async with keeping(store, kept_bytes=2000) as (keeper, _):
        assert not keeper.offer(client.begin([person("x" * 4000)]))
        assert keeper.offer(client.begin([person("short")]))
        assert await keeper.flush()


async def test_a_record_that_cannot_be_stored_does_not_take_its_neighbours(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    async with keeping(store) as (keeper, _):
        orphan = client.begin([person("never told")])
        begun = client.begin([person("hello")])
        for record in (begun, client.end(orphan, agent("?")), client.end(begun, agent("hi"))):
            assert keeper.offer(record)
        assert await keeper.flush()
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "ok"
    notices = store.read(turns.notices)
    assert [(each.kind, each.subject) for each in notices] == [("fault", orphan.turn_id)]


async def test_no_record_takes_the_scribe_down_whatever_is_in_it(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    begun = client.begin([person("hello")])
    poison: list[ToScribe] = [
        BlockInjected(b"a" * 16, "large", "text", ["s@1"], 2**63, 1, START),
        SessionEnded("late", "signal", 1e300),
        SessionEnded("never", "signal", math.nan),
        msgspec.structs.replace(client.begin([person("?")]), turn_id="grown", generation=2**63),
    ]
    async with keeping(store) as (keeper, _):
        pid = keeper.pid
        assert keeper.offer(begun)
        for record in poison:
            assert keeper.offer(record)
        usage = {"prompt_tokens": 1e19, "completion_tokens": 10**30}
        assert keeper.offer(client.end(begun, agent("hi"), usage=usage))
        assert await keeper.flush()
        assert keeper.pid == pid
    turn = store.read(lambda db: turns.turn(db, begun.turn_id)).turn
    assert (turn.outcome, turn.input_tokens, turn.output_tokens) == ("ok", 0, 2**31 - 1)
    assert {each.subject for each in store.read(turns.notices)} == {"large", "late", "never", "grown"}


class FullUntilTold:
    """A scribe's pipe over a database that has no room until the scribe has said so."""

    def __init__(self, store: Store, records: list[ToScribe]) -> None:
        self._store = store
        self._records = records
        self.said: list[FromScribe] = []

    def __iter__(self) -> Iterator[ToScribe]:
        return iter(self._records)

    def limit(self, pages: int) -> None:
        def work(session: Session) -> None:
            session.connection().exec_driver_sql(f"PRAGMA max_page_count={pages}")

        self._store.write(work)

    def send(self, message: FromScribe) -> bool:
        self.said.append(message)
        if isinstance(message, Ready):
            self.limit(1)  # as many as there are
        if isinstance(message, Fault):
            self.limit(2**30)
        return True


def test_a_full_disk_is_waited_for_and_no_record_is_blamed(store: Store) -> None:
    begun = Client(store.read(turns.node_key)).begin([person("x" * 200_000)])
    pipe = FullUntilTold(store, [begun])
    Scribe(store, SystemClock(), cast("ChildPipe[ToScribe, FromScribe]", pipe)).run()
    assert [type(each) for each in pipe.said] == [Ready, Fault, Stored]
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "open"
    assert store.read(turns.notices) == []


async def test_an_error_that_quotes_a_secret_is_stored_without_it(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    secret = "sk-ant-api03-" + "Ab9" * 30
    begun = client.begin([person("hello")])
    body = json.dumps({"error": {"message": f"wrong key {secret}"}}).encode()
    other = client.begin([person("again")])
    failed = client.end(other, body=b"", outcome="failed")
    async with keeping(store) as (keeper, _):
        for record in (begun, client.end(begun, body=body), other):
            assert keeper.offer(record)
        assert keeper.offer(msgspec.structs.replace(failed, error=f"no answer from {secret}"))
        assert await keeper.flush()
    errors = [
        store.read(lambda db, each=each: turns.turn(db, each.turn_id)).turn.error for each in (begun, other)
    ]
    assert errors == ["wrong key [redacted:anthropic-key]", "no answer from [redacted:anthropic-key]"]


async def test_what_is_in_the_pipe_is_stored_when_the_app_stops(store: Store) -> None:
    client = Client(store.read(turns.node_key))
    begun = [client.begin([person(f"question {number}")]) for number in range(200)]
    async with keeping(store) as (keeper, _):
        for each in begun:
            assert keeper.offer(each)
    listed = store.read(lambda db: turns.turns(db, limit=1000))
    assert len(listed) == len(begun)


async def test_a_scribe_that_keeps_dying_is_given_up_with_a_reason(store: Store) -> None:
    keeper = ScribeKeeper(store.path, SystemClock(), lambda _: None, command=["/bin/false"])
    running = asyncio.create_task(keeper.run())
    async with asyncio.timeout(30):
        while "ended three times" not in keeper.trouble:
            await asyncio.sleep(0.05)
    assert keeper.offer(BlockInjected(b"a" * 16, "s", "text", ["s@1"], 1, 1, START))
    assert not await keeper.flush()
    await keeper.stop()
    with contextlib.suppress(asyncio.CancelledError):
        await running
