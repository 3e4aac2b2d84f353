"""The sequential test decides by the bounds that Wald gave, and errs as seldom as they promise."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.learning.sprt import Decision, Sprt, by_chance, interval

SEQUENCES = st.lists(st.booleans(), max_size=40)


@pytest.mark.parametrize(
    ("wins", "losses", "decision"),
    [
        (0, 0, Decision.OPEN),
        (6, 0, Decision.OPEN),
        (7, 0, Decision.BETTER),
        (8, 1, Decision.OPEN),
        (9, 1, Decision.BETTER),
        (0, 2, Decision.OPEN),
        (0, 3, Decision.NOT_BETTER),
        (6, 6, Decision.NOT_BETTER),
        (15, 8, Decision.OPEN),
        (15, 9, Decision.CUT_OFF),
    ],
)
def test_the_bounds_are_where_arithmetic_puts_them(wins: int, losses: int, decision: Decision) -> None:
    assert Sprt(wins=wins, losses=losses).decision is decision


def test_the_bounds_are_walds() -> None:
    low, high = Sprt().bounds
    assert high == pytest.approx(math.log(16))
    assert low == pytest.approx(math.log(0.2 / 0.95))


def share(p: float, wanted: Decision, seed: int, most: int) -> float:
    rng, runs = random.Random(seed), 2000
    ended = [Sprt(most=most).with_pairs(rng.random() < p for _ in range(most)).decision for _ in range(runs)]
    return sum(each is wanted for each in ended) / runs


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("most", [24, 400])
def test_a_skill_that_makes_no_difference_is_seldom_called_better(seed: int, most: int) -> None:
    assert share(0.5, Decision.BETTER, seed, most) <= 0.05 + 0.01


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("most", [24, 400])
def test_a_skill_worth_having_is_seldom_called_no_better(seed: int, most: int) -> None:
    assert share(0.75, Decision.NOT_BETTER, seed, most) <= 0.2 + 0.02


@given(SEQUENCES, st.integers(0, 40))
def test_a_win_more_never_makes_it_look_worse(pairs: list[bool], place: int) -> None:
    wins, losses = pairs.count(True), pairs.count(False)
    order = [Decision.NOT_BETTER, Decision.OPEN, Decision.BETTER]
    wide = Sprt(most=1000)
    before = Sprt(wide.p0, wide.p1, wide.alpha, wide.beta, 1000, wins, losses).decision
    after = Sprt(wide.p0, wide.p1, wide.alpha, wide.beta, 1000, wins + 1, losses).decision
    assert order.index(after) >= order.index(before)


@given(SEQUENCES, st.randoms(use_true_random=False))
def test_what_is_weighed_does_not_depend_on_the_order(pairs: list[bool], rng: random.Random) -> None:
    other = pairs.copy()
    rng.shuffle(other)
    one, two = (Sprt(wins=each.count(True), losses=each.count(False)) for each in (pairs, other))
    assert one.ratio == two.ratio


@given(SEQUENCES, SEQUENCES)
def test_a_decision_stands_whatever_comes_after_it(pairs: list[bool], more: list[bool]) -> None:
    ended = Sprt().with_pairs(pairs)
    if ended.decision is not Decision.OPEN:
        assert ended.with_pairs(more) == ended
    assert ended.wins + ended.losses <= ended.most


@pytest.mark.parametrize("wrong", [{"p0": 0.8}, {"p1": 1.0}, {"alpha": 0.0}, {"beta": 0.97}])
def test_a_test_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        Sprt(**wrong)  # type: ignore[arg-type]


KINDS = [
    pytest.param([1] * 24, id="each request of an exchange of its own"),
    pytest.param([1] * 3 + [8], id="three of the person's own and eight made of one"),
    pytest.param([1] * 3 + [2] * 4, id="three and two of each of four"),
    pytest.param([1] * 8 + [8], id="eight and eight made of one"),
    pytest.param([4] * 6, id="four of each"),
]


def called_better(rng: random.Random, p: float, sizes: list[int], alike: bool) -> tuple[bool, bool]:
    """Whether the test says better of exchanges with so many requests each, and whether that stands."""
    test, groups = Sprt(), dict[str, list[int]]()
    for place, size in enumerate(sizes):
        won = rng.random() < p
        for _ in range(size):
            won = won if alike else rng.random() < p
            test = test.with_pair(won)
            groups.setdefault(str(place), []).append(1 if won else -1)
            if test.decision is not Decision.OPEN:
                better = test.decision is Decision.BETTER
                return better, better and by_chance(groups) <= test.alpha
    return False, False


@pytest.mark.parametrize("alike", [False, True], ids=["independent", "alike within an exchange"])
@pytest.mark.parametrize("sizes", KINDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_skill_that_makes_no_difference_is_seldom_better_however_alike_requests_of_one_exchange_are(
    seed: int, sizes: list[int], alike: bool
) -> None:
    rng, runs = random.Random(seed), 2000
    stands = sum(called_better(rng, 0.5, sizes, alike)[1] for _ in range(runs))
    assert stands / runs <= 0.05 + 0.015, "three standard errors of 2000 runs"


def test_the_test_alone_would_err_where_requests_of_one_exchange_are_alike() -> None:
    rng, runs = random.Random(1), 2000
    alone = sum(called_better(rng, 0.5, [4] * 6, alike=True)[0] for _ in range(runs))
    assert alone / runs > 0.2


def test_with_an_exchange_for_each_request_nothing_is_lost() -> None:
    rng, runs = random.Random(1), 2000
    found = [called_better(rng, 0.75, [1] * 24, alike=False) for _ in range(runs)]
    assert all(better == stands for better, stands in found)
    assert sum(stands for _, stands in found) / runs > 0.6, "of 0.8 without the limit of 24 pairs"


@pytest.mark.parametrize(
    ("pairs", "chance"),
    [
        ({}, 1.0),
        ({"a": [1]}, 1 / 2),
        ({"a": [1] * 8}, 1 / 2),
        ({"a": [1], "b": [1], "c": [1], "d": [1], "e": [1]}, 1 / 32),
        ({"a": [1], "b": [-1]}, 3 / 4),
        ({"a": [1], "b": [0]}, 1 / 2),
        ({"a": [-1], "b": [-1]}, 1.0),
    ],
)
def test_the_chance_is_where_counting_puts_it(pairs: dict[str, list[int]], chance: float) -> None:
    assert by_chance(pairs) == pytest.approx(chance)


def test_an_interval_resamples_exchanges_and_not_requests() -> None:
    alike = {f"x{number}": [1, 1, 1, 1] if number % 2 else [-1, -1, -1, -1] for number in range(6)}
    apart = {f"x{number}-{each}": [1 if number % 2 else -1] for number in range(6) for each in range(4)}
    wide, narrow = interval(alike, "seed"), interval(apart, "seed")
    assert wide is not None
    assert narrow is not None
    assert wide[1] - wide[0] > 1.5 * (narrow[1] - narrow[0])
    assert interval(alike, "seed") == wide


def test_one_exchange_has_no_interval() -> None:
    assert interval({"x": [1, 1, 0]}, "seed") is None
    assert interval({}, "seed") is None


@given(st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from([-1, 0, 1]), max_size=5), max_size=6))
def test_an_interval_lies_where_a_mean_can(pairs: dict[str, list[int]]) -> None:
    found = interval(pairs, "seed")
    if found is not None:
        assert -1 <= found[0] <= found[1] <= 1
