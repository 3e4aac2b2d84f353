"""Tending the library over the command line, on the real runtime."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from learning.test_merging import DATES, MAILS, TIMES
from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import ConsentError, Granted
from metaclaw_tray.admin.peer import Origin
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import KnownError
from metaclaw_tray.runtime.facade import handlers
from metaclaw_tray.skills.builtin import builtin_skills
from runtime.test_loop import House, house
from runtime.test_review_by_command import Terminal, patience, terminal

pytestmark = pytest.mark.timeout(180)
__all__ = ["patience", "terminal"]  # fixtures

ASKED = "What time is the deadline?"


async def add(made: House, *texts: str) -> None:
    for text in texts:
        await made.call(api.AddSkill(text=text, yes=True))


async def registered(made: House) -> None:
    async with asyncio.timeout(60):
        while len(await made.call(api.ListSkills())) < len(builtin_skills()):
            await asyncio.sleep(0.01)


async def carried(made: House, session: str) -> str:
    _, headers = await made.ask(ASKED, session=session)
    return headers.get("x-metaclaw-skills", "")


async def last_entry(made: House) -> str:
    return (await made.call(api.ListLedger()))[0].id


def other_skills(folder: Path, *texts: str) -> Path:
    for place, text in enumerate(texts):
        (folder / str(place)).mkdir(parents=True)
        (folder / str(place) / "SKILL.md").write_text(text, "utf-8")
    return folder


async def test_the_starter_set_is_listed_off_and_one_of_it_is_turned_on(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        await registered(made)
        said = await terminal("skills list")
        assert "12 built-in skills are off. `metaclaw-tray skills enable NAME`" in said
        assert (await made.call(api.GetStatus())).generation == 0
        await terminal("skills enable clear-commits --yes")
        (on,) = [row for row in await made.call(api.ListSkills()) if row.state == "active"]
        assert (on.name, on.source, on.generation) == ("clear-commits", "builtin", 1)
    async with house(tmp_path) as made:  # and once it is started again nothing is registered anew
        await registered(made)
        assert {row.version for row in await made.call(api.ListSkills())} == {1}
        actions = [row.action for row in await made.call(api.ListLedger())]
        assert [each for each in actions if each not in ("settings", "secret")] == ["enable", "register"]


async def test_skills_of_other_programs_are_brought_in_with_one_yes_and_taken_back_as_one(
    tmp_path: Path, terminal: Terminal
) -> None:
    there = other_skills(tmp_path / "claude", TIMES.text, MAILS.text)
    (there / "0/scripts").mkdir()
    (there / "0/scripts/run.sh").write_text("exit 1", "utf-8")
    async with house(tmp_path) as made:
        said = await terminal(f"skills import {there} --all --yes")
        assert "Imported: 2 skills. The library is generation 1." in said
        rows = {row["name"]: row for row in await terminal.skills()}
        assert {(row["state"], row["source"], row["trust"]) for row in rows.values()} == {
            ("active", "imported", "reviewed")
        }
        assert rows["iso-times"]["origin"] == str(there / "0/SKILL.md")
        assert await carried(made, "a") == "iso-times@1"
        entry = await last_entry(made)
        assert "iso-times: nothing changed" in await terminal(f"skills import {there} iso-times --yes")

        changed = TIMES.text.replace("with the zone", "without a zone")
        (there / "0/SKILL.md").write_text(changed, "utf-8")
        assert "this one waits for you" in await terminal(f"skills import {there} iso-times --yes")
        (waiting,) = await terminal.json("review list")
        assert (waiting["skill"], waiting["taint"]) == ("iso-times", "import")
        assert "somebody else's words" in await terminal(f"review show {waiting['id']}")
        await terminal(f"review approve {waiting['id']} --yes")
        assert await carried(made, "b") == "iso-times@2"

        assert "iso-times afterwards" not in await terminal(f"undo {entry} --yes")
        assert {row["state"] for row in await terminal.skills()} == {"retired"}


async def test_many_skills_are_brought_in_by_one_entry_and_taken_back_by_one(
    tmp_path: Path, terminal: Terminal
) -> None:
    texts = [
        f"---\nname: note-{number}\ndescription: Use for n{number}.\n---\n\nWrite n{number} down.\n"
        for number in range(120)
    ]
    there = other_skills(tmp_path / "claude", *texts)
    async with house(tmp_path) as made:
        said = await terminal(f"skills import {there} --all --yes")
        assert "Imported: 120 skills. The library is generation 1." in said
        await terminal(f"undo {await last_entry(made)} --yes")
        assert {row["state"] for row in await terminal.skills()} == {"retired"}


async def test_an_import_shows_each_text_and_what_was_left_out_before_the_yes(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        await add(made, MAILS.text)
        shown = await asked(
            made,
            api.ImportSkills(
                skills=[
                    api.BroughtSkill(
                        text=TIMES.text, origin="/x/SKILL.md", remarks=["1 script was left out"]
                    ),
                    api.BroughtSkill(text=DATES.text, origin="/y/SKILL.md"),
                    api.BroughtSkill(text=MAILS.text, origin="/z/SKILL.md"),
                ]
            ),
        )
        assert TIMES.text in shown
        assert DATES.text in shown
        assert "note: 1 script was left out" in shown
        assert "polite-mail: the library has it, word for word." in shown
        assert len(await terminal.skills()) == 1


class Reader:
    """A person who reads what they are shown, and says no."""

    place = ""

    def __init__(self) -> None:
        self.read = ""
        self.peer = self

    async def origin(self) -> Origin:
        return Origin(None, [])

    async def consent(self, action: str, text: str, *, yes: bool) -> Granted:
        self.read = text
        raise ConsentError("Not done", action, "")


async def asked(made: House, verb: api.Verb[api.Said]) -> str:
    """What a person would read before their yes."""
    reader = Reader()
    with pytest.raises(ConsentError):
        await handlers(made.runtime)[type(verb)](verb, cast(Call, reader))
    return reader.read


async def test_a_skill_for_one_agent_is_in_no_other_ones_requests(tmp_path: Path, terminal: Terminal) -> None:
    async with house(tmp_path) as made:
        await add(made, TIMES.text)
        other = (await made.call(api.AddAgent("hermes"))).base_url
        said = await terminal("skills scope iso-times --agent hermes --yes")
        assert "It is for hermes only: iso-times@1. The library is generation 2." in said
        assert await carried(made, "a") == ""
        hits = await terminal.json("skills search deadline --agent agent")
        assert [(hit["chosen"], hit["why"]) for hit in hits] == [(False, "is for hermes only")]
        (turn, *_) = await made.call(api.ListTurns())
        (hit, *_) = await terminal.json(f"skills search --turn {turn.id}")
        assert hit["outcome"] == "not for this agent"
        made.base_url, own = other, made.base_url
        assert await carried(made, "b") == "iso-times@1"
        made.base_url = own
        (generation, *_) = await made.call(api.ListGenerations())
        assert generation.why == "scope iso-times@1: for hermes only, its text stays"
        await terminal(f"undo {await last_entry(made)} --yes")
        assert await carried(made, "c") == "iso-times@1"
        with pytest.raises(KnownError, match="No such agent"):
            await made.call(api.ScopeSkill(name="iso-times", agents=["nobody"], yes=True))


async def test_two_that_say_the_same_are_found_merged_and_taken_apart_again(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        await add(made, TIMES.text, DATES.text, MAILS.text)
        (row,) = await terminal.json("skills duplicates")
        assert (row["keep"], row["other"], row["proposal"]) == ("iso-times", "dates-with-zone", "")
        made.runtime.settings_file.set("learning.enabled", False)
        assert await made.runtime.merging.offer_one() == ""
        made.runtime.settings_file.set("learning.enabled", True)
        assert await made.runtime.merging.offer_one() == "", "nothing is kept that it could be measured on"
        (row,) = await terminal.json("skills duplicates")
        assert (row["proposal"] != "", row["state"]) == (True, "refused")
        assert await made.runtime.merging.offer_one() == "", "and each pair is tried once"
        said = await terminal("skills merge iso-times dates-with-zone")
        assert "It was not measured: no request of its kind is kept" in said
        (waiting,) = await terminal.json("review list")
        proposal = waiting["id"]
        detail = await made.call(api.ShowProposal(proposal))
        assert detail.merges == ["dates-with-zone"]
        await terminal(f"review approve {proposal} --yes")
        states = {each["name"]: each["state"] for each in await terminal.skills()}
        assert states == {"iso-times": "active", "dates-with-zone": "retired", "polite-mail": "active"}
        (generation, *_) = await made.call(api.ListGenerations())
        assert generation.generation == 4
        await terminal(f"undo {await last_entry(made)} --yes")
        assert {each["state"] for each in await terminal.skills()} == {"active"}
        (row,) = await terminal.json("skills duplicates")
        assert (row["proposal"], row["state"]) == (proposal, "approved")
        trace = await terminal("skills trace dates-with-zone")
        assert "approve iso-times, with dates-with-zone@1" in trace


async def test_the_library_returns_to_a_generation_and_the_return_is_undone(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        await add(made, TIMES.text, MAILS.text, TIMES.text.replace("with the zone", "without a zone"))
        shown = await asked(made, api.ReturnToGeneration(generation=1))
        assert "goes:    polite-mail@1" in shown
        assert "changes: iso-times@2 → @1" in shown
        assert TIMES.text in shown
        said = await terminal("generations return 1 --yes")
        assert "Returned: generation 1. The library is generation 4." in said
        assert (await made.call(api.ShowGeneration(4))).skills == ["iso-times@1"]
        assert await carried(made, "a") == "iso-times@1"
        ledger = await terminal("ledger list")
        assert "iso-times: active @2 → active @1" in ledger
        assert "-Write every time and date as ISO 8601, without a zone." in await terminal(
            f"ledger show {await last_entry(made)}"
        )
        await terminal(f"undo {await last_entry(made)} --yes")
        assert (await made.call(api.ShowGeneration(5))).skills == ["iso-times@2", "polite-mail@1"]
        diff = await terminal("skills diff iso-times 1 2 --side")
        assert "iso-times@2" in diff.splitlines()[0]
        assert " | " in diff


async def test_a_skill_too_long_to_inject_says_so_and_gets_a_short_form(
    tmp_path: Path, terminal: Terminal
) -> None:
    rule = "Say something else about this."  # what the scripted model writes
    long = f"{TIMES.text}\n\n{rule} " + "We came to this after years of meetings and much talk. " * 90
    async with house(tmp_path) as made:
        await add(made, long, MAILS.text)
        assert "for a short form: `metaclaw-tray skills condense iso-times`" in await terminal("skills list")
        assert "too long to inject" in await terminal("skills show iso-times")
        assert await carried(made, "a") == ""
        said = await terminal("skills condense iso-times")
        assert "It was not measured: no request of its kind is kept" in said
        (waiting,) = await terminal.json("review list")
        assert (waiting["op"], waiting["skill"], waiting["evidence"]) == ("update", "iso-times", [])
        assert "It was made from what is in the library already." in await terminal(
            f"review show {waiting['id']}"
        )
        await terminal(f"review approve {waiting['id']} --yes")
        assert await carried(made, "b") == "iso-times@2"
        assert "too long" not in await terminal("skills list")
        with pytest.raises(KnownError, match="no more than 200 tokens as it is"):
            await made.call(api.CondenseSkill("polite-mail"))


async def test_a_short_form_with_a_rule_of_its_own_changes_nothing(tmp_path: Path) -> None:
    long = f"{TIMES.text}\n\n" + "We came to this after years of meetings and much talk. " * 90
    async with house(tmp_path) as made:
        await add(made, long)
        with pytest.raises(KnownError, match="the skill does not say “Say something else about this”"):
            await made.call(api.CondenseSkill("iso-times"))
        assert await made.call(api.ListReview(waiting=True)) == []


async def test_a_person_has_two_put_together_that_were_never_offered(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        await add(made, TIMES.text, DATES.text)
        said = await terminal("skills merge dates-with-zone iso-times")
        assert "Nothing changes until you approve it" in said
        (waiting,) = await terminal.json("review list")
        shown = await terminal(f"review show {waiting['id']}")
        assert "iso-times" in shown
        await add(made, TIMES.text.replace("with the zone", "without a zone"))
        with pytest.raises(KnownError, match="“iso-times”, which would be merged into “dates-with-zone”"):
            await made.call(api.ApproveProposal(id=waiting["id"], yes=True))
        with pytest.raises(KnownError, match="is one skill"):
            await made.call(api.MergeSkills("iso-times", "iso-times"))
