"""Each skill can be told why it was or was not chosen, and the telling agrees with the choosing."""

from __future__ import annotations

import pytest

from metaclaw_tray.skills.explain import Account, Outcome, Reason, account
from metaclaw_tray.skills.live import LiveSkill, Snapshot, fitting_in
from metaclaw_tray.skills.retrieval import Index
from skills.labels import ENTRIES, requests

LIBRARY = Snapshot(
    3,
    Index(ENTRIES),
    {entry.name: LiveSkill(entry.name, 1, f"## {entry.name}", 40) for entry in ENTRIES},
    {"endless": "too long to inject: about 2000 tokens, and 600 is the most"},
)
NONE: frozenset[str] = frozenset()


def of(told: Account, name: str) -> Reason:
    return next(each for each in told.reasons if each.name == name)


def test_chosen_skill_names_its_words_its_score_and_the_floor() -> None:
    told = account(LIBRARY, "please make an invoice for the workshop", NONE, 2, 1600)
    reason = told.reasons[0]
    assert (reason.name, reason.outcome) == ("invoice-vat", Outcome.CHOSEN)
    assert reason.terms[0][0] == "invoice"
    assert reason.phrase
    assert f"{reason.score:.2f}" in reason.why
    assert f"{told.floor:.2f}" in reason.why


def test_every_active_skill_has_a_reason() -> None:
    told = account(LIBRARY, "please make an invoice", NONE, 2, 1600)
    assert {each.name for each in told.reasons} == {*LIBRARY.skills, "endless"}
    assert all(each.why for each in told.reasons)
    assert of(told, "bedtime-stories").outcome == Outcome.NOTHING_SHARED
    assert of(told, "endless").outcome == Outcome.NOT_SHOWN


def test_skill_below_the_floor_says_so() -> None:
    told = account(LIBRARY, "what did the users say", NONE, 2, 1600)
    assert of(told, "changelog-entries").outcome == Outcome.BELOW_FLOOR


def test_skill_on_the_path_without_slot_or_without_tokens_says_so() -> None:
    text = "plan a trip to Copenhagen with a hotel for three nights"
    on_path = account(LIBRARY, text, frozenset({"trains-first"}), 2, 1600)
    assert of(on_path, "trains-first").outcome == Outcome.ON_PATH
    full = account(LIBRARY, text, NONE, 1, 1600)
    outcomes = {of(full, name).outcome for name in ("trains-first", "hotel-criteria")}
    assert outcomes == {Outcome.CHOSEN, Outcome.NO_SLOT}
    assert of(account(LIBRARY, text, NONE, 2, 0), "trains-first").outcome == Outcome.NO_TOKENS
    assert of(account(LIBRARY, text, NONE, 0, 1600), "trains-first").outcome == Outcome.NO_SLOT


def test_outdone_skill_says_what_was_needed() -> None:
    told = account(LIBRARY, "commit message for git commit in the pull request", NONE, 2, 1600)
    low = [each for each in told.reasons if each.outcome == Outcome.OUTDONE]
    assert all(each.score >= told.floor for each in low)


def test_pasted_text_is_not_in_what_was_asked() -> None:
    told = account(LIBRARY, "go on\n```\nmake an invoice\n```", NONE, 2, 1600)
    assert told.asked.strip() == "go on"
    assert of(told, "invoice-vat").outcome == Outcome.NOTHING_SHARED


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_telling_agrees_with_the_choosing(split: str) -> None:
    for request in requests(split):
        told = account(LIBRARY, request.text, NONE, 2, 1600)
        chosen = [each.name for each in told.reasons if each.outcome == Outcome.CHOSEN]
        assert chosen == [skill.name for skill in fitting_in(LIBRARY, request.text, NONE, 2, 1600)[0]]
