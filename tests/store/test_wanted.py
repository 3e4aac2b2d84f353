"""Pages of exchanges and turns by what they hold, and a thumb taken back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.learning.feedback import take_feedback
from metaclaw_tray.store import exchange_rows, thumbs, turns, wanted
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.tables import Due, Evidence
from metaclaw_tray.store.wanted import Slice, Wanted
from store.met import AT, Record
from support.clock import FakeClock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield made
    made.close()


def pages(store: Store, limit: int = 2, **which: Any) -> list[str]:
    """Exchanges of all pages, in their order."""
    found: list[str] = []
    before = ""
    while True:
        page = store.read(lambda db, at=before: wanted.exchanges(raw(db), Wanted(**which), at, limit))
        found += [each for each, _ in page.found if each is not None]
        before = page.next
        if not before:
            return found


def test_pages_go_from_the_newest_to_the_oldest_and_miss_none(store: Store) -> None:
    record = Record(store)
    made = [record.exchange() for _ in range(7)]
    for limit in (1, 2, 3, 7, 50):
        assert pages(store, limit) == made[::-1], limit


def test_each_filter_leaves_what_it_says(store: Store) -> None:
    record = Record(store)
    good, bad, plain = record.exchange(score=1), record.exchange(score=-1), record.exchange()
    carried = record.exchange("dates@3", session="long")
    later = record.exchange(session="long")
    store.write(lambda db: take_feedback(db, turns.exchange(db, plain), False, "no", AT))
    assert pages(store, outcome="good") == [good]
    assert pages(store, outcome="bad") == [plain, bad]
    assert pages(store, outcome="unscored") == [later, carried]
    assert pages(store, thumb="down") == pages(store, thumb="any") == [plain]
    assert pages(store, thumb="up") == []
    assert pages(store, skill="dates") == pages(store, skill="any") == [carried]
    assert pages(store, skill="date") == []
    assert pages(store, skill="none") == [later, plain, bad, good]
    assert pages(store, agent="agent", model="m") == [later, carried, plain, bad, good]
    assert pages(store, agent="other") == pages(store, model="other") == []
    assert pages(store, session="long") == [later, carried]


def test_dates_are_borders(store: Store) -> None:
    record = Record(store)
    made = [record.exchange() for _ in range(3)]
    middle = AT + timedelta(seconds=2)
    assert pages(store, since=middle) == [made[2], made[1]]
    assert pages(store, until=middle) == [made[0]]
    assert pages(store, since=middle, until=middle) == []


def test_a_page_looks_at_a_bounded_number_of_rows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(store)
    bad = record.exchange(score=-1)
    for _ in range(5):
        record.exchange()
    monkeypatch.setattr(wanted, "LOOKED_AT", 2)
    first: Slice = store.read(lambda db: wanted.exchanges(raw(db), Wanted(outcome="bad"), "", 10))
    assert first.found == ()
    assert first.next
    assert pages(store, outcome="bad") == [bad]


def test_turns_are_listed_one_by_one(store: Store) -> None:
    record = Record(store)
    record.exchange(score=1)
    record.exchange(score=-1)
    bad = store.read(lambda db: wanted.turns(raw(db), Wanted(outcome="bad"), "", 10))
    assert [turn for _, turn in bad.found] == ["turn0002"]
    side = store.read(lambda db: wanted.turns(raw(db), Wanted(kind="side"), "", 10))
    assert side.found == ()
    both = store.read(lambda db: wanted.turns(raw(db), Wanted(), "", 10, both=True))
    assert [turn for _, turn in both.found] == ["turn0002", "turn0001"]


def test_a_row_says_what_was_asked_and_what_came_of_it(store: Store) -> None:
    record = Record(store)
    exchange = record.exchange("dates@3", score=-1)
    (brief,) = store.read(lambda db: exchange_rows.briefs(raw(db), [(exchange, "turn0001")]))
    assert brief.opening is not None
    assert brief.answer is not None
    assert (brief.opening["content"], brief.answer["content"]) == ("question 1", "answer")
    assert (brief.turns, brief.score, brief.thumb, brief.skills) == (1, -1, 0, ("dates@3",))
    assert store.read(lambda db: exchange_rows.briefs(raw(db), [(exchange, "never there")])) == []
    agents, models = store.read(lambda db: exchange_rows.facets(raw(db)))
    assert (agents, models) == (["agent"], ["m"])


def test_a_thumb_that_is_taken_back_leaves_nothing(store: Store) -> None:
    record = Record(store)
    exchange = record.exchange()
    store.write(lambda db: take_feedback(db, turns.exchange(db, exchange), False, "say the date", AT))
    assert store.read(lambda db: turns.turn(db, "turn0001").verdict) is not None
    store.write(lambda db: thumbs.take_back(db, exchange, AT))
    assert store.read(lambda db: turns.turn(db, "turn0001").verdict) is None
    assert store.read(lambda db: list(db.exec(select(Evidence)))) == []
    assert store.read(lambda db: list(db.exec(select(Due)))) == [], "nothing was said next to judge it by"
    with pytest.raises(NotFoundError):
        store.write(lambda db: thumbs.take_back(db, exchange, AT))
