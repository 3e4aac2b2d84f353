"""The library on its way to the hot path and to its folder, from a real store."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.paths import Paths
from metaclaw_tray.proxy.injection import NotReadyError
from metaclaw_tray.runtime.library import LibraryKeeper
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.skills import live
from metaclaw_tray.skills.markdown import Skill, read_skill
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from metaclaw_tray.store.tables_library import SkillState
from support.clock import FakeClock

ME = Actor("ada", "terminal")
NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


class House:
    """A store, its library in memory and in a folder."""

    def __init__(self, home: Path) -> None:
        self.paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
        self.paths.prepare()
        self.store = Store.open(self.paths.store_file, FakeClock())
        self.troubles = Troubles()
        self.keeper = LibraryKeeper(self.store, self.paths, FakeClock(), self.troubles)

    def add(self, name: str, about: str, body: str = "Do so.") -> None:
        text = f"---\nname: {name}\ndescription: About {about}.\n---\n\n{body}\n"
        skill = SkillText(name, f"About {about}.", text)
        self.store.write(lambda db: decisions.add_skill(db, skill, ME, NOW))

    def disable(self, name: str) -> None:
        self.store.write(lambda db: decisions.set_state(db, name, SkillState.DISABLED, ME, NOW))

    def chosen(self, query: str) -> tuple[str, ...]:
        choice = self.keeper.skills.choose(query, frozenset(), 2, 1600, time.monotonic() + 60)
        return choice.skills if choice else ()

    def file(self, name: str) -> Path:
        return self.paths.skills_dir / name / "SKILL.md"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.keeper.run())
        await self.keeper.skills.loaded(60)
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    yield made
    made.store.close()


async def test_nothing_is_decided_before_the_library_is_there(house: House) -> None:
    house.add("orchids", "watering orchids; orchids drought")
    with pytest.raises(NotReadyError):
        house.chosen("watering orchids in a drought")
    async with house.running():
        assert house.chosen("watering orchids in a drought") == ("orchids@1",)
        assert house.keeper.skills.generation == 1


async def test_an_empty_library_is_there_too(house: House) -> None:
    async with house.running():
        assert house.chosen("watering orchids in a drought") == ()


async def test_what_was_decided_is_served_and_shown_when_refresh_returns(house: House) -> None:
    house.add("orchids", "watering orchids in a drought")
    async with house.running():
        house.add("tulips", "planting tulips in november")
        await house.keeper.refresh()
        assert house.chosen("planting tulips in november") == ("tulips@1",)
        assert house.file("tulips").exists()
        assert house.file("orchids").exists()
        house.disable("orchids")
        await house.keeper.refresh()
        assert house.chosen("watering orchids in a drought") == ()
        assert not house.file("orchids").exists()
        assert house.keeper.skills.generation == 3


async def test_a_change_of_one_skill_reads_no_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str, where: str, name: str) -> Skill:
        read.append(where)
        return read_skill(text, where, name)

    monkeypatch.setattr(live, "read_skill", noted)
    house.add("orchids", "watering orchids in a drought")
    house.add("tulips", "planting tulips in november")
    async with house.running():
        assert read == ["orchids@1", "tulips@1"]
        house.add("tulips", "planting tulips in october")
        await house.keeper.refresh()
        assert read == ["orchids@1", "tulips@1", "tulips@2"]


async def test_a_skill_that_cannot_be_shown_is_trouble_until_it_changes(house: House) -> None:
    house.add("endless", "watering orchids", "word " * 900)
    async with house.running():
        assert any("endless" in each and "too long" in each for each in house.troubles.all())
        house.add("endless", "watering orchids")
        await house.keeper.refresh()
        assert not any("endless" in each for each in house.troubles.all())


async def test_a_folder_that_cannot_be_written_stops_no_skill(house: House) -> None:
    house.paths.skills_dir.rmdir()
    house.paths.skills_dir.write_text("in the way", encoding="utf-8")
    house.add("orchids", "watering orchids in a drought")
    async with house.running():
        await house.keeper.refresh()
        assert house.chosen("watering orchids in a drought") == ("orchids@1",)
        assert any("Cannot write the skills folder" in each for each in house.troubles.all())


async def test_what_is_taken_out_of_the_folder_becomes_a_proposal_and_is_not_put_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metaclaw_tray.runtime.library._LOOK_SECONDS", 0.01)
    house.add("orchids", "watering orchids in a drought")
    async with house.running():
        await house.keeper.refresh()
        house.file("orchids").unlink()
        while not (waiting := house.store.read(library.proposals)):
            await asyncio.sleep(0.01)
        assert waiting[0].proposal.skill == "orchids"
        assert not house.file("orchids").exists()
        proposal = waiting[0].proposal.id
        house.store.write(lambda db: decisions.reject(db, proposal, ME, NOW, "no"))
        await house.keeper.refresh()
        assert house.file("orchids").exists()


async def test_the_loop_goes_on_while_the_library_is_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The read waits for something that the loop does: were the loop to wait for it, neither would end."""
    let = threading.Event()
    since = library.library_since

    def slow(db: Session, generation: int) -> library.LibraryChange:
        assert let.wait(60)
        return since(db, generation)

    monkeypatch.setattr(library, "library_since", slow)
    house.add("orchids", "watering orchids in a drought")
    task = asyncio.create_task(house.keeper.run())
    await house.keeper.skills.loaded(0.01)
    with pytest.raises(NotReadyError):
        house.chosen("watering orchids in a drought")
    let.set()
    await house.keeper.skills.loaded(60)
    assert house.chosen("watering orchids in a drought") == ("orchids@1",)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
