"""What fits is found, and where nothing fits nothing is."""

from __future__ import annotations

import random
import tomllib
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.retrieval import COMPARISONS, POSTINGS, Index

CASES = tomllib.loads(Path(__file__).with_name("retrieval_cases.toml").read_text(encoding="utf-8"))
ENTRIES = [
    Entry(skill["name"], skill["description"], tuple(skill["triggers"].split("; ")))
    for skill in CASES["skills"]
]
LABELLED = Index(ENTRIES)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_labelled_requests_find_their_skills(split: str) -> None:
    wanted = found = 0
    for case in CASES[split]:
        names = {match.name for match in LABELLED.find(case["text"], 2)}
        wanted += len(case["fits"])
        found += len(names & set(case["fits"]))
    assert found >= 0.9 * wanted


@pytest.mark.parametrize("split", ["dev", "test"])
def test_labelled_requests_that_need_none_get_none(split: str) -> None:
    unneeding = [case["text"] for case in CASES[split] if not case["fits"]]
    wrong = [text for text in unneeding if LABELLED.find(text, 2)]
    assert len(wrong) <= 0.05 * len(unneeding), wrong


def test_labelled_requests_rarely_get_what_does_not_fit() -> None:
    cases = CASES["dev"] + CASES["test"]
    wrong = [
        (case["text"], match.name)
        for case in cases
        for match in LABELLED.find(case["text"], 2)
        if match.name not in case["fits"]
    ]
    assert len(wrong) <= 0.05 * len(cases), wrong


@pytest.mark.parametrize("query", ["", " \n\t", "!?…", "the and of", "\ud800", "🎉", "x" * 10_000])
def test_request_without_words_fits_nothing(query: str) -> None:
    assert LABELLED.find(query, 2) == []


def test_empty_library_fits_nothing() -> None:
    assert Index([]).find("what time is it", 2) == []


def test_one_skill_alone_does_not_fit_everything() -> None:
    alone = Index([ENTRIES[0]])
    assert alone.find("what time does the concert start", 2)
    assert not alone.find("write a haiku about autumn", 2)


def test_forms_of_a_word_are_found_by_their_character_grams() -> None:
    index = Index([Entry("appointments", "Note each appointment.", ("appointment",))])
    assert index.find("list my appointments", 1)
    assert not index.find("list my apples", 1)


def test_inflected_triggers_are_found() -> None:
    index = Index([Entry("a", "x", ("flight",)), Entry("b", "x", ("bestandsnaam",))])
    assert [match.name for match in index.find("are there flights on friday", 2)] == ["a"]
    assert [match.name for match in index.find("welke bestandsnamen passen hierbij", 2)] == ["b"]


def test_two_forms_of_a_word_count_once() -> None:
    once = Index([Entry("a", "x", ("change",))]).find("change", 1)
    both = Index([Entry("a", "x", ("change", "changes"))]).find("change", 1)
    assert both == once


def test_accents_case_and_width_make_no_difference() -> None:
    index = Index([Entry("cafe", "About cafés.", ("café",))])
    assert index.find("CAFE", 1) == index.find("café", 1) == index.find("ｃａｆｅ", 1) != []


def test_whole_trigger_phrase_weighs_more_than_its_words_apart() -> None:
    index = Index([Entry("a", "x", ("red wine", "blue")), Entry("b", "x", ("red sea", "blue wine"))])
    first, second = index.find("a red wine stain", 2)
    assert (first.name, second.name) == ("a", "b")
    assert first.score > second.score + 0.5


def test_excluded_skills_make_room_for_the_next() -> None:
    text = "write a python function that prints the time"
    names = [match.name for match in LABELLED.find(text, 2)]
    assert names[0] not in [match.name for match in LABELLED.find(text, 2, exclude={names[0]})]


def test_equal_scores_come_in_the_order_of_names() -> None:
    entries = [Entry(name, "Watering the orchids weekly.", ("orchids",)) for name in "cab"]
    assert [match.name for match in Index(entries).find("my orchids look sad", 3)] == ["a", "b", "c"]
    assert Index(entries).find("orchids", 2) == Index(reversed(entries)).find("orchids", 2)


def test_nothing_is_answered_after_the_deadline() -> None:
    index = Index(ENTRIES, monotonic=lambda: 10.0)
    assert index.look_up("what time is it", 2, deadline=10.0).matches
    late = index.look_up("what time is it", 2, deadline=9.99)
    assert late.late
    assert late.matches == ()


def test_end_of_a_huge_request_is_looked_at_too() -> None:
    log = "\n".join(f"0x{n:08x} worker stalled" for n in range(2000))
    assert LABELLED.find(f"{log}\nwrite a commit message for this", 2)[0].name == "commit-messages"


def library_of(count: int) -> list[Entry]:
    """Skills with words as skewed as those of a language."""
    dice = random.Random(7)
    parts = ["ba", "co", "de", "fi", "go", "hu", "in", "ka", "lo", "me", "pre", "ra", "tion", "un", "ver"]
    words = ["".join(dice.choices(parts, k=dice.randint(2, 4))) for _ in range(2 * count)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(words))))

    def some(k: int) -> str:
        return " ".join(dice.choices(words, cum_weights=weights, k=k))

    return [Entry(f"s-{n}-{some(1)}", some(18), tuple(some(2) for _ in range(4))) for n in range(count)]


def test_lookup_among_ten_thousand_skills_touches_a_bounded_number_of_entries() -> None:
    entries = library_of(10_000)
    index = Index(entries)
    assert len(index) == 10_000
    for k in (1, 10, 100, 1000):
        query = " ".join(entry.description for entry in entries[:k])
        lookup = index.look_up(query, 2)
        assert 0 < lookup.touched <= POSTINGS + COMPARISONS
    assert index.find(entries[5000].description, 1)[0].name == entries[5000].name


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 3))
def test_any_text_gives_a_bounded_repeatable_answer(query: str, limit: int) -> None:
    found = LABELLED.find(query, limit)
    assert len(found) <= limit
    assert found == LABELLED.find(query, limit)
    assert found == sorted(found, key=lambda match: (-match.score, match.name))


@settings(deadline=None)
@given(st.data())
def test_changed_index_answers_as_one_made_anew(data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(ENTRIES), max_size=12, unique_by=lambda entry: entry.name)
    entries = {entry.name: entry for entry in data.draw(some)}
    index = Index(entries.values())
    for _ in range(data.draw(st.integers(1, 4))):
        gone = data.draw(st.sets(st.sampled_from([entry.name for entry in ENTRIES]), max_size=4))
        come = [
            Entry(entry.name, data.draw(st.sampled_from(ENTRIES)).description, entry.triggers)
            for entry in data.draw(some)
        ]
        before = [index.look_up(case["text"], 2) for case in CASES["dev"]]
        changed = index.changed(gone, come)
        assert before == [index.look_up(case["text"], 2) for case in CASES["dev"]]
        entries = {name: entry for name, entry in entries.items() if name not in gone}
        entries |= {entry.name: entry for entry in come}
        index, anew = changed, Index(entries.values())
        assert len(index) == len(anew) == len(entries)
        for case in CASES["dev"]:
            assert index.look_up(case["text"], 3) == anew.look_up(case["text"], 3)
