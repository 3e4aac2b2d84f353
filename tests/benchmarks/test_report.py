"""Figures are medians over rounds, and comparisons are made within a round."""

from benchmarks.cells import Cell
from benchmarks.growth import slopes
from benchmarks.jobs import Result, Spread
from benchmarks.outcome import Memory
from benchmarks.report import Sample, figures, judged, table

_NONE = Spread(0.0, 0.0)
_CELL = Cell("chat", "8 KB", "bench-json", 1, ("p50", "answers", "CPU of the scribe"))


def _samples(*p50s: float, rate: int = 100, busy: float = 0.0) -> list[Sample]:
    spreads = [Spread(p50, p50) for p50 in p50s]
    return [Sample(Result(rate, 0, "", 0, 1.0, s, _NONE, _NONE), {"scribe": busy}) for s in spreads]


_SAMPLES = {
    _CELL.name: {
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
        ["chat,", "8"],
        ["p50", "ms"],
        ["added", "ms"],
        ["answers", "/s"],
        ["of", "direct"],
        ["of", "forwarder"],
        ["CPU", "of"],
    ]
    assert len({len(line) for line in lines if line != _CELL.name}) == 1


def test_a_target_that_does_not_serve_a_dialect_has_no_figures_of_it() -> None:
    samples = {_CELL.name: {name: some for name, some in _SAMPLES[_CELL.name].items() if name != "proxy"}}
    found = figures([_CELL], samples)
    assert [set(figure.value) for figure in found] == [{"direct", "forwarder"}] * 3
    assert judged([_CELL], found, ["proxy"]) == []


def test_goals_are_judged_on_every_path_through_the_app() -> None:
    goals = judged([_CELL], figures([_CELL], _SAMPLES), ["proxy"])
    assert [(goal.value, goal.met) for goal in goals] == [
        ({"proxy": 40.0}, False),  # answers a second
        ({"proxy": 1.0}, False),  # ms added
        ({"proxy": 0.8}, True),  # of the forwarder's rate
    ]


def test_growth_is_told_by_the_second_half_alone() -> None:
    turns = [0, 10_000, 20_000, 30_000, 40_000]
    memory = [[Memory("main", rss)] for rss in (50.0, 70.0, 80.0, 80.5, 81.0)]
    assert slopes(turns, memory)["main"] == 5.0
