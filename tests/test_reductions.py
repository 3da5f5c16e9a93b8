"""pass@k and its kin as metrics: what is made of both runs' samples, and when it cannot be."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.alignment import align, pair_metric
from gate.errors import AlignmentError, ConfigError, ScoreFileError
from gate.reductions import Reduction, reduce_runs, samples_agree
from gate.results import CheckResult, Report, Status, Word
from gate.scores.model import Direction, ItemStatus, Run
from gate.scores.reducers import MEAN, parse_reducer
from tests.conftest import UNIT, Score, metric_of

Judge = Callable[..., Report]
Find = Callable[..., CheckResult]
Repeats = Mapping[str, Sequence[Score]]


@pytest.fixture
def repeated(make_run: Callable[..., Run]) -> Callable[..., Run]:
    """A run of several samples an item."""

    def run_of_samples(items: Repeats, *, direction: Direction = Direction.HIGHER, path: str = "run.csv") -> Run:
        return make_run(
            dict.fromkeys(items, 0.0),
            path=path,
            item_of_sample=np.repeat(np.arange(len(items)), [len(scores) for scores in items.values()]),
            metrics={"passed": metric_of([s for scores in items.values() for s in scores], direction=direction)},
        )

    return run_of_samples


def asked(*names: str) -> list[Reduction]:
    return [Reduction("passed", parse_reducer(name)) for name in names]


Texts = Mapping[str, str]


def write(path: Path, items: Texts) -> str:
    """A CSV file of samples: ``110`` is two passes and a fail, and ``-`` a sample without a score."""
    rows = [
        f"{item},{number},{'' if score == '-' else score}"
        for item, scores in items.items()
        for number, score in enumerate(scores)
    ]
    path.write_text("\n".join(["id,sample,passed", *rows]) + "\n", encoding="utf-8")
    return str(path)


def judged(judge: Judge, folder: Path, baseline: Texts, candidate: Texts, **suite: Any) -> Report:
    """A suite of two such files."""
    files = {"baseline": write(folder / "base.csv", baseline), "candidate": write(folder / "cand.csv", candidate)}
    return judge({**files, **suite})


def test_several_reducers_are_several_metrics_beside_the_files_own(repeated: Callable[..., Run]) -> None:
    reduced = reduce_runs(asked("mean", "pass@1", "pass@2"), None, repeated({"a": [1, 0], "b": [0, 0]})).candidate
    assert list(reduced.metrics) == ["passed", "passed pass@1", "passed pass@2"]
    assert [reduced.item_scores(name).values.tolist() for name in reduced.metrics] == [[0.5, 0], [0.5, 0], [1, 0]]


def test_what_is_drawn_and_from_how_many_is_told(repeated: Callable[..., Run]) -> None:
    even, uneven = repeated({"a": [1, 0], "b": [0, 1]}), repeated({"a": [1, 0, 1], "b": [0, 1]})
    assert (
        str(reduce_runs(asked("pass@2"), None, even).candidate.reduced("passed pass@2")) == "pass@2 of 2 samples each"
    )
    run = reduce_runs(asked("pass@2"), None, uneven)
    assert str(run.candidate.reduced("passed pass@2")) == "pass@2 of 2 to 3 samples each"
    assert any(note.endswith("; 2 to 3 samples an item") for note in run.notes)


def test_an_item_of_fewer_samples_than_are_drawn_is_an_error_that_names_it(repeated: Callable[..., Run]) -> None:
    with pytest.raises(ScoreFileError, match=r"pass@3 needs 3 samples .* 2 items have fewer: \"b\" \(2\), \"c\" \(1\)"):
        reduce_runs(asked("pass@3"), None, repeated({"a": [1, 0, 1], "b": [0, 1], "c": [1]}))


def test_graded_scores_do_not_pass_or_fail(repeated: Callable[..., Run]) -> None:
    with pytest.raises(ScoreFileError, match=r'pass@1 is of samples that pass or fail, 1 or 0, and item "a" has 0.5'):
        reduce_runs(asked("pass@1"), None, repeated({"a": [1, 0.5]}))
    with pytest.raises(ScoreFileError, match=r'item "a" has 1\.0000000001'):
        reduce_runs(asked("pass@1"), None, repeated({"a": [1, 1 + 1e-10]}))
    best = reduce_runs(asked("best"), None, repeated({"a": [1, 0.5]})).candidate
    assert best.item_scores("passed best").values.tolist() == [1.0]


def test_what_should_be_low_cannot_count_as_passes(repeated: Callable[..., Run]) -> None:
    run = repeated({"a": [1, 0]}, direction=Direction.LOWER)
    with pytest.raises(ScoreFileError, match="pass@1 counts ones as passes, and lower is better here"):
        reduce_runs(asked("pass@1"), None, run)
    assert reduce_runs(asked("best"), None, run).candidate.item_scores("passed best").values.tolist() == [0.0]


def test_a_direction_that_is_given_decides_what_is_best(repeated: Callable[..., Run]) -> None:
    reduction = Reduction("passed", parse_reducer("best"), Direction.LOWER)
    run = reduce_runs([reduction], None, repeated({"a": [1, 0]})).candidate
    assert run.item_scores("passed best").values.tolist() == [0.0]


@pytest.mark.parametrize("name", ["pass@1", "pass^1", "majority", "best", "worst"])
def test_runs_of_another_number_of_samples_are_not_compared(name: str, repeated: Callable[..., Run]) -> None:
    ours, theirs = repeated({"a": [1, 0], "b": [1, 1]}), repeated({"a": [1, 0, 1], "b": [1, 1, 0]})
    with pytest.raises(AlignmentError, match="the baseline has up to 2 samples an item, the candidate up to 3") as told:
        reduce_runs(asked(name), ours, theirs)
    assert told.value.remedy == "run the candidate with 2 an item, or the baseline with 3"


def test_the_mean_compares_runs_of_any_number_of_samples(repeated: Callable[..., Run]) -> None:
    ours, theirs = repeated({"a": [1, 0]}), repeated({"a": [1, 0, 1]})
    assert reduce_runs([Reduction("passed", MEAN)], ours, theirs).notes == ()


def test_a_metric_that_the_file_calls_so_already_is_not_hidden(repeated: Callable[..., Run]) -> None:
    run = reduce_runs(asked("pass@1"), None, repeated({"a": [1, 0]})).candidate
    with pytest.raises(ScoreFileError, match='has a metric "passed pass@1" already'):
        reduce_runs(asked("pass@1"), None, run)


def test_much_within_k_tries_and_little_within_one_is_worth_saying(repeated: Callable[..., Run]) -> None:
    run = repeated({"a": [1, 0, 0, 0], "b": [0, 1, 0, 0]})
    (_, doubt) = reduce_runs(asked("pass@4"), None, run).notes
    assert doubt.startswith("passed pass@4 is 1.000 where a single sample passes 0.250 of the time")
    assert len(reduce_runs(asked("pass@4"), None, repeated({"a": [1, 1, 0, 1], "b": [0, 1, 1, 1]})).notes) == 1


@pytest.mark.parametrize(
    ("items", "agree"),
    [
        ({"a": [1, 1], "b": [0, 0]}, True), ({"a": [1, 0], "b": [0, 0]}, False), ({"a": [1, 1], "b": [1, 1]}, False),
        ({"a": [0, 0]}, False), ({"a": [1], "b": [0]}, False), ({"a": [0.5, 0.5], "b": [0.7]}, True),
        ({"a": [0.5, 0.6], "b": [0.7]}, False), ({"a": [1, 1], "b": [ItemStatus.ERROR], "c": [0]}, True),
        ({"a": [ItemStatus.ERROR, ItemStatus.ERROR]}, False),
    ],
)  # fmt: skip
def test_samples_agree_where_items_differ_and_their_samples_do_not(
    items: Repeats,
    agree: bool,
    repeated: Callable[..., Run],  # a row of the table
) -> None:
    assert samples_agree(repeated(items), "passed") is agree


TASKS = {f"t{row:02d}": scores for row, scores in enumerate(["1100", "0100", "1110", "0000", "1010", "0111"] * 5)}


def test_every_check_judges_the_tasks_scores_and_tells_what_they_are_made_of(
    judge: Judge, find: Find, tmp_path: Path
) -> None:
    report = judged(judge, tmp_path, TASKS, TASKS, reduce=["pass@1", "pass@2"], checks={"threshold": {"bar": 0.3}})
    assert {result.metric for result in report.suites[0].results if result.metric} == {"passed pass@1", "passed pass@2"}
    for check in ("coverage", "threshold", "regression", "drift"):
        result = find(report, check, metric="passed pass@2")
        assert result.detail.endswith("pass@2 of 4 samples each")
        assert (result.figures["n_samples"], result.figures["k"]) == (4, 2)
    # of the six pairs that four samples make, those without a pass
    shares = [1 - 1 / 6, 1 - 3 / 6, 1, 0, 1 - 1 / 6, 1]
    assert find(report, "threshold", metric="passed pass@2").figures["mean"] == pytest.approx(sum(shares) / 6)
    assert find(report, "threshold", metric="passed pass@2").figures["n"] == 30
    column = report.suites[0].items.metrics["passed pass@2"]
    assert column.reducer == "pass@2"
    assert column.candidate[:2] == pytest.approx((shares[0], shares[1]))


def test_a_loss_of_the_rare_passes_shows_at_pass_at_k(judge: Judge, find: Find, tmp_path: Path) -> None:
    fallen = {task: "0000" if scores.count("1") < 3 else scores for task, scores in TASKS.items()}
    report = judged(judge, tmp_path, TASKS, fallen, reduce="pass@4")
    assert find(report, "regression").reason == "regression-shown"
    assert find(report, "regression").figures["delta"] == pytest.approx(-15 / 30)


def test_a_bar_of_its_own_holds_for_each_score(judge: Judge, find: Find, tmp_path: Path) -> None:
    reduce = {"pass@1": {"bar": 0.2}, "pass@4": {"bar": 0.9, "margin": 0.3}}
    report = judged(judge, tmp_path, TASKS, TASKS, metrics={"passed": {"reduce": reduce, "bar": 0.4}})
    assert find(report, "threshold", metric="passed pass@1").figures["bar"] == 0.2
    assert find(report, "threshold", metric="passed pass@4").figures["bar"] == 0.9
    assert find(report, "regression", metric="passed pass@4").figures["margin"] == 0.3
    assert find(report, "regression", metric="passed pass@1").figures["margin"] is None


def test_a_sample_that_did_not_come_is_a_failed_one_of_as_many(judge: Judge, find: Find, tmp_path: Path) -> None:
    lacking = {**TASKS, "t00": "11-0"}
    report = judged(judge, tmp_path, TASKS, lacking, reduce="pass@4", checks={"threshold": {"bar": 0.5}})
    covered = find(report, "coverage")
    assert (covered.status, covered.reason) == (Status.WARN, "missing-tolerated")
    assert "1 of 30 items could not be compared" in covered.sentence
    assert report.verdict.word is Word.WARN


@pytest.mark.parametrize("name", ["mean", "pass@2", "pass^2", "majority", "best", "worst"])
def test_in_the_worst_case_a_sample_that_timed_out_is_a_failed_one(name: str, repeated: Callable[..., Run]) -> None:
    whole = repeated({"a": [1, 1, 0, 0], "b": [0, 1, 0, 0], "c": [1, 1, 1, 1]})
    out = ItemStatus.TIMEOUT
    lacking = repeated({"a": [1, 1, out, 0], "b": [out, 1, out, out], "c": [1, 1, 1, 1]})
    (reduction,) = asked(name)
    ours, theirs, _ = reduce_runs([reduction], whole, lacking)
    assert ours is not None
    pairs = pair_metric(align(ours, theirs), reduction.name, direction=Direction.HIGHER, scale=UNIT)
    worst = pairs.with_worst_for_missing()
    assert worst.baseline is not None
    assert worst.candidate.tolist() == pytest.approx(worst.baseline.tolist())
    assert worst.own.tolist() == pytest.approx(worst.baseline.tolist())


def test_dropping_samples_altogether_is_no_way_round(judge: Judge, find: Find, tmp_path: Path) -> None:
    fewer = {task: scores.replace("0", "") or "00" for task, scores in TASKS.items()}
    report = judged(judge, tmp_path, TASKS, {**fewer, "t29": "0111"}, reduce="worst")
    assert find(report, "coverage").reason == "coverage-too-low"


def test_samples_that_cannot_differ_warn(judge: Judge, find: Find, tmp_path: Path) -> None:
    greedy = {task: scores[0] * 4 for task, scores in TASKS.items()}
    assert find(judged(judge, tmp_path, greedy, greedy, reduce="pass@4"), "coverage").reason == "samples-agree"
    assert find(judged(judge, tmp_path, greedy, greedy, reduce="pass@1"), "coverage").reason == "complete"
    assert find(judged(judge, tmp_path, TASKS, TASKS, reduce="pass@4"), "coverage").reason == "complete"
    assert find(judged(judge, tmp_path, greedy, greedy, reduce="majority"), "coverage").reason == "samples-agree"
    assert find(judged(judge, tmp_path, greedy, greedy), "coverage").reason == "complete"


def test_the_mean_of_the_samples_has_its_bar_too(judge: Judge, find: Find, tmp_path: Path) -> None:
    report = judged(judge, tmp_path, TASKS, TASKS, reduce={"mean": {"bar": 0.9}})
    assert find(report, "threshold", metric="passed").status is Status.FAIL


def test_a_scale_that_is_not_that_of_a_share_is_refused(judge: Judge, tmp_path: Path) -> None:
    lacking = {**TASKS, "t03": "00-0"}
    with pytest.raises(ConfigError, match=r"pass@2 is of samples that are 1 or 0, and the scale given is -1 to 1"):
        judged(judge, tmp_path, TASKS, lacking, reduce="pass@2", scale=[-1, 1])
    assert judged(judge, tmp_path, TASKS, lacking, reduce="pass@2", scale=[0, 1]).verdict.word is Word.WARN
    assert judged(judge, tmp_path, TASKS, lacking, reduce="best", scale=[-1, 1]).verdict.word is Word.WARN


@pytest.mark.parametrize("name", ["pass@2", "best", "majority"])
def test_samples_that_are_added_to_some_items_warn(name: str, judge: Judge, find: Find, tmp_path: Path) -> None:
    before = {**TASKS, "t29": "0111000"}  # one task of seven samples makes seven the number of both runs
    after = {**before, "t01": "0100111", "t03": "0000111"}
    covered = find(judged(judge, tmp_path, before, after, reduce=name), "coverage")
    assert (covered.status, covered.reason) == (Status.WARN, "more-samples")
    assert covered.sentence.startswith("2 items have more samples than in the baseline")
    assert find(judged(judge, tmp_path, before, before, reduce=name), "coverage").reason == "complete"


def test_where_items_are_other_ones_more_samples_on_average_warn(judge: Judge, find: Find, tmp_path: Path) -> None:
    before = {**TASKS, "t29": "0111000"}
    after = {f"new-{task}": f"{scores}{scores}"[:7] for task, scores in TASKS.items()}
    report = judged(judge, tmp_path, before, after, reduce=["best", "pass@1"], paired=False)
    covered = find(report, "coverage", metric="passed best")
    assert covered.reason == "more-samples"
    assert covered.sentence.startswith("the candidate has more samples an item than the baseline, on average")
    # an estimate is of the same thing at any number of samples
    assert find(report, "coverage", metric="passed pass@1").reason == "complete"


def test_a_share_of_samples_is_on_a_scale_of_0_to_1_and_says_why(judge: Judge, tmp_path: Path) -> None:
    report = judged(judge, tmp_path, TASKS, TASKS, reduce="majority")
    assert report.suites[0].items.metrics["passed majority"].scale_origin == "reducer"
    run = report.suites[0].candidate
    assert run is not None
    assert any("the scale is 0 to 1, as that of every share of samples" in note for note in run.notes)
