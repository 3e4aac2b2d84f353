"""Two failures are of one kind by what the person said of them; the judge's name alone joins nothing."""

from __future__ import annotations

import pytest

from metaclaw_tray.learning.alike import Fault, one_fault

NAME = "wrong format"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The heading belongs in capitals.", "Capitals, as I said!"),
        ("Write it as 4.250,00 €.", "It has to be 1.099,00 €."),  # the same form, other figures
        ("No. Begin with `set -euo pipefail`.", "`set -euo pipefail` is missing"),
        ("距离一律用公里。", "请用公里写距离。"),
    ],
)
def test_remarks_that_have_something_telling_in_common_are_of_one_kind(one: str, other: str) -> None:
    assert one_fault(Fault(NAME, one, "a"), Fault("format wrong", other, "b"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The front matter is missing.", "I asked for kilometres."),
        ("Wrong, prices end in 4.250,00 €.", "Wrong, the date is 2026-03-01."),
        ("That is wrong, write it again. In capitals!", "That is wrong, write it again. In metres!"),
    ],
)
def test_remarks_on_other_things_are_apart_whatever_the_judge_calls_them(one: str, other: str) -> None:
    task = "Write the report on the bridge."
    assert not one_fault(Fault(NAME, one, task), Fault(NAME, other, task))


def test_remarks_that_say_nothing_join_what_was_asked_in_the_same_way() -> None:
    one = Fault(NAME, "Wrong.", "Write the heading for the page on prices.")
    assert one_fault(one, Fault(NAME, "", "Write the heading for the page on boats."))
    assert not one_fault(one, Fault(NAME, "", "How far is it to Paris?"))
    assert not one_fault(one, Fault("wrong unit", "", "Write the heading for the page on boats."))


def test_where_the_tasks_are_not_known_the_name_decides() -> None:
    assert one_fault(Fault("wrong date format"), Fault("date format not ISO"))
    assert not one_fault(Fault(""), Fault(""))


def test_remarks_alone_join_what_the_judge_calls_by_other_names_if_they_say_much_the_same() -> None:
    said = "Dates belong in ISO form, please."
    assert one_fault(Fault("bad layout", said), Fault("careless", "ISO form for dates, please!"))
    assert not one_fault(Fault("bad layout", said), Fault("careless", "Dates are missing in this table."))


def test_a_bare_number_an_address_and_a_hyphen_are_no_forms() -> None:
    one, other = "Only 3 rows, see https://a.example/1.", "Up to 12 well-known words, https://b.example/2."
    assert not one_fault(Fault(NAME, one), Fault(NAME, other))
