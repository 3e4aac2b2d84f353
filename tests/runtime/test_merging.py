"""Mergers that are offered by themselves: what was turned down is not paid for again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from learning.stand_in import StandIn
from learning.test_merging import BOTH, SPANS, TIMES, written
from metaclaw_tray.runtime.facade.reviewing import source_in_words
from metaclaw_tray.runtime.merging import Merging
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.review import check_text
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.importing import IMPORTED, Incoming, import_skills
from support.clock import FakeClock

ME = Actor("ada", "terminal")
MEANING = {("iso-times", "times-from-now"): 0.9}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def add(store: Store, *texts: str) -> None:
    for text in texts:
        content = check_text(text, "the text").content
        store.write(lambda db, content=content: decisions.add_skill(db, content, ME, FakeClock().now()))


def merging(store: Store, model: StandIn) -> Merging:
    return Merging(store, Settings, model.opened, FakeClock(), lambda: True, lambda: MEANING)


async def test_a_merger_that_was_turned_down_is_tried_again_only_when_a_text_changes(store: Store) -> None:
    add(store, TIMES.text, SPANS.text)
    model = written(f"{BOTH}\nUpload backups to the archive server.")
    offers = merging(store, model)
    assert await offers.offer_one() == ""
    asked = len(model.asked)
    assert asked > 0
    assert await offers.offer_one() == ""
    assert len(model.asked) == asked
    add(store, SPANS.text.replace("description: ", "description: Now "))
    assert await offers.offer_one() == ""
    assert len(model.asked) > asked


async def test_a_merger_says_whose_words_it_holds(store: Store) -> None:
    add(store, TIMES.text)
    content = check_text(SPANS.text, "the text").content
    brought = [Incoming(content, "/elsewhere/times-from-now/SKILL.md")]
    store.write(lambda db: import_skills(db, brought, ME, FakeClock().now()))
    made, _ = await merging(store, written(BOTH)).merge("iso-times", "times-from-now", asked=True)
    view = store.read(lambda db: library.proposal(db, made))
    assert view.proposal.taint == IMPORTED
    assert "somebody else's words" in source_in_words(view.proposal)


async def test_a_merger_of_the_persons_own_is_from_the_library(store: Store) -> None:
    add(store, TIMES.text, SPANS.text)
    made, _ = await merging(store, written(BOTH)).merge("iso-times", "times-from-now", asked=True)
    view = store.read(lambda db: library.proposal(db, made))
    assert (view.proposal.taint, source_in_words(view.proposal)) == (
        "",
        "It was made from what is in the library already.",
    )
