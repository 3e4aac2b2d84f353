"""`turns forget`: shown, asked, done."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

AT = datetime(2026, 3, 3, 12, tzinfo=UTC)
SKILL = api.LearntSkill(name="dates", version=2, state="active")
SEEN = api.ForgetOutlook(
    turns=12, exchanges=3, sessions=1, messages=20, bytes=4200, first_at=AT, last_at=AT, shared=5,
    under_way=1, claims=2, proposals=["p1"], skills=[SKILL], copies=["/h/store.sqlite3.before-1.2-x"],
    until=AT,
)  # fmt: skip
DONE = api.Forgotten(turns=12, exchanges=3, sessions=1, messages=20, withdrawn=["p1"], skills=[SKILL])
ANSWERS: dict[type[api.Verb[Any]], Any] = {
    api.LookAtForgetting: SEEN,
    api.ForgetTurns: DONE,
    api.RetireSkill: api.Said(text="Retired: dates@2."),
}


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


def test_what_goes_and_what_stays_is_shown_before_the_question(paths, capsys, monkeypatch):
    answers = Answers(ANSWERS)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    with admin_app(paths, answers):
        assert run(["turns", "forget", "--session", "s1"]) == 1
    assert answers.asked == [api.LookAtForgetting(session="s1")]
    said = capsys.readouterr()
    assert said.out == ""
    for words in (
        "12 turns, with all that was made of 3 exchanges",
        "20 messages that nothing else needs, 4 kB",
        "the proposal p1",
        "before-1.2-x",
        "1 turns that are under way",
        "5 messages that turns which stay",
        "2 claims",
        "sends its history again",
        "Forget them? [y/N]",
        "Nothing was forgotten",
    ):
        assert words in said.err


def test_a_yes_forgets_what_was_shown_and_names_what_was_learnt(paths, capsys, monkeypatch):
    answers = Answers(ANSWERS)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with admin_app(paths, answers):
        assert run(["turns", "forget", "t1", "t2"]) == 0
    assert answers.asked == [
        api.LookAtForgetting(turns=["t1", "t2"]),
        api.ForgetTurns(turns=["t1", "t2"], until=AT),
    ]
    said = capsys.readouterr()
    assert said.out == "Forgotten: 12 turns with 20 messages.\n"
    assert "dates@2 (active) was learnt from them" in said.err
    assert "`metaclaw-tray skills retire dates`" in said.err


def test_scripts_say_yes_beforehand_and_may_retire_at_once(paths, capsys):
    answers = Answers(ANSWERS)
    with admin_app(paths, answers):
        line = "turns forget --agent claw --before 2026-03-01T18:30 --yes --retire --json"
        assert run(line.split()) == 0
    before = datetime(2026, 3, 1, 18, 30).astimezone()
    assert answers.asked == [
        api.LookAtForgetting(agent="claw", before=before),
        api.ForgetTurns(agent="claw", before=before, until=AT),
        api.RetireSkill(name="dates", yes=True),
    ]
    assert json.loads(capsys.readouterr().out)["turns"] == 12


def test_nothing_to_forget_is_said_and_nothing_asked(paths, capsys):
    nothing = api.ForgetOutlook(
        turns=0, exchanges=0, sessions=0, messages=0, bytes=0, first_at=None, last_at=None, shared=0,
        under_way=1, claims=0, proposals=[], skills=[], copies=[], until=AT,
    )  # fmt: skip
    answers = Answers({**ANSWERS, api.LookAtForgetting: nothing})
    with admin_app(paths, answers):
        assert run(["turns", "forget", "last", "--yes"]) == 1
    assert answers.asked == [api.LookAtForgetting(turns=["last"])]
    said = capsys.readouterr().err
    assert "1 turns that are under way" in said
    assert "Nothing to forget" in said


@pytest.mark.parametrize("line", ["turns forget", "turns forget --yes", "turns forget --before yesterday"])
def test_what_is_meant_has_to_be_said(paths, capsys, line: str):
    assert run(line.split()) == 2
