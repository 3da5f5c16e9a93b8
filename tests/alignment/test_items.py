"""PAIR: what is common, lost, new or changed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.alignment import align, align_alone, pair_metric
from gate.errors import AlignmentError
from gate.scores.model import Direction, ItemStatus, Source
from tests.alignment.conftest import MakeRun, with_repeats

SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.5, 1.0]), min_size=1)


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
