"""Fifty turns and more, in each dialect: what two requests of the client share, the upstream sees shared.

Tools, a message that is edited and sent again, two sub-agents at once, a restart of the app and a compaction
of the client's are in it; the store, the scribe and the runtime are the real ones.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.server import AdminServer
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import open_runtime
from metaclaw_tray.runtime.facade import handlers
from metaclaw_tray.settings import SettingsFile, Upstream
from proxy.upstream import Saw, Wire
from proxy.upstream import Upstream as ScriptedUpstream
from runtime.talker import DIALECTS, PATHS, Talk, model_says, units

TOPICS = ("zebras", "trams", "kettles", "orchids", "violins")


@dataclass
class World:
    """The model behind the proxy, and all that it saw."""

    dialect: str
    upstream: ScriptedUpstream = field(default_factory=ScriptedUpstream)
    seen: list[tuple[list[str], list[str]]] = field(default_factory=list)  # as the client sent it, as it came
    answers: int = 0

    async def answer(self, saw: Saw, wire: Wire) -> None:
        """Each message of the person is answered by a call first, and by words once its result is there."""
        self.answers += 1
        said = units(self.dialect, saw.json)
        call = "" if "result of" in said[-1] or "summarise" in said[-1] else f"call{self.answers}"
        value = model_says(self.dialect, f"Answer {self.answers}.", call, self.answers)
        await wire.answer(json.dumps(value).encode())


@dataclass
class App:
    world: World
    base_url: str
    http: httpx.AsyncClient
    call: Any

    async def ask(self, talk: Talk, session: str, **headers: str) -> bool:
        """One turn of a thread; True where a tool was called."""
        body = talk.body()
        named = {"X-Session-Id": session, **{key.replace("_", "-"): value for key, value in headers.items()}}
        path = PATHS.get(talk.dialect, "/responses")
        before = len(self.world.upstream.seen)
        response = await self.http.post(f"{self.base_url}{path}", json=body, headers=named)
        assert response.status_code == 200, response.text
        mine = units(talk.dialect, body)
        came = [each.json for each in self.world.upstream.seen[before:]]
        sent = next(
            units(talk.dialect, each) for each in came if _said(talk.dialect, each) == talk.said[-1][1]
        )
        self.world.seen.append((mine, sent))
        return talk.heard(response.json())

    async def exchange(self, talk: Talk, words: str, session: str, **headers: str) -> None:
        talk.user(words)
        while await self.ask(talk, session, **headers):
            pass


def _said(dialect: str, body: dict[str, Any]) -> str:
    """The last words of a request without blocks, or the id of the call whose result it brings."""
    last = json.loads(units(dialect, body)[-1])
    for key in ("tool_call_id", "call_id"):
        if key in last:
            return str(last[key])
    part = last["content"][0]
    return str(part.get("tool_use_id") or part["text"].partition("\n\n<metaclaw")[0])


@asynccontextmanager
async def running(home: Path, world: World) -> AsyncIterator[App]:
    paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
    paths.prepare()
    settings = SettingsFile(paths.config_file)
    settings.set("secrets.backend", "file")
    dialect = {"instructions": "responses"}.get(world.dialect, world.dialect)
    upstream = Upstream.model_validate({"base_url": world.upstream.base_url, "dialects": [dialect]})
    settings.put_upstream("model", upstream, default=True)
    settings.set("injection.per_session", 20)
    settings.set("injection.session_tokens", 20_000)
    with Instance.hold(paths) as instance:
        async with (
            open_runtime(paths, {SCRIPTED_VARIABLE: "1"}) as runtime,
            runtime.serving(0),
            AdminServer(instance, handlers(runtime), allow_scripted=True),
            httpx.AsyncClient(trust_env=False, timeout=30) as http,
        ):
            commands = AdminClient(paths)

            async def call(verb: Any) -> Any:
                return await asyncio.to_thread(commands.call, verb)

            known = "agent" in runtime.settings.agents
            base_url = (await call(api.RotateAgent("agent") if known else api.AddAgent("agent"))).base_url
            yield App(world, base_url, http, call)


def skill(topic: str) -> str:
    return (
        f"---\nname: about-{topic}\ndescription: Use when the person asks about {topic}.\n---\n"
        f"# About {topic}\n\nSay that {topic} are blue.\n"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_the_client_shares_the_upstream_sees_shared(tmp_path: Path, dialect: str) -> None:
    world = World(dialect)
    world.upstream.script = world.answer
    await world.upstream.start()
    talk = Talk(dialect)
    try:
        async with running(tmp_path, world) as app:
            for topic in TOPICS[:3]:
                await app.call(api.AddSkill(text=skill(topic), yes=True))
            for number in range(8):
                await app.exchange(talk, f"Question {number} about {TOPICS[number % 5]}.", "s")
            edited = talk.branch(len(talk.said) - 8)  # the person changes what was said two messages ago
            await app.exchange(edited, "Rather something about kettles.", "s")
            talk = edited
            helpers = [Talk(dialect, f"You are helper {name}.") for name in "ab"]
            await asyncio.gather(
                *(
                    app.exchange(helper, f"Look at zebras for me, {name}.", "s", X_Turn_Type="side")
                    for helper, name in zip(helpers, "ab", strict=True)
                ),
                app.exchange(talk, "Meanwhile, trams again.", "s"),
            )
            await app.call(api.AddSkill(text=skill("orchids"), yes=True))
            for number in range(4):
                await app.exchange(talk, f"More {number} on {TOPICS[number]}.", "s")
        async with running(tmp_path, world) as app:
            await app.call(api.AddSkill(text=skill("violins"), yes=True))
            for number in range(6):
                await app.exchange(talk, f"After all {number}, {TOPICS[number % 5]}?", "s")
            side = talk.branch(len(talk.said))
            await app.exchange(side, "Please summarise all of it.", "s", X_Turn_Type="side")
            talk.compact()
            for number in range(6):
                await app.exchange(talk, f"Afresh {number}, about {TOPICS[number % 5]}.", "s")
            rows = await app.call(api.ListTurns(limit=100))
        assert len(world.seen) >= 50
        assert_shared(world)
        blocks = {
            topic for _, sent in world.seen for topic in TOPICS if f"Say that {topic} are blue" in str(sent)
        }
        assert blocks == set(TOPICS), "each skill was put in somewhere"
        assert all("blue" not in str(sent) for mine, sent in world.seen if "helper" in str(mine[:2]))
        assert {row.outcome for row in rows} == {"ok"}
        assert len({row.exchange for row in rows if row.kind == "main"}) == 8 + 1 + 1 + 4 + 6 + 6
    finally:
        await world.upstream.stop()


async def test_one_conversation_goes_without_skills_until_they_are_switched_on_again(tmp_path: Path) -> None:
    world = World("chat")
    world.upstream.script = world.answer
    await world.upstream.start()
    talk = Talk("chat")

    def blue() -> bool:
        return "blue" in str(world.seen[-1][1])

    try:
        async with running(tmp_path, world) as app:
            await app.call(api.AddSkill(text=skill("zebras"), yes=True))
            await app.exchange(talk, "Tell me about zebras.", "s")
            assert blue()
            (row,) = await app.call(api.ListSessions())
            await app.call(api.SwitchSkills(row.id, on=False))
            await app.exchange(talk, "More about zebras.", "s")
            assert not blue()
        async with running(tmp_path, world) as app:
            await app.exchange(talk, "And more zebras.", "s")
            assert not blue(), "it is remembered"
            (row,) = await app.call(api.ListSessions())
            assert not row.skills
            await app.call(api.SwitchSkills(row.id, on=True))
            await app.exchange(talk, "Zebras at last.", "s")
            assert blue()
    finally:
        await world.upstream.stop()


def assert_shared(world: World) -> None:
    """Where two requests of the client begin alike, up to the person's first message at least, so do those
    that the upstream saw."""
    pairs = 0
    for place, (mine, sent) in enumerate(world.seen):
        for mine_then, sent_then in world.seen[:place]:
            shared = 0
            while shared < min(len(mine), len(mine_then)) and mine[shared] == mine_then[shared]:
                shared += 1
            if not any('"user"' in unit for unit in mine[:shared]):
                continue
            more = len(sent) - len(mine)  # an item of ours may stand behind the client's own system text
            assert more == len(sent_then) - len(mine_then)
            assert sent[: shared + more] == sent_then[: shared + more]
            pairs += 1
    assert pairs > 300
