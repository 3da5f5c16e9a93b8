import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2, chi2_contingency

from gate.stats.homogeneity import balance_p, chi_square_quantile, chi_square_tail, homogeneity_p


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 20, 101])
@pytest.mark.parametrize("statistic", [0.0, 1e-9, 0.1, 1.0, 5.0, 50.0, 700.0])
def test_the_tail_is_that_of_scipy(statistic: float, freedom: int) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chi2.sf(statistic, freedom), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("freedom", [101, 200])
def test_a_sum_that_is_over_one_by_rounding_is_one(freedom: int) -> None:
    assert chi_square_tail(20.0, freedom) == 1.0


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 49, 101])
@pytest.mark.parametrize("share", [1e-6, 0.05, 0.5, 0.95, 0.9999])
def test_the_quantile_is_that_of_scipy(share: float, freedom: int) -> None:
    assert chi_square_quantile(share, freedom) == pytest.approx(chi2.ppf(share, freedom), rel=1e-10)


def stuart_maxwell(table: NDArray[np.int64]) -> float:
    """The p-value of a square table of items, of which (i, j) lie in category i of one run and j of the other."""
    low, high = np.triu_indices(table.shape[0], 1)
    vectors = np.eye(table.shape[0], dtype=np.int64)
    return balance_p(vectors[low] - vectors[high], table[low, high], table[high, low])


def test_on_two_buckets_it_is_mcnemar_without_correction() -> None:
    table = np.array([[40, 25], [9, 26]])
    assert stuart_maxwell(table) == pytest.approx(chi2.sf((25 - 9) ** 2 / (25 + 9), 1), rel=1e-10)


def test_it_is_the_published_example_of_stuart_1955() -> None:
    # unaided vision of 7 477 women, right eye against left: chi-square 11.96 with 3 degrees of freedom
    table = np.array([[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]])
    assert stuart_maxwell(table) == pytest.approx(chi2.sf(11.957, 3), rel=1e-2)


def test_nothing_moved_is_no_change() -> None:
    assert stuart_maxwell(np.diag([5, 0, 7])) == 1.0
    assert balance_p(np.empty((0, 3), dtype=np.int64), *np.empty((2, 0), dtype=np.int64)) == 1.0


@pytest.mark.parametrize("moved", [1, 2, 5, 30])
def test_it_never_claims_more_than_the_ways_in_which_the_items_could_move(moved: int) -> None:
    table = np.array([[3, 0], [moved, 3]])
    assert stuart_maxwell(table) == pytest.approx(max(2.0 ** (1 - moved), chi2.sf(moved, 1)), rel=1e-10)


def test_a_group_of_items_that_move_together_counts_once() -> None:
    one, five = np.array([[1, -1]]), np.array([[5, -5]])
    assert balance_p(five, np.array([9]), np.array([2])) == pytest.approx(balance_p(one, np.array([9]), np.array([2])))


TABLES = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), min_size=2, max_size=8).filter(
    lambda pairs: all(a + b for a, b in pairs) and any(a for a, _ in pairs) and any(b for _, b in pairs)
)


@given(TABLES)
def test_on_single_items_it_is_the_chi_square_test_of_scipy(pairs: list[tuple[int, int]]) -> None:
    a, b = np.array(pairs, dtype=np.int64).T
    wanted = chi2_contingency([a, b], correction=False).pvalue
    found = homogeneity_p(np.eye(a.size, dtype=np.int64), a, b)
    n, m = int(a.sum()), int(b.sum())
    exact = math.prod(math.comb(x + y, x) for x, y in pairs) / math.comb(n + m, n)
    assert found == pytest.approx(max(wanted, exact), rel=1e-8, abs=1e-300)


def test_one_item_against_a_hundred_million_has_a_probability_in_spite_of_rounding() -> None:
    # the exact one is 1 - 1e-8, the logarithm of which is lost in those of the factorials, and comes out over 0
    n = 100_000_000
    assert 1 - 1e-6 < homogeneity_p(np.eye(2, dtype=np.int64), np.array([1, 0]), np.array([n - 1, 1])) <= 1.0


def test_the_shares_of_very_many_items_are_compared_though_they_hardly_vary() -> None:
    n, more = 2_000_000_000_000, 3_000_000
    found = homogeneity_p(np.eye(2, dtype=np.int64), np.array([n, n]), np.array([n + more, n - more]))
    assert found == pytest.approx(chi2.sf(more**2 / n, 1), rel=1e-6)


def test_groups_that_only_repeat_their_items_count_once() -> None:
    eye = np.eye(3, dtype=np.int64)
    a, b = np.array([10, 20, 30]), np.array([25, 20, 15])
    assert homogeneity_p(7 * eye, a, b) == pytest.approx(homogeneity_p(eye, a, b), rel=1e-9)


def test_a_run_without_items_differs_from_none() -> None:
    eye = np.eye(2, dtype=np.int64)
    assert homogeneity_p(eye, np.array([0, 0]), np.array([3, 4])) == 1.0
    assert homogeneity_p(eye, np.array([3, 4]), np.array([0, 0])) == 1.0
    assert homogeneity_p(eye[:1], np.array([3]), np.array([4])) == 1.0
