"""The methods of the study against published figures and other implementations."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import beta, binomtest, bootstrap, ttest_1samp

from gate.stats.units import units_of_items
from studies.validity.methods import METHODS, Outcome, Sample, judge_bca, judge_jeffreys, judge_t, judge_wilson

# 2 wrong, 4 half right, 14 right
WORKED = np.repeat([0.0, 0.5, 1.0], [2, 4, 14])
Judge = Callable[[Sample], Outcome]


def sample_of(scores: np.ndarray[tuple[int], np.dtype[np.float64]], bar: float) -> Sample:
    return Sample(units_of_items(scores), bar, np.random.default_rng(0))


def pass_fail(passed: int, n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.repeat([0.0, 1.0], [n - passed, passed])


def interval_of(judge: Judge, scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """The ends of a method's interval, by asking what it covers."""
    grid = np.arange(0.0, 1.00001, 0.0005)
    held = [bar for bar in grid.tolist() if judge(sample_of(scores, bar)).covers]
    return held[0], held[-1]


def test_bca_has_the_published_interval_of_the_worked_example() -> None:
    assert interval_of(judge_bca, WORKED) == pytest.approx((0.625, 0.925), abs=1e-9)


def test_bca_is_near_the_one_by_resampling() -> None:
    scores = np.random.default_rng(1).beta(8, 3, 60)
    drawn = bootstrap((scores,), np.mean, method="BCa", n_resamples=20_000, rng=np.random.default_rng(2))
    assert interval_of(judge_bca, scores) == pytest.approx(tuple(drawn.confidence_interval), abs=0.003)


@pytest.mark.parametrize(("passed", "n"), [(10, 10), (17, 20), (48, 50), (3, 40)])
def test_jeffreys_is_the_beta_posterior_on_pass_fail_scores(passed: int, n: int) -> None:
    ends = beta.ppf([0.025, 0.975], passed + 0.5, n - passed + 0.5)
    assert interval_of(judge_jeffreys, pass_fail(passed, n)) == pytest.approx(tuple(ends), abs=0.0006)


@pytest.mark.parametrize(("passed", "n"), [(10, 10), (17, 20), (48, 50), (3, 40)])
def test_wilson_is_the_score_interval(passed: int, n: int) -> None:
    ends = binomtest(passed, n).proportion_ci(method="wilson")
    assert interval_of(judge_wilson, pass_fail(passed, n)) == pytest.approx((ends.low, ends.high), abs=0.0006)


def test_t_is_the_interval_of_students_test() -> None:
    ends = ttest_1samp(WORKED, 0.0).confidence_interval()
    assert interval_of(judge_t, WORKED) == pytest.approx((ends.low, ends.high), abs=0.0006)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_passes_up_to_the_lower_end_of_its_interval(method: str) -> None:
    scores = pass_fail(41, 50)
    low, _ = interval_of(METHODS[method], scores)
    assert METHODS[method](sample_of(scores, low - 0.001)).passes
    assert not METHODS[method](sample_of(scores, low + 0.001)).passes
