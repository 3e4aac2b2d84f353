"""Does a skill help: in words, and as an offer to retire it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from metaclaw_tray.learning.effect import (
    in_words,
    offer_retirements,
    retirement_candidates,
    verdict,
)
from metaclaw_tray.store import decisions, effects, library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.effects import Arm
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import ProposalOp
from store.met import AT, Record
from support.clock import FakeClock

ME = Actor("ada", "terminal")


def text_of(body: str) -> SkillText:
    return SkillText("dates", "about dates", f"---\nname: dates\ndescription: about\n---\n\n{body}\n")


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    store = Store.open(tmp_path / "store.sqlite3", FakeClock())
    store.write(lambda db: decisions.add_skill(db, text_of("one"), ME, AT))
    yield Record(store)
    store.close()


def arm(good: int, bad: int) -> Arm:
    return Arm(sessions=good + bad, exchanges=good + bad, good=good, bad=bad, scored=good + bad)


def test_a_difference_is_told_only_where_the_interval_allows_it() -> None:
    assert verdict(arm(9, 1), arm(1, 9)) == "It helps."
    assert verdict(arm(1, 9), arm(9, 1)) == "It does harm."
    assert verdict(arm(2, 1), arm(1, 2)) == "Which is better: too few to tell."
    assert verdict(arm(0, 0), arm(9, 1)) == "Which is better: too few to tell."
    assert verdict(arm(9, 1), arm(1, 9), against=3) == "It is better than version 3."
    assert verdict(arm(1, 9), arm(9, 1), against=3) == "It is worse than version 3."
    assert verdict(arm(2, 1), arm(1, 2), against=3) == "Which is better: too few to tell."


def test_the_effect_is_told_in_sentences(record: Record) -> None:
    for score in (1, 1, -1):
        record.exchange("dates@1", score=score)
    said = in_words(record.store.read(lambda db: effects.effect_of(db, "dates")))
    assert said[0] == "It fitted in 3 sessions: put in front in 3, withheld by a trial in 0."
    assert "of 3 judged exchanges 2 (67%, 21% to 94%) went well and 1 (33%, 6% to 79%) badly" in said[1]
    assert "100 tokens each" in said[1]


def test_a_skill_that_never_helped_is_offered_for_retirement_once(record: Record) -> None:
    ids = [record.exchange("dates@1", score=score) for score in [0, -1] * 9]
    assert record.store.read(retirement_candidates) == []
    ids += [record.exchange("dates@1", score=0) for _ in range(2)]
    found = record.store.read(retirement_candidates)
    assert [(each.skill, each.version, list(each.exchanges)) for each in found] == [("dates", 1, ids)]
    for _ in range(2):
        record.store.write(lambda db: offer_retirements(db, found, AT))
    (view,) = record.store.read(library.proposals)
    assert (view.proposal.op, view.proposal.base_version) == (ProposalOp.RETIRE, 1)
    assert "none of them went well" in view.proposal.why
    record.store.write(lambda db: decisions.reject(db, view.proposal.id, ME, AT, "I need it"))
    assert record.store.read(retirement_candidates) == []


def test_one_good_exchange_keeps_it_and_a_new_version_begins_anew(record: Record) -> None:
    for score in [-1] * 20:
        record.exchange("dates@1", score=score)
    later = AT + timedelta(hours=1)
    record.store.write(lambda db: decisions.add_skill(db, text_of("two"), ME, later))
    assert record.store.read(retirement_candidates) == []
    for score in [-1] * 19 + [1]:
        record.exchange("dates@2", score=score)
    assert record.store.read(retirement_candidates) == []
