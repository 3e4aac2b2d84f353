"""What each term stands for in a skill."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.fields import Entry, phrases_of, shares_of
from metaclaw_tray.skills.retrieval import Index


def entry(*triggers: str, description: str = "x") -> Entry:
    return Entry("some-name", description, triggers)


def test_a_single_word_is_a_trigger_whatever_it_is() -> None:
    shares = [shares_of(entry(word))[word] for word in ("orchid", "time", "when")]
    assert shares[0] == shares[1] == shares[2] > 1


def test_the_telling_word_of_a_phrase_stands_for_most_of_it() -> None:
    shares = shares_of(entry("invoice number"))
    assert shares["invoice"] > 1.5 * shares["number"]


def test_common_words_tell_by_standing_side_by_side() -> None:
    shares = shares_of(entry("what time"))
    assert shares["what time"] > shares["time"]
    index = Index([entry("what time", "when is")])
    assert index.find("what time does it open", 1)
    assert index.find("when is the next one", 1)
    assert not index.find("time flies when you have fun", 1)
    assert not index.find("what is this", 1)


def test_a_description_counts_for_more_where_no_trigger_helps() -> None:
    with_trigger = shares_of(entry("orchid", description="about hydroponics"))
    assert shares_of(entry(description="about hydroponics"))["hydroponics"] > with_trigger["hydroponics"]


def test_a_term_of_several_phrases_counts_little_more() -> None:
    once = shares_of(entry("translate document"))["translate"]
    twice = shares_of(entry("translate document", "translate manual"))["translate"]
    assert once < twice < 1.3 * once


def test_the_same_phrase_twice_is_one() -> None:
    assert shares_of(entry("red wine", "red wine")) == shares_of(entry("red wine"))
    assert len(phrases_of(entry("red wine", "wine red", "", "!"))) == 1


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=200), st.lists(st.text(max_size=30), max_size=4))
def test_any_skill_has_finite_shares(name: str, description: str, triggers: list[str]) -> None:
    shares = shares_of(Entry(name, description, tuple(triggers)))
    assert all(0 < share < 2.3 for share in shares.values())
