import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2

from gate.stats.psi import MODERATE, SIGNIFICANT, Buckets, count_buckets, psi, sort_into_buckets, swap_test

NAN = math.nan
WORKED_BASELINE = [1, 2, 17]
WORKED_CANDIDATE = [3, 5, 12]
COUNTS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=8).filter(
    lambda pairs: sum(a for a, _ in pairs) > 0 and sum(b for _, b in pairs) > 0
)


def counts(*values: int) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def value_of(pairs: list[tuple[int, int]]) -> float:
    return psi(counts(*(a for a, _ in pairs)), counts(*(b for _, b in pairs))).value


def formula(a: list[float], b: list[float]) -> float:
    shares = [(x / sum(a), y / sum(b)) for x, y in zip(a, b, strict=True)]
    return math.fsum((x - y) * math.log(x / y) for x, y in shares)


def buckets(baseline: list[int], candidate: list[int], k: int) -> Buckets:
    labels = tuple(str(bucket) for bucket in range(k))
    return Buckets(labels, np.array(baseline, dtype=np.intp), np.array(candidate, dtype=np.intp))


def test_the_worked_example_has_the_published_psi_and_needs_no_smoothing() -> None:
    index = psi(counts(*WORKED_BASELINE), counts(*WORKED_CANDIDATE))
    assert index.value == pytest.approx(0.334, abs=0.0005)
    assert index.value == pytest.approx(formula([1, 2, 17], [3, 5, 12]), rel=1e-12)
    assert not index.smoothed


def test_the_contributions_of_the_worked_example_are_those_of_its_buckets() -> None:
    index = psi(counts(*WORKED_BASELINE), counts(*WORKED_CANDIDATE))
    by_hand = [0.10 * math.log(3), 0.15 * math.log(2.5), 0.25 * math.log(17 / 12)]
    assert index.contributions == pytest.approx(by_hand, rel=1e-12)


def test_the_bands_are_the_published_ones() -> None:
    assert (MODERATE, SIGNIFICANT) == (0.10, 0.25)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8).filter(any), st.integers(1, 5))
def test_equal_distributions_have_psi_zero_at_any_size(values: list[int], times: int) -> None:
    same = psi(counts(*values), counts(*values))
    assert same.value == 0.0
    assert psi(counts(*values), counts(*(times * value for value in values))).value == pytest.approx(0.0, abs=1e-15)


def test_a_change_of_shape_shows_though_the_mean_stays() -> None:
    assert psi(counts(5, 10, 5), counts(9, 2, 9)).value > SIGNIFICANT


@given(COUNTS)
def test_psi_is_symmetric_and_never_negative(pairs: list[tuple[int, int]]) -> None:
    value = value_of(pairs)
    assert value >= 0.0
    assert value == pytest.approx(value_of([(b, a) for a, b in pairs]), rel=1e-12, abs=1e-15)


@given(COUNTS, st.randoms())
def test_neither_buckets_empty_in_both_runs_nor_their_order_matter(
    pairs: list[tuple[int, int]], random: object
) -> None:
    more = [*pairs, (0, 0), (0, 0)]
    random.shuffle(more)  # type: ignore[attr-defined]  # hypothesis' random.Random
    assert value_of(more) == pytest.approx(value_of(pairs), rel=1e-12, abs=1e-15)


@given(COUNTS)
def test_one_half_is_added_to_every_bucket_held_if_one_is_empty_in_one_run(pairs: list[tuple[int, int]]) -> None:
    held = [(a, b) for a, b in pairs if a or b]
    half = 0.5 if any(not a or not b for a, b in held) else 0.0
    index = psi(counts(*(a for a, _ in pairs)), counts(*(b for _, b in pairs)))
    assert index.smoothed == (half > 0)
    assert index.value == pytest.approx(formula([a + half for a, _ in held], [b + half for _, b in held]), abs=1e-12)
    assert index.value == pytest.approx(float(index.contributions.sum()), abs=1e-12)


def test_a_bucket_empty_in_both_runs_contributes_nothing_and_keeps_its_place() -> None:
    index = psi(counts(1, 0, 9), counts(4, 0, 6))
    assert index.contributions[1] == 0.0
    assert index.contributions.size == 3
    assert not index.smoothed


def test_few_distinct_scores_are_a_bucket_each() -> None:
    sorted_ = sort_into_buckets(np.array([0.0, 0.5, 1.0, 1.0]), np.array([0.25, 0.5, 0.0, 1.0]))
    assert sorted_.labels == ("0", "0.25", "0.5", "1")
    assert sorted_.baseline.tolist() == [0, 2, 3, 3]
    assert sorted_.candidate.tolist() == [1, 2, 0, 3]


def test_scores_that_differ_by_rounding_share_a_bucket() -> None:
    sorted_ = sort_into_buckets(np.array([0.1 + 0.2, 123456.7]), np.array([0.3, 123456.7 + 1.5e-11]))
    assert sorted_.labels == ("0.3", "123457")
    assert sorted_.baseline.tolist() == sorted_.candidate.tolist() == [0, 1]


def test_a_negative_zero_is_a_zero() -> None:
    assert sort_into_buckets(np.array([-0.0, 1.0]), np.array([0.0, -1e-15])).labels == ("0", "1")


def test_labels_have_as_many_digits_as_tell_the_buckets_apart() -> None:
    assert sort_into_buckets(np.array([1234567.1]), np.array([1234567.2])).labels == ("1234567.1", "1234567.2")


def test_missing_scores_are_the_last_bucket() -> None:
    sorted_ = sort_into_buckets(np.array([1.0, NAN, 0.0]), np.array([NAN, NAN, 1.0]))
    assert sorted_.labels == ("0", "1", "no score")
    assert sorted_.baseline.tolist() == [1, 2, 0]
    assert sorted_.candidate.tolist() == [2, 2, 1]


def test_without_a_missing_score_there_is_no_bucket_for_them() -> None:
    assert "no score" not in sort_into_buckets(np.array([1.0]), np.array([0.0])).labels


@pytest.mark.parametrize("edges", [None, [0.5]])
def test_no_score_at_all_is_one_bucket_and_no_drift(edges: list[float] | None) -> None:
    nothing = np.array([NAN, NAN])
    sorted_ = sort_into_buckets(nothing, nothing, edges=edges)
    assert sorted_.labels[-1] == "no score"
    assert psi(*(count_buckets(index, len(sorted_.labels)) for index in sorted_[1:])).value == 0.0


def test_a_baseline_without_scores_still_has_buckets_for_the_candidate() -> None:
    sorted_ = sort_into_buckets(np.full(30, NAN), np.arange(30.0))
    assert sorted_.labels == ("all scores", "no score")
    assert set(sorted_.candidate.tolist()) == {0}


def test_a_run_that_lost_its_scores_drifts() -> None:
    sorted_ = sort_into_buckets(np.ones(20), np.array([1.0] + [NAN] * 19))
    assert psi(count_buckets(sorted_.baseline, 2), count_buckets(sorted_.candidate, 2)).value > SIGNIFICANT


def test_a_score_equal_to_an_edge_belongs_to_the_bucket_above_it() -> None:
    sorted_ = sort_into_buckets(
        np.array([1 / 3, 0.1 + 0.2, 0.3 - 1e-9]), np.array([0.7, 0.3, 0.2999]), edges=[0.3, 1 / 3, 0.7]
    )
    assert sorted_.labels == ("under 0.3", "[0.3, 0.3333)", "[0.3333, 0.7)", "0.7 and over")
    assert sorted_.baseline.tolist() == [2, 1, 0]
    assert sorted_.candidate.tolist() == [3, 1, 0]


def test_an_edge_of_decimals_may_be_missed_by_rounding_from_below() -> None:
    assert 0.3 - 0.1 < 0.2
    sorted_ = sort_into_buckets(np.array([0.3 - 0.1]), np.array([0.2]), edges=[0.2])
    assert sorted_.baseline.tolist() == sorted_.candidate.tolist() == [1]


def test_more_than_twenty_distinct_scores_are_sorted_by_the_deciles_of_the_baseline() -> None:
    baseline = np.arange(100.0)
    sorted_ = sort_into_buckets(baseline, baseline + 1000.0)
    assert len(sorted_.labels) == 10
    assert count_buckets(sorted_.baseline, 10).tolist() == [10] * 10
    assert set(sorted_.candidate.tolist()) == {9}


def test_twenty_distinct_scores_of_both_runs_are_still_few() -> None:
    assert len(sort_into_buckets(np.arange(10.0), np.arange(10.0, 20.0)).labels) == 20
    assert len(sort_into_buckets(np.arange(10.0), np.arange(10.0, 21.0)[:10] + 0.5).labels) == 20
    assert len(sort_into_buckets(np.arange(11.0), np.arange(11.0, 22.0)).labels) == 10


def test_deciles_that_coincide_make_fewer_buckets() -> None:
    baseline = np.concatenate([np.zeros(60), np.linspace(1, 2, 40)])
    sorted_ = sort_into_buckets(baseline, baseline)
    assert len(sorted_.labels) == len(set(sorted_.labels)) == 6
    assert np.array_equal(sorted_.baseline, sorted_.candidate)


@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1.0, 1e13, 1e300, 1.7e308])
def test_extreme_scores_are_sorted_without_a_warning(scale: float) -> None:
    values = scale * np.concatenate([[-1.0, 1.0], np.linspace(-0.9, 0.9, 58)])
    sorted_ = sort_into_buckets(values, values[::-1])
    assert psi(*(count_buckets(index, len(sorted_.labels)) for index in sorted_[1:])).value == pytest.approx(0.0)
    assert len(sort_into_buckets(values[:3], values[:3]).labels) in {1, 3}


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.randoms())
def test_every_item_has_a_bucket_and_the_order_of_items_is_kept(values: list[float], random: object) -> None:
    other = values.copy()
    random.shuffle(other)  # type: ignore[attr-defined]  # hypothesis' random.Random
    sorted_ = sort_into_buckets(np.array(values), np.array(other))
    k = len(sorted_.labels)
    assert len(set(sorted_.labels)) == k
    assert count_buckets(sorted_.baseline, k).tolist() == count_buckets(sorted_.candidate, k).tolist()
    assert int(count_buckets(sorted_.baseline, k).sum()) == len(values)


def test_counting_gives_every_bucket_a_count_even_if_it_is_empty() -> None:
    assert count_buckets(np.array([0, 2, 2], dtype=np.intp), 5).tolist() == [1, 0, 2, 0, 0]


def all_swaps(baseline: list[int], candidate: list[int], k: int) -> list[float]:
    """The PSI of every one of the 2**n ways to swap the two runs' scores within items."""
    values = []
    for swaps in itertools.product([False, True], repeat=len(baseline)):
        pairs = [(b, a) if swap else (a, b) for a, b, swap in zip(baseline, candidate, swaps, strict=True)]
        a = [sum(left == bucket for left, _ in pairs) for bucket in range(k)]
        b = [sum(right == bucket for _, right in pairs) for bucket in range(k)]
        values.append(psi(counts(*a), counts(*b)).value)
    return values


@pytest.mark.parametrize(
    ("baseline", "candidate", "k"),
    [
        ([2, 2, 2, 2, 2, 1, 1, 0, 2], [2, 1, 1, 0, 2, 0, 1, 0, 0], 3),
        ([0, 0, 1, 1, 2, 2, 3, 3, 3], [3, 0, 2, 1, 2, 3, 3, 0, 1], 4),
        ([1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 1, 0, 0, 1], 2),
        ([0, 0, 0, 0], [1, 1, 1, 1], 2),
        ([1, 0, 1, 0], [1, 0, 1, 0], 3),
    ],
)
def test_the_swap_test_agrees_with_all_swaps(baseline: list[int], candidate: list[int], k: int) -> None:
    n = 40_000
    every = np.array(all_swaps(baseline, candidate, k))
    observed = every[0]
    wanted = [np.mean(every >= observed - 1e-12), np.mean(every > MODERATE), np.mean(every > SIGNIFICANT)]
    test = swap_test(buckets(baseline, candidate, k), n_swaps=n, rng=np.random.default_rng(5))
    for got, share in zip(test, wanted, strict=True):
        assert got == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)


def test_runs_without_a_change_have_p_one() -> None:
    index = [0, 1, 2, 1]
    assert swap_test(buckets(index, index, 3), n_swaps=99, rng=np.random.default_rng(0)).p_value == 1.0


def test_a_total_change_has_a_smaller_p_than_so_many_swaps_can_show() -> None:
    test = swap_test(buckets([0] * 60, [1] * 60, 2), n_swaps=999, rng=np.random.default_rng(0))
    assert test.p_value == pytest.approx(chi2.sf(60, 1), rel=1e-9)


def test_the_swap_test_depends_on_the_seed_alone() -> None:
    pair = buckets([0, 1, 2, 2, 1, 0, 2], [1, 1, 2, 0, 1, 2, 2], 3)
    turned = Buckets(pair.labels, pair.baseline[::-1], pair.candidate[::-1])
    first = swap_test(pair, n_swaps=500, rng=np.random.default_rng(3))
    assert first == swap_test(pair, n_swaps=500, rng=np.random.default_rng(3))
    assert first == swap_test(turned, n_swaps=500, rng=np.random.default_rng(3))


def test_at_twenty_items_chance_explains_the_worked_example() -> None:
    baseline = np.repeat([0, 1, 2], WORKED_BASELINE)
    candidate = np.random.default_rng(1).permutation(np.repeat([0, 1, 2], WORKED_CANDIDATE))
    test = swap_test(buckets(baseline.tolist(), candidate.tolist(), 3), n_swaps=20_000, rng=np.random.default_rng(2))
    assert 0.10 < test.p_value < 0.35
    assert test.significant_share > 0.05


def test_an_unchanged_run_drifts_no_more_often_than_the_test_allows() -> None:
    rng = np.random.default_rng(11)
    p_values = []
    for _ in range(400):
        scores = rng.choice(3, size=(2, 40), p=[0.1, 0.2, 0.7])
        p_values.append(swap_test(buckets(scores[0].tolist(), scores[1].tolist(), 3), n_swaps=399, rng=rng).p_value)
    for level in (0.025, 0.05, 0.2):
        assert np.mean(np.array(p_values) <= level) <= level + 4 * math.sqrt(level * (1 - level) / 400)
