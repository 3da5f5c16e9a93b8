import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from gate.stats import binomial
from gate.stats.binomial import binomial_pmf, critical_count, upper_tail

SHARES = st.floats(1e-9, 1 - 1e-9)
SIZES = [1, 2, 3, 10, 31, 32, 33, 200, 5_000, 100_000, 1_000_000]


def whole(*counts: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(counts, dtype=np.int64)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("p", [1e-6, 0.02, 0.5, 0.8, 0.999])
def test_single_probabilities_are_those_of_scipy(n: int, p: float) -> None:
    k = np.unique(np.clip(np.round(n * p + np.linspace(-6, 6, 41) * np.sqrt(n * p * (1 - p))), 0, n)).astype(np.int64)
    assert binomial_pmf(k, whole(n), p) == pytest.approx(binom.pmf(k, n, p), rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("p", [1e-6, 0.02, 0.5, 0.8, 0.999])
def test_tails_are_those_of_scipy(n: int, p: float) -> None:
    k = np.unique(np.clip(np.round(n * p + np.linspace(-6, 6, 41) * np.sqrt(n * p * (1 - p))), 0, n)).astype(np.int64)
    assert upper_tail(k, whole(n), p) == pytest.approx(binom.sf(k - 1, n, p), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 64, 100])
@pytest.mark.parametrize("p", [1e-3, 0.02, 0.3, 0.5, 0.9])
def test_of_a_hundred_trials_all_probabilities_and_tails_have_twelve_digits(n: int, p: float) -> None:
    # also where they are 1e-299: no digit is lost to a sum, nor where the table of factorials gives way to the series
    k = np.arange(n + 1, dtype=np.int64)
    assert binomial_pmf(k, whole(n), p) == pytest.approx(binom.pmf(k, n, p), rel=1e-12, abs=0)
    assert upper_tail(k, whole(n), p) == pytest.approx(binom.sf(k - 1, n, p), rel=1e-12, abs=0)


@given(st.integers(0, 300), st.integers(-5, 310), SHARES)
def test_any_tail_is_that_of_scipy(n: int, k: int, p: float) -> None:
    assert upper_tail(whole(k), whole(n), p)[0] == pytest.approx(binom.sf(k - 1, n, p), rel=1e-9, abs=1e-13)


@given(st.integers(0, 200), SHARES)
def test_the_tails_fall_from_one_to_nothing(n: int, p: float) -> None:
    tails = upper_tail(np.arange(n + 2, dtype=np.int64), whole(n), p)
    assert tails[0] == 1.0
    assert tails[-1] == 0.0
    assert (np.diff(tails) <= 1e-13).all()


@given(st.integers(0, 200), SHARES)
def test_a_tail_is_the_sum_of_its_single_probabilities(n: int, p: float) -> None:
    k = np.arange(n + 1, dtype=np.int64)
    summed = np.cumsum(binomial_pmf(k, whole(n), p)[::-1])[::-1]
    assert upper_tail(k, whole(n), p) == pytest.approx(summed, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize(("p", "wanted"), [(0.0, [1, 0, 0, 0]), (1.0, [1, 1, 1, 0])])
def test_what_is_certain_is_certain(p: float, wanted: list[float]) -> None:
    assert upper_tail(whole(0, 1, 3, 4), whole(3), p).tolist() == wanted


@pytest.mark.parametrize(("p", "wanted"), [(0.0, [1, 0, 0]), (1.0, [0, 0, 1])])
def test_a_certain_count_has_all_the_probability(p: float, wanted: list[float]) -> None:
    assert binomial_pmf(whole(0, 1, 3), whole(3), p).tolist() == wanted


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("tail", [0.025, 0.3, 3e-4, 0.999])
def test_the_critical_count_is_the_first_whose_tail_is_small_enough(p: float, tail: float) -> None:
    n = np.arange(0, 400, dtype=np.int64)
    small_enough = binom.sf(np.arange(401), n[:, None], p) <= tail
    assert critical_count(n, p, tail).tolist() == (small_enough.argmax(axis=1) + 1).tolist()


@pytest.mark.parametrize("n", [1000, 100_000, 1_000_000])
def test_the_normal_guess_of_a_critical_count_is_right_or_off_by_one(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*args: Any) -> Any:
        calls.append(n)
        return binomial_pmf(*args)

    monkeypatch.setattr(binomial, "binomial_pmf", counted)
    for p, tail in itertools.product((0.1, 0.5, 0.8), (0.025, 0.3, 1e-3)):
        calls.clear()
        critical_count(whole(n), p, tail)
        # two for the tail, one to see that no smaller count does, and one for a step
        assert len(calls) <= 4


def test_too_few_trials_have_a_critical_count_that_is_never_reached() -> None:
    assert critical_count(whole(0, 1, 5, 6), 0.5, 0.025).tolist() == [1, 2, 6, 6]
