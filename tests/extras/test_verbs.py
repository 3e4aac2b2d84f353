"""Extras by verb and by command."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from extras.conftest import extra_of, make_wheel
from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.cli.main import run
from metaclaw_tray.errors import ExtraError, KnownError
from metaclaw_tray.extras import installing
from metaclaw_tray.extras.catalogue import find_extra
from metaclaw_tray.extras.places import Found, find
from metaclaw_tray.runtime.facade import beginning
from metaclaw_tray.runtime.facade.beginning import BeginningDesk
from metaclaw_tray.runtime.facade.extras import ExtrasDesk, adding
from runtime.test_loop import house


class Person:
    """Reads what is put before them, and says yes or no."""

    def __init__(self, *, yes: bool) -> None:
        self.yes, self.shown, self.steps = yes, "", []

    async def consent(self, action: str, text: str, *, yes: bool) -> None:
        self.shown = text
        if not self.yes:
            raise KnownError("Not done", action, "")

    async def progress(self, text: str) -> None:
        self.steps.append(text)


async def test_an_extra_is_added_and_removed_by_the_running_app(tmp_path, shelf, offer) -> None:
    offer(extra_of(make_wheel(shelf, "")))
    async with house(tmp_path / "home") as made:
        rows = {row.name: row for row in await made.call(api.ListExtras())}
        assert rows["tiny"].state == "missing"
        assert "MB to download" in "\n".join(rows["tiny"].plan)
        said = await made.call(api.AddExtra(name="tiny", yes=True))
        assert "is installed" in said.text
        assert "already" in (await made.call(api.AddExtra(name="tiny", yes=True))).text
        rows = {row.name: row for row in await made.call(api.ListExtras())}
        assert (rows["tiny"].state, rows["tiny"].plan) == ("here", [])
        said = await made.call(api.RemoveExtra(name="tiny", yes=True))
        assert "was removed" in said.text
        assert find("tiny", made.runtime.paths).state == "missing"


async def test_without_a_yes_to_the_whole_plan_nothing_is_fetched(tmp_path, shelf, offer) -> None:
    offer(extra_of(make_wheel(shelf, "")))
    async with house(tmp_path / "home") as made:
        person = Person(yes=False)
        with pytest.raises(KnownError, match="Not done"):
            await ExtrasDesk(made.runtime).handlers()[api.AddExtra](api.AddExtra(name="tiny"), person)  # type: ignore[arg-type]
        (row,) = (row for row in await made.call(api.ListExtras()) if row.name == "tiny")
        assert person.shown == "\n".join(row.plan)
        assert find("tiny", made.runtime.paths).state == "missing"


async def test_one_who_leaves_ends_the_installation(paths, shelf, offer, monkeypatch) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    ends: list[str] = []

    def slowly(planned, paths, progress):
        try:
            while True:
                progress(installing.Progress(37_000_000, 100_000_000, "downloading"))
        except BaseException as error:
            ends.append(type(error).__name__)
            raise

    monkeypatch.setattr("metaclaw_tray.runtime.facade.extras.add", slowly)
    person = Person(yes=True)
    work = asyncio.create_task(adding(installing.plan(extra, paths), paths, person.progress))
    while not person.steps:
        await asyncio.sleep(0)
    assert person.steps == ["37 %: 37 of 100 MB, downloading"]
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    while not ends:
        await asyncio.sleep(0)
    assert ends == ["_NobodyWaitsError"]


async def test_the_offer_of_a_model_brings_what_runs_it(tmp_path, shelf, offer, monkeypatch) -> None:
    """One plan and one yes for both, where the extra is missing."""
    tiny = replace_name(extra_of(make_wheel(shelf, "")), "embedded")
    offer(tiny)
    async with house(tmp_path / "home") as made:
        made.runtime.paths = replace(made.runtime.paths, models_dir=tmp_path / "models")
        (row, *_) = await made.call(api.ListModels())
        assert not row.present
        assert "What runs it is installed first" in "\n".join(row.plan)
        person = Person(yes=True)
        desk = BeginningDesk(made.runtime)

        async def nothing(model, call) -> None: ...

        monkeypatch.setattr(desk, "_download", nothing)
        await desk.handlers()[api.FetchModel](api.FetchModel(id=row.id), person)  # type: ignore[arg-type]
        assert person.shown == "\n".join(row.plan)
        assert find("embedded", made.runtime.paths).state == "here"


async def test_a_model_that_nothing_can_run_here_says_why(tmp_path, monkeypatch) -> None:
    def missing(name, _paths):
        return Found(find_extra(name), "missing")

    def refused(_extra, _paths):
        raise ExtraError("No", "None of its files is for this system.", "")

    monkeypatch.setattr(beginning, "find", missing)
    monkeypatch.setattr(beginning, "plan_extra", refused)
    async with house(tmp_path / "home") as made:
        (row, *_) = await made.call(api.ListModels())
    assert row.why_not == "None of its files is for this system."


def test_without_an_app_the_command_does_it_itself(paths, shelf, offer, monkeypatch, capsys) -> None:
    offer(extra_of(make_wheel(shelf, "")))
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(paths.home))
    monkeypatch.setenv(SCRIPTED_VARIABLE, "1")
    assert run(["extras", "add", "tiny", "--yes"]) == 0
    assert "is installed" in capsys.readouterr().out
    assert run(["extras", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["tiny"]["state"] == "here"
    assert run(["extras", "remove", "tiny", "--yes"]) == 0
    assert "free again" in capsys.readouterr().out
    assert run(["extras", "list"]) == 0
    assert "A tiny part" in capsys.readouterr().out


def test_by_command_a_yes_is_not_assumed(paths, shelf, offer, monkeypatch, capsys) -> None:
    offer(extra_of(make_wheel(shelf, "")))
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(paths.home))
    monkeypatch.delenv(SCRIPTED_VARIABLE, raising=False)
    assert run(["extras", "add", "tiny", "--yes"]) == 1
    assert "--yes does not count here" in capsys.readouterr().err
    assert run(["extras", "add", "unheard-of"]) == 1
    assert "There are: " in capsys.readouterr().err
    assert find("tiny", paths).state == "missing"


def replace_name(extra, name):
    return type(extra)(extra.title, extra.about, extra.module, extra.bytes_installed, extra.packages, name)
