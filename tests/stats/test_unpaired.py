import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import fisher_exact, permutation_test

from gate.stats import unpaired
from gate.stats.units import Units, gather_units, units_of_items
from gate.stats.unpaired import two_sample_p
from gate.stats.welch import welch_p

DrawRun = Callable[[np.random.Generator, int], Units]


def p_of(baseline: Units, candidate: Units, n_permutations: int = 20_000, seed: int = 1) -> float:
    return two_sample_p(baseline, candidate, n_permutations=n_permutations, rng=np.random.default_rng(seed))


def items(*scores: float) -> Units:
    return units_of_items(np.array(scores, dtype=np.float64))


def near(share: float, n: int = 20_000) -> object:
    return pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)


@pytest.mark.parametrize("values", [(0.0, 1.0), (-1.0, 1.0), (0.1, 0.3), (0.0, 1e-5), (1e300, 1.1e300)])
@pytest.mark.parametrize("table", [(12, 3, 7, 9), (40, 2, 30, 12), (0, 5, 4, 1), (1, 0, 0, 1)])
def test_on_two_values_it_is_the_exact_test_of_fisher(
    table: tuple[int, int, int, int], values: tuple[float, float]
) -> None:
    passed, failed, candidate_passed, candidate_failed = table
    baseline = np.repeat([values[1], values[0]], [passed, failed])
    candidate = np.repeat([values[1], values[0]], [candidate_passed, candidate_failed])
    wanted = fisher_exact([[candidate_passed, candidate_failed], [passed, failed]], alternative="less").pvalue
    assert p_of(units_of_items(baseline), units_of_items(candidate), 1) == pytest.approx(wanted, rel=1e-9)


def test_two_values_that_differ_by_rounding_are_still_two() -> None:
    baseline, candidate = items(0.1 + 0.2, 0.3, 0.9, 0.9), items(0.3, 0.3, 0.1 + 0.2, 0.9)
    assert p_of(baseline, candidate, 1) == pytest.approx(fisher_exact([[1, 3], [2, 2]], alternative="less").pvalue)


def lower_mean(candidate: NDArray[np.float64], baseline: NDArray[np.float64]) -> float:
    return float(np.mean(candidate) - np.mean(baseline))


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        ([0.0, 0.5, 1.0, 1.0, 1.0], [0.0, 0.5, 0.0, 1.0, 0.5, 0.0]),
        ([0.31, 0.92, 0.55, 0.78], [0.12, 0.61, 0.48, 0.33, 0.29]),
        ([3.0, 9.0, 9.0], [1.0, 1.0, 2.0, 9.0]),
        ([0.1, 0.2, 0.3, 0.9], [0.7, 0.8, 0.9]),
    ],
)
def test_it_agrees_with_the_permutation_test_of_scipy(baseline: list[float], candidate: list[float]) -> None:
    exact = permutation_test(
        (np.array(candidate), np.array(baseline)), lower_mean, alternative="less", n_resamples=np.inf, vectorized=False
    )
    assert p_of(items(*baseline), items(*candidate)) == near(exact.pvalue)


def ratio_difference(units: list[tuple[float, float]], chosen: tuple[int, ...]) -> float:
    sides = [[unit for index, unit in enumerate(units) if (index in chosen) == own] for own in (True, False)]
    means = [sum(total for total, _ in side) / sum(size for _, size in side) for side in sides]
    return means[0] - means[1]


def test_groups_are_dealt_out_whole_and_weigh_what_they_hold() -> None:
    units = [(1.0, 4.0), (2.0, 2.0), (0.0, 1.0), (3.0, 3.0), (0.5, 2.0), (1.0, 5.0), (0.0, 2.0), (1.0, 1.0)]
    totals, sizes = np.array(units).T
    runs = [Units(totals[part], sizes[part], np.zeros(4, dtype=np.intp)) for part in (slice(4, 8), slice(4))]
    observed = ratio_difference(units, (0, 1, 2, 3))
    every = [ratio_difference(units, chosen) for chosen in itertools.combinations(range(8), 4)]
    assert p_of(runs[0], runs[1]) == near(float(np.mean(np.array(every) <= observed + 1e-12)))


def test_items_that_repeat_in_groups_count_once() -> None:
    a, b = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0, 1.0])
    grouped = [gather_units(np.repeat(run, 9), groups=np.repeat(np.arange(run.size), 9)) for run in (a, b)]
    assert p_of(grouped[0], grouped[1]) == pytest.approx(p_of(units_of_items(a), units_of_items(b)))


def test_beyond_the_permutations_the_welch_test_goes_on() -> None:
    draw = np.random.default_rng(2)
    baseline, candidate = units_of_items(draw.normal(size=80)), units_of_items(draw.normal(-1.3, size=60))
    p_value = p_of(baseline, candidate, 1000)
    assert p_value == welch_p(baseline, candidate)
    assert 1e-16 < p_value < 1e-9


def test_it_never_claims_more_than_the_ways_in_which_the_units_could_be_dealt_out() -> None:
    baseline, candidate = items(1.0, 1.0 + 1e-9, 1.0), items(0.0, 1e-9, 0.0)
    assert p_of(baseline, candidate, 10) == pytest.approx(1 / math.comb(6, 3))


def test_no_probability_is_zero() -> None:
    assert p_of(items(*[1.0] * 900), items(*[0.0] * 900)) == 1e-16
    far = units_of_items(np.arange(900.0)), units_of_items(np.arange(900.0) - 1e7)
    assert p_of(*far, 1000) == 1e-16


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        ([], []),
        ([], [1.0, 0.0]),
        ([1.0, 0.0], []),
        ([0.5], [0.5]),
        ([0.1 + 0.2, 0.3], [0.3]),
        ([1.7e308], [1.7e308, 1.7e308]),
        ([0.0], [0.0]),
        ([0.0], [1.0]),
        ([0.0, 0.5], [0.75, 1.0]),
        ([9e-13] * 5, [0.0] * 5),
        ([1e9 + 1e-4] * 5, [1e9] * 5),
        ([-1e9 + 1e-4] * 5, [-1e9] * 5),
    ],
)
def test_where_nothing_can_be_compared_or_is_lower_p_is_one(baseline: list[float], candidate: list[float]) -> None:
    assert p_of(items(*baseline), items(*candidate), 100) == 1.0


def test_what_is_more_than_rounding_is_compared() -> None:
    # one of the 10 over 5 ways to deal out ten units
    assert p_of(items(*[1.5e-12] * 5), items(*[0.0] * 5)) == pytest.approx(1 / 252)


def test_scores_far_from_zero_are_compared_as_near_it() -> None:
    baseline, candidate = np.array([0, 3, 5, 8, 8, 7]) / 8, np.array([1, 2, 0, 6, 8]) / 8
    near_zero = p_of(units_of_items(baseline), units_of_items(candidate), 500)
    for shift in (-1e11, 1e6, 1e11):
        assert p_of(units_of_items(baseline + shift), units_of_items(candidate + shift), 500) == near_zero


@pytest.mark.parametrize("unit", [1e-14, 1e200])
def test_the_unit_of_the_weights_does_not_matter(unit: float) -> None:
    totals, sizes, alike = np.array([1.0, 2.0, 0.0, 3.0]), np.array([4.0, 2.0, 1.0, 3.0]), np.zeros(4, dtype=np.intp)
    runs = [Units(totals * factor, sizes * factor, alike) for factor in (1.0, unit)]
    others = [Units(totals[::-1] * factor, sizes * 2 * factor, alike) for factor in (1.0, unit)]
    assert p_of(runs[1], others[1], 500) == p_of(runs[0], others[0], 500) < 1.0


def test_a_single_draw_that_reaches_the_difference_is_counted_and_no_other_test_asked() -> None:
    baseline, candidate = items(0.2, 0.7, 0.9, 1.0, 0.6), items(0.1, 0.8, 0.3, 0.5)
    assert {2 / 11, 3 / 11} <= {p_of(baseline, candidate, 10, seed) for seed in range(30)}


SCORES = st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0, 1e9]) | st.floats(-1e308, 1e308), min_size=1, max_size=9)


@given(SCORES, SCORES, st.booleans())
def test_it_is_a_probability_whatever_the_scores(a: list[float], b: list[float], grouped: bool) -> None:
    groups = [np.arange(len(run)) // 2 if grouped else None for run in (a, b)]
    runs = [gather_units(np.array(run) / 2, groups=own) for run, own in zip((a, b), groups, strict=True)]
    assert 1e-16 <= p_of(runs[0], runs[1], 50) <= 1.0


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_lower_in_one_direction_is_not_lower_in_the_other(a: list[int], b: list[int]) -> None:
    one, other = p_of(items(*a), items(*b), 400), p_of(items(*b), items(*a), 400)
    assert one + other >= 0.85


def test_many_unlike_units_are_merged_with_their_neighbours_at_hardly_any_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(3)
    baseline, candidate = units_of_items(draw.normal(size=900)), units_of_items(draw.normal(-0.08, size=700))
    whole = p_of(baseline, candidate, 5000)
    monkeypatch.setattr("gate.stats.unpaired._MAX_SHUFFLED", 1000)
    merged = p_of(baseline, candidate, 5000)
    assert merged != whole
    assert merged == pytest.approx(whole, abs=0.015)


def test_equal_scores_are_merged_alike_in_both_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.unpaired._MAX_SHUFFLED", 100)
    monkeypatch.setattr("gate.stats.unpaired._BLOCKS", 7)
    scores = np.concatenate([np.zeros(40), np.linspace(0.1, 1, 30)])
    p_value = p_of(units_of_items(scores), units_of_items(scores), 4000)
    assert p_value == pytest.approx(0.5, abs=0.05)


def merged_of(baseline: list[int], candidate: list[int]) -> unpaired._Pooled:
    d = len(baseline)
    residuals, sizes = np.linspace(-1, 1, d), np.linspace(0.2, 1, d) ** 2
    return unpaired._merge_neighbours(
        unpaired._Pooled(residuals, sizes, np.array(baseline), np.array(candidate), even=False)
    )


def test_merging_takes_nothing_from_a_run_and_moves_no_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.unpaired._BLOCKS", 5)
    counts = [3, 1, 0, 2, 5, 1, 1, 4], [1, 0, 2, 2, 0, 6, 1, 1]
    merged = merged_of(*counts)
    assert (int(merged.baseline.sum()), int(merged.candidate.sum())) == (17, 13)
    both = np.sum(counts, axis=0)
    assert merged.counts @ merged.residuals == pytest.approx(both @ np.linspace(-1, 1, 8))
    assert merged.counts @ merged.sizes == pytest.approx(both @ np.linspace(0.2, 1, 8) ** 2)
    # the middles of the eight kinds lie at 2, 4.5, 6, 9, 13.5, 19.5, 24 and 27.5 of 30, a block being 6
    assert merged.counts.tolist() == [5, 6, 5, 7, 7]
    assert not merged.even


@pytest.mark.parametrize("counts", [[3, 1], [1, 3]])
def test_a_kind_belongs_to_the_block_that_its_middle_lies_in(
    counts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.stats.unpaired._BLOCKS", 2)
    merged = merged_of(counts, [0, 0])
    assert (merged.residuals.tolist(), merged.baseline.tolist()) == ([-1.0, 1.0], counts)


def test_it_depends_on_the_seed_alone() -> None:
    runs = items(0.1, 0.5, 0.7, 0.2), items(0.3, 0.1, 0.4)
    assert p_of(*runs, 300, seed=4) == p_of(*runs, 300, seed=4)


def pass_fail(rng: np.random.Generator, n: int) -> Units:
    return units_of_items((rng.random(n) < 0.8).astype(np.float64))


def three_values(rng: np.random.Generator, n: int) -> Units:
    return units_of_items(rng.choice([0.0, 0.5, 1.0], size=n, p=[0.1, 0.2, 0.7]))


def decimals(rng: np.random.Generator, n: int) -> Units:
    return units_of_items(rng.exponential(size=n))


def passages(rng: np.random.Generator, n: int) -> Units:
    sizes = rng.integers(1, 6, n)
    return gather_units(np.repeat(rng.random(n), sizes), groups=np.repeat(np.arange(n), sizes))


@pytest.mark.parametrize("draw_run", [pass_fail, three_values, decimals, passages])
@pytest.mark.parametrize(("n", "m"), [(12, 12), (40, 15)])
@pytest.mark.simulation
def test_an_unchanged_run_is_called_lower_no_more_often_than_stated(draw_run: DrawRun, n: int, m: int) -> None:
    rng = np.random.default_rng(7)
    p_values = np.array(
        [two_sample_p(draw_run(rng, n), draw_run(rng, m), n_permutations=399, rng=rng) for _ in range(800)]
    )
    for level in (0.025, 0.2):
        assert np.mean(p_values <= level) <= level + 4 * math.sqrt(level * (1 - level) / 800)
