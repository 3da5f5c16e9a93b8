"""Threshold: the interval's nearer end must clear the bar, and the sentence says on which side it stands."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy.stats import binomtest

from gate.alignment import Design, MetricPairs, align, pair_metric
from gate.checks.threshold import ThresholdOptions, check
from gate.evidence import Estimate, IntervalEvidence
from gate.results import CheckResult, Status
from gate.scores.model import Direction, ItemStatus, Run, Scale

MakePairs = Callable[..., MetricPairs]

RUN_A = [1.0] * 17 + [0.5] * 2 + [0.0]
RUN_B = [1.0] * 12 + [0.5] * 5 + [0.0] * 3
LATTICE_SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=40)


def held_to(pairs: MetricPairs, bar: float | None, **options: object) -> CheckResult:
    return check(pairs, ThresholdOptions.model_validate({"bar": bar, **options}), np.random.default_rng(0))


def test_run_a_of_the_worked_example_clears_the_bar(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, RUN_A), 0.7)
    assert (result.status, result.reason) == (Status.PASS, "clears-bar")
    assert result.sentence == "low 0.775 clears the bar 0.70"
    assert result.detail == (
        "mean 0.900, 95 % interval [0.775, 1.000], p = 0.001 at the bar, exact low 0.701, exact p = 0.024, n = 20"
    )
    assert result.remedy == ""
    assert result.notes == ("the highest bar that 20 items can prove here is 0.70",)


def test_run_b_of_the_worked_example_fails_though_its_mean_clears_the_bar(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, RUN_B), 0.7)
    assert (result.status, result.reason) == (Status.FAIL, "low-under-bar")
    assert result.sentence == "low 0.550 is under the bar 0.70"
    assert result.detail == (
        "mean 0.725, 95 % interval [0.550, 0.875], p = 0.316 at the bar, exact low 0.514, exact p = 0.523, n = 20"
    )
    assert result.notes == (
        "the mean 0.725 alone would clear the bar: not proven at n = 20",
        "the highest bar that 20 items can prove here is 0.51",
    )
    assert result.remedy == "improve the candidate, or add items: 904 more items at this rate would prove it"


def test_the_golden_resampling_probabilities_decide_at_the_interval_s_end(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, [0.0] * 2 + [0.5] * 4 + [1.0] * 14)
    at_the_end, beyond = held_to(pairs, 0.65, guard="off"), held_to(pairs, 0.66)
    assert at_the_end.figures["p_at_bar"] == pytest.approx(0.0204, abs=5e-5)
    assert at_the_end.status is Status.PASS
    assert beyond.figures["p_at_bar"] == pytest.approx(0.0395, abs=5e-5)
    assert beyond.status is Status.FAIL


def test_the_figures_are_those_of_the_sentence(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, RUN_B), 0.7)
    told = {"mean": 0.725, "low": 0.55, "high": 0.875, "bar": 0.7, "n": 20, "units": 20, "all_items_mean": 0.725}
    assert {name: result.figures[name] for name in told} == told
    exact = {"exact_low": 0.514, "p_at_bar": 0.316, "exact_p_at_bar": 0.523}
    assert {name: result.figures[name] for name in exact} == pytest.approx(exact, abs=5e-4)
    assert result.metric == "score"


@pytest.mark.parametrize(("right", "n"), [(17, 20), (20, 20), (3, 7)])
def test_on_pass_or_fail_scores_the_exact_figures_are_clopper_and_pearson_s(
    make_pairs: MakePairs, right: int, n: int
) -> None:
    wanted = binomtest(right, n).proportion_ci(0.9)
    figures = held_to(make_pairs(None, [1.0] * right + [0.0] * (n - right)), 0.4, alpha=0.1).figures
    assert figures["exact_low"] == pytest.approx(wanted.low)
    assert figures["exact_high"] == pytest.approx(wanted.high)
    assert figures["exact_p_at_bar"] == pytest.approx(binomtest(right, n, 0.4, alternative="greater").pvalue)
    # a metric that should be low has the same bounds, and the p of the other side
    low = held_to(make_pairs(None, [1.0] * right + [0.0] * (n - right), direction=Direction.LOWER), 0.6, alpha=0.1)
    assert low.figures["exact_low"] == pytest.approx(wanted.low)
    assert low.figures["exact_high"] == pytest.approx(wanted.high)
    assert low.figures["exact_p_at_bar"] == pytest.approx(binomtest(right, n, 0.6, alternative="less").pvalue)


def test_the_evidence_can_be_drawn_on_the_scale(make_pairs: MakePairs) -> None:
    evidence = held_to(make_pairs(None, RUN_B), 0.7).evidence
    assert isinstance(evidence, IntervalEvidence)
    assert (evidence.limit, evidence.limit_name, evidence.axis) == (0.7, "bar", (0.0, 1.0))
    assert evidence.estimate == Estimate(0.725, 0.55, 0.875, 0.95, "bootstrap", 20)
    assert (evidence.value_name, evidence.parts) == ("mean", ())
    assert evidence.exact is not None
    assert evidence.exact.low == pytest.approx(0.514, abs=5e-4)


def test_where_lower_is_better_the_bar_is_a_ceiling_for_the_high_end(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, [1 - score for score in RUN_B], direction=Direction.LOWER)
    over = held_to(pairs, 0.3)
    assert (over.status, over.reason) == (Status.FAIL, "high-over-bar")
    assert over.sentence == "high 0.450 is over the ceiling 0.30"
    assert over.detail == (
        "mean 0.275, 95 % interval [0.125, 0.450], p = 0.316 at the ceiling, exact high 0.486, exact p = 0.523, n = 20"
    )
    assert over.notes == (
        "the mean 0.275 alone would clear the ceiling: not proven at n = 20",
        "the lowest ceiling that 20 items can prove here is 0.49",
    )
    assert over.remedy.endswith(" more items at this rate would prove it")
    assert held_to(pairs, 0.45, guard="off").sentence == "high 0.450 clears the ceiling 0.45"
    not_proven = held_to(pairs, 0.45)
    assert not_proven.sentence == "high 0.450 clears the ceiling 0.45 by the bootstrap, not proven at n = 20"
    assert held_to(pairs, 0.2).remedy == (
        "improve the candidate: its mean is over the ceiling, so more items would not prove it"
    )
    evidence = over.evidence
    assert isinstance(evidence, IntervalEvidence)
    assert (evidence.limit_name, evidence.axis) == ("ceiling", (0.0, 1.0))
    assert evidence.exact is not None
    assert [evidence.exact.high, evidence.exact.p] == pytest.approx([0.486, 0.523], abs=5e-4)
    assert (evidence.estimate.low, evidence.estimate.high) == (0.125, 0.45)


def test_a_ceiling_at_the_end_of_the_scale_can_never_be_proven(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, [0.0] * 80, direction=Direction.LOWER), 0.0)
    assert result.remedy == "move the ceiling: at the end of the scale no number of items can prove it"
    # zero turned twice is zero, not minus zero, which JSON would tell
    for name in ("mean", "low", "high", "exact_low"):
        assert str(result.figures[name]) == "0.0"
    # the other end is no such end
    assert held_to(make_pairs(None, [0.0] * 9 + [1.0], direction=Direction.LOWER), 1.0).status is Status.PASS
    assert held_to(make_pairs(None, [1.0] * 9 + [0.0]), 0.0).status is Status.PASS


def test_a_mean_at_the_bar_does_not_clear_it_by_more_items(make_pairs: MakePairs) -> None:
    for direction, side in ((Direction.HIGHER, "bar"), (Direction.LOWER, "ceiling")):
        result = held_to(make_pairs(None, [1.0, 0.0] * 10, direction=direction), 0.5)
        assert result.notes[0] == f"the mean 0.500 alone would clear the {side}: not proven at n = 20"
        assert result.remedy == "improve the candidate, or add items: 20 items leave this much doubt"


def test_one_item_more_is_told_as_one(make_pairs: MakePairs) -> None:
    # 35 right of 35 prove 0.025 ** (1 / 35) = 0.8999, and 36 prove 0.9026
    result = held_to(make_pairs(None, [1.0] * 35), 0.9)
    assert result.remedy == "improve the candidate, or add items: 1 more item at this rate would prove it"
    groups = replace(make_pairs(None, [1.0] * 70), design=Design(groups=np.repeat(np.arange(35), 2)))
    grouped = held_to(groups, 0.9)
    assert grouped.remedy == "improve the candidate, or add items: 1 more group at this rate would prove it"


def test_without_a_scale_nobody_knows_how_many_items_would_prove_it(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, [1.0, 2.0, 9.0], scale=None), 3)
    assert result.status is Status.FAIL
    assert result.remedy == "improve the candidate, or add items: 3 items leave this much doubt"
    assert result.notes == ("the mean 4.000 alone would clear the bar: not proven at n = 3",)
    assert result.detail.endswith(" at the bar, n = 3")
    assert {name: result.figures[name] for name in ("exact_low", "exact_high", "exact_p_at_bar")} == {
        "exact_low": None, "exact_high": None, "exact_p_at_bar": None,
    }  # fmt: skip
    assert isinstance(result.evidence, IntervalEvidence)
    assert (result.evidence.axis, result.evidence.exact) == (None, None)


def test_a_mean_equal_to_the_bar_on_paper_clears_it_whatever_floats_say(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, dict.fromkeys(map(str, range(198)), 0.2))
    result = held_to(pairs, 0.2, guard="off")
    assert result.status is Status.PASS
    assert result.sentence == "low 0.200 clears the bar 0.20"


def test_a_low_end_just_under_the_bar_does_not_look_like_the_bar(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, [0.69996] * 5), 0.7)
    assert result.sentence == "low 0.69996 is under the bar 0.70"


def test_twenty_right_of_twenty_are_sure_to_the_bootstrap_and_prove_no_more_than_0_83(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, [1.0] * 20), 0.9)
    assert (result.status, result.reason) == (Status.WARN, "not-proven")
    assert result.sentence == "low 1.000 clears the bar 0.90 by the bootstrap, not proven at n = 20"
    assert result.figures["exact_low"] == pytest.approx(0.8316, abs=5e-5)
    assert result.remedy == "improve the candidate, or add items: 16 more items at this rate would prove it"
    assert held_to(make_pairs(None, [1.0] * 36), 0.9).status is Status.PASS


@pytest.mark.parametrize(("guard", "status"), [("warn", Status.WARN), ("fail", Status.FAIL), ("off", Status.PASS)])
def test_the_guard_says_what_a_bar_is_worth_that_only_the_bootstrap_clears(
    make_pairs: MakePairs, guard: str, status: Status
) -> None:
    result = held_to(make_pairs(None, [1.0] * 20), 0.9, guard=guard)
    assert result.status is status
    told = {Status.FAIL: ("the mean 1.000 alone would clear the bar: not proven at n = 20",)}
    assert result.notes == (*told.get(status, ()), "the highest bar that 20 items can prove here is 0.83")


def test_the_guard_has_nothing_to_say_where_the_bootstrap_fails(make_pairs: MakePairs) -> None:
    assert held_to(make_pairs(None, RUN_B), 0.7, guard="off").status is Status.FAIL


def test_the_exact_bound_may_be_in_charge(make_pairs: MakePairs) -> None:
    clears, fails = (held_to(make_pairs(None, RUN_A), bar, method="exact") for bar in (0.7, 0.71))
    assert (clears.status, clears.reason) == (Status.PASS, "clears-bar")
    assert clears.sentence == "low 0.701 clears the bar 0.70"
    assert clears.detail == "mean 0.900, 95 % exact interval [0.701, 0.980], p = 0.024 at the bar, n = 20"
    assert (fails.status, fails.reason) == (Status.FAIL, "low-under-bar")
    assert isinstance(clears.evidence, IntervalEvidence)
    assert clears.evidence.estimate.method == "exact"


def test_a_mean_under_the_bar_is_not_proven_by_more_items(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, RUN_B), 0.8)
    assert result.remedy == "improve the candidate: its mean is under the bar, so more items would not prove it"


def test_without_a_scale_there_is_no_exact_bound_and_equal_scores_are_told_to_prove_little(
    make_pairs: MakePairs,
) -> None:
    result = held_to(make_pairs(None, [7.0] * 20, scale=None), 5)
    assert (result.status, result.figures["exact_low"]) == (Status.PASS, None)
    assert result.notes == ("every score is the same: the bootstrap sees no spread and cannot doubt it",)
    assert result.sentence == "low 7.000 clears the bar 5.00"


def test_what_can_be_proven_is_said_in_hundredths_of_the_scale(make_pairs: MakePairs) -> None:
    scores = [100 * score for score in RUN_A]
    result = held_to(make_pairs(None, scores, scale=Scale(0.0, 100.0)), 70)
    assert "the highest bar that 20 items can prove here is 70" in result.notes


@pytest.mark.parametrize(
    ("width", "told"),
    [(0.1, "0.070"), (5.0, "3.50"), (10.0, "7.0"), (1000.0, "701.466"), (1e-10, "0.000000000070"), (1e-11, "0.000")],
)
def test_what_can_be_proven_has_as_many_digits_as_the_scale_gives_hundredths(
    make_pairs: MakePairs, width: float, told: str
) -> None:
    # of a scale from 0 to 1 these scores prove 0.701466; where no digits would do, figures are told as ever
    assert held_to(make_pairs(None, RUN_A), 0.1).figures["exact_low"] == pytest.approx(0.701466, abs=5e-7)
    result = held_to(make_pairs(None, [width * score for score in RUN_A], scale=Scale(0.0, width)), 0.1 * width)
    assert result.notes[-1] == f"the highest bar that 20 items can prove here is {told}"


def test_what_can_be_proven_is_rounded_to_the_safe_side_from_a_scale_that_does_not_begin_at_zero(
    make_pairs: MakePairs,
) -> None:
    shifted = [score - 1 for score in RUN_A]
    high = held_to(make_pairs(None, shifted, scale=Scale(-1.0, 0.0)), -0.5)
    assert high.notes == ("the highest bar that 20 items can prove here is -0.30",)
    low = held_to(make_pairs(None, [-score for score in shifted], direction=Direction.LOWER), 0.5)
    assert low.notes == ("the lowest ceiling that 20 items can prove here is 0.30",)
    one = held_to(make_pairs(None, [1.0]), 0.01)
    assert one.notes == ("the highest bar that 1 item can prove here is 0.02",)


def test_items_in_groups_prove_what_their_groups_prove(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, [1.0, 1.0, 1.0, 0.5] * 10)
    grouped = replace(pairs, design=Design(groups=np.repeat(np.arange(10), 4)))
    alone = held_to(replace(pairs, own=np.repeat(0.875, 40)), 0.5)
    result = held_to(grouped, 0.5)
    assert result.detail.endswith("n = 40 in 10 groups")
    assert result.figures["exact_low"] == pytest.approx(0.875 * 0.025 ** (1 / 10), abs=1e-6)
    assert isinstance(alone.figures["exact_low"], float)
    assert result.figures["units"] == 10


def test_a_group_of_items_that_agree_counts_as_one(make_pairs: MakePairs) -> None:
    scores = [float(row // 5 % 4 > 0) for row in range(100)]
    pairs = make_pairs(None, {f"{row:03d}": score for row, score in enumerate(scores)})
    grouped = replace(pairs, design=Design(groups=np.repeat(np.arange(20), 5)))
    alone, together = held_to(pairs, 0.6), held_to(grouped, 0.6)
    assert (alone.status, together.status) == (Status.PASS, Status.FAIL)
    note = next(note for note in together.notes if "design effect" in note)
    assert note.startswith("100 items in 20 groups that vary as one: design effect 5.2")
    assert together.remedy.endswith("more groups at this rate would prove it")


def test_weights_move_the_mean(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, [1.0, 0.0] * 20)
    weighted = replace(pairs, design=Design(weights=np.tile([3.0, 1.0], 20)))
    result = held_to(weighted, 0.5)
    assert result.figures["mean"] == 0.75
    assert result.notes[-1] == "items count by their weights"


def test_strata_take_what_lies_between_them_out_of_the_doubt(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, {f"{row:03d}": float((row < 50) != (row % 10 == 0)) for row in range(100)})
    plain, layered = held_to(pairs, 0.3), held_to(replace(pairs, design=Design(strata=np.repeat([0, 1], 50))), 0.3)
    assert (plain.figures["low"], layered.figures["low"]) == (0.4, 0.44)
    assert "resampled within 2 strata" in layered.notes


def test_groups_of_one_mean_whose_items_differ_are_not_certain(make_pairs: MakePairs) -> None:
    # every group has 18 right of 25: no resampling of groups can doubt the mean of 0.72
    pairs = make_pairs(None, {f"{row:04d}": float(row % 25 < 18) for row in range(1000)})
    result = held_to(replace(pairs, design=Design(groups=np.arange(1000) // 25)), 0.7)
    assert result.status is Status.FAIL
    assert "exact interval" in result.detail
    assert held_to(make_pairs(None, [1.0] * 20), 0.7).detail.startswith("mean 1.000, 95 % interval [1.000, 1.000]")
    unknown = held_to(replace(pairs, design=Design(groups=np.arange(1000) // 25), scale=None), 0.7)
    assert unknown.detail.startswith("mean 0.720, 95 % interval [0.720, 0.720]")


def test_a_bar_at_the_end_of_the_scale_can_never_be_proven_and_that_is_said(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, [1.0] * 80), 1.0)
    assert result.status is Status.WARN
    assert result.remedy == "move the bar: at the end of the scale no number of items can prove it"


def test_the_confidence_is_told_in_as_many_digits_as_it_has(make_pairs: MakePairs) -> None:
    assert "99.99 % interval" in held_to(make_pairs(None, RUN_A), 0.3, alpha=0.0001).detail


def test_repeats_that_disagree_are_told_to_be_what_is_lacking(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, [0.5, 0.4, 0.6, 0.5])
    noisy = held_to(replace(pairs, noise=np.full(4, 0.005)), 0.1)
    steady = held_to(replace(pairs, noise=np.full(4, 0.0005)), 0.1)
    assert any("more repeats help" in note for note in noisy.notes)
    assert any("more items help, more repeats hardly" in note for note in steady.notes)
    assert not any("repeats" in note for note in held_to(pairs, 0.1).notes)


@pytest.mark.parametrize("score", [0.1234567891, 1 / 3, 0.5 + 2**-40])
def test_one_irregular_score_alone_is_judged(make_pairs: MakePairs, score: float) -> None:
    result = held_to(make_pairs(None, [score]), 0.1, guard="off")
    assert result.status is Status.PASS
    assert result.figures["low"] == pytest.approx(score, rel=1e-12)


def test_irregular_scores_are_judged(make_pairs: MakePairs) -> None:
    scores = np.random.default_rng(1).beta(8, 2, 200)
    result = held_to(make_pairs(None, {str(row): score for row, score in enumerate(scores.tolist())}), 0.7)
    deviation = scores.std() / np.sqrt(200)
    assert result.figures["low"] == pytest.approx(scores.mean() - 1.96 * deviation, abs=0.1 * deviation)


def test_a_chance_of_just_half_the_error_to_be_under_the_bar_clears_it(make_pairs: MakePairs) -> None:
    # of two right and two wrong one resample in sixteen has nothing right, and a mean under a quarter
    result = held_to(make_pairs(None, [1.0, 1.0, 0.0, 0.0]), 0.25, alpha=0.125, guard="off")
    assert (result.status, result.figures["p_at_bar"], result.figures["low"]) == (Status.PASS, 0.0625, 0.25)
    assert held_to(make_pairs(None, [1.0, 1.0, 0.0, 0.0]), 0.25, alpha=0.12, guard="off").status is Status.FAIL


def test_alpha_widens_or_narrows_the_interval(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, RUN_A)
    wide = held_to(pairs, 0.7, alpha=0.01)
    assert "99 % interval" in wide.detail
    assert wide.figures["low"] == 0.725
    assert held_to(pairs, 0.7, alpha=0.5).figures["low"] == 0.875


def test_resampling_gives_the_same_interval_and_repeats_itself(make_pairs: MakePairs) -> None:
    first, second = (held_to(make_pairs(None, RUN_B), 0.7, method="resample") for _ in range(2))
    assert first == second
    assert (first.figures["low"], first.figures["high"]) == (0.55, 0.875)
    assert isinstance(first.evidence, IntervalEvidence)
    assert first.evidence.estimate.method == "resample"
    # one draw of a hundred is 0.01 of them, which ten thousand are not held to
    few = held_to(make_pairs(None, RUN_B), 0.7, method="resample", n_resamples=100)
    assert round(100 * float(few.figures["p_at_bar"] or 0), 9) % 1 == 0
    assert round(100 * float(first.figures["p_at_bar"] or 0), 9) % 1 != 0


def test_without_a_bar_nothing_is_checked_and_the_mean_is_told(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, RUN_B), None)
    assert (result.status, result.reason, result.sentence) == (Status.NOT_RUN, "no-bar", "no bar checked")
    assert result.detail == "mean 0.725, n = 20"
    assert (result.figures, result.metric, result.remedy) == ({"mean": 0.725, "n": 20}, "score", "")


def test_no_score_left_fails(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, {"a": 1.0}).without({"a"}), 0.7)
    assert (result.status, result.reason) == (Status.FAIL, "no-scores")
    assert result.sentence == "no scored item is left to hold against the bar"
    assert result.remedy == "look at the coverage and contamination lines: they say where the items went"
    assert result.metric == "score"


def test_no_score_left_and_no_bar_is_still_not_run(make_pairs: MakePairs) -> None:
    result = held_to(make_pairs(None, {"a": 1.0}).without({"a"}), None)
    assert (result.status, result.detail, result.figures) == (Status.NOT_RUN, "", {"mean": None, "n": 0})


def test_with_a_baseline_the_common_items_are_judged_and_the_mean_over_all_stands_beside(
    make_pairs: MakePairs,
) -> None:
    result = held_to(
        make_pairs({"a": 1.0, "b": 1.0, "gone": 0.0}, {"a": 1.0, "b": 1.0, "new": 0.0, "n2": ItemStatus.ERROR}),
        0.7,
        guard="off",
    )
    assert result.status is Status.PASS
    assert result.figures["mean"] == 1.0
    assert result.figures["n"] == 2
    assert result.figures["all_items_mean"] == pytest.approx(2 / 3)
    told = "over all items, the new ones included, the mean is 0.667"
    assert result.notes == ("the highest bar that 2 items can prove here is 0.15", told)
    weighted = replace(make_pairs({"a": 1.0}, {"a": 1.0, "new": 0.0}), design=Design(weights=np.array([2.0])))
    assert not any("new ones" in note for note in held_to(weighted, 0.01).notes)


def test_an_item_that_changed_is_not_judged(make_run: Callable[..., Run]) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"))
    alignment = align(baseline, make_run([1.0, 0.0], content_digests=("x", "other")))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=Scale(0.0, 1.0))
    assert held_to(pairs, 0.7).figures["n"] == 1


@pytest.mark.parametrize(
    "options",
    [
        {"bar": float("nan")},
        {"bar": float("inf")},
        {"alpha": 0},
        {"alpha": 1},
        {"method": "t"},
        {"n_resamples": 0},
        {"bars": 1},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ThresholdOptions.model_validate(options)


@given(scores=LATTICE_SCORES, bar=st.sampled_from([0.2, 0.25, 0.5, 0.7, 0.75, 0.9]))
def test_the_status_the_sentence_and_the_interval_agree(make_pairs: MakePairs, scores: list[float], bar: float) -> None:
    result = held_to(make_pairs(None, scores), bar)
    low, exact_low = result.figures["low"], result.figures["exact_low"]
    assert isinstance(low, float)
    assert isinstance(exact_low, float)
    assert (result.status is Status.FAIL) == (low < bar)
    assert (result.status is Status.PASS) == (low >= bar and exact_low >= bar)
    assert ("clears" in result.sentence) == (result.status is not Status.FAIL)


@given(scores=LATTICE_SCORES, bar=st.sampled_from([0.25, 0.5, 0.7, 0.9]), data=st.data())
def test_a_worse_score_never_turns_a_fail_into_a_pass(
    make_pairs: MakePairs, scores: list[float], bar: float, data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(scores) - 1))
    worse = [*scores[:row], scores[row] * data.draw(st.sampled_from([0.0, 0.25, 0.5])), *scores[row + 1 :]]
    if held_to(make_pairs(None, scores), bar).status is Status.FAIL:
        assert held_to(make_pairs(None, worse), bar).status is Status.FAIL


@given(scores=LATTICE_SCORES, bar=st.sampled_from([0.0, 0.25, 0.5, 0.7, 0.9]))
def test_negated_scores_with_the_direction_turned_give_the_mirror_image(
    make_pairs: MakePairs, scores: list[float], bar: float
) -> None:
    up = held_to(make_pairs(None, scores), bar)
    negated = [-score for score in scores]
    down = held_to(make_pairs(None, negated, direction=Direction.LOWER, scale=Scale(-1.0, 0.0)), -bar)
    assert down.status is up.status
    assert down.figures["p_at_bar"] == pytest.approx(up.figures["p_at_bar"], abs=1e-12)
    for end, other in (("mean", "mean"), ("low", "high"), ("high", "low")):
        assert down.figures[end] == -up.figures[other]  # type: ignore[operator]  # these figures are numbers
