"""Figures are added up from what the journal holds, however far the run came."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.learning.figures import Agreement, Marks, Outcome, agreement, counted, figures, marks
from benchmarks.learning.journal import Journal
from benchmarks.learning.records import Answered, Calls, Judged, Learnt, Offer, Said, Taught
from benchmarks.learning.rules import RULES
from benchmarks.learning.school import replays
from benchmarks.learning.telling import told


def _answered(request: str, right: bool, *skills: str) -> Answered:
    return Answered(request, "answer", right, list(skills), 2.0, 30, 10)


def _offer(**changes: str | bool) -> Offer:
    offer = Offer("p1", "times", "create", "hours", "Write 08h15.", "pending", "better", "", [], True)
    return msgspec.structs.replace(offer, **changes)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.jsonl")


def _write(journal: Journal, folder: str, answers: list[Answered]) -> None:
    for number, each in enumerate(answers):
        journal.once(f"{folder}/{number}", Answered, lambda each=each: each)  # type: ignore[misc]


def _learnt(*offers: Offer) -> Learnt:
    return Learnt(60.0, ["a note"], [], list(offers), [Calls("judge", 3, 100, 20)], [])


def test_an_empty_journal_tells_that_there_is_nothing(journal: Journal) -> None:
    found = figures(journal, RULES)
    assert (found.rules, found.harm, found.complaints) == ([], None, [])
    assert "agreed with the code on 0 of 0" in told(found)


def test_a_rule_has_its_rates_before_with_and_withheld(journal: Journal) -> None:
    _write(journal, "before/times", [_answered("a", False), _answered("b", True)])
    journal.once("learn/times", Learnt, lambda: _learnt(_offer()))
    _write(journal, "with/times", [_answered("a", True, "hours@1"), _answered("b", True, "other@2")])
    _write(journal, "withheld/times", [_answered("a", False), _answered("b", True)])
    (rule,) = figures(journal, RULES).rules
    assert rule.before
    assert rule.with_skill
    assert rule.withheld
    assert [each.right for each in (rule.before, rule.with_skill, rule.withheld)] == [1, 2, 1]
    assert (rule.with_skill.carried, rule.with_skill.carried_right, rule.withheld.carried) == (1, 1, 0)
    assert rule.with_skill.low < 1 == rule.with_skill.high


def test_a_rule_without_a_skill_is_told_as_such_and_its_column_stays_empty(journal: Journal) -> None:
    journal.once("teach/times/0", Taught, lambda: Taught("s", [Said("t", "at 3 pm", False)], 5.0))
    _write(journal, "before/times", [_answered("a", False)])
    journal.once("learn/times", Learnt, _learnt)
    found = figures(journal, RULES)
    (rule,) = found.rules
    assert (rule.with_skill, rule.withheld, rule.offers, rule.corrections) == (None, None, [], 1)
    assert "nothing was proposed" in told(found)


def test_a_refused_proposal_is_told_with_its_text_and_reason(journal: Journal) -> None:
    journal.once("teach/times/0", Taught, lambda: Taught("s", [Said("t", "at 3 pm", False)], 5.0))
    refused = _offer(state="refused", outcome="same", reason="no difference", approved=False)
    journal.once("learn/times", Learnt, lambda: _learnt(refused))
    outcome = figures(journal, RULES)
    assert "same, refused. no difference" in told(outcome)
    assert "| Write 08h15." in told(outcome)
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome


def test_harm_is_what_was_right_before_and_is_wrong_now(journal: Journal) -> None:
    _write(journal, "before/others", [_answered(each, each != "d") for each in "abd"])
    _write(journal, "with/others", [_answered("a", True), _answered("b", False, "x@1"), _answered("d", True)])
    harm = figures(journal, RULES).harm
    assert harm
    assert harm.after
    assert (harm.before.of, harm.lost, harm.won, harm.after.carried) == (3, 1, 1, 1)
    assert harm.lost_requests == ["b"]


def test_other_kinds_that_were_not_asked_again_have_their_rate_before(journal: Journal) -> None:
    _write(journal, "before/others", [_answered("a", True)])
    found = figures(journal, RULES)
    assert found.harm
    assert found.harm.after is None
    assert "other kinds  1 of 1" in told(found)


def test_a_rule_that_was_not_learnt_yet_is_told_as_such(journal: Journal) -> None:
    _write(journal, "before/times", [_answered("a", False)])
    assert "did not come to learning it" in told(figures(journal, RULES))


def test_a_proposal_that_no_rule_taught_is_told_apart(journal: Journal) -> None:
    journal.once("learn/ordinary", Learnt, lambda: _learnt(_offer(rule="ordinary")))
    found = figures(journal, RULES)
    assert [offer.id for offer in found.strays] == ["p1"]
    assert "taught by no rule" in told(found)


def test_a_skill_in_a_session_without_skills_is_a_complaint(journal: Journal) -> None:
    journal.once("learn/times", Learnt, lambda: _learnt(_offer()))
    _write(journal, "before/times", [_answered("a", False)])
    _write(journal, "withheld/times", [_answered("a", True, "hours@1")])
    assert len(figures(journal, RULES).complaints) == 1


def test_the_judge_agrees_where_a_failure_is_wrong_and_nothing_else_is() -> None:
    judged = [
        Judged("1", False, -1, ""),
        Judged("2", True, 1, ""),
        Judged("3", True, 0, ""),
        Judged("4", False, 1, ""),
        Judged("5", True, -1, ""),
        Judged("6", True, None, ""),
    ]
    assert agreement(judged) == Agreement(3, 5, 1, 1, 1)


def _replayed(without: str, with_skill: str, mark: str, origin: str = "synthetic") -> dict[str, object]:
    answers = {"without_answer": without, "with_answer": with_skill}
    return {"origin": origin, "request": "When?", "mark": mark, **answers, "without_score": 0.1}


def test_the_gates_marks_stand_beside_the_codes() -> None:
    details = [
        _replayed("At 3 pm.", "At 15h00.", "win"),
        _replayed("At 3 pm.", "At 15h00.", "loss"),
        _replayed("At 15h00.", "At 3 pm.", "loss"),
        _replayed("At 3 pm.", "At 4 pm.", "win"),
        _replayed("At 3 pm.", "At 3 pm.", "tie"),
        _replayed("", "", "unscored"),
        _replayed("Yes.", "No.", "loss", origin="near"),
    ]
    found = replays(RULES[0], details)
    assert len(found) == 6, "what went well is no request of the rule's kind"
    assert marks(found) == Marks(agreed=3, scored=5, unscored=1, better=2, seen=1, worse=1, noticed=1)
    assert replays(None, details) == []


def test_nothing_asked_is_no_figure() -> None:
    assert counted([], None) is None
    some = counted([Answered("a", "b", True, ["x@1"], 1.0, 10, 4)], None)
    assert some
    assert (some.carried, some.input_tokens) == (1, 10.0)
