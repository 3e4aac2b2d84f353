"""What a page of skills reads: texts checked without changing anything, a skill's own ledger, folders."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.errors import NotFoundError, SkillError, UsageError
from metaclaw_tray.runtime.facade import library as listing
from metaclaw_tray.runtime.facade.reading import Reading
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import ProposalOp, SkillState
from support.clock import FakeClock

ME = Actor("ada", "terminal")


def text(name: str, body: str = "Use ISO.") -> str:
    return f"---\nname: {name}\ndescription: Use for dates.\n---\n\n{body}\n"


class Desk:
    def __init__(self, home: Path) -> None:
        self.clock = FakeClock()
        self.store = Store.open(home / "store.sqlite3", self.clock)
        runtime: Any = SimpleNamespace(
            store=self.store,
            settings=Settings(),
            clock=self.clock,
            reviewing=SimpleNamespace(settle=_nothing),
        )
        self.answers = Reading(runtime).handlers()

    async def ask(self, verb: Any) -> Any:
        return await self.answers[type(verb)](verb, None)  # type: ignore[arg-type]

    def add(self, name: str, body: str = "Use ISO.") -> str:
        self.clock.advance(1)
        source = text(name, body)
        return self.store.write(
            lambda db: review.add_text(db, source, "x", "", ME, self.clock.now())[0].ledger_id
        )

    def propose(self, body: str) -> str:
        return self.store.write(
            lambda db: decisions.propose(
                db,
                op=ProposalOp.UPDATE,
                skill="dates",
                text=text("dates", body),
                why="learnt",
                now=self.clock.now(),
            )
        )


async def _nothing() -> None:
    pass


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.store.close()


async def test_a_proposal_is_read_with_what_it_changes_and_what_a_yes_is_asked_for_with(desk: Desk) -> None:
    desk.add("dates")
    made = desk.propose("Use ISO 8601.")
    read = await desk.ask(api.ReadProposal(made))
    assert "Use ISO.\n" in read.before
    assert read.full.endswith(read.detail.text)
    assert (read.better, read.replays, read.lessons) == (None, [], [])
    with pytest.raises(NotFoundError):
        await desk.ask(api.ReadProposal("none"))


async def test_a_text_is_checked_as_adding_it_would_and_nothing_changes(desk: Desk) -> None:
    desk.add("dates")
    checked = await desk.ask(api.CheckText(text=text("dates", "Use weeks.")))
    assert (checked.title, checked.name) == ("", "dates")
    assert "Use ISO." in checked.before
    assert checked.full == text("dates", "Use weeks.")
    assert [each.version for each in desk.store.read(library.skills)] == [1]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("", "Cannot read the skill"),
        (text("dates", "Push with ghp_" + "a1B2" * 9), "The text holds a secret"),
        (text("dates", "</metaclaw-notes>"), "The skill holds the fence"),
    ],
)
async def test_what_may_not_be_kept_is_said_and_no_error(desk: Desk, source: str, title: str) -> None:
    checked = await desk.ask(api.CheckText(text=source))
    assert title in checked.title
    assert checked.full == ""


async def test_a_proposals_text_is_checked_for_that_proposal(desk: Desk) -> None:
    desk.add("dates")
    made = desk.propose("Use ISO 8601.")
    checked = await desk.ask(api.CheckText(text=text("dates", "Use weeks."), proposal=made))
    assert "Use ISO 8601." in checked.before
    assert "The text below is edited" in checked.full
    renamed = await desk.ask(api.CheckText(text=text("other"), proposal=made))
    assert renamed.title == "The skill was renamed"


async def test_a_skill_has_a_ledger_of_its_own_newest_first(desk: Desk) -> None:
    first = desk.add("dates")
    desk.add("other")
    desk.store.write(lambda db: decisions.set_state(db, "dates", SkillState.DISABLED, ME, desk.clock.now()))
    entries = await desk.ask(api.SkillLedger(name="dates"))
    assert [each.action for each in entries] == ["disable", "add"]
    assert entries[-1].id == first
    with pytest.raises(NotFoundError):
        await desk.ask(api.SkillLedger(name='no"such'))


async def test_a_folder_tells_what_it_would_bring_and_how_it_stands_to_the_library(
    desk: Desk, tmp_path: Path
) -> None:
    desk.add("dates")
    desk.add("other", "Otherwise.")
    for name in ("dates", "other", "third"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "SKILL.md").write_text(text(name))
    (tmp_path / "in" / "third" / "run.sh").write_text("#!/bin/sh\n")
    found = await desk.ask(api.LookForSkills(str(tmp_path / "in")))
    assert [(each.name, each.standing) for each in found.skills] == [
        ("dates", "same"),
        ("other", "differs"),
        ("third", "new"),
    ]
    assert found.skills[2].brought.remarks == ["1 script was left out; it is never run"]
    with pytest.raises(SkillError):
        await desk.ask(api.LookForSkills(str(tmp_path / "none")))


async def test_skills_are_written_to_a_folder_and_other_texts_there_stay(desk: Desk, tmp_path: Path) -> None:
    desk.add("dates")
    said = await desk.ask(api.WriteSkills(folder=str(tmp_path / "out"), names=["dates"]))
    assert said.text.startswith("1 of 1 skills")
    file = tmp_path / "out" / "dates" / "SKILL.md"
    assert "Use ISO." in file.read_text()
    file.write_text("mine")
    said = await desk.ask(api.WriteSkills(folder=str(tmp_path / "out")))
    assert "dates was not written" in said.text
    assert file.read_text() == "mine"
    with pytest.raises(UsageError):
        await desk.ask(api.WriteSkills(folder="out"))


def test_skills_are_listed_in_parts_and_one_by_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for name in ("a", "b", "c"):
        desk.add(name)
    desk.store.write(lambda db: decisions.set_state(db, "b", SkillState.RETIRED, ME, desk.clock.now()))

    def names(**asked: Any) -> list[str]:
        rows = desk.store.read(lambda db: listing.list_skills(db, api.ListSkills(**asked)))
        return [f"{row.name} {row.state}" for row in rows]

    assert names() == ["a active", "b retired", "c active"]
    assert names(limit=2) == ["a active", "b retired"]
    assert names(after="b", limit=2) == ["c active"]
    assert desk.store.read(lambda db: listing.show_skill(db, "c", None)).skill.generation == 3
    desk.store.close()
