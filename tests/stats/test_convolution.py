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
