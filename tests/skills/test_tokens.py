"""The estimate is a limit people pay by: it must never say less than the truth by much."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.tokens import estimate_tokens, walked

# Counted with the tokenizer of Qwen2.5-Coder.
COUNTED = [
    ("Write every date and time as ISO 8601 with its offset, for example 2025-03-09T14:30:00+01:00.", 45),
    ("Schrijf elke datum en tijd volgens ISO 8601, met de tijdzone erbij.", 24),
    ("Erstelle vor jeder Änderung eine Sicherungskopie und bestätige die Wiederherstellungsmöglichkeit.", 28),
    ("所有日期和时间都写成带时区的格式。", 13),
    ("Перед изменением файла всегда делай резервную копию.", 17),
    ("def total(items: list[int]) -> int:\n    return sum(items)\n", 15),
    ("🎉🚀 done ✅", 5),
]


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_estimate_leans_high_and_never_falls_a_tenth_short(text: str, counted: int) -> None:
    assert 0.9 * counted <= estimate_tokens(text) <= 2 * counted


def test_every_cjk_character_costs_a_token() -> None:
    assert estimate_tokens("日期和时间") == 5


@settings(deadline=None)
@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(first: str, second: str) -> None:
    assert estimate_tokens(first + second) >= estimate_tokens(first)


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=127)) | st.text("ab1. \t\n\r\x00", max_size=60))
def test_ascii_is_counted_as_any_other_text(text: str) -> None:
    assert estimate_tokens(text) == walked(text)


@settings(deadline=None)
@given(st.text(min_size=1).filter(str.strip))
def test_any_text_with_something_in_it_costs_something(text: str) -> None:
    assert estimate_tokens(text) >= 1
