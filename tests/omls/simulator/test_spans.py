"""Spans of time add, meet and subtract as sets of moments do."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.omls.simulator.spans import Spans

_LAST = 30
_pieces = st.lists(st.tuples(st.integers(0, _LAST), st.integers(0, _LAST)), max_size=6)


def moments(spans: Spans) -> set[int]:
    """The full seconds that are in it."""
    return {moment for moment in range(_LAST + 1) if spans.at(moment) is not None}


@given(_pieces, _pieces)
def test_union_intersection_and_difference_are_those_of_their_moments(
    some: list[tuple[float, float]], others: list[tuple[float, float]]
) -> None:
    one, other = Spans(some), Spans(others)
    assert moments(one | other) == moments(one) | moments(other)
    assert moments(one & other) == moments(one) & moments(other)
    assert moments(one - other) == moments(one) - moments(other)


@given(_pieces)
def test_pieces_are_sorted_apart_and_never_empty(pieces: list[tuple[float, float]]) -> None:
    found = list(Spans(pieces))
    assert all(begin < end for begin, end in found)
    assert all(end < begin for (_, end), (begin, _) in pairwise(found))
    assert Spans(pieces).seconds == len(moments(Spans(pieces)))


@given(_pieces, st.integers(0, _LAST))
def test_what_has_begun_and_what_comes_next_is_found(pieces: list[tuple[float, float]], moment: int) -> None:
    spans = Spans(pieces)
    assert spans.before(moment) == max((each for each in spans if each[0] <= moment), default=None)
    assert spans.after(moment) == min((each for each in spans if each[0] > moment), default=None)
