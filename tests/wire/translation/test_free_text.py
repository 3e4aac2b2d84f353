"""The text of a custom tool is read out of arguments that come in pieces."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.translation.free_text import FreeText

WORDS = st.text(st.characters(exclude_categories=["Cs"]))


def read(*pieces: str) -> tuple[list[str], str]:
    """What each piece gives, with the rest at the end; and the whole."""
    free = FreeText()
    given = [free.feed(piece) for piece in pieces]
    rest, text = free.end()
    return [*given, rest], text


@given(WORDS, st.booleans(), st.lists(st.integers(0, 200), max_size=6))
def test_cuts_anywhere_give_the_same_text(text: str, ascii_only: bool, cuts: list[int]) -> None:
    written = json.dumps({"input": text}, ensure_ascii=ascii_only)
    places = sorted({0, *(cut for cut in cuts if cut < len(written)), len(written)})
    pieces = [written[a:b] for a, b in pairwise(places)]
    given, whole = read(*pieces)
    assert whole == text
    assert "".join(given) == text


@given(st.text(), st.text())
def test_whatever_a_model_writes_the_pieces_make_the_whole(first: str, second: str) -> None:
    given, whole = read(first, second)
    assert "".join(given) == whole


def test_text_is_given_as_soon_as_it_can_be_read() -> None:
    given, _ = read('{"input": "ab', "c\\", "nd\\ud83d", '\\ude00"}')
    assert given == ["ab", "c", "\nd", "😀", ""]


def test_text_that_cannot_be_read_on_the_way_comes_at_the_end() -> None:
    lines = "line\n" * 100
    given, whole = read('{"input": "', *(f"line {n}\n" for n in range(50)), lines, '"}')
    assert whole == "".join(f"line {n}\n" for n in range(50)) + lines
    assert "".join(given) == whole


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("*** Begin Patch", "*** Begin Patch"),
        ('"*** Begin Patch"', "*** Begin Patch"),
        ('{"patch": "x"}', "x"),
        ('{"input": "a\nb"}', "a\nb"),
        ('{"why": "y", "input": "x"}', "x"),
        ('{"input": 3}', '{"input": 3}'),
        ('{"input": "cut of', "cut of"),
        ("", ""),
    ],
)
def test_models_write_it_in_other_ways(written: str, expected: str) -> None:
    assert read(written)[1] == expected
