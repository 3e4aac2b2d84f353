"""The record is kept no longer and no larger than wanted, and forgotten on the person's word."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.cli import run
from metaclaw_tray.errors import StoreError
from metaclaw_tray.runtime import retention
from metaclaw_tray.runtime.retention import Retention
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import forgetting, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.retention import used_bytes
from metaclaw_tray.store.tables import Notice, Turn
from metaclaw_tray.store.tables_library import Ledger
from runtime.test_loop import house
from store.conversation import Client, agent, person
from support.clock import FakeClock

ME = Actor("ada", "terminal")


class Kept:
    """A store with a clock that is moved by hand, and the service on it."""

    def __init__(self, path: Path) -> None:
        self.clock = FakeClock()
        self.store = Store.open(path, self.clock)
        self.settings = Settings()
        self.gone: list[bytes] = []
        self.between = lambda: None  # done between two batches
        self.service = Retention(self.store, lambda: self.settings, self.clock, self._let_go)
        self._key = self.store.read(turns.node_key)

    def _let_go(self, nodes: Collection[bytes]) -> None:
        self.gone += nodes

    def keep(self, **values: int) -> None:
        self.settings = Settings.model_validate({"retention": values})

    def tell(self, text: str, session: str) -> str:
        begun = Client(self._key, session=session).begin([person(text)], turn_id=f"{session}-1")

        def work(db: Db) -> None:
            recorder = Recorder(self._key)
            recorder.apply(db, begun)
            recorder.apply(db, Client(self._key, session=session).end(begun, agent(text[::-1])))

        self.store.write(work)
        return begun.turn_id

    def turns(self) -> list[str]:
        return self.store.read(lambda db: sorted(db.exec(select(Turn.id))))

    def notices(self) -> list[tuple[str, str, int]]:
        rows = self.store.read(lambda db: list(db.exec(select(Notice))))
        return [(each.kind, each.reason, each.count) for each in rows]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    made = Kept(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


async def to_nobody(_text: str) -> None:
    pass


async def test_turns_are_kept_for_the_days_that_are_set(kept: Kept) -> None:
    old = kept.tell("old words", "one")
    kept.keep(days=2)
    kept.clock.advance(86_400)
    await kept.service.tidy()
    assert kept.turns() == [old]
    kept.clock.advance(2 * 86_400)
    await kept.service.tidy()
    assert kept.turns() == []
    assert kept.notices() == [("retention", "older than 2 days", 1)]
    await kept.service.tidy()
    assert kept.notices() == [("retention", "older than 2 days", 1)]


async def test_other_settings_are_heeded_at_once_and_the_journal_is_cut(kept: Kept) -> None:
    kept.tell("old words " * 50_000, "one")
    journal = kept.store.path.with_name(f"{kept.store.path.name}-wal")
    kept.clock.advance(10 * 86_400)
    running = asyncio.create_task(kept.service.run())
    try:
        await until(lambda: kept.service._tidied_by is not None and not kept.service._one_at_a_time.locked())
        assert len(kept.turns()) == 1
        kept.service.settings_changed()
        assert not kept.service._woken.is_set()  # it is as it was
        kept.keep(days=2)
        kept.service.settings_changed()
        await until(lambda: kept.notices() != [])
        assert kept.turns() == []
        assert journal.stat().st_size < 100_000  # what was written after it
    finally:
        running.cancel()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


async def test_without_limits_all_is_kept(kept: Kept) -> None:
    kept.tell("old words", "one")
    kept.keep(days=0, size_mb=0)
    kept.clock.advance(10_000 * 86_400)
    await kept.service.tidy()
    assert len(kept.turns()) == 1


async def test_the_sessions_not_used_for_longest_go_when_it_grows_too_large(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_SMALL_BATCH", 4)
    for number in range(40):
        kept.tell(f"{number:02} " + f"{number} words, " * 4000, f"s{number:02}")
    kept.store.write(
        lambda db: db.connection().exec_driver_sql(
            "UPDATE session SET last_at = last_at + 1 WHERE id = 's00'"
        )
    )
    kept.keep(days=0, size_mb=1)
    await kept.service.tidy()
    assert kept.store.read(used_bytes) <= 1024 * 1024
    left = {each[:3] for each in kept.turns()}
    assert "s00" in left  # begun first, used last
    assert "s01" not in left
    assert left - {"s00"} == {f"s{number:02}" for number in range(41 - len(left), 40)}
    (notice,) = kept.notices()
    assert notice == (
        "retention",
        "the record grew over 1 MB: the sessions not used for longest went",
        40 - len(left),
    )


async def test_old_notices_and_old_copies_go_with_the_turns(kept: Kept) -> None:
    def copy(days: int) -> Path:
        made = kept.clock.now() - timedelta(days=days)
        return kept.store.path.with_name(f"{kept.store.path.name}.before-1.2-{made:%Y%m%dT%H%M%SZ}")

    for days in (1, 5):
        copy(days).write_bytes(b"copy")
    at = kept.clock.now() - timedelta(days=5)
    kept.store.write(lambda db: db.add(Notice(id="n", kind="fault", subject="x", reason="y", at=at)))
    kept.keep(days=3)
    await kept.service.tidy()
    assert (copy(1).exists(), copy(5).exists()) == (True, False)
    assert kept.notices() == []


async def test_forgetting_removes_the_copies_that_hold_it_and_empties_the_journal(kept: Kept) -> None:
    turn = kept.tell("ZEBRA words", "one")
    stays = kept.tell("other words", "two")
    path = kept.store.path
    kept.clock.advance(1)  # in the second in which the turn began
    held = path.with_name(f"{path.name}.before-1.2-{kept.clock.now():%Y%m%dT%H%M%SZ}")
    older = path.with_name(f"{path.name}.before-1.1-20200101T000000Z")
    with closing(sqlite3.connect(path)) as raw, closing(sqlite3.connect(held)) as copy:
        raw.backup(copy)
    older.write_bytes(b"from before that conversation")
    kept.clock.advance(60)
    told: list[str] = []

    async def tell(text: str) -> None:
        told.append(text)

    gone, promised = await kept.service.forget(Which(turns=(turn,)), ME, tell)
    assert (gone.turns, promised.turns) == (1, 1)
    assert kept.turns() == [stays]
    assert not held.exists()
    assert older.exists()
    assert all(b"ZEBRA" not in each.read_bytes() for each in path.parent.iterdir())
    assert all(b"ARBEZ" not in each.read_bytes() for each in path.parent.iterdir())
    assert path.with_name(f"{path.name}-wal").stat().st_size < 20_000  # what was written after it
    (entry,) = kept.store.read(lambda db: list(db.exec(select(Ledger))))
    assert (entry.action, entry.subject, entry.channel) == ("forget", "1 turns", "terminal")
    assert "anew" in told[-1]


async def test_what_was_cut_short_is_finished_at_the_next_start(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_MOST", 1)
    kept.service._batch = 1
    for number in range(3):
        kept.tell(f"words {number}", f"s{number}")
    which = Which(agent="agent", until=kept.clock.now() + timedelta(days=1))
    forgetting_one = forgetting.forget

    def killed(*args: object, **options: object) -> object:
        if len(kept.turns()) == 2:
            raise KeyboardInterrupt
        return forgetting_one(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(forgetting, "forget", killed)
    with pytest.raises(KeyboardInterrupt):
        await kept.service.forget(which, ME, to_nobody)
    monkeypatch.setattr(forgetting, "forget", forgetting_one)
    assert len(kept.turns()) == 2  # none of them by half
    assert kept.store.check() == []
    again = Retention(kept.store, lambda: kept.settings, kept.clock, lambda nodes: None)
    await again.tidy()
    assert kept.turns() == []
    assert kept.store.read(forgetting.promised) is None
    assert kept.notices() == [
        ("forgotten", "what was to be forgotten had been cut short, and is forgotten now", 2)
    ]


async def test_a_file_that_cannot_be_written_anew_is_said_and_tried_again(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = kept.tell("words", "one")

    def full(_store: Store) -> None:
        raise StoreError("The database failed", "the disk is full.", "Free some space.")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "rewrite", full)
        with pytest.raises(StoreError, match="Traces may be left"):
            await kept.service.forget(Which(turns=(turn,)), ME, to_nobody)
    assert kept.turns() == []
    assert kept.store.read(forgetting.promised) is not None
    await kept.service.tidy()
    assert kept.store.read(forgetting.promised) is None


async def test_the_scribe_can_write_between_two_batches(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_MOST", 1)
    kept.service._batch = 1
    for number in range(3):
        kept.tell(f"words {number}", f"s{number}")
    wrote: list[int] = []
    sleep = asyncio.sleep

    async def pause(seconds: float) -> None:
        with closing(sqlite3.connect(kept.store.path, timeout=0)) as scribe:  # no patience at all
            scribe.execute("UPDATE session SET last_at = last_at")
            scribe.commit()
        wrote.append(1)
        await sleep(0)

    monkeypatch.setattr(retention.asyncio, "sleep", pause)
    await kept.service.forget(Which(agent="agent"), ME, to_nobody)
    assert len(wrote) == 3


async def test_a_batch_is_as_large_as_half_a_second_allows(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    taken = forgetting.forget

    def slow(db: Db, ids: list[str], *rest: object, **options: bool) -> object:
        sizes.append(len(ids))
        kept.clock.advance(0.0 if len(sizes) < 3 else 0.6)
        return taken(db, ids, *rest, **options)  # type: ignore[arg-type]

    for number in range(30):
        kept.tell(f"words {number}", f"s{number}")
    monkeypatch.setattr(forgetting, "forget", slow)
    monkeypatch.setattr(retention, "_FEWEST", 2)
    kept.service._batch = 3
    await kept.service.forget(Which(agent="agent"), ME, to_nobody)
    assert sizes == [3, 6, 12, 6, 3]


@pytest.mark.timeout(120)
async def test_a_conversation_is_forgotten_by_command_and_may_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path))
    asked = "What do ZEBRAFISH eat?"

    async def command(line: str) -> str:
        assert await asyncio.to_thread(run, line.split()) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    async with house(tmp_path, configure=False) as here:
        said, _ = await here.ask(asked)
        await here.ask(asked, said, "And OKAPIS?")
        await here.ask("What do lemurs eat?", session="s2")
        before = json.loads(await command("turns list --json"))
        assert len(before) == 3
        session = next(each["session"] for each in before if each["id"] == before[-1]["id"])
        await command(f"turns forget --session {session} --yes")
        assert len(json.loads(await command("turns list --json"))) == 1
        files = await asyncio.to_thread(lambda: [each for each in tmp_path.rglob("*") if each.is_file()])
        assert any(b"lemurs" in each.read_bytes() for each in files)
        for each in files:
            assert b"ZEBRAFISH" not in each.read_bytes(), each
            assert b"OKAPIS" not in each.read_bytes(), each

        _, headers = await here.ask(asked, said, "And GNUS?")
        told = json.loads(await command(f"turns show {headers['x-metaclaw-turn']} --json"))
        assert [message["content"] for message in told["messages"]] == [asked, said, "And GNUS?"]
        assert "forget" in await command("ledger list")
        assert "90 days" in await command("status")
