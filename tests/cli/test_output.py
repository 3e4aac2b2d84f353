from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.cli import output
from metaclaw_tray.cli.output import pairs, plain, shown, table, width


def test_columns_are_as_wide_as_they_need():
    rows = [("a", 1, None), ("long name", 22, ["x", "y"])]
    assert table(["name", "n", "what"], rows, empty="").splitlines() == [
        "NAME       N   WHAT",
        "a          1   -",
        "long name  22  x, y",
    ]


def test_the_last_column_wraps_to_the_terminal(monkeypatch):
    monkeypatch.setattr(output, "columns", lambda: 26)
    monkeypatch.setattr(output.sys.stdout, "isatty", lambda: True, raising=False)
    assert table(["id", "why"], [("p1", "one two three four five six")], empty="").splitlines() == [
        "ID  WHY",
        "p1  one two three four",
        "    five six",
    ]


def test_no_rows_say_so():
    assert table(["id"], [], empty="Nothing waits for you.") == "Nothing waits for you."


def test_wide_letters_take_two_columns():
    assert width("日本e\u0301") == 5
    lines = table(["a", "b"], [("日本", "x"), ("ab", "y")], empty="").splitlines()
    assert lines[1:] == ["日本  x", "ab    y"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (0.5, "0.5"),
        (0.0, "0"),
        (100.0, "100"),
        ([], "-"),
        ("two\nlines", "two lines"),
        (3, "3"),
    ],
)
def test_values_have_one_form(value: object, text: str):
    assert shown(value) == text


def test_times_are_local_to_the_person():
    moment = datetime(2026, 3, 3, 12, tzinfo=UTC)
    assert shown(moment) == moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def test_pairs_stand_below_each_other():
    assert pairs([("a", 1), ("long", "x")]) == "a     1\nlong  x"


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("\x1b[2Jgone", "\\u{1b}[2Jgone"),
        ("a\u202eb", "a\\u{202e}b"),
        ("a\u200bb", "a\\u{200b}b"),
        ("\U000e0041", "\\u{e0041}"),
        ("over\rwritten", "over\\u{d}written"),
        ("a\tb\nc é 日本 🦞", "a\tb\nc é 日本 🦞"),
    ],
)
def test_what_would_hide_or_forge_text_is_made_visible(text: str, visible: str):
    assert plain(text) == visible


@given(st.text())
def test_nothing_that_steers_a_terminal_gets_through(text: str):
    for letter in plain(text):
        assert letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp", "Cs")
