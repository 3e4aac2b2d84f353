"""A timeline's file says what was made up, and what is wrong with one is said by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from metaclaw_tray.cli.main import root
from metaclaw_tray.errors import KnownError
from metaclaw_tray.omls.simulator.figures import simulate
from metaclaw_tray.omls.simulator.people import KINDS, person
from metaclaw_tray.omls.simulator.timeline import read_timeline, timeline_of, written

_WHO = '{"is":"person","kind":"x","begin":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z"}'


@pytest.mark.parametrize("kind", KINDS)
def test_who_was_made_up_is_the_same_out_of_the_file(kind: str, tmp_path: Path) -> None:
    lines = person(kind, seed=7, days=20)
    file = tmp_path / "year.jsonl"
    file.write_bytes(written(lines))
    assert read_timeline(file) == timeline_of(lines) or _alike(file, lines)


def _alike(file: Path, lines: object) -> bool:
    """Spans have no equality of their own."""
    again, made = read_timeline(file), timeline_of(lines)  # type: ignore[arg-type]
    assert again.person == made.person
    assert again.messages == made.messages
    return all(list(again.during[what]) == list(made.during[what]) for what in made.during)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is empty"),
        ('{"is":"message","at":"2026-01-01T00:00:00Z"}', "the first line must say who"),
        (_WHO + "\n{", "line 2"),
        (_WHO + '\n{"is":"message","at":"soon"}', "line 2"),
        (_WHO + "\n" + _WHO, "one person each file"),
        (_WHO.replace("2026-01-02", "2025-01-02"), "must have a length"),
        (_WHO.replace('"x"', '"x","zone":"Europe/Atlantis"'), "there is no time zone Europe/Atlantis"),
        (_WHO.replace('"x"', '"x","sleep":{"every":"23-7"}'), "must look like 23:30-07:00"),
        (_WHO.replace('"x"', '"x","sleep":{"someday":"23:00-07:00"}'), "no day called someday"),
        (
            _WHO + '\n{"is":"during","what":"input","begin":"2026-01-01T02:00:00Z",'
            '"end":"2026-01-01T01:00:00Z"}',
            "ends before",
        ),
        (
            _WHO
            + '\n{"is":"during","what":"input","begin":"2026-01-01T02:00:00","end":"2026-01-01T03:00:00"}',
            "line 2",
        ),
    ],
)
def test_a_file_that_is_none_is_told_by_its_line(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "year.jsonl"
    file.write_text(text)
    with pytest.raises(KnownError, match=says):
        read_timeline(file)


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(KnownError):
        read_timeline(tmp_path / "missing.jsonl")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KnownError):
        read_timeline(tmp_path / "bytes")


def test_the_command_prints_a_table_or_json_and_keeps_the_year(tmp_path: Path) -> None:
    file = tmp_path / "made.jsonl"
    command = ["schedule", "simulate", "--person", "office", "--days", "3", "--write", str(file)]
    printed = CliRunner().invoke(root, command, catch_exceptions=False)
    assert printed.exit_code == 0
    assert "office" in printed.output
    again = CliRunner().invoke(root, ["schedule", "simulate", str(file), "--json"], catch_exceptions=False)
    (figures,) = json.loads(again.output)
    assert figures["wrong_seconds"] == 0
    assert figures["used_share"] == simulate(read_timeline(file)).used_share
