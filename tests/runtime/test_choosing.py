"""A person asks why a skill was or was not in a request, and gets the true reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.errors import KnownError
from runtime.test_loop import House, house


def skill(name: str, triggers: str) -> str:
    return (
        f"---\nname: {name}\ndescription: About {name}.\nmetadata:\n  triggers: {triggers}\n---\n\nBe kind.\n"
    )


async def add(made: House, name: str, triggers: str) -> None:
    await made.call(api.AddSkill(text=skill(name, triggers), folder=name, yes=True))


async def reasons(made: House, asked: api.SearchSkills) -> dict[str, str]:
    return {hit.name: hit.outcome for hit in await made.call(asked)}


async def test_a_search_says_what_a_request_would_carry_and_why_the_others_are_not_in_it(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as made:
        await add(made, "tram-fares", "tram ticket; tram")
        await add(made, "bread", "sourdough")
        (hit,) = await made.call(api.SearchSkills("How much is the tram?"))
        assert (hit.name, hit.chosen, hit.outcome) == ("tram-fares", True, "chosen")
        assert hit.words == ["tram"]
        assert "floor" in hit.why
        everything = await reasons(made, api.SearchSkills("How much is the tram?", all=True))
        assert everything == {"tram-fares": "chosen", "bread": "nothing shared"}


async def test_a_turn_is_explained_by_its_own_words_its_library_and_what_stood_before(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as made:
        _, before = await made.ask("How much is the tram?", session="before")
        await add(made, "tram-fares", "tram ticket; tram")
        said, first = await made.ask("And the tram, how much is it?", session="after")
        assert first["x-metaclaw-skills"] == "tram-fares@1"
        _, second = await made.ask(
            "And the tram, how much is it?", said, "The tram at night too", session="after"
        )
        turns = {name: headers["x-metaclaw-turn"] for name, headers in (("1", first), ("2", second))}
        assert await reasons(made, api.SearchSkills(turn=turns["1"])) == {"tram-fares": "chosen"}
        assert await reasons(made, api.SearchSkills(turn=turns["2"])) == {"tram-fares": "on the path"}
        assert await reasons(made, api.SearchSkills(turn=before["x-metaclaw-turn"], all=True)) == {}

        await made.call(api.DisableSkill(name="tram-fares", yes=True))
        assert await reasons(made, api.SearchSkills(turn=turns["1"])) == {"tram-fares": "chosen"}
        assert await reasons(made, api.SearchSkills("the tram")) == {}


async def test_an_unknown_turn_is_said_to_be_unknown(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        with pytest.raises(KnownError, match="turn"):
            await made.call(api.SearchSkills(turn="01nothing"))
