"""Intervals of two arms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.learning.comparing import difference, mean_interval


def test_the_difference_is_that_of_newcombes_paper() -> None:
    # Newcombe 1998, table II, case (a): 56/70 and 48/80, method 10.
    assert difference(56, 70, 48, 80) == pytest.approx((0.0524, 0.3339), abs=5e-4)


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 60), st.integers(1, 60))
def test_the_interval_holds_the_difference_and_turns_with_it(a: int, m: int, b: int, n: int) -> None:
    a, b = min(a, m), min(b, n)
    low, high = difference(a, m, b, n)
    assert -1 <= low <= a / m - b / n + 1e-12
    assert a / m - b / n - 1e-12 <= high <= 1
    other_low, other_high = difference(b, n, a, m)
    assert (other_low, other_high) == pytest.approx((-high, -low))


def test_nothing_is_known_of_nothing() -> None:
    assert difference(0, 0, 3, 3) == (-1.0, 1.0)
    assert mean_interval([]) is None
    assert mean_interval([4.0]) is None


def test_a_mean_has_the_interval_of_students_t() -> None:
    assert mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx((3.0, 1.0368, 4.9632), abs=1e-3)
    assert mean_interval([2.0] * 400) == (2.0, 2.0, 2.0)
