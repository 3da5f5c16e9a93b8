import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom, t

from gate.stats.battles import Battles, win_matrix
from gate.stats.bradley_terry import BradleyTerryFit, fit_bradley_terry
from gate.stats.bradley_terry_wald import WaldStrengths, robust_wald, wald

DrawBattles = Callable[..., Battles]
STRENGTHS = np.array([0.8, 0.3, 0.0, -0.3, -0.8])


def numeric_covariance(fit: BradleyTerryFit) -> NDArray[np.float64]:
    """The pseudo-inverse of the Hessian by finite differences."""
    size, wins, step = len(fit.wins), fit.wins, 1e-5

    def gradient(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        lost = wins / (1 + np.exp(strengths[:, None] - strengths))
        return np.asarray(lost.sum(axis=1) - lost.sum(axis=0))

    rows = [
        (gradient(fit.log_strengths + move) - gradient(fit.log_strengths - move)) / (2 * step)
        for move in np.eye(size) * step
    ]
    return np.asarray(np.linalg.pinv(-np.array(rows), rcond=1e-7), dtype=np.float64)


def test_the_covariance_is_the_inverse_of_the_hessian(four_bots: NDArray[np.float64]) -> None:
    fit = fit_bradley_terry(four_bots)
    assert wald(fit).covariance == pytest.approx(numeric_covariance(fit), rel=1e-6)


def test_of_two_models_the_variance_is_that_of_log_odds() -> None:
    found = wald(fit_bradley_terry(np.array([[0, 30.0], [10.0, 0]])))
    assert found.variances[0, 1] == pytest.approx(1 / 30 + 1 / 10)
    low, high = found.probability_interval(0, 1, alpha=0.05)
    reach = 1.959964 * np.sqrt(1 / 30 + 1 / 10)
    # each log-strength is half of the log-odds, and varies a quarter as much
    assert found.strength_intervals(0.05)[0] == pytest.approx((np.log(3) + np.array([-reach, reach])) / 2, rel=1e-6)
    assert found.relative_intervals(1, 0.05)[0] == pytest.approx(np.log(3) + np.array([-reach, reach]), rel=1e-6)
    assert (np.log(low / (1 - low)), np.log(high / (1 - high))) == pytest.approx(
        (np.log(3) - reach, np.log(3) + reach), rel=1e-6
    )


def test_doubling_all_counts_halves_the_variance(four_bots: NDArray[np.float64]) -> None:
    one, two = wald(fit_bradley_terry(four_bots)), wald(fit_bradley_terry(2 * four_bots))
    assert two.covariance == pytest.approx(one.covariance / 2)


@given(st.integers(0, 2**32 - 1))
def test_relabelling_the_models_permutes_the_covariance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins, order = rng.integers(1, 9, (6, 6)) * (1.0 - np.eye(6)), rng.permutation(6)
    one, other = wald(fit_bradley_terry(wins)), wald(fit_bradley_terry(wins[np.ix_(order, order)]))
    assert other.covariance == pytest.approx(one.covariance[np.ix_(order, order)], rel=1e-8)
    assert other.rank_intervals(0.05).tolist() == one.rank_intervals(0.05)[order].tolist()


def test_every_form_of_an_interval_tells_the_same(four_bots: NDArray[np.float64]) -> None:
    fit = fit_bradley_terry(four_bots)
    found = wald(fit)
    relative, chances = found.relative_intervals(3, 0.1), found.probability_intervals(0.1)
    assert relative[3].tolist() == [0.0, 0.0]
    assert chances[0, 3] == pytest.approx(1 / (1 + np.exp(-relative[0])))
    assert chances[3, 0] == pytest.approx(1 - chances[0, 3][::-1])
    assert found.probability_interval(0, 3, alpha=0.1) == pytest.approx(tuple(chances[0, 3]))
    assert found.strength_intervals(0.1).mean(axis=1) == pytest.approx(fit.log_strengths)


@pytest.mark.parametrize("freedom", [None, 7])
def test_the_p_value_is_at_its_level_where_the_interval_ends_at_the_limit(
    freedom: int | None, four_bots: NDArray[np.float64]
) -> None:
    plain = wald(fit_bradley_terry(four_bots))
    freedoms = None if freedom is None else np.full((4, 4), freedom)
    found = WaldStrengths(plain.fit, plain.covariance, plain.variances, freedoms)
    low, high = found.probability_interval(0, 1, alpha=0.05)
    assert found.p_below(0, 1, limit=high) == pytest.approx(0.025)
    assert found.p_above(0, 1, limit=low) == pytest.approx(0.025)
    assert found.p_below(0, 1, limit=0.5) + found.p_above(0, 1, limit=0.5) == pytest.approx(1.0)


def test_ranks_are_bounded_by_who_is_surely_better_and_worse() -> None:
    wins = np.array([[0, 50.0, 90.0], [50.0, 0, 90.0], [10.0, 10.0, 0]])
    assert wald(fit_bradley_terry(wins)).rank_intervals(0.05).tolist() == [[1, 2], [1, 2], [3, 3]]


def test_components_are_told_apart() -> None:
    wins = np.zeros((5, 5))
    wins[0, 1], wins[1, 0], wins[2, 3], wins[3, 2] = 90.0, 10.0, 2.0, 1.0
    found = wald(fit_bradley_terry(wins))
    assert found.rank_intervals(0.05).tolist() == [[1, 1], [2, 2], [1, 2], [1, 2], [1, 1]]
    assert np.isnan(found.probability_intervals(0.05)[0, 2]).all()
    assert np.isnan(found.relative_intervals(0, 0.05)[2]).all()
    assert found.strength_intervals(0.05)[4].tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match=r"^models 0 and 2 are not comparable: no chain of battles links them$"):
        found.probability_interval(0, 2, alpha=0.05)
    with pytest.raises(ValueError, match=r"^models 0 and 2 are not comparable: no chain of battles links them$"):
        found.p_below(0, 2, limit=0.5)
    with pytest.raises(ValueError, match=r"^model 1 is asked about itself$"):
        found.p_above(1, 1, limit=0.5)


# clusters


@pytest.fixture
def tied(draw_battles: DrawBattles) -> Battles:
    return draw_battles(np.random.default_rng(4), 400, STRENGTHS, ties=0.3)


def repeated(battles: Battles, times: int) -> Battles:
    first, second = np.repeat(battles.first, times), np.repeat(battles.second, times)
    return Battles(first, second, np.repeat(battles.outcomes, times), battles.n_models)


def by_hand(fit: BradleyTerryFit, battles: Battles, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    """The sandwich, battle by battle."""
    scores = np.zeros((int(clusters.max()) + 1, battles.n_models))
    weights = np.ones(len(battles)) if battles.weights is None else battles.weights
    columns = zip(battles.first, battles.second, battles.outcomes, weights, clusters, strict=True)
    for first, second, outcome, weight, cluster in columns:
        residual = weight * (outcome - fit.probabilities[first, second])
        scores[cluster, first] += residual
        scores[cluster, second] -= residual
    bread, size = numeric_covariance(fit), len(np.unique(clusters))
    return np.asarray(bread @ (scores.T @ scores) @ bread * (size / (size - 1)))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_robust_covariance_is_the_sandwich(weighted: bool, tied: Battles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.bradley_terry_wald._BATCH_CELLS", 35)  # seven clusters at a time
    weights = np.linspace(0.5, 2.0, 400) if weighted else None
    battles = Battles(tied.first, tied.second, tied.outcomes, 5, weights)
    fit, clusters = fit_bradley_terry(win_matrix(battles)), np.arange(400) // 12
    found = robust_wald(fit, battles, clusters)
    assert found.covariance == pytest.approx(by_hand(fit, battles, clusters), rel=1e-5, abs=1e-9)
    assert found.freedoms is not None
    assert np.unique(found.freedoms).tolist() == [33]


def test_battles_by_themselves_are_clusters_of_one(tied: Battles) -> None:
    fit = fit_bradley_terry(win_matrix(tied))
    one, other = robust_wald(fit, tied), robust_wald(fit, tied, np.arange(400))
    assert one.covariance == pytest.approx(other.covariance)
    assert one.freedoms is not None
    assert other.freedoms is not None
    assert one.freedoms.tolist() == other.freedoms.tolist()
    assert one.freedoms.diagonal().sum() == 2 * 400 - 5


def test_ties_vary_less_than_the_model_says(tied: Battles) -> None:
    fit = fit_bradley_terry(win_matrix(tied))
    assert robust_wald(fit, tied).variances[0, 4] < 0.85 * wald(fit).variances[0, 4]


def test_battles_that_repeat_in_clusters_count_once(draw_battles: DrawBattles) -> None:
    once = draw_battles(np.random.default_rng(5), 200, STRENGTHS)
    again = repeated(once, 6)
    fits = [fit_bradley_terry(win_matrix(battles)) for battles in (once, again)]
    wanted = robust_wald(fits[0], once)
    assert robust_wald(fits[1], again, np.repeat(np.arange(200), 6)).variances == pytest.approx(wanted.variances)
    assert wald(fits[1]).variances[0, 1] == pytest.approx(wald(fits[0]).variances[0, 1] / 6)


def test_clusters_that_cancel_out_do_not_make_it_certain(make_battles: Callable[..., Battles]) -> None:
    battles = make_battles([(0, 1, 1.0), (0, 1, 0.0)] * 10, 2)
    fit = fit_bradley_terry(win_matrix(battles))
    found = robust_wald(fit, battles, np.repeat(np.arange(10), 2))
    assert found.variances[0, 1] == pytest.approx(wald(fit).variances[0, 1])
    assert found.p_below(0, 1, limit=0.6) > 0.05


def test_very_many_clusters_need_no_student(tied: Battles, monkeypatch: pytest.MonkeyPatch) -> None:
    found = robust_wald(fit_bradley_terry(win_matrix(tied)), tied)
    wide, p_wide = found.probability_interval(0, 1, alpha=0.05), found.p_below(0, 1, limit=0.5)
    monkeypatch.setattr("gate.stats.bradley_terry_wald._MANY", 100)
    narrow = found.probability_interval(0, 1, alpha=0.05)
    assert wide.low < narrow.low < narrow.high < wide.high
    assert found.p_below(0, 1, limit=0.5) != p_wide


def test_of_two_models_the_one_in_fewer_clusters_sets_the_degrees_of_freedom(
    make_battles: Callable[..., Battles],
) -> None:
    battles = make_battles([(0, 1, 1.0), (0, 1, 0.0)] * 10 + [(0, 2, 1.0), (1, 2, 0.0)] * 2, 3)
    clusters = np.concatenate([np.repeat(np.arange(10), 2), [0, 1, 2, 3]])
    found = robust_wald(fit_bradley_terry(win_matrix(battles)), battles, clusters)
    assert found.freedoms is not None
    assert found.freedoms.tolist() == [[9, 9, 3], [9, 9, 3], [3, 3, 3]]


@pytest.mark.parametrize(("n", "floored"), [(19, True), (20, False)])
def test_a_model_seen_in_fewer_than_twenty_clusters_varies_as_much_as_the_model_says(
    n: int, floored: bool, make_battles: Callable[..., Battles]
) -> None:
    battles = make_battles([(0, 1, 1.0), (0, 1, 0.0)] + [(0, 1, 0.5)] * (n - 2), 2)
    fit = fit_bradley_terry(win_matrix(battles))
    # of equals the log-odds vary by 4 / n; by the sandwich, in which ties do not vary, by twice 4 / n**2 * n / (n - 1)
    assert wald(fit).variances[0, 1] == pytest.approx(4 / n)
    wanted = 4 / n if floored else 8 / n / (n - 1)
    assert robust_wald(fit, battles).variances[0, 1] == pytest.approx(wanted)
    assert robust_wald(fit, battles).p_below(0, 1, limit=0.6) == pytest.approx(
        t.sf(math.log(1.5) / math.sqrt(wanted), n - 1)
    )


def test_a_heavy_battle_takes_the_place_of_many(make_battles: Callable[..., Battles]) -> None:
    weights = [1.0, 1.0, 3.0, 3.0]
    battles = make_battles([(0, 1, 1.0), (0, 1, 0.0)] * 2, 2, weights)
    fit = fit_bradley_terry(win_matrix(battles))
    # the Hessian takes them for eight battles; by Kish's sum(w)**2 / sum(w**2) they are 64 / 20
    found = robust_wald(fit, battles, np.repeat([0, 1], 2))
    assert found.variances[0, 1] == pytest.approx(4 / (64 / 20))
    assert found.freedoms is not None
    assert found.freedoms.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("clusters", [None, np.arange(6)])
def test_a_model_without_a_battle_leaves_the_others_as_they_are(
    clusters: NDArray[np.intp] | None, make_battles: Callable[..., Battles]
) -> None:
    rows = [(0, 1, 1.0), (0, 1, 0.0)] * 3
    two, three = make_battles(rows, 2), make_battles(rows, 3)
    wanted = robust_wald(fit_bradley_terry(win_matrix(two)), two, clusters)
    found = robust_wald(fit_bradley_terry(win_matrix(three)), three, clusters)
    assert found.variances[:2, :2] == pytest.approx(wanted.variances)
    assert found.freedoms is not None
    assert found.freedoms.tolist() == [[5, 5, 1], [5, 5, 1], [1, 1, 1]]
    assert np.isnan(found.relative_intervals(0, 0.05)[2]).all()


def test_a_model_that_lost_its_only_two_battles_is_not_shown_to_be_worse(make_battles: Callable[..., Battles]) -> None:
    # the fit is so close to two losses that the sandwich alone sees hardly any doubt: p 0.002
    others = [(1, 2, 1.0), (1, 2, 0.0)] * 60
    battles = make_battles([(0, 1, 0.0), (0, 1, 0.0), *others], 3, [3.0, 3.0] + [1.0] * 120)
    found = robust_wald(fit_bradley_terry(win_matrix(battles)), battles)
    assert found.p_below(0, 1, limit=0.5) > 0.1


def test_the_size_of_the_weights_leaves_the_variance_as_it_is(make_battles: Callable[..., Battles]) -> None:
    rows, found = [(0, 1, 1.0), (0, 1, 0.0), (0, 1, 1.0)] * 4, []
    for weight in (0.01, 1.0, 100.0):
        battles = make_battles(rows, 2, [weight] * 12)
        found.append(robust_wald(fit_bradley_terry(win_matrix(battles)), battles).variances[0, 1])
    assert found == pytest.approx([found[1]] * 3)


@pytest.mark.parametrize("alike", [0.0, 1.0])
@pytest.mark.parametrize(("prompts", "own"), [(3, 3), (6, 6), (60, 3), (60, 8)])
@pytest.mark.simulation
def test_equal_models_are_seldom_called_worse_however_few_their_prompts(
    prompts: int, own: int, alike: float, make_battles: Callable[..., Battles]
) -> None:
    """Two games a prompt, which end alike or not; the first model is seen on its own prompts alone."""
    rng, runs, blocked = np.random.default_rng(1), 300, 0
    pairs = np.array([(prompt, a, b) for prompt in range(prompts) for a, b in ((1, 2), (0, 1)) if a or prompt < own])
    clusters = np.repeat(pairs[:, 0], 2)
    for _ in range(runs):
        won = rng.integers(0, 2, (len(pairs), 2))
        won[:, 1] = np.where(rng.random(len(pairs)) < alike, won[:, 0], won[:, 1])
        games = zip(np.repeat(pairs[:, 1], 2), np.repeat(pairs[:, 2], 2), won.reshape(-1), strict=True)
        battles = make_battles(list(games), 3)
        fit = fit_bradley_terry(win_matrix(battles))
        blocked += robust_wald(fit, battles, clusters).p_below(0, 1, limit=0.5) <= 0.025
    assert blocked <= binom.ppf(1 - 1e-4, runs, 0.025)


def test_one_cluster_shows_nothing(tied: Battles) -> None:
    with pytest.raises(ValueError, match=r"^1 clusters do not show how much clusters differ: two are the least$"):
        robust_wald(fit_bradley_terry(win_matrix(tied)), tied, np.zeros(400, dtype=np.intp))


# how often the intervals hold


def held(share_of: float, n: int) -> tuple[int, int]:
    """Between these counts a share that is right lies in all but one of ten thousand cases."""
    return int(binom.ppf(5e-5, n, share_of)), int(binom.ppf(1 - 5e-5, n, share_of))


def test_the_wald_interval_holds_the_truth_as_often_as_it_says(draw_battles: DrawBattles) -> None:
    rng, covered = np.random.default_rng(6), 0
    truth = 1 / (1 + np.exp(STRENGTHS[3] - STRENGTHS[0]))
    for _ in range(600):
        fit = fit_bradley_terry(win_matrix(draw_battles(rng, 200, STRENGTHS)))
        low, high = wald(fit).probability_interval(0, 3, alpha=0.05)
        covered += low <= truth <= high
    low_count, high_count = held(0.95, 600)
    assert low_count <= covered <= high_count


@pytest.mark.simulation
def test_of_clustered_battles_only_the_robust_interval_holds(draw_battles: DrawBattles) -> None:
    rng, truth = np.random.default_rng(7), 1 / (1 + np.exp(STRENGTHS[3] - STRENGTHS[0]))
    covered = np.zeros(2, dtype=int)
    for _ in range(500):
        once = draw_battles(rng, 150, STRENGTHS)
        battles = repeated(once, 4)
        fit = fit_bradley_terry(win_matrix(battles))
        for row, found in enumerate((robust_wald(fit, battles, np.repeat(np.arange(150), 4)), wald(fit))):
            low, high = found.probability_interval(0, 3, alpha=0.05)
            covered[row] += low <= truth <= high
    low_count, high_count = held(0.95, 500)
    assert low_count <= covered[0] <= high_count
    assert covered[1] < held(0.85, 500)[0]
