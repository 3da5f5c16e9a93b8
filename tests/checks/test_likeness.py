"""Whether two runs whose items are all there are like and like: each doubt in the words that a user reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from gate.alignment import Alignment, align, align_alone, pair_metric
from gate.checks.base import Outcome
from gate.checks.likeness import find_unlikeness
from gate.results import Status
from gate.scores.ids import content_digest
from gate.scores.model import COMPARABLE, Direction, ItemStatus, Run, Scale
from gate.scores.reducers import Kind, Reducer

MakeRun = Callable[..., Run]
MakeSampled = Callable[..., Run]

BEST, MAJORITY = Reducer(Kind.BEST), Reducer(Kind.MAJORITY)
PASS_AT_2, PASS_AT_1 = Reducer(Kind.PASS_AT, 2), Reducer(Kind.PASS_AT, 1)


def doubt_of(alignment: Alignment, min_coverage: float = 0.9) -> Outcome | None:
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=Scale(0.0, 1.0))
    return find_unlikeness(alignment, pairs, min_coverage)


def warned(reason: str, sentence: str, remedy: str) -> Outcome:
    return Outcome(Status.WARN, reason, sentence, remedy)


@pytest.fixture
def sampled(make_run: MakeRun) -> MakeSampled:
    """A run of several samples an item, by id, made to one score by a reducer."""

    def make(
        items: Mapping[str, Sequence[float | ItemStatus]], reducer: Reducer, path: str = "a.csv", **fields: object
    ) -> Run:
        rows = np.repeat(np.arange(len(items)), [len(samples) for samples in items.values()])
        column = make_run([score for samples in items.values() for score in samples]).metrics["score"]
        metrics = {"score": replace(column, reducer=reducer)}
        return make_run(dict.fromkeys(items, 0.0), item_of_sample=rows, metrics=metrics, path=path, **fields)

    return make


def test_runs_that_are_alike_are_not_doubted(make_run: MakeRun) -> None:
    known = {"content_digests": ("x", "y"), "content_fields": ("inputs",), "groups": ("g", "h"), "facts": {"task": "t"}}
    assert doubt_of(align(make_run([1.0, 0.0], **known), make_run([0.0, 1.0], path="b.csv", **known))) is None
    assert doubt_of(align_alone(make_run([1.0, 0.0]))) is None


# the baseline's file


@pytest.mark.parametrize("paired", [True, False])
def test_a_baseline_that_was_edited_warns_in_the_words_of_its_reader(make_run: MakeRun, paired: bool) -> None:
    before, now = make_run([1.0, 0.0], doubt="it was changed by hand"), make_run([1.0, 0.0], path="b.csv")
    alignment = align(before, now) if paired else align_alone(now, reference=before)
    assert doubt_of(alignment) == warned(
        "baseline-edited",
        "it was changed by hand",
        "take the file that was promoted from the repository, or promote a candidate anew with `gate promote`",
    )


def test_a_doubt_about_the_candidates_file_is_none_about_the_baseline(make_run: MakeRun) -> None:
    assert doubt_of(align(make_run([1.0]), make_run([1.0], path="b.csv", doubt="it was changed by hand"))) is None


# what the items ask


@pytest.mark.parametrize(
    ("told", "telling", "how"),
    [
        (("inputs", "target"), (), "no longer tells the items' inputs and target"),
        (("inputs", "target"), ("inputs",), "no longer tells the items' target"),
        (("inputs", "target"), ("target",), "no longer tells the items' inputs"),
        (("target",), ("inputs", "target"), "tells the items' inputs and target, the baseline the target alone"),
        (
            ("inputs", "choices"),
            ("inputs", "choices", "target"),
            "tells the items' inputs and choices and target, the baseline the inputs and choices alone",
        ),
        # what the inputs alone are cannot be had where the candidate's text is not at hand
        (("inputs",), ("inputs", "target"), "tells the items' inputs and target, the baseline the inputs alone"),
    ],
)
def test_contents_that_cannot_be_held_against_each_other_warn(
    make_run: MakeRun, told: tuple[str, ...], telling: tuple[str, ...], how: str
) -> None:
    baseline = make_run([1.0], content_digests=("x",), content_fields=told)
    candidate = make_run([1.0], content_digests=("y",) if telling else None, content_fields=telling, path="b.csv")
    assert doubt_of(align(baseline, candidate)) == warned(
        "contents-unknown",
        f"the candidate {how}: whether they changed cannot be told",
        "write both files with the same columns of inputs and target",
    )


def test_a_column_more_is_no_doubt_where_the_inputs_are_at_hand(make_run: MakeRun) -> None:
    baseline = make_run([1.0], content_digests=(content_digest("why", None) or "",), content_fields=("inputs",))
    candidate = make_run(
        [1.0], content_digests=("y",), content_fields=("inputs", "target"), inputs=("why",), path="b.csv"
    )
    assert doubt_of(align(baseline, candidate)) is None


# groups


def test_groups_that_only_the_candidate_has_warn(make_run: MakeRun) -> None:
    alignment = align(make_run([1.0, 0.0]), make_run([1.0, 0.0], path="b.csv", groups=("g", "h")))
    assert doubt_of(alignment) == warned(
        "groups-unknown",
        "only the candidate groups its items: they are judged one by one, as the baseline has them",
        "write the groups into the baseline too, with every row filled in",
    )


def test_groups_of_a_candidate_without_a_baseline_are_no_doubt(make_run: MakeRun) -> None:
    assert doubt_of(align_alone(make_run([1.0, 0.0], groups=("g", "h")))) is None


# how many items there are


@pytest.mark.parametrize(
    ("now", "before", "told"), [(1, 2, "1 scored item, the baseline 2"), (8, 10, "8 scored items, the baseline 10")]
)
def test_fewer_scored_items_than_in_a_baseline_of_other_ones_warn(
    make_run: MakeRun, now: int, before: int, told: str
) -> None:
    # an item without a score is none, in either run
    scores = {f"a{row}": 1.0 for row in range(before)} | {"a": ItemStatus.ERROR, "aa": ItemStatus.ERROR}
    theirs = {f"b{row}": 1.0 for row in range(now)} | {f"bb{row}": ItemStatus.ERROR for row in range(9)}
    alignment = align_alone(make_run(theirs, path="b.csv"), reference=make_run(scores))
    assert doubt_of(alignment) == warned(
        "fewer-items",
        f"the candidate has {told}: what it leaves out cannot be told",
        "run the candidate on as many items, drawn the same way",
    )
    assert doubt_of(alignment, now / before) is None


# how the runs were made


def test_every_fact_that_differs_is_told_in_order_and_those_of_one_run_alone_are_not(make_run: MakeRun) -> None:
    before = {"task": "qa", "split": "test", "judge": "one", "model": "m", "tool version": "1"}
    now = {"task": "qb", "split": "dev", "judge": "one", "model": "n", "task version": "2"}
    alignment = align(make_run([1.0], facts=before), make_run([1.0], path="b.csv", facts=now))
    assert doubt_of(alignment) == warned(
        "made-otherwise",
        "the two runs were not made alike: task qa -> qb, split test -> dev",
        "run the baseline again in the same way; where the change is meant, accept the candidate as the new baseline",
    )


def test_of_many_facts_that_differ_the_rest_is_counted(make_run: MakeRun) -> None:
    facts = (dict.fromkeys(COMPARABLE, word) for word in "xy")
    found = doubt_of(align(*(make_run([1.0], facts=told, path=f"{told['task']}.csv") for told in facts)))
    assert found is not None
    assert found.sentence == (
        "the two runs were not made alike: task x -> y, task version x -> y, split x -> y and 2 more"
    )


def test_runs_of_other_items_must_be_made_alike_too(make_run: MakeRun) -> None:
    now = make_run({"b": 1.0}, facts={"judge": "two"}, path="b.csv")
    found = doubt_of(align_alone(now, reference=make_run({"a": 1.0}, facts={"judge": "one"})))
    assert found is not None
    assert (found.reason, found.sentence) == ("made-otherwise", "the two runs were not made alike: judge one -> two")


# samples


MORE = "run the baseline again with as many samples of every item as the candidate has"


@pytest.mark.parametrize(
    ("more", "told"), [(1, "1 item has more samples"), (2, "2 items have more samples")], ids=["one", "two"]
)
@pytest.mark.parametrize("reducer", [BEST, PASS_AT_2], ids=str)
def test_items_with_more_samples_than_in_the_baseline_warn(
    sampled: MakeSampled, more: int, told: str, reducer: Reducer
) -> None:
    mixed = [1.0, 0.0]
    before = sampled({"a": mixed, "b": mixed, "c": mixed}, reducer)
    now = sampled(
        {name: mixed + [0.0] * (row < more) for row, name in enumerate("abc")} | {"d": mixed * 2}, reducer, "b.csv"
    )
    sentence = f"{told} than in the baseline, so that {reducer} does not compare like with like"
    assert doubt_of(align(before, now)) == warned("more-samples", sentence, MORE)


def test_fewer_samples_and_those_of_a_mean_are_no_such_doubt(sampled: MakeSampled) -> None:
    few, many = {"a": [1.0, 0.0], "b": [0.0, 1.0]}, {"a": [1.0, 0.0, 0.0], "b": [0.0, 1.0, 1.0]}
    assert doubt_of(align(sampled(many, BEST), sampled(few, BEST, "b.csv"))) is None
    assert doubt_of(align(sampled(few, Reducer()), sampled(many, Reducer(), "b.csv"))) is None


def test_samples_of_an_item_that_is_not_compared_are_no_such_doubt(sampled: MakeSampled) -> None:
    mixed = [1.0, 0.0]
    known = {"content_fields": ("inputs",)}
    before = sampled({"a": mixed, "b": mixed}, BEST, content_digests=("x", "y"), **known)
    now = sampled({"a": mixed, "b": mixed * 2}, BEST, "b.csv", content_digests=("x", "z"), **known)
    assert doubt_of(align(before, now)) is None


@pytest.mark.parametrize(
    ("before", "now", "doubted"),
    [
        ([2, 2], [2, 3], True),
        ([2, 2], [2, 2], False),
        ([2, 3], [2, 2], False),
        ([4], [4, 4], False),
        ([2, 2], [3], True),
    ],
)
def test_more_samples_an_item_of_other_items_warn(
    sampled: MakeSampled, before: list[int], now: list[int], doubted: bool
) -> None:
    ours, theirs = (
        sampled({f"{name}{row}": [1.0, 0.0, 0.0, 0.0][:size] for row, size in enumerate(sizes)}, BEST, f"{name}.csv")
        for name, sizes in (("a", before), ("b", now))
    )
    told = "the candidate has more samples an item than the baseline, on average"
    expected = warned("more-samples", f"{told}, so that best does not compare like with like", MORE)
    assert doubt_of(align_alone(theirs, reference=ours), 0.0) == (expected if doubted else None)


def test_more_samples_of_other_items_make_an_estimate_no_other_thing(sampled: MakeSampled) -> None:
    ours, theirs = sampled({"a": [1.0, 0.0]}, PASS_AT_2), sampled({"b": [1.0, 0.0, 0.0]}, PASS_AT_2, "b.csv")
    assert doubt_of(align_alone(theirs, reference=ours)) is None


@pytest.mark.parametrize("reducer", [BEST, MAJORITY, PASS_AT_2], ids=str)
def test_samples_that_all_agree_warn(sampled: MakeSampled, reducer: Reducer) -> None:
    assert doubt_of(align_alone(sampled({"a": [1.0, 1.0], "b": [0.0, 0.0]}, reducer))) == warned(
        "samples-agree",
        f"all samples of every item agree, so that {reducer} tells no more than one sample does",
        "draw the samples at a temperature above 0, each with a seed of its own; or judge their mean",
    )


@pytest.mark.parametrize("reducer", [Reducer(), PASS_AT_1], ids=str)
def test_samples_that_all_agree_are_no_doubt_of_what_one_sample_tells(sampled: MakeSampled, reducer: Reducer) -> None:
    assert doubt_of(align_alone(sampled({"a": [1.0, 1.0], "b": [0.0, 0.0]}, reducer))) is None


def test_samples_that_differ_once_are_no_doubt(sampled: MakeSampled) -> None:
    assert doubt_of(align_alone(sampled({"a": [1.0, 1.0], "b": [0.0, 1.0]}, BEST))) is None


def test_of_several_doubts_the_first_is_told(sampled: MakeSampled) -> None:
    before = sampled(
        {"a": [1.0, 1.0], "b": [0.0, 0.0]}, BEST, facts={"judge": "one"}, doubt="it was changed by hand",
        content_digests=("x", "y"), content_fields=("inputs",),
    )  # fmt: skip
    now = sampled({"a": [1.0] * 3, "b": [0.0] * 3}, BEST, "b.csv", facts={"judge": "two"}, groups=("g", "h"))
    told = []
    # one doubt after the other is taken away
    for ours, theirs in (
        ({}, {}),
        ({"doubt": ""}, {}),
        ({"content_digests": None, "content_fields": ()}, {}),
        ({}, {"groups": None}),
        ({}, {"facts": {}}),
    ):
        before, now = replace(before, **ours), replace(now, **theirs)
        found = doubt_of(align(before, now))
        told.append(found and found.reason)
    assert told == ["baseline-edited", "contents-unknown", "groups-unknown", "made-otherwise", "more-samples"]
