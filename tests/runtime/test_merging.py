"""Mergers that are offered by themselves: what was turned down is not paid for again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from learning.stand_in import StandIn
from learning.test_merging import BOTH, SPANS, TIMES, written
from metaclaw_tray.runtime.merging import Merging
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.review import check_text
from metaclaw_tray.store import decisions
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
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
