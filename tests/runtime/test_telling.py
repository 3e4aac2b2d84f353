"""What a person reads before a yes: where a rule came from first, and what was measured in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from metaclaw_tray.runtime.facade import reviewing
from metaclaw_tray.settings import Review
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import GateResult, ProposalOp
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
TEXT = "---\nname: dates\ndescription: Use for dates.\n---\n\nUse ISO.\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def gate(outcome: str, **figures: int) -> GateResult:
    return GateResult(
        proposal_id="p", passed=True, requests=9, with_skill=0.5, without_skill=-0.25, unscored=0, details=[],
        reason="", at=NOW, outcome=outcome, figures=figures,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (None, "not measured"),
        (gate("better", wins=8, losses=0, ties=1), "measured better: on 8 of 9 requests"),
        (gate("promising", wins=3, losses=1, ties=0), "promising (3 of 4 better), but too few to be sure"),
        (gate("same", wins=1, losses=1, ties=4), "no difference (1 of 6 better, 1 worse)"),
        (gate("worse", wins=1, losses=5, ties=0), "worse (on 5 of 6, better on 1)"),
        (gate(""), "passed: -0.25 without it, +0.50 with it, on 9 requests"),
    ],
)
def test_the_outcome_is_told_with_so_many_of_so_many(measured: GateResult | None, words: str) -> None:
    assert reviewing.outcome_in_words(measured).startswith(words)


@pytest.mark.parametrize(
    ("made", "first"),
    [
        ({"taint": "web"}, "Careful: a part of this came from a web page"),
        ({"taint": "tool"}, "Careful: a part of this came from what a tool said"),
        ({"taint": "mail"}, "Careful: a part of this came from elsewhere (mail)"),
        ({"op": ProposalOp.OUTSIDE}, "Careful: somebody changed the skills folder"),
        ({"exchanges": ["e1"]}, "It was learnt from what you said."),
    ],
    ids=str,
)
def test_where_it_came_from_stands_first_of_what_is_agreed_to(
    store: Store, made: dict[str, Any], first: str
) -> None:
    op = made.pop("op", ProposalOp.CREATE)
    proposal = store.write(
        lambda db: decisions.propose(db, op=op, skill="dates", text=TEXT, why="learnt", now=NOW, **made)
    )
    shown = store.read(lambda db: reviewing.in_full(db, proposal, Review(), NOW))
    assert shown.startswith(first)
    assert shown.endswith(TEXT)


def test_an_edited_text_is_shown_as_a_change_of_the_proposed_one(store: Store) -> None:
    proposal = store.write(
        lambda db: decisions.propose(
            db, op=ProposalOp.CREATE, skill="dates", text=TEXT, why="learnt", now=NOW
        )
    )
    edited = TEXT.replace("Use ISO.", "Use ISO 8601.")
    shown = store.read(lambda db: reviewing.in_full(db, proposal, Review(), NOW, edited))
    assert "-Use ISO.\n+Use ISO 8601." in shown
    assert "what was measured is another one" in shown
    assert shown.endswith(edited)


def test_the_digest_is_another_one_when_anything_of_it_changed(store: Store) -> None:
    def digest(proposal: str) -> str:
        return store.read(lambda db: reviewing.digest(db, library.proposal(db, proposal).proposal))

    who = decisions.Actor("ada", "terminal")
    proposal = store.write(
        lambda db: decisions.propose(
            db, op=ProposalOp.CREATE, skill="dates", text=TEXT, why="learnt", now=NOW
        )
    )
    first = digest(proposal)
    assert digest(proposal) == first
    store.write(
        lambda db: decisions.add_skill(db, library.SkillText("other", "about", TEXT), who, NOW)
    )  # the library is another one now
    second = digest(proposal)
    store.write(lambda db: decisions.add_skill(db, library.SkillText("dates", "about", "mine"), who, NOW))
    third = digest(proposal)
    store.write(lambda db: decisions.reject(db, proposal, who, NOW))
    assert len({first, second, third, digest(proposal)}) == 4
