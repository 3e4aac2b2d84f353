"""A message that is itself a remark is about the request before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.learning.evidence import said_next
from metaclaw_tray.learning.trajectory import answer_of, request_of
from metaclaw_tray.store import corrections, learning, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.recorder import Recorder
from store.conversation import Client, agent, person
from support.clock import FakeClock

NOW = FakeClock().now()


class Talk:
    """One conversation: what the person says, each time answered, and what is a correction of it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        key = self.store.read(turns.node_key)
        self._client, self._recorder = Client(key), Recorder(key)
        self._messages: list[dict[str, str]] = []
        self._last = ""
        self.turns: list[str] = []
        self.exchanges: list[str] = []

    def says(self, words: str, answer: str, corrects: bool = False, score: int = -1) -> None:
        self._messages.append(person(words))
        begun = self._client.begin(list(self._messages))
        self._messages.append(agent(answer))

        def write(db: Session) -> str:
            for record in (begun, self._client.end(begun, agent(answer))):
                self._recorder.apply(db, record)
            if corrects:
                before = turns.turn(db, self.turns[-1]).turn.exchange_id or ""
                learning.add_verdict(db, self.turns[-1], before, Ruling(score, (), ""), "m", NOW)
                said = [Piece("correction", -1, "person", words)]
                learning.add_evidence(db, before, said, NOW, self.turns[-1])
            return turns.turn(db, begun.turn_id).turn.exchange_id or ""

        self.exchanges.append(self.store.write(write))
        self.turns.append(begun.turn_id)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    made = Talk(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_a_remark_on_a_remark_is_followed_back_to_what_was_asked(talk: Talk) -> None:
    talk.says("Write the heading.", "Our prices")
    talk.says("No, in capitals.", "Our Prices", corrects=True)
    talk.says("Still not right.", "OUR PRICES", corrects=True)
    talk.says("Now the next page.", "Boats")
    first, second, third, _ = talk.exchanges
    found = talk.store.read(lambda db: corrections.requests_behind(db, talk.exchanges))
    assert found == {second: first, third: first}
    told = talk.store.read(lambda db: corrections.conversation_about(db, talk.turns[1]))
    assert request_of(told.request) == "Write the heading."
    assert answer_of(told.answer) == "Our Prices"
    assert said_next(told.next_state) == "No, in capitals.\nStill not right."
    remarks = talk.store.read(lambda db: corrections.remarks_on(db, [second], found))
    assert remarks == {second: "No, in capitals.\nStill not right."}


def test_what_was_corrected_again_is_told_by_the_last_time(talk: Talk) -> None:
    talk.says("Write the heading.", "Our prices")
    talk.says("No, in capitals.", "Our Prices", corrects=True)
    talk.says("Still not right.", "OUR PRICES", corrects=True)
    talk.says("Thank you.", "You are welcome")

    def last(number: int) -> str:
        return talk.store.read(
            lambda db: corrections.last_corrected(db, turns.turn(db, talk.turns[number]).turn).id
        )

    assert [last(number) for number in range(3)] == [talk.turns[1], talk.turns[1], talk.turns[2]]


def test_a_next_task_after_an_answer_that_was_right_is_a_request_whatever_rule_it_brings(talk: Talk) -> None:
    talk.says("Write the heading.", "OUR PRICES")
    talk.says("Good. From now on use capitals. Write the next one.", "BOATS", corrects=True, score=1)
    assert talk.store.read(lambda db: corrections.requests_behind(db, talk.exchanges)) == {}
    told = talk.store.read(lambda db: corrections.conversation_about(db, talk.turns[1]))
    assert request_of(told.request).startswith("Good.")
