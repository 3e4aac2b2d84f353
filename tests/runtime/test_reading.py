"""What a page asks of the app: a person's mistake is answered in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.errors import KnownError
from runtime.test_loop import house

pytestmark = pytest.mark.timeout(120)

TEXT = "---\nname: dates\ndescription: Use for dates.\n---\n\nWrite dates as 2026-03-01.\n"


async def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        for folder in ("~nobody-here/skills", str(tmp_path / "none"), "a\0b"):
            with pytest.raises(KnownError) as fault:
                await made.call(api.LookForSkills(path=folder))
            assert "bug" not in fault.value.title
        for folder in ("~nobody-here/skills", "skills", "/a\0b"):
            with pytest.raises(KnownError) as fault:
                await made.call(api.WriteSkills(folder=folder))
            assert "bug" not in fault.value.title


async def test_what_is_written_out_is_found_again_and_known(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await made.call(api.AddSkill(text=TEXT, yes=True))
        said = await made.call(api.WriteSkills(folder=str(tmp_path / "out")))
        assert said.text.startswith("1 of 1 skills are in")
        found = await made.call(api.LookForSkills(path=str(tmp_path / "out")))
        assert [(each.name, each.standing) for each in found.skills] == [("dates", "same")]


async def test_a_text_is_checked_as_it_would_be_stored(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        good = await made.call(api.CheckText(text=TEXT))
        assert (good.name, good.text, good.title) == ("dates", TEXT, "")
        secret = TEXT + "Use sk-ant-" + "a1B2" * 8 + "\n"
        assert (await made.call(api.CheckText(text=secret))).title == "The text holds a secret"
        assert (await made.call(api.CheckText(text="no skill"))).title
