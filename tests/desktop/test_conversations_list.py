"""The list of exchanges: pages asked for as they are wanted, whatever was scrolled away and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.looking import said
from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin.api import ExchangeRow, Exchanges, Facets, ListExchanges, ListFacets
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.conversations.listing import PAGE, Listing
from metaclaw_tray.desktop.pages.conversations.model import HEADING, ROW, ExchangeModel

NEWEST = datetime(2026, 3, 9, 12, tzinfo=UTC)


def exchange(number: int, **more: Any) -> ExchangeRow:
    """The n-th exchange, one an hour; higher numbers are newer."""
    values: dict[str, Any] = {
        "id": f"e{number:07}", "turn": f"t{number:07}", "session": "s", "agent": "claw",
        "at": NEWEST - timedelta(hours=1_000_000 - number), "asked": f"question {number}",
        "answered": "answer", "turns": 1, "model": "m", "upstream": "up", "kind": "main", "outcome": "ok",
        "score": None, "thumb": 0, "skills": [], "cost": None,
    }  # fmt: skip
    return ExchangeRow(**(values | more))


class Record:
    """A million exchanges, told by page."""

    def __init__(self, bridge: StandInBridge, count: int = 1_000_000) -> None:
        self.count = count
        self.searchable = 1.0
        self.bad_every = 0
        bridge.answers[ListExchanges] = self.page
        bridge.answers[ListFacets] = Facets(agents=["claw", "mill"], models=["m"])

    def page(self, verb: ListExchanges) -> Exchanges:
        last = int(verb.before[1:]) if verb.before else self.count + 1
        if verb.outcome == "bad":  # few fit, so most pages are empty
            numbers = [n for n in range(last - 1, max(last - 4001, 0), -1) if n % 50_000 == 0][: verb.limit]
            rest = max(last - 4000, 1)
            found = [exchange(number, score=-1) for number in numbers]
            return Exchanges(rows=found, next=f"e{rest}" if rest > 1 else "", searchable=1.0)
        numbers = list(range(last - 1, max(last - 1 - verb.limit, 0), -1))
        snippet = f"about {verb.text}" if verb.text else ""
        rows = [exchange(number, snippet=snippet) for number in numbers]
        return Exchanges(
            rows=rows,
            next=f"e{numbers[-1]}" if numbers and numbers[-1] > 1 else "",
            searchable=self.searchable,
        )


@pytest.fixture
def record(bridge: StandInBridge) -> Record:
    return Record(bridge)


@pytest.fixture
def listing(qtbot: QtBot, bridge: StandInBridge, record: Record) -> Listing:
    made = Listing(bridge)
    qtbot.addWidget(made)
    made.resize(340, 600)
    made.show()
    made.begin()
    qtbot.waitUntil(lambda: made.model.found > 0)
    return made


def pages(bridge: StandInBridge) -> list[ListExchanges]:
    return bridge.of(ListExchanges)


def test_the_first_page_is_asked_for_and_no_more_than_is_soon_wanted(
    listing: Listing, bridge: StandInBridge
) -> None:
    QTest.qWait(0)
    assert pages(bridge)[0].limit == PAGE
    assert len(pages(bridge)) <= 2
    assert listing.current is not None
    assert listing.current.id == "e1000000"


def test_scrolling_asks_for_pages_one_after_the_other_and_keeps_a_bounded_number(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    bar = listing.list.verticalScrollBar()
    for _ in range(60):
        before = listing.model.found
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda before=before: listing.model.found > before)
    assert listing.model.found > 60 * PAGE * 0.9
    keys = [each.before for each in pages(bridge)]
    assert len(keys) == len(set(keys)), "no page is asked for twice on the way down"
    assert len(listing.model._rows) <= 40


def test_what_was_let_go_is_asked_for_again_where_it_is_looked_at(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    bar = listing.list.verticalScrollBar()
    for _ in range(50):
        before = listing.model.found
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda before=before: listing.model.found > before)
    row = PAGE + 20
    missing = listing.model.index(row)
    assert listing.model.data(missing, ROW) is None
    listing.list.scrollTo(missing)
    qtbot.waitUntil(lambda: listing.model.data(missing, ROW) is not None)
    shown = listing.model.data(missing, ROW)
    assert abs(int(shown.id[1:]) - (1_000_000 - row)) < 10, "days have headings"


def test_what_is_new_comes_in_at_the_top_without_moving_what_is_read(
    qtbot: QtBot, listing: Listing, record: Record
) -> None:
    bar = listing.list.verticalScrollBar()
    bar.setValue(900)
    QTest.qWait(0)
    top = listing.list.indexAt(listing.list.viewport().rect().center())
    seen = listing.model.row(top) or listing.model.row(listing.model.index(top.row() + 1))
    assert seen is not None
    at = listing.list.visualRect(listing.model.place_of(seen.id)).top()
    record.count += 3
    listing.look_for_new()
    qtbot.waitUntil(lambda: listing.model.place_of("e1000003").isValid())
    assert listing.list.visualRect(listing.model.place_of(seen.id)).top() == at
    assert listing.current is not None
    assert listing.current.id == "e1000000"


def test_at_the_top_the_newest_is_seen_at_once(qtbot: QtBot, listing: Listing, record: Record) -> None:
    record.count += 1
    listing.look_for_new()
    qtbot.waitUntil(lambda: listing.model.place_of("e1000001").isValid())
    assert listing.list.verticalScrollBar().value() == 0
    headings = [listing.model.data(listing.model.index(at), HEADING) for at in range(4)]
    assert sum(each is not None for each in headings) == 1, "the day is said once"


def test_what_changed_is_drawn_anew(
    qtbot: QtBot, listing: Listing, record: Record, bridge: StandInBridge
) -> None:
    def judged(verb: ListExchanges) -> Exchanges:
        page = record.page(verb)
        rows = [exchange(int(row.id[1:]), score=1) for row in page.rows]
        return Exchanges(rows=rows, next=page.next, searchable=1.0)

    bridge.answers[ListExchanges] = judged
    listing.look_for_new()
    first = listing.model.first()
    qtbot.waitUntil(lambda: listing.model.data(first, ROW).score == 1)
    assert "Good" in listing.model.data(first, Qt.ItemDataRole.AccessibleTextRole)


def test_few_hits_are_looked_for_further_back_until_the_list_is_full(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    listing.filters.outcome.setCurrentIndex(listing.filters.outcome.findData("bad"))
    qtbot.waitUntil(lambda: pages(bridge)[-1].outcome == "bad")
    qtbot.waitUntil(lambda: "20 found" in said(listing), timeout=60_000)
    assert len({each.before for each in pages(bridge) if each.outcome == "bad"}) > 200
    assert listing.model.found == 20


def test_typing_searches_once_after_a_pause_and_marks_nothing_else(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    before = len(pages(bridge))
    QTest.keyClicks(listing.search, "reports")
    assert len(pages(bridge)) == before
    qtbot.waitUntil(lambda: any(each.text == "reports" for each in pages(bridge)))
    qtbot.waitUntil(lambda: listing.current is not None and bool(listing.current.snippet))
    assert {each.text for each in pages(bridge)[before:]} == {"reports"}
    assert all(listing.model.data(listing.model.index(at), HEADING) is None for at in range(9))


def test_return_in_the_search_field_searches_at_once_and_goes_into_the_list(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    listing.activateWindow()
    listing.search.setText("reports")
    QTest.keyClick(listing.search, Qt.Key.Key_Return)
    assert pages(bridge)[-1].text == "reports"
    qtbot.waitUntil(listing.list.hasFocus)


def test_a_record_that_is_being_made_ready_says_how_far_it_is(
    qtbot: QtBot, listing: Listing, record: Record
) -> None:
    record.searchable = 0.62
    listing.search.setText("reports")
    listing.begin()
    qtbot.waitUntil(lambda: "62 % searchable" in said(listing))
    record.searchable = 1.0
    listing.begin()
    qtbot.waitUntil(lambda: "searchable" not in said(listing))


def test_nothing_found_says_so_and_takes_all_filters_away(
    qtbot: QtBot, listing: Listing, record: Record, bridge: StandInBridge
) -> None:
    bridge.answers[ListExchanges] = lambda verb: (
        Exchanges(rows=[], next="", searchable=1.0) if verb.text else record.page(verb)
    )
    listing.search.setText("nothing such")
    listing.begin()
    qtbot.waitUntil(lambda: "Nothing fits these words and choices." in said(listing))
    listing.show_all()
    qtbot.waitUntil(lambda: listing.model.found > 0)
    assert listing.search.text() == ""


def test_an_answer_to_what_was_asked_before_is_not_shown(
    qtbot: QtBot, listing: Listing, bridge: StandInBridge
) -> None:
    listing.search.setText("first")
    listing.begin()
    number = len(bridge.asked)
    listing.search.setText("second")
    listing.begin()
    assert number in bridge.dropped
    qtbot.waitUntil(lambda: listing.current is not None and "second" in listing.current.snippet)


def test_no_answer_is_told(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[ListExchanges] = AWAY
    listing = Listing(bridge)
    qtbot.addWidget(listing)
    told: list[Problem] = []
    listing.failed.connect(told.append)
    listing.begin()
    qtbot.waitUntil(lambda: told == [AWAY])


def test_filters_say_what_is_asked_for(listing: Listing, qtbot: QtBot) -> None:
    filters = listing.filters
    qtbot.waitUntil(lambda: filters.agent.count() == 3)
    filters.agent.setCurrentIndex(filters.agent.findData("mill"))
    filters.skill.setCurrentIndex(filters.skill.findData("any"))
    filters.thumb.setCurrentIndex(filters.thumb.findData("down"))
    filters.kind.setCurrentIndex(filters.kind.findData("side"))
    filters.when.setCurrentIndex(filters.when.findData("-30"))
    asked = filters.asked("words")
    assert (asked.agent, asked.skill, asked.thumb, asked.kind, asked.text) == (
        "mill", "any", "down", "side", "words",
    )  # fmt: skip
    assert asked.since is None
    assert asked.until is not None
    assert asked.until.tzinfo is not None
    assert filters.count == 5
    filters.clear()
    assert filters.count == 0


def test_forgetting_takes_a_row_out_and_the_heading_of_an_empty_day(qapp: object) -> None:
    model = ExchangeModel()
    rows = [exchange(1_000_000), exchange(1_000_000 - 30)]
    assert rows[0].at.date() != rows[1].at.date()
    model.add("", rows)
    assert model.rowCount() == 4
    model.forget(rows[0].id)
    assert model.rowCount() == 2
    assert model.row(model.index(1)) == rows[1]
    model.forget("never there")
    assert model.rowCount() == 2


def test_a_row_is_read_aloud_with_how_it_went(qapp: object) -> None:
    row = exchange(1_000_000, score=-1, skills=["a@1", "b@2"])
    spoken = words.spoken(row)
    for part in ("question 1000000", "claw", "Went wrong", "2 skill"):
        assert part in spoken
    assert "You said: right" in words.spoken(exchange(1, thumb=1, score=-1))


def test_a_heading_cannot_be_chosen(qapp: object) -> None:
    model = ExchangeModel()
    model.add("", [exchange(5)])
    assert model.flags(model.index(0)) == Qt.ItemFlag.NoItemFlags
    assert model.row(model.index(0)) is None
    assert model.row(QModelIndex()) is None
