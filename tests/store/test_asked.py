"""What the person asked, out of the record."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from metaclaw_tray.store.asked import asked_in, asked_since
from runtime.embedder_house import House


def test_a_turn_gives_the_words_its_exchange_began_with(tmp_path: Path) -> None:

    house = House(tmp_path)
    turns = [house.say("first", "a"), house.say("second", "a"), house.say("title this", "b", kind="side")]
    asked = house.store.read(lambda db: asked_in(db, [*turns, "no such turn"]))
    assert [(each.session_id, each.words) for each in asked] == [("a", "second")]
    house.store.close()


def test_recent_requests_come_newest_first_and_each_wording_once(tmp_path: Path) -> None:

    house = House(tmp_path)
    for place, words in enumerate(("first", "second", "first")):
        house.say(words, f"s{place}")
    since = house.clock.now() - timedelta(days=1)
    found = house.store.read(lambda db: asked_since(db, since, 10))
    assert sorted(each.words for each in found) == ["first", "second"]
    assert house.store.read(lambda db: asked_since(db, house.clock.now() + timedelta(days=9), 10)) == []
    house.store.close()
