import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.buckets import count_buckets, sort_into_buckets
from gate.stats.psi import SIGNIFICANT, psi

NAN = math.nan


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


@pytest.mark.parametrize("edge", [0.25, 1.0, 1e6])
def test_twelve_digits_tell_a_score_from_an_edge_or_decimals_below_one(edge: float) -> None:
    noise = 1e-12 * max(1.0, edge)
    sorted_ = sort_into_buckets(np.array([edge - 0.8 * noise]), np.array([edge - 1.2 * noise]), edges=[edge])
    assert (sorted_.baseline.tolist(), sorted_.candidate.tolist()) == ([1], [0])


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ([0.123456712, 0.123456823], ("under 0.1234567", "[0.1234567, 0.1234568)", "0.1234568 and over")),
        (
            [0.1111111111113, 0.1111111111114],
            ("under 0.1111111111113", "[0.1111111111113, 0.1111111111114)", "0.1111111111114 and over"),
        ),
    ],
)
def test_edges_are_shown_with_the_fewest_digits_that_tell_them_apart(
    edges: list[float], labels: tuple[str, ...]
) -> None:
    assert sort_into_buckets(np.zeros(1), np.zeros(1), edges=edges).labels == labels


def test_one_score_has_quantiles() -> None:
    assert sort_into_buckets(np.ones(1), np.zeros(1), quantiles=2).labels == ("under 1", "1 and over")


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


def test_quantiles_asked_for_replace_the_deciles() -> None:
    scores = np.arange(100.0)
    sorted_ = sort_into_buckets(scores, scores, quantiles=4)
    assert sorted_.labels == ("under 24.75", "[24.75, 49.5)", "[49.5, 74.25)", "74.25 and over")
    assert count_buckets(sorted_.baseline, 4).tolist() == [25] * 4


def test_quantiles_asked_for_sort_few_distinct_scores_too() -> None:
    scores = np.repeat([0.0, 0.5, 1.0], [10, 20, 10])
    sorted_ = sort_into_buckets(scores, scores, quantiles=2)
    assert sorted_.labels == ("under 0.5", "0.5 and over")
    assert count_buckets(sorted_.baseline, 2).tolist() == [10, 30]


def test_the_quantiles_are_those_of_the_baseline_and_the_missing_stay_apart() -> None:
    sorted_ = sort_into_buckets(np.array([1.0, 2.0, NAN]), np.array([9.0, NAN, NAN]), quantiles=2)
    assert sorted_.labels == ("under 1.5", "1.5 and over", "no score")
    assert sorted_.candidate.tolist() == [1, 2, 2]


def test_edges_win_over_quantiles() -> None:
    assert len(sort_into_buckets(np.arange(9.0), np.arange(9.0), edges=[4.5], quantiles=5).labels) == 2


@pytest.mark.parametrize("quantiles", [None, 3])
@pytest.mark.parametrize(("n", "m"), [(3, 40), (40, 3), (0, 5), (5, 0), (0, 0), (1, 1)])
def test_runs_of_different_length_are_sorted_into_the_same_buckets(n: int, m: int, quantiles: int | None) -> None:
    sorted_ = sort_into_buckets(np.linspace(0, 1, n), np.linspace(0, 1, m), quantiles=quantiles)
    assert (sorted_.baseline.size, sorted_.candidate.size) == (n, m)
    assert set(sorted_.baseline.tolist()) | set(sorted_.candidate.tolist()) <= set(range(len(sorted_.labels)))


@pytest.mark.parametrize(("n", "low", "high"), [(50, 0.72, 0.82), (100, 0.18, 0.26)])
def test_ten_quantile_buckets_are_significant_by_chance_as_often_as_stated(n: int, low: float, high: float) -> None:
    rng = np.random.default_rng(4)
    over = 0
    for _ in range(2000):
        sorted_ = sort_into_buckets(rng.random(n), rng.random(n))
        over += psi(count_buckets(sorted_.baseline, 10), count_buckets(sorted_.candidate, 10)).value >= SIGNIFICANT
    assert low < over / 2000 < high
