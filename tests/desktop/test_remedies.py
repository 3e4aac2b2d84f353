"""What the app tells a terminal to type, the window says without the command, and leads to the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import metaclaw_tray
from metaclaw_tray.desktop.remedies import InWindow, in_window

APP = Path(metaclaw_tray.__file__).parent
ROOMS = [each for each in APP.iterdir() if each.is_dir() and each.name not in ("cli", "demo", "desktop")]
BEFORE_A_WINDOW = ("doctor", "serve", "status`), or end it")  # said where no app, and so no window, runs


def words_of(tree: ast.AST) -> Iterator[str]:
    """The texts of a module, with a word in the place of each value; but for what explains the code."""
    left = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    left |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (each.value if isinstance(each, ast.Constant) else "this" for each in node.values)
            yield "".join(str(each) for each in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left:
            yield node.value


TOLD = sorted(
    {
        words
        for room in ROOMS
        for file in room.rglob("*.py")
        for words in words_of(ast.parse(file.read_text("utf-8")))
        if "`metaclaw-tray" in words
    }
)


@pytest.mark.parametrize("told", TOLD)
def test_nothing_that_the_app_says_tells_a_window_to_type_a_command(told: str) -> None:
    said = in_window(told)
    if not any(each in told for each in BEFORE_A_WINDOW):
        assert "metaclaw-tray " not in said.text
    assert not re.search(r"(^|\s)[,;:.)]|[,;:(]\s*$|[,;:]\.|  |\.\s*\.", said.text), said.text
    assert said.text == said.text.strip()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Read it again.", InWindow("Read it again.")),
        ("`metaclaw-tray skills list` shows them.", InWindow("", "skills")),
        ("See `metaclaw-tray status` and `metaclaw-tray ledger list`.", InWindow("", "today")),
        (
            "Take another name, or make a new token: `metaclaw-tray agents rotate coder`.",
            InWindow("Take another name, or make a new token.", "agents"),
        ),
        (
            "Added: dates@1. The library is generation 3. To take it back: `metaclaw-tray undo 01ab`.",
            InWindow("Added: dates@1. The library is generation 3.", "skills"),
        ),
        ("Run `metaclaw-tray doctor`.", InWindow("Run `metaclaw-tray doctor`.")),
        ("It is e.g. v1.2; nothing to type.", InWindow("It is e.g. v1.2; nothing to type.")),
    ],
)
def test_the_words_stay_and_the_page_takes_the_place_of_the_command(told: str, said: InWindow) -> None:
    assert in_window(told) == said


def test_most_of_what_the_app_says_leads_to_a_page() -> None:
    opened = ("`metaclaw-tray` opens it again", "`metaclaw-tray this` names them")  # which stands open then
    left = [each for each in TOLD if not any(word in each for word in (*BEFORE_A_WINDOW, *opened))]
    assert [each for each in left if not in_window(each).place] == []
