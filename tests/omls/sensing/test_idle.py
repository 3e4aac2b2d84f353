"""Idleness is told by the first way that answers; where none does it is unknown, which is never idle."""

from __future__ import annotations

import math

import pytest

from metaclaw_tray.omls.sensing.idle import (
    SUSPICIOUS_EXCHANGES,
    IdleChain,
    IdleDetector,
    Opening,
    UnavailableError,
)
from metaclaw_tray.omls.sensing.macos import MacIdle
from metaclaw_tray.omls.sensing.windows import WindowsIdle, seconds_between


class Scripted:
    """A way that gives what the test says: seconds, or an error."""

    cost = 0.0

    def __init__(self, name: str, *answers: float | OSError | None) -> None:
        self.name = name
        self.answers = list(answers)
        self.closed = False

    def seconds_since_input(self) -> float | None:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, OSError):
            raise answer
        return answer

    def close(self) -> None:
        self.closed = True


def way(detector: IdleDetector) -> tuple[str, Opening]:
    return detector.name, lambda: detector


def missing(name: str) -> tuple[str, Opening]:
    def opening() -> IdleDetector:
        raise UnavailableError("not here")

    return name, opening


def test_the_first_way_that_answers_is_taken_and_kept() -> None:
    first, second = Scripted("first", 5.0), Scripted("second", 7.0)
    chain = IdleChain([missing("other"), way(first), way(second)])
    assert [chain.seconds_since_input() for _ in range(3)] == [5.0, 5.0, 5.0]
    assert chain.name == "first"
    assert chain.failures == {"other": "not here"}


def test_what_worked_in_an_earlier_run_is_tried_first() -> None:
    chain = IdleChain([way(Scripted("first", 5.0)), way(Scripted("second", 7.0))], preferred="second")
    assert chain.seconds_since_input() == 7.0


@pytest.mark.parametrize("bad", [None, math.nan, -1.0, OSError("gone")])
def test_a_way_without_a_number_is_passed_over(bad: float | OSError | None) -> None:
    silent = Scripted("silent", bad)
    chain = IdleChain([way(silent), way(Scripted("other", 7.0))])
    assert chain.seconds_since_input() == 7.0
    assert silent.closed


def test_a_way_that_fails_is_unknown_once_and_then_replaced() -> None:
    fails = Scripted("fails", 5.0, 6.0, OSError("the display has gone"))
    chain = IdleChain([way(fails), way(Scripted("other", 9.0))])
    assert chain.seconds_since_input() == 6.0  # the first answer was used to choose it
    assert chain.seconds_since_input() is None
    assert chain.seconds_since_input() == 9.0
    assert chain.name == "other"


def test_where_no_way_works_it_is_unknown_and_tried_again_later() -> None:
    chain = IdleChain([missing("all")])
    assert chain.seconds_since_input() is None
    assert chain.name == "nothing"


def test_a_way_that_never_saw_input_is_not_believed_against_the_person() -> None:
    blind = Scripted("blind", *[float(each) for each in range(100, 140)], 2.0)
    chain = IdleChain([way(blind)])
    assert chain.seconds_since_input() is not None
    for _ in range(SUSPICIOUS_EXCHANGES):
        chain.exchange()
    assert chain.seconds_since_input() is None
    while len(blind.answers) > 1:
        chain.seconds_since_input()
    assert chain.seconds_since_input() == 2.0


def test_a_way_that_saw_input_is_believed_however_much_is_written_from_elsewhere() -> None:
    chain = IdleChain([way(Scripted("seeing", 100.0, 100.0, 1.0, 50.0))])
    for _ in range(3):
        chain.seconds_since_input()
    for _ in range(SUSPICIOUS_EXCHANGES + 5):
        chain.exchange()
    assert chain.seconds_since_input() == 50.0


@pytest.mark.parametrize(
    ("last", "now", "seconds"),
    [
        (1_000, 4_500, 3.5),
        (0, 0, 0.0),
        (2**32 - 500, 500, 1.0),  # the counter began anew between them
        (2**32 - 1, 0, 0.001),
        (2**31, 2**31 + 60_000, 60.0),
    ],
)
def test_windows_counts_milliseconds_that_begin_anew(last: int, now: int, seconds: float) -> None:
    assert seconds_between(last, now) == seconds
    assert WindowsIdle(lambda: last, lambda: now).seconds_since_input() == seconds


def test_windows_that_cannot_tell_is_unknown() -> None:
    assert WindowsIdle(lambda: None, lambda: 5).seconds_since_input() is None


def test_macos_is_asked_for_any_input_of_the_whole_session() -> None:
    asked = []
    mac = MacIdle(lambda state, kind: asked.append((state, kind)) or 12.5)  # type: ignore[func-returns-value]
    assert mac.seconds_since_input() == 12.5
    assert asked == [(0, 0xFFFFFFFF)]
