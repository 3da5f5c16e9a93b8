import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, norm

from gate.stats.dirichlet import exact_p
from gate.stats.paired import smallest_detectable_drop
from gate.stats.power import LEAST_PAIRS, MOST_ITEMS, MeanDrops, items_for_bar, items_for_effect, items_for_shift
from gate.stats.units import units_of_items

SPREADS = st.floats(0.01, 10)
POWERS = st.floats(0.1, 0.99)


# any scores


@pytest.mark.parametrize(("sd", "drop", "n"), [(0.4, 0.05, 200), (1.0, 0.1, 1000), (25.0, 5.0, 50)])
def test_the_chance_is_that_of_a_simulated_z_test(sd: float, drop: float, n: int) -> None:
    means = np.random.default_rng(3).normal(-drop, sd / math.sqrt(n), size=100_000)
    caught = float(np.mean(means < -1.959964 * sd / math.sqrt(n)))
    assert MeanDrops(sd).chance(drop, n) == pytest.approx(caught, abs=0.007)


@given(SPREADS, st.floats(0.01, 1), POWERS)
def test_the_items_needed_are_the_first_that_suffice(sd: float, drop: float, power: float) -> None:
    drops = MeanDrops(sd)
    needed = drops.items(drop, power)
    assert needed is not None
    assert drops.chance(drop, needed) >= power - 1e-9
    assert needed == LEAST_PAIRS or drops.chance(drop, needed - 1) < power + 1e-9


@given(SPREADS, st.integers(LEAST_PAIRS, 100_000), POWERS)
def test_the_smallest_drop_is_caught_with_the_power(sd: float, n: int, power: float) -> None:
    smallest = MeanDrops(sd).smallest(n, power)
    assert smallest is not None
    assert MeanDrops(sd).chance(smallest, n) == pytest.approx(power, abs=1e-9)


@given(SPREADS, st.integers(2, 10_000), st.integers(0, 1000))
def test_more_items_never_need_a_larger_drop(sd: float, n: int, more: int) -> None:
    fewer, many = MeanDrops(sd).smallest(n, 0.8), MeanDrops(sd).smallest(n + more, 0.8)
    assert fewer is None or (many is not None and many <= fewer)


def test_the_smallest_drop_is_the_one_that_the_regression_check_tells() -> None:
    differences = np.random.default_rng(5).normal(0, 0.3, size=150)
    told = smallest_detectable_drop(units_of_items(differences), differences)
    # the check counts the noise of the items that fall, too
    assert MeanDrops(float(differences.std(ddof=1))).smallest(150, 0.8) == pytest.approx(told, rel=0.15)


def test_a_drop_beyond_the_scale_is_none() -> None:
    assert MeanDrops(0.5, largest=0.1).smallest(20, 0.8) is None
    assert MeanDrops(0.5, largest=0.1).smallest(2000, 0.8) == pytest.approx(2.8016 * 0.5 / math.sqrt(2000), rel=1e-4)


def test_a_drop_of_all_that_the_scale_leaves_room_for_is_one() -> None:
    drop = MeanDrops(0.5).smallest(100, 0.8)
    assert drop is not None
    assert MeanDrops(0.5, largest=drop).smallest(100, 0.8) == drop


def test_fewer_than_six_pairs_show_nothing() -> None:
    assert (MeanDrops(0.01).chance(1.0, 5), MeanDrops(0.01).smallest(5, 0.8)) == (0.0, None)
    assert MeanDrops(0.01).items(1.0, 0.8) == 6


def test_an_endless_effect_takes_two_items_for_a_spread() -> None:
    assert items_for_effect(math.inf, 0.8) == 2


@pytest.mark.parametrize("effect", [0.0, 1e-320, 1e-5])
def test_an_effect_too_small_for_any_eval_has_no_number_of_items(effect: float) -> None:
    assert items_for_effect(effect, 0.8) is None


# a margin


@pytest.mark.parametrize(("rho", "items"), [(0.0, 1005), (0.5, 503), (0.7, 302)])
def test_the_published_items_for_a_margin_of_five_points(rho: float, items: int) -> None:
    sd = math.sqrt(2 * 0.8 * 0.2 * (1 - rho))
    assert items_for_shift(0.05, sd=sd, room=1.0, power=0.8) == items


@given(st.floats(0.01, 0.9), POWERS)
def test_runs_that_never_differ_need_the_items_of_the_exact_bound(margin: float, power: float) -> None:
    items = items_for_shift(margin, sd=0.0, room=1.0, power=power)
    assert items is not None
    assert exact_p(units_of_items(np.zeros(items)), -margin, lowest=-1.0) <= 0.025 + 1e-12
    assert items == 2 or exact_p(units_of_items(np.zeros(items - 1)), -margin, lowest=-1.0) > 0.025 - 1e-12


def test_the_exact_bound_of_equal_values_counts_the_margin_as_a_share_of_the_room() -> None:
    # 0.95 ** 72 = 0.0249, and 0.95 ** 71 = 0.0262
    assert items_for_shift(0.1, sd=0.0, room=2.0, power=0.8) == 72


def test_a_margin_of_all_the_room_needs_no_more_than_a_spread_does() -> None:
    assert items_for_shift(1.0, sd=0.0, room=1.0, power=0.8) == 2


def test_without_a_scale_only_the_spread_counts() -> None:
    assert items_for_shift(5.0, sd=0.0, room=math.inf, power=0.8) == 2
    wanted = math.ceil(((norm.ppf(0.975) + norm.ppf(0.9)) * 30 / 5) ** 2)
    assert items_for_shift(5.0, sd=30.0, room=math.inf, power=0.9) == wanted


def test_a_margin_too_small_for_any_eval_has_no_number_of_items() -> None:
    assert items_for_shift(1e-12, sd=0.0, room=1.0, power=0.8) is None
    assert items_for_shift(1e-20, sd=0.0, room=1.0, power=0.8) is None
    assert items_for_shift(1e-12, sd=1.0, room=math.inf, power=0.8) is None


# a bar


@pytest.mark.parametrize(("bar", "items"), [(0.8, 17), (0.9, 36), (0.95, 72), (0.98, 183), (0.99, 368)])
def test_the_published_perfect_scores_that_prove_a_bar(bar: float, items: int) -> None:
    assert items_for_bar(1.0, bar, 0.8) == items
    assert beta.ppf(0.025, items, 1) >= bar > beta.ppf(0.025, items - 1, 1)


@pytest.mark.parametrize(
    ("p", "bar", "power"),
    [(0.9, 0.8, 0.8), (0.8, 0.7, 0.9), (0.99, 0.9, 0.5), (0.3, 0.1, 0.8), (0.9, 0.02, 0.8)],
)
def test_the_items_for_a_bar_are_the_first_whose_exact_bound_clears_it_often_enough(
    p: float, bar: float, power: float
) -> None:
    def chance(n: int) -> float:
        passed = np.arange(1, n + 1)
        clears = beta.ppf(0.025, passed, n - passed + 1) >= bar
        return float(binom.pmf(passed[clears], n, p).sum())

    wanted = next(n for n in range(1, 2000) if chance(n) >= power)
    assert items_for_bar(p, bar, power) == wanted


def test_thousands_of_items_for_a_bar_are_still_the_first_that_suffice() -> None:
    found = items_for_bar(0.8, 0.783, 0.8)
    assert found is not None
    assert found > 4096
    n = np.arange(found - 500, found + 1)
    chances = binom.sf(binom.ppf(0.975, n, 0.783), n, 0.8)
    assert np.flatnonzero(chances >= 0.8).tolist() == [500]


def test_many_items_for_a_bar_are_by_the_normal_approximation() -> None:
    wanted = math.ceil(((norm.ppf(0.975) + norm.ppf(0.8)) * 0.4 / 0.002) ** 2)
    assert items_for_bar(0.8, 0.798, 0.8) == wanted


@pytest.mark.parametrize(("p", "bar"), [(0.8, 0.8), (0.7, 0.8)])
def test_a_bar_that_the_mean_is_not_over_is_proven_by_no_number(p: float, bar: float) -> None:
    assert items_for_bar(p, bar, 0.8) is None


def test_a_bar_next_to_the_mean_has_no_number_of_items() -> None:
    assert items_for_bar(0.8, 0.8 - 1e-7, 0.8) is None
    assert items_for_bar(1.0, 1 - 1e-12, 0.8) is None
    assert (items_for_bar(1.0, 1 - 1e-8, 0.8) or 0) <= MOST_ITEMS
