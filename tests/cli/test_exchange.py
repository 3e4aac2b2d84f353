"""Skills from other programs and to them, by command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from skills_ref import validate

from metaclaw_tray.admin import api
from metaclaw_tray.cli import exporting, run
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

TEXT = "---\nname: dates\ndescription: Write dates as ISO 8601.\n---\n\nDo.\n"
OTHER = TEXT.replace("Do.", "Do not.")


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path / "home"))
    return Paths.find()


@pytest.fixture
def app(paths: Paths) -> Iterator[None]:
    exported = [api.ExportedSkill("dates", TEXT), api.ExportedSkill("Old Name", "Only text.")]
    with admin_app(paths, Answers({api.ExportSkills: exported})):
        yield


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """Somebody's `.claude/skills`."""
    root = tmp_path / ".claude/skills"
    for name, text in (("dates", TEXT), ("pdf", "# PDF\n\nRun scripts/fill.py.")):
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").write_text(text, "utf-8")
    (root / "pdf/scripts").mkdir()
    (root / "pdf/scripts/fill.py").write_text("raise SystemExit", "utf-8")
    (tmp_path / "private").mkdir()
    (tmp_path / "private/SKILL.md").write_text(TEXT.replace("dates", "private"), "utf-8")
    (root / "private").symlink_to(tmp_path / "private", target_is_directory=True)
    (root / "broken").symlink_to("nowhere")
    return root


class TestImport:
    def test_what_is_there_is_told_without_an_app(self, paths: Paths, skills: Path, capsys: Any) -> None:
        assert run(["skills", "import", str(skills), "--list"]) == 0
        said = capsys.readouterr().out
        assert str(skills / "dates/SKILL.md") in said
        assert "1 script was left out; it is never run" in said
        assert "without a header" in said
        assert f"{skills / 'private'} → {skills.parents[1] / 'private'}" in said
        assert f"{skills / 'broken'}: it is a link to nowhere" in said
        assert not paths.home.exists()

    def test_scripts_get_all_of_it_as_json(self, paths: Paths, skills: Path, capsys: Any) -> None:
        assert run(["skills", "import", str(skills), "--list", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert [skill["name"] for skill in found["skills"]] == ["dates", "pdf"]
        assert found["skills"][0] == {
            "name": "dates",
            "description": "Write dates as ISO 8601.",
            "file": str(skills / "dates/SKILL.md"),
            "warnings": [],
            "scripts": 0,
            "others": 0,
            "left_out": "",
            "too_long": "",
            "text": TEXT,
        }
        assert [each["target"] for each in found["outside"]] == [str(skills.parents[1] / "private")]
        assert [each["path"] for each in found["skipped"]] == [str(skills / "broken")]
        assert found["stopped"] == ""

    def test_long_list_of_what_was_left_aside_is_cut_for_people(
        self, paths: Paths, tmp_path: Path, capsys: Any
    ) -> None:
        (tmp_path / "in").mkdir()
        for number in range(45):
            (tmp_path / f"in/{number}").symlink_to("nowhere")
        assert run(["skills", "import", str(tmp_path / "in")]) == 0
        said = capsys.readouterr().out
        assert said.count("it is a link to nowhere") == 40
        assert "and 5 more" in said

    def test_link_that_was_allowed_is_followed(self, paths: Paths, skills: Path, capsys: Any) -> None:
        allow = ["--allow", str(skills.parents[1] / "private")]
        assert run(["skills", "import", str(skills), "--json", *allow, "private"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert [skill["name"] for skill in found["skills"]] == ["private"]
        assert found["outside"] == []

    def test_named_ones_go_to_the_app_with_what_is_to_be_known_of_them(
        self, paths: Paths, skills: Path, capsys: Any
    ) -> None:
        answers = Answers({api.ImportSkills: api.Said("Imported: 1 skill.")})
        with admin_app(paths, answers):
            assert run(["skills", "import", str(skills), "pdf", "--yes"]) == 0
        assert "Imported: 1 skill." in capsys.readouterr().out
        (verb,) = answers.asked
        assert verb.yes
        (brought,) = verb.skills
        assert brought.origin == str(skills / "pdf/SKILL.md")
        assert "Run scripts/fill.py." in brought.text
        assert "1 script was left out; it is never run" in brought.remarks

    def test_what_is_only_looked_at_needs_no_app(self, paths: Paths, skills: Path, capsys: Any) -> None:
        for form in (["--all", "--list"], ["--all", "--json"], []):
            assert run(["skills", "import", str(skills), *form]) == 0
        assert run(["skills", "import", str(skills), "--all"]) == 3
        assert "not running" in capsys.readouterr().err.lower()

    def test_name_that_is_not_there_or_there_twice_is_said(
        self, paths: Paths, skills: Path, capsys: Any
    ) -> None:
        assert run(["skills", "import", str(skills), "nothing"]) == 1
        assert "No such skill" in capsys.readouterr().err
        (skills / "again").mkdir()
        (skills / "again/SKILL.md").write_text(OTHER, "utf-8")
        assert run(["skills", "import", str(skills), "dates"]) == 1
        assert "Two skills of one name" in capsys.readouterr().err

    def test_folder_that_is_empty_missing_or_oddly_named_is_no_bug(
        self, paths: Paths, tmp_path: Path, capsys: Any
    ) -> None:
        odd = tmp_path / "odd" / os.fsdecode(b"\xff[x]")
        odd.mkdir(parents=True)
        assert run(["skills", "import", str(tmp_path / "odd")]) == 0
        assert "No skill lies in" in capsys.readouterr().out
        (odd / "SKILL.md").write_text("Do.", "utf-8")
        for form in ([], ["--json"], ["--all", "--list"]):
            assert run(["skills", "import", str(tmp_path / "odd"), *form]) == 0
        assert "Traceback" not in capsys.readouterr().err
        assert run(["skills", "import", str(tmp_path / "nothing")]) == 1
        assert "Cannot look for skills" in capsys.readouterr().err

    def test_code_page_that_lacks_its_letters_is_no_bug(self, paths: Paths, tmp_path: Path) -> None:
        """E07"""
        (tmp_path / "in/日期").mkdir(parents=True)
        (tmp_path / "in/日期/SKILL.md").write_text("Wann — 日期?", "utf-8")
        old = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
        done = subprocess.run(
            [sys.executable, "-m", "metaclaw_tray", "skills", "import", str(tmp_path / "in"), "--list"],
            env={**os.environ, **old},
            capture_output=True,
            check=True,
        )
        assert "Wann — \\u65e5\\u671f?" in done.stdout.decode("cp1252")


class TestExport:
    def test_everything_written_is_valid_and_what_changed_is_said(
        self, app: None, tmp_path: Path, capsys: Any
    ) -> None:
        assert run(["skills", "export", str(tmp_path / "out"), "--json"]) == 0
        said = capsys.readouterr()
        files = [Path(file) for file in json.loads(said.out)]
        assert [file.parent.name for file in files] == ["dates", "old-name"]
        assert [validate(file.parent) for file in files] == [[], []]
        assert "renamed from “Old Name” to “old-name”" in said.err

    def test_another_text_stays_until_it_is_forced(self, app: None, tmp_path: Path, capsys: Any) -> None:
        file = tmp_path / "out/dates/SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(OTHER, "utf-8")
        assert run(["skills", "export", str(tmp_path / "out")]) == 1
        said = capsys.readouterr()
        assert f"{file}: another text stands there" in said.err
        assert "--force" in said.err
        assert str(tmp_path / "out/old-name/SKILL.md") in said.out
        assert file.read_text("utf-8") == OTHER
        assert run(["skills", "export", str(tmp_path / "out"), "--force"]) == 0
        assert file.read_text("utf-8") == TEXT

    @pytest.mark.parametrize("yes", [True, False])
    def test_at_a_terminal_the_person_is_asked(
        self, app: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, yes: bool
    ) -> None:
        file = tmp_path / "out/dates/SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(OTHER, "utf-8")
        asked: list[str] = []
        monkeypatch.setattr(exporting.sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(click, "confirm", lambda text, **options: asked.append(text) or yes)
        assert run(["skills", "export", str(tmp_path / "out")]) == (0 if yes else 1)
        assert asked == [f"{file} holds another text. Write over it?"]
        assert file.read_text("utf-8") == (TEXT if yes else OTHER)

    def test_nothing_is_written_through_a_link(self, app: None, tmp_path: Path, capsys: Any) -> None:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "out").mkdir()
        (tmp_path / "out/dates").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
        assert run(["skills", "export", str(tmp_path / "out"), "--force"]) == 1
        assert "is a link" in capsys.readouterr().err
        assert list((tmp_path / "elsewhere").iterdir()) == []

    def test_file_in_the_place_of_the_folder_is_said(self, app: None, tmp_path: Path, capsys: Any) -> None:
        (tmp_path / "file").write_text("x", "utf-8")
        assert run(["skills", "export", str(tmp_path / "file/below")]) == 1
        assert "The skill cannot be written" in capsys.readouterr().err


def test_pipe_given_as_a_skill_is_said_and_not_waited_for(paths: Paths, tmp_path: Path, capsys: Any) -> None:
    os.mkfifo(tmp_path / "SKILL.md")
    for path in (tmp_path, tmp_path / "SKILL.md"):
        assert run(["skills", "add", str(path)]) == 1
        assert ", not a file" in capsys.readouterr().err
