"""The grading of the demonstration is done by code, and the code is right."""

from __future__ import annotations

import pytest

from metaclaw_tray.demo.cases import OTHER_KIND, SAME_KIND, amounts, gives, says


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It costs EUR 45.00.", True),
        ("The repair costs EUR 45.00 today", True),
        ("It costs 45 euros.", False),
        ("It costs EUR 45.", False),
        ("It costs EUR 45.50.", False),
        ("It costs 45.00 EUR.", False),
        ("", False),
    ],
)
def test_an_amount_is_right_when_it_is_that_amount_in_that_form(answer: str, right: bool) -> None:
    assert gives("EUR 45.00")(answer) is right


def test_another_kind_is_right_only_while_no_amount_creeps_in() -> None:
    assert says("42")("42")
    assert not says("42")("It was 42 and cost EUR 42.00.")


def test_no_request_of_the_demonstration_gives_its_own_answer_away() -> None:
    for case in (*SAME_KIND, *OTHER_KIND):
        assert not amounts(case.request)
        assert not case.right(case.request)
