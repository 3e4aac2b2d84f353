"""Figures are medians over rounds, and comparisons are made within a round."""

from benchmarks.jobs import Result, Spread
from benchmarks.report import Cell, Sample, figures, table

_NONE = Spread(0.0, 0.0)
_CELL = Cell("a cell", "json", 1, ("p50", "answers", "CPU of the scribe"))


def _samples(*p50s: float, rate: int = 100, busy: float = 0.0) -> list[Sample]:
    spreads = [Spread(p50, p50) for p50 in p50s]
    return [Sample(Result(rate, 0, "", 0, 1.0, s, _NONE, _NONE), {"scribe": busy}) for s in spreads]


_SAMPLES = {
    "a cell": {
        "direct": _samples(1.0, 5.0, 2.0),
        "forwarder": _samples(1.5, 5.5, 2.5, rate=50),
        "proxy": _samples(2.0, 5.7, 3.0, rate=40, busy=0.2),
    }
}


def test_the_added_time_is_the_median_of_differences_within_rounds() -> None:
    p50 = figures([_CELL], _SAMPLES)[0]
    assert p50.value == {"direct": 2.0, "forwarder": 2.5, "proxy": 3.0}
    assert p50.added == {"forwarder": 0.5, "proxy": 1.0}
    assert p50.of_direct == {}


def test_rates_are_told_as_shares_of_the_direct_path_and_of_the_forwarder() -> None:
    answers = figures([_CELL], _SAMPLES)[1]
    assert answers.of_direct == {"forwarder": 0.5, "proxy": 0.4}
    assert answers.of_forwarder == {"proxy": 0.8}


def test_cpu_time_is_told_for_each_answer() -> None:
    assert figures([_CELL], _SAMPLES)[2].value == {"direct": 0.0, "forwarder": 0.0, "proxy": 5.0}


def test_the_table_has_a_row_for_each_figure_and_a_column_for_each_target() -> None:
    lines = table(figures([_CELL], _SAMPLES), ["direct", "forwarder", "proxy"]).splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["a", "cell"],
        ["p50", "ms"],
        ["added", "ms"],
        ["answers", "/s"],
        ["of", "direct"],
        ["of", "forwarder"],
        ["CPU", "of"],
    ]
    assert len({len(line) for line in lines if line != "a cell"}) == 1
