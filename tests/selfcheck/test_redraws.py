from typing import Any

import numpy as np
import pytest

from gate.selfcheck.redraws import Draw, Exchange, Mixture, mixture_of, repeats_of

DRAWS = 400


def alone(n: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.arange(n, dtype=np.intp)


def drawn(
    redraw: Mixture, scores: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    rng = np.random.default_rng(1)
    pairs = [redraw.draw(rng) for _ in range(DRAWS)]
    return np.array([[scores[pair.baseline.rows], scores[pair.candidate.rows]] for pair in pairs])


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_a_mixture_keeps_mean_and_spread_and_gives_the_correlation_asked_for(rho: float) -> None:
    scores = np.random.default_rng(0).normal(size=60)
    runs = drawn(mixture_of(alone(60), rho), scores)
    assert runs.mean() == pytest.approx(scores.mean(), abs=0.02)
    assert runs.std() == pytest.approx(scores.std(), rel=0.03)
    assert np.corrcoef(runs[:, 0].ravel(), runs[:, 1].ravel())[0, 1] == pytest.approx(rho, abs=0.03)


def test_both_runs_of_a_mixture_vary() -> None:
    pair = mixture_of(alone(50), 0.5).draw(np.random.default_rng(0))
    assert (pair.baseline.rows != alone(50)).any()
    assert (pair.candidate.rows != alone(50)).any()


def test_scores_of_a_mixture_stay_within_their_stratum() -> None:
    strata = alone(40) % 2
    pair = mixture_of(alone(40), 0.0, strata=strata).draw(np.random.default_rng(0))
    assert (strata[pair.candidate.rows] == strata).all()


def test_the_groups_of_a_mixture_move_as_one() -> None:
    groups = alone(40) // 4
    mixture = mixture_of(groups, 0.0)
    rows = mixture.draw(np.random.default_rng(0)).candidate.rows.reshape(10, 4)
    assert all(np.unique(groups[row]).size == 1 and np.unique(row).size == 4 for row in rows)
    assert len({int(groups[row[0]]) for row in rows}) > 1


def test_groups_of_other_sizes_keep_the_mean() -> None:
    groups = np.repeat(alone(3), [1, 2, 9])
    scores = np.array([0.0] * 1 + [0.5] * 2 + [1.0] * 9)
    assert drawn(mixture_of(groups, 0.3), scores).mean() == pytest.approx(scores.mean(), abs=0.02)


def test_a_mixture_of_weighted_items_keeps_the_weighted_mean() -> None:
    scores, weights = np.array([0.0, 1.0, 1.0, 0.0]), np.array([8.0, 1.0, 2.0, 1.0])
    runs = drawn(mixture_of(alone(4), 0.25, weights=weights), scores)
    assert np.average(runs, axis=2, weights=weights).mean() == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_mean_of_redrawn_repeats_varies_as_that_of_new_ones_would(k: int) -> None:
    scores = np.random.default_rng(2).normal(size=k)
    redraw = repeats_of(np.zeros(k, dtype=np.intp), alone(1))
    rng = np.random.default_rng(3)
    means = [scores[redraw.draw(rng).candidate.rows].mean() for _ in range(6000)]
    assert np.mean(means) == pytest.approx(scores.mean(), abs=0.05)
    assert np.var(means) == pytest.approx(scores.var(ddof=1) / k, rel=0.1)


def test_repeats_stay_with_their_item_and_keep_their_number() -> None:
    items = np.array([0, 1, 0, 2, 1, 0])
    pair = repeats_of(items, alone(3)).draw(np.random.default_rng(0))
    for draw in pair:
        assert (items[draw.rows] == draw.items).all()
        assert np.bincount(draw.items).tolist() == [3, 2, 1]


def test_the_repeats_of_a_group_are_drawn_alike() -> None:
    items = np.repeat(alone(4), 6)
    rows = repeats_of(items, np.zeros(4, dtype=np.intp)).draw(np.random.default_rng(0)).baseline.rows.reshape(4, 6)
    assert (rows - 6 * alone(4)[:, None] == rows[0]).all()


def of_item(draw: Draw, item: int) -> set[int]:
    return set(draw.rows[draw.items == item].tolist())


def test_an_exchange_gives_every_sample_to_one_run_or_the_other() -> None:
    runs, items = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 1])
    exchange, seen = Exchange(runs, items, alone(2)), set()
    for seed in range(20):
        pair = exchange.draw(np.random.default_rng(seed))
        assert sorted([*pair.baseline.rows, *pair.candidate.rows]) == [0, 1, 2, 3, 4]
        # the repeats of a run stay together
        assert {frozenset(of_item(pair.baseline, 0)), frozenset(of_item(pair.candidate, 0))} == {
            frozenset({0, 1}), frozenset({3}),
        }  # fmt: skip
        seen.add(len(of_item(pair.baseline, 0)))
    assert seen == {1, 2}


def test_an_exchange_swaps_whole_units() -> None:
    n = 30
    exchange = Exchange(np.repeat([0, 1], n), np.tile(alone(n), 2), alone(n) // 10)
    origins = np.zeros(n)
    pair = exchange.draw(np.random.default_rng(1))
    origins[pair.baseline.items] = pair.baseline.rows >= n
    assert [set(origins[start : start + 10]) for start in (0, 10, 20)] in (
        [[{a}, {b}, {c}] for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)]
    )
