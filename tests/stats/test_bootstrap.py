import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom, norm

from gate.stats import bootstrap, grid, resampling
from gate.stats.bootstrap import Interval, MeanDistribution, bootstrap_mean, resample_mean
from gate.stats.lattice import exact_mean

Floats = NDArray[np.float64]
RUN_A = np.repeat([0.0, 0.5, 1.0], [1, 2, 17])
RUN_B = np.repeat([0.0, 0.5, 1.0], [3, 5, 12])
GOLDEN = np.repeat([0.0, 0.5, 1.0], [2, 4, 14])
# 198 tenths whose mean is one fifth exactly, and for numpy a little less.
FLOAT_TRAP = np.repeat([0.1, 0.3, 0.9], [129, 59, 10])

ALPHAS = st.floats(0.001, 0.999)
FINITE = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=25)
MODERATE = st.lists(st.floats(-100, 100), min_size=1, max_size=25)
LATTICES = st.builds(
    lambda numerators, by: np.array([numerator / by for numerator in numerators]),
    st.lists(st.integers(-30, 30), min_size=1, max_size=25),
    st.integers(1, 12),
)


def resampled(values: Floats, n_resamples: int = 10_000, seed: int = 0) -> MeanDistribution:
    return resample_mean(values, n_resamples=n_resamples, rng=np.random.default_rng(seed))


def every_resample(values: list[Fraction]) -> dict[Fraction, Fraction]:
    """The probability of each mean, over all n**n resamples."""
    n = len(values)
    by = math.lcm(*(value.denominator for value in values))
    sums = np.zeros(1, dtype=np.int64)
    for _ in values:
        sums = np.add.outer(sums, [int(value * by) for value in values]).ravel()
    totals, times = np.unique(sums, return_counts=True)
    return {
        Fraction(total, by * n): Fraction(count, n**n)
        for total, count in zip(totals.tolist(), times.tolist(), strict=True)
    }


def low_of(means: dict[Fraction, Fraction], tail: Fraction) -> Fraction:
    """The largest mean with at most ``tail`` strictly below it."""
    below, low = Fraction(0), min(means)
    for mean, probability in means.items():
        if below <= tail:
            low = mean
        below += probability
    return low


def plain_resamples(values: Floats, n_resamples: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    batches = [
        values[rng.integers(0, values.size, size=(100, values.size))].mean(axis=1) for _ in range(n_resamples // 100)
    ]
    return np.concatenate(batches)


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [(RUN_A, 0.775, 1.0), (RUN_B, 0.55, 0.875), (GOLDEN, 0.65, 0.925), (np.ones(20), 1.0, 1.0)],
)
def test_the_worked_examples_have_the_published_intervals(scores: Floats, low: float, high: float) -> None:
    assert bootstrap_mean(scores).interval(0.05) == Interval(low, high)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("scores", "low", "high"), [(RUN_A, 0.775, 1.0), (RUN_B, 0.55, 0.875)])
def test_resampling_gives_the_published_intervals_at_any_seed(
    scores: Floats, low: float, high: float, seed: int
) -> None:
    assert resampled(scores, seed=seed).interval(0.05) == Interval(low, high)


def test_the_golden_sample_has_the_published_probabilities_below_and_at_the_bar() -> None:
    distribution = bootstrap_mean(GOLDEN)
    assert distribution.mass_below(0.65) == pytest.approx(0.0204, abs=0.00005)
    assert distribution.mass_below(math.nextafter(0.65, 1)) == pytest.approx(0.0395, abs=0.00005)


@pytest.mark.parametrize(
    "values",
    [
        ["0", "1"],
        ["0", "0", "1"],
        ["1/3", "2/3", "1"],
        ["0", "1/2", "1/2", "1"],
        ["-1", "1/7", "3/10", "3/10"],
        ["1/5", "1/4", "1/3", "1/2", "1"],
        ["0", "0", "0", "0", "0", "1"],
        ["1/10", "2/10", "3/10", "7/10", "7/10", "9/10"],
        ["0", "1/2", "1", "1", "1", "1", "1"],
    ],
)
def test_the_exact_distribution_agrees_with_all_resamples(values: list[str]) -> None:
    means = every_resample([Fraction(value) for value in values])
    distribution = bootstrap_mean(np.array([float(Fraction(value)) for value in values]))
    below = Fraction(0)
    for mean, probability in means.items():
        assert distribution.mass_below(float(mean)) == pytest.approx(float(below), abs=1e-14)
        below += probability
        assert distribution.mass_below(math.nextafter(float(mean), math.inf)) == pytest.approx(float(below), abs=1e-14)
    for alpha in ("0.05", "0.03", "0.11", "0.3", "0.77"):
        low = low_of(means, Fraction(alpha) / 2)
        high = -low_of({-mean: share for mean, share in reversed(means.items())}, Fraction(alpha) / 2)
        assert distribution.interval(float(alpha)) == Interval(float(low), float(high))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(4))
def test_scores_off_a_lattice_agree_with_all_resamples_up_to_the_grid(n: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=n)
    means = np.sort([np.mean(chosen) for chosen in itertools.product(values, repeat=n)])
    below = math.floor(0.025 * n**n)
    interval = bootstrap_mean(values).interval(0.05)
    assert interval == pytest.approx((means[below], means[-1 - below]), abs=float(values.std()) / 120)


@pytest.mark.parametrize(
    ("right", "n"),
    [(0, 5), (1, 2), (1, 30), (17, 20), (1, 1000), (2, 999), (998, 1000), (1, 40_000), (600, 1000)],
)
def test_every_probability_of_pass_fail_scores_is_the_binomial_one(right: int, n: int) -> None:
    distribution = bootstrap_mean(np.repeat([0.0, 1.0], [n - right, right]))
    held = np.arange(distribution.first, distribution.first + distribution.pmf.size)
    assert distribution.pmf == pytest.approx(binom.pmf(held, n, right / n), abs=1e-11)
    assert distribution.pmf.sum() == pytest.approx(1.0)
    outside = binom.cdf(held[0] - 1, n, right / n) + binom.sf(held[-1], n, right / n)
    assert outside < 1e-15


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 1.0), (0.0, 1e5), (0.1234567, 0.7654321), (-math.pi, math.pi), (1e12, 2e12)]
)
@pytest.mark.parametrize("n", [20, 1001])
def test_two_valued_scores_are_binomial_whatever_the_values(low: float, high: float, n: int) -> None:
    hits = n * 3 // 5
    distribution = bootstrap_mean(np.repeat([low, high], [n - hits, hits]))
    for successes in (hits - n // 5, hits, hits + n // 11):
        between = low + (high - low) * (successes + 0.5) / n
        assert distribution.mass_below(between) == pytest.approx(binom.cdf(successes, n, hits / n), abs=1e-9)


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000])
def test_one_outlier_does_not_wrap_around_the_window(n: int) -> None:
    distribution = bootstrap_mean(np.append(np.zeros(n - 1), 1000.0))
    for times in range(4):
        mass = distribution.mass_below((times + 0.5) * 1000.0 / n)
        assert mass == pytest.approx(binom.cdf(times, n, 1 / n), abs=1e-9)


SAMPLES = {
    "pass and fail": np.repeat([0.0, 1.0], [9, 41]),
    "hundredths": np.round(np.random.default_rng(1).beta(8, 2, size=60), 2),
    "beta": np.random.default_rng(2).beta(5, 1, size=20),
    "normal": np.random.default_rng(3).normal(size=200),
    "lognormal": np.random.default_rng(4).lognormal(0, 2, size=300),
    "cauchy": np.random.default_rng(5).standard_cauchy(size=150),
    "one outlier": np.append(np.random.default_rng(6).normal(size=99), 1e4),
    "four levels": np.repeat([0.0, 0.3333, 0.6667, 1.0], [3, 4, 5, 18]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_exact_distribution_agrees_with_a_monte_carlo_bootstrap(name: str) -> None:
    values, n_resamples = SAMPLES[name], 10_000
    exact, drawn = bootstrap_mean(values), resampled(values, n_resamples)
    means = plain_resamples(values, n_resamples, seed=7)
    levels = np.unique(np.round(means, 9))
    for quantile in (0.01, 0.025, 0.1, 0.5, 0.9, 0.975, 0.99):
        # half-way between two means drawn, for no mean to be at the limit
        level = int(np.searchsorted(levels, np.quantile(means, quantile)))
        limit = float(levels[level - 1 : level + 1].mean())
        wanted = exact.mass_below(limit)
        error = math.sqrt(max(wanted * (1 - wanted), 1 / n_resamples) / n_resamples)
        assert float(np.mean(means < limit)) == pytest.approx(wanted, abs=4.5 * error)
        assert drawn.mass_below(limit) == pytest.approx(wanted, abs=4.5 * error)


@given(LATTICES, ALPHAS)
def test_clearing_the_bar_and_a_mass_of_half_alpha_below_it_are_one_statement(values: Floats, alpha: float) -> None:
    for distribution in (bootstrap_mean(values), resampled(values, n_resamples=200)):
        low = distribution.interval(alpha).low
        for bar in (low, math.nextafter(low, math.inf), math.nextafter(low, -math.inf), low + 0.01, low - 0.01, 0.2):
            assert (bar <= low) == (distribution.mass_below(bar) <= alpha / 2)


@given(MODERATE, ALPHAS)
def test_off_a_lattice_they_are_one_statement_but_for_rounding(values: list[float], alpha: float) -> None:
    sample = np.array(values)
    for distribution in (bootstrap_mean(sample), resampled(sample, n_resamples=200)):
        low = distribution.interval(alpha).low
        assert distribution.mass_below(low - 3e-12 * abs(low)) <= alpha / 2
        assert distribution.mass_below(low) <= alpha / 2
        assert distribution.mass_below(low + 3e-12 * abs(low) + 5e-324) > alpha / 2


@given(FINITE, ALPHAS)
def test_the_interval_lies_within_the_range_of_the_scores(values: list[float], alpha: float) -> None:
    sample = np.array(values)
    slack = 1e-12 * max(1.0, *(abs(value) for value in values if abs(value) < 1e10), 1.0)
    for distribution in (bootstrap_mean(sample), resampled(sample, n_resamples=50)):
        low, high = distribution.interval(alpha)
        assert low <= high
        assert low >= min(values) - slack - 1e-15 * abs(min(values))
        assert high <= max(values) + slack + 1e-15 * abs(max(values))


@given(MODERATE)
def test_the_interval_holds_the_mean_unless_the_sample_is_extremely_skewed(values: list[float]) -> None:
    sample = np.array(values)
    low, high = bootstrap_mean(sample).interval(0.05)
    slack = 1e-11 + float(sample.std()) / 100
    assert low - slack <= exact_mean(sample) <= high + slack


@given(FINITE)
def test_the_mass_below_rises_from_zero_to_one(values: list[float]) -> None:
    sample = np.array(values)
    for distribution in (bootstrap_mean(sample), resampled(sample, n_resamples=50)):
        limits = [-math.inf, *sorted([*values, *np.linspace(-1, 1, 9).tolist()]), math.inf]
        masses = [distribution.mass_below(limit) for limit in limits[1:-1]]
        assert masses == sorted(masses)
        assert all(0.0 <= mass <= 1.0 for mass in masses)
        assert (
            distribution.mass_below(min(values) - 1e-9 - 1e-9 * abs(min(values)) if min(values) > -1e300 else -math.inf)
            == 0.0
        )


@given(LATTICES, st.integers(-20, 20), st.integers(1, 7))
def test_scores_on_a_lattice_may_be_shifted_and_stretched(values: Floats, shift: int, factor: int) -> None:
    assume(bootstrap_mean(values).exact)
    low, high = bootstrap_mean(values).interval(0.05)
    moved = bootstrap_mean(values * factor + shift).interval(0.05)
    assert moved == pytest.approx((low * factor + shift, high * factor + shift), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["beta", "normal", "cauchy", "four levels"])
@pytest.mark.parametrize(
    ("factor", "shift"), [(1e-9, 0.0), (1e-7, 0.5), (-1.0, 3.0), (math.e, 1e3), (1e300, 0.0), (2.0**-1000, 0.0)]
)
def test_other_scores_may_be_shifted_and_stretched_too(name: str, factor: float, shift: float) -> None:
    values = SAMPLES[name] + math.pi
    ends = sorted(end * factor + shift for end in bootstrap_mean(values).interval(0.05))
    moved = bootstrap_mean(values * factor + shift).interval(0.05)
    assert moved == pytest.approx(ends, rel=1e-12, abs=abs(factor) * float(values.std()) * 1e-3)


@given(MODERATE, st.randoms())
def test_the_order_of_the_items_does_not_matter(values: list[float], random: object) -> None:
    other = values.copy()
    random.shuffle(other)  # type: ignore[attr-defined]  # hypothesis' random.Random
    first, second = bootstrap_mean(np.array(values)), bootstrap_mean(np.array(other))
    assert np.array_equal(first.pmf, second.pmf)
    assert first.interval(0.05) == second.interval(0.05)
    assert resampled(np.array(values), 50).interval(0.2) == resampled(np.array(other), 50).interval(0.2)


@given(LATTICES, ALPHAS)
def test_turning_the_scale_round_turns_the_interval_round(values: Floats, alpha: float) -> None:
    low, high = bootstrap_mean(values).interval(alpha)
    turned = bootstrap_mean(-values).interval(alpha)
    assert turned == pytest.approx((-high, -low), abs=1e-12)


def test_the_mean_of_decimals_does_not_fall_below_an_equal_bar() -> None:
    assert float(np.mean(FLOAT_TRAP)) < 0.2
    point = np.full(198, 0.2)
    for distribution in (bootstrap_mean(FLOAT_TRAP), resampled(FLOAT_TRAP, 40_000)):
        at, above = distribution.mass_below(0.2), distribution.mass_below(math.nextafter(0.2, 1))
        assert above - at > 0.01  # the mean one fifth itself is not below one fifth
    assert bootstrap_mean(point).mass_below(0.2) == 0.0
    assert resampled(point).mass_below(0.2) == 0.0


@pytest.mark.parametrize("n", range(1, 40))
def test_a_mean_that_prints_above_its_fraction_is_not_below_itself(n: int) -> None:
    distribution = bootstrap_mean(np.append(np.ones(n), 0.0))
    top = distribution.interval(1 - 1e-9)
    masses = [distribution.mass_below(right / (n + 1)) for right in range(n + 2)]
    assert masses == pytest.approx(binom.cdf(np.arange(-1, n + 1), n + 1, n / (n + 1)), abs=1e-13)
    assert top.low in [right / (n + 1) for right in range(n + 2)]


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1 / 3, 0.123456789, -math.pi, 1e-9, 1e300, -1.7e308, 5e-320])
@pytest.mark.parametrize("n", [1, 4, 7, 1000])
def test_equal_scores_have_an_interval_of_that_one_score(value: float, n: int) -> None:
    sample = np.full(n, value)
    for distribution in (bootstrap_mean(sample), resampled(sample, 20)):
        assert distribution.interval(0.05) == pytest.approx((value, value), rel=1e-15, abs=1e-12)
        assert distribution.mass_below(value) == 0.0
        assert distribution.mass_below(value + 1e-9 + 1e-9 * abs(value)) == 1.0


def test_differences_that_are_one_decimal_but_for_rounding_are_equal() -> None:
    differences = np.array([0.3 - 0.1, 0.2, 0.9 - 0.7, 1.2 - 1.0])
    assert np.unique(differences).size > 1
    distribution = bootstrap_mean(differences)
    assert distribution.interval(0.05) == Interval(0.2, 0.2)
    assert distribution.mass_below(0.2) == 0.0


def test_scores_that_differ_in_the_last_bit_stay_between_their_neighbours() -> None:
    value = 0.7123456789
    pair = np.array([value, math.nextafter(value, 1)] * 10)
    low, high = bootstrap_mean(pair).interval(0.05)
    assert value <= low <= high <= math.nextafter(value, 1)
    assert bootstrap_mean(pair).mass_below(value) == 0.0


def test_a_spread_of_a_billionth_is_seen() -> None:
    noise = np.random.default_rng(8).normal(size=50)
    low, high = bootstrap_mean(0.5 + 1e-9 * noise).interval(0.05)
    wanted = bootstrap_mean(noise).interval(0.05)
    assert ((low - 0.5) * 1e9, (high - 0.5) * 1e9) == pytest.approx(wanted, abs=2e-3)


def test_a_scale_of_no_lattice_has_the_worked_interval_in_its_unit() -> None:
    low, high = bootstrap_mean(RUN_A * math.pi).interval(0.05)
    assert (low / math.pi, high / math.pi) == pytest.approx((0.775, 1.0), rel=1e-9)


@pytest.mark.parametrize(
    "scores",
    [np.repeat([0.0, 0.5, 1.0], [10**5, 2 * 10**5, 7 * 10**5]), np.random.default_rng(9).beta(4, 2, size=10**6)],
)
def test_a_million_scores_have_the_normal_interval_in_a_short_window(scores: Floats) -> None:
    distribution = bootstrap_mean(scores)
    assert distribution.pmf.size <= 2**20
    error = float(scores.std()) / 1000
    wanted = norm.ppf([0.025, 0.975]) * error + exact_mean(scores)
    assert distribution.interval(0.05) == pytest.approx(wanted, abs=2e-3 * error)


@pytest.mark.parametrize("n", [1_000, 30_000])
def test_a_lattice_far_finer_than_the_error_of_the_mean_costs_no_more_memory(n: int) -> None:
    scores = np.random.default_rng(10).choice(np.arange(0, 14_000, 7.0), size=n)
    distribution = bootstrap_mean(scores)
    assert distribution.pmf.size <= 2**20
    error = float(scores.std()) / math.sqrt(n)
    wanted = norm.ppf([0.025, 0.975]) * error + exact_mean(scores)
    assert distribution.interval(0.05) == pytest.approx(wanted, abs=0.02 * error)


def test_both_ways_of_a_lattice_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(12).choice(np.arange(0, 2_000.0, 3), size=400)
    exact = bootstrap_mean(scores)
    monkeypatch.setattr(bootstrap, "MAX_WINDOW", 1)
    split = bootstrap_mean(scores)
    assert (exact.exact, split.exact) == (True, False)
    error = float(scores.std()) / 20
    assert split.interval(0.05) == pytest.approx(exact.interval(0.05), abs=2e-4 * error)
    for z in (-4.0, -3.0, -2.0, 0.0, 2.5):
        limit = exact_mean(scores) + z * error + 1e-6
        assert split.mass_below(limit) == pytest.approx(exact.mass_below(limit), rel=2e-3)


@pytest.mark.parametrize(("n", "shape"), [(20, 1.0), (200_000, 1.0)])
def test_a_finer_grid_would_change_little(n: int, shape: float, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(13).lognormal(0, shape, size=n)
    usual = bootstrap_mean(scores)
    for steps in ("_STEPS_PER_SD", "_STEPS_PER_QUARTILES", "_STEPS_TIMES_ROOT_N"):
        monkeypatch.setattr(grid, steps, 4 * getattr(grid, steps))
    fine = bootstrap_mean(scores)
    assert fine.step < usual.step / 2
    error = float(scores.std()) / math.sqrt(scores.size)
    assert usual.interval(0.05) == pytest.approx(fine.interval(0.05), abs=2e-3 * error)
    for z in (-2.0, -1.0, 0.0, 2.0, 3.0):
        limit = exact_mean(scores) + z * error
        assert usual.mass_below(limit) == pytest.approx(fine.mass_below(limit), abs=3e-4)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_distribution_has_the_mean_and_the_variance_of_the_sample(name: str) -> None:
    distribution, sample = bootstrap_mean(SAMPLES[name]), SAMPLES[name]
    sums = distribution.first + np.arange(distribution.pmf.size)
    means = float(distribution.origin) + float(distribution.step) * sums
    mean = float(means @ distribution.pmf)
    assert mean == pytest.approx(float(sample.mean()), abs=1e-9 * float(sample.std()))
    assert float((means - mean) ** 2 @ distribution.pmf) == pytest.approx(float(sample.var()) / sample.size, rel=1e-8)


@pytest.mark.parametrize("n", [600, 1000, 1700, 2100, 4200, 8100, 17_000])
def test_the_window_leaves_out_no_more_than_rounding(n: int) -> None:
    distribution = bootstrap_mean(np.repeat([0.0, 1.0], [n // 3, n - n // 3]))
    last = distribution.first + distribution.pmf.size - 1
    share = (n - n // 3) / n
    assert binom.cdf(distribution.first - 1, n, share) + binom.sf(last, n, share) < 2e-16


def test_resampling_depends_on_the_seed_alone() -> None:
    first, second = resampled(RUN_B, 500, seed=1), resampled(RUN_B, 500, seed=1)
    limits = np.linspace(0.5, 0.9, 30).tolist()
    masses = [
        [distribution.mass_below(limit) for limit in limits]
        for distribution in (first, second, resampled(RUN_B, 500, seed=2))
    ]
    assert masses[0] == masses[1] != masses[2]


@pytest.mark.parametrize("values", [RUN_B, SAMPLES["beta"]])
def test_batches_of_resamples_are_the_resamples(values: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resample_mean(values, n_resamples=101, rng=np.random.default_rng(4))
    monkeypatch.setattr(resampling, "_BATCH_CELLS", 7)
    batched = resample_mean(values, n_resamples=101, rng=np.random.default_rng(4))
    assert batched.means == pytest.approx(whole.means, rel=1e-14)


def test_exactly_half_alpha_may_lie_below_the_low() -> None:
    distribution = resample_mean(SAMPLES["beta"], n_resamples=200, rng=np.random.default_rng(0))
    assert distribution.interval(0.05) == Interval(float(distribution.means[5]), float(distribution.means[-6]))


@settings(max_examples=30)
@given(st.integers(1, 300), ALPHAS)
def test_a_resampled_interval_leaves_at_most_half_alpha_on_either_side(n_resamples: int, alpha: float) -> None:
    distribution = resample_mean(RUN_B, n_resamples=n_resamples, rng=np.random.default_rng(n_resamples))
    low, high = distribution.interval(alpha)
    assert low <= high
    assert float(np.mean(distribution.means < low)) <= alpha / 2 < float(np.mean(distribution.means <= low))
    assert float(np.mean(distribution.means > high)) <= alpha / 2 < float(np.mean(distribution.means >= high))
