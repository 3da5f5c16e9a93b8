from collections.abc import Callable

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from gate.stats.battles import Battles, win_matrix
from gate.stats.bradley_terry import fit_bradley_terry, on_elo_scale
from gate.stats.bradley_terry_mm import fit_by_mm
from gate.stats.logistic import logit

SEEDS = st.integers(0, 2**32 - 1)


def connected_wins(seed: int, size: int) -> NDArray[np.float64]:
    """Wins of random pairs, and of a circle that links all models."""
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 12, (size, size)) * (rng.random((size, size)) < 0.6) * 0.5
    wins[np.arange(size), (np.arange(size) + 1) % size] += 1
    return np.asarray(wins * (1 - np.eye(size)))


def by_lbfgs(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The centred maximum by scipy, from the log-likelihood written out.

    Its change from a point nearby, lest rounding hide the last digits: the search begins anew where it stopped.
    """
    found = np.zeros(len(wins))

    def cost(moves: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        lost_before = 1 / (1 + np.exp(found[:, None] - found))
        change = np.log1p(lost_before * np.expm1(moves - moves[:, None]))
        strengths = found + moves
        lost = wins / (1 + np.exp(strengths[:, None] - strengths))
        return float((wins * change).sum()), lost.sum(axis=0) - lost.sum(axis=1)

    for _ in range(4):
        options = {"ftol": 0.0, "gtol": 1e-12, "maxiter": 10_000, "maxcor": 30}
        found = found + minimize(cost, np.zeros(len(wins)), jac=True, method="L-BFGS-B", options=options).x
    return np.asarray(found - found.mean())


# the published example


def test_the_four_bots_have_the_published_strengths(four_bots: NDArray[np.float64]) -> None:
    fit = fit_bradley_terry(four_bots)
    assert fit.strengths.round(5).tolist() == [0.70524, 0.22875, 0.04984, 0.01617]
    assert on_elo_scale(fit.log_strengths).round(1).tolist() == [1327.9, 1132.4, 867.6, 672.1]
    assert fit.ranks.tolist() == [1, 2, 3, 4]


def test_the_four_bots_have_the_published_chances(four_bots: NDArray[np.float64]) -> None:
    chances = fit_bradley_terry(four_bots).probabilities
    assert (round(chances[0, 3], 3), round(chances[1, 2], 3)) == (0.978, 0.821)


def test_a_fit_tells_how_it_came_to_its_end(four_bots: NDArray[np.float64]) -> None:
    fit = fit_bradley_terry(four_bots)
    assert fit.converged
    assert not fit.regularised
    assert 1 <= fit.iterations <= 12
    assert fit.gradient_norm < 1e-12


def test_shuffling_the_battles_changes_nothing(
    listed: list[tuple[int, int, float]], make_battles: Callable[..., Battles]
) -> None:
    order = np.random.default_rng(1).permutation(18)
    shuffled = make_battles([listed[row] for row in order], 4)
    one, other = (fit_bradley_terry(win_matrix(rows)) for rows in (make_battles(listed, 4), shuffled))
    assert (one.log_strengths == other.log_strengths).all()


# parity


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 12))
def test_newton_mm_and_lbfgs_come_to_one_maximum(seed: int, size: int) -> None:
    wins = connected_wins(seed, size)
    fit, mm = fit_bradley_terry(wins), fit_by_mm(wins)
    assert fit.converged
    assert mm.converged
    assert fit.log_strengths == pytest.approx(by_lbfgs(wins), abs=1e-8)
    assert np.log(mm.strengths) - np.log(mm.strengths).mean() == pytest.approx(fit.log_strengths, abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    wins = connected_wins(seed, 20)
    assert fit_bradley_terry(wins).log_strengths == pytest.approx(choix.ilsr_pairwise_dense(wins, tol=1e-12), abs=1e-8)


# what must not matter


@given(SEEDS, st.integers(2, 10))
def test_relabelling_the_models_permutes_the_strengths(seed: int, size: int) -> None:
    wins, order = connected_wins(seed, size), np.random.default_rng(seed).permutation(size)
    fit, other = fit_bradley_terry(wins), fit_bradley_terry(wins[np.ix_(order, order)])
    assert other.log_strengths == pytest.approx(fit.log_strengths[order], abs=1e-9)
    assert other.ranks.tolist() == fit.ranks[order].tolist()


@given(SEEDS, st.integers(2, 10), st.sampled_from([2.0, 1e-6, 1e9]))
def test_multiplying_all_counts_leaves_the_strengths(seed: int, size: int, factor: float) -> None:
    wins = connected_wins(seed, size)
    fit, other = fit_bradley_terry(wins), fit_bradley_terry(wins * factor)
    assert other.converged
    assert other.log_strengths == pytest.approx(fit.log_strengths, abs=1e-9)


def test_merging_equal_battles_into_weights_changes_nothing(make_battles: Callable[..., Battles]) -> None:
    rows = [(0, 1, 1.0), (1, 0, 0.0), (0, 1, 0.0), (1, 2, 0.5), (1, 2, 0.5), (2, 0, 1.0)]
    merged = make_battles([(0, 1, 1.0), (0, 1, 0.0), (1, 2, 0.5), (2, 0, 1.0)], 3, weights=[2, 1, 2, 1])
    wanted = fit_bradley_terry(win_matrix(make_battles(rows, 3))).log_strengths
    assert (fit_bradley_terry(win_matrix(merged)).log_strengths == wanted).all()


# an anchor


def test_an_anchor_is_at_zero_and_the_others_relative_to_it(four_bots: NDArray[np.float64]) -> None:
    fit = fit_bradley_terry(four_bots)
    assert fit.relative_to(2) == pytest.approx(np.log(fit.strengths / fit.strengths[2]))


def test_on_the_scale_of_elo_ten_to_one_are_the_points_asked_for() -> None:
    assert on_elo_scale(np.log([10.0, 1.0, 0.1]), start=1500.0, scale=200.0) == pytest.approx([1700.0, 1500.0, 1300.0])


# graphs that have no finite maximum, or several


def test_one_lost_pair_gives_log_odds_of_the_counts() -> None:
    fit = fit_bradley_terry(np.array([[0, 30.0], [10.0, 0]]))
    assert fit.probabilities[0, 1] == pytest.approx(0.75)


def test_one_battle_is_regularised_to_odds_of_three_to_one() -> None:
    fit = fit_bradley_terry(np.array([[0, 1.0], [0, 0]]))
    assert fit.regularised
    assert fit.converged
    assert fit.probabilities[0, 1] == pytest.approx(0.75)


def test_the_undefeated_gets_the_strength_of_half_a_win_each_way_on_the_pairs_that_met() -> None:
    wins = np.array([[0, 4.0, 0], [0, 0, 3.0], [0, 1.0, 0]])
    fit = fit_bradley_terry(wins)
    softened = np.array([[0, 4.5, 0], [0.5, 0, 3.5], [0, 1.5, 0]])
    assert (fit.wins == softened).all()
    assert fit.regularised_models.all()
    assert fit.log_strengths == pytest.approx(fit_bradley_terry(softened).log_strengths, abs=1e-12)
    assert np.log(fit_by_mm(softened).strengths[0] / fit_by_mm(softened).strengths[1]) == pytest.approx(np.log(9))


def test_only_the_component_in_need_is_regularised() -> None:
    wins = np.zeros((5, 5))
    wins[0, 1], wins[1, 0], wins[2, 3] = 3.0, 1.0, 2.0
    fit = fit_bradley_terry(wins)
    assert fit.regularised_models.tolist() == [False, False, True, True, False]
    assert fit.probabilities[0, 1] == pytest.approx(0.75)
    assert fit.probabilities[2, 3] == pytest.approx(2.5 / 3)


def test_nothing_is_said_across_components() -> None:
    wins = np.zeros((5, 5))
    wins[0, 1], wins[1, 0], wins[2, 3], wins[3, 2] = 3.0, 1.0, 2.0, 1.0
    fit = fit_bradley_terry(wins)
    assert np.isnan(fit.probabilities).tolist() == (~fit.connectivity.comparable).tolist()
    assert fit.ranks.tolist() == [1, 2, 1, 2, 1]
    assert fit.strengths == pytest.approx([0.75, 0.25, 2 / 3, 1 / 3, 1.0])
    assert np.isnan(fit.relative_to(0)).tolist() == [False, False, True, True, True]


@pytest.mark.parametrize("size", [1, 3])
def test_models_without_a_battle_have_no_rank_above_one(size: int) -> None:
    fit = fit_bradley_terry(np.zeros((size, size)))
    assert fit.converged
    assert fit.log_strengths.tolist() == [0.0] * size
    assert fit.ranks.tolist() == [1] * size
    assert fit.probabilities.diagonal().tolist() == [0.5] * size


@pytest.mark.parametrize(("size", "odds"), [(1000, 1e3), (60, 1e12)])
def test_a_chain_of_models_has_the_log_odds_of_its_links(size: int, odds: float) -> None:
    # over it the strengths span more powers of ten than a float has
    wins = np.eye(size, k=1) * odds + np.eye(size, k=-1)
    fit = fit_bradley_terry(wins)
    assert fit.converged
    assert -np.diff(fit.log_strengths) == pytest.approx(np.full(size - 1, np.log(odds)), rel=1e-6)


@pytest.mark.parametrize(("won", "lost"), [(1e40, 1.0), (1e-300, 1e-300), (1e-200, 1e-180), (1e300, 1e299)])
def test_counts_of_any_size_give_their_log_odds(won: float, lost: float) -> None:
    fit = fit_bradley_terry(np.array([[0, won], [lost, 0]]))
    assert fit.converged
    assert fit.log_strengths[0] - fit.log_strengths[1] == pytest.approx(np.log(won / lost), rel=1e-6)


def test_a_fit_that_does_not_come_to_its_end_says_so() -> None:
    assert not fit_bradley_terry(np.array([[0, 1e200], [1, 0]])).converged


def test_a_thousand_models_that_all_met_are_no_burden() -> None:
    strengths = np.random.default_rng(2).normal(size=1000)
    chances = 1 / (1 + np.exp(strengths - strengths[:, None]))
    fit = fit_bradley_terry(10 * chances * (1 - np.eye(1000)))
    assert fit.converged
    assert fit.log_strengths == pytest.approx(strengths - strengths.mean(), abs=1e-9)


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        (np.zeros((2, 3)), "a win matrix has a row and a column for each model, and at least one model"),
        (np.zeros((0, 0)), "a win matrix has a row and a column for each model, and at least one model"),
        (np.zeros(4), "a win matrix has a row and a column for each model, and at least one model"),
        (np.array([[0, -1.0], [1, 0]]), "a win matrix holds finite numbers, none below 0"),
        (np.array([[0, np.nan], [1, 0]]), "a win matrix holds finite numbers, none below 0"),
        (np.eye(2), "no model wins over itself"),
    ],
)
def test_what_is_no_win_matrix_is_refused(wins: NDArray[np.float64], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        fit_bradley_terry(wins)


@pytest.mark.parametrize("limit", [0.0, 1.0, -0.1, float("nan")])
def test_a_limit_that_is_no_probability_is_refused(limit: float) -> None:
    with pytest.raises(ValueError, match="not in"):
        logit(limit)
