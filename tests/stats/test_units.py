import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.units import Units, design_effect, gather_units, linearised_variance, units_of_items

SCORES = st.lists(st.integers(0, 4), min_size=2, max_size=40).map(lambda steps: np.array(steps) / 4)


def test_without_groups_every_item_is_a_unit_and_keeps_its_score_to_the_last_bit() -> None:
    units = gather_units(np.array([0.1, 0.3, 0.7]))
    assert units.values.tolist() == [0.1, 0.3, 0.7]
    assert units.sizes.tolist() == [1, 1, 1]
    assert units.even


def test_items_of_a_group_are_summed_up() -> None:
    units = gather_units(np.array([1.0, 0.0, 1.0, 1.0]), groups=np.array([7, 7, 3, 3]))
    assert units.totals.tolist() == [2, 1]
    assert units.sizes.tolist() == [2, 2]
    assert units.values.tolist() == [1, 0.5]


def test_weights_count_an_item_so_many_times() -> None:
    weighted = gather_units(np.array([1.0, 0.0]), weights=np.array([3.0, 1.0]))
    assert weighted.mean == 0.75
    assert not weighted.even


def test_groups_of_unequal_size_weigh_what_their_items_weigh() -> None:
    units = gather_units(np.array([1.0, 1.0, 1.0, 0.0]), groups=np.array([0, 0, 0, 1]))
    assert not units.even
    assert units.mean == 0.75


def test_a_group_keeps_the_stratum_of_its_items_and_strata_are_counted_from_zero() -> None:
    groups, strata = np.repeat(np.arange(30), 2), np.repeat([8, 2, 5], 20)
    units = gather_units(np.ones(60), groups=groups, strata=strata)
    assert units.strata.tolist() == [2] * 10 + [0] * 10 + [1] * 10


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ([20, 12, 9], [0] * 20 + [1] * 12 + [0] * 9),
        ([20, 6, 5], [0] * 20 + [1] * 11),
        ([4, 30, 3, 3], [0] * 4 + [1] * 30 + [0] * 6),
        ([3, 2], [0] * 5),
        ([1], [0]),
    ],
    ids=["a small one with the largest", "small ones together", "three small ones", "all too small", "one item"],
)
def test_small_strata_are_taken_together(sizes: list[int], wanted: list[int]) -> None:
    strata = np.repeat(np.arange(len(sizes)), sizes)
    found = gather_units(np.ones(strata.size), strata=strata).strata.tolist()
    # which number a stratum gets is of no matter
    assert len(set(zip(found, wanted, strict=True))) == len(set(found)) == len(set(wanted))


@given(SCORES)
def test_the_mean_of_single_items_is_their_plain_mean(scores: np.ndarray) -> None:
    assert units_of_items(scores).mean == pytest.approx(scores.mean(), abs=1e-12)


def test_items_that_only_repeat_each_other_have_the_design_effect_of_their_number() -> None:
    passages = np.random.default_rng(1).random(200)
    scores, groups = np.repeat(passages, 5), np.repeat(np.arange(200), 5)
    assert design_effect(scores, gather_units(scores, groups=groups)) == pytest.approx(5, rel=0.02)


def test_independent_items_in_groups_have_a_design_effect_near_one() -> None:
    scores, groups = np.random.default_rng(2).random(20_000), np.repeat(np.arange(4_000), 5)
    assert design_effect(scores, gather_units(scores, groups=groups)) == pytest.approx(1, abs=0.1)


def test_items_on_their_own_have_a_design_effect_of_one_whatever_their_weights() -> None:
    scores, weights = np.array([0.0, 1.0, 1.0, 0.5]), np.array([1.0, 4.0, 2.0, 9.0])
    assert design_effect(scores, gather_units(scores, weights=weights), weights) == 1.0


def test_equal_scores_have_no_variance_and_a_design_effect_of_one() -> None:
    scores = np.full(6, 0.1)
    units = gather_units(scores, groups=np.repeat([0, 1, 2], 2))
    assert design_effect(scores, units) == 1.0


def test_single_items_have_the_usual_variance_of_a_mean() -> None:
    scores = np.random.default_rng(3).random(50)
    assert linearised_variance(units_of_items(scores)) == pytest.approx(scores.var(ddof=1) / 50)


def test_the_variance_of_a_ratio_mean_is_that_of_its_residuals_within_strata() -> None:
    # the mean is 5 / 10: residuals .5 and -.5, 1 and -1, whose variances are .5 and 2; (2 * .5 + 2 * 2) / 10**2
    units = Units(np.array([1.0, 1.0, 2.0, 1.0]), np.array([1.0, 3.0, 2.0, 4.0]), np.array([0, 0, 1, 1]))
    assert linearised_variance(units) == pytest.approx(0.05)


def test_a_unit_alone_in_its_stratum_adds_no_variance() -> None:
    # the mean is 9 / 6: residuals -.5 and -3.5, whose variance is 4.5; 2 * 4.5 / 6**2
    units = Units(np.array([1.0, 1.0, 7.0]), np.array([1.0, 3.0, 2.0]), np.array([0, 0, 1]))
    assert linearised_variance(units) == pytest.approx(0.25)


def test_differences_between_strata_do_not_count() -> None:
    scores, strata = np.repeat([0.0, 1.0], 10), np.repeat([0, 1], 10)
    assert linearised_variance(gather_units(scores, strata=strata)) == pytest.approx(0)
