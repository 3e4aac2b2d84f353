"""From text to terms."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.words import fold, grams, pairs, terms, weight, words


def test_function_words_and_single_letters_vanish() -> None:
    assert terms("Please write a report on the café in X") == ["write", "report", "cafe"]


def test_unspaced_scripts_become_pairs() -> None:
    assert terms("时区转换") == ["时区", "区转", "转换"]
    assert terms("用python写") == ["用", "python", "写"]


def test_names_and_identifiers_fall_into_words() -> None:
    assert terms("iso-8601-dates snake_case") == ["iso", "8601", "dates", "snake", "case"]


def test_hangul_and_kana_survive_folding() -> None:
    assert fold("한국어 が") == "한국어 が"


def test_common_words_tell_little() -> None:
    assert weight("write") == weight("names") < weight("invoice") == 1.0


def test_common_words_are_known_by_their_plain_form() -> None:
    assert weight("questions") == weight("answered") == weight("question") < weight("invoices")


def test_neighbours_are_pairs_with_function_words_too() -> None:
    assert pairs(words("What time is it?")) == ["what time", "time is", "is it"]


def test_grams_mark_the_ends() -> None:
    assert grams("date") == {"^da", "dat", "ate", "te$"}


@settings(deadline=None)
@given(st.text())
def test_terms_are_folded_and_not_empty(text: str) -> None:
    assert all(term and term == fold(term) for term in terms(text))
