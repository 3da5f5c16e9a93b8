"""The parts of the fit by themselves; that the whole comes to the maximum stands in test_bradley_terry."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

from gate.stats import bradley_terry_newton
from gate.stats.bradley_terry_newton import (
    follow_chord,
    information,
    inverse_information,
    maximise,
    pinned,
    rough_log_strengths,
    win_chances,
)

Floats = NDArray[np.float64]
ALL = np.ones((4, 4), dtype=bool)


def expected_wins(log_strengths: Floats, games: float) -> Floats:
    """The win matrix whose likeliest strengths are these."""
    chances = expit(log_strengths[:, None] - log_strengths)
    return np.asarray(games * chances * (1 - np.eye(len(chances))))


@pytest.mark.parametrize("farthest", [3.0, 600.0, 2000.0])
def test_chances_are_precise_where_they_are_near_zero(farthest: float) -> None:
    log_strengths = np.array([[0.0, -1.0, -farthest], [farthest, 0.0, -0.5]])
    wanted = expit(log_strengths[:, :, None] - log_strengths[:, None, :])
    assert win_chances(log_strengths) == pytest.approx(wanted, rel=1e-12, abs=1e-300)
    assert win_chances(log_strengths[0]) == pytest.approx(wanted[0], rel=1e-12, abs=1e-300)


def test_the_information_of_two_models_is_that_of_a_binomial_share() -> None:
    games, chances = np.array([[0.0, 40.0], [40.0, 0.0]]), np.array([[0.5, 0.75], [0.25, 0.5]])
    assert information(games, chances) == pytest.approx(np.array([[7.5, -7.5], [-7.5, 7.5]]))


@pytest.mark.parametrize("games", [8.0, 1e-3])
def test_pinning_changes_nothing_but_the_common_shift_of_a_component(games: float) -> None:
    comparable = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    wins = expected_wins(np.array([1.0, 0.0, -1.0, 0.0]), games) * comparable
    laplacian = information(wins + wins.T, win_chances(np.array([1.0, 0.0, -1.0, 0.0])))
    found = pinned(laplacian[None], comparable)[0]
    scale = np.trace(laplacian) / 4
    assert found @ [1.0, -3.0, 2.0, 0.0] == pytest.approx(laplacian @ [1.0, -3.0, 2.0, 0.0])
    assert found @ [1.0, 1.0, 1.0, 0.0] == pytest.approx(scale * np.array([1.0, 1.0, 1.0, 0.0]))
    assert found @ [0.0, 0.0, 0.0, 1.0] == pytest.approx(scale * np.array([0.0, 0.0, 0.0, 1.0]))


def test_without_a_battle_the_pinned_information_is_still_regular() -> None:
    assert pinned(np.zeros((2, 2)), np.eye(2, dtype=bool)).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_the_inverse_information_is_the_pseudo_inverse() -> None:
    comparable = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=bool)
    log_strengths = np.array([1.0, -1.0, 0.3, -0.3])
    wins = expected_wins(log_strengths, 12.0) * comparable
    wanted = np.linalg.pinv(information(wins + wins.T, expit(log_strengths[:, None] - log_strengths)))
    found = inverse_information(wins, log_strengths, comparable)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert (found == found.T).all()


def test_where_all_have_met_the_start_is_next_to_the_maximum() -> None:
    log_strengths = np.random.default_rng(0).normal(size=30)
    found = rough_log_strengths(expected_wins(log_strengths, 100.0))
    assert found == pytest.approx(log_strengths - log_strengths.mean(), abs=1e-4)


def test_a_model_without_a_win_or_a_loss_does_not_drag_the_start_away() -> None:
    wins = np.zeros((7, 7))
    log_strengths = np.array([1.0, 0.5, -0.5, -1.0])
    wins[:4, :4] = expected_wins(log_strengths, 10.0)
    wins[4, 0], wins[1, 5] = 3.0, 3.0
    found = rough_log_strengths(wins)
    assert np.ptp(found) < 6.0
    assert np.diff(found[2:4]) == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize(("gap", "near"), [(0.9, True), (6.0, False)])
def test_where_strengths_are_far_apart_the_start_is_in_the_middle(gap: float, near: bool) -> None:
    found = rough_log_strengths(expected_wins(gap * np.arange(12.0), 100.0))
    assert bool(found.any()) == near
    assert np.ptp(found) < 20.0


def test_a_maximum_tells_the_wins_that_are_not_as_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    wins = rng.integers(1, 30, (2, 4, 4)) * (1.0 - np.eye(4))
    monkeypatch.setattr(bradley_terry_newton, "_MOST_ITERATIONS", 1)
    found = maximise(wins, ALL, np.zeros((2, 4)))
    assert found.iterations == 1
    assert found.converged.tolist() == [False, False]
    for own, strengths, norm in zip(wins, found.log_strengths, found.gradient_norms, strict=True):
        expected = ((own + own.T) * expit(strengths[:, None] - strengths)).sum(axis=1)
        assert norm == pytest.approx(np.abs(own.sum(axis=1) - expected).max(), rel=1e-9)
        assert norm > 1e-3
        assert strengths.sum() == pytest.approx(0.0, abs=1e-12)


def test_of_several_win_matrices_each_is_told_whether_it_came_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    done = expected_wins(np.array([1.0, 0.5, -0.5, -1.0]), 10.0)
    start = np.array([[4.0, 3.5, 2.5, 2.0], [3.0, 3.0, 3.0, 3.0]])  # the common shift is of no matter
    monkeypatch.setattr(bradley_terry_newton, "_MOST_ITERATIONS", 1)
    found = maximise(np.stack([done, done]), ALL, start)
    assert found.converged.tolist() == [True, False]
    assert found.gradient_norms[0] == pytest.approx(0.0, abs=1e-12)
    assert found.log_strengths[0] == pytest.approx([1.0, 0.5, -0.5, -1.0])
    assert found.log_strengths.mean(axis=1) == pytest.approx([0.0, 0.0], abs=1e-12)


def test_a_chord_leads_to_the_maximum_of_win_matrices_that_resemble_its_own() -> None:
    own = np.array([[0.0, 6, 8, 9], [4, 0, 7, 7], [2, 3, 0, 6], [1, 3, 4, 0]])
    start = maximise(own[None], ALL, np.zeros((1, 4))).log_strengths[0]
    like = own + np.array([[0.0, 0.1, -0.1, 0], [0.1, 0, 0, 0], [0, -0.1, 0, 0.1], [0, 0, 0.1, 0]])
    found = follow_chord(np.stack([own, like]), inverse_information(own, start, ALL), start)
    assert found.converged.tolist() == [True, True]
    wanted = maximise(np.stack([own, like]), ALL, np.zeros((2, 4))).log_strengths
    assert found.log_strengths == pytest.approx(wanted, abs=1e-8)


def test_a_chord_that_leads_nowhere_says_so() -> None:
    own = np.array([[0.0, 6, 8, 9], [4, 0, 7, 7], [2, 3, 0, 6], [1, 3, 4, 0]])
    start = maximise(own[None], ALL, np.zeros((1, 4))).log_strengths[0]
    found = follow_chord(np.stack([own, 3 * own.T]), inverse_information(own, start, ALL), start)
    assert found.converged.tolist() == [True, False]
