"""A skill is measured before it is offered, and again when the person asks, on the real runtime."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func
from sqlmodel import Session, select

from metaclaw_tray.admin import api
from metaclaw_tray.errors import KnownError
from metaclaw_tray.store.tables import Spend
from runtime.test_loop import house, teach

pytestmark = pytest.mark.timeout(240)

OWN = "---\nname: mine\ndescription: Mine. Use when writing mine.\n---\n\nDo it.\n"


def _calls(db: Session) -> int:
    return db.exec(select(func.count()).select_from(Spend)).one()


async def test_a_learnt_skill_is_measured_again_when_the_person_asks_and_the_model_nothing_twice(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as made:
        await teach(made)
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        assert row.gate is not None
        assert row.gate.outcome == "promising"
        assert "all of them invented" in row.gate.reason
        assert "evals" not in row.gate.figures
        await made.call(api.ApproveProposal(id=row.id, yes=True))
        before = made.runtime.store.read(_calls)

        found = await made.call(api.MeasureSkill(name=row.skill))
        assert (found.version, found.outcome, found.model) == (1, "promising", "scripted")
        assert (found.wins, found.losses) == (row.gate.figures["wins"], 0)
        # All this was asked before it was offered, but for whether the server tells how likely its words are.
        assert made.runtime.store.read(_calls) <= before + 1

        detail = await made.call(api.ShowSkill(row.skill))
        assert detail.measured.startswith("promising: better on")
        (exported,) = await made.call(api.ExportSkills([row.skill]))
        assert '"skill_name"' in exported.evals


async def test_a_skill_of_the_persons_own_has_nothing_to_be_measured_on(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await made.call(api.AddSkill(text=OWN, folder="mine", yes=True))
        with pytest.raises(KnownError, match="no requests that it was measured on"):
            await made.call(api.MeasureSkill(name="mine"))
        with pytest.raises(KnownError, match="nobody"):
            await made.call(api.MeasureSkill(name="nobody"))
