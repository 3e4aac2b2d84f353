"""The grading of the demonstration is done by code, and the code is right."""

from __future__ import annotations

import pytest

from metaclaw_tray.demo.cases import OTHER_KIND, SAME_KIND, gives, says, stamps


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("It starts at 2026-06-12T21:45:00+02:00.", True),
        ("It starts at 2026-06-12T21:45+02:00 in Berlin", True),
        ("It starts at 2026-06-12T19:45:00Z.", True),
        ("It starts at 2026-06-12T21:45:00.", False),
        ("It starts at 2026-06-12T22:45:00+02:00.", False),
        ("It starts on 12 June 2026 at 21:45 (UTC+2).", False),
        ("It starts at 2026-16-12T21:45:00+02:00.", False),
        ("", False),
    ],
)
def test_a_moment_is_right_when_it_is_that_moment_with_its_offset(answer: str, right: bool) -> None:
    assert gives("2026-06-12T21:45:00+02:00")(answer) is right


def test_another_kind_is_right_only_while_no_time_stamp_creeps_in() -> None:
    assert says("42")("42")
    assert not says("42")("It was 42 at 2026-06-12T21:45:00+02:00.")


def test_no_request_of_the_demonstration_gives_its_own_answer_away() -> None:
    for case in (*SAME_KIND, *OTHER_KIND):
        assert not stamps(case.request)
        assert not case.right(case.request)
