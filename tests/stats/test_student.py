import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t

from gate.stats import student
from gate.stats.student import student_quantile, student_tail

FREEDOMS = [1, 1.5, 2, 3.3, 7, 30, 99.9, 100, 101, 1000.5, 1e5]


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("statistic", [-40.0, -3.0, 0.0, 0.1, 1.0, 2.0, 5.0, 40.0])
def test_the_tail_is_that_of_scipy(statistic: float, freedom: float) -> None:
    assert student_tail(statistic, freedom) == pytest.approx(t.sf(statistic, freedom), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("share", [1e-8, 0.01, 0.4, 0.5, 0.8, 0.975, 0.995, 1 - 1e-8])
def test_the_quantile_is_that_of_scipy(share: float, freedom: float) -> None:
    assert student_quantile(share, freedom) == pytest.approx(t.ppf(share, freedom), rel=1e-7, abs=1e-12)
    if 0.01 <= share <= 0.995:
        assert student_quantile(share, freedom) == pytest.approx(t.ppf(share, freedom), rel=1e-10, abs=1e-12)


@given(st.floats(0.001, 0.999), st.floats(1, 1e6))
def test_the_quantile_is_where_the_tail_is_what_is_left(share: float, freedom: float) -> None:
    assert student_tail(student_quantile(share, freedom), freedom) == pytest.approx(1 - share, rel=1e-9)


def test_ever_more_freedom_leads_to_the_normal() -> None:
    assert student_quantile(0.975, 1e8) == pytest.approx(1.959963984540054, rel=1e-7)
    assert student_tail(1.5, 1e12) == pytest.approx(norm.sf(1.5), rel=1e-9)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("statistic", [0.0, 0.5, 3.0, 40.0])
def test_the_density_that_newton_steps_by_is_that_of_scipy(statistic: float, freedom: float) -> None:
    assert student._density(statistic, freedom) == pytest.approx(t.pdf(statistic, freedom), rel=1e-9)


@pytest.mark.parametrize("a", [1, 2, 7, 49, 50, 51, 90])
def test_the_ratio_of_two_gamma_functions_is_that_of_factorials(a: int) -> None:
    # gamma(a + 1/2) = (2 a)! / (4**a a!) sqrt(pi), and gamma(a) = a! / a
    wanted = math.log(math.comb(2 * a, a) * a) - a * math.log(4) + math.log(math.pi) / 2
    assert student._log_gamma_ratio(float(a)) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("statistic", [-1e308, 1e308, math.inf])
def test_extreme_statistics_have_a_finite_tail(statistic: float) -> None:
    assert student_tail(statistic, 3.0) == pytest.approx(1.0 if statistic < 0 else 0.0, abs=1e-100)
