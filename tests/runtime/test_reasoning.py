"""What a model thought is known after a restart, and forgotten when its turn is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.server import AdminServer
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import Runtime, open_runtime
from metaclaw_tray.runtime.facade import handlers
from metaclaw_tray.settings import SettingsFile
from metaclaw_tray.settings import Upstream as Settled
from metaclaw_tray.store.reasoned import reasoned
from proxy.thinker import Forgetful, Thinker
from proxy.upstream import Upstream

pytestmark = pytest.mark.timeout(120)
DIALECT = pytest.mark.parametrize("dialect", ["messages", "responses"])
CHANCE = ("call_00_h3Kq9Xw2LmZ7pRt5",)


@dataclass
class App:
    """A running app with one agent, as `Forgetful` needs it."""

    runtime: Runtime
    client: aiohttp.ClientSession
    url: str
    commands: AdminClient

    async def call(self, verb: api.Verb[Any]) -> Any:
        return await asyncio.to_thread(self.commands.call, verb)


@asynccontextmanager
async def running(home: Path, thinker: Thinker) -> AsyncIterator[App]:
    paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
    paths.prepare()
    upstream = Upstream()
    upstream.script = thinker
    await upstream.start()
    settings = SettingsFile(paths.config_file)
    settings.set("secrets.backend", "file")
    settings.put_upstream("model", Settled(base_url=upstream.base_url, dialects=["chat"]), default=True)
    try:
        with Instance.hold(paths) as instance:
            async with (
                open_runtime(paths, {SCRIPTED_VARIABLE: "1"}) as runtime,
                runtime.serving(0),
                AdminServer(instance, handlers(runtime), allow_scripted=True),
                aiohttp.ClientSession() as client,
            ):
                app = App(runtime, client, "", AdminClient(paths))
                known = "agent" in runtime.settings.agents
                verb = api.RotateAgent("agent") if known else api.AddAgent("agent")
                app.url = (await app.call(verb)).base_url
                yield app
    finally:
        await upstream.stop()


@DIALECT
async def test_after_a_restart_an_answer_still_gets_its_thoughts_back(tmp_path: Path, dialect: str) -> None:
    thinker = Thinker(calls=list(CHANCE))
    async with running(tmp_path, thinker) as app:
        client = Forgetful(app, dialect, stream=True)
        await client.say("read")
        first, thinker.calls = thinker.thought, []
        await client.give(*CHANCE)
        second = thinker.thought
    async with running(tmp_path, thinker) as app:
        client.house = app
        await client.say("thanks")
        assert (client.status, thinker.returned) == (200, [first, second])


async def test_a_secret_in_a_thought_comes_back_as_it_was_recorded(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    thinker = Thinker(secret=f" The key is {secret}.")
    async with running(tmp_path, thinker) as app:
        client = Forgetful(app, "messages", stream=False)
        await client.say("one")
        await client.say("two")
        assert secret in (thinker.returned[0] or ""), "in memory it is as it was"
    async with running(tmp_path, thinker) as app:
        client.house = app
        await client.say("three")
        assert client.status == 200
        assert all("[redacted:" in (each or "") and secret not in (each or "") for each in thinker.returned)


@DIALECT
async def test_the_thoughts_of_a_forgotten_turn_are_forgotten(tmp_path: Path, dialect: str) -> None:
    thinker = Thinker(strict=False)
    async with running(tmp_path, thinker) as app:
        client = Forgetful(app, dialect, stream=True)
        await client.say("one")
        await client.say("two")
        assert thinker.returned != [None]
        await app.call(api.ForgetTurns(agent="agent", until=app.runtime.clock.now() + timedelta(days=1)))
        await client.say("three")
        assert client.status == 200, client.heard
        assert thinker.returned == [None, None]


async def test_of_a_long_record_the_newest_thoughts_are_loaded(tmp_path: Path) -> None:
    thinker = Thinker()
    async with running(tmp_path, thinker) as app:
        client = Forgetful(app, "messages", stream=False)
        for number in range(6):
            await client.say(f"number {number}")
        await app.runtime.scribe.flush(10)
        store, since = app.runtime.store, app.runtime.clock.now() - timedelta(days=1)
        size = len(thinker.thought)

        async def loaded(most: int = 10**6, limit: int = 100, since: datetime = since) -> list[str]:
            found = await store.aread(lambda db: reasoned(db, most=most, limit=limit, since=since))
            return [each.thought.splitlines()[0][-2] for each in found]

        assert await loaded() == ["1", "2", "3", "4", "5", "6"]
        assert await loaded(most=2 * size) == ["5", "6"]
        assert await loaded(limit=3) == ["4", "5", "6"]
        assert await loaded(since=app.runtime.clock.now()) == []
