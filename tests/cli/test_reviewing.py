"""The commands of review, as a person gives them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import structs

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

ROW = api.ProposalRow(
    id="p1", op="create", skill="dates", why="asked for", evidence=["e1"], gate=None, outcome="not measured"
)
WAITING = [
    structs.replace(ROW, id=f"p{number}", waits="at most 3 a day are put before you") for number in (2, 3)
]
SNOOZED = structs.replace(ROW, id="p4", waits="snoozed until 2026-03-04 12:00 UTC")
DETAIL = api.ProposalDetail(
    proposal=ROW, text="Use ISO.\n", diff="+Use ISO.", exchanges=[], gate_details=[], digest="d1",
    source="Careful: a part of this came from a web page, not from you.",
)  # fmt: skip
DONE = api.Said(text="Done.")


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


def test_the_listing_says_how_many_wait_and_why(paths, capsys) -> None:
    with admin_app(paths, Answers({api.ListReview: [ROW, *WAITING, SNOOZED]})):
        assert run(["review", "list"]) == 0
    shown = capsys.readouterr().out
    assert "p1" in shown
    assert "p2" not in shown
    assert (
        "3 more wait (2: at most 3 a day are put before you; 1: snoozed until 2026-03-04 12:00 UTC)" in shown
    )


def test_those_that_wait_are_listed_where_that_is_asked_for(paths, capsys) -> None:
    with admin_app(paths, Answers({api.ListReview: [ROW, *WAITING]})):
        assert run(["review", "list", "--waiting"]) == 0
    shown = capsys.readouterr().out
    assert "p2" in shown
    assert "more wait" not in shown


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("review list --json", api.ListReview()),
        ("review list --waiting --json", api.ListReview(waiting=True)),
    ],
)
def test_scripts_are_given_what_is_put_before_the_person(paths, capsys, line: str, asked) -> None:
    answers = Answers({api.ListReview: [ROW]})
    with admin_app(paths, answers):
        assert run(line.split()) == 0
    assert answers.asked == [asked]


def test_where_a_rule_came_from_is_said_first_of_all(paths, capsys) -> None:
    with admin_app(paths, Answers({api.ShowProposal: DETAIL})):
        assert run(["review", "show", "p1"]) == 0
    assert capsys.readouterr().out.startswith("Careful: a part of this came from a web page")


def test_an_edited_text_is_bound_to_what_was_read(paths, tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("Use ISO 8601.\n", "utf-8")
    answers = Answers({api.ShowProposal: DETAIL, api.EditProposal: DONE})
    with admin_app(paths, answers):
        assert run(["review", "edit", "p1", "--file", str(file)]) == 0
    assert answers.asked[-1] == api.EditProposal(id="p1", text="Use ISO 8601.\n", seen="d1")


def test_the_persons_own_editor_is_used(paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "Edited.\\n" > "$1"\ntouch -t 203001010000 "$1"\n', "utf-8")
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    answers = Answers({api.ShowProposal: DETAIL, api.EditProposal: DONE})
    with admin_app(paths, answers):
        assert run(["review", "edit", "p1"]) == 0
    assert answers.asked[-1] == api.EditProposal(id="p1", text="Edited.\n", seen="d1")


def test_a_text_that_was_not_edited_decides_nothing(paths, tmp_path: Path, capsys) -> None:
    file = tmp_path / "same.md"
    file.write_text(DETAIL.text, "utf-8")
    answers = Answers({api.ShowProposal: DETAIL})
    with admin_app(paths, answers):
        assert run(["review", "edit", "p1", "--file", str(file)]) == 0
    assert "nothing was decided" in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * (1024 * 1024 + 1)])
def test_a_file_that_is_no_text_is_refused_in_words(paths, tmp_path: Path, capsys, data: bytes) -> None:
    file = tmp_path / "odd.md"
    file.write_bytes(data)
    with admin_app(paths, Answers({api.ShowProposal: DETAIL})):
        assert run(["review", "edit", "p1", "--file", str(file)]) == 1
    assert "The text" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_in_place_of_a_file_holds_nobody_up(paths, tmp_path: Path, capsys) -> None:
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    with admin_app(paths, Answers({api.ShowProposal: DETAIL})):
        assert run(["review", "edit", "p1", "--file", str(pipe)]) == 1
    assert ", not a file" in capsys.readouterr().err


def test_what_was_changed_outside_is_not_said_to_come_from_the_person(paths, capsys) -> None:
    changed = structs.replace(ROW, op="outside", evidence=[], why="added to the skills folder from outside")
    with admin_app(paths, Answers({api.ListReview: [changed]})):
        assert run(["review", "list"]) == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("p1")]
    assert row[:5] == ["p1", "pending", "outside", "dates", "outside"]


@pytest.mark.parametrize("time", ["", "1", "1y", "0d", "-1d", "1.5h", "99999d"])
def test_a_time_that_is_none_is_wrong_usage(paths, capsys, time: str) -> None:
    assert run(["review", "snooze", "p1", "--for", time]) == 2
    assert "no time such as" in capsys.readouterr().err


@pytest.mark.parametrize("sessions", ["1", "0", "201", "many"])
def test_a_trial_of_too_few_or_too_many_sessions_is_wrong_usage(paths, sessions: str) -> None:
    assert run(["review", "trial", "p1", "--sessions", sessions]) == 2
