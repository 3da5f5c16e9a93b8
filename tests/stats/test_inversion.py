"""The pieces of the search for an interval's end; whole distributions are held in test_bootstrap_ratio."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, norm

from gate.stats import inversion
from gate.stats.distributions import Interval
from gate.stats.pairs import Pairs

ENDS = Interval(-20.0, 30.0)


def pairs(totals: list[float], sizes: list[float], counts: list[int]) -> Pairs:
    return Pairs(np.array(totals), np.array(sizes), np.array(counts))


@pytest.mark.parametrize("probability", [1e-12, 1e-6, 0.01, 0.2, 0.499, 0.501, 0.7, 0.975, 0.9999])
def test_the_normal_score_is_the_quantile_up_to_the_published_error(probability: float) -> None:
    assert inversion._normal_score(probability) == pytest.approx(norm.ppf(probability), abs=0.003)


def test_impossible_and_certain_have_a_finite_score() -> None:
    assert inversion._normal_score(0.0) == pytest.approx(norm.ppf(1e-16), abs=0.003)
    assert inversion._normal_score(1.0) == -inversion._normal_score(0.0)


def test_the_spread_is_the_variance_of_a_sum_of_all_draws() -> None:
    # the mean of 1, 1, 1 and 5 is 2: 3 * 1 + 9
    assert inversion._spread(np.array([5.0, 1.0]), np.array([1, 3])) == 12.0


@pytest.mark.parametrize(
    ("contrasts", "counts", "distance"),
    [
        # the 5th and the 15th of 20
        (list(range(20)), [1] * 20, 10.0),
        # the 2nd and the 6th of 1, 3, 5, 9, 9, 9, 9, 9
        ([9, 1, 3, 5], [5, 1, 1, 1], 6.0),
        ([7, 2], [1, 9], 0.0),
    ],
)
def test_the_quartiles_are_those_of_the_counted_contrasts(
    contrasts: list[int], counts: list[int], distance: float
) -> None:
    assert inversion._quartile_distance(np.array(contrasts, dtype=np.float64), np.array(counts)) == distance


@pytest.mark.parametrize(
    ("end", "wanted"),
    [
        # three draws in four, four times over, and one in two, twice
        (0.5, 0.75**4 * 0.5**2),
        (0.0, 0.0),
    ],
)
def test_every_draw_lies_at_an_end_with_the_product_of_their_probabilities(end: float, wanted: float) -> None:
    strata = [pairs([1, 2, 3], [2, 4, 4], [1, 2, 1]), pairs([5, 0], [10, 1], [1, 1])]
    assert inversion._mass_at(end, strata) == pytest.approx(wanted)


def test_totals_of_zero_lie_at_an_end_of_zero() -> None:
    assert inversion._mass_at(0.0, [pairs([0, 0, 1], [2, 3, 1], [1, 1, 2])]) == 0.5**4


def test_a_draw_between_two_cells_is_divided_so_that_its_mean_stays() -> None:
    drawn = inversion._draws(np.array([0.25, 2.0]), pairs([0, 0], [1, 1], [3, 1]))
    assert (drawn.points[:, 0].tolist(), drawn.weights.tolist(), drawn.times) == ([0, 2, 1], [9 / 16, 1 / 4, 3 / 16], 4)


def counted(mass_below: Callable[[float], float]) -> tuple[Callable[[float], float], list[float]]:
    asked: list[float] = []

    def asking(limit: float) -> float:
        asked.append(limit)
        return mass_below(limit)

    return asking, asked


@pytest.mark.parametrize("tail", [1e-6, 0.005, 0.025, 0.16, 0.5, 0.975])
@pytest.mark.parametrize(("mean", "error"), [(3.0, 0.5), (3.1, 0.6), (2.9, 0.4)], ids=["exact", "wide", "narrow"])
def test_the_end_of_a_normal_distribution_is_found_in_few_steps(tail: float, mean: float, error: float) -> None:
    mass_below, asked = counted(lambda limit: float(norm.cdf(limit, 3.0, 0.5)))
    found = inversion._last_within(tail, mass_below, ENDS, inversion._Normal(mean, error))
    wanted = float(norm.ppf(tail, 3.0, 0.5))
    assert wanted - 1e-7 * error <= found <= wanted
    # at the median the score jumps by its own error
    assert len(asked) <= (12 if tail == 0.5 else 5)


@pytest.mark.parametrize("tail", [0.1, 0.3, 0.6])
def test_a_jump_of_the_distribution_is_found_too(tail: float) -> None:
    def mass_below(limit: float) -> float:
        return 0.0 if limit <= -7.0 else 0.2 if limit <= 1.25 else 0.5 if limit <= 11.0 else 1.0

    found = inversion._last_within(tail, mass_below, ENDS, inversion._Normal(3.0, 5.0))
    wanted = {0.1: -7.0, 0.3: 1.25, 0.6: 11.0}[tail]
    assert wanted - 5e-7 <= found <= wanted


def test_the_search_ends_where_doubles_do() -> None:
    step = 1 + 1e-13
    found = inversion._last_within(
        0.3, lambda limit: float(limit > step), Interval(-1.0, 1.5), inversion._Normal(1.0, 1e-13)
    )
    assert step - 8 * math.ulp(1.0) <= found <= step


def ratio_of(failed: int) -> float:
    """Of eight draws, so many of them of total 0 and size 1, the others of total 1 and size pi."""
    return (8 - failed) / (failed + (8 - failed) * math.pi)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_two_kinds_of_units_have_the_binomial_distribution_of_their_numbers(sign: float) -> None:
    distribution = inversion.bootstrap_pairs([pairs([0.0, sign], [1.0, math.pi], [1, 7])])
    for failed in range(8):
        between = sign * (ratio_of(failed) + ratio_of(failed + 1)) / 2
        lower = float(binom.sf(failed, 8, 1 / 8))
        assert distribution.mass_below(between) == pytest.approx(lower if sign > 0 else 1 - lower, abs=1e-9)


@pytest.mark.parametrize(
    ("alpha", "most", "least"),
    [
        # over three fail in .0112 of cases, over two in .0673, over one in .264; none does in .344
        (0.05, 3, 0),
        (0.2, 2, 0),
        (0.75, 1, 1),
    ],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_both_ends_of_an_interval_leave_at_most_half_of_alpha_beyond_them(
    alpha: float, most: int, least: int, sign: float
) -> None:
    distribution = inversion.bootstrap_pairs([pairs([0.0, sign], [1.0, math.pi], [1, 7])])
    wanted = sorted((sign * ratio_of(most), sign * ratio_of(least)))
    # each lump is as wide as the cells of the grid
    assert distribution.interval(alpha) == pytest.approx(wanted, abs=1e-5)
