"""Every item with its scores, as the next baseline needs it."""

from collections.abc import Callable

import numpy as np

from gate.alignment import Alignment, align, align_alone, pair_metric
from gate.item_table import build_item_table, question_texts, score_column
from gate.metrics import resolve_metric
from gate.results import ItemTable
from gate.scores.model import ItemStatus, Run

MakeRun = Callable[..., Run]


def table_of(alignment: Alignment) -> ItemTable:
    metric = resolve_metric("score", alignment.baseline, alignment.candidate, direction=None, scale=None)
    pairs = pair_metric(alignment, "score", direction=metric.direction, scale=metric.scale)
    return build_item_table(alignment, {"score": score_column(alignment, metric, pairs)})


def test_all_items_of_both_runs_stand_in_the_table_the_new_ones_last(make_run: MakeRun) -> None:
    table = table_of(align(make_run({"c": 1.0, "b": 0.0}), make_run({"b": 0.5, "a": 1.0})))
    column = table.metrics["score"]
    assert table.ids == ("b", "c", "a")
    assert column.baseline == (0.0, 1.0, None)
    assert column.candidate == (0.5, None, 1.0)
    assert column.status == ("scored", "lost", "new")


def test_why_a_score_is_missing_stands_in_the_table(make_run: MakeRun) -> None:
    column = table_of(align(make_run([1.0, 1.0]), make_run([1.0, ItemStatus.TIMEOUT]))).metrics["score"]
    assert column.candidate == (1.0, None)
    assert column.status == ("scored", "timeout")


def test_a_changed_item_keeps_its_new_score_and_digest_for_the_next_baseline(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], content_digests=("x", "y"))
    table = table_of(align(baseline, make_run([1.0, 0.25], content_digests=("x", "other"))))
    assert table.metrics["score"].candidate == (1.0, 0.25)
    assert table.metrics["score"].status == ("scored", "changed")
    assert table.digests == ("x", "other")


def test_without_a_baseline_its_column_is_empty(make_run: MakeRun) -> None:
    column = table_of(align_alone(make_run([1.0, 0.5]))).metrics["score"]
    assert column.baseline == (None, None)
    assert column.candidate == (1.0, 0.5)


def test_a_score_that_many_items_have_is_kept_once(make_run: MakeRun) -> None:
    column = table_of(align_alone(make_run([0.25, 1.0, ItemStatus.ERROR] * 30))).metrics["score"]
    assert column.candidate == (0.25, 1.0, None) * 30
    assert len(set(map(id, column.candidate))) == 3


def test_direction_and_scale_stand_as_they_were_resolved(make_run: MakeRun) -> None:
    column = table_of(align_alone(make_run([1.0]))).metrics["score"]
    assert (column.direction, column.scale, column.scale_origin) == ("higher", (0.0, 1.0), "assumed")
    unknown = table_of(align_alone(make_run([3.0]))).metrics["score"]
    assert (unknown.scale, unknown.scale_origin) == (None, "unknown")


def test_columns_that_no_file_has_are_empty(make_run: MakeRun) -> None:
    table = table_of(align_alone(make_run([1.0])))
    assert table.digests == ()
    assert table.groups == ()


def test_groups_of_lost_items_come_from_the_baseline(make_run: MakeRun) -> None:
    baseline = make_run({"a": 1.0, "b": 1.0}, groups=("p", "q"))
    assert table_of(align(baseline, make_run({"a": 1.0}, groups=("p",)))).groups == ("p", "q")


def test_the_candidates_question_counts_and_the_baselines_where_it_has_none(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0, 1.0], inputs=("old one", "old two", ""))
    candidate = make_run([1.0, 1.0, 1.0], inputs=("new one", "", ""))
    assert question_texts(align(baseline, candidate)) == {"i00": "new one", "i01": "old two", "i02": ""}


def test_there_are_no_texts_where_no_file_has_any(make_run: MakeRun) -> None:
    assert question_texts(align_alone(make_run([1.0]))) == {}


def test_strata_and_weights_are_kept_for_the_next_baseline(make_run: Callable[..., Run]) -> None:
    run = make_run({"a": 1.0, "b": 0.0}, strata=("law", "art"), weights=np.array([1.0, 2.5]))
    alignment = align(run, make_run({"a": 1.0, "b": 0.0, "new": 1.0}))
    table = build_item_table(alignment, {})
    assert table.strata == ("law", "art", "")
    assert table.weights == (1.0, 2.5, None)
