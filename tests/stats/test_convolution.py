import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import binom

from gate.stats import convolution
from gate.stats.convolution import Draws, sum_distribution, sum_within


def draws(points: Sequence[tuple[int, ...]], weights: list[float], times: int) -> Draws:
    return Draws(np.array(points, dtype=np.int64), np.array(weights), times)


COIN = [(0,), (1,)]


def brute_force(parts: list[Draws]) -> dict[tuple[int, ...], float]:
    every = [range(part.weights.size) for part in parts for _ in range(part.times)]
    owners = [part for part in parts for _ in range(part.times)]
    masses: dict[tuple[int, ...], float] = {}
    for chosen in itertools.product(*every):
        drawn = list(zip(owners, chosen, strict=True))
        total = tuple(int(x) for x in sum(part.points[i] for part, i in drawn))
        masses[total] = masses.get(total, 0.0) + math.prod(float(part.weights[i]) for part, i in drawn)
    return masses


PARTS = {
    "one part": [draws([(0,), (2,), (5,)], [0.5, 0.2, 0.3], 4)],
    "two parts": [draws([(-3,), (1,)], [0.1, 0.9], 3), draws([(0,), (10,)], [0.6, 0.4], 2)],
    "a part that does not vary": [draws(COIN, [0.5, 0.5], 3), draws([(1_000_000,)], [1.0], 2)],
    "pairs": [draws([(0, 1), (3, 4), (-2, 2)], [0.2, 0.5, 0.3], 4)],
    "pairs in two parts": [draws([(0, 1), (3, 4)], [0.2, 0.8], 3), draws([(5, 5), (-7, 2)], [0.5, 0.5], 2)],
    "points given twice": [draws([(0,), (1,), (1,)], [0.5, 0.25, 0.25], 3)],
}


@pytest.mark.parametrize("name", PARTS)
def test_the_distribution_of_the_sum_is_that_of_all_draws(name: str) -> None:
    sums = sum_distribution(PARTS[name])
    wanted = np.zeros(sums.pmf.shape)
    for total, mass in brute_force(PARTS[name]).items():
        wanted[tuple(at - first for at, first in zip(total, sums.first, strict=True))] += mass
    assert sums.pmf == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("parts", [[10_000], [9_000, 1_000], [5_000, 4_000, 999, 1]])
def test_however_the_draws_are_divided_the_sum_is_one(parts: list[int]) -> None:
    sums = sum_distribution([draws(COIN, [0.3, 0.7], times) for times in parts])
    at = sums.first[0] + np.arange(sums.pmf.size)
    assert sums.pmf == pytest.approx(binom.pmf(at, 10_000, 0.7), abs=1e-13)
    assert sums.pmf.size < 2_000


@pytest.mark.parametrize("name", ["two parts", "pairs in two parts"])
def test_both_ways_to_a_transform_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    point_by_point = sum_distribution(PARTS[name])
    monkeypatch.setattr(
        convolution, "_transform_at", lambda at, part, shape: convolution._transform(part, shape).ravel()[at]
    )
    assert sum_distribution(PARTS[name]).pmf == pytest.approx(point_by_point.pmf, abs=1e-15)


def test_sums_far_from_zero_lose_no_digits() -> None:
    near = sum_distribution([draws([(0,), (1,), (7,)], [0.2, 0.3, 0.5], 500)])
    far = sum_distribution([draws([(10**9,), (10**9 + 1,), (10**9 + 7,)], [0.2, 0.3, 0.5], 500)])
    assert far.first[0] - near.first[0] == 500 * 10**9
    assert far.pmf == pytest.approx(near.pmf, abs=1e-14)


@pytest.mark.parametrize("times", [1, 2, 3, 9, 17, 1000, 123_457])
def test_the_window_is_no_shorter_than_the_sums_and_not_much_longer(times: int) -> None:
    parts = [draws(COIN, [0.5, 0.5], times)]
    needed = min(times + 1, 17.3 * math.sqrt(times) / 2)
    assert sum_within(math.ceil(needed) - 1, parts) is None
    assert sum_within(max(2, int(1.6 * needed + 40)), parts) is not None


@pytest.mark.parametrize("least", [1, 2, 3, 6, 7, 9, 11, 13, 17, 31, 33, 97, 1000, 1025, 65_537, 1_000_000])
def test_a_transform_is_as_short_as_its_few_odd_factors_let_it_be(least: int) -> None:
    quick = [odd << power for odd in (1, 3, 5, 9, 15) for power in range(1, 22)]
    assert convolution._smooth_length(least) == min(length for length in quick if length >= least)


@pytest.mark.parametrize(("variance", "reach"), [(0.0, 1.0), (1.0, 0.5), (2500.0, 1.0), (2500.0, 300.0)])
def test_the_window_is_as_wide_as_bernsteins_inequality_asks(variance: float, reach: float) -> None:
    radius = convolution._bernstein_radius(variance, reach)
    assert 2 * math.exp(-(radius**2) / 2 / (variance + reach * radius / 3)) == pytest.approx(1e-16, rel=1e-9, abs=0)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.01])
def test_the_window_lies_about_the_mean_and_holds_all_but_a_rounding(share: float) -> None:
    sums = sum_distribution([draws(COIN, [1 - share, share], 4_000), draws([(3,), (5,)], [share, 1 - share], 4_000)])
    mean = 4_000 * share + 4_000 * (5 - 2 * share)
    assert -1.001 < sums.first[0] + sums.pmf.size / 2 - mean < 0.001
    variance = 5 * 4_000 * share * (1 - share)
    assert sums.pmf.size < 2 * convolution._bernstein_radius(variance, 2.0) * 1.25
    assert sums.pmf.sum() == pytest.approx(1.0)
    assert sums.pmf.min() >= 0.0
    at = sums.first[0] + np.arange(sums.pmf.size)
    assert sums.pmf @ at == pytest.approx(mean)
    assert sums.pmf @ (at - mean) ** 2 == pytest.approx(variance)


def test_a_window_at_an_end_of_what_is_possible_begins_there() -> None:
    sums = sum_distribution([draws(COIN, [0.999, 0.001], 4_000)])
    assert sums.first == (0,)
    assert sums.pmf == pytest.approx(binom.pmf(np.arange(sums.pmf.size), 4_000, 0.001), abs=1e-13)


def test_a_window_of_just_as_many_cells_as_allowed_is_used() -> None:
    parts = [draws([(0, 0), (1, 2)], [0.5, 0.5], 5)]
    # six and eleven sums, for transforms of 6 and 12
    assert sum_within(6 * 12 - 1, parts) is None
    found = sum_within(6 * 12, parts)
    assert found is not None
    assert found.pmf.shape == (6, 11)
    assert found.pmf[np.arange(6), 2 * np.arange(6)] == pytest.approx(binom.pmf(np.arange(6), 5, 0.5))


def test_points_in_three_dimensions_are_convolved_too() -> None:
    parts = [draws([(0, 1, 2), (1, 0, 5), (3, 3, 0)], [0.2, 0.5, 0.3], 3), draws([(0, 0, 1), (2, 1, 0)], [0.4, 0.6], 2)]
    sums = sum_distribution(parts)
    wanted = np.zeros(sums.pmf.shape)
    for total, mass in brute_force(parts).items():
        wanted[tuple(at - first for at, first in zip(total, sums.first, strict=True))] += mass
    assert sums.pmf == pytest.approx(wanted, abs=1e-14)


def test_the_transform_is_the_characteristic_function_at_each_frequency() -> None:
    part, shape = draws([(0, 1), (3, 4), (-2, 2)], [0.2, 0.5, 0.3], 4), (6, 10)
    frequencies = np.array([0, 7, 13, 35], dtype=np.intp)
    turns = [(flat // 6 / 6, flat % 6 / 10) for flat in frequencies.tolist()]
    wanted = [
        sum(
            weight * np.exp(-2j * math.pi * (x * u + y * v))
            for (x, y), weight in zip(part.points, part.weights, strict=True)
        )
        for u, v in turns
    ]
    for chosen in (frequencies, np.tile(frequencies, 20)):
        assert convolution._transform_at(chosen, part, shape)[:4] == pytest.approx(np.array(wanted), abs=1e-14)
