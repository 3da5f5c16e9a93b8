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


def test_inversion_counts_each_size_as_often_as_it_occurs() -> None:
    twice = np.repeat(RNG(13).uniform(0.2, 1, size=14), 2) * RNG(14).choice([-1.0, -1.0, 1.0], size=28)
    assert inverted_p(twice) == pytest.approx(enumerated_p(twice), rel=5e-3)


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


def test_of_small_arguments_the_series_has_seven_digits() -> None:
    terms = sign_flips._Sizes(np.array([0.25]), np.array([3]))
    series = sign_flips._log_of_cosines(np.array([1.0, 0.5]), terms)
    assert series == pytest.approx(3 * np.log(np.cos([0.25, 0.125])), rel=1e-7)


def dying(terms: sign_flips._Sizes, small: int) -> float:
    """The frequency at which the product of the cosines of so many sizes is exp(-35), by its normal limit."""
    return math.sqrt(2 * 35 / float(terms.sizes[:small] ** 2 @ terms.counts[:small]))


def test_small_are_all_sizes_whose_arguments_are_small_till_the_product_has_died() -> None:
    sizes, counts = np.geomspace(0.1, 30, 100), np.repeat([1, 400, 2], [50, 20, 30])
    terms = sign_flips._Sizes(sizes, counts)
    small = sign_flips._count_small(terms)
    assert 0 < small < 100
    fitting = [stop for stop in range(1, 101) if dying(terms, stop) * sizes[stop - 1] <= 0.5]
    assert small == max(fitting)


def test_no_size_is_small_where_each_outweighs_all_before_it() -> None:
    assert sign_flips._count_small(sign_flips._Sizes(np.ldexp(1.0, np.arange(70)), np.ones(70, dtype=np.int64))) == 0


def test_frequencies_reach_as_far_as_the_small_sizes_last() -> None:
    terms = sign_flips._Sizes(np.linspace(0.001, 0.03, 100), np.full(100, 7))
    frequencies, spacing = sign_flips._frequencies(terms, 80), math.pi / 8.7
    assert np.diff(frequencies, prepend=0.0) == pytest.approx(spacing)
    assert frequencies[-1] - spacing < dying(terms, 80) <= frequencies[-1]


def test_frequencies_without_small_sizes_reach_as_far_as_the_lumps_or_the_work_allow() -> None:
    few, spacing = sign_flips._Sizes(np.array([0.1, 0.2, 0.3]), np.array([10, 20, 19])), math.pi / 8.7
    # the root of 49 sizes, 64 pi of a typical one
    last = float(sign_flips._frequencies(few, 0)[-1])
    assert last - spacing < 7 * 64 * math.pi <= last
    assert sign_flips._frequencies(few, 0, farthest=True).size == 2**18
    many = sign_flips._Sizes(np.linspace(0.1, 1, 200), np.ones(200, dtype=np.int64))
    assert sign_flips._frequencies(many, 0, farthest=True).size == 30_000_000 // 200
    assert sign_flips._frequencies(many, 50, farthest=True).size < 1000


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
