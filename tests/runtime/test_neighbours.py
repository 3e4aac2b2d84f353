"""Skills that mean the same are found by the real embedder, whatever their language."""

from __future__ import annotations

import asyncio
from pathlib import Path

from learning.test_merging import MAILS, TIMES, skill
from metaclaw_tray.admin import api
from runtime.embedder_house import until
from runtime.test_loop import house

DUTCH = skill(
    "iso-tijden",
    "Tijden als ISO 8601. Gebruik dit wanneer een datum of een tijd wordt geschreven.",
    "hoe laat; wanneer; datum",
    "# Tijden\n\nSchrijf elk moment volgens de norm op, met de tijdzone erbij.",
)


async def test_the_same_rule_in_two_languages_is_found_once_the_embedder_has_looked(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        for each in (TIMES, MAILS):
            await made.call(api.AddSkill(text=each.text, yes=True))
        assert await made.call(api.ListDuplicates()) == []
        made.runtime.settings_file.set("embedder.enabled", True)
        await made.runtime.apply()
        assert await made.call(api.ListDuplicates()) == []
        await made.call(api.AddSkill(text=DUTCH.text, yes=True))
        found: list[api.DuplicateRow] = []

        async def looked() -> None:
            while not found:
                found.extend(await made.call(api.ListDuplicates()))
                await asyncio.sleep(0.1)

        async with asyncio.timeout(100):
            await looked()
        (row,) = found
        assert {row.keep, row.other} == {"iso-times", "iso-tijden"}
        assert row.meaning is not None
        assert row.meaning >= 0.44
        await made.call(api.RetireSkill(name="iso-tijden", yes=True))
        await until(lambda: "iso-tijden" not in made.runtime.library.skills.live.snapshot.skills)
        assert await made.call(api.ListDuplicates()) == []
