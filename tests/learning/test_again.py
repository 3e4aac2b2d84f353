"""A skill's evals are kept with it, and run again when its text or the model has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session, select

from learning.stand_in import StandIn
from learning.test_gate import DRAFT, NOW, SAID, Bench, grades, model, origins
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning.again import NOTICE, Again
from metaclaw_tray.learning.gate import Measured
from metaclaw_tray.learning.loop import Learner
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import claims, decisions, evals, forgetting, leaving, library, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.tables import ClaimUse, Notice
from metaclaw_tray.store.tables_learning import Measurement, SkillEval
from metaclaw_tray.store.tables_library import GateResult, Proposal, ProposalOp, SkillVersion
from support.clock import FakeClock

ME = Actor("ada", "terminal")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


async def tell(_: str) -> None: ...


async def approved(bench: Bench, text: str = DRAFT.text) -> Measured:
    """The draft, measured and approved, as it stands or as the person edited it."""
    found = await bench.measure(model())

    def write(db: Session) -> None:
        proposal = decisions.propose(
            db, op=ProposalOp.CREATE, skill="zebra", text=DRAFT.text, why="You said so", now=NOW, exchanges=[]
        )
        db.add(found.row(db, proposal, NOW))
        db.flush()
        decisions.approve(db, proposal, ME, NOW, SkillText("zebra", "Headings.", text))

    bench.store.write(write)
    return found


def again(bench: Bench) -> Again:
    return Again(bench.store, lambda: bench.settings, FakeClock())


def version(bench: Bench) -> SkillVersion:
    return bench.store.read(lambda db: library.version_of(db, "zebra"))


async def test_nothing_is_measured_again_while_nothing_has_changed(bench: Bench) -> None:
    await approved(bench)
    assert await again(bench).next_due("stand-in") is None


async def test_another_model_is_a_reason_to_measure_again_once(bench: Bench) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    near = bench.talk(None, 1)
    first = await approved(bench)
    other = StandIn()
    other.name, other.answer, other.weight = "other", model().answer, grades
    due = await again(bench).next_due("other")
    assert due is not None
    found = await again(bench).measure(other, due, tell)
    assert await again(bench).next_due("other") is None
    assert origins(found) == ["held-out", *["synthetic"] * 6, "near"]
    assert [each["exchange"] for each in found.details if each["exchange"]] == [own, near]
    assert found.outcome is first.outcome is Outcome.PROMISING
    (row,) = bench.store.read(lambda db: list(db.exec(select(Measurement))))
    assert (row.skill, row.version, row.model, row.outcome) == ("zebra", 1, "other", "promising")


async def test_a_text_that_the_person_edited_is_measured_again(bench: Bench) -> None:
    await approved(bench, DRAFT.text.replace("PEACOCK", "PARROT"))
    due = await again(bench).next_due("stand-in")
    assert due is not None
    assert "PARROT" in due.text


async def test_a_skill_that_helps_no_more_is_told_and_stays(bench: Bench) -> None:
    await approved(bench)
    better = StandIn()
    better.name, better.answer, better.weight = "better", (lambda _: "IN CAPITALS"), grades
    for _ in range(2):
        found = await again(bench).measure(better, version(bench), tell)
        assert found.outcome is Outcome.SAME
    (notice,) = bench.store.read(
        lambda db: list(db.exec(select(Notice).where(Notice.kind == NOTICE, Notice.subject == "zebra")))
    )
    assert notice.reason.startswith("it helps no more: no difference")
    assert notice.count == 1
    assert version(bench).version == 1
    standing = bench.store.read(lambda db: evals.standing(db, "zebra", 1))
    assert standing is not None
    assert (standing.outcome, standing.model) == (Outcome.SAME, "better")


async def test_a_skill_without_evals_is_not_measured(bench: Bench) -> None:
    bench.store.write(
        lambda db: decisions.add_skill(db, SkillText("zebra", "Headings.", DRAFT.text), ME, NOW)
    )
    assert await again(bench).next_due("stand-in") is None
    with pytest.raises(LearningError, match="no requests"):
        await again(bench).measure(model(), version(bench), tell)


async def test_evals_leave_in_the_form_of_the_guide_and_quote_no_exchange_of_the_persons(
    bench: Bench,
) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    await approved(bench)
    found = bench.store.read(lambda db: evals.evals_of(db, "zebra", 1))
    assert found is not None
    assert found["skill_name"] == "zebra"
    assert [each["id"] for each in found["evals"]] == [1, 2, 3, 4, 5, 6]
    assert set(found["evals"][0]) == {"id", "prompt", "expected_output", "files", "assertions"}
    assert found["evals"][0]["prompt"].startswith("Write the heading for boat")
    assert "number" not in str(found)
    assert SAID not in str(found), "what the person said stays here"
    assert all(each["assertions"] for each in found["evals"]), "they can be run all the same"
    quoting = bench.store.read(lambda db: evals.evals_of(db, "zebra", 1, quotes=True))
    assert quoting is not None
    assert SAID in quoting["evals"][0]["assertions"][0]
    assert bench.store.read(lambda db: evals.quotes_of(db, "zebra", 1)) == [SAID]
    assert bench.store.read(lambda db: evals.evals_of(db, "zebra", 2)) == found, "a later version keeps them"
    assert bench.store.read(lambda db: evals.evals_of(db, "lion", 1)) is None


async def test_an_exchange_that_was_forgotten_is_not_asked_again_and_not_shown(bench: Bench) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    await approved(bench)
    bench.store.write(
        lambda db: forgetting.forget(db, leaving.chosen(db, Which(exchange=own)), NOW, learnt=True)
    )
    (gate,) = bench.store.read(lambda db: list(db.exec(select(GateResult))))
    assert {each["origin"] for each in gate.details} == {"source", "synthetic"}
    assert "No, in capitals." not in str(gate.details)
    assert "No, in capitals." not in str(gate.figures)
    assert gate.figures["shown"] is None
    found = await again(bench).measure(model(), version(bench), tell)
    assert set(origins(found)) == {"synthetic"}


async def test_what_taught_a_skill_is_forgotten_in_its_evals_too(bench: Bench) -> None:
    taught = bench.talk(None, -1, "Capitals, please.")
    await approved(bench)

    def write(db: Session) -> None:
        (made,) = db.exec(select(Proposal))
        made.run_id = "run"
        db.add(made)
        claims.claim(db, [taught], ClaimUse.SUPPORT, "run", NOW)
        evals.adopt(db)
        db.flush()
        assert db.exec(select(SkillEval)).all()
        forgetting.forget(db, [each.id for each in turns.turns_of(db, taught)], NOW, learnt=True)

    bench.store.write(write)
    assert bench.store.read(lambda db: list(db.exec(select(SkillEval)))) == []
    assert bench.store.read(lambda db: evals.evals_of(db, "zebra", 1)) is None


def learner(bench: Bench, by: StandIn) -> Learner:
    bench.settings = Settings.model_validate(
        {"upstreams": {"up": {"base_url": "http://m.invalid/v1"}}, "learning": {"model": by.name}}
    )
    return Learner(bench.store, lambda: bench.settings, by.opened, FakeClock())


async def test_learning_measures_again_by_itself_when_nothing_else_is_due(bench: Bench) -> None:
    await approved(bench)
    other = StandIn()
    other.name, other.answer, other.weight = "other", model().answer, grades
    await learner(bench, other).work()
    asked = len(other.asked)
    assert [each.model for each in bench.store.read(lambda db: list(db.exec(select(Measurement))))] == [
        "other"
    ]
    await learner(bench, other).work()
    assert len(other.asked) == asked


async def test_what_cannot_be_measured_again_stops_nothing(bench: Bench) -> None:
    own = [bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.") for _ in range(7)]
    await approved(bench)
    bench.store.write(
        lambda db: [
            forgetting.forget(db, leaving.chosen(db, Which(exchange=each)), NOW, learnt=True) for each in own
        ]
    )
    other = StandIn()
    other.name = "other"
    told: list[str] = []

    async def listen(text: str) -> None:
        told.append(text)

    made = learner(bench, other)
    async with made.heard_by(listen):
        await made.work()
        await made.work()
    assert sum(each.startswith("not measured") for each in told) == 1
    assert other.asked == []
