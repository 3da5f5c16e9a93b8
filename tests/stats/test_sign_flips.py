import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from gate.stats import sign_flips
from gate.stats.sign_flips import enumerated_p, inverted_p, lattice_p

Floats = NDArray[np.float64]
RNG = np.random.default_rng


def every_flip(differences: list[Fraction]) -> Fraction:
    """The share of all 2**n signs whose sum is at most the observed one."""
    by = math.lcm(*(difference.denominator for difference in differences))
    sizes = [int(difference * by) for difference in differences]
    at_most = sum(
        sum(sign * size for sign, size in zip(signs, sizes, strict=True)) <= sum(sizes)
        for signs in itertools.product((1, -1), repeat=len(sizes))
    )
    return Fraction(at_most, 2 ** len(sizes))


def two_sizes(first: tuple[float, int, int], second: tuple[float, int, int]) -> tuple[Floats, float]:
    """Differences of two sizes, as (size, wins, losses), and their p-value by convolving two binomials."""
    (a, a_wins, a_losses), (b, b_wins, b_losses) = first, second
    differences = np.repeat([a, -a, b, -b], [a_wins, a_losses, b_wins, b_losses])
    n, m = a_wins + a_losses, b_wins + b_losses
    sums = np.add.outer((2 * np.arange(n + 1) - n) * a, (2 * np.arange(m + 1) - m) * b)
    masses = np.outer(binom.pmf(np.arange(n + 1), n, 0.5), binom.pmf(np.arange(m + 1), m, 0.5))
    return differences, float(masses[sums <= differences.sum() + 1e-9].sum())


def monte_carlo(differences: Floats, n_flips: int, seed: int) -> float:
    rng, observed, at_most = RNG(seed), float(differences.sum()), 0
    for _ in range(n_flips // 500):
        signs = rng.integers(0, 2, size=(500, differences.size), dtype=np.int8) * 2 - 1
        at_most += int((signs @ differences <= observed + 1e-9).sum())
    return at_most / n_flips


@pytest.mark.parametrize(
    "steps",
    [
        [1],
        [-1],
        [2, -2],
        [-1, -1, -1],
        [3, -5, 1],
        [1, 2, 4, -8],
        [-7, -7, 7, 1, 1, 1],
        [10, -10, 3, -3, 1, -2, -2],
        [-6, -4, 2, 2],
    ],
)
def test_a_lattice_agrees_with_all_signs(steps: list[int]) -> None:
    wanted = float(every_flip([Fraction(step) for step in steps]))
    assert lattice_p(np.array(steps)) == pytest.approx(wanted, abs=1e-14)
    assert enumerated_p(np.array(steps) / 16) == wanted


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12])
@pytest.mark.parametrize("seed", range(3))
def test_floats_agree_with_all_signs_to_the_last_one(n: int, seed: int) -> None:
    values = RNG(seed).uniform(-1, 1, size=n)
    wanted = every_flip([Fraction(value) for value in values.tolist()])
    assert enumerated_p(values) == float(wanted)


def test_sums_that_tie_but_for_rounding_count_as_equal() -> None:
    tenths = np.array([0.1, -0.2, 0.3, -0.4, 0.2, -0.1, 0.7, -0.6])
    wanted = every_flip([Fraction(round(tenth * 10), 10) for tenth in tenths.tolist()])
    assert enumerated_p(tenths) == float(wanted)


@pytest.mark.parametrize("losses", [0, 3, 19, 20, 21, 37, 40])
def test_one_size_is_binomial(losses: int) -> None:
    steps = np.repeat([-5, 5], [losses, 40 - losses])
    assert lattice_p(steps) == pytest.approx(binom.cdf(40 - losses, 40, 0.5), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("n", "losses"), [(1000, 500), (1000, 575), (100_000, 50_700), (1_000_000, 502_300)])
def test_one_size_is_binomial_at_large_n_too(n: int, losses: int) -> None:
    steps = np.repeat([-1, 1], [losses, n - losses])
    assert lattice_p(steps) == pytest.approx(binom.cdf(n - losses, n, 0.5), rel=1e-5)


def test_one_giant_step_does_not_wrap_around_the_window() -> None:
    for giant in (1000, -1000):
        steps = np.append(np.repeat([-1, 1], [60, 40]), giant)
        wanted = (1 if giant > 0 else 0) / 2 + binom.cdf(40, 100, 0.5) / 2
        assert lattice_p(steps) == pytest.approx(wanted, abs=1e-12)


def test_sums_beyond_the_window_have_no_mass() -> None:
    assert lattice_p(np.full(500, -1)) == pytest.approx(0.0, abs=1e-15)
    assert lattice_p(np.full(500, 1)) == pytest.approx(1.0)


def test_a_lattice_too_fine_for_so_many_sizes_is_refused() -> None:
    assert lattice_p(RNG(0).integers(-500_000, 500_000, size=2000) * 2 + 1) is None


def test_a_common_divisor_costs_nothing() -> None:
    steps = np.array([3, -1, -2, 1, -4])
    assert lattice_p(steps * 10**12) == lattice_p(steps)


FLOATS: dict[str, Callable[[int], Floats]] = {
    "normal": lambda n: RNG(1).normal(-0.4, 1, size=n),
    "uniform": lambda n: RNG(2).uniform(-1, 0.6, size=n),
    "heavy tails": lambda n: RNG(3).standard_t(1.3, size=n) - 0.3,
    "mostly tiny losses": lambda n: np.where(RNG(4).random(n) < 0.15, RNG(5).normal(size=n), -0.003 * RNG(6).random(n)),
    "one outlier lost": lambda n: np.append(RNG(7).normal(-0.5, 1, size=n - 1), -300.0),
    "one outlier won": lambda n: np.append(RNG(8).normal(-0.5, 1, size=n - 1), 40.0),
}


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("n", [33, 36])
def test_inversion_agrees_with_all_signs(name: str, n: int) -> None:
    differences = FLOATS[name](n)
    scaled = differences / 512
    assert inverted_p(scaled) == pytest.approx(enumerated_p(scaled), rel=5e-3, abs=1e-8)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((0.1234567, 10, 30), (0.2456789, 15, 25)),
        ((0.1234567, 10, 30), (0.2456789, 0, 1)),
        ((0.1234567, 12, 28), (0.7, 1, 0)),
        ((0.3333, 120, 180), (0.6667, 135, 165)),
        ((1.0, 2300, 2700), (1e-4 * math.e, 1, 0)),
        ((math.pi, 4, 30), (math.e, 3, 8)),
    ],
)
def test_inversion_sees_the_lumps_of_few_sizes(first: tuple[float, int, int], second: tuple[float, int, int]) -> None:
    differences, wanted = two_sizes(first, second)
    assert inverted_p(differences / 8) == pytest.approx(wanted, rel=6e-3)


@pytest.mark.parametrize("shift", [0.0, 0.008, 0.017, 0.035, 0.041])
@pytest.mark.parametrize("n", [600, 4000])
def test_inversion_agrees_with_a_fine_lattice_down_to_a_millionth(
    n: int, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_flips, "_MAX_LATTICE_WORK", 10**12)
    steps = np.rint(1000 * RNG(n).normal(-shift * math.sqrt(4000 / n), 0.5, size=n)).astype(np.int64)
    steps = steps[steps != 0]
    exact = lattice_p(steps)
    assert exact is not None
    assert inverted_p(steps / 8192) == pytest.approx(exact, rel=5e-3)


@pytest.mark.parametrize("name", FLOATS)
def test_inversion_agrees_with_random_signs(name: str) -> None:
    differences = FLOATS[name](700)
    if name in {"normal", "uniform"}:
        differences = differences - differences.mean() - 0.05
    wanted, got = monte_carlo(differences, 10_000, seed=9), inverted_p(differences / 1e6)
    assert got == pytest.approx(wanted, abs=4.5 * math.sqrt(max(wanted * (1 - wanted), 1e-4) / 10_000))


@pytest.mark.parametrize("outlier", [0.0, -500.0, 500.0, -3e4, -1e6])
def test_an_outlier_among_very_many_leaves_the_others_their_say(outlier: float) -> None:
    others = RNG(10).normal(size=200_000)
    others += -2.5 * math.sqrt(200_000) / 200_000 - others.mean()
    sd, total = math.sqrt(float(np.sum(others**2))), float(others.sum())
    # the outlier falls either way; the others are normal
    wanted = norm.cdf((total + outlier - abs(outlier)) / sd) / 2 + norm.cdf((total + outlier + abs(outlier)) / sd) / 2
    differences = np.append(others, outlier) / 2e6
    assert inverted_p(differences) == pytest.approx(float(wanted), rel=2e-2)


def test_where_an_outlier_hides_all_others_p_errs_upwards() -> None:
    differences = np.append(RNG(11).normal(-5.0, 1, size=50), -1e12) / 2e12
    assert 0.0 < inverted_p(differences) <= 0.51
    assert inverted_p(np.append(-1e-200 * np.linspace(1, 2, 100), -0.5)) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("name", ["uniform", "heavy tails"])
@pytest.mark.parametrize("n", [90, 700, 2500])
def test_the_series_for_small_sizes_agrees_with_their_cosines(
    name: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    differences = FLOATS[name](n)
    differences += 0.7 * float(np.sqrt(np.sum(differences**2))) / n - differences.mean()
    by_series = inverted_p(-differences / 4096)
    monkeypatch.setattr(sign_flips, "_FEW", n)
    assert by_series == pytest.approx(inverted_p(-differences / 4096), rel=1e-5)


def test_the_series_is_that_of_the_logarithm_of_the_cosine() -> None:
    terms = sign_flips._Sizes(np.array([0.1, 0.25, 0.5]), np.array([5, 2, 1]))
    frequencies = np.array([0.01, 0.3, 1.0])
    wanted = [float(np.log(np.cos(frequency * terms.sizes)) @ terms.counts) for frequency in frequencies.tolist()]
    assert sign_flips._log_of_cosines(frequencies, terms) == pytest.approx(wanted, rel=2e-5)


@pytest.mark.parametrize("n", [59, 65, 74, 77])
def test_rounding_takes_no_inverted_p_out_of_zero_to_one(n: int) -> None:
    wins = RNG(n).uniform(0.5, 1, size=n)
    assert 1.0 - 1e-9 < inverted_p(wins) <= 1.0
    assert 0.0 <= inverted_p(-wins) < 1e-9


def test_inversion_knows_the_ends() -> None:
    losses = RNG(12).uniform(-1, -0.5, size=400)
    assert inverted_p(losses) == 0.0
    assert inverted_p(-losses) == 1.0
