"""Distributions small enough to read every probability and every bound off by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gate.stats.distributions import Interval, LatticeDistribution, ResampledDistribution, at_one_point, least_equal

# means of -1/6, 1/2, 7/6 and 11/6
LATTICE = LatticeDistribution(np.full(4, 0.25), -1, Fraction(2, 3), Fraction(1, 2), exact=True)
DRAWN = ResampledDistribution(np.array([-2.0, 0.1, 0.1, 0.2, 0.5, 0.5, 0.5, 3.0]))
# half the tolerance of 1e-12 away, and twice
WITHIN, BEYOND = 1 + 5e-13, 1 + 2e-12


@pytest.mark.parametrize(
    ("limit", "mass"),
    [(-math.inf, 0.0), (-1.0, 0.0), (0.0, 0.25), (0.6, 0.5), (1.5, 0.75), (9.0, 1.0), (math.inf, 1.0)],
)
def test_the_mass_below_a_limit_is_that_of_the_means_under_it(limit: float, mass: float) -> None:
    assert LATTICE.mass_below(limit) == mass


@pytest.mark.parametrize(("mean", "mass"), [(-1 / 6, 0.0), (0.5, 0.25), (7 / 6, 0.5), (11 / 6, 0.75)])
def test_a_mean_at_the_limit_is_not_below_it_and_one_digit_less_is(mean: float, mass: float) -> None:
    assert LATTICE.mass_below(mean) == mass
    assert LATTICE.mass_below(math.nextafter(mean, math.inf)) == mass + 0.25


@pytest.mark.parametrize("sign", [1, -1])
def test_where_the_means_are_inexact_one_that_is_below_the_limit_by_rounding_is_not_below_it(sign: int) -> None:
    for distribution in (
        LatticeDistribution(np.ones(1), 1, Fraction(sign, 3), Fraction(0), exact=False),
        ResampledDistribution(np.array([sign / 3])),
        at_one_point(Fraction(sign, 3)),
    ):
        up = 1 if sign > 0 else -1
        assert distribution.mass_below(sign / 3 * WITHIN**up) == 0.0
        assert distribution.mass_below(sign / 3 * BEYOND**up) == 1.0
    assert ResampledDistribution(np.array([sign / 3]), exact=True).mass_below(math.nextafter(sign / 3, 1)) == 1.0


@pytest.mark.parametrize(
    ("alpha", "low", "high"),
    [(0.49, -1 / 6, 11 / 6), (0.5, 0.5, 7 / 6), (0.99, 0.5, 7 / 6), (1e-9, -1 / 6, 11 / 6)],
)
def test_an_interval_leaves_out_at_most_half_alpha_on_either_side(alpha: float, low: float, high: float) -> None:
    assert LATTICE.interval(alpha) == Interval(low, high)


def test_the_means_of_a_lattice_are_rounded_once() -> None:
    step, origin = Fraction(3, 7 * 2**40), Fraction(-5, 11)
    found = LatticeDistribution(np.array([0.2, 0.8]), 12_345, step, origin, exact=True)
    assert found.interval(0.3) == Interval(float(origin + 12_345 * step), float(origin + 12_346 * step))


def test_probabilities_that_add_up_to_more_than_one_by_rounding_are_one() -> None:
    pmf = np.array([0.2, 0.4, 0.3, 0.1])
    assert float(np.cumsum(pmf)[-1]) > 1.0
    assert LatticeDistribution(pmf, 0, Fraction(1), Fraction(0), exact=True).mass_below(9.0) == 1.0


@pytest.mark.parametrize(
    ("limit", "mass"), [(-2.0, 0.0), (0.0, 1 / 8), (0.1, 1 / 8), (0.5, 0.5), (0.6, 7 / 8), (3.0, 7 / 8), (4.0, 1.0)]
)
def test_the_mass_of_resamples_below_a_limit_is_their_share(limit: float, mass: float) -> None:
    assert DRAWN.mass_below(limit) == mass


@pytest.mark.parametrize(
    ("alpha", "low", "high"), [(0.24, -2.0, 3.0), (0.25, 0.1, 0.5), (0.75, 0.2, 0.5), (0.99, 0.2, 0.5)]
)
def test_an_interval_of_resamples_leaves_out_at_most_half_alpha_of_them(alpha: float, low: float, high: float) -> None:
    assert DRAWN.interval(alpha) == Interval(low, high)


def test_a_mean_that_no_resample_changes_has_all_the_probability() -> None:
    found = at_one_point(Fraction(1, 3))
    assert found.interval(0.05) == Interval(1 / 3, 1 / 3)
    assert (found.mass_below(0.3), found.mass_below(0.4)) == (0.0, 1.0)


def test_an_infinite_limit_has_no_tolerance() -> None:
    assert [least_equal(limit, exact=False) for limit in (math.inf, -math.inf, 0.0)] == [math.inf, -math.inf, 0.0]
