from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaclaw_tray import logs
from metaclaw_tray.logs import configure, configure_child, fields, get_logger, mask


@pytest.fixture(autouse=True)
def _root_logger_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers[:] = []
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_record_is_one_line_with_utc_time_level_and_fields(tmp_path: Path, capsys):
    path = configure(tmp_path / "logs")
    get_logger("metaclaw_tray.proxy").info(
        "turn ended %s", fields(turn="t1", ms=3, why="two words", empty="")
    )
    line = capsys.readouterr().err
    assert line.endswith('Z INFO metaclaw_tray.proxy turn ended turn=t1 ms=3 why="two words" empty=""\n')
    assert path == tmp_path / "logs" / "metaclaw-tray.log"
    assert 'turn ended turn=t1 ms=3 why="two words"' in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET /a/mct_abcdefghij/v1/models", "GET /a/***/v1/models"),
        ("Authorization: Bearer mct_abcdefghij", "Authorization: Bearer ***"),
        ("{'x-api-key': 'sk-abcdefghij'}", "{'x-api-key': '***'}"),
        ("authorization=abc", "authorization=***"),
        ("key sk-abcdefghijk", "key ***"),
    ],
)
def test_tokens_never_reach_a_log(tmp_path: Path, capsys, text: str, shown: str):
    assert mask(text) == shown
    path = configure(tmp_path)
    get_logger("x").info("%s", text)
    assert path is not None
    assert shown in path.read_text()
    assert shown in capsys.readouterr().err


def test_a_token_in_a_traceback_is_starred_out_too(tmp_path: Path, capsys):
    configure(None)
    try:
        raise ValueError("bad /a/mct_abcdefghij/v1")
    except ValueError:
        get_logger("x").exception("oops")
    text = capsys.readouterr().err
    assert "bad /a/***/v1" in text
    assert "Traceback" in text


def test_a_line_break_in_a_value_cannot_forge_a_record(capsys):
    configure(None)
    get_logger("x").info("said %s", "hello\n2030-01-01 INFO x forged")
    assert [line[0] for line in capsys.readouterr().err.splitlines()] == ["2", " "]


def test_a_folder_that_cannot_be_written_leaves_standard_error(tmp_path: Path, capsys):
    (tmp_path / "logs").write_text("in the way")
    assert configure(tmp_path / "logs") is None
    get_logger("x").info("still here")
    text = capsys.readouterr().err
    assert "no log file" in text
    assert "still here" in text


def test_the_file_turns_over_and_stays_private(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr(logs, "FILE_BYTES", 1000)
    path = configure(tmp_path)
    assert path is not None
    for number in range(100):
        get_logger("x").info("line %d", number)
    files = sorted(each.name for each in tmp_path.iterdir())
    assert files == ["metaclaw-tray.log", *(f"metaclaw-tray.log.{number}" for number in (1, 2, 3))]
    assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}
    assert "line 99" in path.read_text()


def test_a_child_leaves_the_time_to_its_parent(capsys):
    configure_child()
    get_logger("scribe").warning("slow disk")
    assert capsys.readouterr().err == "WARNING scribe slow disk\n"
