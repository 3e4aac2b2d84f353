"""A whole run through the real app with a scripted model: taught, learnt, asked for and withheld."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.learning.house import Chosen
from benchmarks.learning.options import Options
from benchmarks.learning.rules import Case, Lesson, Rule
from benchmarks.learning.run import Run
from support.processes import ScriptedLlm

RULE = "Always name the colour of the thing."


def _follows(answer: str) -> bool:
    return f"As asked: {RULE}" in answer


def _case(thing: str) -> Case:
    return Case(f"Tell me about the {thing} in the hall, which thing it is and its colour.", _follows)


@pytest.fixture
def model() -> Iterator[str]:
    scripted = ScriptedLlm()
    yield scripted.url
    scripted.stop()


def _run(folder: Path, url: str, said: list[str]) -> Run:
    lessons = (Lesson(_case("chair"), RULE),)
    rule = Rule("colours", RULE, _follows, lessons, (_case("table"), _case("lamp")))
    return Run(folder, Options([rule], 2, 2, lessons=1, ordinary=1), Chosen("scripted", url), said.append)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_taught_is_learnt_and_a_second_run_does_nothing_again(tmp_path: Path, model: str) -> None:
    said: list[str] = []
    run = _run(tmp_path, model, said)
    run.measure()
    outcome = run.outcome()
    (rule,) = outcome.rules
    assert [offer.approved for offer in rule.offers] == [True], said
    assert rule.before
    assert rule.with_skill
    assert rule.withheld
    assert [each.right for each in (rule.before, rule.with_skill, rule.withheld)] == [0, 2, 0]
    assert (rule.with_skill.carried, rule.withheld.carried) == (2, 0)
    assert outcome.harm
    assert outcome.harm.after
    assert outcome.harm.before.of == outcome.harm.after.of == 2
    assert outcome.complaints == []
    assert {each.purpose for each in outcome.calls} == {"judge", "evolver", "gate"}

    before = (tmp_path / "journal.jsonl").read_bytes()
    again = _run(tmp_path, model, [])
    again.measure()
    assert (tmp_path / "journal.jsonl").read_bytes() == before
    assert again.outcome() == outcome
