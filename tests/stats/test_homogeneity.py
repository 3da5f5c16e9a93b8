import numpy as np
import pytest
from scipy.stats import chi2

from gate.stats.homogeneity import chi_square_tail, stuart_maxwell_p


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 20, 101])
@pytest.mark.parametrize("statistic", [0.0, 1e-9, 0.1, 1.0, 5.0, 50.0, 700.0])
def test_the_tail_is_that_of_scipy(statistic: float, freedom: int) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chi2.sf(statistic, freedom), rel=1e-10, abs=1e-300)


def test_on_two_buckets_it_is_mcnemar_without_correction() -> None:
    table = np.array([[40, 25], [9, 26]])
    assert stuart_maxwell_p(table) == pytest.approx(chi2.sf((25 - 9) ** 2 / (25 + 9), 1), rel=1e-10)


def test_it_is_the_published_example_of_stuart_1955() -> None:
    # unaided vision of 7 477 women, right eye against left: chi-square 11.96 with 3 degrees of freedom
    table = np.array([[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]])
    assert stuart_maxwell_p(table) == pytest.approx(chi2.sf(11.957, 3), rel=1e-2)


def test_nothing_moved_is_no_change() -> None:
    assert stuart_maxwell_p(np.diag([5, 0, 7])) == 1.0


@pytest.mark.parametrize("moved", [1, 2, 5, 30])
def test_it_never_claims_more_than_the_ways_in_which_the_items_could_move(moved: int) -> None:
    table = np.array([[3, 0], [moved, 3]])
    assert stuart_maxwell_p(table) >= 2.0 ** (1 - moved)
