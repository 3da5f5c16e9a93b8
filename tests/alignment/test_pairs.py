"""One metric's scores side by side: differences, what is missing, and what the worst case is."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.alignment import MetricPairs, align, align_alone, pair_metric
from gate.scores.model import Direction, ItemStatus, Run, Scale
from tests.alignment.conftest import MakeRun, with_repeats

MakePairs = Callable[..., MetricPairs]


def paired(baseline: Run | None, candidate: Run, direction: Direction = Direction.HIGHER) -> MetricPairs:
    alignment = align_alone(candidate) if baseline is None else align(baseline, candidate)
    return pair_metric(alignment, "score", direction=direction, scale=Scale(0.0, 1.0))


@pytest.mark.parametrize("status", [status for status in ItemStatus if status is not ItemStatus.SCORED])
def test_why_a_score_is_missing_is_kept(make_pairs: MakePairs, status: ItemStatus) -> None:
    pairs = make_pairs([1.0, 1.0], [1.0, status])
    assert pairs.status.tolist() == ["scored", status.name.lower()]
    assert pairs.missing.tolist() == [False, True]
    assert pairs.candidate_scores().tolist() == [1.0]


def test_an_item_that_the_baseline_never_scored_is_not_missing_and_still_lacks_a_score(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, ItemStatus.UNSCORED], [1.0, ItemStatus.UNSCORED])
    assert not pairs.missing.any()
    assert pairs.lacking.tolist() == [False, True]


@pytest.mark.parametrize("candidate", [{"a": 1.0, "b": ItemStatus.ERROR}, {"a": 1.0}], ids=["unscored", "lost"])
def test_an_item_unscored_in_both_runs_is_the_worst_for_the_candidate_alone(
    make_pairs: MakePairs, candidate: dict[str, float | ItemStatus]
) -> None:
    pairs = make_pairs({"a": 1.0, "b": ItemStatus.ERROR}, candidate)
    assert pairs.candidate_scores().tolist() == [1.0]
    worst = pairs.with_worst_for_missing()
    assert worst.candidate_scores().tolist() == [1.0, 0.0]
    assert np.isnan(worst.candidate[1])
    assert worst.differences().tolist() == [0.0]
    assert worst.common.tolist() == pairs.common.tolist()


def test_differences_are_candidate_minus_baseline_over_items_scored_in_both(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 0.0, ItemStatus.ERROR, 1.0], [0.5, 1.0, 1.0, ItemStatus.ERROR])
    assert pairs.differences().tolist() == [-0.5, 1.0]


def test_where_lower_is_better_a_rise_is_a_negative_difference(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 0.0], [0.5, 1.0], direction=Direction.LOWER)
    assert pairs.differences().tolist() == [0.5, -1.0]


def test_scores_that_differ_by_rounding_alone_are_tied(make_pairs: MakePairs) -> None:
    pairs = make_pairs([0.1 + 0.2, 1e9], [0.3, 1e9 * (1 + 2e-16)], scale=None)
    assert pairs.differences().tolist() == [0.0, 0.0]


def test_small_real_differences_are_not_tied(make_pairs: MakePairs) -> None:
    assert make_pairs([0.5], [0.5 + 1e-9]).differences()[0] == pytest.approx(1e-9)


def test_the_order_of_repeats_makes_no_difference(make_run: MakeRun) -> None:
    baseline = with_repeats(make_run, ("a", 0.1), ("a", 0.2), ("a", 0.3))
    candidate = with_repeats(make_run, ("a", 0.3), ("a", 0.2), ("a", 0.1))
    assert paired(baseline, candidate).differences().tolist() == [0.0]


@pytest.mark.parametrize(("direction", "worst_case"), [(Direction.HIGHER, 0.25), (Direction.LOWER, 0.75)])
def test_a_sample_without_a_score_counts_as_the_worst_in_the_worst_case(
    make_run: MakeRun, direction: Direction, worst_case: float
) -> None:
    baseline = with_repeats(make_run, ("a", 0.5), ("a", 0.5), ("b", 1.0))
    candidate = with_repeats(make_run, ("a", 0.5), ("a", ItemStatus.TIMEOUT), ("b", 1.0))
    pairs = paired(baseline, candidate, direction)
    assert pairs.candidate.tolist() == [0.5, 1.0]
    assert pairs.unanswered.tolist() == [0.5, 0.0]
    assert not pairs.missing.any()
    assert pairs.with_worst_for_missing().candidate.tolist() == [worst_case, 1.0]


@pytest.mark.parametrize(("direction", "worst_case"), [(Direction.HIGHER, 0.25), (Direction.LOWER, 0.75)])
def test_a_sample_that_the_candidate_lost_counts_like_one_without_a_score(
    make_run: MakeRun, direction: Direction, worst_case: float
) -> None:
    baseline = with_repeats(make_run, ("a", 0.5), ("a", 0.5), ("b", 1.0))
    pairs = paired(baseline, with_repeats(make_run, ("a", 0.5), ("b", 1.0)), direction)
    assert pairs.unanswered.tolist() == [0.5, 0.0]
    worst = pairs.with_worst_for_missing()
    assert worst.candidate.tolist() == [worst_case, 1.0]
    assert worst.candidate_scores().tolist() == [worst_case, 1.0]


@pytest.mark.parametrize(
    ("samples", "share"),
    [
        ([1.0, 1.0, 1.0], 0.0),
        ([1.0] * 5, 0.0),
        ([1.0, 1.0], 1 / 3),
        ([1.0], 2 / 3),
        ([1.0, ItemStatus.ERROR], 2 / 3),
        ([1.0, 1.0, 1.0, ItemStatus.ERROR], 1 / 4),
    ],
)
def test_as_many_samples_are_wanted_as_the_run_with_more_of_them_has(
    make_run: MakeRun, samples: list[float | ItemStatus], share: float
) -> None:
    baseline = with_repeats(make_run, *[("a", 1.0)] * 3)
    assert paired(baseline, with_repeats(make_run, *[("a", score) for score in samples])).unanswered[0] == share


def test_samples_that_the_baseline_lacks_as_well_are_held_against_the_candidate_alone(make_run: MakeRun) -> None:
    run = with_repeats(make_run, ("a", 1.0), ("a", ItemStatus.ERROR), ("b", 1.0))
    better = with_repeats(make_run, ("a", 1.0), ("a", 1.0), ("b", 1.0))
    assert paired(run, run).unanswered.tolist() == [0.0, 0.0]
    assert paired(run, run).own_unanswered.tolist() == [0.5, 0.0]
    assert paired(run, run).with_worst_for_missing().candidate_scores().tolist() == [0.5, 1.0]
    assert paired(run, better).lacking.tolist() == [False, False]


def test_without_a_baseline_every_sample_is_wanted(make_run: MakeRun) -> None:
    run = with_repeats(make_run, ("a", 1.0), ("a", ItemStatus.ERROR), ("b", ItemStatus.ERROR))
    assert paired(None, run).unanswered.tolist() == [0.5, 0.0]


def test_an_item_without_any_scored_sample_is_missing_as_a_whole(make_run: MakeRun) -> None:
    baseline = with_repeats(make_run, ("a", 1.0), ("a", 1.0), ("b", 1.0))
    candidate = with_repeats(make_run, ("a", ItemStatus.ERROR), ("a", ItemStatus.TIMEOUT), ("b", 1.0))
    pairs = paired(baseline, candidate)
    assert pairs.missing.tolist() == [True, False]
    assert pairs.unanswered.tolist() == [0.0, 0.0]
    assert pairs.status.tolist() == ["error", "scored"]


@pytest.mark.parametrize(
    ("direction", "scale", "worst"),
    [
        (Direction.HIGHER, Scale(0.0, 5.0), 0.0),
        (Direction.LOWER, Scale(0.0, 5.0), 5.0),
        (Direction.HIGHER, None, 2.0),
        (Direction.LOWER, None, 4.0),
    ],
    ids=["lowest possible", "highest possible", "lowest seen", "highest seen"],
)
def test_a_missing_score_becomes_the_worst_one(
    make_pairs: MakePairs, direction: Direction, scale: Scale | None, worst: float
) -> None:
    pairs = make_pairs([2.0, 3.0, 3.0], [4.0, 3.0, ItemStatus.TIMEOUT], direction=direction, scale=scale)
    imputed = pairs.with_worst_for_missing()
    assert imputed.candidate.tolist() == [4.0, 3.0, worst]
    assert imputed.imputed.tolist() == [False, False, True]


def test_lost_and_changed_items_count_in_the_worst_case(make_run: MakeRun) -> None:
    baseline = make_run({"a": 1.0, "b": 1.0, "c": 1.0}, content_digests=("x", "y", "z"))
    alignment = align(baseline, make_run({"a": 1.0, "b": 1.0}, content_digests=("x", "other")))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=Scale(0.0, 1.0))
    imputed = pairs.with_worst_for_missing()
    assert imputed.candidate.tolist() == [1.0, 0.0, 0.0]
    assert imputed.common.all()
    assert imputed.differences().tolist() == [0.0, -1.0, -1.0]


def test_the_worst_case_of_nothing_stays_missing(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, {"b": ItemStatus.ERROR}, scale=None)
    assert pairs.with_worst_for_missing().candidate_scores().size == 0


def test_what_the_worst_is_does_not_change_with_the_items_that_are_taken_out(make_pairs: MakePairs) -> None:
    pairs = make_pairs(None, {"a": 0.25, "b": ItemStatus.ERROR, "c": 1.0}, scale=None).without({"a"})
    assert pairs.with_worst_for_missing().candidate_scores().tolist() == [0.25, 1.0]


def test_items_are_taken_out_of_every_column(make_pairs: MakePairs) -> None:
    pairs = make_pairs({"a": 1.0, "b": 0.5, "c": 0.0}, {"a": 1.0, "c": 0.25}).without({"a", "unknown"})
    assert pairs.ids == ("b", "c")
    assert pairs.baseline is not None
    assert pairs.baseline.tolist() == [0.5, 0.0]
    assert pairs.status.tolist() == ["lost", "scored"]
    assert pairs.ids_where(pairs.missing) == ("b",)
    assert pairs.candidate_scores().tolist() == [0.25]


@given(pairs=st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=1, max_size=20))
def test_differences_of_exchanged_runs_have_the_other_sign(
    make_pairs: MakePairs, pairs: list[tuple[float, float]]
) -> None:
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    forth = make_pairs(before, after, scale=None).differences()
    assert np.array_equal(forth, -make_pairs(after, before, scale=None).differences())
    assert np.array_equal(forth, make_pairs(after, before, scale=None, direction=Direction.LOWER).differences())
