"""Regression: a drop shown, none beyond the margin shown, or neither."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy.stats import binomtest, fisher_exact

from gate.alignment import Design, MetricPairs
from gate.checks.regression import RegressionOptions, check
from gate.evidence import IntervalEvidence, Part
from gate.results import CheckResult, Status
from gate.scores.model import Direction, ItemStatus, Scale
from gate.stats.paired import pairs_to_show, smallest_detectable_drop
from gate.stats.units import units_of_items

MakePairs = Callable[..., MetricPairs]

RUN_PAIRS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30
)


def compared(pairs: MetricPairs, **options: object) -> CheckResult:
    return check(pairs, RegressionOptions.model_validate(options), np.random.default_rng(0))


@pytest.fixture
def with_changes(make_pairs: MakePairs) -> Callable[..., MetricPairs]:
    """Pass/fail pairs with so many items lost, so many won, and the rest right in both runs."""

    def build(*, losses: int = 0, wins: int = 0, n: int = 100, **fields: object) -> MetricPairs:
        ties = n - losses - wins
        return make_pairs(
            [1.0] * losses + [0.0] * wins + [1.0] * ties, [0.0] * losses + [1.0] * wins + [1.0] * ties, **fields
        )

    return build


def test_a_drop_that_chance_does_not_explain_fails(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(losses=12, wins=2))
    assert (result.status, result.reason) == (Status.FAIL, "regression-shown")
    assert result.sentence == "the candidate is worse: delta -0.100, p = 0.006"
    assert result.detail.endswith("2 wins, 12 losses, 86 ties, n = 100")
    assert result.remedy == "read the items that got worse; mend the candidate"
    assert result.notes == ()


@pytest.mark.parametrize(("losses", "wins"), [(5, 0), (6, 0), (12, 2), (9, 3), (30, 15), (0, 4)])
def test_on_pass_or_fail_scores_the_p_value_is_mcnemars(
    with_changes: Callable[..., MetricPairs], losses: int, wins: int
) -> None:
    result = compared(with_changes(losses=losses, wins=wins))
    assert result.p_value == pytest.approx(binomtest(wins, wins + losses, 0.5, alternative="less").pvalue, rel=1e-9)


def test_the_figures_are_those_of_the_detail(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(losses=12, wins=3), margin=0.5)
    figures = result.figures
    assert result.metric == "score"
    expected = {"delta": -0.09, "margin": 0.5, "wins": 3, "losses": 12, "ties": 85, "n": 100, "units": 100}
    assert {name: figures[name] for name in expected} == expected
    assert figures["p"] == pytest.approx(binomtest(3, 15, 0.5, alternative="less").pvalue)
    assert isinstance(figures["p_at_margin"], float)
    assert compared(with_changes(losses=12, wins=3)).figures["p_at_margin"] is None


def test_the_evidence_on_a_scale_that_does_not_begin_at_zero_is_as_wide_as_the_scale(make_pairs: MakePairs) -> None:
    evidence = compared(make_pairs([1.0, 2.0], [2.0, 1.0], scale=Scale(1.0, 5.0))).evidence
    assert isinstance(evidence, IntervalEvidence)
    assert evidence.axis == (-4.0, 4.0)


def test_an_interval_that_ends_at_the_margin_is_within_it(with_changes: Callable[..., MetricPairs]) -> None:
    low = compared(with_changes(losses=12, wins=2)).figures["exact_low"]
    assert isinstance(low, float)
    assert compared(with_changes(losses=12, wins=2), margin=-low + 1e-9).reason == "no-worse"
    assert compared(with_changes(losses=12, wins=2), margin=-low - 0.005).reason == "regression-shown"


def test_without_a_margin_only_a_shown_drop_fails(with_changes: Callable[..., MetricPairs]) -> None:
    not_shown = compared(with_changes(losses=5))
    assert (not_shown.status, not_shown.reason) == (Status.PASS, "no-regression-shown")
    assert not_shown.p_value == pytest.approx(1 / 32)
    assert compared(with_changes(losses=6)).status is Status.FAIL


def test_a_pass_tells_the_smallest_drop_that_these_pairs_can_show(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(losses=3, wins=3))
    differences = np.array([-1.0] * 3 + [1.0] * 3 + [0.0] * 94)
    drop = smallest_detectable_drop(units_of_items(differences), differences)
    assert drop is not None
    assert result.figures["smallest_detectable_drop"] == pytest.approx(drop, rel=1e-6)
    assert result.sentence == f"no regression shown: delta 0.000; 100 pairs can show a drop of {drop:.3f}"
    assert result.notes == (f"a true drop of {drop:.3f} is shown 80 % of the time by 100 pairs like these",)


def test_an_improvement_passes(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(wins=20))
    assert result.status is Status.PASS
    assert result.sentence.startswith("no regression shown: delta 0.200; ")


def test_the_same_scores_twice_pass(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([1.0, 0.0, 0.5], [1.0, 0.0, 0.5]))
    assert (result.status, result.p_value) == (Status.PASS, 1.0)


def test_no_worse_than_the_margin_passes_even_where_a_drop_is_shown(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(losses=12, wins=2), margin=0.2)
    assert (result.status, result.reason) == (Status.PASS, "no-worse")
    assert result.sentence == "no worse than the margin 0.20: delta -0.100"


def test_a_drop_that_may_exceed_the_margin_fails(with_changes: Callable[..., MetricPairs]) -> None:
    result = compared(with_changes(losses=12, wins=2), margin=0.15)
    assert (result.status, result.reason) == (Status.FAIL, "regression-shown")


@pytest.mark.parametrize(
    ("cannot_tell", "losses", "status"),
    [
        ("note", 3, Status.PASS),
        ("note", 5, Status.WARN),
        ("warn", 3, Status.WARN),
        ("fail", 3, Status.FAIL),
    ],
    ids=["within the margin", "beyond the margin", "asked to warn", "asked to fail"],
)
def test_where_neither_is_shown_the_policy_decides(
    with_changes: Callable[..., MetricPairs], cannot_tell: str, losses: int, status: Status
) -> None:
    result = compared(with_changes(losses=losses), margin=0.04, cannot_tell=cannot_tell)
    assert (result.status, result.reason) == (status, "cannot-tell")
    assert result.sentence == f"cannot tell at this n whether the margin 0.04 holds: delta -0.0{losses}0"
    assert result.remedy == "add items, or widen the margin"


@pytest.mark.parametrize(
    ("margin", "cannot_tell", "status"),
    [
        (None, "note", Status.WARN),
        (None, "fail", Status.WARN),
        (0.11, "note", Status.PASS),
        (0.09, "note", Status.WARN),
        (0.11, "warn", Status.WARN),
        (0.11, "fail", Status.FAIL),
    ],
)
def test_a_shown_drop_that_other_tests_outweigh_becomes_what_is_told_where_nothing_is_shown(
    with_changes: Callable[..., MetricPairs], margin: float | None, cannot_tell: str, status: Status
) -> None:
    result = compared(with_changes(losses=12, wins=2), margin=margin, cannot_tell=cannot_tell)
    assert (result.reason, result.if_not_upheld) == ("regression-shown", status)


def test_how_many_pairs_would_show_the_margin_is_told_where_these_are_too_few(
    with_changes: Callable[..., MetricPairs],
) -> None:
    few = compared(with_changes(losses=3, wins=3), margin=0.04)
    drop = few.figures["smallest_detectable_drop"]
    differences = np.array([-1.0] * 3 + [1.0] * 3 + [0.0] * 94)
    needed = pairs_to_show(0.04, units_of_items(differences), differences)
    assert few.notes == (
        f"a true drop of {drop:.3f} is shown 80 % of the time by 100 pairs like these",
        f"to show a drop of the margin 0.04 as surely takes about {needed} like these",
    )
    enough = compared(with_changes(losses=3, wins=3), margin=0.5)
    assert enough.notes == (f"a true drop of {drop:.3f} is shown 80 % of the time by 100 pairs like these",)
    failed = compared(with_changes(losses=3, wins=3), margin=0.04, cannot_tell="fail")
    assert (failed.status, failed.notes) == (Status.FAIL, ())


def test_as_many_pairs_as_it_takes_are_enough(with_changes: Callable[..., MetricPairs]) -> None:
    differences = np.array([-1.0] * 3 + [1.0] * 3 + [0.0] * 94)
    at = [margin for margin in np.arange(0.05, 0.15, 0.0005).tolist()
          if pairs_to_show(margin, units_of_items(differences), differences) == 100]  # fmt: skip
    assert at
    assert len(compared(with_changes(losses=3, wins=3), margin=at[0]).notes) == 1


def test_a_drop_of_exactly_the_margin_is_within_it(with_changes: Callable[..., MetricPairs]) -> None:
    assert compared(with_changes(losses=3), margin=0.03).status is Status.PASS


def test_a_few_equal_pairs_do_not_prove_that_nothing_changed(make_pairs: MakePairs) -> None:
    few = compared(make_pairs([1.0] * 20, [1.0] * 20), margin=0.1)
    assert (few.status, few.reason) == (Status.PASS, "cannot-tell")
    assert few.figures["low"] == pytest.approx(-(1 - 0.025 ** (1 / 20)))
    many = {str(row): 1.0 for row in range(200)}
    assert compared(make_pairs(many, many), margin=0.1).reason == "no-worse"


def test_the_guard_on_equal_pairs_is_as_wide_as_the_scale(make_pairs: MakePairs) -> None:
    pairs = make_pairs([50.0] * 20, [50.0] * 20, scale=Scale(0.0, 100.0))
    assert compared(pairs, margin=10).figures["low"] == pytest.approx(-100 * (1 - 0.025 ** (1 / 20)))


@pytest.mark.parametrize("drop", [0.0, 0.1234567891])
def test_equal_irregular_drops_are_judged(make_pairs: MakePairs, drop: float) -> None:
    baseline = np.random.default_rng(2).uniform(0.5, 1.0, 12)
    result = compared(make_pairs(baseline.tolist(), (baseline - drop).tolist()))
    assert result.status is (Status.FAIL if drop else Status.PASS)
    assert result.figures["delta"] == pytest.approx(-drop)


def test_where_lower_is_better_a_rise_is_the_drop(with_changes: Callable[..., MetricPairs]) -> None:
    worse = compared(with_changes(wins=12, losses=2, direction=Direction.LOWER))
    assert worse.sentence == "the candidate is worse: delta -0.100, p = 0.006"
    assert worse.detail.endswith("2 wins, 12 losses, 86 ties, n = 100")


def test_where_lower_is_better_what_could_be_shown_is_a_rise(make_pairs: MakePairs) -> None:
    ten = make_pairs([0.0] * 9 + [1.0], [0.0] * 8 + [1.0, 0.0], direction=Direction.LOWER)
    told = compared(ten, margin=0.4)
    drop = told.figures["smallest_detectable_drop"]
    assert compared(ten).sentence == f"no regression shown: delta 0.000; 10 pairs can show a rise of {drop:.3f}"
    assert told.notes[0] == f"a true rise of {drop:.3f} is shown 80 % of the time by 10 pairs like these"
    assert told.notes[1].startswith("to show a rise of the margin 0.40 as surely takes about ")
    few = make_pairs([0.0] * 4, [0.0] * 4, direction=Direction.LOWER)
    assert compared(few).notes == ("4 pairs cannot show any rise",)
    assert compared(in_groups(few, 2)).sentence == "2 groups cannot show any rise: delta 0.000"
    worse = compared(make_pairs([0.0] * 5, [1.0] * 5, direction=Direction.LOWER))
    assert worse.sentence == "so few changes cannot show the rise that is seen: delta -1.000"


def test_items_without_a_score_in_one_run_are_no_pairs(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([1.0, ItemStatus.ERROR, 1.0, 0.5], [1.0, 1.0, ItemStatus.TIMEOUT, 1.0]))
    assert result.figures["n"] == 2


def test_without_a_baseline_it_is_not_run(make_pairs: MakePairs) -> None:
    result = compared(make_pairs(None, [1.0]))
    assert (result.status, result.reason) == (Status.NOT_RUN, "no-baseline")
    assert (result.sentence, result.metric) == ("no baseline to compare with", "score")


def test_no_pair_left_fails(make_pairs: MakePairs) -> None:
    result = compared(make_pairs({"a": ItemStatus.ERROR, "b": 1.0}, {"a": 1.0, "b": ItemStatus.ERROR}))
    assert (result.status, result.reason) == (Status.FAIL, "no-pairs")
    assert result.sentence == "no item has a score in both runs"
    assert result.remedy == "look at the coverage and contamination lines: they say where the items went"
    assert result.metric == "score"


@pytest.mark.parametrize(("margin", "limit", "name"), [(None, 0.0, "no change"), (0.05, -0.05, "margin")])
def test_the_evidence_can_be_drawn_between_the_largest_differences_possible(
    with_changes: Callable[..., MetricPairs], margin: float | None, limit: float, name: str
) -> None:
    evidence = compared(with_changes(losses=3, wins=1), margin=margin).evidence
    assert isinstance(evidence, IntervalEvidence)
    assert (evidence.limit, evidence.limit_name, evidence.axis) == (limit, name, (-1.0, 1.0))
    assert (evidence.value_name, evidence.parts) == ("delta", ())
    assert evidence.exact is not None


@pytest.mark.parametrize(
    "options", [{"margin": 0}, {"margin": -0.1}, {"margin": float("inf")}, {"cannot_tell": "pass"}]
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RegressionOptions.model_validate(options)


@given(pairs=RUN_PAIRS, data=st.data(), margin=st.sampled_from([None, 0.1, 0.3]))
def test_a_worse_score_never_turns_a_fail_into_a_pass(
    make_pairs: MakePairs, pairs: list[tuple[float, float]], data: st.DataObject, margin: float | None
) -> None:
    baseline, candidate = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    row = data.draw(st.integers(0, len(pairs) - 1))
    worse = [*candidate[:row], candidate[row] / 2, *candidate[row + 1 :]]
    if compared(make_pairs(baseline, candidate), margin=margin).status is Status.FAIL:
        assert compared(make_pairs(baseline, worse), margin=margin).status is Status.FAIL


@given(pairs=RUN_PAIRS, margin=st.sampled_from([None, 0.1]))
def test_negated_scores_with_the_direction_turned_give_the_same_result(
    make_pairs: MakePairs, pairs: list[tuple[float, float]], margin: float | None
) -> None:
    baseline, candidate = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    up = compared(make_pairs(baseline, candidate), margin=margin)
    negated = ([-score for score in baseline], [-score for score in candidate])
    down = compared(make_pairs(*negated, direction=Direction.LOWER, scale=Scale(-1.0, 0.0)), margin=margin)
    assert (down.status, down.reason, down.figures, down.evidence) == (up.status, up.reason, up.figures, up.evidence)
    assert [note.replace("rise", "drop") for note in down.notes] == list(up.notes)


@given(pairs=RUN_PAIRS)
def test_an_exchange_of_the_runs_never_shows_a_drop_both_ways(
    make_pairs: MakePairs, pairs: list[tuple[float, float]]
) -> None:
    baseline, candidate = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    forth, back = compared(make_pairs(baseline, candidate)), compared(make_pairs(candidate, baseline))
    assert Status.PASS in (forth.status, back.status)


def test_equal_differences_on_an_unknown_scale_prove_no_margin(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([5.0, 7.0], [5.0, 7.0], scale=None), margin=0.5)
    assert result.reason == "cannot-tell"
    names = ("exact_low", "exact_high", "p_at_margin", "smallest_detectable_drop")
    assert {name: result.figures[name] for name in names} == dict.fromkeys(names)
    assert isinstance(result.evidence, IntervalEvidence)
    assert (result.evidence.axis, result.evidence.exact) == (None, None)
    assert result.notes == ("2 pairs cannot show any drop",)
    assert compared(make_pairs([5.0, 7.0], [5.0, 7.0], scale=None)).sentence == "no regression shown: delta 0.000"


def test_a_drop_of_all_of_so_few_items_that_none_can_be_shown_is_not_green(make_pairs: MakePairs) -> None:
    for pairs in (make_pairs([5.0, 7.0], [4.6, 6.6], scale=None), make_pairs([1.0] * 5, [0.0] * 5)):
        result = compared(pairs)
        assert (result.status, result.reason) == (Status.WARN, "too-few-changes")
    assert result.sentence == "so few changes cannot show the drop that is seen: delta -1.000"
    assert result.remedy == "add items; until then, read the items that got worse"


def test_a_drop_in_so_few_groups_that_it_cannot_be_shown_is_not_green(make_pairs: MakePairs) -> None:
    # forty items of one group turn wrong, one of another turns right, nine groups stay: p is a half at best
    before = [1.0] * 90 + [0.0] * 10
    after = [0.0] * 40 + [1.0] * 51 + [0.0] * 9
    ids = [f"{row:03d}" for row in range(100)]
    pairs = make_pairs(dict(zip(ids, before, strict=True)), dict(zip(ids, after, strict=True)))
    groups = np.array([0] * 90 + [1] + list(range(2, 11)))
    result = compared(replace(pairs, design=Design(groups=groups, group_names=tuple("abcdefghijk"))))
    assert (result.status, result.reason) == (Status.WARN, "too-few-changes")


def test_a_small_drop_in_few_items_is_no_reason_to_warn(with_changes: Callable[..., MetricPairs]) -> None:
    assert compared(with_changes(losses=3)).status is Status.PASS


def in_groups(pairs: MetricPairs, size: int) -> MetricPairs:
    n = len(pairs.ids)
    names = tuple(f"passage {number}" for number in range(n // size))
    return replace(pairs, design=Design(groups=np.arange(n) // size, group_names=names))


def test_items_of_a_group_are_flipped_together(make_pairs: MakePairs) -> None:
    # each of ten passages loses all of its four items or none: six losses, as of six items
    before = {f"{row:02d}": 1.0 for row in range(40)}
    after = {item: float(row >= 24) for row, item in enumerate(before)}
    alone, together = compared(make_pairs(before, after)), compared(in_groups(make_pairs(before, after), 4))
    assert alone.p_value == pytest.approx(2.0**-24)
    assert together.p_value == pytest.approx(2.0**-6)
    assert together.detail.endswith(", 0 wins, 24 losses, 16 ties, n = 40 in 10 groups")
    assert any("design effect" in note for note in compared(in_groups(make_pairs(before, before), 4)).notes)


def test_five_groups_can_show_no_drop_and_that_is_not_green(make_pairs: MakePairs) -> None:
    before, after = {f"{row:02d}": 1.0 for row in range(40)}, {f"{row:02d}": 0.0 for row in range(40)}
    result = compared(in_groups(make_pairs(before, after), 8))
    assert (result.status, result.reason) == (Status.WARN, "too-few-groups")
    assert result.sentence == "5 groups cannot show any drop: delta -1.000"
    assert result.remedy == (
        "add groups; or, where they are mere categories, map the column as `stratum` instead of `group`"
    )


def test_six_groups_can_show_a_drop(make_pairs: MakePairs) -> None:
    # 2**-6 is under 2.5 %, 2**-5 is not
    before, after = {f"{row:02d}": 1.0 for row in range(12)}, {f"{row:02d}": 0.0 for row in range(12)}
    assert compared(in_groups(make_pairs(before, after), 2)).reason == "regression-shown"
    assert compared(in_groups(make_pairs(before, before), 2)).reason == "no-regression-shown"


def test_one_of_each_is_told_as_one(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([1.0, 0.0, 1.0], [0.0, 1.0, 1.0]))
    assert result.detail.endswith("], 1 win, 1 loss, 1 tie, n = 3")


@pytest.mark.parametrize(
    ("noise", "before", "share", "advice"),
    [
        (0.01, 0.03, "12 %", "more items help, more repeats hardly"),
        (0.1, 0.1, "60 %", "more repeats help, and so do more items"),
        (0.01, np.nan, None, ""),
    ],
)
def test_the_noise_of_repeats_of_both_runs_is_told(
    make_pairs: MakePairs, noise: float, before: float, share: str | None, advice: str
) -> None:
    # four differences of 0.5 up and down have a variance of 1/3; the fifth item has no score in the candidate
    pairs = make_pairs([0.5] * 4 + [1.0], [1.0, 0.0, 1.0, 0.0, ItemStatus.ERROR])
    noisy = replace(pairs, noise=np.array([noise] * 4 + [np.nan]), baseline_noise=np.array([before] * 4 + [np.nan]))
    told = [note for note in compared(noisy).notes if "repeats" in note]
    expected = [f"{share} of the doubt is noise between repeats of one item: {advice}"]
    assert told == (expected if share else [])


@pytest.mark.parametrize("groups", [1, 4])
def test_units_too_few_to_show_any_drop_are_not_said_to_show_one(make_pairs: MakePairs, groups: int) -> None:
    # by their spread five such pairs would show a drop of some size; by the test not even five losses of five are one
    before, after = [1.0, 0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0, 1.0]
    ids = [f"{row:02d}" for row in range(5 * groups)]
    pairs = make_pairs(dict(zip(ids, before * groups, strict=True)), dict(zip(ids, after * groups, strict=True)))
    result = compared(pairs if groups == 1 else in_groups(pairs, groups))
    assert result.notes[0] == f"{5 * groups} pairs cannot show any drop"
    assert not [note for note in result.notes if "80 %" in note]
    assert "can show a drop of" not in result.sentence
    assert result.figures["smallest_detectable_drop"] is None


def test_six_pairs_are_enough_to_show_a_drop_and_told_of_which_size(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]))
    drop = result.figures["smallest_detectable_drop"]
    assert result.sentence == f"no regression shown: delta 0.167; 6 pairs can show a drop of {drop:.3f}"


def test_few_items_of_two_runs_are_not_said_to_show_a_drop(make_samples: MakePairs) -> None:
    # of 3 and 3 items the worst order has a chance of 1 in 20
    result = compared(make_samples([1.0, 0.0, 1.0], [1.0, 1.0, 0.0]))
    assert result.sentence == "no regression shown: delta 0.000"
    assert result.notes[0] == "3 and 3 items cannot show any drop"


def test_too_few_pairs_to_show_any_drop_are_told(make_pairs: MakePairs) -> None:
    result = compared(make_pairs([1.0] * 5, [1.0] * 5))
    assert result.status is Status.PASS
    assert result.notes == ("5 pairs cannot show any drop",)
    assert result.sentence == "no regression shown: delta 0.000"
    assert compared(make_pairs([1.0] * 6, [1.0] * 6)).notes == ()
    failed = compared(make_pairs([1.0] * 5, [1.0] * 5), margin=0.1, cannot_tell="fail")
    assert (failed.status, failed.notes) == (Status.FAIL, ())


def test_a_weight_counts_a_loss_so_many_times(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0] * 10 + [0.0] * 10, [0.0] * 10 + [1.0] * 10)
    weighted = replace(pairs, design=Design(weights=np.repeat([3.0, 1.0], 10)))
    result = compared(weighted)
    assert compared(pairs).figures["delta"] == 0
    assert result.figures["delta"] == pytest.approx(-0.5)
    assert isinstance(result.p_value, float)
    assert result.p_value < 0.05


def test_what_changed_is_told_by_stratum_the_worst_first(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0])
    design = Design(strata=np.array([0, 0, 1, 1]), stratum_names=("law", "math"), groups=np.arange(4))
    evidence = compared(replace(pairs, design=design)).evidence
    assert isinstance(evidence, IntervalEvidence)
    assert evidence.parts == (Part("math", 0, 1, 1, -0.5), Part("law", 0, 0, 2, 0.0))


def test_without_strata_what_changed_is_told_by_group(make_pairs: MakePairs) -> None:
    evidence = compared(in_groups(make_pairs([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0]), 2)).evidence
    assert isinstance(evidence, IntervalEvidence)
    assert evidence.parts == (Part("passage 0", 0, 0, 2, 0.0), Part("passage 1", 1, 1, 0, 0.0))


@given(pairs=RUN_PAIRS)
def test_groups_of_one_change_nothing(make_pairs: MakePairs, pairs: list[tuple[float, float]]) -> None:
    plain = make_pairs([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert compared(in_groups(plain, 1)).p_value == pytest.approx(compared(plain).p_value, abs=1e-12)


def test_runs_of_different_items_are_compared_by_fishers_test_on_pass_or_fail(make_samples: MakePairs) -> None:
    result = compared(make_samples([1.0] * 45 + [0.0] * 5, [1.0] * 20 + [0.0] * 20))
    wanted = fisher_exact([[20, 20], [45, 5]], alternative="less").pvalue
    assert result.p_value == pytest.approx(wanted, rel=1e-6)
    assert (result.status, result.reason) == (Status.FAIL, "regression-shown")
    low, high = result.figures["low"], result.figures["high"]
    assert result.detail == f"95 % interval [{low:.3f}, {high:.3f}], n = 50 and 40, not paired"
    assert "wins" not in result.figures
    assert result.notes == ("the runs are of different items, as asked: that shows far less than item by item",)


def test_runs_of_different_items_that_are_alike_pass_and_tell_what_they_could_show(make_samples: MakePairs) -> None:
    result = compared(make_samples([1.0, 0.0] * 30, [1.0, 0.0] * 25))
    assert result.status is Status.PASS
    drop = result.figures["smallest_detectable_drop"]
    assert result.sentence == f"no regression shown: delta 0.000; 60 and 50 items can show a drop of {drop:.3f}"
    assert result.notes == (
        f"a true drop of {drop:.3f} is shown 80 % of the time by 60 and 50 items like these",
        "the runs are of different items, as asked: that shows far less than item by item",
    )
    assert compared(make_samples([1.0] * 3, [1.0] * 3)).notes[0] == "3 and 3 items cannot show any drop"


def test_equal_scores_of_different_items_prove_no_small_margin(make_samples: MakePairs) -> None:
    few, many = (compared(make_samples([1.0] * n, [1.0] * n), margin=0.1) for n in (20, 100))
    assert (few.reason, many.reason) == ("cannot-tell", "no-worse")


def test_where_lower_is_better_a_rise_between_different_items_is_the_drop(make_samples: MakePairs) -> None:
    result = compared(make_samples([0.1] * 30 + [0.2], [0.6] * 30 + [0.7], direction=Direction.LOWER))
    assert result.status is Status.FAIL
    assert result.figures["delta"] == pytest.approx(-0.5)


def test_no_score_left_of_different_items_fails(make_samples: MakePairs) -> None:
    assert compared(make_samples([1.0], [1.0]).without({"b0"})).reason == "no-pairs"
    assert compared(make_samples([1.0], [1.0]).without({"a0"})).reason == "no-pairs"
    assert compared(make_samples([ItemStatus.ERROR] * 2, [1.0])).reason == "no-pairs"
