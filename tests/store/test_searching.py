"""What is stored is found, what is forgotten is not, and neither by what nobody said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import Session as Db

from metaclaw_tray.store import indexing, searching
from metaclaw_tray.store.folding import BETWEEN, asked, folded, marks
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.searching import Hits
from metaclaw_tray.store.tables import Message
from metaclaw_tray.store.wanted import Wanted
from store.test_forgetting import Record

NOW = datetime(2026, 3, 4, tzinfo=UTC)


class Searchable(Record):
    """A record whose turns are in the index once `bring_in` was called."""

    def bring_in(self, *, old: int = 48) -> int:
        """In how many slices."""
        slices = 1
        while self.store.write(lambda db: indexing.bring_in(raw(db), lambda: True, old=old)):
            slices += 1
        return slices

    def find(self, words: str, **wanted: Any) -> list[str]:
        """The turns that hold the words, the newest first, page by page."""
        found, before = [], ""
        while True:
            part = self.page(words, before, **wanted)
            found += [each.turn_id for each in part.hits]
            before = part.next
            if not before:
                return found

    def page(self, words: str, before: str = "", limit: int = 2, **wanted: Any) -> Hits:
        def work(db: Db) -> Hits:
            return searching.search(raw(db), asked(words), Wanted(**wanted), before, limit)

        return self.store.read(work)

    def purge(self) -> None:
        self.store.write(lambda db: indexing.purge(raw(db), first=True))
        while self.store.write(lambda db: indexing.purge(raw(db), first=False)):
            pass
        self.store.rewrite()

    def share(self) -> float:
        return self.store.read(lambda db: indexing.progress(raw(db))).share


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Searchable]:
    made = Searchable(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_the_persons_words_and_the_answer_are_found_by_any_part_of_them(record: Searchable) -> None:
    turn = record.tell("Wanneer is de landkaartenbeurs?", "Op dinsdag, in Zürich")
    record.bring_in()
    for words in ("landkaarten", "kaart", "LANDKAARTENBEURS", "zurich", "dinsdag kaart", '"is de land"'):
        assert record.find(words) == [turn], words
    for words in ("landkaartje", "woensdag", '"de is"', "dinsdag woensdag"):
        assert record.find(words) == [], words


def test_chinese_is_found_by_one_sign_or_more(record: Searchable) -> None:
    turn = record.tell("请把会议记录发给我", "好的")
    record.bring_in()
    for words in ("会", "会议", "会议记录", "录发", "好的"):
        assert record.find(words) == [turn], words
    assert record.find("议会") == []


def test_a_short_word_is_found_where_it_stands_alone(record: Searchable) -> None:
    one, two = record.tell("Use Go, please", "ok"), record.tell("Good.", "fine", session="t")
    record.bring_in()
    assert record.find("go") == [one]
    assert set(record.find("goo")) == {two}


def test_what_tools_are_called_with_is_found(record: Searchable) -> None:
    turn = record.tell("list them", "one moment")
    client = record.clients["s"]
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "run", "arguments": '{"cmd": "ls /srv/depot"}'},
    }
    begun = client.begin([{"role": "user", "content": "and there?"}])
    ended = client.end(begun, {"role": "assistant", "content": "", "tool_calls": [call]})
    record.store.write(lambda db: Recorder(record.key).apply(db, begun, ended))
    record.bring_in()
    assert record.find("srv depot") == [begun.turn_id]
    assert record.find("moment") == [turn]


def test_each_turn_is_found_by_what_it_added_only(record: Searchable) -> None:
    one = record.tell("when?", "at nine")
    two = record.tell("when?", "at nine", "where?", "in Ulm")
    record.bring_in()
    assert (record.find("when"), record.find("nine")) == ([one], [one])
    assert (record.find("where"), record.find("ulm")) == ([two], [two])


def test_the_same_words_in_another_session_are_found_there_too(record: Searchable) -> None:
    one = record.tell("weekly report please", "here", session="monday")
    two = record.tell("weekly report please", "there", session="tuesday")
    record.bring_in()
    assert set(record.find("weekly report")) == {one, two}


def test_pages_are_bounded_and_say_where_to_go_on(record: Searchable) -> None:
    told = [record.tell(f"question {number}", "answer", session=f"s{number}") for number in range(5)]
    record.bring_in()
    first = record.page("question")
    assert [each.turn_id for each in first.hits] == [told[4], told[3]]
    assert first.next
    assert record.find("question") == told[::-1]


def test_filters_hold_for_what_is_found(record: Searchable) -> None:
    turn = record.tell("question", "answer")
    record.bring_in()
    assert record.find("question", agent="agent", model="m", kind="main") == [turn]
    for none in ({"agent": "other"}, {"kind": "side"}, {"outcome": "bad"}, {"thumb": "up"}, {"skill": "any"}):
        assert record.find("question", **none) == [], none
    assert record.find("question", outcome="unscored", skill="none") == [turn]


def test_turns_of_before_are_brought_in_a_slice_at_a_time_the_newest_first(record: Searchable) -> None:
    told = [record.tell(f"question {number}", "answer", session=f"s{number}") for number in range(5)]
    assert record.share() == 0.0
    with closing(sqlite3.connect(record.store.path)) as connection:
        connection.execute("DELETE FROM search_due")
        connection.commit()
    record.store.write(lambda db: indexing.bring_in(raw(db), lambda: True, old=2))
    assert record.find("question") == [told[4], told[3]]
    assert 0.0 < record.share() < 1.0
    assert record.bring_in(old=2) >= 2
    assert record.find("question") == told[::-1]
    assert record.share() == 1.0


def test_what_stays_of_a_forgotten_turn_is_found_by_the_turn_that_went_on(record: Searchable) -> None:
    one = record.tell("when?", "at nine")
    two = record.tell("when?", "at nine", "where?", "in Ulm")
    record.bring_in()
    record.forget(one)
    record.bring_in()
    for words in ("when", "nine", "where", "ulm"):
        assert record.find(words) == [two], words


def test_no_letter_of_what_was_forgotten_is_left_in_the_index(record: Searchable) -> None:
    rare = "ϙϛϝϟϡ"
    gone = record.tell(f"the {rare} thing", "so it is")
    record.tell("another thing", "well", session="t")
    record.bring_in()
    trigram = "ϛϝϟ".encode()
    record.purge()
    assert trigram in record.bytes()
    record.forget(gone)
    record.purge()
    assert trigram not in record.bytes()
    assert record.find("another") != []


def test_a_program_that_knows_no_index_leaves_one_that_is_made_anew(record: Searchable) -> None:
    record.tell("when?", "at nine")
    two = record.tell("where?", "in Ulm", session="t")
    record.bring_in()
    with closing(sqlite3.connect(record.store.path)) as older:
        older.execute("DELETE FROM due")
        older.execute("DELETE FROM turn WHERE id <> ?", (two,))
        older.commit()
    assert record.share() == 0.0
    record.bring_in()
    assert record.find("ulm") == [two]
    assert record.find("nine") == []


_SAID = st.sampled_from(["red apple", "blue stone", "green door", "old river", "会议 zon", "Ähre", "x"])
_TALKS = st.lists(st.lists(_SAID, min_size=2, max_size=6), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(_TALKS, st.data())
def test_what_is_stored_is_found_and_what_is_forgotten_is_not(
    talks: list[list[str]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        record = Searchable(Path(folder) / "store.sqlite3")
        try:
            told: list[str] = []
            for number, said in enumerate(talks):
                for end in range(2, len(said) // 2 * 2 + 1, 2):
                    told.append(record.tell(*said[:end], session=f"s{number % 3}"))
                    if data.draw(st.booleans()):
                        record.bring_in()
            record.bring_in()
            gone = data.draw(st.lists(st.sampled_from(told), unique=True))
            record.forget(*gone)
            if data.draw(st.booleans()):
                _agrees(record, late=True)
            record.bring_in()
            _agrees(record, late=False)
        finally:
            record.store.close()


def _agrees(record: Searchable, *, late: bool) -> None:
    """What the index finds is in what is stored; and all of that, once nothing is due."""
    stored = {
        folded(indexing.searched_text(each.body)) for each in record.all(Message) if each.role != "settings"
    }
    for words in ("red apple", "blue stone", "green door", "old river", "会议", "ahre", "x", "ston"):
        holds = any(asked(words).is_in(text) for text in stored)
        found = record.find(words)
        assert holds or not found, words
        assert late or bool(found) == holds, words


@given(st.text(max_size=60), st.text(max_size=12))
def test_marks_stand_where_the_words_are(text: str, words: str) -> None:
    wanted = asked(words)
    found = marks(text, wanted)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert found == sorted(found)
    if wanted and wanted.is_in(folded(text)):
        assert found


@given(st.text(max_size=80))
def test_each_text_is_found_by_itself_and_parts_never_run_into_each_other(text: str) -> None:
    made = folded(text)
    assert BETWEEN not in made
    assert made.startswith(" ")
    assert made.endswith(" ")
    assert "  " not in made.strip()
    assert folded(made) == made
    whole = asked(text.replace('"', " "))
    assert whole.is_in(made) or not whole
    made.encode()
