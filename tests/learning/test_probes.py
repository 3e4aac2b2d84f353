"""The person's own exchanges, asked again as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session

from metaclaw_tray.learning.probes import Origin, Probe, Remark, told, tools_of
from metaclaw_tray.store import learning, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.recorder import Recorder
from store.conversation import Client, agent, person
from support.clock import FakeClock

NOW = FakeClock().now()
FALLBACK = Remark("Capitals!", "another request", "another answer")
SYSTEM = {"role": "system", "content": "Be brief."}


class Talk:
    """One conversation, turn by turn."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        key = self.store.read(turns.node_key)
        self._client, self._recorder = Client(key), Recorder(key)

    def turn(
        self, *messages: dict[str, Any], answer: str = "an answer", score: int | None = None, **extra: Any
    ) -> str:
        """A turn with these messages; the id of its exchange."""
        begun = self._client.begin(list(messages), **extra)

        def write(db: Session) -> str:
            for record in (begun, self._client.end(begun, agent(answer))):
                self._recorder.apply(db, record)
            made = turns.turn(db, begun.turn_id).turn
            if score is not None:
                learning.add_verdict(db, made.id, made.exchange_id or "", Ruling(score, (), ""), "m", NOW)
            return made.exchange_id or ""

        return self.store.write(write)

    def probe(self, exchange: str, origin: Origin = Origin.HELD_OUT) -> Probe | None:
        return self.store.read(lambda db: told(db, exchange, origin, FALLBACK))


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    made = Talk(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def test_a_request_is_asked_with_all_that_was_said_before_it(talk: Talk) -> None:
    before = (SYSTEM, person("one"), agent("1"))
    talk.turn(SYSTEM, person("one"), answer="1")
    exchange = talk.turn(*before, person("two"))
    found = talk.probe(exchange)
    assert found is not None
    assert list(found.messages) == [*before, person("two")]
    assert (found.request, found.group, found.exchange) == ("two", exchange, exchange)


def test_it_is_graded_by_what_the_person_said_about_it_and_took_then(talk: Talk) -> None:
    exchange = talk.turn(person("heading?"), answer="Prices", score=-1)
    talk.turn(person("heading?"), agent("Prices"), person("No, in capitals."), answer="PRICES", score=1)
    found = talk.probe(exchange)
    assert found is not None
    assert found.remark == Remark("No, in capitals.", "heading?", "Prices", "PRICES")


@pytest.mark.parametrize("score", [None, 0])
def test_what_nobody_complained_about_is_graded_by_what_taught_the_skill(
    talk: Talk, score: int | None
) -> None:
    exchange = talk.turn(person("heading?"), answer="Prices", score=score)
    talk.turn(person("heading?"), agent("Prices"), person("And the footer?"))
    found = talk.probe(exchange)
    assert found is not None
    assert found.remark == FALLBACK


def test_what_went_well_is_graded_by_the_answer_that_the_person_was_content_with(talk: Talk) -> None:
    exchange = talk.turn(person("heading?"), answer="PRICES", score=1)
    talk.turn(person("heading?"), agent("PRICES"), person("Thank you!"))
    found = talk.probe(exchange, Origin.NEAR)
    assert found is not None
    assert found.remark == Remark(request="heading?", accepted="PRICES")


def test_what_cannot_be_asked_again_in_words_is_not(talk: Talk) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "what is this?"}, picture]
    assert talk.probe(talk.turn({"role": "user", "content": content})) is None
    assert talk.probe("unknown") is None


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {}}},
        {"name": "read", "description": "Reads.", "input_schema": {}},
        {"type": "function", "name": "read", "description": "Reads.", "parameters": {}},
    ],
)
def test_tools_of_each_dialect_are_told_in_one_form(tool: dict[str, Any]) -> None:
    assert tools_of({"tools": [tool, {"type": "web_search"}]}) == (
        {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {}}},
    )


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists))
def test_settings_of_any_shape_are_read(tools: Any) -> None:
    assert tools_of({"tools": tools}) == ()
