import itertools
import math
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gate.stats import inversion
from gate.stats.bootstrap import Interval, LatticeDistribution, bootstrap_mean, bootstrap_ratio
from gate.stats.convolution import Draws, Sums, sum_within
from gate.stats.distributions import ResampledDistribution
from gate.stats.inversion import InvertedDistribution, bootstrap_pairs
from gate.stats.pairs import pairs_by_stratum
from gate.stats.ratio import RatioDistribution
from gate.stats.resampling import resample_mean, resample_ratio
from gate.stats.units import Units, gather_units, linearised_variance, units_of_items

Floats = NDArray[np.float64]
GOLDEN = np.repeat([0.0, 0.5, 1.0], [2, 4, 14])
ALPHAS = st.floats(0.001, 0.6)


def units(totals: Floats, sizes: Floats, strata: NDArray[np.intp] | None = None) -> Units:
    return Units(totals, sizes, np.zeros(totals.size, dtype=np.intp) if strata is None else strata.astype(np.intp))


def passages(g: int, seed: int, n_strata: int = 1) -> Units:
    """Groups of one to eight pass/fail items that are alike within their group."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, size=g)
    totals = rng.binomial(sizes, rng.beta(4, 1, size=g))
    return units(totals.astype(np.float64), sizes.astype(np.float64), np.arange(g) % n_strata)


def weighted(g: int, seed: int, n_strata: int = 1) -> Units:
    rng = np.random.default_rng(seed)
    weights = rng.lognormal(0, 0.5, size=g)
    strata = np.arange(g) % n_strata
    return units(weights * (rng.beta(4, 2, size=g) + 0.1 * strata), weights, strata)


def weighted_pass_fail(g: int, seed: int) -> Units:
    rng = np.random.default_rng(seed)
    weights = rng.lognormal(0, 0.5, size=g)
    return units(weights * (np.arange(g) >= g / 10), weights)


def even_strata(seed: int, *, lattice: bool) -> Units:
    rng = np.random.default_rng(seed)
    strata = np.repeat([0, 1, 2], [40, 25, 10])
    scores = rng.beta(2 + strata, 2) + strata / 10
    return units_of_items(np.round(scores, 2) if lattice else scores)._replace(strata=strata.astype(np.intp))


SAMPLES = {
    "20 groups": passages(20, 1),
    "300 groups": passages(300, 2),
    "60 groups in 4 strata": passages(60, 3, 4),
    "weights": weighted(40, 4),
    "weights in 3 strata": weighted(60, 5, 3),
    "weighted pass and fail": weighted_pass_fail(30, 6),
    "strata of hundredths": even_strata(7, lattice=True),
    "strata of floats": even_strata(8, lattice=False),
    "a stratum of a single unit": weighted(31, 9)._replace(strata=np.array([0] * 30 + [1])),
}

SMALL_UNITS = st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 6)), min_size=1, max_size=12).map(
    lambda rows: units(*np.array(rows, dtype=np.float64).T)
)
FLOAT_UNITS = st.lists(st.tuples(st.floats(-10, 10), st.floats(0.5, 4)), min_size=2, max_size=8).map(
    lambda rows: units(*np.array(rows, dtype=np.float64).T)
)


def resampled(sample: Units, n_resamples: int = 200) -> ResampledDistribution:
    return resample_ratio(sample, n_resamples=n_resamples, rng=np.random.default_rng(0))


def inverted(sample: Units) -> InvertedDistribution | LatticeDistribution:
    return bootstrap_pairs(pairs_by_stratum(sample))


def plain_resamples(sample: Units, n_resamples: int) -> Floats:
    """Units drawn one by one: nothing here is shared with what is tested."""
    rng = np.random.default_rng(11)
    batches = []
    for _ in range(n_resamples // 10_000):
        totals, sizes = np.zeros(10_000), np.zeros(10_000)
        for stratum in range(int(sample.strata.max()) + 1):
            own = np.flatnonzero(sample.strata == stratum)
            drawn = own[rng.integers(0, own.size, size=(10_000, own.size), dtype=np.int32)]
            totals += sample.totals[drawn].sum(axis=1)
            sizes += sample.sizes[drawn].sum(axis=1)
        batches.append(totals / sizes)
    return np.concatenate(batches)


def every_resample(sample: Units) -> Iterator[Fraction]:
    rows = [(Fraction(total), Fraction(size)) for total, size in zip(sample.totals, sample.sizes, strict=True)]
    strata = [[row for row, h in zip(rows, sample.strata, strict=True) if h == stratum] for stratum in (0, 1)]
    draws = [row for own in strata for row in [own] * len(own)]
    for drawn in itertools.product(*draws):
        yield sum((total for total, _ in drawn), Fraction()) / sum((size for _, size in drawn), Fraction())


@pytest.mark.parametrize("seed", range(3))
def test_even_units_of_one_stratum_have_the_distribution_of_their_plain_mean(seed: int) -> None:
    for values in (GOLDEN, np.random.default_rng(seed).beta(4, 2, size=50)):
        for sample in (units_of_items(values), gather_units(values, weights=np.full(values.size, 2.0))):
            ratio, mean = bootstrap_ratio(sample), bootstrap_mean(values)
            assert isinstance(ratio, LatticeDistribution)
            assert np.array_equal(ratio.pmf, mean.pmf)
            assert ratio.interval(0.05) == mean.interval(0.05)


def test_weights_of_one_and_groups_of_one_change_nothing() -> None:
    scores = np.random.default_rng(1).integers(0, 3, size=60) / 2
    for sample in (
        gather_units(scores, weights=np.ones(60)),
        gather_units(scores, groups=np.arange(60)),
        gather_units(scores, strata=np.full(60, 3)),
    ):
        assert bootstrap_ratio(sample).interval(0.05) == bootstrap_mean(scores).interval(0.05)


def test_the_golden_sample_as_groups_of_one_has_the_published_figures() -> None:
    uneven = units(np.append(GOLDEN, 0.0), np.append(np.ones(20), 1.0), np.append(np.zeros(20), 1))
    assert bootstrap_ratio(units_of_items(GOLDEN)).interval(0.05) == Interval(0.65, 0.925)
    assert bootstrap_ratio(units_of_items(GOLDEN)).mass_below(0.65) == pytest.approx(0.0204, abs=0.00005)
    # a stratum of one failed item only adds to the size
    assert bootstrap_ratio(uneven).interval(0.05) == pytest.approx((0.65 * 20 / 21, 0.925 * 20 / 21), rel=1e-15)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_probability_agrees_with_plain_resamples(name: str) -> None:
    sample, n_resamples = SAMPLES[name], 1_000_000 if SAMPLES[name].sizes.size <= 60 else 100_000
    drawn = np.sort(plain_resamples(sample, n_resamples))
    exact = bootstrap_ratio(sample)
    for quantile in (0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999):
        # half-way between two ratios drawn, for no ratio to be at the limit
        at = int(quantile * n_resamples)
        above = drawn[np.searchsorted(drawn, drawn[at] + 1e-9, side="right")] if drawn[-1] > drawn[at] + 1e-9 else 2.0
        limit = float(drawn[at] + above) / 2
        wanted = float(np.searchsorted(drawn, limit)) / n_resamples
        error = math.sqrt(max(wanted * (1 - wanted), 1 / n_resamples) / n_resamples)
        assert exact.mass_below(limit) == pytest.approx(wanted, abs=4.5 * error)
    low, high = exact.interval(0.05)
    tail = 0.025 + 4.5 * math.sqrt(0.025 * 0.975 / n_resamples)
    assert float(np.mean(drawn < low - 1e-9)) <= tail
    assert float(np.mean(drawn > high + 1e-9)) <= tail
    spread = float(drawn.std())
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02 * spread)


@pytest.mark.parametrize("name", SAMPLES)
def test_resampling_agrees_with_the_exact_distribution(name: str) -> None:
    exact, drawn = bootstrap_ratio(SAMPLES[name]), resampled(SAMPLES[name], 20_000)
    low, high = exact.interval(0.2)
    for limit in (low + (high - low) * part + 1e-7 for part in (-0.3, 0.1, 0.5, 0.9)):
        wanted = exact.mass_below(limit)
        error = math.sqrt(max(wanted * (1 - wanted), 5e-5) / 20_000)
        assert drawn.mass_below(limit) == pytest.approx(wanted, abs=4.5 * error)


@pytest.mark.parametrize(
    "sample",
    [
        units(np.array([1.0, 3.0, 0.0]), np.array([2.0, 3.0, 1.0])),
        units(np.array([1.0, 3.0, 0.0, 2.0, 2.0]), np.array([2.0, 3.0, 1.0, 2.0, 5.0])),
        units(np.array([1.0, 3.0, 0.0, 2.0, 2.0]), np.array([2.0, 3.0, 1.0, 2.0, 5.0]), np.array([0, 1, 0, 1, 1])),
        units(np.array([-0.5, 0.25, 1.5, 3.0]), np.array([0.5, 1.0, 1.5, 2.5])),
        units(np.array([10.0, 60.0, 60.0, 0.0]), np.array([40.0, 60.0, 80.0, 20.0])),
        # ratios times sizes that come out above the totals, as 0.28 * 25 does above 7
        units(np.array([8.0, 7.0, 19.0, 19.0]), np.array([35.0, 35.0, 7.0, 7.0])),
    ],
)
def test_whole_totals_and_sizes_agree_with_all_resamples(sample: Units) -> None:
    ratios = sorted(every_resample(sample))
    distribution = bootstrap_ratio(sample)
    for ratio in set(ratios):
        below = sum(other < ratio for other in ratios) / len(ratios)
        at_most = sum(other <= ratio for other in ratios) / len(ratios)
        assert distribution.mass_below(float(ratio)) == pytest.approx(below, abs=1e-12)
        assert distribution.mass_below(math.nextafter(float(ratio), 9)) == pytest.approx(at_most, abs=1e-12)
    for alpha in (0.05, 0.11, 0.3, 0.77):
        rank = math.floor(len(ratios) * alpha / 2)
        assert distribution.interval(alpha) == Interval(float(ratios[rank]), float(ratios[-1 - rank]))


@pytest.mark.parametrize("name", ["20 groups", "300 groups", "60 groups in 4 strata"])
def test_both_ways_of_a_ratio_agree(name: str) -> None:
    exact, other = bootstrap_ratio(SAMPLES[name]), inverted(SAMPLES[name])
    assert isinstance(exact, RatioDistribution)
    assert isinstance(other, InvertedDistribution)
    error = math.sqrt(linearised_variance(SAMPLES[name]))
    assert other.interval(0.05) == pytest.approx(exact.interval(0.05), abs=0.01 * error)
    for z in (-3.0, -1.9, 0.1, 1.3):
        limit = SAMPLES[name].mean + z * error
        # a share of the ratios is the limit itself where sizes are small
        assert other.mass_below(limit) == pytest.approx(exact.mass_below(limit), abs=3e-4)


@pytest.mark.parametrize("lattice", [True, False])
def test_strata_that_are_alike_may_be_merged(lattice: bool) -> None:
    scores = np.tile(np.random.default_rng(2).beta(4, 2, size=30), 3)
    scores = np.round(scores, 2) if lattice else scores
    apart = units_of_items(scores)._replace(strata=np.repeat(np.arange(3), 30))
    one, three = bootstrap_mean(scores), bootstrap_ratio(apart)
    assert isinstance(three, LatticeDistribution)
    assert three.pmf == pytest.approx(one.pmf, abs=1e-14)
    assert three.interval(0.05) == pytest.approx(one.interval(0.05), rel=1e-12)


def test_uneven_strata_that_are_alike_may_be_merged() -> None:
    for sample in (passages(40, 12), weighted(40, 12)):
        twice = units(np.tile(sample.totals, 2), np.tile(sample.sizes, 2))
        apart = twice._replace(strata=np.repeat([0, 1], 40))
        assert bootstrap_ratio(apart).interval(0.05) == pytest.approx(bootstrap_ratio(twice).interval(0.05), rel=1e-8)


def test_differences_between_strata_are_no_doubt() -> None:
    scores, strata = np.repeat([0.0, 1.0], 20), np.repeat([0, 1], 20)
    for sample in (
        gather_units(scores, strata=strata),
        gather_units(scores * math.pi, strata=strata),
        gather_units(scores, strata=strata, weights=np.repeat([1.0, 3.0], 20)),
        gather_units(scores, strata=strata, weights=np.repeat([1.0, math.pi], 20)),
    ):
        assert bootstrap_ratio(sample).interval(0.05) == pytest.approx((sample.mean, sample.mean), rel=1e-12)
        assert resampled(sample).interval(0.05) == pytest.approx((sample.mean, sample.mean), rel=1e-12)


def test_a_little_noise_in_strata_far_apart_is_seen() -> None:
    noise, strata = np.random.default_rng(3).normal(size=60), np.repeat([0, 1], 30)
    near = bootstrap_ratio(units_of_items(noise)._replace(strata=strata)).interval(0.05)
    far = bootstrap_ratio(units_of_items(noise * 1e-6 + strata)._replace(strata=strata)).interval(0.05)
    assert [(end - 0.5) * 1e6 for end in far] == pytest.approx(list(near), abs=1e-4)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_order_of_the_units_does_not_matter(name: str) -> None:
    sample = SAMPLES[name]
    order = np.random.default_rng(4).permutation(sample.sizes.size)
    shuffled = Units(sample.totals[order], sample.sizes[order], sample.strata[order])
    assert bootstrap_ratio(shuffled).interval(0.05) == bootstrap_ratio(SAMPLES[name]).interval(0.05)
    assert np.array_equal(resampled(shuffled).means, resampled(SAMPLES[name]).means)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(("factor", "shift", "weight"), [(2.0, 1.0, 1.0), (-1.0, 0.0, 1.0), (0.25, -3.0, 0.1)])
def test_scores_may_be_shifted_stretched_and_turned_and_all_weights_changed(
    name: str, factor: float, shift: float, weight: float
) -> None:
    sample = SAMPLES[name]
    moved = Units((sample.totals * factor + sample.sizes * shift) * weight, sample.sizes * weight, sample.strata)
    ends = sorted(end * factor + shift for end in bootstrap_ratio(sample).interval(0.05))
    error = math.sqrt(linearised_variance(sample))
    assert bootstrap_ratio(moved).interval(0.05) == pytest.approx(ends, abs=2e-3 * abs(factor) * error)


@given(SMALL_UNITS, ALPHAS)
def test_clearing_the_bar_and_a_mass_of_half_alpha_below_it_are_one_statement(sample: Units, alpha: float) -> None:
    for distribution in (bootstrap_ratio(sample), resampled(sample)):
        low = distribution.interval(alpha).low
        for bar in (low, math.nextafter(low, math.inf), math.nextafter(low, -math.inf), low + 0.01, low - 0.01, 0.2):
            assert (bar <= low) == (distribution.mass_below(bar) <= alpha / 2)


@pytest.mark.parametrize("name", ["weights", "weights in 3 strata", "weighted pass and fail"])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.32])
def test_off_a_lattice_they_are_one_statement_but_for_the_tolerance(name: str, alpha: float) -> None:
    sample, distribution = SAMPLES[name], bootstrap_ratio(SAMPLES[name])
    error = math.sqrt(linearised_variance(sample))
    low = distribution.interval(alpha).low
    for bar in (low - 0.1 * error, low - 1e-3 * error, low):
        assert distribution.mass_below(bar) <= alpha / 2
    for bar in (low + 3e-7 * error, low + 1e-3 * error, low + 0.1 * error):
        assert distribution.mass_below(bar) > alpha / 2


@settings(max_examples=30)
@given(FLOAT_UNITS, ALPHAS)
def test_the_interval_of_any_units_is_in_order_within_their_range_and_leaves_its_tail(
    sample: Units, alpha: float
) -> None:
    lowest, highest = float(sample.values.min()), float(sample.values.max())
    slack = 1e-12 * max(1.0, abs(lowest), abs(highest))
    for distribution in (bootstrap_ratio(sample), resampled(sample)):
        low, high = distribution.interval(alpha)
        assert lowest - slack <= low <= high <= highest + slack
        assert distribution.mass_below(low - slack) <= alpha / 2
        masses = [distribution.mass_below(limit) for limit in np.linspace(lowest, highest, 7).tolist()]
        assert masses == sorted(masses)
        assert all(0.0 <= mass <= 1.0 for mass in masses)


def test_units_that_are_all_right_but_a_few_keep_the_end_of_the_scale() -> None:
    sample = weighted_pass_fail(20, 1)
    distribution = bootstrap_ratio(sample)
    assert distribution.interval(0.05).high == 1.0
    assert distribution.mass_below(1.0) == pytest.approx(1 - 0.9**20, abs=1e-12)
    assert distribution.mass_below(math.nextafter(1.0, 2)) == pytest.approx(1 - 0.9**20, abs=1e-12)
    assert distribution.mass_below(1.0 + 1e-9) == 1.0
    turned = bootstrap_ratio(sample._replace(totals=sample.sizes - sample.totals))
    assert turned.interval(0.05).low == 0.0
    assert turned.mass_below(1e-6) == pytest.approx(0.9**20, abs=1e-4)


DEGENERATE = {
    "one unit": units(np.array([0.3]), np.array([2.0])),
    "one unit of an odd weight": units(np.array([0.3]), np.array([math.pi])),
    "two units": units(np.array([1.0, 0.0]), np.array([1.0, 7.0])),
    "two floats": units(np.array([math.e, 0.1]), np.array([1.0, math.pi])),
    "equal scores of unequal weight": units(np.array([0.1, 0.2, 0.7]) * math.pi, np.array([1.0, 2.0, 7.0])),
    "equal scores, many weights": units(0.1 * np.linspace(1, 2, 1000), np.linspace(1, 2, 1000)),
    "huge": units(np.array([1e300, -1e300, 3e299]), np.array([1.0, 2.0, 3.0])),
    "huge and one": units(np.array([1e300, 1.0, 0.0]), np.array([1.0, 2.0, math.pi])),
    "denormal": units(np.array([5e-324, 1e-310, 0.0]), np.array([1.0, 2.0, 3.0])),
    "nothing": units(np.zeros(3), np.array([1.0, 2.0, 3.0])),
    "one unit outweighs all": units(np.array([5e11, 1.0, 0.0]), np.array([1e12, 1.0, 1.0])),
    "sizes beyond any scale": units(np.array([1e-201, 1e199, 0.0]), np.array([1e-200, 1e200, 1.0])),
    "a size that is less than rounding": units(np.array([1e-14, 1.0]), np.array([1e-14, 3.0])),
    "each unit a stratum": units(np.array([1.0, 0.0, math.pi]), np.array([1.0, 2.0, 4.0]), np.arange(3)),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("alpha", [1e-9, 0.05, 0.5, 0.999])
def test_degenerate_units_neither_crash_nor_leave_their_range(name: str, alpha: float) -> None:
    sample = DEGENERATE[name]
    lowest, highest = float(sample.values.min()), float(sample.values.max())
    slack = 1e-15 * max(abs(lowest), abs(highest))
    for distribution in (bootstrap_ratio(sample), resampled(sample, 20)):
        low, high = distribution.interval(alpha)
        assert lowest - slack <= low <= high <= highest + slack
        for limit in (-math.inf, -1e308, lowest, low, 0.0, high, highest, 1e308, math.inf):
            assert 0.0 <= distribution.mass_below(limit) <= 1.0
        assert distribution.mass_below(-math.inf) == 0.0
        assert distribution.mass_below(math.inf) == 1.0


@pytest.mark.parametrize("name", ["equal scores of unequal weight", "equal scores, many weights", "one unit"])
def test_units_of_equal_scores_have_an_interval_of_that_one_score(name: str) -> None:
    sample = DEGENERATE[name]
    wanted = sample.totals[0] / sample.sizes[0]
    for distribution in (bootstrap_ratio(sample), resampled(sample)):
        assert distribution.interval(0.05) == pytest.approx((wanted, wanted), rel=1e-12)
        assert distribution.mass_below(float(wanted)) == 0.0
        assert distribution.mass_below(float(wanted) * (1 + 1e-9)) == 1.0


def test_the_end_of_a_smooth_interval_costs_few_convolutions(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(longest: int, parts: list[Draws]) -> Sums | None:
        calls.append(parts)
        return sum_within(longest, parts)

    monkeypatch.setattr(inversion, "sum_within", counted)
    bootstrap_ratio(weighted(1000, 5)).interval(0.05)
    assert len(calls) <= 16


def test_a_finer_grid_would_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = weighted(400, 6)
    usual = bootstrap_ratio(sample)
    monkeypatch.setattr(inversion, "_STEPS_TIMES_ROOT_N", 16_000.0)
    fine = bootstrap_ratio(sample)
    error = math.sqrt(linearised_variance(sample))
    assert usual.interval(0.05) == pytest.approx(fine.interval(0.05), abs=2e-4 * error)


def test_many_groups_have_the_normal_interval() -> None:
    for sample in (passages(20_000, 7), weighted(20_000, 7)):
        error = math.sqrt(linearised_variance(sample))
        wanted = (sample.mean - 1.95996 * error, sample.mean + 1.95996 * error)
        assert bootstrap_ratio(sample).interval(0.05) == pytest.approx(wanted, abs=0.03 * error)


@given(SMALL_UNITS)
def test_resampled_ratios_of_whole_units_are_correctly_rounded(sample: Units) -> None:
    assume(not sample.even)
    drawn = resampled(sample, 30)
    assert drawn.exact
    allowed = 6 * sample.totals.size
    for ratio in drawn.means.tolist():
        assert float(Fraction(ratio).limit_denominator(allowed)) == ratio


def test_resampling_even_units_is_resampling_their_mean() -> None:
    for values in (GOLDEN, np.random.default_rng(5).beta(4, 2, size=50)):
        mean = resample_mean(values, n_resamples=100, rng=np.random.default_rng(0))
        assert np.array_equal(resampled(units_of_items(values), 100).means, mean.means)


@pytest.mark.parametrize(
    ("values", "copies"), [(np.tile([0.0, 0.5, 1.0, 1.0], 250_000), 0), (np.random.default_rng(0).random(10**6), 1)]
)
def test_the_memory_beside_a_million_scores_is_small(values: Floats, copies: int) -> None:
    tracemalloc.start()
    bootstrap_mean(values).interval(0.05)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # the window of a million floats holds 2**20 sums, and is transformed with a few copies
    assert peak <= copies * (values.nbytes + 80 * 2**20) + 8 * 2**20
