"""Settings changed by command while the app runs: where keys go, what is asked, what is noted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import Runtime, open_runtime
from metaclaw_tray.runtime.facade import status
from metaclaw_tray.settings import SettingsFile, Upstream
from metaclaw_tray.store.tables_library import Ledger
from runtime.test_loop import House, house

NO_YES = "a person has to|was not typed"
KEY = "sk-the-key-of-one-host"


class Far:
    """A server that remembers what it was sent."""

    def __init__(self) -> None:
        self.headers: list[dict[str, str]] = []
        self.url = ""

    @property
    def got_the_key(self) -> bool:
        return any(KEY in value for headers in self.headers for value in headers.values())


@asynccontextmanager
async def far() -> AsyncIterator[Far]:
    from aiohttp import web

    made = Far()

    async def answer(request: web.Request) -> web.Response:
        made.headers.append(dict(request.headers))
        message = {"role": "assistant", "content": "hi"}
        return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}]})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield made
    finally:
        await runner.cleanup()


async def keep_key(made: House) -> None:
    await made.call(
        api.AddUpstream(name="model", base_url=made.runtime.settings.upstreams["model"].base_url, key=KEY)
    )


async def try_it(made: House) -> int:
    async with httpx.AsyncClient(trust_env=False) as client:
        asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
        answer = await client.post(f"{made.base_url}/chat/completions", json=asked)
        return answer.status_code


async def put(made: House, key: str, value: str, *, yes: bool = False) -> api.Said:
    return await made.call(api.SetConfig(key=key, value=value, yes=yes))


async def test_two_commands_do_not_send_a_key_to_another_host(tmp_path: Path) -> None:
    async with far() as other, house(tmp_path, scripted="") as made:
        await keep_key(made)
        added = await made.call(api.AddUpstream(name="model", base_url=other.url))
        assert added.dropped_key_of
        await put(made, "upstreams.model.credential", "key")
        await try_it(made)
        assert not other.got_the_key


async def test_neither_order_of_settings_sends_a_key_astray(tmp_path: Path) -> None:
    async with far() as other, house(tmp_path, scripted="") as made:
        await keep_key(made)
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "upstreams.model.base_url", other.url)
        await put(made, "upstreams.model.credential", "none")
        await put(made, "upstreams.model.base_url", other.url)
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "upstreams.model.credential", "key")
        assert await try_it(made) == 200
        assert not other.got_the_key


async def test_a_key_goes_to_another_host_once_the_person_agreed(tmp_path: Path) -> None:
    async with far() as other, house(tmp_path) as made:
        await keep_key(made)
        await put(made, "upstreams.model.base_url", other.url, yes=True)
        assert await try_it(made) == 200
        assert other.got_the_key


async def test_an_edited_address_gets_no_key_but_a_sentence(tmp_path: Path) -> None:
    async with far() as other:
        async with house(tmp_path, scripted="") as made:
            await keep_key(made)
            SettingsFile(made.runtime.paths.config_file).set("upstreams.model.base_url", other.url)
            await put(made, "learning.votes", "1")
            assert await try_it(made) != 200
            assert any("was given for" in each for each in (await made.call(api.GetStatus())).trouble)
            assert not other.headers
        # And so it is at the next start.
        environ = {SCRIPTED_VARIABLE: ""}
        async with open_runtime(made.runtime.paths, environ) as runtime, runtime.serving(0):
            assert any("was given for" in each for each in runtime.trouble())
            assert runtime.connections._fitting() == {}


async def test_each_change_of_settings_stands_in_the_ledger(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        url = made.runtime.settings.upstreams["model"].base_url
        await made.call(api.AddUpstream(name="two", base_url=url, key=KEY, default=True))
        await made.call(api.UseUpstream("model", "agent"))
        await put(made, "learning.upstream", "two")
        rows = await made.call(api.ListLedger())
        assert [(row.action, row.subject) for row in rows[:2]] == [
            ("settings", "learning.upstream"),
            ("settings", "agents.agent"),
        ]
        assert {(row.action, row.subject) for row in rows[2:4]} == {
            ("settings", "default_upstream, upstreams.two"),
            ("secret", "upstream:two"),
        }
        assert (rows[0].before, rows[0].after) == (
            {"learning.upstream": "model"}, {"learning.upstream": "two"}
        )  # fmt: skip
        assert all(row.ancestry and row.actor for row in rows[:4])
        assert KEY not in repr(rows)


async def test_a_change_that_was_refused_stands_nowhere(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        before = len(await made.call(api.ListLedger()))
        with pytest.raises(KnownError):
            await put(made, "budget.day_usd", "100")
        with pytest.raises(KnownError):
            await put(made, "learning.votes", "-1")
        assert len(await made.call(api.ListLedger())) == before


async def test_an_edit_by_hand_is_told_and_then_taken_up_as_a_whole(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        SettingsFile(made.runtime.paths.config_file).set("injection.per_exchange", 1)
        told = (await made.call(api.GetStatus())).trouble
        assert any("edited by hand: injection.per_exchange" in each for each in told)
        assert made.runtime.settings.injection.per_exchange == 2
        reloaded = await made.call(api.Reload())
        assert reloaded.changed == ["injection.per_exchange"]
        (row, *_) = await made.call(api.ListLedger())
        assert (row.action, row.subject) == ("by hand", "injection.per_exchange")
        assert (await made.call(api.GetStatus())).trouble == [
            each for each in told if "by hand" not in each
        ]  # fmt: skip


async def test_no_other_command_puts_an_edited_budget_into_force(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        SettingsFile(made.runtime.paths.config_file).set("budget.day_usd", 100.0)
        for verb in _changes():
            await made.call(verb)
            assert made.runtime.settings.budget.day_usd == 0.5
        with pytest.raises(KnownError, match=NO_YES):
            await made.call(api.Reload())
        assert made.runtime.settings.budget.day_usd == 0.5


def _changes() -> list[api.Verb[Any]]:
    return [
        api.SetConfig(key="learning.votes", value="1"),
        api.AddAgent("other"),
        api.UseUpstream("model"),
    ]


async def test_a_file_broken_by_hand_is_told(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        made.runtime.paths.config_file.write_text("[learnin]\n")
        told = (await made.call(api.GetStatus())).trouble
        assert any("there is no setting learnin" in each for each in told)


async def test_keeping_less_asks_where_turns_would_go(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await put(made, "retention.days", "30")  # nothing is that old
        await made.ask("hello")
        await made.runtime.scribe.flush(5)
        await made.runtime.store.awrite(
            lambda db: db.connection().exec_driver_sql("UPDATE turn SET begun_at = begun_at - 864000000000")
        )
        with pytest.raises(KnownError, match=r"1 turns that are older than 2 days|no yes"):
            await put(made, "retention.days", "2")
        assert made.runtime.settings.retention.days == 30
        await put(made, "retention.days", "2", yes=True)
        assert made.runtime.settings.retention.days == 2


async def test_a_broken_file_of_secrets_is_told_once_and_calls_nothing_lost(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await keep_key(made)
        made.runtime.paths.secrets_file.write_text("{")
        async with open_runtime(made.runtime.paths, {}) as runtime, runtime.serving(0):
            told = [each for each in runtime.trouble() if "plain file" not in each]
    assert len(told) == 1
    assert "it is no JSON" in told[0]


async def test_status_tells_what_is_kept_and_what_the_files_take(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        kept = (await made.call(api.GetStatus())).kept
    assert re.fullmatch(r"90 days; \d+ of 2048 MB, in files of \d+ MB", kept)


async def test_turns_of_a_session_that_is_not_there_are_an_error(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        with pytest.raises(KnownError, match="No such session"):
            await made.call(api.ListTurns(session="nope"))
        with pytest.raises(KnownError, match="No such exchange"):
            await made.call(api.ListTurns(exchange="nope"))


async def test_switching_skills_says_what_becomes_of_those_that_stand_there(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.ask("hello")
        await made.runtime.scribe.flush(5)
        (row,) = await made.call(api.ListSessions())
        off = (await made.call(api.SwitchSkills(row.id, False))).text
        assert "what stands there already" in off
        assert "prompt cache" in off
        assert "stand again" in (await made.call(api.SwitchSkills(row.id, True))).text


@asynccontextmanager
async def restarted(made: House) -> AsyncIterator[Runtime]:
    """The app that starts on the files as they are now; nobody agrees to anything."""
    async with open_runtime(made.runtime.paths, {SCRIPTED_VARIABLE: ""}) as runtime, runtime.serving(0):
        yield runtime


FAR = "https://far.example/v1"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("budget.day_usd", 100.0),
        ("budget.month_usd", 100.0),
        ("upstreams.far.input_usd_per_million", 0.0),
        ("upstreams.far.output_usd_per_million", 1.0),
        ("upstreams.far.cached_usd_per_million", 0.0),
        ("learning.model", "dearer"),
        ("review.policy", "automatic"),
        ("retention.days", 1),
        ("retention.size_mb", 1),
        ("agents.agent.observe_only", False),
    ],
)
async def test_what_was_written_into_the_file_is_not_in_force_after_a_restart(
    tmp_path: Path, key: str, value: Any
) -> None:
    async with house(tmp_path) as made:
        await far_choice(made)
        await put(made, "agents.agent.observe_only", "true")
        before = made.runtime.settings_file.get(key)
        SettingsFile(made.runtime.paths.config_file).set(key, value)
        for _ in range(2):  # the first restart agrees to nothing either
            async with restarted(made) as runtime:
                assert runtime.settings_file.get(key) == before
                (told,) = [each for each in await status.trouble(runtime) if "nobody agreed" in each]
                assert key in told
                assert f"metaclaw-tray config set {key}" in told
                assert (await status.status(runtime)).review == "ask"


async def far_choice(made: House) -> None:
    """Learning asks a model of another host, at known prices."""
    upstream = api.AddUpstream(
        name="far", base_url=FAR, key=KEY, input_usd_per_million=3.0, output_usd_per_million=15.0
    )
    await made.call(upstream)
    await put(made, "learning.upstream", "far", yes=True)
    await put(made, "learning.model", "judge", yes=True)


async def test_learning_sends_nothing_to_a_host_that_was_written_into_the_file(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await far_choice(made)
        file = SettingsFile(made.runtime.paths.config_file)
        file.set("upstreams.far.base_url", "https://evil.example/v1")
        async with restarted(made) as runtime:
            assert runtime.settings.learning.upstream == ""
            assert "learning.upstream" in runtime.why_learning_waits()
        file.set("upstreams.far.base_url", FAR)
        file.put_upstream("evil", Upstream(base_url="https://evil.example/v1"))
        file.set("learning.upstream", "evil")
        async with restarted(made) as runtime:
            assert runtime.settings.learning.upstream == ""
            assert any("learning.upstream = evil" in each for each in await status.trouble(runtime))


async def test_agents_keys_go_to_no_host_that_was_written_into_the_file(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.call(api.AddUpstream(name="own", base_url=FAR, credential="pass-through"))
        SettingsFile(made.runtime.paths.config_file).set("upstreams.own.base_url", "https://evil.example/v1")
        async with restarted(made) as runtime:
            assert runtime.settings.upstreams["own"].credential == "none"


async def test_agents_keys_go_to_no_other_host_by_three_commands(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.call(api.AddUpstream(name="own", base_url=FAR, credential="pass-through"))
        await put(made, "upstreams.own.credential", "none")
        await put(made, "upstreams.own.base_url", "https://evil.example/v1")
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "upstreams.own.credential", "pass-through")


async def test_what_is_lowered_in_the_file_holds_at_once_and_is_raised_by_a_yes(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await put(made, "budget.day_usd", "9", yes=True)
        file = SettingsFile(made.runtime.paths.config_file)
        file.set("budget.day_usd", 2.0)
        async with restarted(made) as runtime:
            assert runtime.settings.budget.day_usd == 2
            assert not [each for each in await status.trouble(runtime) if "budget" in each]
            (entry,) = [each for each in await runtime.store.aread(_ledger) if each.actor == "settings file"][
                -1:
            ]
            assert (entry.before, entry.after) == ({"budget.day_usd": 9}, {"budget.day_usd": 2})
        file.set("budget.day_usd", 9.0)
        async with restarted(made) as runtime:
            assert runtime.settings.budget.day_usd == 2


def _ledger(db: Db) -> list[Ledger]:
    return list(db.exec(select(Ledger).order_by(col(Ledger.at), col(Ledger.id))))


async def test_agreeing_is_setting_what_the_file_says_already(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        file = SettingsFile(made.runtime.paths.config_file)
        file.set("budget.day_usd", 100.0)
        async with restarted(made) as runtime:
            assert runtime.settings.budget.day_usd == 0.5
        with pytest.raises(KnownError, match="--yes"):  # not started for that: see `house`
            async with house(tmp_path / "two", scripted="") as other:
                await put(other, "budget.day_usd", "100", yes=True)
        said = await put(made, "budget.day_usd", "100", yes=True)
        assert "budget.day_usd is 100 now, was 0.5" in said.text
        (row, *_) = await made.call(api.ListLedger())
        assert (row.action, row.channel, row.after) == ("settings", "scripted", {"budget.day_usd": 100})
        async with restarted(made) as runtime:
            assert runtime.settings.budget.day_usd == 100
            assert not [each for each in await status.trouble(runtime) if "budget" in each]


async def test_a_reload_shows_all_that_it_takes_a_yes_to(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        SettingsFile(made.runtime.paths.config_file).set("budget.day_usd", 100.0)
        async with restarted(made):
            pass
        reloaded = await made.call(api.Reload(yes=True))
        assert reloaded.changed == ["budget.day_usd"]
        assert made.runtime.settings.budget.day_usd == 100


async def test_lowering_a_cap_takes_no_yes_and_raising_it_does(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await put(made, "budget.day_usd", "0.1")
        assert made.runtime.settings.budget.day_usd == 0.1
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "budget.day_usd", "0.5")


async def test_choosing_a_model_of_another_host_takes_a_yes_and_one_that_runs_here_takes_none(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.call(api.AddUpstream(name="far", base_url=FAR, key=KEY))
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "learning.upstream", "far")
        await put(made, "learning.model", "another-here")
        await put(made, "learning.upstream", "")
        await put(made, "learning.model", "judge")
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "learning.upstream", "far")
        assert made.runtime.settings.learning.upstream == ""


async def test_learning_begins_again_without_a_yes_where_it_asks_nobody_beyond_this_machine(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, scripted="") as made:
        await put(made, "learning.enabled", "false")
        await put(made, "learning.enabled", "true")
        await put(made, "learning.enabled", "false")
        await made.call(api.AddUpstream(name="far", base_url=FAR, key=KEY))
        made.runtime.settings_file.set("learning.upstream", "far")
        with pytest.raises(KnownError, match=NO_YES):
            await put(made, "learning.enabled", "true")
        assert not made.runtime.settings.learning.enabled


async def test_a_first_start_asks_for_nothing(tmp_path: Path) -> None:
    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})
    paths.prepare()
    file = SettingsFile(paths.config_file)
    file.set("budget.day_usd", 3.0)
    async with open_runtime(paths, {}) as runtime:
        assert runtime.settings.budget.day_usd == 3
        assert not await asyncio.to_thread(status.edited, runtime)
        (entry,) = await runtime.store.aread(_ledger)
        assert (entry.actor, entry.after) == ("settings file", {"budget.day_usd": 3})
    async with open_runtime(paths, {}) as runtime:
        assert len(await runtime.store.aread(_ledger)) == 1


async def test_a_restart_writes_nothing_into_the_ledger_where_nothing_was_edited(tmp_path: Path) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.call(api.AddUpstream(name="far", base_url=FAR, key=KEY))
        await made.call(api.AddAgent("other"))
        await put(made, "budget.day_usd", "0.2")
        before = [each.id for each in await made.runtime.store.aread(_ledger)]
        async with restarted(made) as runtime:
            assert [each.id for each in await runtime.store.aread(_ledger)] == before
