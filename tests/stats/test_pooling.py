import itertools
import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from gate.stats.buckets import Buckets, count_buckets, sort_into_buckets
from gate.stats.pooling import RunGroups, pooled_test
from gate.stats.psi import psi


def buckets(baseline: list[int], candidate: list[int], k: int) -> Buckets:
    return Buckets(tuple("abcdefgh"[:k]), np.array(baseline, dtype=np.intp), np.array(candidate, dtype=np.intp))


def all_deals(pair: Buckets, units: list[list[int]], first: int) -> list[float]:
    """The PSI of every way to deal out units, each a list of buckets, of which the baseline has the first ones."""
    k = len(pair.labels)
    values = []
    for chosen in itertools.combinations(range(len(units)), first):
        runs: tuple[list[int], list[int]] = ([], [])
        for unit, items in enumerate(units):
            runs[unit not in chosen].extend(items)
        values.append(psi(*(count_buckets(np.array(run), k) for run in runs)).value)
    return values


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [([2, 2, 1, 0, 2], [1, 0, 0, 1, 0, 2]), ([0, 0, 0, 0], [1, 1, 1, 1, 1, 1]), ([0], [1, 1, 2, 2, 2, 0])],
)
def test_it_agrees_with_all_ways_to_deal_out_the_items(baseline: list[int], candidate: list[int]) -> None:
    n = 20_000
    pair = buckets(baseline, candidate, 3)
    every = np.array(all_deals(pair, [[item] for item in baseline + candidate], len(baseline)))
    test = pooled_test(pair, n_permutations=n, rng=np.random.default_rng(1))
    share = float(np.mean(every >= every[0] - 1e-12))
    assert test.p_value == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)
    assert test.draws.mean() == pytest.approx(every.mean(), abs=4.5 * every.std() / math.sqrt(n) + 1e-12)


def test_groups_are_dealt_out_whole() -> None:
    n = 20_000
    units = [[0, 0, 0], [1, 2], [0, 0], [2, 2, 1], [2], [1, 1, 1], [2, 2]]
    runs = [[item for unit in run for item in unit] for run in (units[:3], units[3:])]
    groups = [np.repeat(range(len(run)), [len(unit) for unit in run]) for run in (units[:3], units[3:])]
    pair, numbers = buckets(runs[0], runs[1], 3), RunGroups(*groups)
    every = np.array(all_deals(pair, units, 3))
    test = pooled_test(pair, n_permutations=n, rng=np.random.default_rng(1), groups=numbers)
    share = float(np.mean(every >= every[0] - 1e-12))
    assert test.p_value == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / n) + 2 / n)
    assert test.draws.mean() == pytest.approx(every.mean(), abs=4.5 * every.std() / math.sqrt(n))


def test_beyond_the_permutations_the_chi_square_test_goes_on() -> None:
    a, b = [300, 500, 200], [150, 400, 250]
    pair = buckets(np.repeat([0, 1, 2], a).tolist(), np.repeat([0, 1, 2], b).tolist(), 3)
    test = pooled_test(pair, n_permutations=1000, rng=np.random.default_rng(1))
    assert test.p_value == pytest.approx(chi2_contingency([a, b], correction=False).pvalue, rel=1e-8)
    assert 0 < test.p_value < 1e-6


def test_two_groups_prove_nothing_however_many_items_they_hold() -> None:
    pair = buckets([0] * 400, [1] * 400, 2)
    groups = RunGroups(np.zeros(400, dtype=np.intp), np.zeros(400, dtype=np.intp))
    assert pooled_test(pair, n_permutations=1000, rng=np.random.default_rng(1), groups=groups).p_value == 1.0


def test_buckets_that_both_runs_leave_empty_change_nothing() -> None:
    a, b = [0] * 30 + [2] * 20, [0] * 8 + [2] * 36
    few, many = (pooled_test(buckets(a, b, k), n_permutations=500, rng=np.random.default_rng(4)) for k in (3, 300))
    assert few.draws.tolist() == many.draws.tolist()
    assert few.p_value == pytest.approx(many.p_value, rel=1e-12)
    assert few.p_value < 1 / 501


def test_the_runs_may_change_places() -> None:
    pair = buckets([0] * 30 + [1] * 20, [0] * 8 + [1] * 16, 2)
    swapped = Buckets(pair.labels, pair.candidate, pair.baseline)
    forth, back = (pooled_test(p, n_permutations=20_000, rng=np.random.default_rng(2)) for p in (pair, swapped))
    assert forth.p_value == pytest.approx(back.p_value, abs=0.02)


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 5), (5, 0), (1, 1), (1, 5)])
@pytest.mark.parametrize("grouped", [False, True])
def test_runs_of_hardly_any_items_are_no_drift(n: int, m: int, *, grouped: bool) -> None:
    pair = sort_into_buckets(np.full(n, math.nan), np.ones(m))
    groups = RunGroups(np.arange(n), np.arange(m)) if grouped else None
    test = pooled_test(pair, n_permutations=50, rng=np.random.default_rng(1), groups=groups)
    assert 0.1 < test.p_value <= 1.0
    assert np.isfinite(test.draws).all()


def test_the_mean_of_unchanged_runs_is_about_the_buckets_less_one_over_the_items() -> None:
    draw = np.random.default_rng(3)
    pair = buckets(draw.integers(0, 5, 500).tolist(), draw.integers(0, 5, 1500).tolist(), 5)
    test = pooled_test(pair, n_permutations=5000, rng=draw)
    assert test.draws.mean() == pytest.approx(4 * (1 / 500 + 1 / 1500), rel=0.06)


def test_at_twenty_items_the_bands_alone_are_often_a_false_alarm() -> None:
    pair = buckets(np.repeat([0, 1, 2], [1, 2, 17]).tolist(), np.repeat([0, 1, 2], [3, 5, 12]).tolist(), 3)
    test = pooled_test(pair, n_permutations=20_000, rng=np.random.default_rng(2))
    assert test.significant_share > 0.2
    assert 0.1 < test.p_value < 0.35


@pytest.mark.parametrize("grouped", [False, True])
def test_an_unchanged_run_drifts_no_more_often_than_the_test_allows(*, grouped: bool) -> None:
    rng = np.random.default_rng(13)
    sizes, repeats = (30, 45), 4 if grouped else 1
    groups = RunGroups(*(np.repeat(np.arange(size), repeats) for size in sizes)) if grouped else None
    p_values = []
    for _ in range(300):
        runs = [np.repeat(rng.choice(3, size=size, p=[0.1, 0.2, 0.7]), repeats) for size in sizes]
        pair = buckets(runs[0].tolist(), runs[1].tolist(), 3)
        p_values.append(pooled_test(pair, n_permutations=399, rng=rng, groups=groups).p_value)
    for level in (0.025, 0.2):
        assert np.mean(np.array(p_values) <= level) <= level + 4 * math.sqrt(level * (1 - level) / 300)
