"""Trigger phrases that would have found a skill, out of the person's own requests."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.phrases import PHRASES, phrases_for, spans, with_phrases
from metaclaw_tray.skills.retrieval import Index
from metaclaw_tray.skills.words import words

CHARTS = Entry("charts", "Use colours in a bar chart that the colour-blind can tell apart.", ("bar chart",))
DUTCH = "Maak een staafdiagram van het stroomverbruik per maand."
CHINESE = "请用这些数据画一张柱状图，谢谢"


def by(**near: float) -> Callable[[str], float]:
    """A similarity: that of the first of these pieces which the text is or holds, else nothing."""

    def similarity(text: str) -> float:
        exact = [value for piece, value in near.items() if text.lower() == piece]
        held = [value / 2 for piece, value in near.items() if piece in text.lower()]
        return max([*exact, *held], default=0.0)

    return similarity


def test_the_telling_word_of_a_request_in_another_language_becomes_a_phrase() -> None:
    assert phrases_for(CHARTS, [DUTCH], by(staafdiagram=0.9), 0.3, 0.6) == ["staafdiagram"]


def test_a_phrase_is_found_in_a_script_without_spaces() -> None:
    assert phrases_for(CHARTS, [CHINESE], by(柱状图=0.9), 0.3, 0.6) == ["柱状图"]


def test_with_its_phrases_the_skill_is_found_for_those_requests() -> None:
    found = phrases_for(CHARTS, [DUTCH, CHINESE], by(staafdiagram=0.9, 柱状图=0.8), 0.3, 0.6)
    better = with_phrases(CHARTS, found)
    assert better.triggers[0] == "bar chart"
    for request in (DUTCH, CHINESE):
        assert not Index([CHARTS]).find(request, 1)
        assert Index([better]).find(request, 1)


def test_a_request_that_finds_the_skill_already_gives_no_phrase() -> None:
    assert phrases_for(CHARTS, ["make a bar chart of the sales"], lambda _: 1.0, 0.3, 0.6) == []


def test_requests_about_something_else_give_no_phrase() -> None:
    assert phrases_for(CHARTS, [DUTCH], lambda _: 0.1, 0.3, 0.6) == []


def test_a_word_that_other_requests_hold_too_is_no_phrase() -> None:
    others = ["Wat is een staafdiagram eigenlijk voor woord?"]

    def similarity(text: str) -> float:
        return 0.0 if text in others else by(staafdiagram=0.9)(text)

    assert "staafdiagram" not in phrases_for(CHARTS, [DUTCH, *others], similarity, 0.3, 0.6)


def test_names_figures_and_addresses_are_no_part_of_a_phrase() -> None:
    request = "Stuur de tabel van Miriam naar ada@example.org of /srv/tabellen, voor 2026 en Jansen erbij."
    for span in spans(request):
        for piece in ("miriam", "jansen", "@", "/", "2026"):
            assert piece not in span, span


def test_german_nouns_are_no_names() -> None:
    assert "balkendiagramm" in spans("Erstelle ein Balkendiagramm vom Verbrauch im Monat")


def test_what_was_most_asked_for_comes_first_and_few_are_proposed() -> None:
    made = [
        f"Graag een {word} tekenen" for word in ("grafiek", "taartpunt", "lijnplot", "histogram", "puntwolk")
    ]
    made += ["Maak een histogram", "Nu een histogram graag"]
    near = dict.fromkeys(("grafiek", "taartpunt", "lijnplot", "histogram", "puntwolk"), 0.8)
    found = phrases_for(CHARTS, made, by(**near), 0.3, 0.6)
    assert found[0] == "histogram"
    assert len(found) == PHRASES


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_spans_of_any_text_are_few_short_and_of_its_words(text: str) -> None:
    found = spans(text)
    assert len(found) <= 80
    for span in found:
        assert 1 <= len(span) <= 40
        assert words(span)
        assert ";" not in span
        assert "\n" not in span
