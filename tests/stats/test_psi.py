import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gate.stats.psi import MODERATE, SIGNIFICANT, items_for_bands, psi, psi_of_each

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
@example([(1, 0), (9, 10)])
@example([(0, 1), (10, 9)])
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


def test_each_of_many_pairs_of_runs_has_the_index_it_has_alone() -> None:
    baseline = np.array([[3, 0, 7, 0, 1, 0], [5, 0, 5, 0, 0, 1], [0, 0, 10, 0, 0, 0]])
    candidate = np.array([[5, 0, 3, 0, 0, 1], [3, 0, 5, 0, 1, 0], [8, 0, 0, 0, 1, 1]])
    alone = [psi(a, b).value for a, b in zip(baseline, candidate, strict=True)]
    assert psi_of_each(baseline, candidate).tolist() == alone


@pytest.mark.parametrize(("a", "b"), [([0, 0], [3, 1]), ([3, 1], [0, 0]), ([0, 0], [0, 0]), ([0], [5]), ([], [])])
def test_a_run_without_items_has_a_finite_index(a: list[int], b: list[int]) -> None:
    index = psi(counts(*a), counts(*b))
    assert math.isfinite(index.value)
    assert np.isfinite(index.contributions).all()
    assert np.isfinite(psi_of_each(counts(*a)[None, :], counts(*b)[None, :])).all()


@pytest.mark.parametrize(("k", "moderate", "significant"), [(3, 120, 48), (5, 190, 76), (10, 339, 136)])
def test_the_items_that_the_bands_need_are_the_published_ones(k: int, moderate: int, significant: int) -> None:
    assert (items_for_bands(k, MODERATE), items_for_bands(k, SIGNIFICANT)) == (moderate, significant)


def test_one_bucket_never_drifts_and_needs_one_item() -> None:
    assert items_for_bands(1, MODERATE) == items_for_bands(0, MODERATE) == 1


def unchanged(shares: list[float], n: int, m: int, times: int = 20_000) -> NDArray[np.float64]:
    """The PSI of independent pairs of runs of n and m items, both drawn with these shares."""
    rng = np.random.default_rng(8)
    return np.array(
        [psi(*pair).value for pair in zip(*(rng.multinomial(s, shares, times) for s in (n, m)), strict=True)]
    )


@pytest.mark.parametrize(("n", "share"), [(20, 0.30), (50, 0.06), (100, 0.003)])
def test_three_buckets_are_significant_by_chance_as_often_as_stated(n: int, share: float) -> None:
    drawn = unchanged([0.1, 0.2, 0.7], n, n, 4000)
    assert np.mean(drawn >= SIGNIFICANT) == pytest.approx(share, abs=4 * math.sqrt(share / 4000) + 0.005)


def test_from_the_items_for_bands_on_an_unchanged_run_is_rarely_over_them() -> None:
    n = items_for_bands(5, MODERATE)
    assert np.mean(unchanged([0.2] * 5, n, n, 3000) > MODERATE) == pytest.approx(0.05, abs=0.02)
    assert np.mean(unchanged([0.2] * 5, n // 2, n // 2, 3000) > MODERATE) > 0.2


@pytest.mark.parametrize(("n", "m"), [(400, 400), (300, 900)])
def test_the_mean_index_of_unchanged_runs_is_about_the_buckets_less_one_over_the_items(n: int, m: int) -> None:
    drawn = unchanged([0.2, 0.3, 0.1, 0.4], n, m, 3000)
    assert drawn.mean() == pytest.approx(3 * (1 / n + 1 / m), rel=0.1)
