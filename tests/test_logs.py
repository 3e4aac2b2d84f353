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
        raise RuntimeError("bad /a/mct_abcdefghij/v1")
    except RuntimeError:
        get_logger("x").exception("oops")
    text = capsys.readouterr().err
    assert "bad /a/***/v1" in text
    assert "Traceback" in text


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_known_secrets", ())
    logs.keep_out("plainwordsofakey")
    for nothing in (None, "", "short"):
        logs.keep_out(nothing)


@pytest.mark.usefixtures("known")
def test_a_secret_that_looks_like_none_is_starred_out_once_it_is_known(capsys):
    configure(None)
    get_logger("x").warning("the upstream said %s in a short line", b"plainwordsofakey!")
    assert "the upstream said b'***!' in a short line" in capsys.readouterr().err


def _stumble(kind: type[Exception], words: str) -> None:
    try:
        raise kind(words)
    except kind as error:
        raise KeyError("words of a prompt") from error


@pytest.mark.parametrize("kind", [ValueError, KeyError, TypeError, UnicodeError])
def test_words_that_quote_what_was_read_stay_out_and_the_place_is_named(capsys, kind: type[Exception]):
    configure(None)
    try:
        _stumble(kind, "more of the prompt")
    except KeyError:
        get_logger("x").exception("oops")
    text = capsys.readouterr().err
    assert "prompt" not in text.replace('"more of the prompt"', "").replace('"words of a prompt"', "")
    assert text.count("in _stumble") == 2
    assert f"{kind.__name__}: (" in text
    assert text.index("From this came:") < text.index("KeyError: (its words") + 500


def test_errors_in_a_group_are_told_each(capsys):
    configure(None)
    try:
        raise ExceptionGroup("two", [OSError(28, "No space left"), ValueError("of a prompt")])
    except ExceptionGroup:
        get_logger("x").exception("oops")
    text = capsys.readouterr().err
    assert "ExceptionGroup: two" in text
    assert "No space left" in text
    assert "ValueError: (its words may quote" in text


def test_of_a_lost_tasks_error_the_log_has_no_object(capsys):
    configure(None)
    get_logger("asyncio").error("Task exception was never retrieved\nfuture: <Task 'words of a prompt'>")
    assert capsys.readouterr().err.endswith("Task exception was never retrieved\n")


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
