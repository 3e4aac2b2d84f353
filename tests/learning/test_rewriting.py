"""A text in place of skills in force is measured against them: as good and shorter, or not offered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlmodel import select

from learning.stand_in import StandIn
from learning.test_again import approved
from learning.test_gate import BODY, SAID, TEXT, Bench, answers, grades, model
from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.model import Asked
from metaclaw_tray.learning.rewriting import Rewrite
from metaclaw_tray.runtime.rewriting import UNMEASURED, Rewriting
from metaclaw_tray.skills.block import FENCE
from metaclaw_tray.store import claims, decisions, forgetting, leaving, library, offering
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.library import ProposalView, SkillText
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.tables import ClaimUse
from metaclaw_tray.store.tables_library import Proposal, ProposalState, SkillVersion
from support.clock import FakeClock

SHORT = TEXT.replace(BODY, "# Headings\n\nHeadings in capitals: PEACOCK.")
LONGER = TEXT.replace(BODY, f"{BODY}\n\nAnd never end one with a full stop, whatever it says.")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def current(bench: Bench, *names: str) -> tuple[SkillVersion, ...]:
    return bench.store.read(lambda db: tuple(library.version_of(db, name) for name in names or ("zebra",)))


async def propose(
    bench: Bench, by: StandIn, text: str, *, asked: bool = True, replaced: tuple[SkillVersion, ...] = ()
) -> tuple[str, str]:
    async def tell(said: str) -> None:
        bench.told.append(said)

    @asynccontextmanager
    async def opened():
        yield by

    rewrite = Rewrite("zebra", text, "Shorter.", replaced or current(bench))
    clock = FakeClock()
    clock.advance(60.0 * (1 + len(all_proposals(bench))))
    rewriting = Rewriting(bench.store, lambda: bench.settings, clock)
    return await rewriting.propose(rewrite, opened, tell, asked=asked)


def all_proposals(bench: Bench) -> list[ProposalView]:
    return bench.store.read(lambda db: library.proposals(db, list(ProposalState)))


def newest(bench: Bench) -> ProposalView:
    return max(all_proposals(bench), key=lambda each: each.proposal.created_at)


def obeys(*words: str):
    """Answers of a model that follows the block only where it holds these words."""

    def answer(asked: Asked) -> str:
        shown = str(asked.messages)
        return (
            "IN CAPITALS" if FENCE in shown and any(word in shown for word in words) else "In small letters"
        )

    return answer


async def test_as_good_at_fewer_tokens_is_offered_and_says_so(bench: Bench) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    bench.talk(None, 1)
    await approved(bench)
    by = model()
    _, said = await propose(bench, by, SHORT)
    view = newest(bench)
    assert view.gate is not None
    assert (view.proposal.state, view.gate.outcome, view.gate.passed) == ("pending", Outcome.SAME, True)
    assert "Measured against zebra@1, at about" in said
    assert "no difference: better on 0 of" in view.gate.reason
    assert "no harm on 1 other" in view.gate.reason
    assert view.gate.figures["tokens"] < view.gate.figures["tokens_before"]
    assert view.gate.figures["against"] == ["zebra@1"]
    assert {each["origin"] for each in view.gate.details} == {"held-out", "synthetic", "near"}
    assert bench.told[-1].startswith("replayed")
    assert any(each.startswith("measuring takes up to") for each in bench.told)
    shown = [str(each.messages) for each in by.asked if FENCE in str(each.messages)]
    assert all(("capital letters: like" in each) != ("Headings in capitals" in each) for each in shown)
    assert bench.store.read(lambda db: offering.offered(db, view.proposal.created_at)) == [view.proposal.id]


async def test_what_is_no_shorter_and_no_better_is_not_offered(bench: Bench) -> None:
    await approved(bench)
    with pytest.raises(SkillError, match="it is no shorter either"):
        await propose(bench, model(), LONGER)
    view = newest(bench)
    assert (view.proposal.state, view.gate and view.gate.passed) == ("refused", False)


async def test_what_is_worse_is_never_offered_and_kept_with_its_figures(bench: Bench) -> None:
    await approved(bench)
    by = model()
    by.answer = obeys("like PEACOCK")  # the short form has lost what mattered
    with pytest.raises(SkillError, match="worse: better on 0 of 3"):
        await propose(bench, by, SHORT)
    view = newest(bench)
    assert view.gate is not None
    assert (view.proposal.state, view.gate.outcome, view.gate.passed) == ("refused", Outcome.WORSE, False)


async def test_harm_on_what_went_well_counts_though_nothing_else_differs(bench: Bench) -> None:
    for _ in range(2):
        bench.talk(None, 1)
    await approved(bench)
    by = model()
    by.weight = lambda asked: (
        grades(asked) if "<remark>" in asked.messages[-1]["content"] else 0.05 + 0.9 * ("OLD" in str(asked))
    )
    by.answer = lambda asked: f"IN CAPITALS {'OLD' if 'like PEACOCK' in str(asked.messages) else 'NEW'}"
    with pytest.raises(SkillError, match="worse on 2 of 2 others that went well"):
        await propose(bench, by, SHORT)
    assert newest(bench).proposal.state == "refused"


async def test_two_in_one_are_measured_against_both_on_the_requests_of_both(bench: Bench) -> None:
    await approved(bench)
    other = SkillText("lion", "About lions.", TEXT.replace("zebra", "lion").replace("PEACOCK", "LION KING"))
    bench.store.write(
        lambda db: decisions.add_skill(db, other, decisions.Actor("ada", "terminal"), FakeClock().now())
    )
    by = model()
    await propose(bench, by, SHORT, replaced=current(bench, "zebra", "lion"))
    view = newest(bench)
    assert view.proposal.merges == ["lion"]
    assert view.gate is not None
    assert view.gate.figures["against"] == ["zebra@1", "lion@1"]
    before = [str(each.messages) for each in by.asked if "LION KING" in str(each.messages)]
    assert before
    assert all("PEACOCK" in each for each in before), "both stand in the other arm"


async def test_where_nothing_is_kept_nothing_is_asked_and_only_who_asked_gets_it(bench: Bench) -> None:
    text = SkillText("zebra", "Headings.", TEXT)
    bench.store.write(
        lambda db: decisions.add_skill(db, text, decisions.Actor("ada", "terminal"), FakeClock().now())
    )
    by = model()
    with pytest.raises(SkillError, match="It was not measured"):
        await propose(bench, by, SHORT, asked=False)
    assert newest(bench).proposal.state == "refused"
    _, said = await propose(bench, by, SHORT)
    assert said.endswith(UNMEASURED)
    view = newest(bench)
    assert (view.proposal.state, view.gate, by.asked) == ("pending", None, [])
    assert view.proposal.why.endswith(UNMEASURED)


async def test_a_skill_that_changes_while_it_is_measured_is_not_replaced(bench: Bench) -> None:
    await approved(bench)
    by = model()

    def change(asked: Asked) -> str:
        content = SkillText("zebra", "Headings.", TEXT.replace("PEACOCK", "PELICAN"))
        if current(bench)[0].version == 1:
            who = decisions.Actor("ada", "terminal")
            bench.store.write(lambda db: decisions.add_skill(db, content, who, FakeClock().now()))
        return answers(asked)

    by.answer = change
    with pytest.raises(SkillError, match="stands otherwise now"):
        await propose(bench, by, SHORT)


async def test_what_taught_the_skill_is_forgotten_in_its_short_form_too(bench: Bench) -> None:
    taught = bench.talk(None, -1, "Capitals, please.")
    await approved(bench)

    def claim(db) -> None:
        (made,) = db.exec(select(Proposal))
        claims.claim(db, [taught], ClaimUse.SUPPORT, "run", FakeClock().now())
        made.exchanges, made.run_id = [taught], "run"
        db.add(made)

    bench.store.write(claim)
    await propose(bench, model(), SHORT)
    view = newest(bench)
    assert view.proposal.exchanges == [taught]
    assert SAID in str(view.gate and view.gate.details)
    bench.store.write(
        lambda db: forgetting.forget(
            db, leaving.chosen(db, Which(exchange=taught)), FakeClock().now(), learnt=True
        )
    )
    view = bench.store.read(lambda db: library.proposal(db, view.proposal.id))
    assert (view.proposal.text, view.proposal.state) == ("", "refused")
    assert view.gate is not None
    assert SAID not in str([view.gate.details, view.gate.figures])
