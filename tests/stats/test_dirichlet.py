import itertools
import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import beta

from gate.stats import dirichlet
from gate.stats.bootstrap import Interval
from gate.stats.contour import nonpositive_probability
from gate.stats.dirichlet import exact_interval, exact_p, units_to_prove
from gate.stats.units import Units, gather_units, units_of_items

Floats = NDArray[np.float64]
RUN_A = np.repeat([0.0, 0.5, 1.0], [1, 2, 17])
GOLDEN = np.repeat([0.0, 0.5, 1.0], [2, 4, 14])

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)
HALVES = st.lists(st.integers(0, 2), min_size=1, max_size=40).map(lambda steps: np.array(steps) / 2)
LIMITS = st.floats(0.01, 0.99)


def p_of(scores: Floats, limit: float, lowest: float = 0.0) -> float:
    return exact_p(units_of_items(scores), limit, lowest=lowest)


def interval_of(scores: Floats, lowest: float = 0.0, highest: float = 1.0, alpha: float = 0.05) -> Interval:
    return exact_interval(units_of_items(scores), lowest=lowest, highest=highest, alpha=alpha)


def pass_fail(right: int, n: int) -> Units:
    return units_of_items(np.repeat([0.0, 1.0], [n - right, right]))


def clopper_pearson(right: int, n: int, alpha: float) -> Interval:
    low = float(beta.ppf(alpha / 2, right, n - right + 1)) if right else 0.0
    return Interval(low, float(beta.ppf(1 - alpha / 2, right + 1, n - right)) if right < n else 1.0)


def p_by_partial_fractions(excesses: list[Fraction]) -> float:
    """P(sum of E_i y_i <= 0) for exponential E_i and distinct y_i, in rational numbers."""
    power = len(excesses) - 1
    above = [y**power / math.prod(y - other for other in excesses if other != y) for y in excesses if y > 0]
    return float(1 - sum(above, Fraction(0)))


def test_the_golden_sample_has_the_published_bound() -> None:
    assert interval_of(GOLDEN).low == pytest.approx(0.592001, abs=5e-7)


def test_run_a_has_the_published_bound_and_p_value_at_the_bar() -> None:
    assert interval_of(RUN_A).low == pytest.approx(0.701466, abs=5e-7)
    assert p_of(RUN_A, 0.7) == pytest.approx(0.0242, abs=5e-5)


def test_twenty_of_twenty_right_do_not_prove_more_than_the_published_bound() -> None:
    assert interval_of(np.ones(20)) == pytest.approx((0.8316, 1.0), abs=5e-5)


@pytest.mark.parametrize(("bar", "needed"), [(0.8, 17), (0.9, 36), (0.95, 72), (0.98, 183), (0.99, 368)])
def test_perfect_scores_needed_to_prove_a_bar_are_the_published_ones(bar: float, needed: int) -> None:
    assert units_to_prove(units_of_items(np.ones(20)), bar, lowest=0.0, tail=0.025) == needed


@settings(max_examples=60)
@given(st.integers(0, 6), st.floats(0, 1), st.sampled_from([0.05, 0.01, 0.1, 0.5, 1e-6]))
def test_pass_fail_scores_have_the_clopper_pearson_interval(magnitude: int, share: float, alpha: float) -> None:
    n = 10**magnitude
    right = round(share * n)
    interval = exact_interval(pass_fail(right, n), lowest=0.0, highest=1.0, alpha=alpha)
    assert interval == pytest.approx(clopper_pearson(right, n, alpha), abs=1e-11)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 300, 10_000, 1_000_000])
def test_nearly_all_or_nearly_none_right_have_it_too(n: int) -> None:
    for right in {0, 1, 2, 3, n - 3, n - 2, n - 1, n} & set(range(n + 1)):
        interval = exact_interval(pass_fail(right, n), lowest=0.0, highest=1.0, alpha=0.05)
        assert interval == pytest.approx(clopper_pearson(right, n, 0.05), abs=1e-11)


@settings(max_examples=60)
@given(st.integers(1, 400), st.floats(0, 1), st.integers(1, 127))
def test_the_p_value_of_pass_fail_scores_is_the_binomial_one_down_to_its_far_tail(
    n: int, share: float, place: int
) -> None:
    right = max(1, round(share * n))
    times = sum(math.comb(n, hits) * place**hits * (128 - place) ** (n - hits) for hits in range(right, n + 1))
    wanted = float(Fraction(times, 128**n))
    assume(wanted > 1e-300)
    assert exact_p(pass_fail(right, n), place / 128, lowest=0.0) == pytest.approx(wanted, rel=1e-9, abs=0)


@given(st.sets(st.integers(0, 60), min_size=2, max_size=9), st.integers(1, 119))
def test_distinct_scores_agree_with_partial_fractions(steps: set[int], place: int) -> None:
    limit = Fraction(place, 120)
    scores = [Fraction(step + 1, 61) for step in steps]
    assume(limit not in scores)
    wanted = p_by_partial_fractions([-limit, *(score - limit for score in scores)])
    found = p_of(np.array([float(score) for score in scores]), float(limit))
    assert found == pytest.approx(wanted, abs=1e-12, rel=1e-9)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 9)), min_size=2, max_size=7), st.integers(1, 79))
def test_uneven_units_agree_with_partial_fractions(units: list[tuple[int, int]], place: int) -> None:
    limit, largest = Fraction(place, 80), max(size for _, size in units)
    excesses = [Fraction(total, 40) * size - limit * size for total, size in units] + [-limit * largest]
    assume(len(set(excesses)) == len(excesses) and 0 not in excesses)
    values = np.array([total / 40 for total, _ in units])
    gathered = gather_units(values, weights=np.array([float(size) for _, size in units]))
    found = exact_p(gathered, float(limit), lowest=0.0)
    assert found == pytest.approx(p_by_partial_fractions(excesses), abs=1e-11, rel=1e-8)


@pytest.mark.parametrize("counts", [(1, 2, 17), (2, 4, 14), (3, 5, 12), (1, 4, 95), (40, 200, 160)])
@pytest.mark.parametrize("limit", [0.3, 0.55, 0.7, 0.9])
def test_three_valued_scores_agree_with_quadrature(counts: tuple[int, int, int], limit: float) -> None:
    none, half, full = counts

    def given_the_middle(weight: float) -> float:
        rest = (limit - weight / 2) / (1 - weight)
        return float(beta.pdf(weight, half, none + full + 1) * beta.cdf(rest, full, none + 1))

    centre, sd = beta.stats(half, none + full + 1)[0], math.sqrt(beta.stats(half, none + full + 1)[1])
    # the integrand bends where the rest must be all or nothing
    edges = np.sort(np.clip([*(centre + sd * np.arange(-12, 19, 3)), 2 * limit, 2 * (1 - limit)], 0, 1))
    wanted = sum(quad(given_the_middle, *pair, epsabs=1e-13)[0] for pair in itertools.pairwise(edges))
    assert p_of(np.repeat([0.0, 0.5, 1.0], counts), limit) == pytest.approx(wanted, abs=2e-10)


SAMPLES = {
    "beta": np.random.default_rng(1).beta(8, 2, 40),
    "beta and zeros": np.append(np.random.default_rng(2).beta(40, 4, 97), np.zeros(3)),
    "tiny and large": np.append(np.random.default_rng(3).random(50) ** 12, [1.0, 1.0]),
    "hundredths": np.round(np.random.default_rng(4).beta(3, 2, 200), 2),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_p_value_is_the_share_of_dirichlet_weighted_means_at_or_below_the_limit(name: str) -> None:
    scores, draws = SAMPLES[name], 40_000
    weights = np.random.default_rng(9).dirichlet(np.ones(scores.size + 1), size=draws)
    means = weights[:, 1:] @ scores
    for quantile in (0.005, 0.025, 0.3, 0.8):
        limit = float(np.quantile(means, quantile))
        error = math.sqrt(quantile * (1 - quantile) / draws)
        assert p_of(scores, limit) == pytest.approx(quantile, abs=4.5 * error)


@settings(max_examples=40)
@given(SCORES, st.sampled_from([0.05, 0.2, 0.01]))
def test_a_bound_is_where_the_p_value_is_half_alpha(scores: Floats, alpha: float) -> None:
    low = interval_of(scores, alpha=alpha).low
    assert p_of(scores, low + 1e-9) >= alpha / 2
    assert p_of(scores, low - 1e-9) <= alpha / 2


@pytest.mark.parametrize("sizes", [[1.0, 3.0, 2.0, 1.0], [5.0, 1.0, 1.0, 9.0]])
def test_a_bound_of_uneven_units_is_where_the_p_value_is_half_alpha(sizes: list[float]) -> None:
    units = gather_units(np.tile([0.9, 0.8, 1.0, 0.95], 5), weights=np.tile(sizes, 5))
    low = exact_interval(units, lowest=0.0, highest=1.0, alpha=0.05).low
    assert exact_p(units, low, lowest=0.0) == pytest.approx(0.025, rel=1e-6)


@settings(max_examples=40)
@given(SCORES, st.floats(-5, 5), st.floats(0.01, 100))
def test_bounds_move_and_stretch_with_the_scores(scores: Floats, shift: float, factor: float) -> None:
    plain = interval_of(scores)
    moved = interval_of(shift + factor * scores, shift, shift + factor)
    assert moved == pytest.approx([shift + factor * bound for bound in plain], abs=1e-9 * (factor + abs(shift)))


@settings(max_examples=40)
@given(SCORES)
def test_the_interval_of_flipped_scores_is_the_flipped_interval(scores: Floats) -> None:
    plain, flipped = interval_of(scores), interval_of(-scores, -1.0, 0.0)
    assert flipped == pytest.approx((-plain.high, -plain.low), abs=1e-12)


@settings(max_examples=40)
@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_the_scores_does_not_matter(scores: Floats, random: object) -> None:
    shuffled = scores.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # random.Random, which Hypothesis types as object
    assert interval_of(shuffled) == interval_of(scores)


@given(SCORES, LIMITS, st.floats(0.05, 20))
def test_units_of_one_size_count_as_their_means(scores: Floats, limit: float, size: float) -> None:
    grouped = gather_units(scores, weights=np.full(scores.size, size))
    assert exact_p(grouped, limit, lowest=0.0) == pytest.approx(p_of(scores, limit), abs=1e-10)


@settings(max_examples=40)
@given(SCORES, st.floats(1e-6, 0.3))
def test_better_scores_never_have_a_lower_bound(scores: Floats, step: float) -> None:
    better = interval_of(np.minimum(1.0, scores + step))
    assert better.low >= interval_of(scores).low - 1e-10


@settings(max_examples=40)
@given(HALVES)
def test_the_interval_holds_the_mean_and_stays_on_the_scale(scores: Floats) -> None:
    interval = interval_of(scores)
    assert 0 <= interval.low <= scores.mean() <= interval.high <= 1


@pytest.mark.parametrize("scores", [RUN_A, GOLDEN, np.ones(300), SAMPLES["beta and zeros"]], ids=len)
def test_p_values_rise_with_the_limit_from_the_far_tail_on(scores: Floats) -> None:
    limits = np.concatenate([np.geomspace(1e-12, 0.01, 40), np.linspace(0.01, 1, 100)])
    values = [p_of(scores, float(limit)) for limit in limits]
    assert all(later >= earlier * (1 - 1e-9) for earlier, later in itertools.pairwise(values))
    assert 0 <= values[0] < 1e-12
    assert values[-1] == 1.0


def test_a_p_value_of_one_in_a_million_million_is_right_to_nine_digits() -> None:
    limit = float(beta.ppf(1e-12, 900, 101))
    assert exact_p(pass_fail(900, 1000), limit, lowest=0.0) == pytest.approx(1e-12, rel=1e-9)


def test_terms_that_pull_a_contour_both_ways_are_summed_right() -> None:
    # two outliers below against one above, and a million scores a hair over the limit
    scores = np.append(np.full(1_000_000, 0.6 + 2e-7), [1e-5, 1.6])
    draws = np.random.default_rng(3).exponential(size=(200_000, 3)) @ np.array([-0.6, -0.59999, 1.0])
    bulk = 2e-7 * np.random.default_rng(4).gamma(1_000_000, size=200_000)
    assert p_of(scores, 0.6) == pytest.approx(float(np.mean(draws + bulk <= 0)), abs=0.005)


def test_a_limit_at_or_under_the_lowest_score_is_never_missed_and_one_over_every_score_always() -> None:
    assert [p_of(GOLDEN, limit) for limit in (-1.0, 0.0)] == [0.0, 0.0]
    assert [p_of(GOLDEN, limit) for limit in (1.0, 1.5)] == [1.0, 1.0]
    assert p_of(np.zeros(5), 0.1) == 1.0


def test_a_limit_that_equals_every_score_but_for_rounding_is_neither_proven_nor_an_error() -> None:
    for limit in (0.3, 0.1 + 0.2, math.nextafter(0.3, 0)):
        assert p_of(np.full(10, 0.3), limit) == pytest.approx(1.0, abs=1e-12)
    assert p_of(np.full(10, 0.7), 0.1 + 0.2, lowest=0.3) == 0.0


def test_a_score_at_the_limit_gives_the_value_that_its_neighbours_give() -> None:
    scores = np.repeat([0.2, 0.5, 0.7, 0.9], [2, 3, 5, 9])
    beside = [p_of(scores, math.nextafter(0.7, end)) for end in (0.0, 1.0)]
    assert p_of(scores, 0.7) == pytest.approx(beside[0], rel=1e-9)
    assert beside[0] == pytest.approx(beside[1], rel=1e-9)


@pytest.mark.parametrize(
    ("scores", "lowest", "highest"),
    [
        ([0.0], 0.0, 1.0),
        ([1.0], 0.0, 1.0),
        ([0.5], 0.0, 1.0),
        ([0.0, 1.0], 0.0, 1.0),
        ([0.0] * 50, 0.0, 1.0),
        ([1.0] * 50, 0.0, 1.0),
        ([3.0] * 4, 3.0, 3.0),
        ([0.3] * 9, 0.0, 1.0),
        ([5e-324], 0.0, 1.0),
        ([5e-324, 1e-320, 0.0], 0.0, 1e-310),
        ([1e300, -1e300, 0.0], -1e300, 1e300),
        ([1.7e308, -1.7e308], -1.7e308, 1.7e308),
        ([1e300] * 3 + [1e-300], 0.0, 1e300),
        ([1 + 2e-16, -1e-17, 0.5], 0.0, 1.0),
        ([-1e-17] * 6, 0.0, 1.0),
        ([1 + 3e-16] * 6, 0.0, 1.0),
        ([1e6, 1e6 + 1e-9], 0.0, 1e6),
    ],
)
def test_degenerate_scores_have_bounds_in_order_and_on_the_scale(
    scores: list[float], lowest: float, highest: float
) -> None:
    units = units_of_items(np.array(scores))
    interval = exact_interval(units, lowest=lowest, highest=highest, alpha=0.05)
    assert lowest <= interval.low <= interval.high <= highest
    for limit in (lowest, interval.low, units.mean, interval.high, highest):
        assert 0 <= exact_p(units, limit, lowest=lowest) <= 1
        assert units_to_prove(units, limit, lowest=lowest, tail=0.025) is None or limit < units.mean


@settings(max_examples=40)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8), st.floats(0.001, 0.5))
def test_no_finite_scores_crash_or_leave_their_own_range(scores: list[float], alpha: float) -> None:
    lowest, highest = min(scores), max(scores)
    interval = interval_of(np.array(scores), lowest, highest, alpha)
    assert lowest <= interval.low <= interval.high <= highest
    assert 0 <= p_of(np.array(scores), scores[0], lowest) <= 1


def test_one_score_all_on_the_lower_end_or_on_the_upper_end_leaves_that_end() -> None:
    assert interval_of(np.zeros(30)).low == 0.0
    assert interval_of(np.ones(30)).high == 1.0


@settings(max_examples=40)
@given(HALVES, st.sampled_from([0.3, 0.5, 0.62, 0.75]))
def test_the_number_to_prove_a_limit_is_the_first_that_does(scores: Floats, limit: float) -> None:
    needed = units_to_prove(units_of_items(scores), limit, lowest=0.0, tail=0.025, most=100_000)
    if scores.mean() <= limit:
        assert needed is None
    elif needed is not None and needed % scores.size == 0:
        assert p_of(np.tile(scores, needed // scores.size), limit) <= 0.025
    else:
        fewer = (100_000 if needed is None else needed - 1) // scores.size
        assert fewer == 0 or p_of(np.tile(scores, fewer), limit) > 0.025


def test_a_sample_that_proves_a_limit_needs_no_more_units_than_it_has() -> None:
    assert p_of(RUN_A, 0.7) < 0.025
    needed = units_to_prove(units_of_items(RUN_A), 0.7, lowest=0.0, tail=0.025)
    assert needed is not None
    assert 15 < needed <= 20


def test_uneven_units_are_counted_in_units() -> None:
    units = gather_units(np.ones(4), weights=np.array([1.0, 2.0, 3.0, 2.0]))
    needed = units_to_prove(units, 0.9, lowest=0.0, tail=0.025)
    assert needed is not None
    assert needed > 36
    repeats = -(-needed // 4)
    assert exact_p(gather_units(np.ones(4 * repeats), weights=np.tile([1.0, 2, 3, 2], repeats)), 0.9, lowest=0) <= 0.025


def test_no_number_is_given_beyond_the_most_that_was_asked_for() -> None:
    units = units_of_items(np.ones(3))
    assert units_to_prove(units, 0.99, lowest=0.0, tail=0.025, most=368) == 368
    assert units_to_prove(units, 0.99, lowest=0.0, tail=0.025, most=367) is None


def test_strata_make_no_difference() -> None:
    layered = gather_units(GOLDEN, strata=np.arange(GOLDEN.size) % 3)
    assert exact_p(layered, 0.6, lowest=0.0) == p_of(GOLDEN, 0.6)


def test_many_different_uneven_units_are_pooled_at_each_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    units = gather_units(rng.beta(8, 2, 3000), weights=rng.uniform(1, 3, 3000))
    counted = exact_interval(units, lowest=0.0, highest=1.0, alpha=0.05)
    monkeypatch.setattr(dirichlet, "_MOST_PAIRS", 1000)
    assert exact_interval(units, lowest=0.0, highest=1.0, alpha=0.05) == pytest.approx(counted, abs=1e-12)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of units at each evaluation of the probability, as they come."""
    calls: list[int] = []

    def counted(weights: Floats, shapes: Floats) -> float:
        calls.append(weights.size)
        return nonpositive_probability(weights, shapes)

    monkeypatch.setattr(dirichlet, "nonpositive_probability", counted)
    return calls


def test_a_bound_takes_few_evaluations(calls: list[int]) -> None:
    for scores in (RUN_A, GOLDEN, np.ones(20), SAMPLES["beta"], np.repeat([0.0, 1.0], [1, 999])):
        calls.clear()
        interval_of(scores)
        assert len(calls) <= 20


def test_from_the_normal_guess_a_bound_of_many_scores_takes_five_evaluations(calls: list[int]) -> None:
    rng = np.random.default_rng(0)
    for scores in (np.repeat([0.0, 1.0], 500), rng.random(100), rng.random(2000), 1 + rng.random(2000)):
        for alpha in (0.05, 0.01):
            exact_interval(units_of_items(scores), lowest=0.0, highest=2.0, alpha=alpha)
    assert len(calls) <= 5 * 4 * 2 * 2


@pytest.mark.parametrize(("right", "n"), [(7, 10), (1, 10), (9, 10), (2, 3)])
@pytest.mark.parametrize("alpha", [0.9, 0.999])
def test_bounds_that_lie_in_the_middle_are_found_too(right: int, n: int, alpha: float) -> None:
    interval = exact_interval(pass_fail(right, n), lowest=0.0, highest=1.0, alpha=alpha)
    assert interval == pytest.approx(clopper_pearson(right, n, alpha), abs=1e-11)


def test_a_limit_far_below_all_scores_is_proven_by_one_unit() -> None:
    units = units_of_items(np.array([1e-300, 2e-300]))
    assert units_to_prove(units, -np.finfo(float).max, lowest=0.0, tail=0.025) == 1


@pytest.mark.parametrize("even", [True, False])
def test_scores_and_limits_at_the_ends_of_a_double_do_not_overflow(even: bool) -> None:
    most = np.finfo(float).max
    weights = None if even else np.array([1.0, 2.0])
    units = gather_units(np.array([0.5, 0.25]), weights=weights)
    assert exact_p(units, most, lowest=-most) == 1.0
    assert exact_p(gather_units(np.array([most, most]) / 2, weights=weights), 1e-300, lowest=0.0) == 0.0
    assert units_to_prove(units, -most / 2, lowest=-most, tail=0.025) is not None


def test_a_million_different_scores_are_bounded_in_a_moment() -> None:
    scores = np.random.default_rng(6).random(1_000_000)
    begin = time.perf_counter()
    interval = interval_of(scores)
    assert time.perf_counter() - begin < 10
    half = 1.959964 * scores.std() / 1000
    assert interval == pytest.approx((scores.mean() - half, scores.mean() + half), abs=2e-6)
