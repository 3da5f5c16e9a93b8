"""The grid by itself: how fine it is, and what lies on it; what it makes of samples stands in test_bootstrap."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gate.stats import grid
from gate.stats.distributions import Interval
from gate.stats.grid import bootstrap_floats, split_between_neighbours, steps_per_unit


@pytest.mark.parametrize(
    ("n", "quartile_distance", "steps"),
    [
        (100, 0.0, 2560.0),  # 256 for a standard deviation
        (1_000_000, 0.0, 590.0),  # 59 000 / 1000 for one
        (100_000_000, 0.0, 320.0),  # 32 for one
        (100, 0.1, 2560.0),  # 32 for the quartiles' distance are fewer
        (100, 0.005, 6400.0),  # and here they are more
        (100, 0.001, 15_000.0),  # 15 000 / 10 for a standard deviation
    ],
)
def test_the_grid_resolves_the_standard_deviation_and_the_middle_half(
    n: int, quartile_distance: float, steps: float
) -> None:
    assert steps_per_unit(n, 0.1, quartile_distance) == pytest.approx(steps, rel=1e-12)


def test_a_position_is_divided_so_that_its_mean_stays() -> None:
    below, upper = split_between_neighbours(np.array([0.0, 1.25, 2.0 - 1e-12, 3.1, 4.0]))
    assert below.tolist() == [0, 1, 1, 3, 4]
    assert upper.tolist() == [0.0, 0.25, 1.0, round(0.1 * 2**26) / 2**26, 0.0]


@pytest.mark.parametrize(
    ("scores", "cells"),
    [
        # 256 steps for a standard deviation of 0.35 of the range, rounded down to a multiple of 120
        ([0.0, 0.5, 0.5, 1.0], 720),
        # 32 for the distance of the quartiles, the second and the sixth, are 1982, where 256 / 0.25 would do
        # of four scores the first and the third
        ([0.0, 31 / 1920, 31 / 1920, 1.0], 1920),
        ([0.0, 0.5, *[0.5 + 31 / 1920] * 4, 1.0, 1.0], 1920),
    ],
)
def test_scores_at_simple_shares_of_their_range_lie_on_the_grid(scores: list[float], cells: int) -> None:
    found = bootstrap_floats([math.pi * np.array(scores) + 1.0])
    width = Fraction(math.pi + 1.0) - 1
    assert float(found.step) == pytest.approx(float(width) / (cells * len(scores)), rel=1e-12)


def test_a_grid_has_120_cells_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "_STEPS_PER_SD", 2)
    monkeypatch.setattr(grid, "_MIN_STEPS_PER_SD", 1.0)
    assert bootstrap_floats([np.array([0.0, 1.0])]).step == Fraction(1, 120 * 2)


@pytest.mark.parametrize("sizes", [[11], [4, 7]])
def test_in_pieces_the_distribution_is_the_same(sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    samples = [rng.normal(size=size) for size in sizes]
    whole = bootstrap_floats(samples)
    monkeypatch.setattr(grid, "CHUNK", 3)
    pieces = bootstrap_floats(samples)
    assert pieces.pmf.tolist() == whole.pmf.tolist()
    assert (pieces.first, pieces.step, pieces.origin) == (whole.first, whole.step, whole.origin)


def test_the_variance_of_a_narrower_sample_is_in_the_unit_of_the_widest() -> None:
    found = bootstrap_floats([np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.4, 0.4, 0.8])])
    # 256 steps for the root of the mean of 1/8 and 0.08 are 800
    assert found.step == Fraction(1, 720 * 8)


def test_a_sample_that_does_not_vary_adds_no_variance_to_the_grid() -> None:
    found = bootstrap_floats([np.array([0.0, 0.5, 0.5, 1.0]), np.full(4, 9.0)])
    # 256 steps for the root of a half of 1/8, rounded down to a multiple of 120
    assert found.step == Fraction(1, 960 * 8)


def test_a_sample_that_does_not_vary_only_moves_the_mean() -> None:
    scores = np.random.default_rng(2).normal(size=8)
    alone, beside = bootstrap_floats([scores]).interval(0.1), bootstrap_floats([scores, np.full(8, 10.0)]).interval(0.1)
    assert beside == pytest.approx([(end + 10.0) / 2 for end in alone], abs=1e-3)


def test_samples_that_do_not_vary_have_the_mean_of_all() -> None:
    found = bootstrap_floats([np.full(3, 0.1), np.full(1, 0.1)])
    assert found.interval(0.05) == Interval(0.1, 0.1)
    two = bootstrap_floats([np.full(3, 1.0), np.full(1, 2.0)])
    assert two.interval(0.05) == Interval(1.25, 1.25)
