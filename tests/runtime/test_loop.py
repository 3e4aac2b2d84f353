"""The whole loop on the real runtime: proxy, scribe, store, learning, consent, library; a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.server import AdminServer
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import Runtime, open_runtime
from metaclaw_tray.runtime.facade import handlers
from metaclaw_tray.settings import SettingsFile, Upstream
from support.scripted_llm import serving

pytestmark = pytest.mark.timeout(120)

ASKED = "Which amounts of money, by currency code, does the tram cost?"
RULE = "Always write amounts of money with the currency code."


class House:
    """A running app, an agent of it, and the commands."""

    def __init__(self, runtime: Runtime, paths: Paths) -> None:
        self.runtime = runtime
        self._commands = AdminClient(paths)
        self._http = httpx.AsyncClient(trust_env=False, timeout=30)
        self.base_url = ""

    async def call(self, verb: api.Verb[Any]) -> Any:
        return await asyncio.to_thread(self._commands.call, verb)

    async def skills(self) -> list[api.SkillRow]:
        """The library, but for the starter set, which is there and off."""
        return [each for each in await self.call(api.ListSkills()) if each.source != "builtin"]

    async def ask(self, *said: str, session: str = "s1") -> tuple[str, httpx.Headers]:
        """One request: the person's and the agent's words in turn."""
        roles = ("user", "assistant")
        messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
        answer = await self._http.post(
            f"{self.base_url}/chat/completions",
            json={"model": "scripted", "messages": messages},
            headers={"X-Session-Id": session},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["choices"][0]["message"]["content"], answer.headers

    async def aclose(self) -> None:
        await self._http.aclose()


@asynccontextmanager
async def house(home: Path, *, scripted: str = "1", configure: bool = True) -> AsyncIterator[House]:
    paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
    paths.prepare()
    async with serving() as url:
        settings = SettingsFile(paths.config_file)
        settings.set("secrets.backend", "file")
        settings.put_upstream("model", Upstream(base_url=f"{url}/v1"), default=True)
        if configure:
            settings.set("learning.upstream", "model")
            settings.set("learning.model", "scripted")
        with Instance.hold(paths) as instance:
            async with open_runtime(paths, {SCRIPTED_VARIABLE: scripted}) as runtime, runtime.serving(0):
                admin = AdminServer(instance, handlers(runtime), allow_scripted=runtime.allow_scripted)
                async with admin:
                    made = House(runtime, paths)
                    if "agent" not in runtime.settings.agents:
                        made.base_url = (await made.call(api.AddAgent("agent"))).base_url
                    else:
                        made.base_url = (await made.call(api.RotateAgent("agent"))).base_url
                    try:
                        yield made
                    finally:
                        await made.aclose()


async def teach(made: House, session: str = "s1") -> str:
    """A conversation that goes wrong and is put right; gives the exchange that went wrong."""
    first, headers = await made.ask(ASKED, session=session)
    second, _ = await made.ask(ASKED, first, f"No. {RULE}", session=session)
    await made.ask(ASKED, first, f"No. {RULE}", second, "Thank you.", session=session)
    rows = await made.call(api.ListTurns())
    return next(row.exchange for row in rows if row.id == headers["x-metaclaw-turn"])


async def test_a_correction_becomes_a_skill_that_is_approved_used_followed_and_undone(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        exchange = await teach(made)
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        assert row.gate is not None
        assert row.gate.with_skill > row.gate.without_skill
        assert row.evidence == [exchange]

        shown = await made.call(api.ShowProposal(row.id))
        assert RULE in json.dumps(shown.exchanges)
        turns = await made.call(api.ListTurns())
        assert {turn.claim for turn in turns if turn.exchange == exchange} == {"support"}
        _, before = await made.ask(ASKED, session="before")
        assert "x-metaclaw-skills" not in before

        said = await made.call(api.ApproveProposal(id=row.id, yes=True))
        assert "generation 1" in said.text
        answer, after = await made.ask(ASKED, session="after")
        assert after["x-metaclaw-skills"] == f"{row.skill}@1"
        assert after["x-metaclaw-generation"] == "1"
        assert RULE.rstrip(".") in answer
        assert (tmp_path / "skills" / row.skill / "SKILL.md").read_text() == shown.text

        (generation,) = [each for each in await made.call(api.ListGenerations()) if each.generation == 1]
        assert row.skill in generation.why
        detail = await made.call(api.ShowGeneration(1))
        assert detail.skills == [f"{row.skill}@1"]
        (first, *_) = await made.call(api.ListGenerations(limit=10))
        assert first.generation == 1

        await made.call(api.Undo(entry=detail.entry.id, yes=True))
        _, undone = await made.ask(ASKED, session="undone")
        assert "x-metaclaw-skills" not in undone
        assert undone["x-metaclaw-generation"] == "2"
        assert not (tmp_path / "skills" / row.skill).exists()


async def test_what_stood_in_a_conversation_stands_there_after_a_restart_and_an_undo(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await teach(made)
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        await made.call(api.ApproveProposal(id=row.id, yes=True))
        answer, _ = await made.ask(ASKED, session="long")
        (entry, *_) = await made.call(api.ListLedger())
        await made.call(api.Undo(entry=entry.id, yes=True))
        _, headers = await made.ask(ASKED, answer, "And a day ticket?", session="long")
        assert headers["x-metaclaw-skills"] == f"{row.skill}@1"
    async with house(tmp_path) as made:
        _, headers = await made.ask(ASKED, answer, "And a day ticket?", session="long")
        assert headers["x-metaclaw-skills"] == f"{row.skill}@1"


async def test_nothing_is_approved_without_a_person_or_leave_for_scripts(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="0") as made:
        await teach(made)
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        for yes in (True, False):  # a test has no terminal of its own that a code could be typed at
            with pytest.raises(KnownError, match=r"--yes does not count here|terminal|Not done"):
                await made.call(api.ApproveProposal(id=row.id, yes=yes))
        assert await made.skills() == []
        assert (await made.call(api.GetStatus())).generation == 0


async def test_a_skill_that_holds_a_key_is_refused(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    text = f"---\nname: pushing\ndescription: Use when pushing.\n---\nPush with {key}.\n"
    async with house(tmp_path) as made:
        with pytest.raises(KnownError, match="holds a secret"):
            await made.call(api.AddSkill(text=text, yes=True))
        assert await made.skills() == []


async def test_learning_waits_with_a_reason_until_a_model_is_chosen(tmp_path: Path) -> None:
    async with house(tmp_path, configure=False) as made:
        await teach(made)
        with pytest.raises(KnownError, match="No model is chosen"):
            await made.call(api.LearnNow())
        status = await made.call(api.ShowLearnStatus())
        assert not status.ready
        assert status.judging == 2
        await made.call(api.SetConfig(key="learning.upstream", value="model"))
        await made.call(api.SetConfig(key="learning.model", value="scripted"))
        outcome = await made.call(api.LearnNow())
        assert (await made.call(api.ShowLearnStatus())).judging == 0
        assert outcome.judged <= 2  # the loop may have been quicker than the command


async def test_a_thumb_with_a_note_is_enough_to_learn_from(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await made.ask(ASKED)
        said = await made.call(api.GiveFeedback(exchange="last", thumb="down", note=RULE))
        assert "down" in said.text
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        assert RULE in row.why


async def test_an_agent_s_thumb_is_not_the_person_s_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.ask(ASKED)
        monkeypatch.setattr("metaclaw_tray.admin.peer.agent_among", lambda *_: "claude")
        with pytest.raises(KnownError, match="started by claude"):
            await made.call(api.GiveFeedback(exchange="last", thumb="down", note=RULE))
        monkeypatch.undo()
        await made.call(api.LearnNow())
        assert await made.call(api.ListReview()) == []


async def test_a_thumb_without_a_terminal_is_a_program_s_word_and_one_at_a_terminal_is_the_person_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path, scripted="") as made:
        monkeypatch.setattr("metaclaw_tray.admin.peer.agent_among", lambda *_: "")
        _, headers = await made.ask(ASKED)
        turn = headers["x-metaclaw-turn"]
        monkeypatch.setattr("metaclaw_tray.admin.peer._terminal", lambda _pid: None)
        said = await made.call(api.GiveFeedback(exchange="last", thumb="down", note=RULE))
        assert "from a program" in said.text
        detail = await made.call(api.ShowTurn(turn))
        assert [(each.kind, each.value, each.origin) for each in detail.evidence] == [
            ("report", -1, "program")
        ]
        assert (await made.call(api.LearnNow())).judged == 0
        assert await made.call(api.ListReview()) == []
        with pytest.raises(KnownError, match="no terminal"):
            await made.call(api.TakeBackFeedback(exchange="last"))

        monkeypatch.setattr("metaclaw_tray.admin.peer._terminal", lambda _pid: "/dev/pts/9")
        said = await made.call(api.GiveFeedback(exchange="last", thumb="down", note=RULE))
        assert "from a program" not in said.text
        detail = await made.call(api.ShowTurn(turn))
        assert {(each.kind, each.origin) for each in detail.evidence} == {
            ("report", "program"),
            ("feedback", "person"),
            ("correction", "person"),
        }
        entries = [each for each in await made.call(api.ListLedger()) if each.action == "feedback"]
        assert [each.channel for each in entries] == ["terminal", "program"]
        assert all(each.ancestry for each in entries)
        await made.call(api.LearnNow())
        (row,) = await made.call(api.ListReview())
        assert RULE in row.why


async def test_a_script_s_thumb_counts_where_the_app_was_started_for_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as made:
        await made.ask(ASKED)
        monkeypatch.setattr("metaclaw_tray.admin.peer.agent_among", lambda *_: "claude")
        said = await made.call(api.GiveFeedback(exchange="last", thumb="down", note=RULE))
        assert "down" in said.text


async def test_the_agent_is_served_while_learning_is_broken(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        made.runtime.library.skills.live.replace(None)  # type: ignore[arg-type]
        answer, headers = await made.ask(ASKED)
        assert answer
        assert "x-metaclaw-skills" not in headers


async def test_status_says_what_is_going_on(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await made.ask(ASKED)
        status = await made.call(api.GetStatus())
        assert (status.upstream, status.agents, status.dropped_records, status.allow_scripted) == (
            "model",
            1,
            0,
            True,
        )
        assert status.learning == "ready, with scripted on model"
