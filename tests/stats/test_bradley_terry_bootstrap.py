from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from gate.stats.battles import Battles, win_matrix
from gate.stats.bradley_terry import fit_bradley_terry
from gate.stats.bradley_terry_bootstrap import BootstrapStrengths, bootstrap_strengths
from gate.stats.bradley_terry_wald import robust_wald, wald

DrawBattles = Callable[..., Battles]
STRENGTHS = np.array([0.8, 0.3, 0.0, -0.3, -0.8])


def resampled(
    battles: Battles, *, clusters: NDArray[np.intp] | None = None, n_resamples: int = 500, seed: int = 0
) -> BootstrapStrengths:
    fit = fit_bradley_terry(win_matrix(battles))
    rng = np.random.default_rng(seed)
    return bootstrap_strengths(fit, battles, clusters=clusters, n_resamples=n_resamples, rng=rng)


@pytest.fixture
def four(listed: list[tuple[int, int, float]], make_battles: Callable[..., Battles]) -> Battles:
    return make_battles(listed, 4)


def test_three_in_four_resamples_of_the_four_bots_have_no_finite_maximum(four: Battles) -> None:
    found = resampled(four, n_resamples=4000)
    assert found.n_regularised / 4000 == pytest.approx(0.75, abs=0.03)
    assert found.n_unconverged == 0
    assert np.isfinite(found.draws).all()


def test_every_draw_is_the_fit_of_a_resample(draw_battles: DrawBattles, monkeypatch: pytest.MonkeyPatch) -> None:
    battles = draw_battles(np.random.default_rng(1), 30, STRENGTHS, ties=0.2)
    seen: list[NDArray[np.float64]] = []
    monkeypatch.setattr("gate.stats.bradley_terry_bootstrap._BATCH_CELLS", 25 * 20)  # twenty at a time

    def regularise_and_keep(
        wins: NDArray[np.float64], unbounded: NDArray[np.bool_], *, met: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        seen.extend(wins)
        return wins + 0.5 * (unbounded[:, :, None] & met)

    monkeypatch.setattr("gate.stats.bradley_terry_bootstrap.regularise", regularise_and_keep)
    found = resampled(battles, n_resamples=130)
    assert found.draws.shape == (130, 5)
    met = win_matrix(battles) + win_matrix(battles).T > 0
    finite = 0
    for wins, draw in zip(seen, found.draws, strict=True):
        assert wins.sum() == 30
        fit = fit_bradley_terry(wins)
        whole = bool(fit.connectivity.comparable.all()) and not fit.regularised
        finite += whole
        if whole:
            assert draw == pytest.approx(fit.log_strengths, abs=1e-7)
        else:
            assert draw == pytest.approx(fit_bradley_terry(wins + 0.5 * met).log_strengths, abs=1e-7)
    assert found.n_regularised == 130 - finite
    assert 0 < finite < 130


@pytest.mark.parametrize("n", [3, 8, 40])
def test_every_battle_is_drawn_as_often_as_every_other(
    n: int, make_battles: Callable[..., Battles], monkeypatch: pytest.MonkeyPatch
) -> None:
    # three kinds of battles: drawn one by one of all that differ, one by one of some that are equal, and by numbers
    kinds = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 0.0)]
    battles = make_battles([kinds[number % 3] for number in range(n)], 3)
    seen: list[NDArray[np.float64]] = []

    def keep(wins: NDArray[np.float64], *_: object, **__: object) -> NDArray[np.float64]:
        seen.extend(wins)
        return np.asarray(wins + 1.0 - np.eye(3))

    monkeypatch.setattr("gate.stats.bradley_terry_bootstrap.regularise", keep)
    resampled(battles, n_resamples=1500)
    wanted = win_matrix(battles)
    variances = wanted * (1 - wanted / n)
    assert (np.abs(np.mean(seen, axis=0) - wanted) <= 4.5 * np.sqrt(variances / 1500)).all()
    assert np.var(seen, axis=0) == pytest.approx(variances, rel=0.2)


def test_resamples_are_regularised_only_on_pairs_that_met(make_battles: Callable[..., Battles]) -> None:
    # the first and the last are linked by the second alone: whatever is drawn, neither half knows of the other
    found = resampled(make_battles([(0, 1, 1.0), (1, 2, 1.0)], 3), n_resamples=40)
    first, last = np.exp(-np.diff(found.draws)).T
    # none, one or two wins in as many battles, the others of the other pair, and half a win each way: odds of 1, 3 or 5
    assert set(first.round(6).tolist()) == {1.0, 3.0, 5.0}
    assert first + last == pytest.approx(6.0)


def test_where_every_resample_has_a_maximum_next_to_the_fit_none_is_told(draw_battles: DrawBattles) -> None:
    found = resampled(draw_battles(np.random.default_rng(6), 600, np.zeros(4)), n_resamples=20)
    assert (found.n_regularised, found.n_unconverged) == (0, 0)


def test_resamples_that_do_not_come_to_their_end_are_counted(four: Battles, monkeypatch: pytest.MonkeyPatch) -> None:
    fit = fit_bradley_terry(win_matrix(four))
    monkeypatch.setattr("gate.stats.bradley_terry_bootstrap._BATCH_CELLS", 16 * 4)  # four at a time
    monkeypatch.setattr("gate.stats.bradley_terry_newton._CHORD_STEPS", 1)
    monkeypatch.setattr("gate.stats.bradley_terry_newton._MOST_ITERATIONS", 1)
    found = bootstrap_strengths(fit, four, n_resamples=10, rng=np.random.default_rng(0))
    assert found.n_unconverged == 10
    assert found.draws.shape == (10, 4)


@pytest.mark.parametrize("n", [12, 40, 4000])
def test_the_bootstrap_spreads_as_the_sandwich_says(n: int, draw_battles: DrawBattles) -> None:
    # few battles of many kinds are drawn one by one, many by numbers
    battles = draw_battles(np.random.default_rng(2), n * 10, STRENGTHS, ties=0.2)
    found = resampled(battles, n_resamples=1500)
    wanted = np.sqrt(robust_wald(found.fit, battles).variances[0, 4])
    spread = float((found.draws[:, 0] - found.draws[:, 4]).std())
    assert spread == pytest.approx(wanted, rel=0.25 if n == 12 else 0.12)


def test_weights_are_carried_along(draw_battles: DrawBattles) -> None:
    plain = draw_battles(np.random.default_rng(3), 3000, STRENGTHS)
    weights = np.random.default_rng(4).choice([0.2, 1.0, 5.0], 3000)
    battles = Battles(plain.first, plain.second, plain.outcomes, 5, weights)
    found = resampled(battles, n_resamples=1500)
    wanted = np.sqrt(robust_wald(found.fit, battles).variances[0, 4])
    assert float((found.draws[:, 0] - found.draws[:, 4]).std()) == pytest.approx(wanted, rel=0.1)
    assert wanted > 1.2 * np.sqrt(wald(found.fit).variances[0, 4])


def test_clusters_are_drawn_whole(draw_battles: DrawBattles) -> None:
    once = draw_battles(np.random.default_rng(5), 400, STRENGTHS)
    again = Battles(np.repeat(once.first, 5), np.repeat(once.second, 5), np.repeat(once.outcomes, 5), 5)
    clusters = np.repeat(np.arange(400) * 7, 5)
    found = resampled(again, clusters=clusters, n_resamples=1500)
    wanted = np.sqrt(robust_wald(found.fit, again, clusters).variances[0, 4])
    assert float((found.draws[:, 0] - found.draws[:, 4]).std()) == pytest.approx(wanted, rel=0.1)
    assert wanted > 2 * np.sqrt(wald(found.fit).variances[0, 4])


def test_the_same_seed_gives_the_same_draws(four: Battles) -> None:
    assert (resampled(four, seed=3).draws == resampled(four, seed=3).draws).all()
    assert (resampled(four, seed=3).draws != resampled(four, seed=4).draws).any()


def test_the_order_of_the_battles_changes_nothing(four: Battles) -> None:
    order = np.random.default_rng(1).permutation(18)
    shuffled = Battles(four.first[order], four.second[order], four.outcomes[order], 4)
    assert (resampled(four).draws == resampled(shuffled).draws).all()


def test_every_form_of_an_interval_tells_the_same(four: Battles) -> None:
    found = resampled(four)
    relative, chances = found.relative_intervals(3, 0.1), found.probability_intervals(0.1)
    assert relative[3].tolist() == [0.0, 0.0]
    assert chances[0, 3] == pytest.approx(1 / (1 + np.exp(-relative[0])))
    assert chances[3, 0] == pytest.approx(1 - chances[0, 3][::-1])
    assert found.probability_interval(0, 3, alpha=0.1) == pytest.approx(tuple(chances[0, 3]))
    assert found.strength_intervals(0.1) == pytest.approx(np.quantile(found.draws, [0.05, 0.95], axis=0).T)


def test_the_p_value_counts_the_resamples_on_the_other_side(four: Battles) -> None:
    found = resampled(four)
    contrary = int((found.draws[:, 0] <= found.draws[:, 1]).sum())
    assert 0 < contrary < 250
    assert found.p_above(0, 1, limit=0.5) == (1 + contrary) / 501
    assert found.p_below(1, 0, limit=0.5) == (1 + contrary) / 501
    assert found.p_below(0, 3, limit=1 - 1e-12) == 1 / 501


def test_ranks_are_those_of_the_resamples(draw_battles: DrawBattles) -> None:
    battles = draw_battles(np.random.default_rng(6), 600, np.array([3.0, 0.0, 0.0, -3.0]))
    assert resampled(battles).rank_intervals(0.05).tolist() == [[1, 1], [2, 3], [2, 3], [4, 4]]


def test_a_rank_interval_leaves_at_most_half_alpha_of_the_resamples_on_either_side() -> None:
    # of thirty resamples three may lie on either side of it: the ends are the third and the 27th, not between two
    ranks = np.repeat([1, 2, 4, 5, 6], [2, 1, 20, 4, 3])
    draws = np.column_stack([13.0 - 2 * ranks, np.tile([10.0, 8.0, 6.0, 4.0, 2.0], (30, 1))])
    fit = fit_bradley_terry(np.ones((6, 6)) - np.eye(6))
    found = BootstrapStrengths(fit, draws, n_regularised=0, n_unconverged=0).rank_intervals(0.2)
    assert found[0].tolist() == [2, 5]
    assert found.dtype == np.intp


def test_components_are_told_apart(make_battles: Callable[..., Battles]) -> None:
    rows = [(0, 1, 1.0)] * 30 + [(0, 1, 0.0)] * 10 + [(2, 3, 1.0), (3, 2, 1.0)] * 3
    found = resampled(make_battles(rows, 5))
    assert found.rank_intervals(0.05).tolist() == [[1, 1], [2, 2], [1, 2], [1, 2], [1, 1]]
    assert np.isnan(found.probability_intervals(0.05)[0, 2]).all()
    assert found.draws[:, :2].sum(axis=1) == pytest.approx(np.zeros(500), abs=1e-9)
    with pytest.raises(ValueError, match=r"^models 0 and 2 are not comparable: no chain of battles links them$"):
        found.probability_interval(0, 2, alpha=0.05)
    with pytest.raises(ValueError, match=r"^model 0 is asked about itself$"):
        found.p_below(0, 0, limit=0.5)


def test_without_a_battle_there_is_nothing_to_draw() -> None:
    empty = np.empty(0, dtype=np.intp)
    with pytest.raises(ValueError, match=r"^without a battle there is nothing to draw from$"):
        resampled(Battles(empty, empty, np.empty(0), 2))


def test_a_single_battle_is_drawn_again_and_again(make_battles: Callable[..., Battles]) -> None:
    found = resampled(make_battles([(0, 1, 1.0)], 2), n_resamples=7)
    assert found.n_regularised == 7
    assert found.probability_interval(0, 1, alpha=0.05) == pytest.approx((0.75, 0.75))


@pytest.mark.simulation
def test_the_percentile_interval_holds_the_truth_about_as_often_as_it_says(draw_battles: DrawBattles) -> None:
    rng, covered = np.random.default_rng(8), 0
    truth = 1 / (1 + np.exp(STRENGTHS[3] - STRENGTHS[0]))
    for seed in range(300):
        found = resampled(draw_battles(rng, 300, STRENGTHS), n_resamples=300, seed=seed)
        low, high = found.probability_interval(0, 3, alpha=0.05)
        covered += low <= truth <= high
    # resampling adds noise of its own to the ends: a point either way
    assert binom.ppf(5e-5, 300, 0.94) <= covered <= binom.ppf(1 - 5e-5, 300, 0.96)
