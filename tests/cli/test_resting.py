"""Learning at rest and starting at log-in, by command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

SAID = api.Said(text="Done.")


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("learn pause", api.PauseLearning()),
        ("learn resume", api.ResumeLearning()),
        ("autostart on", api.SetAutostart(True)),
        ("autostart off", api.SetAutostart(False)),
        ("--hidden", api.ShowWindow(hidden=True)),
    ],
)
def test_a_command_is_one_verb(paths: Paths, line: str, verb: api.Verb[api.Said]) -> None:
    answers = Answers({type(verb): SAID})
    with admin_app(paths, answers):
        assert run(line.split()) == 0
    assert answers.asked == [verb]


def test_a_pause_for_a_while_has_its_end(paths: Paths) -> None:
    answers = Answers({api.PauseLearning: SAID})
    with admin_app(paths, answers):
        assert run(["learn", "pause", "--for", "30m"]) == 0
    (asked,) = answers.asked
    assert isinstance(asked, api.PauseLearning)
    assert asked.until is not None
    assert timedelta(minutes=28) < asked.until - datetime.now(UTC) <= timedelta(minutes=30)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (api.Autostart(on=True, place="/x"), "on (/x)"),
        (api.Autostart(on=False, place="/x"), "off (/x)"),
        (api.Autostart(on=False, place="/x", why_not="no permission"), "no permission"),
    ],
)
def test_how_it_is_is_said(
    paths: Paths, capsys: pytest.CaptureFixture[str], row: api.Autostart, words: str
) -> None:
    with admin_app(paths, Answers({api.ShowAutostart: row})):
        assert run(["autostart"]) == 0
    assert words in capsys.readouterr().out
