"""The candidate against the baseline in figures: what the interval is, when a margin holds, what each part lost."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind

from gate.alignment import Design, MetricPairs
from gate.checks.comparison import Comparison, compare, parts_of
from gate.evidence import Part
from gate.scores.model import Direction, ItemStatus, Scale

MakePairs = Callable[..., MetricPairs]

LOST = [1.0] * 12 + [0.0] * 2 + [1.0] * 86, [0.0] * 12 + [1.0] * 2 + [1.0] * 86


def compared(pairs: MetricPairs, margin: float | None = None) -> Comparison:
    found = compare(pairs, margin, np.random.default_rng(0))
    assert found is not None
    return found


# pairs


def test_the_estimate_of_pairs_is_their_mean_difference_at_95_percent_by_the_bootstrap(make_pairs: MakePairs) -> None:
    found = compared(make_pairs(*LOST))
    estimate = found.estimate
    assert estimate.value == pytest.approx(-0.1)
    assert (estimate.confidence_level, estimate.method, estimate.n) == (0.95, "bootstrap", 100)
    # the percentile bootstrap of 100 draws from 12 losses, 2 wins and 86 ties: a normal but for its hundredths
    reach = 1.96 * math.sqrt((0.14 - 0.01) / 100)
    assert [estimate.low, estimate.high] == pytest.approx([-0.1 - reach, -0.1 + reach], abs=0.01)
    assert (found.tally, found.baseline_n, found.lower_is_better) == ((2, 12, 86), None, False)


def test_the_least_p_is_that_of_all_units_falling_and_the_least_seen_of_those_that_moved(make_pairs: MakePairs) -> None:
    found = compared(make_pairs([1.0, 1.0, 0.0, 0.5], [0.5, 1.0, 1.0, 0.5]))
    assert (found.least_p, found.least_p_seen) == (1 / 16, 1 / 4)


def test_the_exact_bound_is_that_of_differences_as_wide_as_the_scale_on_both_sides(make_pairs: MakePairs) -> None:
    # twenty ties: of the mean no more than -1 to 1 is known, and each end is that of 20 equal scores
    found = compared(make_pairs([1.0] * 20, [1.0] * 20, scale=Scale(-1.0, 1.0)), 0.1)
    reach = 2 * (1 - 0.025 ** (1 / 20))
    assert found.exact is not None
    assert [found.exact.low, found.exact.high] == pytest.approx([-reach, reach])
    # a twentieth of the way from 0 to the worst difference possible
    assert found.exact.p == pytest.approx((1 - 0.1 / 2) ** 20)
    assert (found.estimate.low, found.estimate.high, found.estimate.method) == (
        found.exact.low,
        found.exact.high,
        "exact",
    )
    assert not found.no_worse


def test_without_a_margin_the_exact_p_is_that_of_no_change_and_nothing_is_no_worse(make_pairs: MakePairs) -> None:
    found = compared(make_pairs([1.0] * 3 + [0.0] * 97, [0.0] * 3 + [1.0] + [0.0] * 96))
    assert found.exact is not None
    # with the unseen loss four against one: that a Gamma(1) exceeds a Gamma(4) has a chance of 2**-4
    assert found.exact.p == pytest.approx(15 / 16)
    assert not found.no_worse
    assert not compared(make_pairs([0.0] * 20, [1.0] * 20)).no_worse


@pytest.mark.parametrize(("beyond", "no_worse"), [(-1e-6, True), (1e-6, False)])
def test_on_a_scale_the_exact_bound_s_end_at_the_margin_decides(
    make_pairs: MakePairs, beyond: float, no_worse: bool
) -> None:
    exact = compared(make_pairs(*LOST)).exact
    assert exact is not None
    assert compared(make_pairs(*LOST), -exact.low - beyond).no_worse is no_worse


@pytest.mark.parametrize(("beyond", "no_worse"), [(0.0, True), (1e-9, False)])
def test_without_a_scale_the_bootstrap_s_end_at_the_margin_is_within_it(
    make_pairs: MakePairs, beyond: float, no_worse: bool
) -> None:
    low = compared(make_pairs(*LOST, scale=None)).estimate.low
    found = compared(make_pairs(*LOST, scale=None), -low - beyond)
    assert found.exact is None
    assert found.no_worse is no_worse


def test_equal_differences_without_a_scale_have_no_width_and_hold_no_margin(make_pairs: MakePairs) -> None:
    found = compared(make_pairs([5.0, 7.0], [5.5, 7.5], scale=None), 0.5)
    assert (found.estimate.low, found.estimate.high, found.estimate.method) == (0.5, 0.5, "bootstrap")
    assert not found.no_worse


def test_how_many_pairs_show_a_drop_is_asked_of_the_margin_alone(make_pairs: MakePairs) -> None:
    assert compared(make_pairs(*LOST)).needed is None
    found = compared(make_pairs(*LOST), 0.05)
    # as many as bring the smallest detectable drop down to the margin
    noise, drop = 0.13, 0.05
    reach = 1.959964 * math.sqrt(noise + drop) + 0.841621 * math.sqrt(noise + drop - drop**2)
    assert found.needed == pytest.approx((reach / drop) ** 2, rel=0.03)


# too few changes


@pytest.mark.parametrize(("lost", "hides"), [(5, True), (6, False)])
def test_a_drop_is_hidden_where_those_that_changed_are_too_few_to_test_it(
    make_pairs: MakePairs, lost: int, hides: bool
) -> None:
    # 2**-5 is over 2.5 %, 2**-6 is not
    assert compared(make_pairs([1.0] * lost, [0.0] * lost)).hides_a_drop is hides


def test_a_rise_or_no_change_hides_no_drop(make_pairs: MakePairs) -> None:
    assert not compared(make_pairs([0.0] * 5, [1.0] * 5)).hides_a_drop
    assert not compared(make_pairs([1.0] * 5, [1.0] * 5)).hides_a_drop


def test_a_drop_smaller_than_such_pairs_could_show_is_not_hidden(make_pairs: MakePairs) -> None:
    few = compared(make_pairs([1.0] * 5 + [0.0] * 5, [0.0] * 4 + [1.0] * 1 + [0.0] * 5))
    assert few.drop is not None
    assert few.drop > 0.4
    assert not few.hides_a_drop


# words


def test_what_gets_worse_is_called_by_its_side_and_what_is_compared_by_its_number(
    make_pairs: MakePairs, make_samples: MakePairs
) -> None:
    up, down = (compared(make_pairs([1.0], [0.0], direction=way)) for way in (Direction.HIGHER, Direction.LOWER))
    assert (up.loss_word, down.loss_word) == ("drop", "rise")
    assert (up.counted, compared(make_pairs([1.0, 1.0], [0.0, 1.0])).counted) == ("1 pair", "2 pairs")
    assert compared(make_samples([1.0, 0.0], [1.0])).counted == "2 and 1 item"
    assert compared(make_samples([1.0], [1.0, 0.0], direction=Direction.LOWER)).loss_word == "rise"


# parts


def test_parts_are_told_the_largest_loss_first_then_by_name(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 1.0, 0.0, 1.0, 0.5, 0.5], [0.0, 1.0, 1.0, 0.5, 0.5, 0.5])
    design = Design(strata=np.array([2, 1, 0, 3, 4, 4]), stratum_names=("win", "b", "loss", "half", "a", "nothing"))
    assert parts_of(replace(pairs, design=design)) == (
        Part("half", 0, 1, 0, -0.5),
        Part("loss", 0, 1, 0, -1.0),
        Part("a", 0, 0, 2, 0.0),
        Part("b", 0, 0, 1, 0.0),
        Part("win", 1, 0, 0, 1.0),
    )


def test_the_mean_of_a_part_is_weighted_by_its_own_items(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 0.0])
    design = Design(groups=np.array([0, 0, 1, 1]), group_names=("one", "two"), weights=np.array([3.0, 1.0, 4.0, 1.0]))
    assert parts_of(replace(pairs, design=design)) == (Part("one", 0, 1, 1, -0.75), Part("two", 0, 1, 1, -0.2))


def test_only_items_with_a_score_in_both_runs_make_a_part(make_pairs: MakePairs) -> None:
    pairs = make_pairs([ItemStatus.ERROR, 1.0, 1.0], [1.0, 1.0, 0.0])
    design = Design(groups=np.array([0, 1, 1]), group_names=("gone", "kept"))
    assert parts_of(replace(pairs, design=design)) == (Part("kept", 0, 1, 1, -0.5),)


def test_without_groups_or_without_a_baseline_there_are_no_parts(make_pairs: MakePairs) -> None:
    assert parts_of(make_pairs([1.0], [0.0])) == ()
    alone = make_pairs(None, [1.0, 0.0])
    assert parts_of(replace(alone, design=Design(groups=np.array([0, 1]), group_names=("a", "b")))) == ()


# runs of different items


def test_of_different_items_the_interval_is_welch_s_and_those_without_a_score_do_not_count(
    make_samples: MakePairs,
) -> None:
    draw = np.random.default_rng(3)
    before, now = draw.uniform(0, 1, 25), draw.uniform(0, 0.6, 18)
    found = compared(make_samples([*before.tolist(), ItemStatus.ERROR], [*now.tolist(), ItemStatus.TIMEOUT]))
    wanted = ttest_ind(now, before, equal_var=False).confidence_interval(0.95)
    estimate = found.estimate
    assert estimate.value == pytest.approx(now.mean() - before.mean())
    assert [estimate.low, estimate.high] == pytest.approx([wanted.low, wanted.high])
    assert (estimate.confidence_level, estimate.method, estimate.n) == (0.95, "two samples", 18)
    assert (found.baseline_n, found.tally, found.exact, found.needed) == (25, None, None, None)
    assert found.drop is not None
    # t.975 and t.80 of about 40 degrees of freedom, of which the interval's half is the first
    assert found.drop == pytest.approx((wanted.high - wanted.low) / 2 * (2.02 + 0.85) / 2.02, rel=0.01)


def test_of_different_items_the_least_p_is_one_of_all_ways_to_share_them_out(make_samples: MakePairs) -> None:
    found = compared(make_samples([1.0, 1.0, 1.0], [0.0, 0.0]))
    assert found.least_p == found.least_p_seen == 1 / 10
    assert found.p_value == pytest.approx(1 / 10)
    assert found.hides_a_drop


def test_where_all_scores_of_both_runs_are_equal_each_mean_has_its_exact_bound_at_half_the_error(
    make_samples: MakePairs,
) -> None:
    # all right in 20 and in 40: what 1.25 % leave of each
    found = compared(make_samples([1.0] * 20, [1.0] * 40), 0.2)
    assert found.estimate.low == pytest.approx(-(1 - 0.0125 ** (1 / 40)))
    assert found.estimate.high == pytest.approx(1 - 0.0125 ** (1 / 20))
    assert found.no_worse
    down = compared(make_samples([1.0] * 20, [1.0] * 40, direction=Direction.LOWER))
    # all are the worst there is: the candidate can only be better
    assert down.estimate.low == pytest.approx(-(1 - 0.0125 ** (1 / 20)))
    assert down.estimate.high == pytest.approx(1 - 0.0125 ** (1 / 40))


def test_where_a_run_has_no_score_there_is_nothing_to_compare(make_samples: MakePairs, make_pairs: MakePairs) -> None:
    silent: list[float | ItemStatus] = [ItemStatus.ERROR] * 2
    for runs in (make_samples(silent, [1.0]), make_samples([1.0], silent), make_pairs([1.0, 0.0], silent)):
        assert compare(runs, None, np.random.default_rng(0)) is None


def test_the_design_of_different_items_is_that_of_those_with_a_score(make_samples: MakePairs) -> None:
    pairs = make_samples([1.0, 0.0], [1.0, ItemStatus.ERROR, 0.0])
    found = compared(replace(pairs, design=Design(weights=np.array([1.0, 2.0, 3.0]))))
    assert found.design.weights is not None
    assert found.design.weights.tolist() == [1.0, 3.0]
    assert found.estimate.value == pytest.approx(1 / 4 - 1 / 2)


def test_where_no_scale_bounds_them_equal_scores_have_no_width_and_hold_no_margin(make_samples: MakePairs) -> None:
    found = compared(replace(make_samples([0.25] * 20, [1.0] * 20), scale=None), 0.1)
    assert (found.estimate.low, found.estimate.high) == (0.75, 0.75)
    assert not found.no_worse


@pytest.mark.parametrize(("beyond", "no_worse"), [(0.0, True), (1e-9, False)])
def test_of_different_items_the_interval_s_end_at_the_margin_is_within_it(
    make_samples: MakePairs, beyond: float, no_worse: bool
) -> None:
    runs = [1.0, 0.0] * 10, [1.0, 0.0, 0.0, 1.0, 0.0] * 4
    low = compared(make_samples(*runs)).estimate.low
    assert compared(make_samples(*runs), -low - beyond).no_worse is no_worse
    assert not compared(make_samples(*runs)).no_worse
