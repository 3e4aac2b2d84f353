"""Where the agents' own keys go, by command, by the file, and what is asked before."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.consent import Granted
from metaclaw_tray.errors import KnownError, SettingsError
from metaclaw_tray.runtime.facade import status
from metaclaw_tray.secrets import aopen_vault
from metaclaw_tray.settings import Settings, SettingsFile, Upstream
from metaclaw_tray.settings.reading import parse_settings
from runtime.test_loop import House, house
from runtime.test_settings_by_command import FAR, NO_YES, put, restarted

EVIL = "https://evil.example/v1"


def evil(**more: object) -> api.AddUpstream:
    return api.AddUpstream(name="evil", base_url=EVIL, credential="pass-through", **more)


async def used(made: House) -> None:
    await made.call(api.UseUpstream("evil"))


async def used_by_one(made: House) -> None:
    await made.call(api.UseUpstream("evil", "agent"))


async def set_default(made: House) -> None:
    await put(made, "default_upstream", "evil")


async def set_for_one(made: House) -> None:
    await put(made, "agents.agent.upstream", "evil")


async def set_in_two_steps(made: House) -> None:
    await put(made, "default_upstream", "")
    await put(made, "default_upstream", "evil")


async def left_alone(made: House) -> None:
    for key in ("default_upstream", "learning.upstream"):
        await put(made, key, "")
    await made.call(api.RemoveUpstream("model"))


async def removed_and_added(made: House) -> None:
    await made.call(api.RemoveUpstream("evil"))
    for key in ("default_upstream", "learning.upstream"):
        await put(made, key, "")
    await made.call(api.RemoveUpstream("model"))
    await made.call(evil())


async def added_again(made: House) -> None:
    """The upstream that agents reach, at another host."""
    await made.call(api.AddUpstream(name="model", base_url=EVIL, credential="pass-through"))


async def added_as_default(made: House) -> None:
    await made.call(evil(default=True))


WAYS: list[Callable[[House], Awaitable[None]]] = [
    used,
    used_by_one,
    set_default,
    set_for_one,
    set_in_two_steps,
    left_alone,
    removed_and_added,
    added_again,
    added_as_default,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_agents_own_keys_go_to_no_other_host_without_a_yes(
    tmp_path: Path, way: Callable[[House], Awaitable[None]]
) -> None:
    async with house(tmp_path, scripted="") as made:
        await made.call(evil())  # nobody reaches it: this takes no yes
        with pytest.raises(KnownError, match=NO_YES):
            await way(made)
        assert_nothing_reaches(made.runtime.settings)


def assert_nothing_reaches(settings: Settings) -> None:
    for agent in settings.agents.values():
        upstream = settings.upstreams.get(agent.upstream or settings.chosen_upstream)
        assert upstream is None or EVIL not in upstream.base_url or upstream.credential == "none"


@pytest.mark.parametrize(
    "edit",
    [
        lambda file: file.put_upstream(
            "evil", Upstream(base_url=EVIL, credential="pass-through"), default=True
        ),
        lambda file: (
            file.put_upstream("evil", Upstream(base_url=EVIL, credential="pass-through")),
            file.set("agents.agent.upstream", "evil"),
        ),
        lambda file: file.put_upstream(
            "model", Upstream(base_url=EVIL, credential="pass-through"), default=True
        ),
        lambda file: (
            file.put_upstream("evil", Upstream(base_url=EVIL, credential="pass-through"), default=True),
            file.set("learning.upstream", ""),
            file.remove_upstream("model"),
        ),
    ],
)
async def test_the_file_sends_them_nowhere_either(
    tmp_path: Path, edit: Callable[[SettingsFile], object]
) -> None:
    async with house(tmp_path, scripted="") as made:
        edit(SettingsFile(made.runtime.paths.config_file))
        for _ in range(2):
            async with restarted(made) as runtime:
                assert_nothing_reaches(runtime.settings)
                assert [each for each in await status.trouble(runtime) if "nobody agreed" in each]
        await made.call(api.ListUpstreams())
        assert_nothing_reaches(made.runtime.settings)


async def test_a_yes_names_the_host_and_holds_after_a_restart(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await made.call(evil())
        await made.call(api.UseUpstream("evil", yes=True))
        assert made.runtime.settings.default_upstream == "evil"
        async with restarted(made) as runtime:
            assert runtime.settings.default_upstream == "evil"
            assert runtime.settings.upstreams["evil"].credential == "pass-through"
            assert not [each for each in await status.trouble(runtime) if "nobody agreed" in each]


class Asked:
    """A person who says yes, and what they were shown."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None

    async def consent(self, action: str, text: str) -> Granted:
        self.texts.append(text)
        self.meanwhile()
        return Granted("terminal", [])

    confirm = consent

    async def spoken(self, action: str) -> None:
        raise AssertionError(action)


@pytest.fixture
async def alone(tmp_path: Path) -> tuple[Connecting, Asked, SettingsFile]:
    from metaclaw_tray.paths import Paths

    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})
    vault = await aopen_vault(paths, Settings.model_validate({"secrets": {"backend": "memory"}}))
    asked, file = Asked(), SettingsFile(paths.config_file)
    file.hold({})
    return Connecting(Changing(file, asked), vault, "http://127.0.0.1:30000"), asked, file


async def test_the_very_first_upstream_asks_nothing_and_another_one_tells_both_hosts(alone) -> None:
    connecting, asked, _ = alone
    far = api.AddUpstream(name="far", base_url=FAR, credential="pass-through", default=True)
    await connecting.add_upstream(far)
    assert asked.texts == []
    await connecting.add_upstream(evil(default=True))
    (told,) = asked.texts
    assert "https://evil.example" in told
    assert "https://far" in told


async def test_another_upstream_at_the_same_host_asks_nothing(alone) -> None:
    connecting, asked, file = alone
    for name in ("one", "two"):
        far = api.AddUpstream(name=name, base_url=FAR, credential="pass-through", default=True)
        await connecting.add_upstream(far)
    assert (asked.texts, file.settings.chosen_upstream) == ([], "two")


async def test_a_yes_counts_for_what_was_shown_and_not_for_what_the_file_says_by_then(alone) -> None:
    connecting, asked, file = alone
    await connecting.add_upstream(api.AddUpstream(name="far", base_url=FAR, default=True))
    await connecting.add_upstream(
        api.AddUpstream(name="two", base_url="https://two/v1", credential="pass-through")
    )
    other = SettingsFile(file.path)
    asked.meanwhile = lambda: other.set("upstreams.two.base_url", EVIL)
    with pytest.raises(SettingsError, match="something else now"):
        await connecting.use_upstream("two")
    assert file.settings.chosen_upstream == "far"


def test_no_fallback_behind_a_fallback_gets_the_agents_own_keys() -> None:
    text = (
        '[upstreams.own]\nbase_url = "https://own/v1"\ncredential = "pass-through"\nfallback = "one"\n'
        '[upstreams.one]\nbase_url = "https://evil.example/v1"\nfallback = "two"\n'
        '[upstreams.two]\nbase_url = "https://evil.example/v1"\ncredential = "pass-through"\n'
    )
    with pytest.raises(SettingsError, match="not meant for its host"):
        parse_settings(text, Path("config.toml"))


async def test_taking_away_the_mark_of_the_first_start_agrees_to_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        await put(made, "budget.month_usd", "9", yes=True)
        paths = made.runtime.paths
        file = SettingsFile(paths.config_file)
        file.set("budget.day_usd", 100.0)
        file.set("budget.month_usd", 2.0)
        with sqlite3.connect(paths.store_file) as connection:
            assert connection.execute("DELETE FROM meta WHERE \"key\" = 'settings.agreed'").rowcount == 1
        async with restarted(made) as runtime:
            assert runtime.settings.budget.day_usd == 0.5
            assert runtime.settings.budget.month_usd == 2
            assert any("tampered with" in each for each in await status.trouble(runtime))
