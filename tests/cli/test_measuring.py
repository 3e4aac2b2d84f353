"""What a skill is worth, and what it was measured on, by command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from skills_ref import validate

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.errors import LearningError
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

TEXT = "---\nname: dates\ndescription: Write dates as ISO 8601.\n---\n\nDo.\n"
EVALS = '{"skill_name": "dates", "evals": []}\n'
MEASURED = api.SkillMeasured(
    name="dates",
    version=2,
    outcome="same",
    reason="no difference: better on 0 of 7 requests it was not taught on",
    model="m",
    requests=7,
    wins=0,
    losses=0,
    ties=7,
)


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path / "home"))
    return Paths.find()


@pytest.fixture
def answers() -> Answers:
    return Answers(
        {
            api.MeasureSkill: MEASURED,
            api.ExportSkills: [
                api.ExportedSkill("dates", TEXT, EVALS, ["No, in capitals."]),
                api.ExportedSkill("old", TEXT.replace("dates", "old")),
            ],
        }
    )


@pytest.fixture
def app(paths: Paths, answers: Answers) -> Iterator[None]:
    with admin_app(paths, answers):
        yield


def test_a_skill_is_measured_again_and_the_result_is_said_in_words(
    app: None, answers: Answers, capsys: Any
) -> None:
    assert run(["skills", "measure", "dates"]) == 0
    said = capsys.readouterr().out
    assert "dates@2" in said
    assert "no difference: better on 0 of 7" in said
    assert answers.asked == [api.MeasureSkill(name="dates")]
    assert run(["skills", "measure", "dates", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "same"


def test_why_it_cannot_be_measured_is_said(paths: Paths, capsys: Any) -> None:
    why = LearningError("There is nothing to measure it on", "“dates” has no requests.", "")
    with admin_app(paths, Answers({api.MeasureSkill: why})):
        assert run(["skills", "measure", "dates"]) == 1
    assert "has no requests" in capsys.readouterr().err


def test_what_a_skill_was_measured_on_goes_with_it(app: None, tmp_path: Path) -> None:
    assert run(["skills", "export", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/dates/evals/evals.json").read_text("utf-8") == EVALS
    assert validate(tmp_path / "out/dates") == []
    assert not (tmp_path / "out/old/evals").exists()
    assert run(["skills", "export", str(tmp_path / "out")]) == 0, "all of it stands there already"


def test_the_persons_own_words_leave_only_where_they_say_so_and_are_shown_first(
    app: None, answers: Answers, tmp_path: Path, capsys: Any
) -> None:
    assert run(["skills", "export", str(tmp_path / "one")]) == 0
    said = capsys.readouterr()
    assert "What you said yourself is left out of the evals; --with-quotes puts it in." in said.err
    assert "capitals" not in said.err + said.out
    assert run(["skills", "export", str(tmp_path / "two"), "--with-quotes"]) == 0
    assert "dates: its evals quote what you said: “No, in capitals.”" in capsys.readouterr().err
    assert answers.asked == [api.ExportSkills(), api.ExportSkills(quotes=True)]


def test_other_evals_that_stand_there_stay_until_it_is_forced(app: None, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "out/dates/evals/evals.json"
    file.parent.mkdir(parents=True)
    file.write_text("mine", "utf-8")
    assert run(["skills", "export", str(tmp_path / "out")]) == 0
    assert f"its evals were not written to {file}" in capsys.readouterr().err
    assert file.read_text("utf-8") == "mine"
    assert run(["skills", "export", str(tmp_path / "out"), "--force"]) == 0
    assert file.read_text("utf-8") == EVALS


def test_evals_are_written_through_no_link(app: None, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out/dates").mkdir(parents=True)
    (tmp_path / "out/dates/evals").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert run(["skills", "export", str(tmp_path / "out"), "--force"]) == 0
    assert "is a link" in capsys.readouterr().err
    assert list((tmp_path / "elsewhere").iterdir()) == []
