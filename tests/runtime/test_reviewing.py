"""What happens to proposals without a person: what the policy may approve, and what it never does."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from metaclaw_tray.runtime.reviewing import Reviewing
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.settings import Review, Settings
from metaclaw_tray.store import decisions, library, offering, trials, turns
from metaclaw_tray.store.decisions import Actor, SkillTrust
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import GateResult, ProposalOp, ProposalState, SkillState
from store.met import AT, Record
from support.clock import FakeClock

ME = Actor("ada", "terminal")


def text_of(name: str, body: str) -> SkillText:
    about = f"Use for {name}."
    return SkillText(name, about, f"---\nname: {name}\ndescription: {about}\n---\n\n{body}\n")


class House:
    """A store and what keeps its proposals moving."""

    def __init__(self, home: Path) -> None:
        self.clock = FakeClock(AT + timedelta(hours=1))
        self.store = Store.open(home / "store.sqlite3", self.clock)
        self.settings = Settings()
        self.changes = 0
        self.troubles = Troubles()
        self.reviewing = Reviewing(self.store, lambda: self.settings, self.clock, self.changed, self.troubles)

    async def changed(self) -> None:
        self.changes += 1

    def policy(self, name: str, *, agreed: bool = True) -> None:
        self.settings = Settings(review=Review.model_validate({"policy": name}))
        self.clock.advance(1)  # in one instant the ledger has no order
        if agreed:
            now, after = self.clock.now(), {"review.policy": name}
            self.store.write(
                lambda db: decisions.record(db, "settings", "review.policy", ME, now, after=after)
            )

    def add(self, name: str, trust: SkillTrust = SkillTrust.TRUSTED) -> None:
        self.store.write(lambda db: decisions.add_skill(db, text_of(name, "old"), ME, AT, trust=trust))

    def propose(self, name: str, body: str = "new", **other: Any) -> str:
        op, outcome = other.pop("op", ProposalOp.UPDATE), other.pop("outcome", "better")
        text = "" if op == ProposalOp.RETIRE else text_of(name, body).text

        def work(db) -> str:
            made = decisions.propose(db, op=op, skill=name, text=text, why="learnt", now=AT, **other)
            db.add(
                GateResult(
                    proposal_id=made, passed=True, requests=8, with_skill=1, without_skill=0, unscored=0,
                    details=[], reason="", at=AT, outcome=outcome,
                )
            )  # fmt: skip
            return made

        return self.store.write(work)

    def state(self, proposal: str) -> str:
        return self.store.read(lambda db: library.proposal(db, proposal)).proposal.state

    def live(self) -> dict[str, str]:
        return {each.name: each.text for each in self.store.read(library.active_library)[1]}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    yield made
    made.store.close()


async def test_an_update_of_a_trusted_skill_that_was_measured_better_needs_no_yes(house: House) -> None:
    house.policy("automatic")
    house.add("dates")
    proposal = house.propose("dates")
    await house.reviewing.settle()
    assert house.live() == {"dates": text_of("dates", "new").text}
    assert house.state(proposal) == ProposalState.APPROVED
    assert house.changes == 1
    (entry,) = [each for each in house.store.read(library.ledger) if each.action == "approve"]
    assert (entry.action, entry.actor, entry.channel) == ("approve", "policy", "automatic")
    assert entry.after["proposal"] == proposal
    (notice,) = house.store.read(turns.notices)
    assert notice.kind == "automatic"
    assert f"undo {entry.id}" in notice.reason
    house.store.write(lambda db: decisions.undo(db, entry.id, ME, AT))
    assert house.live() == {"dates": text_of("dates", "old").text}
    await house.reviewing.settle()
    assert house.live() == {"dates": text_of("dates", "old").text}


@pytest.mark.parametrize(
    "made",
    [
        {"outcome": "promising"},
        {"outcome": ""},
        {"taint": "web"},
        {"taint": "tool"},
        {"merges": ["times"]},
        {"op": ProposalOp.RETIRE},
        {"op": ProposalOp.OUTSIDE},
    ],
    ids=str,
)
async def test_the_policy_approves_nothing_else(house: House, made: dict[str, Any]) -> None:
    house.policy("automatic")
    house.add("dates")
    house.add("times")
    before = house.live()
    proposal = house.propose("dates", **made)
    await house.reviewing.settle()
    assert house.live() == before
    assert house.state(proposal) == ProposalState.PENDING


async def test_the_policy_makes_no_new_skill_and_touches_none_that_is_not_trusted(house: House) -> None:
    house.policy("automatic")
    house.add("learnt", SkillTrust.REVIEWED)
    house.add("off")
    house.store.write(lambda db: decisions.set_state(db, "off", SkillState.DISABLED, ME, AT))
    made = [
        house.propose("new", op=ProposalOp.CREATE),
        house.propose("learnt", "another body"),
        house.propose("off", "a third body"),
    ]
    await house.reviewing.settle()
    assert [house.state(each) for each in made] == [ProposalState.PENDING] * 3
    house.store.write(lambda db: decisions.set_trust(db, "learnt", SkillTrust.TRUSTED, ME, AT))
    await house.reviewing.settle()
    assert house.state(made[1]) == ProposalState.APPROVED


async def test_what_cannot_become_a_skill_waits_for_the_person_under_any_policy(house: House) -> None:
    house.policy("automatic")
    house.add("dates")
    proposal = house.propose("dates", "word " * 400)
    await house.reviewing.settle()
    assert house.state(proposal) == ProposalState.PENDING


async def test_a_policy_that_was_written_into_the_file_by_nobody_knows_whom_does_not_count(
    house: House,
) -> None:
    house.policy("automatic", agreed=False)
    house.add("dates")
    proposal = house.propose("dates")
    await house.reviewing.settle()
    assert house.state(proposal) == ProposalState.PENDING
    assert any("nobody agreed to that" in each for each in house.troubles.all())
    house.policy("automatic")
    await house.reviewing.settle()
    assert house.state(proposal) == ProposalState.APPROVED
    assert house.troubles.all() == []
    house.policy("ask")
    house.policy("automatic", agreed=False)
    again = house.propose("dates", "newer still")
    await house.reviewing.settle()
    assert house.state(again) == ProposalState.PENDING


async def test_who_takes_automatic_out_of_the_file_has_to_agree_to_it_anew(house: House) -> None:
    house.policy("automatic")
    await house.reviewing.settle()
    house.policy("ask", agreed=False)
    await house.reviewing.settle()
    house.policy("automatic", agreed=False)
    house.add("dates")
    proposal = house.propose("dates")
    await house.reviewing.settle()
    assert house.state(proposal) == ProposalState.PENDING
    assert any("nobody agreed to that" in each for each in house.troubles.all())


async def test_by_default_everything_waits_for_a_yes(house: House) -> None:
    house.add("dates")
    proposal = house.propose("dates")
    await house.reviewing.settle()
    assert house.state(proposal) == ProposalState.PENDING
    assert house.changes == 0


async def test_a_trial_that_ended_while_the_app_was_away_is_taken_back_at_its_next_look(house: House) -> None:
    proposal = house.propose("dates", op=ProposalOp.CREATE)
    content = text_of("dates", "new")
    trial, _ = house.store.write(lambda db: trials.start(db, proposal, 1, ME, AT, content))
    Record(house.store).exchange("dates@1", trial=trial.id, arm="with", over=False)
    await house.reviewing.settle()
    assert house.live() == {}
    assert house.changes == 1
    (notice,) = house.store.read(turns.notices)
    assert (notice.kind, notice.subject) == ("trial", proposal)
    await house.reviewing.settle()
    assert house.changes == 1


async def test_a_skill_that_never_helped_is_put_before_the_person_for_retirement(house: House) -> None:
    house.add("dates")
    record = Record(house.store)
    for _ in range(20):
        record.exchange("dates@1", score=-1)
    task = asyncio.create_task(house.reviewing.run())
    while not (waiting := house.store.read(library.proposals)):
        await asyncio.sleep(0.01)
    while not house.store.read(lambda db: offering.offered(db, house.clock.now())):
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    made = waiting[0].proposal
    assert (made.op, made.skill, len(made.exchanges)) == (ProposalOp.RETIRE, "dates", 20)
    assert house.live() == {"dates": text_of("dates", "old").text}


async def test_a_look_at_nothing_writes_nothing(house: House) -> None:
    await house.reviewing.settle()  # the connections are open now
    with closing(sqlite3.connect(house.store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # whoever writes has to wait for this
        async with asyncio.timeout(10):
            await house.reviewing.settle()
