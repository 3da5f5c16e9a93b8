import numpy as np
import pytest

from gate.stats.repeats import share_of_repeats


def runs(between: float, within: float, repeats: int, n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Items' means over normal repeats, and the variance of each mean as its repeats show it."""
    rng = np.random.default_rng(1)
    samples = rng.normal(0, between, (n, 1)) + rng.normal(0, within, (n, repeats))
    return samples.mean(axis=1), samples.var(axis=1, ddof=1) / repeats


@pytest.mark.parametrize(("between", "within", "repeats"), [(0.3, 0.1, 3), (0.1, 0.3, 5), (0.2, 0.2, 2)])
def test_noise_between_items_is_told_from_noise_between_repeats(between: float, within: float, repeats: int) -> None:
    left = within**2 / repeats
    assert share_of_repeats(*runs(between, within, repeats)) == pytest.approx(left / (left + between**2), rel=0.1)


def test_items_without_repeats_tell_nothing() -> None:
    assert share_of_repeats(np.array([0.0, 1.0, 1.0]), np.full(3, np.nan)) is None


def test_items_of_which_some_have_repeats_are_taken_for_all() -> None:
    share = share_of_repeats(np.array([0.0, 1.0, 0.5, 0.5]), np.array([np.nan, 0.01, np.nan, 0.03]))
    assert share == pytest.approx(0.02 / np.var([0, 1, 0.5, 0.5], ddof=1))


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, 0.5, 0.5]])
def test_scores_without_a_spread_tell_nothing(scores: list[float]) -> None:
    assert share_of_repeats(np.array(scores), np.full(len(scores), 0.1)) is None


def test_more_noise_than_spread_is_all_there_is() -> None:
    assert share_of_repeats(np.array([0.5, 0.6]), np.array([1.0, 1.0])) == 1.0
