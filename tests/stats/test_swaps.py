import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from gate.stats.buckets import Buckets, count_buckets
from gate.stats.psi import MODERATE, SIGNIFICANT, psi, psi_of_each
from gate.stats.swaps import swap_test

WORKED_BASELINE = [1, 2, 17]
WORKED_CANDIDATE = [3, 5, 12]


def counts(*values: int) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def buckets(baseline: list[int], candidate: list[int], k: int) -> Buckets:
    labels = tuple(str(bucket) for bucket in range(k))
    return Buckets(labels, np.array(baseline, dtype=np.intp), np.array(candidate, dtype=np.intp))


def all_swaps(baseline: list[int], candidate: list[int], k: int) -> list[float]:
    """The PSI of every one of the 2**n ways to swap the two runs' scores within items."""
    values = []
    for swaps in itertools.product([False, True], repeat=len(baseline)):
        pairs = [(b, a) if swap else (a, b) for a, b, swap in zip(baseline, candidate, swaps, strict=True)]
        a = [sum(left == bucket for left, _ in pairs) for bucket in range(k)]
        b = [sum(right == bucket for _, right in pairs) for bucket in range(k)]
        values.append(psi(counts(*a), counts(*b)).value)
    return values


@pytest.mark.parametrize(
    ("baseline", "candidate", "k"),
    [
        ([2, 2, 2, 2, 2, 1, 1, 0, 2], [2, 1, 1, 0, 2, 0, 1, 0, 0], 3),
        ([0, 0, 1, 1, 2, 2, 3, 3, 3], [3, 0, 2, 1, 2, 3, 3, 0, 1], 4),
        ([1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 1, 0, 0, 1], 2),
        ([0, 0, 0, 0], [1, 1, 1, 1], 2),
        ([1, 0, 1, 0], [1, 0, 1, 0], 3),
    ],
)
def test_the_swap_test_agrees_with_all_swaps(baseline: list[int], candidate: list[int], k: int) -> None:
    n = 40_000
    every = np.array(all_swaps(baseline, candidate, k))
    observed = every[0]
    wanted = [np.mean(every >= observed - 1e-12), np.mean(every > MODERATE), np.mean(every > SIGNIFICANT)]
    test = swap_test(buckets(baseline, candidate, k), n_swaps=n, rng=np.random.default_rng(5))
    for got, share in zip((test.p_value, test.moderate_share, test.significant_share), wanted, strict=True):
        assert got == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)


@pytest.mark.parametrize("cells", [50, 2_000_000])
@pytest.mark.parametrize("few_moves", [0, 512], ids=["coins", "numbers"])
def test_drawn_swaps_are_spread_as_all_swaps_are(few_moves: int, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.swaps._FEW_MOVES", few_moves)
    monkeypatch.setattr("gate.stats.swaps._BATCH_CELLS", cells)
    # 2**12 swaps are more than are drawn
    pair = buckets([2, 2, 2, 2, 2, 1, 1, 0, 2, 3, 3, 0], [1, 1, 1, 0, 3, 0, 2, 2, 0, 2, 0, 3], 4)
    draws = swap_test(pair, n_swaps=4000, rng=np.random.default_rng(6)).draws
    swaps = (np.arange(1 << 12)[:, None] >> np.arange(12)) & 1
    sides = np.where(swaps, pair.candidate, pair.baseline), np.where(swaps, pair.baseline, pair.candidate)
    a, b = ((side[:, :, None] == np.arange(4)).sum(axis=1) for side in sides)
    every = psi_of_each(a, b)
    assert draws.size == 4000
    for limit in np.quantile(every, [0.1, 0.4, 0.7, 0.95]).tolist():
        share = float(np.mean(every <= limit + 1e-9))
        drawn = float(np.mean(draws <= limit + 1e-9))
        assert drawn == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / 4000))


def test_as_many_draws_as_there_are_swaps_take_each_once() -> None:
    test = swap_test(buckets([0, 0, 0], [1, 1, 1], 2), n_swaps=8, rng=np.random.default_rng(0))
    # all three moved alike, or all three back
    assert (test.p_value, test.draws.size) == (2 / 8, 8)


def test_runs_without_a_change_have_p_one() -> None:
    index = [0, 1, 2, 1]
    assert swap_test(buckets(index, index, 3), n_swaps=99, rng=np.random.default_rng(0)).p_value == 1.0


def test_a_total_change_has_a_smaller_p_than_so_many_swaps_can_show() -> None:
    test = swap_test(buckets([0] * 60, [1] * 60, 2), n_swaps=999, rng=np.random.default_rng(0))
    assert test.p_value == pytest.approx(chi2.sf(60, 1), rel=1e-9)


def test_the_swap_test_depends_on_the_seed_alone() -> None:
    pair = buckets([0, 1, 2, 2, 1, 0, 2], [1, 1, 2, 0, 1, 2, 2], 3)
    turned = Buckets(pair.labels, pair.baseline[::-1], pair.candidate[::-1])
    first, again, other = (swap_test(runs, n_swaps=500, rng=np.random.default_rng(3)) for runs in (pair, pair, turned))
    assert first.p_value == again.p_value == other.p_value
    assert first.draws.tolist() == again.draws.tolist() == other.draws.tolist()


def test_at_twenty_items_chance_explains_the_worked_example() -> None:
    baseline = np.repeat([0, 1, 2], WORKED_BASELINE)
    candidate = np.random.default_rng(1).permutation(np.repeat([0, 1, 2], WORKED_CANDIDATE))
    test = swap_test(buckets(baseline.tolist(), candidate.tolist(), 3), n_swaps=20_000, rng=np.random.default_rng(2))
    assert 0.10 < test.p_value < 0.35
    assert test.significant_share > 0.05


def test_an_unchanged_run_drifts_no_more_often_than_the_test_allows() -> None:
    rng = np.random.default_rng(11)
    p_values = []
    for _ in range(400):
        scores = rng.choice(3, size=(2, 40), p=[0.1, 0.2, 0.7])
        p_values.append(swap_test(buckets(scores[0].tolist(), scores[1].tolist(), 3), n_swaps=399, rng=rng).p_value)
    for level in (0.025, 0.05, 0.2):
        assert np.mean(np.array(p_values) <= level) <= level + 4 * math.sqrt(level * (1 - level) / 400)


def all_group_swaps(pair: Buckets, groups: list[int]) -> list[float]:
    k = len(pair.labels)
    names = sorted(set(groups))
    values = []
    for signs in itertools.product([False, True], repeat=len(names)):
        swap = np.array([signs[names.index(group)] for group in groups])
        a, b = np.where(swap, pair.candidate, pair.baseline), np.where(swap, pair.baseline, pair.candidate)
        values.append(psi(count_buckets(a, k), count_buckets(b, k)).value)
    return values


@pytest.mark.parametrize("groups", [[0, 0, 0, 1, 1, 2, 2, 3, 4], [5, 4, 3, 5, 4, 3, 2, 2, 1], [0] * 9])
def test_groups_are_swapped_whole(groups: list[int]) -> None:
    n = 20_000
    pair = buckets([2, 2, 2, 2, 2, 1, 1, 0, 2], [2, 1, 1, 0, 2, 0, 1, 0, 0], 3)
    every = np.array(all_group_swaps(pair, groups))
    test = swap_test(pair, n_swaps=n, rng=np.random.default_rng(5), groups=np.array(groups))
    share = float(np.mean(every >= every[0] - 1e-12))
    assert test.p_value == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)
    assert test.draws.mean() == pytest.approx(every.mean(), abs=4.5 * every.std() / math.sqrt(n) + 1e-12)


def test_items_in_groups_of_their_own_are_items() -> None:
    draw = np.random.default_rng(6)
    pair = buckets(draw.integers(0, 4, 80).tolist(), draw.integers(0, 4, 80).tolist(), 4)
    alone = swap_test(pair, n_swaps=20_000, rng=np.random.default_rng(1))
    grouped = swap_test(pair, n_swaps=20_000, rng=np.random.default_rng(2), groups=draw.permutation(80))
    assert grouped.p_value == pytest.approx(alone.p_value, abs=0.02)
    assert grouped.draws.mean() == pytest.approx(alone.draws.mean(), rel=0.05)


def test_one_group_that_moves_proves_nothing_however_many_items_it_holds() -> None:
    pair = buckets([0] * 500, [1] * 500, 2)
    assert swap_test(pair, n_swaps=1000, rng=np.random.default_rng(0), groups=np.zeros(500, dtype=np.intp)).p_value == 1


def test_groups_that_all_move_alike_have_a_smaller_p_than_so_many_swaps_can_show() -> None:
    pair = buckets([0] * 120, [1] * 120, 2)
    test = swap_test(pair, n_swaps=999, rng=np.random.default_rng(0), groups=np.repeat(np.arange(60), 2))
    assert test.p_value == pytest.approx(chi2.sf(60, 1), rel=1e-9)


def test_a_group_whose_moves_cancel_out_moves_nothing() -> None:
    pair = buckets([0, 1, 0, 1], [1, 0, 1, 0], 2)
    test = swap_test(pair, n_swaps=50, rng=np.random.default_rng(0), groups=np.array([7, 7, 9, 9]))
    assert test.p_value == 1.0
    assert not test.draws.any()


def test_many_unlike_groups_are_drawn_by_coins_as_right_as_by_numbers() -> None:
    # over 512 distinct moves: some made by many groups, most by one
    draw = np.random.default_rng(9)
    one_by_one = draw.integers(0, 12, (3000, 2, 3))
    alike = np.tile(np.array([[0, 0, 0], [1, 1, 1]]), (90, 1, 1))
    runs = np.concatenate([one_by_one, alike])
    pair = buckets(runs[:, 0].ravel().tolist(), runs[:, 1].ravel().tolist(), 12)
    groups = np.repeat(np.arange(runs.shape[0]), 3)
    test = swap_test(pair, n_swaps=1500, rng=np.random.default_rng(1), groups=groups)
    a, b = (np.apply_along_axis(np.bincount, 1, runs[:, run], minlength=12) for run in (0, 1))
    swaps = draw.integers(0, 2, (1500, runs.shape[0]))
    by_hand = [
        psi((a + (b - a) * swap[:, None]).sum(axis=0), (b + (a - b) * swap[:, None]).sum(axis=0)).value
        for swap in swaps
    ]
    assert test.draws.mean() == pytest.approx(np.mean(by_hand), rel=0.06)
    assert np.quantile(test.draws, 0.9) == pytest.approx(np.quantile(by_hand, 0.9), rel=0.1)


def test_so_many_coins_that_they_would_not_do_are_fewer_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.swaps._MAX_COINS", 100_000)
    monkeypatch.setattr("gate.stats.swaps._FEW_MOVES", 2)
    draw = np.random.default_rng(9)
    pair = buckets(draw.integers(0, 5, 240).tolist(), draw.integers(0, 5, 240).tolist(), 5)
    groups = np.repeat(np.arange(60), 4)
    fewer = swap_test(pair, n_swaps=9000, rng=np.random.default_rng(1), groups=groups)
    assert 1600 < fewer.draws.size < 2500
    monkeypatch.setattr("gate.stats.swaps._MAX_COINS", 1)
    assert swap_test(pair, n_swaps=9000, rng=np.random.default_rng(1), groups=groups).draws.size == 1000


@pytest.mark.parametrize("groups", [None, [], [3], [3, 3]])
def test_runs_of_hardly_any_items_are_no_drift(groups: list[int] | None) -> None:
    n = 0 if groups is None else len(groups)
    numbers = None if groups is None else np.array(groups, dtype=np.intp)
    test = swap_test(buckets([0] * n, [1] * n, 2), n_swaps=20, rng=np.random.default_rng(0), groups=numbers)
    assert test.p_value == 1.0
    assert np.isfinite(test.draws).all()


def test_an_unchanged_run_of_groups_that_answer_alike_drifts_no_more_often_than_the_test_allows() -> None:
    rng = np.random.default_rng(12)
    groups = np.repeat(np.arange(30), 6)
    p_values = []
    for _ in range(300):
        passages = rng.choice(3, size=(2, 30), p=[0.2, 0.2, 0.6])
        runs = [np.repeat(run, 6) for run in passages]
        pair = buckets(runs[0].tolist(), runs[1].tolist(), 3)
        p_values.append(swap_test(pair, n_swaps=399, rng=rng, groups=groups).p_value)
    for level in (0.025, 0.2):
        assert np.mean(np.array(p_values) <= level) <= level + 4 * math.sqrt(level * (1 - level) / 300)
