"""A yes counts for what was shown, and for nothing that took its place while the person read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import Session

from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import Granted
from metaclaw_tray.errors import KnownError, UsageError
from metaclaw_tray.runtime.facade.changes import Changes
from metaclaw_tray.runtime.facade.deciding import Deciding
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor, DecisionError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState
from support.clock import FakeClock

ME = Actor("ada", "terminal")
TEXT = "---\nname: dates\ndescription: Use for dates.\n---\n\nUse ISO.\n"
OTHER = SkillText("other", "about", "---\nname: other\ndescription: about\n---\n\nx\n")


class Desk:
    """Decisions on a real store; what a person reads is kept, and something may happen while they do."""

    def __init__(self, home: Path) -> None:
        self.clock = FakeClock()
        self.store = Store.open(home / "store.sqlite3", self.clock)
        self.shown: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None
        runtime: Any = SimpleNamespace(
            store=self.store, settings=Settings(), clock=self.clock, library=SimpleNamespace(refresh=_nothing)
        )
        self.deciding, self.changes = Deciding(runtime), Changes(runtime)

    async def consent(self, action: str, text: str, *, yes: bool) -> Granted:
        self.shown.append(text)
        self.meanwhile()
        return Granted("terminal", ["bash (2)"])

    def propose(self) -> str:
        return self.store.write(
            lambda db: decisions.propose(
                db,
                op=ProposalOp.CREATE,
                skill="dates",
                text=TEXT,
                why="learnt",
                now=self.clock.now(),
                exchanges=["e1"],
            )
        )

    def state(self, proposal: str) -> str:
        return self.store.read(lambda db: library.proposal(db, proposal)).proposal.state


async def _nothing() -> None:
    pass


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.store.close()


def verbs(proposal: str) -> list[tuple[str, Any]]:
    return [
        ("approve", api.ApproveProposal(id=proposal)),
        ("edit", api.EditProposal(id=proposal, text=TEXT.replace("ISO", "ISO 8601"))),
        ("trial", api.TryProposal(id=proposal, sessions=4)),
        ("reject", api.RejectProposal(id=proposal)),
    ]


@pytest.mark.parametrize("which", range(4))
async def test_nothing_is_decided_where_the_library_changed_while_it_was_read(desk: Desk, which: int) -> None:
    proposal = desk.propose()
    desk.meanwhile = lambda: desk.store.write(lambda db: decisions.add_skill(db, OTHER, ME, desk.clock.now()))
    name, verb = verbs(proposal)[which]
    with pytest.raises(KnownError, match="changed meanwhile"):
        await getattr(desk.deciding, name)(verb, desk)
    assert desk.state(proposal) == ProposalState.PENDING
    assert [each.name for each in desk.store.read(library.skills)] == ["other"]


@pytest.mark.parametrize("which", range(4))
async def test_nothing_is_decided_twice(desk: Desk, which: int) -> None:
    proposal = desk.propose()
    desk.meanwhile = lambda: desk.store.write(
        lambda db: decisions.reject(db, proposal, ME, desk.clock.now(), "in the window")
    )
    name, verb = verbs(proposal)[which]
    with pytest.raises(KnownError, match=r"changed meanwhile|Already decided"):
        await getattr(desk.deciding, name)(verb, desk)
    assert desk.store.read(library.skills) == []


@pytest.mark.parametrize("which", range(3))
async def test_the_whole_text_is_shown_before_it_may_take_effect(desk: Desk, which: int) -> None:
    proposal = desk.propose()
    name, verb = verbs(proposal)[which]
    await getattr(desk.deciding, name)(verb, desk)
    (shown,) = desk.shown
    assert "It was learnt from what you said." in shown
    assert shown.endswith(getattr(verb, "text", TEXT))
    entry = desk.store.read(library.ledger)[0]
    assert (entry.channel, entry.ancestry) == ("terminal", ["bash (2)"])


async def test_a_trial_says_what_it_does_before_the_yes(desk: Desk) -> None:
    await desk.deciding.trial(api.TryProposal(id=desk.propose(), sessions=6), desk)  # type: ignore[arg-type]
    assert desk.shown[0].startswith("For 6 sessions that it fits, every other one has it")


@pytest.mark.parametrize("seconds", [0, -1, 91 * 86_400, 1e18])
async def test_nothing_is_snoozed_for_ever_or_not_at_all(desk: Desk, seconds: float) -> None:
    with pytest.raises(UsageError):
        await desk.deciding.snooze(api.SnoozeProposal(id=desk.propose(), seconds=seconds), desk)  # type: ignore[arg-type]


async def test_a_retirement_is_neither_edited_nor_tried(desk: Desk) -> None:
    desk.store.write(lambda db: decisions.add_skill(db, OTHER, ME, desk.clock.now()))
    proposal = desk.store.write(
        lambda db: decisions.propose(
            db, op=ProposalOp.RETIRE, skill="other", text="", why="idle", now=desk.clock.now()
        )
    )
    for name, verb in verbs(proposal)[1:3]:
        with pytest.raises(DecisionError, match="Nothing to"):
            await getattr(desk.deciding, name)(verb, desk)


@pytest.mark.parametrize("which", [0, 2, 3])
async def test_nobody_is_asked_about_what_is_decided_already(desk: Desk, which: int) -> None:
    proposal = desk.propose()
    desk.store.write(lambda db: decisions.reject(db, proposal, ME, desk.clock.now(), "no"))
    name, verb = verbs(proposal)[which]
    with pytest.raises(DecisionError, match="Already decided"):
        await getattr(desk.deciding, name)(verb, desk)
    assert desk.shown == []


async def test_nobody_is_asked_to_try_what_no_trial_is_for(desk: Desk) -> None:
    def outside(db: Session) -> str:
        now = desk.clock.now()
        return decisions.propose(db, op=ProposalOp.OUTSIDE, skill="dates", text=TEXT, why="edited", now=now)

    verb = api.TryProposal(id=desk.store.write(outside), sessions=4)
    with pytest.raises(DecisionError, match="A trial is for a learnt skill"):
        await desk.deciding.trial(verb, desk)  # type: ignore[arg-type]
    assert desk.shown == []


async def test_nobody_is_asked_about_what_is_undone_already(desk: Desk) -> None:
    changed = desk.store.write(lambda db: decisions.add_skill(db, OTHER, ME, desk.clock.now()))
    verb = api.Undo(entry=changed.ledger_id)
    await desk.changes.undo(verb, desk)  # type: ignore[arg-type]
    with pytest.raises(DecisionError, match="Already undone"):
        await desk.changes.undo(verb, desk)  # type: ignore[arg-type]
    assert len(desk.shown) == 1
