"""Review over the command line, on the real runtime: a skill followed, tried, edited, undone and redone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.errors import KnownError
from metaclaw_tray.store import library, proposing
from metaclaw_tray.store.tables_library import ProposalOp
from runtime.test_loop import ASKED, House, house, teach

pytestmark = pytest.mark.timeout(180)


class Terminal:
    """Gives commands as a person would, with leave for scripts in place of typed codes."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    async def __call__(self, line: str) -> str:
        self._capsys.readouterr()
        code = await asyncio.to_thread(run, line.split())
        said = self._capsys.readouterr()
        assert code == 0, said.err
        return said.out

    async def json(self, line: str) -> Any:
        return json.loads(await self(f"{line} --json"))

    async def skills(self) -> list[dict[str, Any]]:
        """The library, but for the starter set, which is there and off."""
        return [each for each in await self.json("skills list") if each["source"] != "builtin"]


@pytest.fixture
def terminal(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path))
    return Terminal(capsys)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is late for a look-up now and then, and nothing is injected: not the matter here."""
    monkeypatch.setattr("metaclaw_tray.proxy.injection.DEADLINE", 10.0)


async def learnt(made: House, terminal: Terminal) -> dict[str, Any]:
    await teach(made)
    await terminal("learn now")
    (row,) = await terminal.json("review list")
    return row


async def carried(made: House, session: str) -> bool:
    _, headers = await made.ask(ASKED, session=session)
    return "x-metaclaw-skills" in headers


async def end(made: House, session: str) -> None:
    await made.call(api.EndSession(f"agent/{session}"))


async def test_a_skill_is_followed_from_the_first_failing_turn_to_its_effect_undone_and_redone(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        assert {
            "id",
            "op",
            "skill",
            "why",
            "evidence",
            "gate",
            "taint",
            "outcome",
            "offered_at",
            "waits",
        } <= set(row)
        name = row["skill"]
        assert "It was learnt from what you said." in await terminal(f"review show {row['id']}")
        await terminal(f"review approve {row['id']} --yes")
        await made.ask(ASKED, session="after")
        await terminal("feedback last up")

        steps = await terminal.json(f"skills trace {name}")
        kinds = list(dict.fromkeys(step["kind"] for step in steps))
        assert kinds == [
            "turn", "verdict", "claim", "run", "proposal", "gate", "decision", "generation", "exchange",
        ]  # fmt: skip
        assert steps[5]["text"].count("promising") == 1
        first = steps[0]
        failed = await terminal.json(f"turns show {first['id']}")
        assert (failed["turn"]["verdict"], failed["in_set"]) == (-1, "support")
        assert steps[-1]["text"].endswith("verdict +1")
        assert steps[-1]["id"] == (await terminal.json("turns list --session agent/after"))[0]["exchange"]

        effect = await terminal.json(f"skills effect {name}")
        assert (effect["eligible"], effect["injected"]["good"]["count"]) == (1, 1)
        assert "1 (100%" in await terminal(f"skills show {name}")

        (decision,) = [step["id"] for step in steps if step["kind"] == "decision"]
        entry = await terminal.json(f"ledger show {decision}")
        assert entry["evidence"] == row["evidence"]
        assert entry["proposal"] == row["id"]
        assert entry["entry"]["channel"] == "scripted"
        assert "+name:" in entry["diff"]

        await terminal(f"undo {decision} --yes")
        assert not await carried(made, "undone")
        undo = (await terminal.json("ledger list"))[0]["id"]
        assert (await terminal.json(f"ledger show {decision}"))["undone_by"] == undo
        await terminal(f"undo {undo} --yes")
        assert await carried(made, "redone")
        trace = await terminal(f"skills trace {name}")
        assert trace.count("undo") >= 2


async def test_a_trial_alternates_survives_a_restart_and_is_taken_back_by_itself(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        said = await terminal(f"review trial {row['id']} --sessions 4 --yes")
        assert "On trial" in said
        assert [await carried(made, session) for session in ("a", "b", "c")] == [True, False, True]
        (skill,) = await terminal.skills()
        assert skill["state"] == "trial"
        assert (await terminal.json("status"))["trials"] == [f"{row['skill']}@1: 3 of 4 sessions"]
        listed = {each["id"]: each["trials"] for each in await terminal.json("sessions list")}
        assert listed["agent/b"] == [f"{row['skill']}: without"]
        (withheld,) = await terminal.json("turns list --session agent/b")
        assert (await terminal.json(f"turns show {withheld['id']}"))["in_set"] == "withheld"
    async with house(tmp_path) as made:
        assert [await carried(made, session) for session in ("b", "d", "e")] == [False, False, False]
        for session in ("b", "d", "e"):
            await end(made, session)
        assert [each["state"] for each in await terminal.skills()] == ["retired"]
        assert (await made.call(api.GetStatus())).trials == []
        (again,) = await terminal.json("review list")
        assert (again["id"], again["state"], again["trial"]) == (row["id"], "pending", "")
        shown = await terminal(f"review show {row['id']}")
        assert "4 of 4 sessions, ended: it had its 4 sessions" in shown
        assert any(each.kind == "trial" for each in await made.call(api.ListNotices()))
        (trial,) = (await terminal.json(f"skills effect {row['skill']}"))["trials"]
        assert (trial["with_skill"]["sessions"], trial["without_skill"]["sessions"]) == (2, 2)
        await terminal(f"review approve {row['id']} --yes")
        assert await carried(made, "f")
        assert (await terminal.skills())[0]["version"] == 1


async def test_a_trial_of_an_update_compares_it_with_the_version_in_force(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        await terminal(f"review approve {row['id']} --yes")
        name = row["skill"]

        def propose(db: Db) -> str:
            text = library.version_of(db, name).text + "\n- And say which country it is.\n"
            now = made.runtime.clock.now()
            return proposing.propose(db, op=ProposalOp.UPDATE, skill=name, text=text, why="more", now=now)

        proposal = made.runtime.store.write(propose)
        await terminal(f"review trial {proposal} --sessions 4 --yes")
        found = [await standing(made, session) for session in ("a", "b", "c")]
        assert found == [f"{name}@2", f"{name}@1", f"{name}@2"]
    async with house(tmp_path) as made:
        assert await standing(made, "d") == f"{name}@1", "after a restart too"
        (trial,) = (await terminal.json(f"skills effect {name}"))["trials"]
        assert trial["against"] == 1
        assert (trial["with_skill"]["sessions"], trial["without_skill"]["sessions"]) == (2, 2)
        assert "Trial of version 2 against version 1" in await terminal(f"skills effect {name}")
        assert "every other one with version 1" in str(await made.call(api.ListGenerations()))


async def standing(made: House, session: str) -> str:
    """The skills that a first message of this session gets."""
    _, headers = await made.ask(ASKED, session=session)
    return headers.get("x-metaclaw-skills", "")


async def test_undoing_its_start_ends_a_trial(tmp_path: Path, terminal: Terminal) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        await terminal(f"review trial {row['id']} --yes")
        assert await carried(made, "a")
        await terminal(f"undo {(await terminal.json('ledger list'))[0]['id']} --yes")
        assert not await carried(made, "b")
        assert not await carried(made, "c")


async def test_what_was_edited_takes_effect_and_the_edit_is_checked_first(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        text = (await terminal.json(f"review show {row['id']}"))["text"]
        key = "ghp_" + "a1B2" * 9
        for bad, why in ((f"{text}\nPush with {key}.", "secret"), (f"{text}\n" + "word " * 400, "too long")):
            with pytest.raises(KnownError, match=why):
                await made.call(api.EditProposal(id=row["id"], text=bad, yes=True))
        file = tmp_path / "mine.md"
        file.write_text(f"{text.rstrip()}\nEven in jokes.\n", "utf-8")
        await terminal(f"review edit {row['id']} --file {file} --yes")
        assert "Even in jokes." in await terminal(f"skills show {row['skill']}")


async def test_a_stale_view_approves_nothing(tmp_path: Path, terminal: Terminal) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        seen = (await terminal.json(f"review show {row['id']}"))["digest"]
        text = "---\nname: other\ndescription: Use for others.\n---\nDo so.\n"
        await made.call(api.AddSkill(text=text, yes=True))  # the library is another one now
        for verb in (
            api.ApproveProposal(id=row["id"], seen=seen, yes=True),
            api.EditProposal(id=row["id"], text=f"{text}More.", seen=seen, yes=True),
            api.TryProposal(id=row["id"], sessions=4, seen=seen, yes=True),
        ):
            with pytest.raises(KnownError, match=r"changed meanwhile|renamed"):
                await made.call(verb)
        fresh = (await terminal.json(f"review show {row['id']}"))["digest"]
        await made.call(api.ApproveProposal(id=row["id"], seen=fresh, yes=True))


async def test_a_snoozed_proposal_is_out_of_sight_and_a_rejected_one_keeps_its_reason(
    tmp_path: Path, terminal: Terminal
) -> None:
    async with house(tmp_path) as made:
        row = await learnt(made, terminal)
        await terminal(f"review snooze {row['id']} --for 2h")
        assert await terminal.json("review list") == []
        assert "1 more wait (1: snoozed until" in await terminal("review list")
        assert (await terminal.json("status"))["pending_proposals"] == 0
        (waiting,) = await terminal.json("review list --waiting")
        assert waiting["waits"].startswith("snoozed until")
        await made.call(api.RejectProposal(id=row["id"], reason="not always", yes=True))
        actions = [(each["action"], each["channel"]) for each in await terminal.json("ledger list")]
        assert [action for action, _ in actions[:2]] == ["reject", "snooze"]
        (rejected,) = [each for each in await terminal.json("review list --all") if each["id"] == row["id"]]
        assert rejected["state"] == "rejected"


async def test_the_policy_changes_only_with_a_persons_yes(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="0") as made:
        for yes in (True, False):
            with pytest.raises(KnownError, match=r"--yes does not count here|terminal|Not done"):
                await made.call(api.SetConfig(key="review.policy", value="automatic", yes=yes))
        assert made.runtime.settings.review.policy == "ask"


async def test_with_the_policy_off_nothing_is_proposed_or_judged(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await made.call(api.SetConfig(key="review.policy", value="off", yes=True))
        (entry, *_) = await made.call(api.ListLedger())
        assert (entry.action, entry.after) == ("settings", {"review.policy": "off"})
        await teach(made)
        with pytest.raises(KnownError, match=r"review\.policy is off"):
            await made.call(api.LearnNow())
        assert (await made.call(api.ShowLearnStatus())).judged == 0
        assert await made.call(api.ListReview()) == []
