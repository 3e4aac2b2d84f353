"""What the first steps and the settings page ask of the running app."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.embedded import offers
from metaclaw_tray.embedded.offers import Offer
from metaclaw_tray.errors import KnownError
from metaclaw_tray.runtime.facade.beginning import BeginningDesk
from runtime.test_loop import House, house

KEY = "sk-of-the-environment"


def without_models(made: House, folder: Path) -> None:
    """As on a machine on which no model was fetched."""
    made.runtime.paths = replace(made.runtime.paths, models_dir=folder / "models")


async def test_each_setting_is_listed_with_what_a_control_for_it_has_to_know(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        rows = {row.key: row for row in await made.call(api.ListConfig())}
    day = rows["budget.day_usd"]
    assert (day.kind, day.unit, day.value, day.minimum, day.consent) == ("number", "USD", 0.5, 0.0, True)
    assert rows["review.policy"].choices == ["ask", "automatic", "off"]
    assert rows["learning.upstream"].choices == ["model"]
    assert rows["learning.enabled"].kind == "switch"
    assert rows["notifications.quiet_from"].kind == "hour"
    assert rows["upstreams.model.dialects"].kind == "list"
    assert rows["upstreams.model.models"].kind == "map"
    assert rows["upstreams.model.input_usd_per_million"].optional
    assert (rows["server.port"].restart, rows["server.port"].maximum) == (True, 65535)
    assert rows["sessions.silence_minutes"].unit == "min"
    assert all(row.description for row in rows.values())


async def test_an_agent_is_seen_once_it_asked_for_something(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        (before,) = await made.call(api.ListAgents())
        await made.ask("Hello", session="s1")
        await made.call(api.ListTurns())  # waits until it is stored
        (after,) = await made.call(api.ListAgents())
    assert before.last_seen is None
    assert after.last_seen is not None


async def test_what_leaves_the_machine_is_said_host_by_host(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        without_models(made, tmp_path)
        await made.call(
            api.AddUpstream(name="far", base_url="https://far.example/v1", key=KEY, fallback="model")
        )
        await made.call(api.UseUpstream("far", "agent"))
        told = await made.call(api.ShowPrivacy())
    rows = {(row.purpose, row.upstream): row for row in told.hosts if row.purpose != "model"}
    assert (rows["agents", "far"].host, rows["agents", "far"].here) == ("far.example", False)
    assert rows["agents", "far"].agents == ["agent"]
    assert rows["agents", "model"].here
    assert not rows["agents", "model"].on
    assert rows["fallback", "model"].agents == ["agent"]
    assert rows["learning", "model"].on
    downloads = [row for row in told.hosts if row.purpose == "model"]
    assert downloads
    assert not any(row.on for row in downloads)
    files = {row.what: row for row in told.files}
    assert files["settings"].path.endswith("config.toml")
    assert files["record"].bytes
    assert files["keys"].path.endswith("secrets.json")
    assert KEY not in str(told)


async def test_a_found_key_becomes_an_upstream_without_being_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "SERVERS", ())
    for each in offers.KEYS:
        monkeypatch.delenv(each.key_env, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(offers.find_servers, "__defaults__", (offers.os.environ, ()))
    async with house(tmp_path) as made:
        (row,) = await made.call(api.ListOffers())
        assert (row.name, row.key_env, row.taken) == ("openai", "OPENAI_API_KEY", False)
        taken = await made.call(api.TakeOffer(name="openai", model="gpt-small"))
        assert (taken.default, taken.key_known, taken.model) == (True, True, "gpt-small")
        assert KEY not in str(taken)
        assert (await made.call(api.ListOffers()))[0].taken
        assert "upstream:openai" in await made.runtime.vault.anames()
        with pytest.raises(KnownError, match="not there any more"):
            await made.call(api.TakeOffer(name="gone"))


async def test_a_server_is_offered_where_the_offers_look(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        url = made.runtime.settings.upstreams["model"].base_url
        found = await offers.find_servers({}, [Offer("Here", "here", url, "chat")])
    assert all(each.models for each in found)


async def test_the_first_steps_are_gone_on_with_where_they_were_left(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        first = await made.call(api.ShowFirstRun())
        assert (first.state, first.step, first.needed, first.turns) == ("new", 0, False, 0)
        await made.call(api.KeepFirstRun(state="begun", step=2))
    async with house(tmp_path) as made:
        again = await made.call(api.ShowFirstRun())
        assert (again.state, again.step) == ("begun", 2)
        assert (await made.call(api.KeepFirstRun(state="done"))).state == "done"


class Person:
    """Says yes or no to what is shown, and hears each step."""

    def __init__(self, *, yes: bool) -> None:
        self.yes = yes
        self.shown = ""
        self.steps: list[str] = []

    async def confirm(self, action: str, text: str, *, yes: bool) -> None:
        self.shown = text
        if not self.yes:
            raise KnownError("Not done", action, "")

    async def progress(self, text: str) -> None:
        self.steps.append(text)


async def test_a_model_is_fetched_after_a_yes_to_its_plan_and_tells_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from metaclaw_tray.embedded import fetch as fetching
    from metaclaw_tray.embedded.fetch import Progress

    told, ends = asyncio.Event(), []
    loop = asyncio.get_running_loop()

    def slowly(model: object, paths: object, progress: object) -> Path:
        try:
            while True:
                progress(Progress(37 * 1024 * 1024, 100 * 1024 * 1024, "far.example"))  # type: ignore[operator]
                loop.call_soon_threadsafe(told.set)
        except BaseException as error:
            ends.append(type(error).__name__)
            raise

    monkeypatch.setattr(fetching, "fetch", slowly)
    async with house(tmp_path) as made:
        without_models(made, tmp_path)
        desk = BeginningDesk(made.runtime)
        fetch = desk.handlers()[api.FetchModel]
        (row, *_) = await made.call(api.ListModels())
        refusing = Person(yes=False)
        with pytest.raises(KnownError):
            await fetch(api.FetchModel(id=row.id), refusing)  # type: ignore[arg-type]
        assert refusing.shown == "\n".join(row.plan)
        person = Person(yes=True)
        work = asyncio.create_task(fetch(api.FetchModel(id=row.id), person))  # type: ignore[arg-type]
        while not person.steps:
            await asyncio.sleep(0)
        assert person.steps == ["37 %: 37 of 100 MB, from far.example"]
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        while not ends:
            await asyncio.sleep(0)
        assert ends == ["_NobodyWaitsError"]
