"""PAIR: what is common, lost, new or changed, and what the worst case is."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.alignment import MetricPairs, align, align_alone, pair_metric
from gate.errors import AlignmentError
from gate.scores.model import Direction, ItemStatus, Run, Scale, Source

MakeRun = Callable[..., Run]
MakePairs = Callable[..., MetricPairs]

SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.5, 1.0]), min_size=1)


def with_repeats(make_run: MakeRun, *samples: tuple[str, float | ItemStatus]) -> Run:
    """A run with one row for each sample: its item and its score."""
    items = list(dict.fromkeys(item for item, _ in samples))
    column = make_run([score for _, score in samples]).metrics["score"]
    rows = np.array([items.index(item) for item, _ in samples], dtype=np.intp)
    return make_run(dict.fromkeys(items, 0.0), item_of_sample=rows, metrics={"score": column})


def paired(baseline: Run | None, candidate: Run, direction: Direction = Direction.HIGHER) -> MetricPairs:
    alignment = align_alone(candidate) if baseline is None else align(baseline, candidate)
    return pair_metric(alignment, "score", direction=direction, scale=Scale(0.0, 1.0))


def test_items_are_paired_by_id_whatever_their_order(make_run: MakeRun) -> None:
    alignment = align(make_run({"b": 0.0, "a": 1.0}), make_run({"a": 0.25, "b": 0.75}))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=None)
    assert pairs.ids == ("a", "b")
    assert pairs.baseline is not None
    assert pairs.baseline.tolist() == [1.0, 0.0]
    assert pairs.candidate.tolist() == [0.25, 0.75]


def test_ids_are_compared_as_text(make_run: MakeRun) -> None:
    alignment = align(make_run({"1": 0.0, "01": 0.0}), make_run({"1": 0.0}))
    assert alignment.ids == ("01", "1")
    assert alignment.common.tolist() == [False, True]


def test_an_item_only_in_the_baseline_is_lost_and_one_only_in_the_candidate_is_new(make_run: MakeRun) -> None:
    alignment = align(make_run({"a": 1.0, "b": 0.0}), make_run({"z": 1.0, "y": 0.5, "a": 1.0}))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=None)
    assert alignment.common.tolist() == [True, False]
    assert alignment.compared == {"a"}
    assert pairs.status.tolist() == ["scored", "lost"]
    assert alignment.new == ("y", "z")
    assert pairs.new.tolist() == [0.5, 1.0]


def test_changed_content_under_the_same_id_leaves_the_pairs(make_run: MakeRun) -> None:
    baseline = make_run({"a": 1.0, "b": 1.0}, content_digests=("x", "y"))
    alignment = align(baseline, make_run({"a": 1.0, "b": 1.0}, content_digests=("x", "other")))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=None)
    assert alignment.changed.tolist() == [False, True]
    assert pairs.status.tolist() == ["scored", "changed"]
    assert np.isnan(pairs.candidate[1])
    assert pairs.missing.tolist() == [False, True]


def test_content_that_the_candidate_leaves_empty_is_changed_content(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"))
    assert align(baseline, make_run([1.0, 1.0], content_digests=("x", ""))).changed.tolist() == [False, True]


@pytest.mark.parametrize("digests", [None, ("", "")])
def test_content_that_the_candidate_leaves_empty_throughout_is_an_error(
    make_run: MakeRun, digests: tuple[str, ...] | None
) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"), content_fields=("inputs",))
    with pytest.raises(AlignmentError):
        align(baseline, make_run([1.0, 1.0], content_digests=digests, content_fields=("inputs",)))


def test_empty_content_throughout_is_not_called_a_changed_data_set(make_run: MakeRun) -> None:
    with pytest.raises(AlignmentError, match="inputs and target of every item are empty") as caught:
        align(make_run([1.0], content_digests=("x",)), make_run([1.0]))
    assert "as they stand in the baseline's file" in caught.value.remedy


@pytest.mark.parametrize("digests", [None, ("", "y")])
def test_content_that_the_baseline_does_not_tell_is_unknown_and_not_changed(
    make_run: MakeRun, digests: tuple[str, ...] | None
) -> None:
    baseline = make_run([1.0, 1.0], content_digests=digests)
    assert not align(baseline, make_run([1.0, 1.0], content_digests=("x", "y"))).changed.any()


@pytest.mark.parametrize(("ours", "theirs"), [(("p", "q"), ("p", "")), (("", ""), ("p", "q")), (("p", "q"), None)])
def test_a_prompt_that_one_run_does_not_tell_is_no_template_edit(
    make_run: MakeRun, ours: tuple[str, ...], theirs: tuple[str, ...] | None
) -> None:
    runs = (make_run([1.0, 1.0], prompt_digests=digests) for digests in (ours, theirs))
    assert align(*runs).prompts_changed == 0


def test_two_files_that_name_their_items_by_different_columns_are_an_error_that_names_both(make_run: MakeRun) -> None:
    candidate = make_run([1.0], id_fields=("item_id",), path="new.csv")
    with pytest.raises(AlignmentError) as caught:
        align(make_run([1.0], id_fields=("id",)), candidate)
    assert caught.value.what == 'the baseline\'s items are named by "id", the candidate\'s by "item_id"'
    assert str(caught.value.where) == "new.csv"
    assert "`columns: {id: ...}`" in caught.value.remedy


@pytest.mark.parametrize(
    ("ours", "theirs", "format_name"),
    [
        (("id",), ("ID",), "csv"),
        (("a", "b"), ("b", "a"), "csv"),
        ((), ("id",), "csv"),
        (("id",), ("task_id",), "jsonl"),
    ],
    ids=["another case", "another order", "texts", "another format"],
)
def test_columns_that_may_well_hold_the_same_ids_are_compared(
    make_run: MakeRun, ours: tuple[str, ...], theirs: tuple[str, ...], format_name: str
) -> None:
    candidate = make_run([1.0], id_fields=theirs, source=Source("b", "digest", 1, format_name))
    assert align(make_run([1.0], id_fields=ours), candidate).common.all()


def test_digests_of_different_fields_are_never_compared(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"), content_fields=("inputs",))
    candidate = make_run([1.0, 1.0], content_digests=("u", "v"), content_fields=("inputs", "target"))
    assert not align(baseline, candidate).changed.any()


def test_an_edit_of_the_prompt_template_pairs_every_item_and_is_counted(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"), prompt_digests=("p", "q"))
    candidate = make_run([1.0, 1.0], content_digests=("x", "y"), prompt_digests=("p2", "q2"))
    alignment = align(baseline, candidate)
    assert alignment.common.all()
    assert alignment.prompts_changed == 2


def test_the_new_prompt_of_a_changed_item_is_no_template_edit(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"), prompt_digests=("p", "q"))
    candidate = make_run([1.0, 1.0], content_digests=("x", "other"), prompt_digests=("p", "q2"))
    assert align(baseline, candidate).prompts_changed == 0


def test_a_different_number_of_repeats_is_told(make_run: MakeRun) -> None:
    baseline = with_repeats(make_run, ("a", 1.0), ("a", 0.0), ("b", 1.0))
    candidate = with_repeats(make_run, ("a", 1.0), ("b", 1.0), ("b", 1.0), ("a", 1.0))
    assert align(baseline, candidate).doubled == ("b",)


def test_no_common_id_is_an_error_that_shows_one_id_of_each_file(make_run: MakeRun) -> None:
    with pytest.raises(AlignmentError) as caught:
        align(make_run({"q1": 1.0}), make_run({"1": 1.0}, path="new.csv"))
    assert "'q1'" in caught.value.what
    assert "'1'" in caught.value.what
    assert caught.value.where is not None
    assert caught.value.where.path == "new.csv"
    assert "columns: {id: ...}" in caught.value.remedy


def test_items_that_all_changed_are_an_error_that_blames_the_data_set(make_run: MakeRun) -> None:
    baseline, candidate = (make_run([1.0, 1.0], content_digests=digests) for digests in (("x", "y"), ("u", "v")))
    with pytest.raises(AlignmentError, match="the data set changed"):
        align(baseline, candidate)


def test_a_candidate_alone_has_all_its_items_and_no_baseline(make_run: MakeRun) -> None:
    alignment = align_alone(make_run({"b": 1.0, "a": ItemStatus.ERROR}))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=None)
    assert pairs.baseline is None
    assert pairs.ids == ("a", "b")
    assert pairs.status.tolist() == ["error", "scored"]
    assert pairs.missing.tolist() == [True, False]
    assert pairs.differences().size == 0


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


@given(baseline=SCORES, candidate=SCORES)
def test_every_item_of_both_runs_is_common_lost_or_new(
    make_run: MakeRun, baseline: dict[str, float], candidate: dict[str, float]
) -> None:
    if not set(baseline) & set(candidate):
        with pytest.raises(AlignmentError):
            align(make_run(baseline), make_run(candidate))
        return
    alignment = align(make_run(baseline), make_run(candidate))
    common = {item for item, held in zip(alignment.ids, alignment.common.tolist(), strict=True) if held}
    assert common == set(baseline) & set(candidate)
    assert set(alignment.ids) - common == set(baseline) - set(candidate)
    assert set(alignment.new) == set(candidate) - set(baseline)


@given(pairs=st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=1, max_size=20))
def test_differences_of_exchanged_runs_have_the_other_sign(
    make_pairs: MakePairs, pairs: list[tuple[float, float]]
) -> None:
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    forth = make_pairs(before, after, scale=None).differences()
    assert np.array_equal(forth, -make_pairs(after, before, scale=None).differences())
    assert np.array_equal(forth, make_pairs(after, before, scale=None, direction=Direction.LOWER).differences())
