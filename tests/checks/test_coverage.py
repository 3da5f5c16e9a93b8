"""Coverage: missing items never turn the gate green, and one of a thousand does not turn it red."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from gate.alignment import Alignment, align, align_alone, pair_metric
from gate.checks.coverage import CoverageOptions, check
from gate.evidence import CoverageEvidence
from gate.results import CheckResult, Status
from gate.scores.model import Direction, ItemStatus, Run, Scale

MakeRun = Callable[..., Run]

RUN_AGAIN = "run the missing items again; the report lists them"


def covered(alignment: Alignment, *, turned: tuple[str, ...] = (), **options: object) -> CheckResult:
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=Scale(0.0, 1.0))
    return check(alignment, pairs, CoverageOptions.model_validate(options), turned=turned)


def evidence_of(result: CheckResult) -> CoverageEvidence:
    assert isinstance(result.evidence, CoverageEvidence)
    return result.evidence


def with_samples(make_run: MakeRun, *by_item: list[float | ItemStatus]) -> Run:
    """A run of several samples an item."""
    rows = np.repeat(np.arange(len(by_item)), [len(samples) for samples in by_item])
    column = make_run([score for samples in by_item for score in samples]).metrics["score"]
    return make_run([0.0] * len(by_item), item_of_sample=rows, metrics={"score": column})


@pytest.fixture
def one_of_ten(make_run: MakeRun) -> Alignment:
    """Ten items, of which the candidate timed out on one."""
    return align(make_run([1.0] * 10), make_run([*[1.0] * 9, ItemStatus.TIMEOUT], path="b.csv"))


def test_all_items_compared_passes(make_run: MakeRun) -> None:
    result = covered(align(make_run([1.0, 0.0]), make_run([1.0, 1.0], path="b.csv")))
    assert (result.status, result.reason) == (Status.PASS, "complete")
    assert result.sentence == "all 2 items compared"
    assert result.notes == ()
    assert result.remedy == ""


def test_a_missing_item_warns_where_the_worst_score_for_it_turns_no_check(one_of_ten: Alignment) -> None:
    result = covered(one_of_ten)
    assert (result.status, result.reason) == (Status.WARN, "missing-tolerated")
    assert result.sentence == "1 of 10 items could not be compared; even with the worst score for them no check turns"
    assert result.remedy == RUN_AGAIN


def test_a_missing_item_fails_where_the_worst_score_for_it_turns_a_check_which_is_named(one_of_ten: Alignment) -> None:
    result = covered(one_of_ten, turned=("threshold",))
    assert (result.status, result.reason) == (Status.FAIL, "missing-decides")
    assert result.sentence == "1 of 10 items could not be compared; with the worst score for them threshold fails"
    assert result.remedy == RUN_AGAIN


def test_all_checks_that_turn_are_named(one_of_ten: Alignment) -> None:
    result = covered(one_of_ten, turned=("threshold", "regression"))
    assert result.sentence.endswith("; with the worst score for them threshold and regression fail")


def test_any_missing_item_fails_by_the_policy_fail(one_of_ten: Alignment) -> None:
    result = covered(one_of_ten, missing="fail")
    assert (result.status, result.reason) == (Status.FAIL, "missing")
    assert (result.sentence, result.remedy) == ("1 of 10 items could not be compared", RUN_AGAIN)


def test_missing_items_pass_by_the_policy_exclude_and_are_counted(one_of_ten: Alignment) -> None:
    result = covered(one_of_ten, missing="exclude")
    assert (result.status, result.reason) == (Status.PASS, "missing-excluded")
    assert result.sentence == "1 of 10 items could not be compared and are left out, as asked"
    assert result.remedy == ""


def test_of_items_that_came_in_part_what_they_lack_is_left_out(make_run: MakeRun) -> None:
    baseline = with_samples(make_run, *[[1.0, 0.0]] * 10)
    partly = with_samples(make_run, *[[1.0, 0.0]] * 9, [1.0, ItemStatus.ERROR])
    assert covered(align(baseline, partly), missing="exclude").sentence == (
        "1 of 10 items could not be compared in full and what they lack is left out, as asked"
    )
    neither = make_run([1.0, 0.0, ItemStatus.ERROR])
    assert covered(align(neither, neither), missing="exclude").sentence == (
        "1 item lacks scores in both runs and what they lack is left out, as asked"
    )


@pytest.mark.parametrize("missing", ["worst_case", "fail", "exclude"])
def test_too_low_a_coverage_fails_by_every_policy(make_run: MakeRun, missing: str) -> None:
    alignment = align(make_run([1.0] * 10), make_run([1.0] * 8))
    result = covered(alignment, missing=missing)
    assert (result.status, result.reason) == (Status.FAIL, "coverage-too-low")
    assert result.sentence == "only 8 of 10 items could be compared, under 90 %"
    assert result.remedy == RUN_AGAIN


@pytest.mark.parametrize("items", [10, 30, 70, 110, 1000])
def test_a_coverage_of_exactly_the_minimum_is_enough(make_run: MakeRun, items: int) -> None:
    candidate = [1.0] * (items * 9 // 10)
    baseline = {f"i{row:02d}": 1.0 for row in range(items)}
    assert covered(align(make_run(baseline), make_run(candidate))).reason == "missing-tolerated"


def test_the_minimum_can_be_set(make_run: MakeRun) -> None:
    alignment = align(make_run([1.0] * 10), make_run([1.0] * 5))
    assert covered(alignment, min_coverage=0.5).status is Status.WARN
    assert covered(alignment, min_coverage=0.51).status is Status.FAIL


def test_lost_changed_and_unscored_items_are_all_missing(make_run: MakeRun) -> None:
    baseline = make_run({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}, content_digests=("1", "2", "3", "4"))
    candidate = make_run({"a": 1.0, "b": 1.0, "c": ItemStatus.ERROR}, content_digests=("1", "other", "3"))
    result = covered(align(baseline, candidate), min_coverage=0)
    evidence = evidence_of(result)
    assert evidence.lost == ("d",)
    assert evidence.changed == ("b",)
    assert evidence.unscored == {"c": "error"}
    assert evidence.common == 2
    assert result.figures["missing"] == 3
    assert result.detail == "n = 4, 1 lost, 1 changed, 1 unscored"
    assert "inputs or target changed under the same id: b" in result.notes
    assert (
        result.remedy
        == "run the missing items again; the report lists them; run the baseline again on the new data set"
    )


def test_all_that_is_known_of_the_items_is_told(make_run: MakeRun) -> None:
    contents: dict[str, object] = {"content_fields": ("inputs",), "prompt_digests": tuple("pppppp")}
    baseline = make_run(
        {"b": 1.0, "a": 1.0, "c": 1.0, "d": 1.0, "e": ItemStatus.SKIPPED, "f": ItemStatus.ERROR},
        content_digests=tuple("123456"),
        **contents,
    )
    candidate = make_run(
        {"a": 1.0, "b": ItemStatus.TIMEOUT, "d": 1.0, "e": 1.0, "f": ItemStatus.ERROR, "y": 0.25, "x": 1.0, "z": 1.0},
        content_digests=tuple("21x56yxz"),
        content_fields=("inputs",),
        prompt_digests=tuple("qpqqpppp"),
        path="b.csv",
    )
    result = covered(align(baseline, candidate), min_coverage=0)
    assert result.sentence == (
        "3 of 4 items could not be compared and 1 item lacks scores in both runs; even with the worst score for them "
        "no check turns"
    )
    assert result.detail == "n = 4, 1 lost, 1 changed, 2 unscored, 3 new"
    assert result.metric == "score"
    assert result.figures == {
        "items": 4, "compared": 1, "missing": 3, "lost": 1, "changed": 1, "unscored": 2, "unscored_in_both": 1,
        "new": 3, "new_mean": 0.75,
    }  # fmt: skip
    assert result.evidence == CoverageEvidence(
        common=4,
        lost=("c",),
        new=("x", "y", "z"),
        changed=("d",),
        unscored={"b": "timeout", "f": "error"},
        baseline_unscored=("e", "f"),
        new_mean=0.75,
    )
    assert result.notes == (
        "3 new items (mean 0.750): they count from the next baseline on",
        "inputs or target changed under the same id: d",
        "2 items without a score in the baseline",
        "scores lack in both runs: f",
        "the rendered prompt of 2 items changed: a template edit",
    )


def test_changed_items_alone_ask_for_another_run_of_the_baseline(make_run: MakeRun) -> None:
    baseline = make_run([1.0] * 10, content_digests=tuple("abcdefghij"))
    result = covered(align(baseline, make_run([1.0] * 10, content_digests=tuple("abcdefghi."))))
    assert result.remedy == "run the baseline again on the new data set"


@pytest.mark.parametrize(
    ("last", "now"),
    [([1.0, 1.0], [1.0, ItemStatus.ERROR]), ([ItemStatus.ERROR] * 2, [ItemStatus.ERROR] * 2)],
    ids=["a sample", "both runs"],
)
def test_where_scores_lack_beside_changed_items_both_runs_are_to_be_made_again(
    make_run: MakeRun, last: list[float | ItemStatus], now: list[float | ItemStatus]
) -> None:
    runs = (
        replace(with_samples(make_run, *[[1.0, 1.0]] * 9, samples), content_digests=tuple(digests))
        for samples, digests in ((last, "abcdefghij"), (now, ".bcdefghij"))
    )
    result = covered(align(*runs), min_coverage=0.5)
    assert result.remedy == f"{RUN_AGAIN}; run the baseline again on the new data set"


@pytest.mark.parametrize(
    ("missing", "status"), [("worst_case", Status.WARN), ("fail", Status.FAIL), ("exclude", Status.PASS)]
)
def test_a_sample_without_a_score_is_missing_by_every_policy(make_run: MakeRun, missing: str, status: Status) -> None:
    whole: list[float | ItemStatus] = [1.0, 1.0, 1.0]
    baseline = with_samples(make_run, *[whole] * 10)
    result = covered(
        align(baseline, with_samples(make_run, *[whole] * 9, [1.0, 1.0, ItemStatus.ERROR])), missing=missing
    )
    assert result.status is status
    assert result.sentence.startswith("1 of 10 items could not be compared in full")
    assert "some samples have no score: i09" in result.notes


def test_samples_without_a_score_count_towards_the_least_coverage(make_run: MakeRun) -> None:
    baseline = with_samples(make_run, *[[1.0, 1.0]] * 4)
    candidate = with_samples(make_run, *[[1.0, 1.0]] * 2, *[[1.0, ItemStatus.ERROR]] * 2)
    result = covered(align(baseline, candidate))
    assert (result.status, result.reason) == (Status.FAIL, "coverage-too-low")
    assert result.sentence == "only 75 % of the samples could be compared, under 90 %"


@pytest.mark.parametrize("left", [(), ("inputs",)])
def test_a_candidate_that_no_longer_tells_what_its_items_ask_warns(make_run: MakeRun, left: tuple[str, ...]) -> None:
    baseline = make_run([1.0], content_digests=("x",), content_fields=("inputs", "target"))
    candidate = make_run([1.0], content_digests=("y",) if left else None, content_fields=left)
    result = covered(align(baseline, candidate))
    assert (result.status, result.reason) == (Status.WARN, "contents-unknown")
    told = "target" if left else "inputs and target"
    assert result.sentence == f"the candidate no longer tells the items' {told}: whether they changed cannot be told"
    assert "same columns" in result.remedy


def test_a_candidate_that_tells_more_of_its_items_than_the_baseline_is_no_fault(make_run: MakeRun) -> None:
    candidate = make_run([1.0], content_digests=("x",), content_fields=("inputs", "target"))
    result = covered(align(make_run([0.0]), candidate))
    assert result.status is Status.PASS
    assert result.notes == (
        "the baseline does not hold all of the items' contents: whether they changed cannot be told",
    )


def test_new_items_are_counted_with_their_mean_and_decide_nothing(make_run: MakeRun) -> None:
    candidate = make_run({"a": 1.0, "x": 0.0, "y": 0.5, "z": ItemStatus.ERROR})
    result = covered(align(make_run({"a": 1.0}), candidate))
    assert result.status is Status.PASS
    assert evidence_of(result).new == ("x", "y", "z")
    assert result.figures["new_mean"] == 0.25
    assert result.notes == ("3 new items (mean 0.250): they count from the next baseline on",)


def test_new_items_without_a_score_have_no_mean(make_run: MakeRun) -> None:
    result = covered(align(make_run({"a": 1.0}), make_run({"a": 1.0, "x": ItemStatus.ERROR})))
    assert result.figures["new_mean"] is None
    assert result.notes == ("1 new item: they count from the next baseline on",)


def test_an_edited_prompt_template_is_told_and_no_fault(make_run: MakeRun) -> None:
    baseline = make_run([1.0, 1.0], prompt_digests=("a", "b"))
    result = covered(align(baseline, make_run([1.0, 0.0], prompt_digests=("x", "y"))))
    assert result.status is Status.PASS
    assert result.notes == ("the rendered prompt of 2 items changed: a template edit",)


def test_the_same_file_twice_is_told_and_no_fault(make_run: MakeRun) -> None:
    run = make_run([1.0, 0.0])
    result = covered(align(run, run))
    assert result.status is Status.PASS
    assert result.notes == ("baseline and candidate are the same file, byte for byte",)


def test_a_baseline_that_scored_few_of_its_items_warns(make_run: MakeRun) -> None:
    baseline = make_run([*[1.0] * 4, ItemStatus.ERROR])
    result = covered(align(baseline, make_run([1.0] * 5)))
    assert (result.status, result.reason) == (Status.WARN, "baseline-incomplete")
    assert result.sentence == "the baseline has a score for only 80 % of its items"
    assert result.notes == ("1 item without a score in the baseline",)
    assert result.remedy == RUN_AGAIN


def test_items_without_a_score_in_either_run_warn_and_are_counted_and_named(make_run: MakeRun) -> None:
    run = make_run([*[1.0] * 9, ItemStatus.ERROR])
    result = covered(align(run, run))
    assert (result.status, result.reason) == (Status.WARN, "missing-tolerated")
    assert result.sentence == "1 item lacks scores in both runs; even with the worst score for them no check turns"
    assert "scores lack in both runs: i09" in result.notes
    assert (result.figures["unscored_in_both"], result.figures["missing"]) == (1, 0)


def test_items_missing_in_one_run_and_in_both_are_told_apart(make_run: MakeRun) -> None:
    baseline = make_run([*[1.0] * 19, ItemStatus.ERROR, ItemStatus.ERROR])
    candidate = make_run([*[1.0] * 18, *[ItemStatus.TIMEOUT] * 3])
    result = covered(align(baseline, candidate))
    assert result.sentence.startswith("1 of 19 items could not be compared and 2 items lack scores in both runs;")
    assert result.notes == ("2 items without a score in the baseline", "scores lack in both runs: i19, i20")


def test_samples_without_a_score_in_either_run_warn(make_run: MakeRun) -> None:
    run = with_samples(make_run, [1.0, ItemStatus.ERROR], [1.0, 1.0])
    result = covered(align(run, run))
    assert result.status is Status.WARN
    assert result.sentence.startswith("1 item lacks scores in both runs")


def test_lost_samples_are_missing_and_count_towards_the_least_coverage(make_run: MakeRun) -> None:
    baseline = with_samples(make_run, *[[1.0, 1.0]] * 4)
    result = covered(align(baseline, with_samples(make_run, *[[1.0, 1.0]] * 3, [1.0])), min_coverage=0.8)
    assert (result.status, result.reason) == (Status.WARN, "missing-tolerated")
    assert result.sentence.startswith("1 of 4 items could not be compared in full")
    few = covered(align(baseline, with_samples(make_run, *[[1.0, 1.0]] * 2, [1.0], [1.0])))
    assert (few.reason, few.sentence) == ("coverage-too-low", "only 75 % of the samples could be compared, under 90 %")


def test_a_few_items_without_a_score_in_the_baseline_are_told_only(make_run: MakeRun) -> None:
    baseline = make_run([*[1.0] * 9, ItemStatus.ERROR])
    result = covered(align(baseline, make_run([1.0] * 10)))
    assert result.status is Status.PASS
    assert result.sentence == "all 9 items compared"
    assert evidence_of(result).baseline_unscored == ("i09",)


def test_no_item_with_a_score_to_compare_with_fails(make_run: MakeRun) -> None:
    baseline = make_run({"a": ItemStatus.ERROR, "b": 1.0})
    alignment = align(baseline, make_run({"a": 1.0}))
    pairs = pair_metric(alignment, "score", direction=Direction.HIGHER, scale=None).without({"b"})
    result = check(alignment, pairs, CoverageOptions())
    assert (result.status, result.reason) == (Status.FAIL, "nothing-to-compare")
    assert (result.sentence, result.remedy) == ("no item has a score to compare with", RUN_AGAIN)


def test_without_a_baseline_the_candidates_own_items_are_wanted(make_run: MakeRun) -> None:
    result = covered(align_alone(make_run([*[1.0] * 9, ItemStatus.SKIPPED])))
    assert (result.status, result.reason) == (Status.WARN, "missing-tolerated")
    assert evidence_of(result).unscored == {"i09": "skipped"}
    assert evidence_of(result).baseline_unscored == ()
    assert (result.detail, result.notes) == ("n = 10, 1 unscored", ())


def test_another_number_of_samples_is_told_by_id_and_no_fault(make_run: MakeRun) -> None:
    baseline, more = (with_samples(make_run, *[[1.0, 0.0] * 2] * 4, *[[1.0, 0.0] * n] * 4) for n in (1, 2))
    result = covered(align(baseline, more))
    assert result.status is Status.PASS
    assert "other number of repeats than in the baseline: i04, i05, i06 and 1 more" in result.notes


def test_one_run_as_both_samples_is_told(make_run: MakeRun) -> None:
    run = make_run([1.0, 0.0])
    assert covered(align_alone(run, reference=run)).notes == (
        "baseline and candidate are the same file, byte for byte",
    )
    assert covered(align_alone(run)).notes == ()


@pytest.mark.parametrize("options", [{"missing": "ignore"}, {"min_coverage": 1.1}, {"min_coverage": -0.1}, {"bar": 1}])
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CoverageOptions.model_validate(options)


def test_a_candidate_of_other_items_with_far_fewer_of_them_warns(make_run: MakeRun) -> None:
    reference = make_run({f"a{row}": 1.0 for row in range(10)})
    few, enough = (make_run({f"b{row}": 1.0 for row in range(n)}, path="b.csv") for n in (8, 9))
    result = covered(align_alone(few, reference=reference))
    assert (result.status, result.reason) == (Status.WARN, "fewer-items")
    assert result.sentence == ("the candidate has 8 scored items, the baseline 10: what it leaves out cannot be told")
    assert covered(align_alone(enough, reference=reference)).status is Status.PASS


@pytest.mark.parametrize("fact", ["task", "task version", "split", "judge", "tool version"])
def test_runs_that_were_not_made_alike_warn(make_run: MakeRun, fact: str) -> None:
    before, now = make_run([1.0, 0.0], facts={fact: "one"}), make_run([1.0, 0.0], path="b.csv", facts={fact: "two"})
    result = covered(align(before, now))
    assert (result.status, result.reason) == (Status.WARN, "made-otherwise")
    assert result.sentence == f"the two runs were not made alike: {fact} one -> two"


@pytest.mark.parametrize("facts", [{"model": "two"}, {"judge": "one"}, {}])
def test_another_model_is_what_gates_are_for(make_run: MakeRun, facts: dict[str, str]) -> None:
    before = make_run([1.0, 0.0], facts={"judge": "one", "model": "one"})
    assert covered(align(before, make_run([1.0, 0.0], path="b.csv", facts=facts))).status is Status.PASS
