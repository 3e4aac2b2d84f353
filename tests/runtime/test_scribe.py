"""The scribe as a real child: what was offered is stored, whoever dies."""

from __future__ import annotations

import asyncio
import json
import math
import os
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import cast

import msgspec
import pytest
from sqlmodel import Session

from metaclaw_tray.child import ChildPipe, own_command
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.runtime.scribe import PAUSES, Restarts, ScribeKeeper
from metaclaw_tray.store import turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    Fault,
    FromScribe,
    Ready,
    SessionEnded,
    Stored,
    ToScribe,
)
from metaclaw_tray.store.scribe import Scribe
from store.conversation import START, Client, agent, person
from support.clock import FakeClock

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


# Runs the scribe as a child, and lets the first one wait for an hour for what else may come.
_GATHERS = """
import pathlib, sys
from metaclaw_tray.child import run_child
from metaclaw_tray.store import scribe
first = pathlib.Path(sys.argv[1])
if not first.exists():
    first.touch()
    scribe._GATHERING_SECONDS = 3600.0
sys.exit(run_child(sys.argv[3:]))
"""


async def test_what_a_killed_scribe_had_gathered_is_stored_by_the_next(store: Store, tmp_path: Path) -> None:
    client = Client(store.read(turns.node_key))
    begun = client.begin([person("hello")])
    command = [sys.executable, "-P", "-c", _GATHERS, str(tmp_path / "first")]
    said: list[Stored] = []
    keeper = ScribeKeeper(store.path, SystemClock(), said.append, command=command, pauses=(0.01,))
    running = asyncio.create_task(keeper.run())
    async with asyncio.timeout(30):
        await keeper.ready.wait()
    for record in (begun, client.end(begun, agent("hi")), Dropped(2, START)):
        assert keeper.offer(record)
    await asyncio.sleep(0.2)  # let the pipe breathe: the first scribe has them, and waits
    assert (keeper.queue, said, store.read(turns.turns)) == (3, [], [])
    os.kill(keeper.pid, signal.SIGKILL)
    async with asyncio.timeout(30):
        while keeper.queue:
            await asyncio.sleep(0.01)
    await keeper.stop()
    await running
    assert [turn for each in said for turn in each.turns] == [begun.turn_id]
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "ok"
    assert [each.count for each in store.read(turns.notices)] == [2]


async def test_the_program_does_not_wait_for_a_scribe_that_gathers(store: Store, tmp_path: Path) -> None:
    begun = Client(store.read(turns.node_key)).begin([person("hello")])
    command = [sys.executable, "-P", "-c", _GATHERS, str(tmp_path / "first")]
    keeper = ScribeKeeper(store.path, SystemClock(), lambda _: None, command=command, drain_seconds=3600)
    running = asyncio.create_task(keeper.run())
    async with asyncio.timeout(30):
        await keeper.ready.wait()
        assert keeper.offer(begun)
        os.kill(keeper.pid, signal.SIGTERM)  # as whoever ends the whole group of processes does
        await keeper.stop()
        await running
    assert keeper.queue == 0
    assert store.read(lambda db: turns.turn(db, begun.turn_id)).turn.outcome == "open"


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


async def test_flushes_at_the_same_time_are_all_answered(store: Store) -> None:
    async with keeping(store) as (keeper, _):
        assert await asyncio.gather(*(keeper.flush(30) for _ in range(5))) == [True] * 5


async def test_a_flush_ends_with_its_scribe(store: Store) -> None:
    async with keeping(store) as (keeper, _):
        os.kill(keeper.pid, signal.SIGSTOP)
        flushing = asyncio.create_task(keeper.flush(3600))
        await asyncio.sleep(0)
        os.kill(keeper.pid, signal.SIGKILL)
        assert not await flushing


async def test_a_record_that_no_frame_can_hold_is_refused_for_good(store: Store) -> None:
    async with keeping(store) as (keeper, _):
        with pytest.raises(ValueError, match="surrogates"):
            keeper.offer(SessionEnded("caf\udce9", "signal", START))
        assert keeper.queue == 0
        assert await keeper.flush()


async def told(keeper: ScribeKeeper, *words: str) -> None:
    """Return once the keeper's trouble holds these words."""
    async with asyncio.timeout(30):
        while not all(each in keeper.trouble for each in words):
            await asyncio.sleep(0.01)


RECORD = BlockInjected(b"a" * 16, "s", "text", ["s@1"], 1, 1, START)


async def test_a_store_that_does_not_open_is_tried_until_it_does(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    keeper = ScribeKeeper(blocked / "store.sqlite3", SystemClock(), lambda _: None, pauses=(0.01,))
    assert keeper.offer(RECORD)
    running = asyncio.create_task(keeper.run())
    await told(keeper, "ended three times in ten minutes", "Cannot open the database")
    assert not await keeper.flush()
    blocked.unlink()
    async with asyncio.timeout(30):
        await keeper.ready.wait()
    assert await keeper.flush(30)
    assert (keeper.trouble, keeper.queue) == ("", 0)
    await keeper.stop()
    await running


async def test_a_scribe_that_cannot_be_started_is_tried_until_it_can(store: Store, tmp_path: Path) -> None:
    program = tmp_path / "program"
    keeper = ScribeKeeper(store.path, SystemClock(), lambda _: None, command=[str(program)], pauses=(0.01,))
    running = asyncio.create_task(keeper.run())
    await told(keeper, "ended three times in ten minutes", "cannot be started: No such file")
    assert keeper.offer(RECORD)
    whole = tmp_path / "whole"
    whole.write_text(f'#!/bin/sh\nexec {shlex.join(own_command())} "$@"\n')
    whole.chmod(0o700)
    whole.rename(program)
    async with asyncio.timeout(30):
        await keeper.ready.wait()
    assert await keeper.flush(30)
    assert keeper.queue == 0
    await keeper.stop()
    await running


async def test_what_waits_gets_a_last_chance_when_the_program_ends(store: Store, tmp_path: Path) -> None:
    program = tmp_path / "program"
    keeper = ScribeKeeper(store.path, SystemClock(), lambda _: None, command=[str(program)], pauses=(3600,))
    running = asyncio.create_task(keeper.run())
    await told(keeper, "cannot be started")
    assert keeper.offer(RECORD)
    program.write_text(f'#!/bin/sh\nexec {shlex.join(own_command())} "$@"\n')
    program.chmod(0o700)
    await keeper.stop()
    await running
    assert keeper.queue == 0
    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    kept = store.read(lambda db: turns.injections(db, limit=5, since=long_ago))
    assert [each.block for each in kept] == ["text"]


async def test_what_a_hung_scribe_leaves_is_counted_when_the_program_ends(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    hung = ["/bin/sh", "-c", "exec sleep 3600"]
    keeper = ScribeKeeper(store.path, SystemClock(), lambda _: None, command=hung, drain_seconds=0.1)
    assert keeper.offer(RECORD)
    running = asyncio.create_task(keeper.run())
    async with asyncio.timeout(30):
        while keeper.pid is None:
            await asyncio.sleep(0.01)
    await keeper.stop()
    await running
    assert keeper.pid is None
    assert "the program ends before all records are stored lost=1" in caplog.messages


def test_pauses_double_up_to_a_minute_and_begin_anew_once_something_is_stored() -> None:
    clock = FakeClock()
    restarts = Restarts(clock)
    assert [restarts.died() for _ in range(4)] == [0.2, 0.4, 0.8, 1.6]
    restarts.stored()
    assert restarts.died() == 0.2
    clock.advance(601)
    assert not [restarts.died() for _ in range(12)][-1] < 60
    assert all(1 <= after / before <= 2 for before, after in pairwise(PAUSES))


def test_dying_often_is_known_and_forgotten_after_ten_minutes() -> None:
    clock = FakeClock()
    restarts = Restarts(clock)
    for expected in (False, False, True):
        restarts.died()
        assert restarts.often is expected
    clock.advance(601)
    restarts.died()
    assert not restarts.often


def test_a_scribe_that_stores_a_little_and_dies_ends_at_the_long_pause_too() -> None:
    restarts = Restarts(FakeClock())
    waited = []
    for _ in range(20):
        waited.append(restarts.died())
        restarts.stored()
    assert waited == [0.2] * len(PAUSES) + [60.0] * (20 - len(PAUSES))
