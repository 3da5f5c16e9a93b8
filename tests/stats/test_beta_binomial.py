"""Tasks of different rates: means and variances of pass@k against scipy, fits against what was drawn."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, betabinom, binom

from gate.stats.beta_binomial import TaskRates, fit_rates
from gate.stats.pass_at_k import pass_at_k


def shape(rates: TaskRates) -> tuple[float, float]:
    size = (1 - rates.rho) / rates.rho
    return rates.mean * size, (1 - rates.mean) * size


@pytest.mark.parametrize("rates", [TaskRates(0.4, 0.5), TaskRates(0.1, 0.2), TaskRates(0.9, 0.9)])
@pytest.mark.parametrize(("n", "k"), [(5, 1), (5, 5), (40, 7)])
def test_the_variance_is_that_over_all_numbers_of_passes(rates: TaskRates, n: int, k: int) -> None:
    c = np.arange(n + 1)
    chances = betabinom(n, *shape(rates)).pmf(c)
    values = pass_at_k(np.full(n + 1, n), c, k)
    expected = chances @ values**2 - (chances @ values) ** 2
    assert rates.variance(n, k) == pytest.approx(expected, rel=1e-9)
    assert rates.mean_of(k) == pytest.approx(chances @ values, rel=1e-9)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_the_variance_between_tasks_is_that_of_their_true_rates(k: int) -> None:
    rates = TaskRates(0.3, 0.4)
    density = beta(*shape(rates)).pdf
    first, second = (quad(lambda p, power=power: (1 - (1 - p) ** k) ** power * density(p), 0, 1)[0] for power in (1, 2))
    assert rates.variance_between(k) == pytest.approx(second - first**2, rel=1e-6)
    assert rates.variance(4000, k) == pytest.approx(rates.variance_between(k), rel=0.02)


def test_tasks_of_one_rate_are_binomial_and_tasks_of_none_or_all_are_fixed() -> None:
    alike, fixed = TaskRates(0.3, 0.0), TaskRates(0.3, 1.0)
    c = np.arange(11)
    values = pass_at_k(np.full(11, 10), c, 3)
    chances = binom(10, 0.3).pmf(c)
    assert alike.variance(10, 3) == pytest.approx(chances @ values**2 - (chances @ values) ** 2)
    assert alike.variance_between(3) == 0.0
    assert alike.mean_of(3) == pytest.approx(1 - 0.7**3)
    assert fixed.variance(10, 3) == pytest.approx(0.21)
    assert fixed.variance_between(3) == pytest.approx(0.21)
    assert fixed.mean_of(3) == pytest.approx(0.3)
    assert fixed.sd == pytest.approx(0.21**0.5)


@pytest.mark.parametrize("rho", [0.0, 1e-4, 0.3])
@pytest.mark.parametrize(("mean", "n"), [(0.3, 7), (0.9, 4000)])
def test_the_variance_of_a_share_is_the_binomial_one_and_more_by_the_correlation(
    rho: float, mean: float, n: int
) -> None:
    # of many samples, of which no probability of so few passes fits into a double
    wanted = mean * (1 - mean) * (1 + (n - 1) * rho) / n
    assert TaskRates(mean, rho).variance(n, 1) == pytest.approx(wanted, rel=1e-8)


def test_more_samples_never_make_the_variance_larger() -> None:
    variances = [TaskRates(0.2, 0.3).variance(n, 5) for n in (5, 6, 10, 50, 500)]
    assert variances == sorted(variances, reverse=True)


def test_the_fit_finds_the_rates_that_were_drawn_from() -> None:
    rng = np.random.default_rng(0)
    n = rng.integers(2, 9, size=20_000)
    c = rng.binomial(n, rng.beta(*shape(TaskRates(0.35, 0.4)), size=n.size))
    found = fit_rates(n, c)
    assert found is not None
    assert found.mean == pytest.approx(0.35, abs=0.01)
    assert found.rho == pytest.approx(0.4, abs=0.02)


def test_two_tasks_show_how_tasks_vary() -> None:
    # of pairs of samples none and 1/2 differ, 1/4 on average; were the tasks alike, 2 * 5/8 * 3/8 of them would
    found = fit_rates(np.array([4, 4]), np.array([4, 1]))
    assert found == pytest.approx((5 / 8, 1 - (1 / 4) / (15 / 32)))


@pytest.mark.parametrize(("n", "c"), [([1, 1], [0, 1]), ([3, 3], [0, 0]), ([3, 3], [3, 3])])
def test_where_nothing_varies_there_is_no_fit(n: list[int], c: list[int]) -> None:
    assert fit_rates(np.array(n), np.array(c)) is None


def test_samples_that_differ_more_than_tasks_do_leave_no_correlation() -> None:
    assert fit_rates(np.array([2, 2, 2]), np.array([1, 1, 1])) == TaskRates(0.5, 0.0)


@pytest.mark.parametrize("rho", [1e-8, 1e-5, 1 - 1e-8])
def test_tasks_that_are_nearly_alike_lose_no_digits(rho: float) -> None:
    rates = TaskRates(0.4, rho)
    a, b = shape(rates)
    moments = [1.0]
    for i in range(20):
        # b + i is a + b + i less a, which stays exact however large both are
        moments.append(moments[-1] * (b + i) / (a + b + i))
    assert rates.mean_of(5) == pytest.approx(1 - moments[5], rel=1e-10)
    assert rates.variance_between(5) == pytest.approx(moments[10] - moments[5] ** 2, rel=1e-4)
    assert rates.variance_between(5) > 0.0


def test_rates_next_to_one_have_a_variance() -> None:
    assert 0.0 <= TaskRates(1 - 1e-12, 0.5).variance(10_000, 500) < 1e-11


def test_a_single_task_does_not_show_how_tasks_vary() -> None:
    assert fit_rates(np.array([10]), np.array([4])) is None
